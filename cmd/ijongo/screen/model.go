package screen

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/ijongo/ijongo/fuzz/campaign"
)

// A Note is a line of news.
type Note string

// A State is a word for what the campaign does, such as "running".
type State string

// A sample is what was covered at some time.
type sample struct {
	elapsed            time.Duration
	bins, cells, edges int
	rate               uint64
}

// samples is how many samples are kept; of more, every other one goes.
const samples = 512

// A model is all that is on the screen.
type model struct {
	title, place  string
	width, height int
	stop          func() // asks for an orderly end
	stopping      bool
	state         State

	now      campaign.Progress
	past     []sample
	every    int // reports for one sample
	skipped  int
	failures []*campaign.Failure
	note     Note
}

func newModel(title, place string, stop func()) *model {
	return &model{title: title, place: place, stop: stop, width: 80, height: 24, every: 1, state: "running"}
}

func (m *model) Init() tea.Cmd { return nil }

func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.KeyPressMsg:
		return m, m.key(msg.String())
	case campaign.Progress:
		m.progress(msg)
	case *campaign.Failure:
		m.failure(msg)
	case State:
		m.state = msg
	case Note:
		m.note = msg
	}
	return m, nil
}

// key stops the campaign; pressed a second time it does not wait for that.
func (m *model) key(name string) tea.Cmd {
	if name != "q" && name != "ctrl+c" {
		return nil
	}
	if m.stopping {
		return tea.Interrupt
	}
	m.stopping, m.state = true, "stopping"
	m.stop()
	return nil
}

func (m *model) progress(p campaign.Progress) {
	m.now = p
	if m.skipped++; m.skipped < m.every {
		return
	}
	m.skipped = 0
	m.past = append(m.past, sample{p.Elapsed, p.Bins, p.Cells + p.Pairs, p.Edges, p.PerSec})
	if len(m.past) < samples {
		return
	}
	m.every *= 2
	for k := range samples / 2 {
		m.past[k] = m.past[2*k+1]
	}
	m.past = m.past[:samples/2]
}

// failure adds a failure, or replaces it by its minimised form.
func (m *model) failure(f *campaign.Failure) {
	for i, old := range m.failures {
		if old.Key == f.Key {
			m.failures[i] = f
			return
		}
	}
	m.failures = append(m.failures, f)
}
