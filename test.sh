#!/usr/bin/env bash
# Builds, vets and tests every module of the repository, then searches the
# real etcd/raft for its stale read, bounded by executions.
set -euo pipefail
cd "$(dirname "$0")"

staticcheck=honnef.co/go/tools/cmd/staticcheck@v0.8.2
unformatted=$(gofmt -l $(git ls-files '*.go'))
if [ -n "$unformatted" ]; then
	printf 'not gofmt-ed:\n%s\n' "$unformatted"
	exit 1
fi
for module in . examples/etcd-raft; do
	(
		cd "$module"
		echo "== $module"
		go build ./...
		go vet ./...
		go run "$staticcheck" ./...
		go test -race -timeout 10m ./...
	)
done
