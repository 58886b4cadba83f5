package ijon

// Observed tells whether anybody counts what groups sample. Instrumented code
// evaluates the points of a sample only if so.
func Observed() bool { return counting }

// Recover, deferred round the evaluation of a point or an event, keeps a
// panic of its expression from the program.
func Recover() {
	if v, ok := recover().(*Violation); ok {
		panic(v)
	}
}

// GuardGroup, deferred round a sample of the i-th group that the rewriter
// injected, keeps a panic of its key or its guard from the program. The sample
// is left out, and counted at every point as skipped.
func GuardGroup(i int) {
	r := recover()
	if r == nil {
		return
	}
	if v, ok := r.(*Violation); ok {
		panic(v)
	}
	SkipGroup(i)
}

// SkipGroup counts a sample of the i-th group that the rewriter injected as
// skipped at every point.
func SkipGroup(i int) {
	for _, p := range program.injected[i].points {
		hitCell(p[beforeBins+Panicked], noCell)
	}
}
