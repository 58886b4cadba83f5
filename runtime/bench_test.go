package ijon

import "testing"

func enabled(b *testing.B) {
	Enable()
	b.Cleanup(disable)
	Begin(1)
	b.ReportAllocs()
	b.ResetTimer()
}

// BenchmarkCounter is the increment that a rewritten block makes; numCounters
// is 0 here, so it goes to the padding.
func BenchmarkCounter(b *testing.B) {
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		Cov[CovBase]++
	}
}

func BenchmarkMax(b *testing.B) {
	id := Declare(VerbMax, "bench")
	enabled(b)
	for i := 0; i < b.N; i++ {
		MaxUint(id, uint64(i)&255)
	}
}

func BenchmarkMaxImproving(b *testing.B) {
	id := Declare(VerbMax, "bench")
	enabled(b)
	for i := 0; i < b.N; i++ {
		MaxUint(id, uint64(i))
	}
}

func BenchmarkMaxInert(b *testing.B) {
	id := Declare(VerbMax, "bench")
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		MaxUint(id, uint64(i))
	}
}

func BenchmarkSet(b *testing.B) {
	id := Declare(VerbSet, "bench")
	enabled(b)
	for i := 0; i < b.N; i++ {
		Set(id, HashUint(Hash, uint64(i)&7))
	}
}

func BenchmarkInc(b *testing.B) {
	id := Declare(VerbInc, "bench")
	enabled(b)
	for i := 0; i < b.N; i++ {
		Inc(id, HashUint(Hash, uint64(i)&7))
	}
}

func BenchmarkCover(b *testing.B) {
	id := Declare(VerbCover, "bench")
	enabled(b)
	for i := 0; i < b.N; i++ {
		Cover(id)
	}
}

// BenchmarkStep is an event of a system with 16 set annotations of which two change.
func BenchmarkStep(b *testing.B) {
	ids := make([]ID, 16)
	for i := range ids {
		ids[i] = Declare(VerbSet, "bench "+string(rune('a'+i)))
	}
	enabled(b)
	for i := 0; i < b.N; i++ {
		for j, id := range ids {
			v := 0
			if j == i%16 || j == (i+1)%16 {
				v = i & 3
			}
			Set(id, HashUint(Hash, uint64(v)))
		}
		Step()
	}
}

// BenchmarkBegin is the bookkeeping of a run that touched little.
func BenchmarkBegin(b *testing.B) {
	id := Declare(VerbMax, "bench")
	enabled(b)
	for i := 0; i < b.N; i++ {
		Begin(uint64(i))
		MaxUint(id, 3)
		End()
	}
}

func BenchmarkState(b *testing.B) {
	id := Declare(VerbState, "bench")
	enabled(b)
	for i := 0; i < b.N; i++ {
		State(id, uint64(i)&3, HashUint(Hash, uint64(i)&7))
	}
}

func BenchmarkStack(b *testing.B) {
	id := Declare(VerbStackMax, "bench")
	enabled(b)
	for i := 0; i < b.N; i++ {
		MaxUintBy(id, Stack(), uint64(i)&255)
	}
}

// BenchmarkContext is a function that opens one context and reports one
// situation in it.
func BenchmarkContext(b *testing.B) {
	id := Declare(VerbSet, "bench")
	enabled(b)
	for i := 0; i < b.N; i++ {
		f := CtxEnter()
		Ctx(1, uint64(i)&7)
		SetTuple(id, 1)
		CtxExit(f)
	}
}
