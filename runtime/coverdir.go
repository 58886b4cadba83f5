package ijon

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// EnvCoverDir names the environment variable with the folder that a process
// without an engine writes its coverage to.
const EnvCoverDir = "IJONGO_COVERDIR"

// CoverageFormat is the Format of a Description.
const CoverageFormat = "ijongo coverage 1"

// A Description is what BASE.json holds.
type Description struct {
	Format   string // CoverageFormat
	Manifest string // the first 16 hex digits of sha256 over manifest.json
	Module   string // path of the main module
	Edges    int    // counters in BASE.edges; 0 when there is no such file
	EdgesAt  int    // byte in BASE.edges at which counter 0 is; a file begins where a page does
	Items    []Item // in the order of their bins
}

// coverage is set in a process that writes coverage.
var coverage *coverDir

// A coverDir is the coverage files of this process, in memory. What is counted
// is in the files at once, so that they survive any death of the process.
type coverDir struct {
	base  string // path of the files, but for their suffixes
	bins  growing
	first growing
	edges int // counters
	at    int // of counter 0 in its file

	sync.Mutex // of what follows
	tests      *os.File
	test       uint32 // that was started last, counting from 1
}

func init() {
	dir := os.Getenv(EnvCoverDir)
	if dir == "" {
		return
	}
	c, err := openCoverDir(dir)
	if err != nil {
		dieUncovered(err)
	}
	coverage = c
	hits = (*[maxBins]uint64)(unsafe.Pointer(&c.bins.mem[0]))
	counting = true
}

// dieUncovered ends the process: coverage that is not written would look like
// coverage that is not there.
func dieUncovered(err error) {
	fmt.Fprintf(os.Stderr, "ijongo: %s: cannot write coverage: %v\n", EnvCoverDir, err)
	os.Exit(2)
}

// openCoverDir makes the files of the process, or none.
func openCoverDir(dir string) (*coverDir, error) {
	dir, err := filepath.Abs(dir) // the program may go elsewhere
	if err != nil {
		return nil, err
	}
	nonce := mix(uint64(time.Now().UnixNano()) ^ uint64(os.Getpid())<<48)
	c := &coverDir{base: filepath.Join(dir, fmt.Sprintf("%d-%016x", os.Getpid(), nonce))}
	if err := c.create(); err != nil {
		c.remove()
		return nil, err
	}
	return c, nil
}

func (c *coverDir) create() (err error) {
	if c.tests, err = createNew(c.base + ".tests"); err != nil {
		return err
	}
	if err := c.bins.open(c.base+".bins", maxBins*8); err != nil {
		return err
	}
	if err := c.first.open(c.base+".first", maxBins*4); err != nil {
		return err
	}
	if err := c.mapEdges(); err != nil {
		return err
	}
	program.Lock()
	defer program.Unlock()
	program.load()
	return c.describe(program.items, len(program.owner))
}

// createNew makes a file that nobody has.
func createNew(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0666)
}

// mapEdges makes a file of the pages that the edge counters are in.
func (c *coverDir) mapEdges() error {
	cov := covBytes()
	if numCounters == 0 || counterSize == 1 {
		return nil
	}
	memory := uintptr(unsafe.Pointer(&cov[0]))
	counters := memory + CovBase*counterSize
	from, to, err := wholePages(counters, numCounters*counterSize, uintptr(os.Getpagesize()))
	if err != nil {
		return err
	}
	f, err := createNew(c.base + ".edges")
	if err != nil {
		return err
	}
	defer f.Close() // the mapping stays
	pages := cov[from-memory : to-memory]
	if _, err := f.Write(pages); err != nil {
		return err
	}
	c.edges, c.at = numCounters, int(counters-from)
	return mapOver(pages, f, 0)
}

// describe makes room for n bins, and then says in BASE.json what they are.
func (c *coverDir) describe(items []Item, n int) error {
	if err := c.bins.grow(n * 8); err != nil {
		return err
	}
	if err := c.first.grow(n * 4); err != nil {
		return err
	}
	text, err := json.Marshal(Description{
		Format: CoverageFormat, Manifest: manifestHash, Module: modulePath,
		Edges: c.edges, EdgesAt: c.at, Items: append([]Item{}, items...), // never null
	})
	if err != nil {
		return err
	}
	temp := c.base + ".json.tmp"
	if err := os.WriteFile(temp, text, 0666); err != nil {
		return err
	}
	return os.Rename(temp, c.base+".json")
}

// note puts the first hit of a bin down to the test.
func (c *coverDir) note(bin uint32) {
	test := (*uint32)(unsafe.Pointer(&c.first.mem[4*bin]))
	atomic.StoreUint32(test, atomic.LoadUint32(&c.test))
}

// crowd notes the items of a group that has forgotten an instance, one index a
// line.
func (c *coverDir) crowd(items []int) {
	f, err := os.OpenFile(c.base+".crowded", os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0666)
	if err == nil {
		var lines []byte
		for _, n := range items {
			lines = append(strconv.AppendInt(lines, int64(n), 10), '\n')
		}
		_, err = f.Write(lines)
		if closeErr := f.Close(); err == nil {
			err = closeErr
		}
	}
	if err != nil {
		dieUncovered(err)
	}
}

// StartTest tells that a test starts: what is covered for the first time from
// now on is put down to it, and the instances of all groups are forgotten.
// Instrumented tests call it at their entry. It does nothing but in a process
// that writes coverage.
func StartTest(name string) {
	if c := coverage; c != nil {
		if err := c.startTest(name); err != nil {
			dieUncovered(err)
		}
	}
}

func (c *coverDir) startTest(name string) error {
	c.Lock()
	defer c.Unlock()
	if _, err := c.tests.WriteString(strings.ReplaceAll(name, "\n", " ") + "\n"); err != nil {
		return err
	}
	atomic.AddUint32(&c.test, 1)
	program.forget()
	return nil
}

// stopCoverDir leaves no coverage behind: an engine clears the bins before
// each run.
func stopCoverDir() {
	if c := coverage; c != nil {
		coverage = nil
		c.remove()
	}
}

func (c *coverDir) remove() {
	for _, suffix := range []string{".json", ".json.tmp", ".bins", ".first", ".edges", ".tests", ".crowded"} {
		os.Remove(c.base + suffix)
	}
}

// growing is a memory that never moves, of which the beginning is a file.
type growing struct {
	file *os.File
	mem  []byte
	size int // of the file
}

func (g *growing) open(name string, most int) (err error) {
	if g.file, err = createNew(name); err != nil {
		return err
	}
	g.mem, err = reserve(most)
	return err
}

// grow makes the file longer. Zeros are written to it, as a hole in a file on
// a full disk would kill the process when it counts.
func (g *growing) grow(size int) error {
	if _, err := g.file.WriteAt(make([]byte, size-g.size), int64(g.size)); err != nil {
		return err
	}
	from := int(roundUp(uintptr(g.size), uintptr(os.Getpagesize())))
	g.size = size
	if size <= from {
		return nil // the page is there
	}
	return mapOver(g.mem[from:size], g.file, int64(from))
}

// wholePages are the bounds of the pages that the edge counters lie in. Nothing
// else may.
func wholePages(counters, size, page uintptr) (from, to uintptr, err error) {
	const pad = CovBase * counterSize
	from, to = counters/page*page, roundUp(counters+size, page)
	if counters-from > pad || to-(counters+size) > pad {
		err = fmt.Errorf("a page of memory has %d bytes here, and beside the edge counters there are %d", page, pad)
	}
	return from, to, err
}

func roundUp(n, unit uintptr) uintptr { return (n + unit - 1) / unit * unit }
