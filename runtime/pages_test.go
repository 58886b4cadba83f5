package ijon

import "testing"

func TestPagesOfTheEdgeCounters(t *testing.T) {
	tests := []struct{ counters, size, page, from, to uintptr }{
		{0x12345, 0x100, 0x1000, 0x12000, 0x13000},
		{0x12f80, 0x100, 0x1000, 0x12000, 0x14000},
		{0x12000, 0x1000, 0x1000, 0x12000, 0x13000},
	}
	for _, tt := range tests {
		from, to, err := wholePages(tt.counters, tt.size, tt.page)
		if from != tt.from || to != tt.to || err != nil {
			t.Errorf("%+v: %#x to %#x, %v", tt, from, to, err)
		}
	}
	const large = 4 * CovBase * counterSize
	if _, _, err := wholePages(large+large/2, 64, large); err == nil {
		t.Error("a page that others lie in is taken")
	}
}
