package etcdraft

import (
	"testing"

	ijon "github.com/ijongo/ijongo/runtime"
	"github.com/ijongo/ijongo/sim"
)

// FuzzRaft plays a schedule on a simulated cluster of etcd/raft.
func FuzzRaft(f *testing.F) {
	ijon.Schedule(format.Layout())
	p := sim.NewPlayer(&format, newCluster())
	f.Fuzz(func(t *testing.T, data []byte) { sim.Run(t, p, data) })
}
