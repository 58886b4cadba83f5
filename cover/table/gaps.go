package table

import (
	"fmt"
	"io"

	"github.com/ijongo/ijongo/cover"
)

// Gaps are the settings of a list of holes.
type Gaps struct {
	Most  int                       // holes of an item that are shown; 0 is all
	Again func(first string) string // the command that runs again what hit a bin first; empty if there is none
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
			g.row(fmt.Sprintf("  … and %d more (-all shows them)", len(holes)-k))
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
	if command := o.again(b); command != "" {
		text += ": " + command
	}
	return text
}

func (o *Gaps) again(b *cover.Bin) string {
	if o.Again == nil || b.First == "" {
		return ""
	}
	return o.Again(b.First)
}

// A Gap is a hole as a program reads it.
type Gap struct {
	Package, Kind, Title, Key, Pos string

	Name    string
	Bins    []string
	Nearest string `json:",omitempty"` // the bin to start from
	First   string `json:",omitempty"` // the input or test that hit that first
	Again   string `json:",omitempty"` // the command that runs it again
}

// List is the holes of the profile.
func (o *Gaps) List(p *cover.Profile) []Gap {
	list := []Gap{}
	for _, i := range p.Items {
		for _, h := range i.Holes() {
			g := Gap{Package: i.Package, Kind: i.Kind, Title: i.Title(), Key: i.Key, Pos: i.Pos, Name: h.Name}
			for _, k := range h.Bins {
				g.Bins = append(g.Bins, i.Bins[k].Name)
			}
			if b := i.Nearest(h.Bins[0]); b != nil {
				g.Nearest, g.First, g.Again = b.Name, b.First, o.again(b)
			}
			list = append(list, g)
		}
	}
	return list
}
