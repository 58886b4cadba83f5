#!/usr/bin/env bash
# Builds, vets and tests every module of the repository. The scripts that run
# the ijongo command, campaigns among them, run without the race detector,
# which would slow the command and not what it searches; all else with it.
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
		go test -race -timeout 10m $(go list ./... | grep -v /cmd/ijongo)
	)
done
go test -timeout 15m ./cmd/ijongo
