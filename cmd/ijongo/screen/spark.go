package screen

import "strings"

var levels = []rune("▁▂▃▄▅▆▇█")

// spark draws values from 0 to the largest in width columns, the latest at the
// right; of more values than columns it shows the last of each share.
func spark(values []float64, width int) string {
	if width <= 0 || len(values) == 0 {
		return ""
	}
	width = min(width, len(values))
	var most float64
	for _, v := range values {
		most = max(most, v)
	}
	var b strings.Builder
	for k := range width {
		v := values[(k+1)*len(values)/width-1]
		level := 0
		if most > 0 {
			level = min(int(v/most*float64(len(levels))), len(levels)-1)
		}
		b.WriteRune(levels[level])
	}
	return b.String()
}

// bar is a share of width columns, in eighths of a column.
func bar(share float64, width int) string {
	const eighths = " ▏▎▍▌▋▊▉█"
	parts := []rune(eighths)
	n := int(max(0, min(share, 1))*float64(8*width) + 0.5)
	text := strings.Repeat(string(parts[8]), n/8)
	if n%8 > 0 {
		text += string(parts[n%8])
	}
	return text + strings.Repeat(" ", width-n/8-min(n%8, 1))
}
