package cover

import "testing"

func TestScore(t *testing.T) {
	s := cluster().Score()
	if s.Goals != 16 || s.Covered != 8 || s.Excused != 1 || s.Vacuous != 1 || s.Holes() != 8 {
		t.Errorf("got %+v", s)
	}
	// always 1/1, sometimes 0/1 (rare), role 1/3 with weight 3, lag 2/3,
	// the cross 2/4, trans 1/2, seq 1/2
	const sum, weight = 1 + 0 + 3*1./3 + 2./3 + 2./4 + 1./2 + 1./2, 9
	if got, want := s.Percent(), 100*sum/weight; !close(got, want) {
		t.Errorf("percent %v, want %v", got, want)
	}
	if got, want := s.Demand(), 100*(sum+1)/weight; !close(got, want) {
		t.Errorf("demand %v, want %v", got, want)
	}
}

func close(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 }

func TestScoreIsFullWhenAllIsMet(t *testing.T) {
	rare := &Item{Kind: "sometimes", Rare: true, Bins: []Bin{{Name: "true"}}}
	third := &Item{Kind: "point", Weight: 3, Bins: []Bin{{Name: "0", Hits: 1}, {Name: "1", Hits: 1}, {Name: "2", Hits: 1}}}
	none := &Item{Kind: "unreachable", Bins: []Bin{{Name: "reached", Kind: Never}}}
	for _, c := range []struct {
		items           []*Item
		percent, demand float64
	}{
		{nil, 100, 100},
		{[]*Item{none}, 100, 100},
		{[]*Item{third, none}, 100, 100},
		{[]*Item{third, rare}, 75, 100},
	} {
		s := ScoreOf(c.items)
		if s.Percent() != c.percent || s.Demand() != c.demand {
			t.Errorf("%d items: %v %v", len(c.items), s.Percent(), s.Demand())
		}
	}
}

func TestPackages(t *testing.T) {
	p := cluster()
	p.Items = append(p.Items, &Item{Kind: "point", Group: "harness", Name: "p"}, &Item{Kind: "cover", Package: "example.com/m", Name: "late"})
	p.Edges = append(p.Edges, &Edge{Package: "example.com/m/other"})
	list := p.Packages()
	if len(list) != 3 || list[0].Path != "example.com/m" || list[1].Path != "" || list[2].Path != "example.com/m/other" {
		t.Fatalf("packages %+v", list)
	}
	m := list[0]
	if len(m.Groups) != 2 || m.Groups[0].Name != "" || len(m.Groups[0].Items) != 3 || len(m.Groups[1].Items) != 5 || len(m.Edges) != 3 || len(m.Items()) != 8 {
		t.Errorf("groups %+v", m.Groups)
	}
}
