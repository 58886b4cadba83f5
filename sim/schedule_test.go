package sim

import (
	"bytes"
	"math/rand"
	"reflect"
	"testing"

	ijon "github.com/ijongo/ijongo/runtime"
)

var twoKinds = &Format{Config: 3, Kinds: []ijon.Kind{{Name: "a", Weight: 1}, {Name: "b", Weight: 3}}}

func TestEveryInputDecodes(t *testing.T) {
	full := []byte{1, 2, 3, 4, 5, 6, 7, 8, 21, 22, 23, 7, 31, 32, 33, 0, 41, 42, 43}
	tests := []struct {
		name   string
		data   []byte
		seed   uint64
		config []byte
		events []Event
	}{
		{"empty", nil, 0, []byte{0, 0, 0}, nil},
		{"half a seed", full[:3], 0x030201, []byte{0, 0, 0}, nil},
		{"half a configuration", full[:9], 0x0807060504030201, []byte{21, 0, 0}, nil},
		{"half a record", full[:14], 0x0807060504030201, []byte{21, 22, 23}, nil},
		{"a record", full[:15], 0x0807060504030201, []byte{21, 22, 23}, []Event{{1, 31, 32, 33}}},
		{"two records", full, 0x0807060504030201, []byte{21, 22, 23}, []Event{{1, 31, 32, 33}, {0, 41, 42, 43}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			config := []byte{9, 9, 9}
			twoKinds.Configuration(test.data, config)
			var events []Event
			for i := 0; i < twoKinds.Events(test.data); i++ {
				events = append(events, twoKinds.Event(test.data, i))
			}
			if seed := twoKinds.Seed(test.data); seed != test.seed {
				t.Errorf("seed %x, want %x", seed, test.seed)
			}
			if !bytes.Equal(config, test.config) {
				t.Errorf("configuration %v, want %v", config, test.config)
			}
			if !reflect.DeepEqual(events, test.events) {
				t.Errorf("events %v, want %v", events, test.events)
			}
		})
	}
}

func TestEncodingDecodes(t *testing.T) {
	want := []Event{{1, 2, 3, 4}, {0, 255, 0, 9}}
	data := twoKinds.Header(77, 5, 6, 7)
	for _, e := range want {
		data = twoKinds.Append(data, e)
	}
	if twoKinds.Seed(data) != 77 || twoKinds.Events(data) != len(want) {
		t.Fatalf("seed %d, %d events", twoKinds.Seed(data), twoKinds.Events(data))
	}
	for i, e := range want {
		if got := twoKinds.Event(data, i); got != e {
			t.Errorf("event %d is %v, want %v", i, got, e)
		}
	}
}

func TestRandomMixesKindsByWeight(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	l := twoKinds.Layout()
	count, without := [2]int{}, [2]int{}
	var buf []byte
	for i := 0; i < 2000; i++ {
		buf = Random(rng, l, 50, buf)
		if len(buf) != l.Header+50*l.Record {
			t.Fatalf("%d bytes", len(buf))
		}
		seen := [2]int{}
		for k := 0; k < 50; k++ {
			seen[twoKinds.Event(buf, k).Kind]++
		}
		for k := range seen {
			count[k] += seen[k]
			if seen[k] == 0 {
				without[k]++
			}
		}
	}
	if r := float64(count[1]) / float64(count[0]); r < 2 || r > 4 {
		t.Errorf("kind b is %.2f times as frequent as kind a, want about 3", r)
	}
	if without[0] < 100 || without[1] < 100 {
		t.Errorf("inputs without a kind: %v of 2000; swarm testing leaves each out now and then", without)
	}
}

func TestRandomIsAFunctionOfItsSource(t *testing.T) {
	a := Random(rand.New(rand.NewSource(5)), twoKinds.Layout(), 30, nil)
	b := Random(rand.New(rand.NewSource(5)), twoKinds.Layout(), 30, make([]byte, 1000))
	if !bytes.Equal(a, b) {
		t.Error("two inputs of one source")
	}
}

func BenchmarkRandom(b *testing.B) {
	rng := rand.New(rand.NewSource(1))
	b.ReportAllocs()
	var buf []byte
	for i := 0; i < b.N; i++ {
		buf = Random(rng, twoKinds.Layout(), 400, buf)
	}
}
