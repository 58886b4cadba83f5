package lines

import (
	"bufio"
	"fmt"
	"io"

	"github.com/ijongo/ijongo/cover"
)

// WriteLCOV writes the edges of a profile as an LCOV tracefile, as geninfo(1)
// of LCOV describes it. The function where tells the path of a file that the
// profile names; nil leaves the names as they are. Run genhtml in the folder
// that the paths are relative to: for the names that is the module's root.
func WriteLCOV(w io.Writer, p *cover.Profile, where func(name string) string) error {
	list, err := files(p, where)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	for _, f := range list {
		f.lcov(b)
	}
	return b.Flush() // and the first error before it
}

func (f *file) lcov(w *bufio.Writer) {
	var t tally
	t.add(f.lines)
	t.addFuncs(f.funcs)
	fmt.Fprintf(w, "TN:\nSF:%s\n", f.path)
	for _, fn := range f.funcs {
		fmt.Fprintf(w, "FN:%d,%s\n", fn.line, fn.name)
	}
	for _, fn := range f.funcs {
		fmt.Fprintf(w, "FNDA:%d,%s\n", fn.hits, fn.name)
	}
	fmt.Fprintf(w, "FNF:%d\nFNH:%d\n", t.funcs, t.funcsHit)
	for _, l := range f.lines {
		for k, hits := range l.branches {
			fmt.Fprintf(w, "BRDA:%d,0,%d,%d\n", l.number, k, hits)
		}
	}
	fmt.Fprintf(w, "BRF:%d\nBRH:%d\n", t.branches, t.branchesHit)
	for _, l := range f.lines {
		fmt.Fprintf(w, "DA:%d,%d\n", l.number, l.hits)
	}
	fmt.Fprintf(w, "LF:%d\nLH:%d\nend_of_record\n", t.lines, t.linesHit)
}
