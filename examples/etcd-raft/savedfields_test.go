package etcdraft

import (
	"reflect"
	"strings"
	"testing"

	"github.com/ijongo/ijongo/sim"
	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
)

// byField are the types of which no value is copied as a whole.
var byField = map[reflect.Type]bool{
	reflect.TypeFor[cluster]():            true,
	reflect.TypeFor[sim.Network]():        true,
	reflect.TypeFor[raft.MemoryStorage](): true,
}

// savedAs says of every field that refers to memory, in the types of which a
// saved state consists, and of every field of the types in byField, how Save
// and Load deal with it:
//
//	in place  what it points to is saved, and loaded into the same object
//	copied    to memory of the state, and from there to memory of the run
//	shared    nobody writes to what it points to
//	kept      it belongs to the harness and not to a run
//
// A plain value is copied with the struct that it is in.
var savedAs = map[string]string{
	"etcdraft.cluster.force":     "kept",
	"etcdraft.cluster.tears":     "kept",
	"etcdraft.cluster.runs":      "kept: it numbers the runs to come",
	"etcdraft.cluster.moment":    "copied",
	"etcdraft.cluster.all":       "in place, the nodes of the run",
	"etcdraft.cluster.nodes":     "made anew",
	"etcdraft.cluster.net":       "copied",
	"etcdraft.cluster.mem":       "kept: what is copied goes there",
	"etcdraft.cluster.history":   "copied",
	"etcdraft.cluster.raft":      "kept",
	"etcdraft.cluster.ungrouped": "kept",
	"etcdraft.cluster.watch":     "kept",
	"etcdraft.cluster.stepped":   "kept",
	"etcdraft.cluster.digesting": "kept",

	"etcdraft.moment.violation": "copied",
	"etcdraft.view.newest":      "shared: a node of the cluster",
	"etcdraft.view.oldest":      "shared: a node of the cluster",
	"etcdraft.view.latest":      "shared: a node of the cluster",
	"raft.Config.Storage":       "shared: the disk of a node, set whenever one starts",
	"raft.Config.Logger":        "shared",
	"raft.Config.TraceLogger":   "shared: nil",

	"etcdraft.node.c":             "shared",
	"etcdraft.node.raw":           "in place",
	"etcdraft.node.hard":          "shared",
	"etcdraft.node.durable":       "shared",
	"etcdraft.node.visitor":       "shared: a method of the node",
	"etcdraft.node.active":        "shared: a method of the node",
	"etcdraft.threads.hard":       "shared",
	"etcdraft.threads.appends":    "copied",
	"etcdraft.threads.applies":    "copied",
	"etcdraft.threads.answers":    "copied",
	"etcdraft.disk.MemoryStorage": "in place",
	"etcdraft.disk.n":             "shared: the node",
	"etcdraft.logIndex.terms":     "copied",

	"etcdraft.history.committed": "copied",
	"etcdraft.history.entries":   "copied",
	"etcdraft.history.leaders":   "copied",
	"etcdraft.history.votes":     "copied",
	"etcdraft.history.reads":     "copied",

	"sim.Network.n":        "copied",
	"sim.Network.queues":   "copied",
	"sim.Network.cut":      "copied",
	"sim.Network.inFlight": "copied",

	"raft.RawNode.raft":           "in place",
	"raft.RawNode.prevSoftSt":     "shared: replaced as a whole",
	"raft.RawNode.prevHardSt":     "shared: replaced as a whole",
	"raft.RawNode.stepsOnAdvance": "copied",

	"raft.raft.readStates":               "copied",
	"raft.raft.raftLog":                  "in place",
	"raft.raft.msgs":                     "copied",
	"raft.raft.msgsAfterAppend":          "copied",
	"raft.raft.readOnly":                 "in place",
	"raft.raft.tick":                     "shared: a method of the raft, which is the same one",
	"raft.raft.step":                     "shared",
	"raft.raft.logger":                   "shared",
	"raft.raft.pendingReadIndexMessages": "copied",
	"raft.raft.traceLogger":              "shared: nil",

	"raft.raftLog.storage":   "shared: the disk",
	"raft.raftLog.logger":    "shared",
	"raft.unstable.snapshot": "shared: replaced as a whole",
	"raft.unstable.entries":  "copied",
	"raft.unstable.logger":   "shared",

	"raft.readOnly.acks":             "copied",
	"raft.readOnly.unconfirmedReads": "copied",

	"tracker.ProgressTracker.Progress": "in place; the map itself is shared, and replaced as a whole",
	"tracker.ProgressTracker.Votes":    "copied",
	"tracker.Config.Voters":            "shared: replaced as a whole",
	"tracker.Config.Learners":          "shared: replaced as a whole",
	"tracker.Config.LearnersNext":      "shared: replaced as a whole",
	"tracker.Progress.Inflights":       "in place",
	"tracker.Inflights.buffer":         "copied",

	"raft.MemoryStorage.Mutex":     "kept",
	"raft.MemoryStorage.callStats": "copied",
	"raft.MemoryStorage.hardState": "shared: replaced as a whole",
	"raft.MemoryStorage.snapshot":  "copied, down to what CreateSnapshot replaces",
	"raft.MemoryStorage.ents":      "copied",
}

