package fuzz

// A portfolio divides the cost of a campaign among several ways of doing the
// same thing by what each has brought of late for its cost. Each has a floor,
// so that one that brings nothing now is asked again later.
//
// It keeps an account instead of drawing lots: who is furthest behind its
// share is next.
type portfolio struct {
	parts []part
	ready uint    // mask of the parts that were there to be picked last
	total float64 // cost of all time
	mark  float64 // total when memory is halved next
	finds float64 // of late
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
	firstMark  = 1 << 16 // cost before the first halving
	markGrowth = 1.25    // memory reaches back over a fixed part of the campaign
	recompute  = 64      // charges between two computations of the shares
	priorFinds = 4       // finds that weigh as much as knowing nothing
)

func newPortfolio(parts []part) *portfolio {
	p := &portfolio{parts: parts, ready: 1<<uint(len(parts)) - 1, mark: firstMark}
	p.divide()
	return p
}

// pick is the part of those in the mask that is furthest behind its share.
// What a part has not been given while it had nothing to do is not made up
// for.
func (p *portfolio) pick(mask uint) int {
	p.ready = mask
	best := -1
	for i := range p.parts {
		if !p.isReady(i) {
			p.parts[i].owed = 0
		} else if best < 0 || p.parts[i].owed > p.parts[best].owed {
			best = i
		}
	}
	return best
}

func (p *portfolio) isReady(i int) bool { return p.ready&(1<<uint(i)) != 0 }

// part's share of what those that are ready get.
func (p *portfolio) share(i int) float64 {
	var sum float64
	for j := range p.parts {
		if p.isReady(j) {
			sum += p.parts[j].share
		}
	}
	if !p.isReady(i) {
		return 0
	}
	return p.parts[i].share / sum
}

// charge books what part i has cost, what that was worth, and whether it was
// a find. It tells whether memory was halved.
func (p *portfolio) charge(i int, cost, credit float64, found bool) (halved bool) {
	p.total += cost
	for j := range p.parts {
		p.parts[j].owed += p.share(j) * cost
	}
	b := &p.parts[i]
	b.owed -= cost
	b.cost += cost
	b.credit += credit
	b.execs++
	if found {
		b.finds++
		p.finds++
	}
	if halved = p.total >= p.mark; halved {
		p.forget()
	}
	if p.dirty++; p.dirty >= recompute || halved {
		p.divide()
	}
	return halved
}

func (p *portfolio) forget() {
	p.mark = p.total * markGrowth
	p.finds /= 2
	for j := range p.parts {
		p.parts[j].cost /= 2
		p.parts[j].credit /= 2
	}
}

// divide computes the shares: the floors, and the rest by the square of the
// yield, so that half the yield gets a quarter. The fewer finds there are to
// judge by, the closer the yields are taken to be.
func (p *portfolio) divide() {
	p.dirty = 0
	var cost, credit, floors, sum float64
	for i := range p.parts {
		cost += p.parts[i].cost
		credit += p.parts[i].credit
		floors += p.parts[i].floor
	}
	average := credit / (cost + 1)
	prior := (cost + 1) * priorFinds / (p.finds + 1)
	for i := range p.parts {
		b := &p.parts[i]
		yield := (b.credit + prior*average + 1e-12) / (b.cost + prior)
		b.share = yield * yield
		sum += b.share
	}
	for i := range p.parts {
		p.parts[i].share = p.parts[i].floor + (1-floors)*p.parts[i].share/sum
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
