package rewrite

import (
	"cmp"
	"fmt"
	"go/constant"
	"go/token"
	"slices"
	"strings"

	ijon "github.com/ijongo/ijongo/runtime"
)

// A stretch is values that a sample says the same of, or, when it rises, one more
// of each than of the one before.
type stretch struct {
	in     interval
	result int
	rises  bool
}

// classifier is the name, without the prefix of the package, of the function
// that gives the bin of a value.
func (r *resolver) classifier(p *point) string {
	return fmt.Sprintf("g%dp%d", r.g.number, p.index)
}

// classify is the declaration of that function. It has a value of the kind
// that the runtime sees, so that no name of the program is in it.
func (r *resolver) classify(p *point) string {
	param := map[kind]string{kindUint: "Uint64", kindInt: "Int64", kindFloat: "Float64", kindBool: "Bool", kindString: "String"}[p.domain.kind]
	return fmt.Sprintf("func ijongo_%s(v ijongo_rt.%s) ijongo_rt.Int {\n%s}", r.classifier(p), param, p.body())
}

func (p *point) body() string {
	runs := p.runs()
	switch {
	case p.domain.kind == kindBool:
		return p.boolBody(runs)
	case !slices.ContainsFunc(runs, func(r stretch) bool { return !r.in.one() }):
		return p.tagged(runs)
	case p.domain.integers():
		return p.ascending(runs)
	}
	return p.first(runs)
}

// runs are the intervals of all bins and of what is ignored, apart from each
// other and in ascending order where the values can be counted; else those
// that come first count.
func (p *point) runs() []stretch {
	var list []stretch
	var cuts []interval
	add := func(in interval, result int) {
		for _, rest := range p.domain.without(in, cuts) {
			list = append(list, stretch{in: rest, result: result})
		}
	}
	for _, in := range p.ignored {
		add(in, ijon.NotSampled)
		cuts = append(cuts, in)
	}
	for i := len(p.bins) - 1; i >= 0; i-- { // those of never are last, and count before the others
		if b := p.bins[i]; !b.other {
			add(b.in, b.index)
			if b.kind == ijon.Never {
				cuts = append(cuts, b.in)
			}
		}
	}
	if !p.domain.integers() {
		return list
	}
	slices.SortFunc(list, func(a, b stretch) int { return cmp.Compare(b2i(less(b.in.lo, a.in.lo)), b2i(less(a.in.lo, b.in.lo))) })
	return joined(list)
}

// joined makes one run of neighbours that a sample says the same of, or of
// which it counts on.
func joined(list []stretch) []stretch {
	var out []stretch
	for _, next := range list {
		if len(out) == 0 || !out[len(out)-1].join(next) {
			out = append(out, next)
		}
	}
	return out
}

func (r *stretch) join(next stretch) bool {
	one := constant.MakeInt64(1)
	if !equal(constant.BinaryOp(r.in.hi, token.ADD, one), next.in.lo) {
		return false
	}
	switch size := constant.BinaryOp(r.in.hi, token.SUB, r.in.lo); {
	case !r.rises && next.result == r.result:
	case next.in.one() && (r.rises || r.in.one()) && r.result >= 0 && equal(constant.MakeInt64(int64(next.result-r.result-1)), size):
		r.rises = true
	default:
		return false
	}
	r.in.hi = next.in.hi
	return true
}

func (p *point) boolBody(runs []stretch) string {
	results := []int{p.otherwise(), p.otherwise()}
	for _, r := range runs {
		for v := range results {
			if c := constant.MakeInt64(int64(v)); r.in.contains(single(c)) {
				results[v] = r.result
				if r.rises && v == 1 && equal(r.in.lo, p.domain.min) {
					results[v]++
				}
			}
		}
	}
	return fmt.Sprintf("\tif v {\n\t\treturn %d\n\t}\n\treturn %d\n", results[1], results[0])
}

// tagged is a switch over single values.
func (p *point) tagged(runs []stretch) string {
	var b strings.Builder
	b.WriteString("\tswitch v {\n")
	seen := map[string]bool{}
	for _, r := range runs {
		if v := p.domain.literal(r.in.lo); !seen[v] {
			seen[v] = true
			fmt.Fprintf(&b, "\tcase %s:\n\t\treturn %d\n", v, r.result)
		}
	}
	fmt.Fprintf(&b, "\t}\n\treturn %d\n", p.otherwise())
	return b.String()
}

// ascending compares with the ends of the runs, from below.
func (p *point) ascending(runs []stretch) string {
	var b strings.Builder
	b.WriteString("\tswitch {\n")
	next := p.domain.min // the least value that is not dealt with
	for _, r := range runs {
		if less(next, r.in.lo) {
			fmt.Fprintf(&b, "\tcase v < %s:\n\t\treturn %d\n", r.in.lo.ExactString(), p.otherwise())
		}
		result := fmt.Sprint(r.result)
		if r.rises {
			result = rising(r)
		}
		if equal(r.in.hi, p.domain.max) {
			fmt.Fprintf(&b, "\t}\n\treturn %s\n", result)
			return b.String()
		}
		fmt.Fprintf(&b, "\tcase v <= %s:\n\t\treturn %s\n", r.in.hi.ExactString(), result)
		next = constant.BinaryOp(r.in.hi, token.ADD, constant.MakeInt64(1))
	}
	fmt.Fprintf(&b, "\t}\n\treturn %d\n", p.otherwise())
	return b.String()
}

// rising is the bin of a value in a stretch in which each has one of its own.
func rising(r stretch) string {
	text := "ijongo_rt.Int(v)"
	if constant.Sign(r.in.lo) != 0 {
		text = "ijongo_rt.Int(v - (" + r.in.lo.ExactString() + "))"
	}
	if r.result != 0 {
		text += fmt.Sprintf(" + %d", r.result)
	}
	return text
}

// first compares with one run after the other.
func (p *point) first(runs []stretch) string {
	var b strings.Builder
	b.WriteString("\tswitch {\n")
	for _, r := range runs {
		var conds []string
		if r.in.lo != nil {
			conds = append(conds, p.domain.literal(r.in.lo)+" <= v")
		}
		if r.in.hi != nil {
			conds = append(conds, "v <= "+p.domain.literal(r.in.hi))
		}
		fmt.Fprintf(&b, "\tcase %s:\n\t\treturn %d\n", strings.Join(conds, " && "), r.result)
	}
	fmt.Fprintf(&b, "\t}\n\treturn %d\n", p.otherwise())
	return b.String()
}
