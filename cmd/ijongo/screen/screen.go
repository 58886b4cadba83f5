package screen

import (
	"io"
	"os"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"

	"github.com/ijongo/ijongo/fuzz/campaign"
)

// A Screen shows a campaign while Run runs. What it is told before or after
// that is lost.
type Screen struct{ program *tea.Program }

// IsTerminal tells whether a Screen can be shown on f.
func IsTerminal(f *os.File) bool { return term.IsTerminal(f.Fd()) }

// New makes the screen of a campaign with a title and, below it, where and
// how it runs. A key that asks for the end calls stop.
func New(out io.Writer, title, place string, stop func()) *Screen {
	return &Screen{tea.NewProgram(newModel(title, place, stop), tea.WithOutput(out), tea.WithoutSignalHandler())}
}

// Run shows the screen until Close. An error is an impatient user, or a
// terminal that does not work.
func (s *Screen) Run() error {
	_, err := s.program.Run()
	return err
}

// Close ends Run and gives the terminal back.
func (s *Screen) Close() { s.program.Quit() }

// Progress, Failure and State show how it is getting on.
func (s *Screen) Progress(p campaign.Progress) { s.program.Send(p) }
func (s *Screen) Failure(f *campaign.Failure)  { s.program.Send(f) }
func (s *Screen) State(word string)            { s.program.Send(State(word)) }

// Write shows the last line of text at the foot.
func (s *Screen) Write(text []byte) (int, error) {
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	s.program.Send(Note(lines[len(lines)-1]))
	return len(text), nil
}
