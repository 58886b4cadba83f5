package campaign

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ijongo/ijongo/fuzz/corpus"
	"github.com/ijongo/ijongo/fuzz/wire"
)

// A dock takes in the inputs that are to be judged besides those of the search,
// one after the other: what an earlier campaign has set aside, and what
// instances of AFL++ in the folder say crashes. Each is judged once.
type dock struct {
	folder *Folder
	aside  []string        // names in suspects/ when the campaign began
	next   map[string]int  // id of a crash, by instance
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
	suspects, err := os.ReadDir(f.suspects())
	for _, e := range suspects {
		if corpus.IsName(e.Name()) {
			d.aside = append(d.aside, e.Name())
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return d, err
}

func (d *dock) close() error {
	if d.file == nil {
		return nil
	}
	return d.file.Close()
}

// call is an input that has not been judged, and why it is; nil if there is
// none.
func (d *dock) call() (input []byte, why string, err error) {
	for len(d.aside) > 0 {
		name := d.aside[0]
		d.aside = d.aside[1:]
		input, err := os.ReadFile(filepath.Join(d.folder.suspects(), name))
		switch {
		case err != nil: // it has been cleared
		case !d.judged[name]:
			return input, "an earlier campaign has set it aside", nil
		default: // it did no harm then, so that its place is in the corpus, if it had one
			if err := d.folder.restore(input); err != nil {
				return nil, "", err
			}
		}
	}
	input, err = d.crash()
	return input, "AFL says that it crashes", err
}

func (d *dock) crash() (input []byte, err error) {
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

// invite queues an input of the dock, when nothing else is to be judged.
func (s *search) invite() error {
	if s.busy || len(s.queue) > 0 || s.tally.alive == 0 {
		return nil
	}
	input, why, err := s.dock.call()
	if input != nil {
		o := wire.Outcome{Fault: wire.Crash, Key: why, Input: input}
		s.queue = append(s.queue, suspect{Outcome: o, died: true, invited: true})
	}
	return err
}

// fewHarmless is how many inputs that do no harm are named in the news.
const fewHarmless = 5

// tellHarmless passes on the first notes about inputs that do no harm: an
// instance of AFL++ with another target may accuse thousands.
func (s *search) tellHarmless(note string) {
	switch s.harmless++; {
	case s.harmless <= fewHarmless:
		s.Logf("%s", note)
	case s.harmless == fewHarmless+1:
		s.Logf("more such inputs do no harm; they are not named")
	}
}

// discharge is what comes of an invited input when it has been judged: one
// that does no harm takes its place in the corpus again.
func (s *search) discharge(v verdict) error {
	if v.failure == nil {
		if err := s.Folder.restore(v.suspect.Input); err != nil {
			return err
		}
	}
	return s.dock.dismiss(v.suspect.Input)
}

// harmless says that an input does nothing of what it is accused of.
func harmless(s suspect) string {
	return fmt.Sprintf("the input %s does no harm (%s)", corpus.Name(s.Input), s.Key)
}
