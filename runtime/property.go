package ijon

import "sync/atomic"

// propertyBin is the first bin of each annotation that is a property.
var propertyBin [maxIDs]uint32

// propertyBins are the bins of a property. What a hit of the first one says is
// the same for all kinds: it was true.
func propertyBins(v Verb) []BinInfo {
	switch v {
	case VerbCover, VerbReachable:
		return []BinInfo{{Name: "hit"}}
	case VerbUnreachable:
		return []BinInfo{{Name: "reached", Kind: Never}}
	case VerbAlways:
		return []BinInfo{{Name: "held"}, {Name: "evaluated", Kind: Info}}
	case VerbSometimes:
		return []BinInfo{{Name: "true"}, {Name: "evaluated", Kind: Info}}
	case VerbMaybe:
		return []BinInfo{{Name: "true"}, {Name: "false"}}
	}
	return nil
}

func (r *registry) declareProperty(id ID, a Annotation) {
	r.Lock()
	defer r.Unlock()
	r.load()
	if propertyBins(a.Verb) == nil {
		return
	}
	r.addProperty(id, a)
	r.grown()
}

// addProperty adds the item of an annotation, if it is one with bins. There is
// room for as many as there can be.
func (r *registry) addProperty(id ID, a Annotation) {
	bins := propertyBins(a.Verb)
	if bins == nil {
		return
	}
	propertyBin[id] = uint32(len(r.owner))
	r.add(Item{
		Kind: string(a.Verb), Package: a.Package, Name: a.Name, Key: a.Key, Expr: a.Expr, Pos: a.Pos,
		Bins: bins, First: len(r.owner),
		Clauses: Clauses{Observe: a.Observe, Rare: a.Rare, AtLeast: a.AtLeast, Weight: a.Weight, Goal: a.Goal, Doc: a.Doc},
	}, id)
}

// happened counts a property that is evaluated only when it is true.
func happened(id ID) {
	if hitBin(propertyBin[id]) && tracing() {
		traceHit(id)
	}
}

// evaluated counts a property that has a bin for how often it was evaluated.
func evaluated(id ID, ok bool) {
	bin := propertyBin[id]
	hitBin(bin + 1)
	if ok && hitBin(bin) && tracing() {
		traceHit(id)
	}
}

// decided counts a property of which both outcomes have a bin.
func decided(id ID, ok bool) {
	bin := propertyBin[id]
	if !ok {
		hitBin(bin + 1)
	} else if hitBin(bin) && tracing() {
		traceHit(id)
	}
}

// Bins appends the properties that the run evaluated.
func (Run) Bins(buf []Bin) []Bin {
	program.Lock()
	defer program.Unlock()
	for k, n := uint32(0), covered.len(); k < n; k++ {
		mark := covered.at(k)
		bin := uint32(mark)
		i := program.owner[bin]
		if id := program.property[i]; id != noID {
			if b := evaluation(&program.items[i], id); b.lead == bin {
				buf = append(buf, b.Bin)
			}
		}
	}
	return buf
}

// An evaluated property is listed once, where the bin that leads was hit.
type leading struct {
	Bin
	lead uint32
}

func evaluation(item *Item, id ID) leading {
	first := uint32(item.First)
	yes := uint32(atomic.LoadUint64(&hits[first]))
	b := leading{Bin{ID: id, Evaluated: yes, True: yes}, first}
	if len(item.Bins) == 1 {
		return b
	}
	no := uint32(atomic.LoadUint64(&hits[first+1]))
	switch {
	case item.Bins[1].Kind == Info:
		b.Evaluated, b.lead = no, first+1
	default:
		b.Evaluated += no
		if yes == 0 {
			b.lead = first + 1
		}
	}
	return b
}
