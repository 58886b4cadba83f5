package report

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// count is n with commas between the thousands.
func count(n int) string { return hits(uint64(n)) }

// hits is count for numbers of hits.
func hits(n uint64) string {
	s := strconv.FormatUint(n, 10)
	var b strings.Builder
	for k, digit := range s {
		if k > 0 && (len(s)-k)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(digit)
	}
	return b.String()
}

// short is n in at most four characters: 7, 950, 1.2k, 34k, 5.6M.
func short(n uint64) string {
	x, unit := float64(n), ""
	for _, u := range []string{"k", "M", "G", "T", "P", "E"} {
		if x < 999.5 {
			break
		}
		x, unit = x/1000, u
	}
	if unit != "" && x < 9.95 {
		return strconv.FormatFloat(x, 'f', 1, 64) + unit
	}
	return strconv.FormatFloat(x, 'f', 0, 64) + unit
}

// duration is d to about three digits: 0.4s, 12.3s, 4m05s, 2h07m.
func duration(d time.Duration) string {
	switch {
	case d <= 0:
		return ""
	case d < 10*time.Millisecond:
		return d.Round(10 * time.Microsecond).String()
	case d < time.Minute:
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + "s"
	case d < time.Hour:
		return pair(int(d/time.Minute), "m", int(d%time.Minute/time.Second), "s")
	}
	return pair(int(d/time.Hour), "h", int(d%time.Hour/time.Minute), "m")
}

func pair(large int, unit string, small int, smaller string) string {
	rest := strconv.Itoa(small)
	if small < 10 {
		rest = "0" + rest
	}
	return strconv.Itoa(large) + unit + rest + smaller
}

// percent is x with one decimal, and 100 or 0 only where it is exact.
func percent(x float64) string {
	switch {
	case x == 0 || x == 100:
		return strconv.FormatFloat(x, 'f', 0, 64)
	case x > 99.9:
		return "99.9"
	case x < 0.1:
		return "0.1"
	}
	return strconv.FormatFloat(x, 'f', 1, 64)
}

// levels is how many shades a heat map has for bins that were hit.
const levels = 5

// A scale gives numbers of hits a shade: the fewest hits the first, the most
// hits the last, and between them by logarithm.
type scale struct{ fewest, most uint64 }

// add widens the scale to n; 0 is not on it.
func (s *scale) add(n uint64) {
	if n == 0 {
		return
	}
	if s.fewest == 0 || n < s.fewest {
		s.fewest = n
	}
	s.most = max(s.most, n)
}

// level is the shade of n hits, 1 to levels, and 0 for none.
func (s *scale) level(n uint64) int {
	switch {
	case n == 0:
		return 0
	case s.most == s.fewest:
		return (levels + 1) / 2
	}
	return 1 + int(math.Floor(s.place(n)*levels*0.999))
}

// place is where n lies on the scale, 0 to 1.
func (s *scale) place(n uint64) float64 {
	if n < s.fewest || s.most == s.fewest {
		return 0
	}
	x := math.Log(float64(n)/float64(s.fewest)) / math.Log(float64(s.most)/float64(s.fewest))
	return min(x, 1)
}

// share is n as a percentage of the most hits, empty for 0.
func (s *scale) share(n uint64) string {
	if n == 0 || s.most == 0 {
		return ""
	}
	return strconv.FormatFloat(min(100, max(1, 100*float64(n)/float64(s.most))), 'f', 0, 64)
}
