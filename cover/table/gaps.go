package table

import (
	"fmt"
	"io"

	"github.com/ijongo/ijongo/cover"
)

// Gaps are the settings of a list of holes.
type Gaps struct {
	Most   int                                      // holes of an item that are shown; 0 is all
	Replay func(i *cover.Item, b *cover.Bin) string // the command that shows how b was hit first; empty if there is none
}

// Write prints the holes of the profile, item by item. Each is shown with the
// bin that is nearest to it of those that were hit, and how that was.
func (o *Gaps) Write(w io.Writer, p *cover.Profile) error {
	found := false
	for _, i := range p.Items {
		holes := i.Holes()
		if len(holes) == 0 {
			continue
		}
		if found {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		found = true
		if err := o.item(w, i, holes); err != nil {
			return err
		}
	}
	if !found {
		_, err := io.WriteString(w, "no holes\n")
		return err
	}
	return nil
}

func (o *Gaps) item(w io.Writer, i *cover.Item, holes []cover.Hole) error {
	g := grid{}
	g.row(heading(i))
	for k, h := range holes {
		if k == o.Most && o.Most > 0 {
			g.row(fmt.Sprintf("  … and %s more (-all shows them)", plural(len(holes)-k, "hole")))
			break
		}
		g.row("  "+hole(i, &h), o.start(i, &h))
	}
	return g.write(w)
}

func heading(i *cover.Item) string {
	s := cover.ScoreOf([]*cover.Item{i})
	text := fmt.Sprintf("%s %s %s: %d of %s cold", PackageName(i.Package), i.Kind, i.Title(), s.Holes(), plural(s.Goals, "bin"))
	if i.Pos != "" {
		text = i.Pos + ": " + text
	}
	if least := i.Least(); least > 1 {
		text += fmt.Sprintf(", which take %d hits each", least)
	}
	if i.Vacuous() {
		text += ", " + neverDone(i)
	}
	if i.Rare {
		text += ", rare"
	}
	return text
}

func hole(i *cover.Item, h *cover.Hole) string {
	if len(h.Bins) > 1 {
		return fmt.Sprintf("%s (%d)", h.Name, len(h.Bins))
	}
	b := &i.Bins[h.Bins[0]]
	text := h.Name
	if b.Hits > 0 {
		text += fmt.Sprintf(" (%s)", plural(b.Hits, "hit"))
	}
	if b.Only != "" {
		text += " (only in " + b.Only + ")"
	}
	return text
}

// start is where to start from to get into the hole: the nearest bin that was
// hit, and how to see how.
func (o *Gaps) start(i *cover.Item, h *cover.Hole) string {
	b := i.Nearest(h.Bins[0])
	if b == nil {
		return ""
	}
	text := "from " + b.Name
	if b == &i.Bins[h.Bins[0]] {
		text = "once more"
	}
	if o.Replay != nil && b.First != "" {
		if command := o.Replay(i, b); command != "" {
			text += ": " + command
		}
	}
	return text
}
