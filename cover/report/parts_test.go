package report

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ijongo/ijongo/cover"
)

func TestNumbers(t *testing.T) {
	for n, want := range map[uint64][2]string{
		0: {"0", "0"}, 7: {"7", "7"}, 999: {"999", "999"}, 1000: {"1,000", "1.0k"}, 9949: {"9,949", "9.9k"}, 9950: {"9,950", "10k"},
		999_499: {"999,499", "999k"}, 999_500: {"999,500", "1.0M"}, 12_345_678: {"12,345,678", "12M"}, math.MaxUint64: {"18,446,744,073,709,551,615", "18E"},
	} {
		if got := [2]string{hits(n), short(n)}; got != want {
			t.Errorf("%d is %v, want %v", n, got, want)
		}
	}
	for d, want := range map[time.Duration]string{
		0: "", 420 * time.Millisecond: "0.4s", 62 * time.Second: "1m02s", 3*time.Hour + 7*time.Minute: "3h07m", 1234 * time.Microsecond: "1.23ms",
	} {
		if got := duration(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
	for x, want := range map[float64]string{0: "0", 0.01: "0.1", 33.333: "33.3", 99.99: "99.9", 100: "100"} {
		if got := percent(x); got != want {
			t.Errorf("%v is %q, want %q", x, got, want)
		}
	}
}

func TestScale(t *testing.T) {
	var s scale
	for _, n := range []uint64{0, 3, 30000, 300} {
		s.add(n)
	}
	for n, want := range map[uint64]int{0: 0, 3: 1, 300: 3, 30000: 5} {
		if got := s.level(n); got != want {
			t.Errorf("%d hits have shade %d, want %d", n, got, want)
		}
	}
}

// diagramOf is the diagram of transitions FROM=>TO with so many hits.
func diagramOf(states []string, taken map[string]uint64) *diagram {
	i := &cover.Item{Kind: "trans", Name: "p"}
	for a, from := range states {
		for b, to := range states {
			if n, ok := taken[from+"=>"+to]; ok || a != b {
				i.Bins = append(i.Bins, cover.Bin{Name: from + "=>" + to, At: []int{a, b}, Hits: n})
			}
		}
	}
	b := &builder{data: &Data{}, items: make(map[*cover.Item]*item)}
	return b.item(i, nil).Diagram
}

// TestDiagram checks what a reader would see at once: boxes that lie on each
// other or outside, thin arrows for much, and solid ones for nothing.
func TestDiagram(t *testing.T) {
	states := []string{"Follower", "Leader", "PreCandidate", "Candidate", "a state with a very long name", "X"}
	d := diagramOf(states, map[string]uint64{
		"Follower=>PreCandidate": 1000, "PreCandidate=>Candidate": 900, "Candidate=>Leader": 800, "Leader=>Follower": 700, "X=>X": 3,
	})
	for k, n := range d.Nodes {
		if n.Left() < 0 || n.Top() < 0 || n.Left()+n.Width > float64(d.Width) || n.Top()+nodeHeight > float64(d.Height) {
			t.Errorf("%s is outside", n.Name)
		}
		for _, other := range d.Nodes[:k] {
			if math.Abs(n.X-other.X) < (n.Width+other.Width)/2 && math.Abs(n.Y-other.Y) < nodeHeight {
				t.Errorf("%s lies on %s", n.Name, other.Name)
			}
		}
	}
	stroke := make(map[string]float64)
	for _, a := range d.Arrows {
		stroke[a.Name] = a.Stroke
		if (a.State == hole) != (a.Text == "") {
			t.Errorf("%s is a %s with the text %q", a.Name, a.State, a.Text)
		}
		for _, number := range regexp.MustCompile(`-?[\d.]+`).FindAllString(a.Path+" "+a.Head, -1) {
			if x, err := strconv.ParseFloat(number, 64); err != nil || x < -20 || x > float64(max(d.Width, d.Height)+20) {
				t.Errorf("%s goes to %s", a.Name, number)
			}
		}
	}
	if len(d.Arrows) != 6*5+1 || stroke["Follower=>PreCandidate"] <= stroke["X=>X"] || stroke["X=>X"] <= stroke["X=>Leader"] {
		t.Errorf("%d arrows, strokes %v", len(d.Arrows), stroke)
	}
	var order []string
	for _, n := range d.Nodes {
		order = append(order, n.Name)
	}
	apart := (slices.Index(order, "Follower") - slices.Index(order, "PreCandidate") + 6) % 6
	if apart != 1 && apart != 5 {
		t.Errorf("the states between which most happens are not beside each other: %v", order)
	}
}

func TestNoDiagramOfManyStates(t *testing.T) {
	var states []string
	for n := range maxNodes + 1 {
		states = append(states, "S"+strconv.Itoa(n))
	}
	if diagramOf(states, nil) != nil || diagramOf(states[:maxNodes], nil) == nil {
		t.Errorf("%d states should have a diagram and one more none", maxNodes)
	}
}

func TestPolyline(t *testing.T) {
	var values []*float64
	for _, v := range []float64{0, 10, 10, 10, 20} {
		values = append(values, number(v))
	}
	values[2] = nil
	if got, want := polyline([]float64{0, 1, 2, 3, 4}, values, 0, 20), "0.0,60.0 75.0,30.0 225.0,30.0 300.0,0.0"; got != want {
		t.Errorf("points %s, want %s", got, want)
	}
}

func TestThin(t *testing.T) {
	samples := make([]Sample, 10*maxSamples+3)
	for k := range samples {
		samples[k] = Sample{Elapsed: time.Duration(k) * time.Second, Counts: []Count{{"bins", uint64(k)}}}
	}
	g := newGrowth(samples)
	n := len(g.Data.Time)
	if n != maxSamples || g.Data.Time[0] != 0 || g.Data.Time[n-1] != float64(len(samples)-1) {
		t.Errorf("%d samples, from %v to %v", n, g.Data.Time[0], g.Data.Time[n-1])
	}
}

// TestSource compares the columns of a file line by line.
func TestSource(t *testing.T) {
	p, err := newPage(&Data{Profile: raftProfile(), Source: raftData(t).Source})
	if err != nil {
		t.Fatal(err)
	}
	f := p.Files[0]
	tags := regexp.MustCompile(`<[^>]*>`)
	column := func(text string) []string { return strings.Split(tags.ReplaceAllString(text, ""), "\n") }
	numbers, counts, margin := column(string(f.Numbers)), column(string(f.Counts)), column(string(f.Margin))
	code := strings.Split(string(f.Text), "\n")
	if len(numbers) != len(code) || len(counts) != len(code) || len(margin) != len(code) {
		t.Fatalf("%d numbers, %d counts, %d notes, %d lines", len(numbers), len(counts), len(margin), len(code))
	}
	for line, want := range map[int]string{
		21: "1.2M||func (n *Node) Step(m Message) error {",
		24: "1.2M|811||\t} else if m.Term &lt; n.Term {",
		29: "18k|0|…||\t\tif n.Vote == None || n.Vote == m.From {",
		35: `0||	<i class="cold">case MsgSnap:</i>`,
		37: `||			<i class="cold">return fmt.Errorf(&#34;restore: %w&#34;, err)</i>`,
		43: `||			<i class="cold">return errStopped</i>`,
		46: "||\treturn nil",
		40: `|appliedIsCommitted 1/1|	<i class="ijon">//ijon:always n.Applied &lt;= n.Commit</i>`,
	} {
		if got := fmt.Sprintf("%s|%s|%s", counts[line-1], margin[line-1], code[line-1]); got != want || numbers[line-1] != strconv.Itoa(line) {
			t.Errorf("line %s is\n%s\nwant\n%s", numbers[line-1], got, want)
		}
	}
}

func TestSourceIsLimited(t *testing.T) {
	p := &cover.Profile{Edges: []*cover.Edge{{Func: "f", Pos: "a.go:1:1"}, {Func: "f", Pos: "b.go:1:1"}, {Func: "f", Pos: "c.go:1:1"}}}
	page := written(t, Data{Profile: p, Source: func(name string) ([]byte, error) {
		if name == "b.go" {
			return make([]byte, maxSource), nil
		}
		return []byte("package p\n"), nil
	}})
	if !strings.Contains(page, "Left out, for the size of the page: b.go<") {
		t.Error("b.go is not left out, or not by name")
	}
}

// TestContrast computes the contrast of colours that text is in, by WCAG 2:
// at least 4.5 for AA.
func TestContrast(t *testing.T) {
	css, err := os.ReadFile("assets/css/base.css")
	if err != nil {
		t.Fatal(err)
	}
	colours := make(map[string][2]string)
	for _, m := range regexp.MustCompile(`--([\w-]+): light-dark\((#\w+), (#\w+)\);`).FindAllStringSubmatch(string(css), -1) {
		colours[m[1]] = [2]string{m[2], m[3]}
	}
	for _, pair := range []string{
		"ink bg", "ink side", "ink faint", "ink raised", "quiet bg", "quiet side", "quiet faint", "accent bg", "accent side", "bad bg", "bad side", "bad bad-bg",
		"bg bad", "good side", "warn side", "ink l1", "ink l2", "ink l3", "on-dark l4", "on-dark l5", "ink bad-bg", "ink warn-bg",
	} {
		text, ground, _ := strings.Cut(pair, " ")
		for theme, name := range []string{"light", "dark"} {
			if c := contrast(t, colours[text][theme], colours[ground][theme]); c < 4.5 {
				t.Errorf("%s on %s has contrast %.2f in the %s theme", text, ground, c, name)
			}
		}
	}
}

func contrast(t *testing.T, a, b string) float64 {
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(t *testing.T, colour string) (sum float64) {
	hex := strings.TrimPrefix(colour, "#")
	if len(hex) == 3 {
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
	}
	for k, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(hex[2*k:2*k+2], 16, 8)
		if err != nil {
			t.Fatalf("colour %q: %v", colour, err)
		}
		c := float64(n) / 255
		if c <= 0.04045 {
			sum += weight * c / 12.92
		} else {
			sum += weight * math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	return sum
}
