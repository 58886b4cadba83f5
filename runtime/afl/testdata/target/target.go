// Package target is what the tests of the protocol have a tool of AFL++ search.
package target

import (
	"os"
	"strings"
	"sync"
)

// Way is the way out of a maze of one direction a byte.
const way = "dru"

// Walk is how far input gets.
func walk(input []byte) (at int) {
	for _, c := range input {
		if at == len(way) || c != way[at] {
			break
		}
		at++
		//ijon:max at
		//ijon:set at
	}
	return at
}

// Says tells whether input has a word that nobody guesses.
func says(input []byte) bool { return strings.Contains(string(input), "MsgTimeoutNow") }

// Climb has one best value, and another for each letter of the alphabet.
func climb(input []byte) {
	sum, most := 0, [26]int{}
	for _, c := range input {
		sum += int(c)
		if c >= 'a' && c <= 'z' {
			most[c-'a']++
		}
	}
	//ijon:max sum
	for i, n := range most {
		//ijon:max n ; by i
		_, _ = i, n
	}
}

// Ways are the ways to fail, each by a letter.
const ways = "pngmsdxvl"

var kept [][]byte

// Fail fails in one way.
func fail(how byte) {
	switch how {
	case 'p':
		panic("as asked")
	case 'n':
		var p *[8]int
		p[how&7]++
	case 'g':
		go panic("in a goroutine")
		select {}
	case 'm':
		overwrite()
	case 's':
		recurse(1)
	case 'd':
		var mu sync.Mutex
		mu.Lock()
		mu.Lock()
	case 'x':
		os.Exit(3)
	case 'v':
		for {
			kept = append(kept, make([]byte, 1<<20))
			for i := range kept[len(kept)-1] {
				kept[len(kept)-1][i] = 1
			}
		}
	case 'l':
		for n := 0; ; n++ {
			spin += n
		}
	}
}

var spin int

func recurse(n int) int { return recurse(n+1) + n }

// Overwrite writes to a map from two goroutines.
func overwrite() {
	m := map[int]int{}
	for w := 0; w < 2; w++ {
		go func() {
			for i := 0; ; i++ {
				m[i&1]++
			}
		}()
	}
	select {}
}
