package fuzz

import (
	"github.com/ijongo/ijongo/fuzz/mutate"
	"github.com/ijongo/ijongo/fuzz/wire"
	ijon "github.com/ijongo/ijongo/runtime"
)

// layoutOf is a layout as data, for who makes inputs outside of the target.
func layoutOf(l ijon.Layout) wire.Layout {
	d := wire.Layout{Header: l.Header, Record: l.Record, Nodes: nodesOf(l), Words: vocabulary().Words}
	for _, k := range l.Kinds {
		d.Kinds = append(d.Kinds, wire.KindInfo{Name: k.Name, Weight: k.Weight, Fields: k.Fields})
	}
	return d
}

const (
	maxConfiguration = 64  // bytes of a header that are tried one by one
	headersTried     = 500 // and whole headers, to see whether one byte decides
)

// nodesOf is the function Nodes of a layout as a table; nil if there is none,
// or if more than one byte of the header decides.
func nodesOf(l ijon.Layout) *wire.Nodes {
	if l.Nodes == nil || l.Header == 0 || l.Header > maxConfiguration {
		return nil
	}
	header := make([]byte, l.Header)
	table := nodesBy(l, header, 0)
	for at := 1; at < l.Header; at++ {
		if t := nodesBy(l, header, at); vary(t.Of) {
			table = t
		}
	}
	r := mutate.NewRNG(0, 0, 0)
	for n := 0; n < headersTried; n++ {
		r.Fill(header)
		if l.Nodes(header) != table.Of[header[table.At]] {
			return nil
		}
	}
	return table
}

// nodesBy is the nodes by one byte of a header that is else zero.
func nodesBy(l ijon.Layout, header []byte, at int) *wire.Nodes {
	t := &wire.Nodes{At: at, Of: make([]int, 256)}
	for v := range t.Of {
		header[at] = byte(v)
		t.Of[v] = l.Nodes(header)
	}
	header[at] = 0
	return t
}

func vary(list []int) bool {
	for _, n := range list {
		if n != list[0] {
			return true
		}
	}
	return false
}
