package ucis

import (
	"encoding/json"
	"time"

	"github.com/ijongo/ijongo/cover"
)

// userKey names the user attributes that hold, as JSON, what UCIS has no word
// for.
const userKey = "ijongo"

// itemNote is what a user attribute holds of an item.
type itemNote struct {
	N    int        // place among the items of the profile
	Item cover.Item // without bins
}

// binNote is what a user attribute holds of a bin.
type binNote struct {
	N     int           `json:",omitempty"` // of an assertion: place among its bins
	At    []int         `json:",omitempty"` // of a transition
	First string        `json:",omitempty"`
	When  time.Duration `json:",omitempty"`
	Only  string        `json:",omitempty"`
}

// runNote is what a user attribute holds of a profile.
type runNote struct {
	Module, Manifest string
	Runs             uint64
	Time             time.Duration
}

func note(what any) ([]userAttr, error) {
	text, err := json.Marshal(what)
	if err != nil {
		return nil, err
	}
	return []userAttr{{userKey, "str", string(text)}}, nil
}

// noteOf takes a note out of user attributes, and tells whether there is one.
func noteOf(list []userAttr, into any) (bool, error) {
	for _, u := range list {
		if u.Key == userKey {
			return true, json.Unmarshal([]byte(u.Text), into)
		}
	}
	return false, nil
}

// noteBin notes what there is to note of a bin; nothing for most.
func noteBin(b *cover.Bin, n binNote) ([]userAttr, error) {
	n.First, n.When, n.Only = b.First, b.When, b.Only
	if n.N == 0 && n.At == nil && n.First == "" && n.When == 0 && n.Only == "" {
		return nil, nil
	}
	return note(n)
}
