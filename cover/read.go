package cover

import (
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"
	"time"
)

// Parse reads a profile in the text format. Errors name the file as name and
// the line.
func Parse(name, text string) (*Profile, error) {
	r := &reader{name: name, text: text, rest: text}
	return r.profile()
}

// A reader takes a profile apart, line by line and word by word. What it
// returns shares the memory of the text.
type reader struct {
	name string
	text string
	rest string // the lines after this one
	n    int    // number of this line
	line string // what is left of it

	p    *Profile
	item *Item // whose axes and bins these are
	fn   *Edge // whose edges these are
	bins int

	keys map[identity]bool
	ints []int  // room for Bin.At
	hold []Bin  // room for Item.Bins
	edge []Edge // room for Profile.Edges
}

func (r *reader) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", r.name, r.n, fmt.Sprintf(format, args...))
}

// next goes to the next line that is not empty, and tells whether there is one.
func (r *reader) next() bool {
	for r.rest != "" {
		r.n++
		var found bool
		if r.line, r.rest, found = strings.Cut(r.rest, "\n"); !found {
			r.line = "" // it was cut off
			return false
		}
		if r.line = strings.TrimLeft(r.line, " \t"); r.line != "" {
			return true
		}
	}
	return false
}

func (r *reader) profile() (*Profile, error) {
	if !r.next() || r.n != 1 || !strings.HasPrefix(r.line, header[:len(header)-1]) {
		r.n = 1
		return nil, r.errorf("no coverage profile (it begins with %q)", header)
	}
	if r.line != header {
		return nil, r.errorf("%s, and this ijongo reads %q (use the ijongo that wrote it)", r.line, header)
	}
	r.p = new(Profile)
	r.keys = make(map[identity]bool)
	for {
		start := len(r.text) - len(r.rest)
		if !r.next() {
			return nil, r.errorf("cut off: the last line, end, is missing (write the profile again)")
		}
		word := r.bare()
		if word == "end" {
			return r.p, r.end(start)
		}
		if err := r.entry(word); err != nil {
			return nil, err
		}
	}
}

func (r *reader) entry(word string) error {
	switch word {
	case "bin":
		return r.bin()
	case "edge":
		return r.edgeLine()
	case "item":
		return r.itemLine()
	case "func":
		return r.funcLine()
	case "axis":
		return r.axis()
	case "module", "manifest", "runs", "time":
		return r.setting(word)
	}
	return r.errorf("unknown line %q (there are module, manifest, runs, time, item, axis, bin, func, edge and end)", word)
}

func (r *reader) setting(word string) error {
	if r.item != nil || r.fn != nil {
		return r.errorf("%s behind the first item", word)
	}
	value, err := r.word()
	if err != nil {
		return err
	}
	switch word {
	case "module":
		r.p.Module = value
	case "manifest":
		r.p.Manifest = value
	case "runs":
		r.p.Runs, err = strconv.ParseUint(value, 10, 64)
	case "time":
		r.p.Time, err = time.ParseDuration(value)
	}
	if err != nil {
		return r.errorf("%s %s is no number", word, value)
	}
	return r.noMore()
}

func (r *reader) itemLine() (err error) {
	i := new(Item)
	if i.Kind, err = r.word(); err == nil {
		i.Name, err = r.word()
	}
	if err != nil {
		return err
	}
	for r.line != "" {
		field, value, err := r.field()
		if err == nil {
			err = r.itemField(i, field, value)
		}
		if err != nil {
			return err
		}
	}
	if i.Key == "" || r.keys[i.identity()] {
		return r.errorf("item %s: the key %q is empty or taken", i.Name, i.Key)
	}
	r.keys[i.identity()] = true
	r.p.Items = append(r.p.Items, i)
	r.item, r.fn = i, nil
	return nil
}

func (r *reader) itemField(i *Item, field, value string) (err error) {
	switch field {
	case "group":
		i.Group = value
	case "package":
		i.Package = value
	case "pos":
		i.Pos = value
	case "expr":
		i.Expr = value
	case "key":
		i.Key = value
	case "goal":
		i.Goal = value
	case "doc":
		i.Doc = value
	case "atleast":
		i.AtLeast, err = strconv.Atoi(value)
	case "weight":
		i.Weight, err = strconv.Atoi(value)
	case "rare":
		i.Rare = true
	case "observe":
		i.Observe = true
	case "crowded":
		i.Crowded = true
	default:
		return r.errorf("unknown field %q of an item", field)
	}
	if err != nil || i.AtLeast < 0 || i.Weight < 0 {
		return r.errorf("%s=%s is no number of hits or weight", field, value)
	}
	return nil
}

