package screen

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/ijongo/ijongo/fuzz/campaign"
	"github.com/ijongo/ijongo/fuzz/wire"
)

var (
	bold = lipgloss.NewStyle().Bold(true)
	dim  = lipgloss.NewStyle().Faint(true)
	good = lipgloss.NewStyle().Foreground(lipgloss.Color("2"))
	bad  = lipgloss.NewStyle().Foreground(lipgloss.Color("1")).Bold(true)
)

// A block is a titled part of the screen. Of one that is elastic as many rows
// are shown as there is room for.
type block struct {
	title   string
	rows    []string
	elastic bool
}

// wide is the width from which on there are two columns.
const wide = 100

func (m *model) View() tea.View {
	v := tea.NewView(m.draw())
	v.AltScreen = true
	v.WindowTitle = "ijongo " + m.title
	return v
}

// draw fills the screen: a head, blocks in one or two columns, a foot.
func (m *model) draw() string {
	room := max(m.height-3, 0)
	left := []block{m.runs(), m.coverage(), m.failed(), m.arms()}
	right := []block{m.holes(), m.best(), m.finds()}
	var body []string
	if m.width >= wide {
		half := m.width/2 - 1
		a, b := m.column(left, half, room), m.column(right, m.width-half-2, room)
		body = beside(a, b, half)
	} else {
		body = m.column(append(left, right...), m.width, room)
	}
	for len(body) < room {
		body = append(body, "")
	}
	lines := append(m.head(), body[:room]...)
	lines = append(lines, m.foot())
	for i := range lines {
		lines[i] = ansi.Truncate(lines[i], m.width, "…")
	}
	return strings.Join(lines, "\n")
}

func (m *model) head() []string {
	state := string(m.state)
	if m.state == "stopping" {
		state = "stopping, q ends at once"
	}
	first := bold.Render("ijongo "+m.title) + "  " + state + " " + clock(m.now.Elapsed)
	return []string{first, dim.Render(m.place)}
}

func (m *model) foot() string {
	if m.note != "" {
		return dim.Render("q stops  ") + string(m.note)
	}
	return dim.Render("q stops")
}

// column lays out blocks below each other. What is left over when all have
// what they need at least is shared among the elastic ones.
func (m *model) column(blocks []block, width, room int) (lines []string) {
	left, elastic := room, 0
	for _, b := range blocks {
		if b.elastic {
			elastic++
			left -= 1 + min(1, len(b.rows))
		} else {
			left -= 1 + len(b.rows)
		}
	}
	for _, b := range blocks {
		rows := b.rows
		if b.elastic {
			extra := max(left, 0) / elastic
			n := min(len(rows), 1+extra)
			rows = rows[:n]
			left -= max(n-1, 0)
			elastic--
		}
		rule := strings.Repeat("─", max(width-len([]rune(b.title))-3, 0))
		lines = append(lines, dim.Render("─ ")+bold.Render(b.title)+dim.Render(" "+rule))
		lines = append(lines, rows...)
	}
	for i := range lines {
		lines[i] = ansi.Truncate(lines[i], width, "…")
	}
	return lines
}

// beside puts two columns side by side, the first of the given width.
func beside(a, b []string, width int) (lines []string) {
	for i := range max(len(a), len(b)) {
		var l, r string
		if i < len(a) {
			l = a[i]
		}
		if i < len(b) {
			r = b[i]
		}
		lines = append(lines, l+strings.Repeat(" ", max(width-ansi.StringWidth(l), 0)+2)+r)
	}
	return lines
}

func row(name, format string, args ...any) string {
	return fmt.Sprintf(" %-11s ", name) + fmt.Sprintf(format, args...)
}

// sparkWidth is the width of the plots.
const sparkWidth = 24

func (m *model) plot(of func(sample) float64) string {
	values := make([]float64, len(m.past))
	for i, s := range m.past {
		values[i] = of(s)
	}
	return good.Render(spark(values, sparkWidth))
}

func (m *model) runs() block {
	p := &m.now
	rows := []string{
		row("runs", "%-10s %6s/s %s", number(p.Runs), number(p.PerSec), m.plot(func(s sample) float64 { return float64(s.rate) })),
		row("events", "%-10s workers %d", number(p.Events), p.Workers),
		row("corpus", "%-10s last find %s ago", number(uint64(p.Corpus)), clock(p.Elapsed-p.LastFind)),
	}
	if p.AFL != nil {
		return block{title: "runs", rows: append(rows, instances(p.AFL)...)}
	}
	rows = append(rows, row("second runs", "%.1f %% the same", 100*p.Steady()))
	if len(p.Wobbling) > 0 {
		rows = append(rows, row("wobbling", "%s", strings.Join(p.Wobbling, ", ")))
	}
	if len(p.Muted) > 0 {
		rows = append(rows, row("muted", "%s", strings.Join(p.Muted, ", ")))
	}
	return block{title: "runs", rows: rows}
}

