package campaign

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/ijongo/ijongo/fuzz/corpus"
)

// writer is the name of the queue of a worker.
func (f *Folder) writer(worker int) string { return f.prefix("w") + strconv.Itoa(worker) }

// instance is the name of a worker that is an instance of AFL++.
func (f *Folder) instance(worker int) string { return f.prefix("afl") + strconv.Itoa(worker) }

func (f *Folder) prefix(kind string) string {
	if f.name == "" {
		return kind
	}
	return f.name + "-" + kind
}

// owns tells whether a queue is that of one of this campaign's workers, now or
// earlier.
func (f *Folder) owns(writer string) bool { return numbered(writer, f.prefix("w")) }

// instanceName is what the instances of campaigns are called.
var instanceName = regexp.MustCompile(`(^|-)afl[0-9]+$`)

// ownsInstance tells whether an instance of AFL++ is, or was, this campaign's.
func (f *Folder) ownsInstance(writer string) bool { return numbered(writer, f.prefix("afl")) }

func numbered(name, prefix string) bool {
	number, ok := strings.CutPrefix(name, prefix)
	_, err := strconv.ParseUint(number, 10, 31)
	return ok && err == nil
}

// ownFiles are those of the queues of this campaign.
func (f *Folder) ownFiles() (files []corpus.File, err error) {
	writers, err := corpus.Writers(f.Dir)
	if err != nil {
		return nil, err
	}
	for _, w := range writers {
		if !f.owns(w) {
			continue
		}
		more, err := corpus.Files(f.Dir, w)
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	return files, nil
}

func (f *Folder) sweepQueues() error {
	writers, err := corpus.Writers(f.Dir)
	if err != nil {
		return err
	}
	for _, w := range writers {
		if !f.owns(w) {
			continue
		}
		if err := corpus.Sweep(corpus.QueueDir(f.Dir, w), 0); err != nil {
			return err
		}
	}
	return nil
}

// An intake puts inputs into the queue of the first worker before that begins.
type intake struct {
	queue *corpus.Queue
	there map[string]bool        // names of entries in any queue
	dead  map[string]corpus.File // of this campaign, which are not to be run
}

func (f *Folder) intake() (*intake, error) {
	all, err := corpus.AllFiles(f.Dir)
	if err != nil {
		return nil, err
	}
	own, err := f.ownFiles()
	if err != nil {
		return nil, err
	}
	in := &intake{there: make(map[string]bool), dead: make(map[string]corpus.File)}
	for _, file := range all {
		in.there[file.Name] = true
	}
	for _, file := range own {
		if file.Dead {
			in.dead[file.Name] = file
		}
	}
	in.queue, err = corpus.OpenQueue(f.Dir, f.writer(0))
	return in, err
}

// add adds an input that is in no queue.
func (in *intake) add(data []byte) error {
	name := corpus.Name(data)
	if in.there[name] {
		return nil
	}
	in.there[name] = true
	_, err := in.queue.Add(data)
	return err
}

// insist adds an input also if it has ended a process.
func (in *intake) insist(data []byte) error {
	if file, ok := in.dead[corpus.Name(data)]; ok {
		return file.Revive(data)
	}
	return in.add(data)
}

// takeIn adds what lies in corpus/: files of the user, and the entries of a
// folder in which that was the only queue. Those are removed once they are in
// another, so that a kill at any moment loses none. What is damaged stays.
func (f *Folder) takeIn(in *intake) (bad []*corpus.BadEntry, err error) {
	entries, bad, err := corpus.Load(f.inbox())
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if err := in.add(e.Data); err != nil {
			return nil, err
		}
		if !corpus.IsName(e.Name) {
			continue
		}
		if err := remove(filepath.Join(f.inbox(), e.Name)); err != nil {
			return nil, err
		}
	}
	return bad, nil
}

// inspect counts the entries that the queues hold, and reads them to see which
// are damaged.
func (f *Folder) inspect() (n int, bad []*corpus.BadEntry, err error) {
	all, err := corpus.AllFiles(f.Dir)
	if err != nil {
		return 0, nil, err
	}
	for _, file := range corpus.Live(all) {
		_, err := file.Read()
		if b := (*corpus.BadEntry)(nil); errors.As(err, &b) {
			bad = append(bad, b)
		} else if err == nil {
			n++
		}
	}
	return n, bad, nil
}

// setAside sees that no process is given an input again that has ended that of
// a worker. The input is in suspects/ until it has been recorded as a failure,
// or for good if it did no harm alone.
func (f *Folder) setAside(worker int, input []byte) error {
	if err := f.keepSuspect(input); err != nil {
		return err
	}
	if err := f.dropFromInbox(input); err != nil {
		return err
	}
	all, err := corpus.AllFiles(f.Dir)
	if err != nil {
		return err
	}
	elsewhere := false
	for _, file := range all {
		switch {
		case !file.Holds(input):
		case f.owns(file.Writer):
			if err := file.Bury(); err != nil {
				return err
			}
		default:
			elsewhere = true
		}
	}
	if !elsewhere {
		return nil
	}
	queue, err := corpus.OpenQueue(f.Dir, f.writer(worker))
	if err != nil {
		return err
	}
	return queue.Bury(corpus.Name(input))
}

// keepSuspect puts an input into suspects/.
func (f *Folder) keepSuspect(input []byte) error {
	if err := os.MkdirAll(f.suspects(), 0o755); err != nil {
		return err
	}
	_, _, err := corpus.Add(f.suspects(), input)
	return err
}

// buried are the files of this campaign's queues that have given up an input.
func (f *Folder) buried(input []byte) (files []corpus.File, err error) {
	own, err := f.ownFiles()
	name := corpus.Name(input)
	for _, file := range own {
		if file.Dead && file.Name == name {
			files = append(files, file)
		}
	}
	return files, err
}

// restore gives an input back its place in the corpus, if it had one.
func (f *Folder) restore(input []byte) error {
	files, err := f.buried(input)
	for _, file := range files {
		err = errors.Join(err, file.Revive(input))
	}
	if err != nil || len(files) == 0 {
		return err
	}
	return f.cleared(input)
}

func (f *Folder) dropFromInbox(input []byte) error {
	entries, _, err := corpus.Load(f.inbox())
	if err != nil {
		return err
	}
	for _, e := range entries {
		if bytes.Equal(e.Data, input) {
			if err := remove(filepath.Join(f.inbox(), e.Name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// remove removes a file that may be gone already.
func remove(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
