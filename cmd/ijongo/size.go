package main

import (
	"fmt"
	"strconv"
	"strings"
)

// leastMemory is what a target needs besides what its runs take.
const leastMemory = 64 << 20

// A size is a flag for a number of bytes: 2GB, 512MB, 1048576.
type size int64

var units = []struct {
	name  string
	bytes int64
}{{"GB", 1 << 30}, {"MB", 1 << 20}, {"KB", 1 << 10}, {"", 1}}

func (s size) String() string {
	for _, u := range units {
		if s != 0 && int64(s)%u.bytes == 0 {
			return fmt.Sprint(int64(s)/u.bytes) + u.name
		}
	}
	return "0"
}

func (s *size) Set(text string) error {
	for _, u := range units {
		number, ok := strings.CutSuffix(strings.ToUpper(text), u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(number, 10, 64)
		if err != nil || n < 0 || n > 1<<62/u.bytes {
			break
		}
		*s = size(n * u.bytes)
		return nil
	}
	return fmt.Errorf("not a size (write 2GB, 512MB or a number of bytes)")
}
