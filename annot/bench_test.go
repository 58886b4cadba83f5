package annot_test

import (
	"bytes"
	"go/build"
	"os"
	"path/filepath"
	"testing"

	"github.com/ijongo/ijongo/annot"
)

// BenchmarkParseFile is the cost beside go/parser's: of a large file without
// directives, and of the same file with one behind each of its lines.
func BenchmarkParseFile(b *testing.B) {
	src, err := os.ReadFile(filepath.Join(build.Default.GOROOT, "src", "reflect", "value.go"))
	if err != nil {
		b.Skip(err)
	}
	ends := lineEnds(src, tokenEnds(src))
	dense := mark("", src, ends, " //ijon:max n + 1; if n > 0")
	b.Run("none", func(b *testing.B) { benchmarkParseFile(b, src) })
	b.Run("every-line", func(b *testing.B) { benchmarkParseFile(b, dense.src) })
}

func benchmarkParseFile(b *testing.B, src []byte) {
	fset, file := parseGo(b, "value.go", src)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		annot.ParseFile(fset, file, src)
	}
}

func BenchmarkParseSidecar(b *testing.B) {
	line := []byte("at (*raft).Step exit : set r.state, m.Type; by r.id; if r.id != 0\n")
	src := append([]byte("ijon 1\npackage p\n"), bytes.Repeat(line, 100)...)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, errs := annot.ParseSidecar("s.ijon", src); len(errs) > 0 {
			b.Fatal(errs)
		}
	}
}
