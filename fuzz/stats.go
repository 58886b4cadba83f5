package fuzz

import (
	"syscall"
	"time"

	"github.com/ijongo/ijongo/fuzz/wire"
	ijon "github.com/ijongo/ijongo/runtime"
)

const (
	reportEvery = 100 * time.Millisecond
	whyEvery    = 2 * time.Second
	importEvery = time.Second // and up to ten times that, while nothing comes
	fetchShare  = 50
	clockMin    = 5 * time.Millisecond
	clockMax    = 20 * time.Millisecond
)

// stats are the counts of a search and the times of its reports. Time decides
// when to report and when to read the finds of other workers, nothing else.
type stats struct {
	execs, events   uint64
	checked, equal  uint64
	every, until    int // runs between two looks at the clock, and until the next
	looked          time.Time
	reported, asked time.Time
	explained       time.Time
	patience        time.Duration
	memory          gauge
}

// tick reports now and then.
func (s *search) tick() {
	st := &s.stats
	if st.until--; st.until > 0 {
		return
	}
	now := time.Now()
	switch passed := now.Sub(st.looked); {
	case passed < clockMin && st.every < 1<<16:
		st.every = 2*st.every + 1
	case passed > clockMax:
		st.every /= 2
	}
	st.looked, st.until = now, st.every
	s.leaves = s.notes.run >= leakRuns && st.memory.full()
	if now.Sub(st.reported) >= reportEvery {
		st.reported = now
		report := s.report()
		if now.Sub(st.explained) >= whyEvery {
			st.explained = now
			report.Why = s.notes.why()
		}
		s.link.send(&wire.Message{Stats: report, Spent: st.spent()})
	}
	if s.pool.queue != nil && len(s.queue) == 0 {
		s.fetch(now)
	}
}

// spent is what the search has cost until now.
func (st *stats) spent() *wire.Spent {
	spent := &wire.Spent{Events: st.events}
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) == nil { // it fails for other arguments only
		spent.CPU = time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return spent
}

// fetch lists the finds of other workers. While nothing comes it does so less
// often, and never so often that it takes more than one part in fetchShare of
// the time.
func (s *search) fetch(now time.Time) {
	st := &s.stats
	if now.Sub(st.asked) < st.patience {
		return
	}
	st.asked = now
	files, err := s.pool.fresh()
	if err != nil {
		s.failed, s.ended = err, true
		return
	}
	s.queue = files
	if st.patience *= 2; len(files) > 0 || st.patience < importEvery {
		st.patience = importEvery
	} else if st.patience > 10*importEvery {
		st.patience = 10 * importEvery
	}
	if least := fetchShare * time.Since(now); st.patience < least {
		st.patience = least
	}
}

// finish sends the last report, and before it a failure that nobody waits to
// see a second time.
func (s *search) finish() {
	if s.phase == confirming {
		s.link.send(s.suspect.message())
	}
	report := s.report()
	report.Done, report.Why = !s.leaves, s.notes.why()
	if s.leaves {
		report.Held = s.stats.memory.held()
	}
	s.link.send(&wire.Message{Stats: report, Spent: s.stats.spent()})
}

func (s *search) report() *wire.Stats {
	report := &wire.Stats{
		Execs:    s.stats.execs,
		Events:   s.stats.events,
		Corpus:   len(s.pool.all),
		Edges:    s.seen.edgesHit,
		Cells:    s.seen.cellsHit,
		Pairs:    len(s.seen.archive.cells),
		Length:   s.sizes[s.lengths.top()],
		Checked:  s.stats.checked,
		Equal:    s.stats.equal,
		Wobbling: s.notes.wobbling(),
		Muted:    s.notes.mutedNames(),
		Skipped:  s.notes.skipped(),
		Crowded:  ijon.Crowded(nil),
		Mutators: s.maker.Mixture(),
	}
	if ijon.CtxAmbiguous() {
		report.Wobbling = append(report.Wobbling, "ctx, which several goroutines use at once")
	}
	for _, b := range s.seen.slots {
		if b.by == 0 {
			value := s.notes.annotations[b.id].Format(b.value)
			report.Best = append(report.Best, wire.Best{ID: int32(b.id), Value: value})
		}
	}
	for c, n := range s.seen.finds {
		if s.guides[c] {
			report.Channels = append(report.Channels, wire.Channel{Name: channel(c).String(), Finds: uint64(n)})
		}
	}
	for i, p := range s.arms.parts {
		report.Arms = append(report.Arms, wire.Arm{Name: p.name, Share: s.arms.share(i), Execs: p.execs, Finds: p.finds})
	}
	return report
}
