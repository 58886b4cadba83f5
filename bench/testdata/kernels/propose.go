package kernels

import (
	"fmt"

	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
)

// A Cluster is three raft nodes on one goroutine whose network is a queue.
type Cluster struct {
	node    map[uint64]*raft.RawNode
	disk    map[uint64]*raft.MemoryStorage
	queue   []*pb.Message
	applied int // entries, by all nodes, since the last proposal
}

const members = 3

// NewCluster makes a cluster in which node 1 leads.
func NewCluster() (*Cluster, error) {
	c := &Cluster{node: map[uint64]*raft.RawNode{}, disk: map[uint64]*raft.MemoryStorage{}}
	for id := uint64(1); id <= members; id++ {
		disk := raft.NewMemoryStorage()
		first := &pb.Snapshot{Metadata: &pb.SnapshotMetadata{
			Index: new(uint64(1)), Term: new(uint64(1)), ConfState: &pb.ConfState{Voters: []uint64{1, 2, 3}},
		}}
		if err := disk.ApplySnapshot(first); err != nil {
			return nil, err
		}
		node, err := raft.NewRawNode(&raft.Config{
			ID: id, ElectionTick: 10, HeartbeatTick: 1, Storage: disk, Applied: 1,
			MaxSizePerMsg: 1 << 20, MaxInflightMsgs: 256, Logger: quiet{},
		})
		if err != nil {
			return nil, err
		}
		c.node[id], c.disk[id] = node, disk
	}
	if err := c.node[1].Campaign(); err != nil {
		return nil, err
	}
	return c, c.settle()
}

// Propose has the cluster agree on an entry.
func (c *Cluster) Propose(data []byte) error {
	c.applied = 0
	if err := c.node[1].Propose(data); err != nil {
		return err
	}
	return c.settle()
}

// settle handles Readys and delivers messages until there are none.
func (c *Cluster) settle() error {
	for busy := true; busy; {
		busy = false
		for id := uint64(1); id <= members; id++ {
			for c.node[id].HasReady() {
				busy = true
				if err := c.handle(id); err != nil {
					return err
				}
			}
		}
		for len(c.queue) > 0 {
			m := c.queue[0]
			c.queue = c.queue[1:]
			if err := c.node[m.GetTo()].Step(m); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *Cluster) handle(id uint64) error {
	rd := c.node[id].Ready()
	if !raft.IsEmptyHardState(rd.HardState) {
		if err := c.disk[id].SetHardState(rd.HardState); err != nil {
			return err
		}
	}
	if err := c.disk[id].Append(rd.Entries); err != nil {
		return err
	}
	c.queue = append(c.queue, rd.Messages...)
	c.applied += len(rd.CommittedEntries)
	c.node[id].Advance(rd)
	return nil
}

// Compact forgets what was applied, so that a log does not grow for ever.
func (c *Cluster) Compact() error {
	for id, disk := range c.disk {
		last, err := disk.LastIndex()
		if err != nil {
			return err
		}
		if err := disk.Compact(last - 1); err != nil {
			return fmt.Errorf("node %d: %w", id, err)
		}
	}
	return nil
}

// quiet is a raft.Logger that drops everything but what ends the program.
type quiet struct{}

func (quiet) Debug(...any)            {}
func (quiet) Debugf(string, ...any)   {}
func (quiet) Info(...any)             {}
func (quiet) Infof(string, ...any)    {}
func (quiet) Warning(...any)          {}
func (quiet) Warningf(string, ...any) {}
func (quiet) Error(...any)            {}
func (quiet) Errorf(string, ...any)   {}
func (quiet) Fatal(v ...any)          { panic(fmt.Sprint(v...)) }
func (quiet) Fatalf(f string, v ...any) {
	panic(fmt.Sprintf(f, v...))
}
func (quiet) Panic(v ...any) { panic(fmt.Sprint(v...)) }
func (quiet) Panicf(f string, v ...any) {
	panic(fmt.Sprintf(f, v...))
}
