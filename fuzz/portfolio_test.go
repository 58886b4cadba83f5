package fuzz

import "testing"

// spend lets a portfolio pick n times, where part i costs cost[i] and finds
// something once in every[i] picks (0: never). It returns the shares of cost.
func spend(p *portfolio, n int, mask uint, cost []float64, every []int) []float64 {
	given := make([]float64, len(cost))
	picks := make([]int, len(cost))
	total := 0.0
	for ; n > 0; n-- {
		i := p.pick(mask)
		picks[i]++
		found := every[i] > 0 && picks[i]%every[i] == 0
		credit := 0.0
		if found {
			credit = 1
		}
		p.charge(i, cost[i], credit, found)
		given[i] += cost[i]
		total += cost[i]
	}
	for i := range given {
		given[i] /= total
	}
	return given
}

func TestPortfolioPaysByYield(t *testing.T) {
	p := newPortfolio(make([]part, 3))
	for i := range p.parts {
		p.parts[i].floor = 0.05
	}
	// The second costs ten times as much and finds twenty times as often.
	got := spend(p, 200000, 7, []float64{10, 100, 10}, []int{1000, 50, 0})
	if got[1] < 0.6 || got[0] > 0.3 || got[2] < 0.049 || got[2] > 0.15 {
		t.Errorf("shares %.2f", got)
	}
	// Now the third one finds.
	got = spend(p, 200000, 7, []float64{10, 100, 10}, []int{0, 0, 50})
	if got[2] < 0.6 {
		t.Errorf("later shares %.2f", got)
	}
}

func TestPortfolioWithoutFindsIsFair(t *testing.T) {
	p := newPortfolio(make([]part, 4))
	for i, share := range spend(p, 100000, 15, []float64{1, 10, 100, 1000}, make([]int, 4)) {
		if share < 0.24 || share > 0.26 {
			t.Errorf("part %d has %.2f", i, share)
		}
	}
}

// TestALateArmGetsItsShareAndNoMore keeps one arm waiting.
func TestALateArmGetsItsShareAndNoMore(t *testing.T) {
	p := newPortfolio(make([]part, 2))
	if got := spend(p, 10000, 1, []float64{10, 10}, make([]int, 2)); got[0] != 1 {
		t.Errorf("alone it has %.2f", got)
	}
	if got := spend(p, 100, 3, []float64{10, 10}, make([]int, 2)); got[1] < 0.4 || got[1] > 0.65 {
		t.Errorf("then %.2f", got)
	}
}

// TestAMarketLetsNoChannelDrownAnother has one channel that finds in every
// run and one that finds once in a hundred.
func TestAMarketLetsNoChannelDrownAnother(t *testing.T) {
	var m market
	var loud, quiet float64
	for n := 1; n <= 100000; n++ {
		loud += m.price(news{set: 1})
		if n%100 == 0 {
			quiet += m.price(news{bins: 1})
		}
		if n%1000 == 0 {
			m.forget()
		}
	}
	if ratio := loud / quiet; ratio < 0.5 || ratio > 2 {
		t.Errorf("the loud channel was paid %.1f, the quiet one %.1f", loud, quiet)
	}
}
