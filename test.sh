#!/usr/bin/env bash
# Builds, vets and tests every module of the repository. The scripts that run
# the ijongo command, campaigns among them, run without the race detector,
# which would slow the command and not what it searches; all else with it.
set -euo pipefail
cd "$(dirname "$0")"

unformatted=$(gofmt -l $(git ls-files '*.go'))
if [ -n "$unformatted" ]; then
	printf 'not gofmt-ed:\n%s\n' "$unformatted"
	exit 1
fi

check() {
	echo "== $(go list -m)"
	go build ./...
	go vet ./...
	go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./...
	# By itself the detector keeps every process for a second at its end, and
	# tests of campaigns start hundreds.
	GORACE=atexit_sleep_ms=10 go test -race -timeout 12m "$@" $(go list ./... | grep -v /cmd/ijongo)
}
check
# Not the fuzz function: a search leaves what it has found in raft beside it,
# where plain go test fails with it.
(cd examples/etcd-raft && check -run '^Test')
go test -timeout 15m ./cmd/ijongo
