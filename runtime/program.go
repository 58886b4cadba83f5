package ijon

import (
	"fmt"
	"reflect"
	"sync"
)

// maxBins bounds the bins of a program: room for their counters is there
// before the first run, so that a hit never allocates.
const maxBins = 1 << 20

// program is everything of the program that has bins: what the rewriter
// injected, then what a harness declared, in the order of declaration.
var program registry

type registry struct {
	sync.Mutex
	loaded   bool
	items    []Item
	property []ID    // of each item; noID for one of a group
	owner    []int32 // index in items, of each bin
	groups   []*Group
	injected []*Group // the first of them, which SampleGroup reads without a lock
	byKey    map[string]*Group
}

const noID ID = -1

// load adds what the rewriter injected. Nobody pays for that in a program that
// is not observed.
func (r *registry) load() {
	if r.loaded {
		return
	}
	r.loaded = true
	for id := range injected {
		r.addProperty(ID(id), injected[id])
	}
	for i := range injectedGroups {
		if _, err := r.addGroup(&injectedGroups[i]); err != nil {
			panic("ijon: injected " + err.Error())
		}
	}
	r.injected = r.groups
}

// add adds an item whose bins come next.
func (r *registry) add(item Item, id ID) {
	for range item.Bins {
		r.owner = append(r.owner, int32(len(r.items)))
	}
	r.items = append(r.items, item)
	r.property = append(r.property, id)
}

// room is an error when the program cannot have n more bins.
func (r *registry) room(n int) error {
	if n > maxBins-len(r.owner) {
		return fmt.Errorf("%d bins, and the program has %d already: more than %d (cross fewer points, or fewer bins of them)", n, len(r.owner), maxBins)
	}
	return nil
}

// addGroup adds a group and its items. The same spec a second time is the same
// group.
func (r *registry) addGroup(spec *GroupSpec) (*Group, error) {
	b := newBuilder(spec, len(r.owner))
	if old := r.byKey[b.key]; old != nil {
		if reflect.DeepEqual(old.spec, spec) {
			return old, nil
		}
		return nil, fmt.Errorf("group %s: declared twice, and not alike", spec.Name)
	}
	err := b.build()
	if err == nil {
		err = r.room(b.next - len(r.owner))
	}
	if err != nil {
		return nil, fmt.Errorf("group %s: %v", spec.Name, err)
	}
	for _, item := range b.items {
		if item.instanced() {
			b.group.instanced = append(b.group.instanced, len(r.items))
		}
		r.add(item, noID)
	}
	if r.byKey == nil {
		r.byKey = make(map[string]*Group)
	}
	r.byKey[b.key] = b.group
	r.groups = append(r.groups, b.group)
	return b.group, nil
}

func (r *registry) declareGroup(spec *GroupSpec) (*Group, error) {
	r.Lock()
	defer r.Unlock()
	r.load()
	g, err := r.addGroup(spec)
	if err == nil {
		r.grown()
	}
	return g, err
}

// grown is called when something was declared.
func (r *registry) grown() {
	if c := coverage; c != nil {
		if err := c.describe(r.items, len(r.owner)); err != nil {
			dieUncovered(err)
		}
	}
}

// find is the item that a bin belongs to, and the bin.
func (r *registry) find(bin uint32) (*Item, *BinInfo) {
	r.Lock()
	defer r.Unlock()
	item := &r.items[r.owner[bin]]
	return item, &item.Bins[int(bin)-item.First]
}

// forget forgets the instances of all groups.
func (r *registry) forget() {
	r.Lock()
	groups := r.groups
	r.Unlock()
	for _, g := range groups {
		g.forget()
	}
}
