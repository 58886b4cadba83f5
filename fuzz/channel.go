package fuzz

import (
	"fmt"
	"math/bits"
	"strings"
)

// A channel is one kind of feedback, with its own map and its own novelty.
type channel int

const (
	edges channel = iota
	set
	slots
	bins
	cells
	numChannels
)

var channelNames = [numChannels]string{"edges", "set", "max", "bins", "archive"}

func (c channel) String() string { return channelNames[c] }

// A choice of channels.
type channels [numChannels]bool

// allPairs is the word for the channel archive with pairs of held values among
// its cells also where the program declares bins.
const allPairs = "pairs"

// parseChannels reads the channels that guide a search.
func parseChannels(names []string) (c channels, pairs bool, err error) {
	for _, name := range names {
		known := name == allPairs
		if known {
			c[cells], pairs = true, true
		}
		for i, n := range channelNames {
			if n == name {
				c[i], known = true, true
			}
		}
		if !known {
			return c, pairs, fmt.Errorf("unknown feedback channel %q (want %s)", name, strings.Join(channelNames[:], ", ")+" or "+allPairs)
		}
	}
	return c, pairs, nil
}

func (c channels) any() bool { return c != channels{} }

// News is what a run brought that was new, by channel: the number of elements.
type news [numChannels]int

// of leaves the channels in c.
func (n news) of(c channels) (rest news) {
	for i := range n {
		if c[i] {
			rest[i] = n[i]
		}
	}
	return rest
}

func (n *news) add(m news) {
	for i := range n {
		n[i] += m[i]
	}
}

func (n news) any() bool { return n != news{} }

// String names the channels in which something is new.
func (n news) String() string {
	var parts []string
	for c, count := range n {
		if count > 0 {
			parts = append(parts, fmt.Sprintf("%v+%d", channel(c), count))
		}
	}
	return strings.Join(parts, " ")
}

// A market prices finds in one currency, the share of a channel: all that a
// channel finds in some time is worth the same as all that another one finds
// in that time. A find of a loud channel is worth little, and one of a channel
// that has been silent for long is worth much; so no channel drowns another.
// Code and extremes have half a voice: measured on etcd/raft, code leads a
// search away from protocol states, and extremes bring no faults by themselves.
// Of the elements that one run brings the first counts most, because they
// depend on each other.
type market struct {
	found [numChannels]float64 // finds of late
}

var voices = [numChannels]float64{edges: 0.5, set: 1, slots: 0.5, bins: 1, cells: 1}

// price is what n is worth.
func (m *market) price(n news) (worth float64) {
	for c, count := range n {
		if count == 0 {
			continue
		}
		finds := float64(bits.Len(uint(count)))
		m.found[c] += finds
		worth += voices[c] * finds / m.found[c]
	}
	return worth
}

// forget halves what is remembered.
func (m *market) forget() {
	for c := range m.found {
		m.found[c] /= 2
	}
}
