package fuzz

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/ijongo/ijongo/fuzz/wire"
	ijon "github.com/ijongo/ijongo/runtime"
)

// TestLayoutsAreData sends a layout through JSON and back.
func TestLayoutsAreData(t *testing.T) {
	want := ijon.Layout{Header: 3, Record: 4, Kinds: []ijon.Kind{
		{Name: "tick", Weight: 8, Fields: []ijon.Field{ijon.FieldNode, ijon.FieldOther}},
		{Name: "heal"},
	}}
	want.Nodes = func(header []byte) int { return 3 + 2*int(header[1]&1) }
	text, err := json.Marshal(layoutOf(want))
	if err != nil {
		t.Fatal(err)
	}
	var data wire.Layout
	if err := json.Unmarshal(text, &data); err != nil {
		t.Fatal(err)
	}
	got := data.Declared()
	for v := byte(0); v < 8; v++ {
		if header := []byte{7, v, 9}; got.Nodes(header) != want.Nodes(header) {
			t.Errorf("%v: %d nodes", header, got.Nodes(header))
		}
	}
	got.Nodes, want.Nodes = nil, nil
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestNodesByOneByte has functions that are tables of one byte, and some that
// are not.
func TestNodesByOneByte(t *testing.T) {
	for _, c := range []struct {
		name  string
		nodes func(h []byte) int
		at    int // -1 is no table
	}{
		{"constant", func(h []byte) int { return 5 }, 0},
		{"first", func(h []byte) int { return 3 + int(h[0]%3) }, 0},
		{"last", func(h []byte) int { return 3 + int(h[3]%3) }, 3},
		{"two", func(h []byte) int { return 3 + int(h[0]%3) + int(h[3]%3) }, -1},
		{"word", func(h []byte) int { return 3 + (int(h[1])<<8|int(h[2]))%3 }, -1},
		{"unknown", nil, -1},
	} {
		switch got := nodesOf(ijon.Layout{Header: 4, Record: 2, Nodes: c.nodes}); {
		case got == nil && c.at >= 0:
			t.Errorf("%s: no table", c.name)
		case got != nil && got.At != c.at:
			t.Errorf("%s: by byte %d", c.name, got.At)
		}
	}
	if nodesOf(ijon.Layout{Record: 2, Nodes: func([]byte) int { return 3 }}) != nil {
		t.Error("a table without a header")
	}
}
