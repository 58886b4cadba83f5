package ijon

// sampleInstance counts what depends on the samples before: of the same
// instance, or of others. The group is locked.
func (g *Group) sampleInstance(by uint64, object interface{}, events uint64, bins []int, bad cell) cell {
	if g.spec.By == "" {
		by, object = 0, nil
	}
	forgot := g.live.forgot
	i := g.live.find(by, object)
	if g.live.forgot && !forgot {
		g.crowd()
	}
	words := g.live.of(i)
	for k := range g.trans {
		bad = g.trans[k].sample(words, bins, bad)
	}
	for k := range g.seqs {
		g.seqs[k].sample(words, events)
	}
	for k := range g.meetings {
		bad = g.meetings[k].sample(&g.live, i, bins, bad)
	}
	return bad
}
