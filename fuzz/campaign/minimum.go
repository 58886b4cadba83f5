package campaign

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	"github.com/ijongo/ijongo/cover"
	"github.com/ijongo/ijongo/fuzz/corpus"
	"github.com/ijongo/ijongo/fuzz/wire"
)

// A Minimum is a small part of a corpus that brings all that the whole brings.
type Minimum struct {
	Inputs [][]byte
	Of     int // entries that there were
	Bytes  int // of Inputs
	All    int // bytes that there were
	Failed int // entries that fail; they are among Inputs
	Brings int // features and slots
	Bad    []*corpus.BadEntry

	files []corpus.File // that have been looked at
}

// A brought is what one entry brings.
type brought struct {
	name string
	data []byte
	wire.Touched
}

// Minimum runs every entry of the corpus and chooses: of every edge and class
// of its count, every cell, pair and bin, and the best value of every max slot,
// an input that has it. The choice is greedy, and of equally good inputs the
// shorter one is taken. Entries that fail are kept.
func (f *Folder) Minimum(ctx context.Context, r *Runner) (*Minimum, error) {
	in, err := f.intake()
	if err != nil {
		return nil, err
	}
	bad, err := f.takeIn(in)
	if err != nil {
		return nil, err
	}
	files, err := corpus.AllFiles(f.Dir)
	if err != nil {
		return nil, err
	}
	m := &Minimum{files: files, Bad: bad}
	var list []brought
	done := make(map[string]bool)
	for _, file := range corpus.Live(files) {
		data, err := file.Read()
		if bad := (*corpus.BadEntry)(nil); errors.As(err, &bad) {
			m.Bad = append(m.Bad, bad)
			continue
		}
		if name := corpus.Name(data); err != nil || done[name] {
			continue
		}
		done[corpus.Name(data)] = true
		m.Of, m.All = m.Of+1, m.All+len(data)
		o, err := r.Touch(ctx, data)
		if err != nil {
			return nil, err
		}
		if o.Fault != wire.OK || o.Touched == nil {
			m.Failed++
			m.keep(data)
			continue
		}
		list = append(list, brought{corpus.Name(data), data, *o.Touched})
	}
	m.choose(list)
	return m, nil
}

func (m *Minimum) keep(data []byte) {
	m.Inputs = append(m.Inputs, data)
	m.Bytes += len(data)
}

// choose picks inputs that bring all.
func (m *Minimum) choose(list []brought) {
	sort.Slice(list, func(i, j int) bool {
		if len(list[i].data) != len(list[j].data) {
			return len(list[i].data) < len(list[j].data)
		}
		return list[i].name < list[j].name
	})
	best := make(map[uint64]uint64) // of each slot
	for _, b := range list {
		for _, s := range b.Slots {
			best[s.Slot] = max(best[s.Slot], s.Value)
		}
	}
	features, slots := make(map[uint64]int), make(map[uint64]int)
	number := func(of map[uint64]int, key uint64) int {
		n, ok := of[key]
		if !ok {
			n = len(features) + len(slots)
			of[key] = n
		}
		return n
	}
	sets := make([][]int, len(list))
	for i, b := range list {
		for _, key := range b.Features {
			sets[i] = append(sets[i], number(features, key))
		}
		for _, s := range b.Slots {
			if s.Value == best[s.Slot] {
				sets[i] = append(sets[i], number(slots, s.Slot))
			}
		}
	}
	m.Brings = len(features) + len(slots)
	for _, pick := range cover.Rank(sets) {
		m.keep(list[pick.Set].data)
	}
}

// Replace makes the minimum the corpus of the folder. Its inputs are in a queue
// of their own, complete, before those of the workers are removed; what is not
// to be run stays known. Queues of others than campaigns are left alone. No
// campaign may be running in the folder, under any name: see [Folder.Alone].
func (f *Folder) Replace(m *Minimum) error {
	writer, err := f.unused("min")
	if err != nil {
		return err
	}
	making := filepath.Join(f.Dir, ".making-"+writer)
	if err := os.RemoveAll(making); err != nil {
		return err
	}
	if err := m.write(f.Dir, filepath.Base(making)); err != nil {
		return errors.Join(err, os.RemoveAll(making))
	}
	if err := os.Rename(making, filepath.Join(f.Dir, writer)); err != nil {
		return err
	}
	return f.discard(m.files)
}

// write writes the minimum into a queue.
func (m *Minimum) write(root, writer string) error {
	q, err := corpus.OpenQueue(root, writer)
	if err != nil {
		return err
	}
	for _, data := range m.Inputs {
		if _, err := q.Add(data); err != nil {
			return err
		}
	}
	dead := make(map[string]bool)
	for _, file := range m.files {
		if file.Dead && !dead[file.Name] {
			dead[file.Name] = true
			if err := q.Bury(file.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

// unused is a name that no queue in the folder has, nor had: whoever reads it
// remembers how far.
func (f *Folder) unused(prefix string) (string, error) {
	writers, err := corpus.Writers(f.Dir)
	next := 0
	for _, w := range writers {
		number, ok := strings.CutPrefix(w, prefix)
		if n, err := strconv.Atoi(number); ok && err == nil {
			next = max(next, n+1)
		}
	}
	return prefix + strconv.Itoa(next), err
}

// discard removes the queues that have files of this program alone. Each
// disappears at once.
func (f *Folder) discard(files []corpus.File) error {
	foreign, ours := make(map[string]bool), make(map[string]bool)
	for _, file := range files {
		ours[file.Writer] = true
		if file.Name == "" {
			foreign[file.Writer] = true
		}
	}
	for writer := range ours {
		if foreign[writer] {
			continue
		}
		trash := filepath.Join(f.Dir, ".trash-"+writer)
		if err := os.RemoveAll(trash); err != nil {
			return err
		}
		if err := os.Rename(corpus.QueueDir(f.Dir, writer), trash); err != nil {
			return err
		}
		if err := os.RemoveAll(trash); err != nil {
			return err
		}
		os.Remove(filepath.Join(f.Dir, writer)) // it may hold more than the queue
	}
	return nil
}

// WriteTo writes the minimum as a new campaign folder.
func (m *Minimum) WriteTo(dir string, info Info) error {
	f, err := Open(dir, "", info)
	if err != nil {
		return err
	}
	there, err := corpus.AllFiles(f.Dir)
	if err == nil && len(there) > 0 {
		err = fmt.Errorf("%s: there is a corpus already (name a new folder)", dir)
	}
	if err == nil {
		err = m.write(f.Dir, f.writer(0))
	}
	if err == nil {
		err = f.describe()
	}
	return errors.Join(err, f.Close())
}

// Alone takes the locks of all campaigns in the folder, and answers what gives
// them back.
func (f *Folder) Alone() (release func() error, err error) {
	var others []*Folder
	release = func() (err error) {
		for _, o := range others {
			err = errors.Join(err, o.Close())
		}
		return err
	}
	entries, err := os.ReadDir(f.Dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		o := &Folder{Dir: f.Dir, name: e.Name()}
		if _, err := os.Stat(filepath.Join(o.home(), lockFile)); err != nil || o.name == f.name {
			continue
		}
		if err := o.take(); err != nil {
			return nil, errors.Join(err, release())
		}
		others = append(others, o)
	}
	return release, nil
}
