package fuzz

// A portfolio divides the cost of a campaign among several ways of doing the
// same thing by what each has brought of late for its cost. Each has a floor,
// so that one that brings nothing now is asked again later.
//
// It keeps an account instead of drawing lots: who has been given the least
// of its share is next.
type portfolio struct {
	parts []part
	total float64 // cost of all time
	mark  float64 // total when memory is halved next
	dirty int     // charges since the shares were computed
}

type part struct {
	name  string
	floor float64
	share float64
	owed  float64

	cost   float64 // of late
	credit float64 // of late

	execs uint64
	finds uint64
}

const (
	firstMark    = 1 << 16 // cost before the first halving
	markGrowth   = 1.25    // memory reaches back over a fixed part of the campaign
	recompute    = 64      // charges between two computations of the shares
	priorOfTotal = 0.02    // of the recent cost, added to each part at the average yield
)

func newPortfolio(parts []part) *portfolio {
	p := &portfolio{parts: parts, mark: firstMark}
	p.divide()
	return p
}

// pick is the part of those in the mask that is furthest behind its share.
func (p *portfolio) pick(mask uint) int {
	best := -1
	for i := range p.parts {
		if mask&(1<<uint(i)) == 0 {
			p.parts[i].owed = 0 // it has nothing to do, and saves nothing up
			continue
		}
		if best < 0 || p.parts[i].owed > p.parts[best].owed {
			best = i
		}
	}
	return best
}

// charge books what part i has cost and what that was worth. It tells whether
// memory was halved.
func (p *portfolio) charge(i int, cost, credit float64) (halved bool) {
	p.total += cost
	for j := range p.parts {
		p.parts[j].owed += p.parts[j].share * cost
	}
	b := &p.parts[i]
	b.owed -= cost
	b.cost += cost
	b.credit += credit
	if halved = p.total >= p.mark; halved {
		p.mark = p.total * markGrowth
		for j := range p.parts {
			p.parts[j].cost /= 2
			p.parts[j].credit /= 2
		}
	}
	if p.dirty++; p.dirty >= recompute || halved {
		p.divide()
	}
	return halved
}

// divide computes the shares: the floors, and the rest by the square of the
// yield, so that half the yield gets a quarter of the share.
func (p *portfolio) divide() {
	p.dirty = 0
	var cost, credit, floors, sum float64
	for i := range p.parts {
		cost += p.parts[i].cost
		credit += p.parts[i].credit
		floors += p.parts[i].floor
	}
	prior := priorOfTotal*cost + 1
	average := credit / (cost + 1)
	for i := range p.parts {
		b := &p.parts[i]
		yield := (b.credit + prior*average) / (b.cost + prior)
		b.share = yield * yield
		sum += b.share
	}
	for i := range p.parts {
		b := &p.parts[i]
		if sum > 0 {
			b.share = b.floor + (1-floors)*b.share/sum
		} else {
			b.share = b.floor + (1-floors)/float64(len(p.parts))
		}
	}
}

// top is the part with the greatest share.
func (p *portfolio) top() int {
	best := 0
	for i := range p.parts {
		if p.parts[i].share > p.parts[best].share {
			best = i
		}
	}
	return best
}
