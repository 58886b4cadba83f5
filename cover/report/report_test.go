package report

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ijongo/ijongo/cover"
)

var update = flag.Bool("update", false, "write the golden files")

// written is the report of d.
func written(t testing.TB, d Data) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, d); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// scripts are the scripts and styles of a page.
var scripts = regexp.MustCompile(`(?s)<(script|style)[^>]*>.*?</(script|style)>`)

// TestParts compares parts of the report of a small profile with files that
// can be read.
func TestParts(t *testing.T) {
	text, err := os.ReadFile("../testdata/cluster.txt")
	if err != nil {
		t.Fatal(err)
	}
	profile, err := cover.Parse("cluster.txt", string(text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := newPage(&Data{
		Profile: profile,
		Command: func(first string) string { return "ijongo replay " + first },
		Samples: raftSamples()[:3],
		Source:  func(string) ([]byte, error) { return []byte(strings.Repeat("\tx := 1 << 2\n", 12)), nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"tree", "summary", "holes", "growth", "package", "sources"} {
		t.Run(part, func(t *testing.T) {
			var b bytes.Buffer
			var data any = p
			if part == "package" {
				data = p.Packages[0]
			}
			if err := pages.ExecuteTemplate(&b, part, data); err != nil {
				t.Fatal(err)
			}
			golden(t, filepath.Join("testdata", part+".html"), b.Bytes())
		})
	}
}

func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; go test -run TestParts -update writes it anew. Now it is\n%s", path, got)
	}
}

// TestComplete looks for all that the data has in the document, without its
// scripts.
func TestComplete(t *testing.T) {
	d := raftData(t)
	page := scripts.ReplaceAllString(written(t, d), "")
	want := []string{"stale read: node 2", "committed was 5 when", "deliver  1→2    MsgVote term 2", d.Failures[0].Command}
	for _, i := range d.Profile.Items {
		want = append(want, i.Name, i.Expr)
		for k := range i.Bins {
			b := &i.Bins[k]
			if want = append(want, b.Name); b.Hits > 0 {
				want = append(want, d.Command(b.First), hits(b.Hits))
			}
		}
	}
	for _, e := range d.Profile.Edges {
		want = append(want, e.Func)
	}
	plain := strings.NewReplacer("&gt;", ">", "&lt;", "<", "&#43;", "+", "&amp;", "&").Replace(page)
	for _, w := range want {
		if !strings.Contains(plain, w) {
			t.Errorf("the document does not have %q", w)
		}
	}
	for _, part := range []string{"<polyline", `class="arrow hole"`, `<table class="heat" aria-label="role (down) by lead (across)`, `class="hole l0">0/4<`, "The text of this file is not there: open tracker/progress.go: no such file"} {
		if !strings.Contains(page, part) {
			t.Errorf("the document does not have %s", part)
		}
	}
}

// TestSelfContained sees that nothing of a report lies elsewhere.
func TestSelfContained(t *testing.T) {
	page := written(t, raftData(t))
	for _, banner := range []string{"https://github.com/leeoniya/uPlot"} {
		if strings.Count(page, banner) != 1 {
			t.Errorf("%d times %s, the library's own banner", strings.Count(page, banner), banner)
		}
		page = strings.ReplaceAll(page, banner, "")
	}
	elsewhere := regexp.MustCompile(`https?:|\bsrc=|\burl\(|@import|\bfetch\(|XMLHttpRequest|WebSocket|<link|<iframe|href="[^#]`)
	for _, at := range elsewhere.FindAllStringIndex(page, -1) {
		t.Errorf("%s", page[max(0, at[0]-40):min(len(page), at[1]+40)])
	}
	if !strings.Contains(page, "The MIT License (MIT)") {
		t.Error("the library is there without its licence")
	}
	if other := written(t, Data{Profile: raftProfile()}); strings.Contains(other, "uPlot (v") {
		t.Error("the library is there without charts")
	}
}

// TestHostileNames sees that names stay text.
func TestHostileNames(t *testing.T) {
	page := written(t, hostileData())
	benign := written(t, raftData(t))
	for _, tag := range []string{"<script", "</script", "<style", "</style"} {
		if got, want := strings.Count(scriptsOf(page), tag), strings.Count(scriptsOf(benign), tag); got == 0 || want == 0 {
			t.Errorf("no %s", tag)
		}
	}
	rest := scripts.ReplaceAllString(page, "")
	for _, bad := range []string{"<script", "<img", "<style", "window.hacked=1</"} {
		if strings.Contains(rest, bad) {
			t.Errorf("a name became %s", bad)
		}
	}
	for _, script := range scripts.FindAllString(page, -1) {
		if strings.Contains(script, "window.hacked=1</script>") || strings.Contains(script, "<img") {
			t.Errorf("a name got out of %.60s", script)
		}
	}
}

// scriptsOf is the scripts and styles of a page.
func scriptsOf(page string) string { return strings.Join(scripts.FindAllString(page, -1), "\n") }

// TestPolicy sees that the page allows exactly its own scripts.
func TestPolicy(t *testing.T) {
	page := written(t, raftData(t))
	policy := regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(page)
	if policy == nil || !strings.HasPrefix(policy[1], "default-src &#39;none&#39;;") {
		t.Fatalf("policy %q", policy)
	}
	b, err := newBundle(true)
	if err != nil {
		t.Fatal(err)
	}
	for _, script := range []string{string(b.Charts), string(b.Script)} {
		if !strings.Contains(page, ">"+script+"</script>") {
			t.Errorf("the script that begins with %.40q is not on the page as it was hashed", script)
		}
	}
}

func TestSameTwice(t *testing.T) {
	first, second := written(t, raftData(t)), written(t, raftData(t))
	if first != second {
		t.Error("two reports of the same data differ")
	}
}

func TestEmpty(t *testing.T) {
	page := written(t, Data{Profile: &cover.Profile{Module: "example.com/none"}})
	for _, want := range []string{"example.com/none", "None: every goal is covered."} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q", want)
		}
	}
}

// A full writer takes n bytes.
type full struct{ n int }

var errFull = errors.New("no space left")

func (f *full) Write(p []byte) (int, error) {
	if f.n -= len(p); f.n < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWriteError(t *testing.T) {
	if err := Write(&full{100_000}, raftData(t)); !errors.Is(err, errFull) {
		t.Errorf("error %v", err)
	}
}

// BenchmarkWrite writes reports of many bins: in crosses of 500, and in one.
func BenchmarkWrite(b *testing.B) {
	for name, d := range map[string]Data{"10000bins": largeData(10000), "1cross": oneCross(100, 100)} {
		b.Run(name, func(b *testing.B) {
			n := new(counter)
			for b.Loop() {
				*n = 0
				if err := Write(n, d); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(*n)/1e6, "MB/page")
		})
	}
}

// A counter counts what is written to it.
type counter int

func (n *counter) Write(p []byte) (int, error) {
	*n += counter(len(p))
	return len(p), nil
}
