package custom

// An account divides cost: who has had the least for its share is next.
type account []part

type part struct{ share, spent float64 }

func newAccount(shares []float64) account {
	a := make(account, len(shares))
	for i, s := range shares {
		a[i].share = s
	}
	return a
}

// equal are n equal shares.
func equal(n int) []float64 {
	shares := make([]float64, n)
	for i := range shares {
		shares[i] = 1
	}
	return shares
}

// next is the first of those that have had least.
func (a account) next() int {
	best := 0
	for i, p := range a {
		if p.spent/p.share < a[best].spent/a[best].share {
			best = i
		}
	}
	return best
}

func (a account) charge(i int, cost float64) { a[i].spent += cost }
