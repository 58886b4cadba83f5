// Plain is a target that does what its input says. It shows what input it has
// had in the first bytes of the area.
package main

import (
	"hash/fnv"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/ijongo/ijongo/runtime/afl"
)

const counters = 100

// Before is next to the counters' memory, where a map that is too large would
// lie.
var (
	before [1 << 16]byte
	cov    [4096 + counters + 4096]byte
	after  [1 << 16]byte
)

func main() {
	words := strings.Fields(os.Getenv("WORDS"))
	afl.Start(afl.Program{Cov: cov[:], First: 4096, Counters: counters, Words: words})
	c := afl.Current()
	if c == nil {
		os.Stdout.WriteString("no tool\n")
		return
	}
	if when := os.Getenv("DIE_AT_START"); when != "" {
		dieAtStart(when)
	}
	for {
		input, more := c.Next()
		if !more {
			return
		}
		text := string(input)
		run(c, text)
		show(c, input)
		c.Done(1)
		if text == "die later" {
			go panic("after the run")
			time.Sleep(time.Second)
		}
	}
}

// dieAtStart ends this process, always or unless one has done so before.
func dieAtStart(when string) {
	if when == "always" {
		os.Exit(1)
	}
	if f, err := os.OpenFile(when, os.O_CREATE|os.O_EXCL, 0o600); err == nil {
		f.Close()
		os.Exit(1)
	}
}

func show(c *afl.Child, input []byte) {
	if c.Area == nil {
		return
	}
	h := fnv.New64a()
	h.Write(input)
	copy(c.Area, h.Sum(nil))
	for i := range before {
		if before[i]|after[i] != 0 {
			c.Area[8] = 1
		}
	}
}

func run(c *afl.Child, input string) {
	for i := 4096; i < len(cov)-4096; i++ {
		cov[i] = 0
	}
	cov[4096]++
	cov[4096+counters-1] += 3
	word, rest, _ := cut(input)
	switch word {
	case "sleep":
		d, err := time.ParseDuration(rest)
		if err != nil {
			panic(err)
		}
		for from := time.Now(); time.Since(from) < d; {
		}
	case "panic":
		panic("as asked")
	case "go":
		go panic("as asked")
		select {}
	case "exit":
		os.Exit(3)
	case "exit0":
		os.Exit(0)
	case "fail":
		c.Fail(1, "it has failed\n")
	case "leave":
		c.Leave(1)
	case "hang":
		select {}
	case "loop":
		for {
		}
	case "term":
		syscall.Kill(os.Getpid(), syscall.SIGTERM)
		select {}
	case "slots":
		c.Slots[7] = 1 << 40
	}
}

func cut(s string) (word, rest string, found bool) {
	if i := strings.IndexByte(s, ' '); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}
