package ijon

import "testing"

func TestOffer(t *testing.T) {
	if v := Offered("example.com/m"); v != nil {
		t.Errorf("nothing was offered, and there is %v", v)
	}
	Offer("example.com/m", 1)
	Offer("example.com/m", 2)
	if v := Offered("example.com/m"); v != 2 {
		t.Errorf("got %v, want 2", v)
	}
}
