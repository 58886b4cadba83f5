package report

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// A growth is the charts of a campaign.
type growth struct {
	Channels []*chart
	Best     []*chart
	Arms     *chart
	Data     *chartData // for the script
	Last     Sample
}

// A chart is one chart as it is without the script: polylines.
type chart struct {
	N      int // in chartData
	Title  string
	Verb   string // of the annotation
	Last   string // value at the end
	Low    string // bounds of the vertical axis
	High   string
	End    string // of the horizontal axis
	Lines  []line
	Failed []float64 // where a failure was found, 0 to chartWidth
}

// A line is one polyline.
type line struct {
	Name   string
	Points string
	Class  int
}

// chartData is all charts as the script reads them. A value that is not
// there is null.
type chartData struct {
	Time   []float64   `json:"time"`   // seconds
	Runs   []uint64    `json:"runs"`   //
	Failed []float64   `json:"failed"` // seconds
	Charts []seriesSet `json:"charts"`
}

type seriesSet struct {
	Names  []string     `json:"names"`
	Values [][]*float64 `json:"values"`
}

// The size of a chart in its own units.
const (
	chartWidth  = 300
	chartHeight = 60
)

// maxSamples is how many samples the page has; more are thinned out.
const maxSamples = 800

// newGrowth makes the charts, or nil if there are no two samples.
func newGrowth(samples []Sample) *growth {
	if len(samples) < 2 {
		return nil
	}
	failed := failureTimes(samples)
	samples = thin(samples)
	g := &growth{Last: samples[len(samples)-1], Data: &chartData{Failed: failed}}
	for _, s := range samples {
		g.Data.Time = append(g.Data.Time, s.Elapsed.Seconds())
		g.Data.Runs = append(g.Data.Runs, s.Runs)
	}
	g.channels(samples)
	g.best(samples)
	g.arms(samples)
	return g
}

// thin leaves out samples where they are too many, never the last.
func thin(samples []Sample) []Sample {
	n := len(samples)
	if n <= maxSamples {
		return samples
	}
	out := make([]Sample, maxSamples)
	for k := range out {
		out[k] = samples[k*(n-1)/(maxSamples-1)]
	}
	return out
}

// failureTimes is when the count of failures went up, in seconds.
func failureTimes(samples []Sample) []float64 {
	times := []float64{}
	known := 0
	for _, s := range samples {
		if s.Failures > known {
			times = append(times, s.Elapsed.Seconds())
		}
		known = s.Failures // a campaign that goes on counts anew
	}
	return times
}

// channels makes a chart for each channel that is ever above zero.
func (g *growth) channels(samples []Sample) {
	var names []string
	for _, s := range samples {
		for _, c := range s.Counts {
			if c.N > 0 {
				names = include(names, c.Name)
			}
		}
	}
	for _, name := range names {
		values := make([]*float64, len(samples))
		for k, s := range samples {
			for _, c := range s.Counts {
				if c.Name == name {
					values[k] = number(float64(c.N))
				}
			}
		}
		g.Channels = append(g.Channels, g.chart(name, "", []string{name}, [][]*float64{values}))
	}
}

// best makes a chart for each annotation that has a best value.
func (g *growth) best(samples []Sample) {
	type annotation struct{ verb, name string }
	var order []annotation
	values := make(map[annotation][]*float64)
	for k, s := range samples {
		for _, b := range s.Best {
			x, err := strconv.ParseFloat(strings.TrimPrefix(b.Value, "gap "), 64)
			if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
				continue
			}
			id := annotation{b.Verb, b.Name}
			if values[id] == nil {
				values[id] = make([]*float64, len(samples))
				order = append(order, id)
			}
			values[id][k] = number(x)
		}
	}
	for _, id := range order {
		g.Best = append(g.Best, g.chart(id.name, id.verb, []string{id.name}, [][]*float64{values[id]}))
	}
}

// arms makes one chart of the shares of all arms.
func (g *growth) arms(samples []Sample) {
	var names []string
	for _, s := range samples {
		for _, a := range s.Arms {
			names = include(names, a.Name)
		}
	}
	if names == nil {
		return
	}
	values := make([][]*float64, len(names))
	for n, name := range names {
		values[n] = make([]*float64, len(samples))
		for k, s := range samples {
			for _, a := range s.Arms {
				if a.Name == name {
					values[n][k] = number(100 * a.Share)
				}
			}
		}
	}
	g.Arms = g.chart("share of the time, by way of making inputs, in percent", "", names, values)
}

func include(names []string, name string) []string {
	for _, known := range names {
		if known == name {
			return names
		}
	}
	return append(names, name)
}

func number(x float64) *float64 { return &x }

// chart adds a chart to the data and draws it.
func (g *growth) chart(title, verb string, names []string, values [][]*float64) *chart {
	c := &chart{N: len(g.Data.Charts), Title: title, Verb: verb}
	g.Data.Charts = append(g.Data.Charts, seriesSet{names, values})
	end := g.Data.Time[len(g.Data.Time)-1]
	c.End = duration(time.Duration(end * float64(time.Second)))
	low, high := bounds(values)
	c.Low, c.High = plainNumber(low), plainNumber(high)
	for n, name := range names {
		c.Lines = append(c.Lines, line{name, polyline(g.Data.Time, values[n], low, high), n % 6})
		for _, v := range values[n] {
			if v != nil {
				c.Last = plainNumber(*v)
			}
		}
	}
	for _, t := range g.Data.Failed {
		c.Failed = append(c.Failed, math.Round(chartWidth*t/max(end, 1e-9)))
	}
	return c
}

// bounds is the smallest and the largest value, and zero if all are above it.
func bounds(values [][]*float64) (low, high float64) {
	for _, list := range values {
		for _, v := range list {
			if v != nil {
				low, high = min(low, *v), max(high, *v)
			}
		}
	}
	return low, high
}

// polyline is the points of a line, without those that lie on the way.
func polyline(time []float64, values []*float64, low, high float64) string {
	var b strings.Builder
	end := max(time[len(time)-1], 1e-9)
	height := max(high-low, 1e-9)
	previous, skipped := "", ""
	for k, v := range values {
		if v == nil {
			continue
		}
		x := strconv.FormatFloat(chartWidth*time[k]/end, 'f', 1, 64)
		y := strconv.FormatFloat(chartHeight-chartHeight*(*v-low)/height, 'f', 1, 64)
		if y == previous {
			skipped = x
			continue
		}
		if skipped != "" {
			b.WriteString(skipped + "," + previous + " ")
		}
		b.WriteString(x + "," + y + " ")
		previous, skipped = y, ""
	}
	if skipped != "" {
		b.WriteString(skipped + "," + previous)
	}
	return strings.TrimSpace(b.String())
}

// plainNumber is x with commas, or with few decimals.
func plainNumber(x float64) string {
	if x >= 0 && x < 1e15 && x == math.Trunc(x) {
		return hits(uint64(x))
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}
