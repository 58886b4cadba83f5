package report

import (
	"fmt"
	"math"
	"slices"
	"unicode/utf8"
)

// A diagram is transitions drawn as arrows between states. The states stand
// on an ellipse, in an order that keeps those near each other between which
// most happens; an arrow bends to its left, so that there and back are two.
type diagram struct {
	Width, Height int
	Nodes         []node
	Arrows        []arrow
}

type node struct {
	Name, Shown string
	X, Y        float64 // of the centre
	Width       float64
}

// Left and Top are the corner of the node's box.
func (n node) Left() float64 { return round(n.X - n.Width/2) }

// Top is the upper edge of the node's box.
func (n node) Top() float64 { return n.Y - nodeHeight/2 }

// An arrow is one transition.
type arrow struct {
	*bin
	Path   string
	Head   string // the points of its tip
	Stroke float64
	Text   string // its hits, empty for none
	X, Y   float64
}

const (
	maxNodes   = 20 // a diagram of more states is a ball of wool
	maxLabels  = 8  // numbers of more states cover each other
	nodeHeight = 26
	charWidth  = 7.3 // of the font of the diagram, 12 px monospaced
	longest    = 18  // characters of a name
)

// newDiagram draws the transitions between two states of the item, nil if
// there are none or too many states.
func newDiagram(i *item, states []string) *diagram {
	d := &diagram{}
	place := make(map[int]int) // of a state, in d.Nodes
	for _, n := range order(weightsOf(i, len(states))) {
		place[n] = len(d.Nodes)
		d.Nodes = append(d.Nodes, newNode(states[n]))
	}
	if len(d.Nodes) < 2 || len(d.Nodes) > maxNodes {
		return nil
	}
	margin := 14
	for _, b := range i.Rows {
		if len(b.At) == 2 && b.At[0] == b.At[1] {
			margin = 34 // room for a loop
		}
	}
	d.layOut(margin)
	for _, b := range i.Rows {
		if len(b.At) != 2 {
			continue
		}
		from, ok := place[b.At[0]]
		to, too := place[b.At[1]]
		if ok && too {
			d.Arrows = append(d.Arrows, d.arrow(b, from, to, &i.scale))
		}
	}
	return d
}

func newNode(name string) node {
	n := node{Name: name, Shown: name}
	if utf8.RuneCountInString(name) > longest {
		n.Shown = string([]rune(name)[:longest-1]) + "…"
	}
	n.Width = math.Ceil(charWidth*float64(utf8.RuneCountInString(n.Shown))) + 18
	return n
}

// weights is how much happens between two states, in both directions.
type weights map[[2]int]float64

// weightsOf weighs the pairs of states; one that is only possible weighs little.
func weightsOf(i *item, states int) weights {
	w := make(weights)
	for _, b := range i.Rows {
		if len(b.At) != 2 || b.At[0] < 0 || b.At[1] < 0 || b.At[0] >= states || b.At[1] >= states {
			continue
		}
		x := 0.01 + math.Log1p(float64(b.Hits))
		w[[2]int{b.At[0], b.At[1]}] += x
		w[[2]int{b.At[1], b.At[0]}] += x
	}
	return w
}

// order is the states that occur in w, in the order in which they stand on
// the ellipse: two change places as long as that shortens the ways.
func order(w weights) []int {
	states := w.states()
	if len(states) > maxNodes {
		return states
	}
	for improved := true; improved; {
		improved = false
		for a := range states {
			for b := a + 1; b < len(states); b++ {
				before := w.cost(states)
				states[a], states[b] = states[b], states[a]
				if w.cost(states) < before-1e-9 {
					improved = true
				} else {
					states[a], states[b] = states[b], states[a]
				}
			}
		}
	}
	return states
}

// states is the states of all pairs, sorted.
func (w weights) states() (states []int) {
	for pair := range w {
		states = append(states, pair[0])
	}
	slices.Sort(states)
	return slices.Compact(states)
}

// cost is the sum of all ways along the ellipse by weight. The sum runs in
// the order of states, so that it is the same each time.
func (w weights) cost(states []int) (sum float64) {
	n := len(states)
	for a := range states {
		for b := a + 1; b < n; b++ {
			sum += w[[2]int{states[a], states[b]}] * float64(min(b-a, n-b+a))
		}
	}
	return sum
}

