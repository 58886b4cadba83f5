module github.com/ijongo/ijongo/examples/etcd-raft

go 1.26.0

require (
	github.com/ijongo/ijongo v0.0.0
	go.etcd.io/raft/v3 v3.7.0
	google.golang.org/protobuf v1.36.11
)

replace github.com/ijongo/ijongo => ../..
