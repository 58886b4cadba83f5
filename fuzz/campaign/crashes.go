package campaign

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/ijongo/ijongo/fuzz/corpus"
	"github.com/ijongo/ijongo/fuzz/wire"
)

// A dock takes in what instances of AFL++ in the folder say crashes, one after
// the other, so that each input is judged once.
type dock struct {
	folder *Folder
	next   map[string]int  // id, by instance
	judged map[string]bool // names of inputs, also by earlier campaigns
	file   *os.File        // of these names, one a line
}

func openDock(f *Folder) (*dock, error) {
	d := &dock{folder: f, next: make(map[string]int), judged: make(map[string]bool)}
	old, err := os.Open(f.judged())
	if err == nil {
		for lines := bufio.NewScanner(old); lines.Scan(); {
			d.judged[lines.Text()] = true
		}
		old.Close() // it was only read
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return d, nil
}

func (d *dock) close() error {
	if d.file == nil {
		return nil
	}
	return d.file.Close()
}

// call is an input that has not been judged; nil if there is none.
func (d *dock) call() (input []byte, err error) {
	writers, err := corpus.Writers(d.folder.Dir)
	if err != nil {
		return nil, err
	}
	for _, w := range writers {
		files, err := corpus.Crashes(d.folder.Dir, w)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			if f.ID < d.next[w] {
				continue
			}
			if !f.Complete() {
				break
			}
			d.next[w] = f.ID + 1
			if input, err := f.Read(); err == nil && !d.judged[corpus.Name(input)] {
				return input, nil
			}
		}
	}
	return nil, nil
}

// dismiss notes that an input has been judged.
func (d *dock) dismiss(input []byte) (err error) {
	name := corpus.Name(input)
	d.judged[name] = true
	if d.file == nil {
		if d.file, err = openLog(d.folder.judged()); err != nil {
			return err
		}
	}
	_, err = d.file.WriteString(name + "\n")
	return err
}

// invite queues an input that AFL says crashes, when nothing else is to be
// judged.
func (s *search) invite() error {
	if s.busy || len(s.queue) > 0 || s.tally.alive == 0 {
		return nil
	}
	input, err := s.dock.call()
	if input != nil {
		o := wire.Outcome{Fault: wire.Crash, Key: "a crash of AFL", Input: input}
		s.queue = append(s.queue, suspect{Outcome: o, died: true, foreign: true})
	}
	return err
}

// harmless says that an input which another engine accuses does nothing.
func harmless(input []byte) string {
	return fmt.Sprintf("AFL says that the input %s crashes, but it does no harm here", corpus.Name(input))
}
