// Package etcdraft fuzzes the real go.etcd.io/raft/v3: FuzzRaft plays a
// schedule of faults on a simulated cluster of RawNodes and checks the
// guarantees of the protocol after every event. README.md tells what is
// modelled, how a schedule is laid out and how to run it.
//
// Everything is in test files, which the rewriter leaves alone: edges are
// counted in raft and not in the harness, where they would be noise.
package etcdraft
