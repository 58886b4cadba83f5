package trial

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/ijongo/ijongo/fuzz/campaign"
	"github.com/ijongo/ijongo/fuzz/wire"
	ijon "github.com/ijongo/ijongo/runtime"
)

// A Plan is one campaign to play.
type Plan struct {
	Measure string
	Arm     Arm
	Seed    uint64
	Budget  float64 // eq
	CPU     float64 // seconds, of an engine that is not ours
}

// Play plays a campaign of an arm on a target that was built for it.
func (s *Stand) Play(ctx context.Context, t campaign.Target, p Plan) (Cell, error) {
	t.Env = append(slices.Clone(t.Env), s.Env...)
	w := &watcher{cell: Cell{Measure: p.Measure, Subject: s.Name, Arm: p.Arm.Name, Seed: p.Seed, Budget: p.Budget}, best: map[int32]float64{}}
	if p.Measure == States {
		var err error
		if w.desc, err = campaign.Describe(ctx, t, campaign.DefaultTimeout); err != nil {
			return w.cell, err
		}
	}
	dir, err := os.MkdirTemp(s.dir, "campaign-")
	if err != nil {
		return w.cell, err
	}
	defer os.RemoveAll(dir)
	folder, err := campaign.Open(dir, "", campaign.Info{Target: t.Name, Dir: t.Dir})
	if err != nil {
		return w.cell, err
	}
	defer folder.Close()
	enough, stop := context.WithCancel(ctx)
	defer stop()
	w.stop = stop
	r, err := campaign.Run(enough, campaign.Config{
		Target: t, Folder: folder, Events: uint64(p.Budget * Eq), Seed: p.Seed, Workers: 1, Timeout: campaign.DefaultTimeout,
		Feedback: p.Arm.feedback, Goal: p.Arm.goal, Length: p.Arm.length, Unmuted: p.Arm.unmuted, NoSnapshots: p.Arm.noSnapshots,
		KeepGoing: p.Measure == States, Heard: w.heard, Failed: w.failed,
	})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return w.cell, err
	}
	w.cell.Runs = r.Runs
	w.end(p)
	return w.cell, s.Control.review(ctx, s, &w.cell, w.find)
}

// A watcher makes a cell out of what a campaign tells.
type watcher struct {
	cell Cell
	desc *wire.Description
	best map[int32]float64
	find find
	fail Cost // when the first failure came
	late Cost // the last thing that was heard
	stop func()
}

func (w *watcher) heard(m wire.Message) {
	at := Cost{float64(m.Spent.Events) / Eq, seconds(m.Spent.CPU)}
	if at.Eq >= w.late.Eq {
		w.late = at
	}
	switch {
	case m.Failure != nil && w.fail == Cost{}:
		w.fail = at
	case m.Covered != nil && w.desc != nil:
		for _, bin := range m.Covered.First {
			if name := binName(w.desc.Items, int(bin)); name != "" {
				w.cell.Hits = append(w.cell.Hits, Hit{name, at})
			}
		}
	case m.Stats != nil && w.desc != nil:
		w.cell.Values = max(w.cell.Values, m.Stats.Cells)
		w.improve(m.Stats.Best, at)
	}
}

// frozen are the groups of the harness: what they declare was there before any
// campaign was measured.
var frozen = map[string]bool{"cluster": true, "member": true}

// binName names a bin that is measured; it is empty for another one.
func binName(items []ijon.Item, bin int) string {
	for k := range items {
		i := &items[k]
		if bin < i.First || bin >= i.First+len(i.Bins) {
			continue
		}
		if b := i.Bins[bin-i.First]; frozen[i.Group] && b.Kind == ijon.Goal {
			return i.Kind + " " + i.Group + "." + i.Name + " " + b.Name
		}
	}
	return ""
}

// improve notes the values of max annotations that are better than before.
func (w *watcher) improve(values []wire.Best, at Cost) {
	for _, b := range values {
		if int(b.ID) >= len(w.desc.Annotations) || w.desc.Annotations[b.ID].Verb != string(ijon.VerbMax) {
			continue
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(b.Value), 64)
		if old, ok := w.best[b.ID]; err == nil && (!ok || v > old) {
			w.best[b.ID] = v
			w.cell.Best = append(w.cell.Best, Best{w.desc.Annotations[b.ID].Name, v, at})
		}
	}
}

// failed is told of a failure when it has been run again, alone.
func (w *watcher) failed(f *campaign.Failure) {
	if w.cell.Measure != Bugs {
		w.cell.Note = "it fails: " + f.Key // the module as it is should not
		return
	}
	w.stop()
	if f.Hits == 0 {
		w.cell.Note = "a failure that did not come again: " + f.Key
		return
	}
	w.cell.Found, w.cell.Key = true, f.Key
	w.find = find{f.Input, f.Oracle}
}

// end fills in what the campaign cost. A find behind the end of the budget, in
// the run that went over it, is none.
func (w *watcher) end(p Plan) {
	w.cell.Cost = w.late
	if w.cell.Found {
		w.cell.Cost = w.fail
	}
	if w.cell.Eq > p.Budget {
		w.cell.Eq = p.Budget
		w.cell.Found = false
	}
}