func (r *reader) axis() error {
	if r.item == nil {
		return r.errorf("axis outside an item")
	}
	name, err := r.word()
	a := Axis{Name: name}
	for err == nil && r.line != "" {
		var bin string
		bin, err = r.word()
		a.Bins = append(a.Bins, bin)
	}
	r.item.Axes = append(r.item.Axes, a)
	return err
}

func (r *reader) bin() (err error) {
	i := r.item
	if i == nil {
		return r.errorf("bin outside an item")
	}
	r.bins++
	b := r.newBin()
	if b.Name, err = r.word(); err != nil {
		return err
	}
	if b.Hits, err = r.number(); err != nil {
		return err
	}
	for r.line != "" {
		field, value, err := r.field()
		if err == nil {
			err = r.binField(b, field, value)
		}
		if err != nil {
			return err
		}
	}
	if err := i.check(b); err != nil {
		return r.errorf("%s", err)
	}
	return nil
}

// newBin is a new bin of the item. The bins of items that follow each other
// lie in one piece of memory.
func (r *reader) newBin() *Bin {
	const room = 512
	i := r.item
	n := len(i.Bins)
	if cap(r.hold) == len(r.hold) {
		grown := make([]Bin, n, max(room, 2*n))
		copy(grown, i.Bins)
		r.hold = grown
	}
	r.hold = append(r.hold, Bin{})
	last := len(r.hold)
	i.Bins = r.hold[last-n-1 : last : last]
	return &i.Bins[n]
}

func (r *reader) binField(b *Bin, field, value string) (err error) {
	switch field {
	case "kind":
		if value != Never && value != Info {
			return r.errorf("kind=%s (there are %s and %s)", value, Never, Info)
		}
		b.Kind = value
	case "at":
		b.At, err = r.indexes(value)
	case "first":
		b.First = value
	case "when":
		b.When, err = time.ParseDuration(value)
	case "only":
		b.Only = value
	default:
		return r.errorf("unknown field %q of a bin", field)
	}
	if err != nil {
		return r.errorf("%s=%s is wrong", field, value)
	}
	return nil
}

// indexes reads numbers between commas.
func (r *reader) indexes(list string) ([]int, error) {
	const room = 1024
	n := strings.Count(list, ",") + 1
	if cap(r.ints)-len(r.ints) < n {
		r.ints = make([]int, 0, max(room, n))
	}
	start := len(r.ints)
	for more := true; more; {
		var digits string
		digits, list, more = strings.Cut(list, ",")
		k, err := strconv.Atoi(digits)
		if err != nil || k < 0 {
			return nil, strconv.ErrSyntax
		}
		r.ints = append(r.ints, k)
	}
	return r.ints[start:len(r.ints):len(r.ints)], nil
}

func (r *reader) funcLine() (err error) {
	r.fn, r.item = new(Edge), nil
	if r.fn.Package, err = r.word(); err == nil {
		r.fn.Func, err = r.word()
	}
	if err != nil {
		return err
	}
	return r.noMore()
}

func (r *reader) edgeLine() (err error) {
	if r.fn == nil {
		return r.errorf("edge outside a func")
	}
	const room = 512
	if len(r.edge) == 0 {
		r.edge = make([]Edge, room)
	}
	e := &r.edge[0]
	r.edge = r.edge[1:]
	*e = *r.fn
	if e.Kind, err = r.word(); err == nil {
		e.Pos, err = r.word()
	}
	if err == nil {
		e.Hits, err = r.number()
	}
	if err != nil {
		return err
	}
	r.p.Edges = append(r.p.Edges, e)
	return r.noMore()
}

// end checks the last line; the text before it ends at start.
func (r *reader) end(start int) error {
	want := fmt.Sprintf("items=%d bins=%d edges=%d crc32=%08x", len(r.p.Items), r.bins, len(r.p.Edges), checksum(r.text[:start]))
	switch {
	case r.line != want:
		return r.errorf("changed or damaged: it says %s and has %s (write the profile again)", r.line, want)
	case r.rest != "":
		return r.errorf("text behind the end")
	}
	return nil
}

// checksum is the checksum of the text, part by part: none is copied to the
// heap.
func checksum(text string) (sum uint32) {
	var part [4096]byte
	for text != "" {
		n := copy(part[:], text)
		sum = crc32.Update(sum, crc32.IEEETable, part[:n])
		text = text[n:]
	}
	return sum
}
