//go:build !((linux || darwin) && (amd64 || arm64 || riscv64 || ppc64le || loong64))
// +build !linux,!darwin !amd64,!arm64,!riscv64,!ppc64le,!loong64

package ijon

import (
	"errors"
	"os"
	"runtime"
)

var errNoMapping = errors.New("not possible on " + runtime.GOOS + "/" + runtime.GOARCH + " (use linux or darwin on a 64-bit machine)")

func reserve(int) ([]byte, error) { return nil, errNoMapping }

func mapOver([]byte, *os.File, int64) error { return errNoMapping }
