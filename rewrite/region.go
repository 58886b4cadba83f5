package rewrite

import (
	"fmt"

	"github.com/ijongo/ijongo/annot"
)

// skipRegions notes the parts of a file that directives exclude.
func (prog *program) skipRegions(f *file, regions []*annot.Region) {
	f.regions = regions
	for _, r := range regions {
		skipped := Skipped{File: prog.display(f.name), Reason: "ijon:" + string(r.Verb), Pos: prog.displayPosition(r.Pos)}
		switch {
		case r.Place == annot.InFile:
			f.skipped = describeRegion(r)
		case r.Func != nil:
			skipped.Func = annot.FuncName(r.Func)
		default:
			skipped.Func = "init" // a literal in a declaration
		}
		prog.skipped = append(prog.skipped, skipped)
	}
}

// describeRegion says why what is in a region has no effect.
func describeRegion(r *annot.Region) string {
	return fmt.Sprintf("ijon:%s at line %d", r.Verb, r.Pos.Line)
}

// regionAt is the excluded region around an offset, or nil.
func (f *file) regionAt(offset int) *annot.Region {
	for _, r := range f.regions {
		if r.Contains(offset) {
			return r
		}
	}
	return nil
}