// TestSaveKnowsEveryField looks at the types that are saved. Whoever adds a
// field to one of them, or takes a newer raft, says here what Save and Load do
// with it, and makes them do it.
func TestSaveKnowsEveryField(t *testing.T) {
	found := fields{}
	for _, typ := range []reflect.Type{
		reflect.TypeFor[cluster](), reflect.TypeFor[moment](), reflect.TypeFor[node](), reflect.TypeFor[history](),
		reflect.TypeFor[sim.Network](), reflect.TypeFor[raft.RawNode](), reflect.TypeFor[raft.MemoryStorage](),
	} {
		found.add(typ)
	}
	for field := range found {
		if savedAs[field] == "" {
			t.Errorf("%s is new: let Save and Load copy it, and say in savedAs how", field)
		}
	}
	for field := range savedAs {
		if !found[field] {
			t.Errorf("%s is not there any more", field)
		}
	}
}

// TestMessagesHaveNoOtherFields: clone copies these, and no run has the others.
func TestMessagesHaveNoOtherFields(t *testing.T) {
	const known = " Type To From Term LogTerm Index Entries Commit Vote Snapshot Reject RejectHint Context " +
		"Responses " + // with AsyncStorageWrites
		"Data " // of an entry
	for _, typ := range []reflect.Type{reflect.TypeFor[pb.Message](), reflect.TypeFor[pb.Entry]()} {
		for i := range typ.NumField() {
			if f := typ.Field(i); f.IsExported() && !strings.Contains(known, " "+f.Name+" ") {
				t.Errorf("%v.%s is not copied", typ, f.Name)
			}
		}
	}
}

// fields are the fields found, by the names of their type and their own.
type fields map[string]bool

// add finds the fields of a struct that are not plain values, and those of the
// structs that are saved with it.
func (found fields) add(typ reflect.Type) {
	for i := range typ.NumField() {
		f := typ.Field(i)
		name := typ.String() + "." + f.Name
		switch {
		case found[name] || plain(f.Type) && !byField[typ]:
		case inner(f.Type) != nil && !byField[typ]:
			found.add(inner(f.Type))
		default:
			found[name] = true
			if t := pointee(f.Type); t != nil && strings.HasPrefix(savedAs[name], "in place") {
				found.add(t)
			}
		}
	}
}

// inner is the struct that a field has in itself; nil if it has none.
func inner(typ reflect.Type) reflect.Type {
	if typ.Kind() == reflect.Array {
		typ = typ.Elem()
	}
	if typ.Kind() == reflect.Struct {
		return typ
	}
	return nil
}

// pointee is the struct that a field points to, by way of a map or not.
func pointee(typ reflect.Type) reflect.Type {
	if typ.Kind() == reflect.Map {
		typ = typ.Elem()
	}
	if typ.Kind() == reflect.Pointer && typ.Elem().Kind() == reflect.Struct {
		return typ.Elem()
	}
	return nil
}

// plain tells whether to assign a value is to copy it.
func plain(typ reflect.Type) bool {
	switch typ.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Func, reflect.Chan, reflect.Interface, reflect.UnsafePointer:
		return false
	case reflect.Array:
		return plain(typ.Elem())
	case reflect.Struct:
		for i := range typ.NumField() {
			if !plain(typ.Field(i).Type) {
				return false
			}
		}
	}
	return true
}
