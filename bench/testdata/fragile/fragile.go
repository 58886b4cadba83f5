// Package fragile fails in every way, and has a lot to find before.
package fragile

import "os"

// Depth goes down and up, and dies at some depths.
func Depth(b []byte) (n int) {
	for _, c := range b {
		switch {
		case c < 100:
			n++
		case n > 0:
			n--
		}
	}
	//ijon:set n, len(b) % 64
	//ijon:max n
	switch {
	case n == 9 && b[0] == 'x':
		os.Exit(3)
	case n == 17 && b[0] == 'y':
		panic("deep")
	}
	return n
}