// layOut places the nodes: the first on top, the rest clockwise.
func (d *diagram) layOut(margin int) {
	wide := 0.0
	for _, n := range d.Nodes {
		wide = max(wide, n.Width)
	}
	n := float64(len(d.Nodes))
	rx := max(130+wide/2, n*(wide+36)/(2*math.Pi))
	ry := max(86, n*15)
	d.Width = int(2*rx+wide) + 2*margin
	d.Height = int(2*ry+nodeHeight) + 2*margin
	for k := range d.Nodes {
		angle := 2*math.Pi*float64(k)/n - math.Pi/2
		if len(d.Nodes) == 2 {
			angle -= math.Pi / 2 // side by side
		}
		d.Nodes[k].X = round(float64(d.Width)/2 + rx*math.Cos(angle))
		d.Nodes[k].Y = round(float64(d.Height)/2 + ry*math.Sin(angle))
	}
	if len(d.Nodes) == 2 {
		d.Height = nodeHeight + 2*margin + 30
		for k := range d.Nodes {
			d.Nodes[k].Y = float64(d.Height) / 2
		}
	}
}

// arrow draws the transition b.
func (d *diagram) arrow(b *bin, from, to int, s *scale) arrow {
	a := arrow{bin: b, Stroke: 1}
	if b.Hits > 0 {
		a.Stroke = round(1.2 + 3.6*s.place(b.Hits))
		if len(d.Nodes) <= maxLabels {
			a.Text = short(b.Hits)
		}
	}
	if from == to {
		d.loop(&a, d.Nodes[from])
		return a
	}
	p, q := d.Nodes[from], d.Nodes[to]
	dx, dy := q.X-p.X, q.Y-p.Y
	length := math.Hypot(dx, dy)
	bend := min(36, max(16, 0.14*length))
	cx, cy := (p.X+q.X)/2+bend*dy/length, (p.Y+q.Y)/2-bend*dx/length
	x0, y0 := p.edge(cx, cy, 2)
	tipX, tipY := q.edge(cx, cy, 3)
	size := 5 + a.Stroke
	x1, y1 := back(cx, cy, tipX, tipY, size-1)
	a.Path = fmt.Sprintf("M%.1f %.1fQ%.1f %.1f %.1f %.1f", x0, y0, cx, cy, x1, y1)
	a.Head = head(cx, cy, tipX, tipY, size)
	a.X, a.Y = along(0.38, x0, cx, x1), along(0.38, y0, cy, y1)
	return a
}

// loop draws a transition of a state to itself, on the side away from the
// middle.
func (d *diagram) loop(a *arrow, n node) {
	side := 1.0
	if n.Y < float64(d.Height)/2 {
		side = -1
	}
	y := n.Y + side*nodeHeight/2
	top := y + side*24
	tip := y + side*2
	size := 5 + a.Stroke
	x1, y1 := back(n.X+14, top, n.X+8, tip, size-1)
	a.Path = fmt.Sprintf("M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f", n.X-8, y, n.X-18, top, n.X+18, top, x1, y1)
	a.Head = head(n.X+14, top, n.X+8, tip, size)
	a.X, a.Y = n.X, top+side*2
}

// edge is where the way from the node's centre to (x, y) leaves its box, and
// a gap further.
func (n node) edge(x, y, gap float64) (float64, float64) {
	dx, dy := x-n.X, y-n.Y
	t := math.Inf(1)
	if dx != 0 {
		t = min(t, (n.Width/2+gap)/math.Abs(dx))
	}
	if dy != 0 {
		t = min(t, (nodeHeight/2+gap)/math.Abs(dy))
	}
	return n.X + t*dx, n.Y + t*dy
}

// back goes from (x, y) a distance back towards (fromX, fromY).
func back(fromX, fromY, x, y, distance float64) (float64, float64) {
	length := max(math.Hypot(x-fromX, y-fromY), 1e-9)
	return x - distance*(x-fromX)/length, y - distance*(y-fromY)/length
}

// head is the triangle of an arrow that comes from (fromX, fromY).
func head(fromX, fromY, x, y, size float64) string {
	bx, by := back(fromX, fromY, x, y, size)
	nx, ny := (y-by)*0.45, (bx-x)*0.45
	return fmt.Sprintf("%.1f,%.1f %.1f,%.1f %.1f,%.1f", x, y, bx+nx, by+ny, bx-nx, by-ny)
}

// along is the place t, 0 to 1, on a quadratic curve in one dimension.
func along(t, from, control, to float64) float64 {
	return round((1-t)*(1-t)*from + 2*t*(1-t)*control + t*t*to)
}

func round(x float64) float64 { return math.Round(10*x) / 10 }
