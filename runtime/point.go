package ijon

import (
	"errors"
	"fmt"
)

// A point is the cells of its bins, behind those for Panicked, Outside and
// NotSampled: what a sample says of it is an index, but for an addition.
type point []cell

const beforeBins = 3

func (b *builder) point(s *PointSpec) error {
	if err := b.begin("point", &s.ItemSpec); err != nil {
		return err
	}
	if len(s.Bins) == 0 {
		return errors.New("it has no bins")
	}
	p := make(point, beforeBins, beforeBins+len(s.Bins))
	names := make(map[string]bool)
	for _, bin := range s.Bins {
		switch {
		case bin.Name == "" || names[bin.Name]:
			return fmt.Errorf("bin %q: names of bins are not empty, and differ", bin.Name)
		case bin.Kind != Goal && bin.Kind != Never:
			return fmt.Errorf("bin %s: kind %q, want Goal or Never", bin.Name, bin.Kind)
		}
		names[bin.Name] = true
		c, err := b.bin(BinInfo{Name: bin.Name, Kind: bin.Kind})
		if err != nil {
			return err
		}
		p = append(p, c)
	}
	var err error
	if p[beforeBins+Outside], err = b.bin(BinInfo{Name: "outside", Kind: Info}); err != nil {
		return err
	}
	if p[beforeBins+Panicked], err = b.bin(BinInfo{Name: "skipped", Kind: Info}); err != nil {
		return err
	}
	p[beforeBins+NotSampled] = noCell
	b.group.points = append(b.group.points, p)
	return nil
}
