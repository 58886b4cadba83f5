package table

import (
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A grid is rows of cells that are printed in columns. A row of one cell is a
// heading and takes part in no column.
type grid struct {
	right map[int]bool // columns whose cells are moved to the right
	rows  [][]string
}

func (g *grid) row(cells ...string) {
	for k, c := range cells {
		cells[k] = oneLine(c)
	}
	g.rows = append(g.rows, cells)
}

// oneLine keeps an expression that was written over lines in its row.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
}

// gap is the number of blanks between columns.
const gap = 2

func (g *grid) write(w io.Writer) error {
	var width []int
	for _, row := range g.rows {
		for k, c := range row {
			if len(row) == 1 {
				break
			}
			if k == len(width) {
				width = append(width, 0)
			}
			width[k] = max(width[k], utf8.RuneCountInString(c))
		}
	}
	var b strings.Builder
	for _, row := range g.rows {
		line := ""
		for k, c := range row {
			fill := ""
			if len(row) > 1 {
				fill = strings.Repeat(" ", width[k]-utf8.RuneCountInString(c))
			}
			if k > 0 {
				line += strings.Repeat(" ", gap)
			}
			if g.right[k] {
				line += fill + c
			} else {
				line += c + fill
			}
		}
		b.WriteString(strings.TrimRight(line, " "))
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}
