package campaign

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// A Status is what the folder of a campaign tells of it, whether it runs or
// has ended in whatever way. Failures are those of all campaigns in the folder.
type Status struct {
	Dir      string
	Name     string `json:",omitempty"` // of a campaign that shares the folder
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
	Events  uint64
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

// ReadStatus reads the status of each campaign that has worked in the folder
// dir, that without a name first. It disturbs nobody.
func ReadStatus(dir string) ([]*Status, error) {
	info, err := ReadInfo(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, NoFolder(dir)
	}
	if err != nil {
		return nil, err
	}
	failures, err := LoadFailures(dir)
	if err != nil {
		return nil, err
	}
	logs, err := filepath.Glob(filepath.Join(dir, "*", statsFile))
	if err != nil {
		return nil, err
	}
	homes := []string{dir}
	for _, log := range logs {
		homes = append(homes, filepath.Dir(log))
	}
	var all []*Status
	for i, home := range homes {
		s := &Status{Dir: dir, Target: info.Target, Package: info.Package, Failures: failures}
		if i > 0 {
			s.Name = filepath.Base(home)
		}
		if err := s.load(home); err != nil {
			return nil, err
		}
		if i > 0 || s.State() != "not begun" || len(homes) == 1 {
			all = append(all, s)
		}
	}
	return all, nil
}

// load reads what a campaign has left in home.
func (s *Status) load(home string) (err error) {
	if s.Running, err = held(filepath.Join(home, lockFile)); err != nil {
		return err
	}
	path := filepath.Join(home, statsFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if stat, err := os.Stat(path); err == nil {
		s.Updated = stat.ModTime()
	}
	s.read(text)
	return nil
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
			s.over()
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
	if s.Progress != nil && p.Elapsed < s.Progress.Elapsed {
		s.over() // the start of this one was cut short
	}
	s.Progress = p
}

// over adds the campaign that was read to those before.
func (s *Status) over() {
	if s.Progress != nil {
		s.Before.Elapsed += s.Progress.Elapsed
		s.Before.Runs += s.Progress.Runs
		s.Before.Events += s.Progress.Events
		s.Progress = nil
	}
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
