package table

import (
	"strings"
	"testing"

	"github.com/ijongo/ijongo/cover"
)

// TestPercent: only all is 100.0%, and only nothing 0.0%.
func TestPercent(t *testing.T) {
	for _, c := range []struct {
		p    float64
		want string
	}{{0, "0.0%"}, {0.01, "0.1%"}, {33.3333, "33.3%"}, {99.96, "99.9%"}, {100, "100.0%"}} {
		if got := Percent(c.p); got != c.want {
			t.Errorf("%v: got %s, want %s", c.p, got, c.want)
		}
	}
}

// TestSummaryKeepsRows: names are of the code under test, and may be anything.
func TestSummaryKeepsRows(t *testing.T) {
	p := &cover.Profile{Items: []*cover.Item{
		{Kind: "sometimes", Name: "f(\n\t1)\x1b[2J", Key: "a", Bins: []cover.Bin{{Name: "true"}}},
		{Kind: "sometimes", Name: "größe", Key: "b", Bins: []cover.Bin{{Name: "true", Hits: 1}}},
	}}
	var b strings.Builder
	if err := Summary(&b, p); err != nil {
		t.Fatal(err)
	}
	want := `harness                    1/2   50.0%
  properties               1/2   50.0%
    f(  1) [2J  sometimes  0/1    0.0%  never evaluated
    größe       sometimes  1/1  100.0%
total                      1/2   50.0%
`
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
}
