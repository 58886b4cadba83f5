package cover

// A Score sums up how far goals are met.
type Score struct {
	Goals   int // bins to cover
	Covered int // of them
	Excused int // of those that are not covered: of rare items
	Vacuous int // items that were never evaluated

	mean, demand, weight float64 // sums over the items that have goals
}

// Add adds an item to the score.
func (s *Score) Add(i *Item) {
	goals, covered := 0, 0
	for k := range i.Bins {
		if b := &i.Bins[k]; b.Kind == Goal {
			goals++
			if i.Covered(b) {
				covered++
			}
		}
	}
	s.Goals += goals
	s.Covered += covered
	if i.Vacuous() {
		s.Vacuous++
	}
	if i.Rare {
		s.Excused += goals - covered
	}
	if goals == 0 {
		return
	}
	w := float64(i.Factor())
	part := w * float64(covered) / float64(goals)
	s.mean += part
	if i.Rare {
		part = w
	}
	s.demand += part
	s.weight += w
}

// Percent is the mean of the items' percentages by weight, and 100 for none:
// 100 exactly when all goals are met.
func (s *Score) Percent() float64 {
	if s.Covered == s.Goals {
		return 100
	}
	return 100 * s.mean / s.weight
}

// Demand is the percentage that gates go by: rare items count as covered.
func (s *Score) Demand() float64 {
	if s.Covered+s.Excused == s.Goals {
		return 100
	}
	return 100 * s.demand / s.weight
}

// Holes is how many goals are not met.
func (s *Score) Holes() int { return s.Goals - s.Covered }

// ScoreOf is the score of these items.
func ScoreOf(items []*Item) (s Score) {
	for _, i := range items {
		s.Add(i)
	}
	return s
}

// Score is the score of all items.
func (p *Profile) Score() Score { return ScoreOf(p.Items) }

// EdgeScore is the score of these edges: each is a goal, met when it was taken.
func EdgeScore(edges []*Edge) (s Score) {
	for _, e := range edges {
		s.Goals++
		if e.Hits > 0 {
			s.Covered++
		}
	}
	s.weight = float64(s.Goals)
	s.mean, s.demand = float64(s.Covered), float64(s.Covered)
	return s
}
