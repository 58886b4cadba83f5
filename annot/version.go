package annot

import (
	"fmt"
	"strconv"
	"strings"
)

// A versionRange is an inclusive range of version prefixes.
type versionRange struct{ lo, hi []int }

// parseVersionRange parses v3.6, v3.6.1 or v3.6..v3.7.
func parseVersionRange(text string) (versionRange, error) {
	lo, hi, isRange := strings.Cut(text, "..")
	if !isRange {
		hi = lo
	}
	r := versionRange{}
	for _, end := range []struct {
		text string
		to   *[]int
	}{{lo, &r.lo}, {hi, &r.hi}} {
		v, pre, ok := parseVersion(end.text)
		if !ok || pre {
			return versionRange{}, fmt.Errorf("%q is not a version", end.text)
		}
		*end.to = v
	}
	if comparePrefix(r.lo, r.hi) > 0 {
		return versionRange{}, fmt.Errorf("the range %s is empty", text)
	}
	return r, nil
}

// parseVersion parses vMAJOR[.MINOR[.PATCH]][-PRE][+BUILD].
func parseVersion(text string) (v []int, pre, ok bool) {
	text, ok = strings.CutPrefix(text, "v")
	if !ok {
		return nil, false, false
	}
	text, _, _ = strings.Cut(text, "+")
	text, _, pre = strings.Cut(text, "-")
	parts := strings.Split(text, ".")
	if len(parts) > 3 {
		return nil, false, false
	}
	for _, part := range parts {
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 || part != strconv.Itoa(n) {
			return nil, false, false
		}
		v = append(v, n)
	}
	return v, pre, true
}

// comparePrefix compares the leading numbers that both have.
func comparePrefix(a, b []int) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return a[i] - b[i]
		}
	}
	return 0
}

// contains reports whether a full version lies in the range. A pre-release
// comes before its release, and so lies below a bound that names the patch.
func (r versionRange) contains(text string) bool {
	v, pre, ok := parseVersion(text)
	if !ok || len(v) != 3 {
		return false
	}
	low := comparePrefix(v, r.lo)
	if low == 0 && len(r.lo) == 3 && pre {
		return false
	}
	return low >= 0 && comparePrefix(v, r.hi) <= 0
}
