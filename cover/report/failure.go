package report

import "strings"

// A failure is a failure, ready to be shown.
type failure struct {
	Failure
	Events []event
}

// An event is a line of a timeline.
type event struct {
	Text  string
	Class string // "event" begins one, "ijon" is an annotation, "violated" the end; else empty
}

// eventsOf tells the lines of a timeline apart by how they begin.
func eventsOf(timeline []string) []event {
	events := make([]event, len(timeline))
	for k, line := range timeline {
		events[k] = event{Text: line}
		word, _, _ := strings.Cut(strings.TrimLeft(line, " "), " ")
		switch {
		case word == "ijon":
			events[k].Class = "ijon"
		case word == "violated:":
			events[k].Class = "violated"
		case word != "" && strings.Trim(word, "0123456789") == "":
			events[k].Class = "event"
		}
	}
	return events
}