// instances is what afl-fuzz says.
func instances(a *campaign.Instances) []string {
	stability := "not known yet"
	if a.Stability > 0 {
		stability = fmt.Sprintf("%.2f %%", 100*a.Stability)
	}
	return []string{
		row("stability", "%-13s cycle %d", stability, a.Cycles+1),
		row("afl-fuzz", "%d crashes, %d hangs, %d imported", a.Crashes, a.Hangs, a.Imported),
	}
}

func (m *model) coverage() block {
	p := &m.now
	var rows []string
	if p.Goals > 0 {
		rows = append(rows, row("bins", "%-18s %s", fmt.Sprintf("%d of %d", p.Bins, p.Goals), m.plot(func(s sample) float64 { return float64(s.bins) })))
	}
	if p.AFL != nil { // it has one map
		return block{title: "coverage", rows: append(rows, row("edges", "%-18d %s", p.Edges, m.plot(func(s sample) float64 { return float64(s.edges) })))}
	}
	return block{title: "coverage", rows: append(rows,
		row("cells", "%-18d %s", p.Cells+p.Pairs, m.plot(func(s sample) float64 { return float64(s.cells) })),
		row("edges", "%-18d %s", p.Edges, m.plot(func(s sample) float64 { return float64(s.edges) })),
	)}
}

func (m *model) arms() block {
	b := block{title: "arms and channels", elastic: true}
	for _, a := range m.now.Arms {
		b.rows = append(b.rows, row(a.Name, "%s %3.0f %%  %d finds", bar(a.Share, 12), 100*a.Share, a.Finds))
	}
	if len(m.now.Channels) > 0 {
		b.rows = append(b.rows, row("new in", "%s", channels(m.now.Channels)))
	}
	return b
}

func channels(list []wire.Channel) string {
	text := make([]string, len(list))
	for i, c := range list {
		text[i] = fmt.Sprintf("%s %d", c.Name, c.Finds)
	}
	return strings.Join(text, ", ")
}

func (m *model) holes() block {
	b := block{title: "holes", elastic: true}
	for _, g := range m.now.Groups {
		name := g.Name
		if name == "" {
			name = "properties"
		}
		share := float64(g.Covered) / float64(max(g.Goals, 1))
		b.rows = append(b.rows, row(name, "%s %5d of %d", bar(share, 12), g.Goals-g.Covered, g.Goals))
	}
	return b
}

func (m *model) best() block {
	b := block{title: "best values", elastic: true}
	for _, v := range m.now.Best {
		b.rows = append(b.rows, fmt.Sprintf(" %-28s %s", v.Verb+" "+v.Name, v.Value))
	}
	return b
}

func (m *model) finds() block {
	b := block{title: "last finds", elastic: true}
	for i := len(m.now.Finds) - 1; i >= 0; i-- {
		f := m.now.Finds[i]
		why := f.Why
		if len(f.For) > 0 {
			why = strings.Join(f.For, ", ")
		}
		b.rows = append(b.rows, row(clock(f.When), "%s", why))
	}
	return b
}

func (m *model) failed() block {
	b := block{title: fmt.Sprintf("failures: %d", len(m.failures)), elastic: true}
	for i := len(m.failures) - 1; i >= 0; i-- {
		b.rows = append(b.rows, " "+bad.Render(m.failures[i].Key)+" "+detail(m.failures[i]))
	}
	return b
}

func detail(f *campaign.Failure) string {
	text := fmt.Sprintf("%d %s", f.Size, f.Unit())
	if f.Flaky() {
		text += ", in " + f.Rate() + " runs"
	}
	return dim.Render(text)
}

// clock is a time to the second.
func clock(d time.Duration) string { return max(d, 0).Truncate(time.Second).String() }

// number is n with a unit if it is long.
func number(n uint64) string {
	switch {
	case n >= 1_000_000_000:
		return fmt.Sprintf("%.2fG", float64(n)/1e9)
	case n >= 1_000_000:
		return fmt.Sprintf("%.2fM", float64(n)/1e6)
	case n >= 100_000:
		return fmt.Sprintf("%.0fk", float64(n)/1e3)
	}
	return fmt.Sprint(n)
}
