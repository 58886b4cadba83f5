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
// one after the other: what an earlier campaign has set aside, what instances
// of AFL++ in the folder say crashes, and what those that a campaign has started
// say hangs. Each is judged once.
type dock struct {
	folder *Folder
	final  bool            // no instance of this campaign writes any more
	aside  []string        // names in suspects/ when the campaign began
	seen   sightings       // of files that have been read
	judged map[string]bool // names of inputs, also by earlier campaigns
	file   *os.File        // of these names, one a line
}

func openDock(f *Folder) (*dock, error) {
	d := &dock{folder: f, seen: make(sightings), judged: make(map[string]bool)}
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
func (d *dock) call() (*suspect, error) {
	for len(d.aside) > 0 {
		name := d.aside[0]
		d.aside = d.aside[1:]
		input, err := os.ReadFile(filepath.Join(d.folder.suspects(), name))
		switch {
		case err != nil: // it has been cleared
		case !d.judged[name]:
			return invited(input, wire.Crash, "an earlier campaign has set it aside"), nil
		default: // it did no harm then, so that its place is in the corpus, if it had one
			if err := d.folder.restore(input); err != nil {
				return nil, err
			}
		}
	}
	writers, err := corpus.Writers(d.folder.Dir)
	if err != nil {
		return nil, err
	}
	for _, w := range writers {
		s, err := d.saved(corpus.Crashes, w, wire.Crash, "AFL says that it crashes")
		if s == nil && err == nil && instanceName.MatchString(w) { // those of others may have another timeout
			s, err = d.saved(corpus.Hangs, w, wire.Hang, "AFL says that it hangs")
		}
		if s != nil {
			s.keep = d.folder.ownsInstance(w)
		}
		if s != nil || err != nil {
			return s, err
		}
	}
	return nil, nil
}

// saved is an input that an instance has saved and that has not been judged.
func (d *dock) saved(list func(root, writer string) ([]corpus.File, error), writer string, fault wire.Fault, why string) (*suspect, error) {
	files, err := list(d.folder.Dir, writer)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if !d.seen.take(f, d.final) {
			continue
		}
		if input, err := f.Read(); err == nil && !d.judged[corpus.Name(input)] {
			return invited(input, fault, why), nil
		}
	}
	return nil, nil
}

// sightings are the paths of files that AFL++ has written and that have been read.
type sightings map[string]bool

// take tells once that a file is there, when it is complete. It is if nobody
// writes any more.
func (s sightings) take(f corpus.File, final bool) bool {
	if s[f.Path] || !final && !f.Complete() {
		return false
	}
	s[f.Path] = true
	return true
}

func invited(input []byte, fault wire.Fault, why string) *suspect {
	return &suspect{Outcome: wire.Outcome{Fault: fault, Key: why, Input: input}, died: true, invited: true}
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

// invite queues an input of the dock, when nothing else is to be judged. What
// instances of this campaign have saved is judged to the last when they have
// ended, unless the campaign is to.
func (s *search) invite() error {
	s.dock.final = s.tally.alive == 0
	over := s.gone || s.err != nil || len(s.found) > 0 && !s.KeepGoing || s.tally.alive == 0 && s.AFL == nil
	if s.busy || len(s.queue) > 0 || over {
		return nil
	}
	c, err := s.dock.call()
	if c != nil {
		s.queue = append(s.queue, *c)
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

// harmless says that an input does nothing of what it is accused of in so many
// runs. If one of this campaign accuses it, it is kept.
func (t *triage) harmless(s suspect, runs int) (string, error) {
	name := corpus.Name(s.Input)
	if !s.keep {
		return fmt.Sprintf("the input %s does no harm (%s)", name, s.Key), nil
	}
	if err := t.Folder.keepSuspect(s.Input); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s, and it does not in %s alone; no failure, the input is %s", s.Key, count(uint64(runs), "run"), filepath.Join(t.Folder.suspects(), name)), nil
}
