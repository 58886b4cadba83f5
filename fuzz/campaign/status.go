package campaign

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// A Status is what the folder of a campaign tells of it, whether it runs or
// has ended in whatever way.
type Status struct {
	Dir      string
	Target   string // FuzzXxx
	Package  string
	Running  bool
	Updated  time.Time  // when it last reported
	Start    *Start     `json:",omitempty"` // of the last campaign in the folder
	Before   Sum        // what earlier ones took
	Progress *Progress  `json:",omitempty"` // its last
	Ended    bool       // in order; neither Running nor Ended is a campaign that was killed
	Failures []*Failure `json:",omitempty"`
	Why      *Why       `json:",omitempty"`
}

// A Sum is what several campaigns took.
type Sum struct {
	Elapsed time.Duration
	Runs    uint64
}

// State says in a word what has become of the campaign.
func (s *Status) State() string {
	switch {
	case s.Running:
		return "running"
	case s.Ended:
		return "ended"
	case s.Progress == nil:
		return "not begun"
	}
	return "killed"
}

// ReadStatus reads the status of the campaign in dir. It takes no lock and
// disturbs nobody.
func ReadStatus(dir string) (*Status, error) {
	info, err := ReadInfo(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no campaign folder (ijongo fuzz makes one, .ijongo/FuzzXxx beside the package or what -dir names)", dir)
	}
	if err != nil {
		return nil, err
	}
	s := &Status{Dir: dir, Target: info.Target, Package: info.Package}
	if s.Running, err = held(filepath.Join(dir, lockFile)); err != nil {
		return nil, err
	}
	if s.Failures, err = LoadFailures(dir); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, statsFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	if stat, err := os.Stat(path); err == nil {
		s.Updated = stat.ModTime()
	}
	s.read(text)
	return s, nil
}

// read takes up stats.jsonl. A line that was cut short is left out.
func (s *Status) read(text []byte) {
	for _, row := range bytes.Split(text, []byte("\n")) {
		var l line
		if json.Unmarshal(row, &l) != nil {
			continue
		}
		switch {
		case l.Start != nil:
			s.Start, s.Ended = l.Start, false
		case l.Progress != nil:
			s.progress(l.Progress)
		case l.Why != nil:
			s.Why = l.Why
		}
		s.Ended = s.Ended || l.Type == "end"
	}
}

func (s *Status) progress(p *Progress) {
	if last := s.Progress; last != nil && p.Elapsed < last.Elapsed {
		s.Before.Elapsed += last.Elapsed
		s.Before.Runs += last.Runs
	}
	s.Progress = p
}

// held tells whether a process holds the lock of a campaign.
func held(path string) (bool, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close() // which gives the lock back
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return true, nil
	}
	return false, err
}
