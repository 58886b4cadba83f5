package report

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

var screenshots = flag.String("screenshots", "", "write screenshots of the report into this `folder`")

// The size of the window.
const width, height = 1360, 900

// openBrowser starts Chromium without a window, for the whole test. The test
// is skipped where there is none, unless IJONGO_BROWSER is "required".
func openBrowser(t *testing.T) context.Context {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		if os.Getenv("IJONGO_BROWSER") == "required" {
			t.Fatal("no chromium in PATH, and IJONGO_BROWSER=required (install Debian's package chromium)")
		}
		t.Skip("no chromium in PATH (Debian's package chromium has it)")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()), chromedp.WindowSize(width, height),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 5*time.Minute) // for all, on a busy machine
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// A tab shows one report, and notes what it must not do.
type tab struct {
	*testing.T
	ctx  context.Context
	url  string
	load time.Duration

	mu     sync.Mutex
	faults []string // errors on the console, requests other than that of the page
}

// open writes the report of d and shows it. Whatever is wrong with it on the
// console or the network fails the test at its end. Before it is loaded,
// setUp is run.
func open(t *testing.T, browser context.Context, d Data, setUp ...chromedp.Action[chromedp.Void]) *tab {
	t.Helper()
	var page bytes.Buffer
	if err := Write(&page, d); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(path, page.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	tab := &tab{T: t, ctx: ctx, url: "file://" + path}
	if err := chromedp.Listen(ctx, tab.note); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	tab.do(setUp...)
	begin := time.Now()
	tab.do(chromedp.Navigate(tab.url))
	tab.load = time.Since(begin)
	t.Cleanup(func() {
		for _, fault := range tab.faults {
			t.Error(fault)
		}
	})
	return tab
}

func (t *tab) note(event any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if e.Request.URL != t.url {
			t.faults = append(t.faults, "request: "+e.Request.URL)
		}
	case *runtime.EventExceptionThrown:
		t.faults = append(t.faults, "exception: "+e.ExceptionDetails.Text+" "+e.ExceptionDetails.Exception.Description)
	case *runtime.EventConsoleAPICalled:
		t.faults = append(t.faults, fmt.Sprintf("console: %s", e.Args[0].Value))
	}
}

func (t *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(t.ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// eval is the value of an expression of JavaScript.
func eval[V any](t *tab, expression string) V {
	t.Helper()
	v, err := chromedp.Run(t.ctx, chromedp.Evaluate[V](expression))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// press types keys into what has the focus, and waits until the page has drawn
// what they do. Unlike chromedp.KeyEvent it types no character where the page
// has taken the key for itself, as a browser does.
func (t *tab) press(keys string) {
	t.Helper()
	for _, r := range keys {
		k := kb.Keys[r]
		if k == nil {
			t.Fatalf("no key for %q", r)
		}
		event := input.DispatchKeyEventParams{Type: kb.KeyDown, Key: k.Key, Code: k.Code, Text: k.Text, WindowsVirtualKeyCode: k.Windows}
		for _, event.Type = range []input.DispatchKeyEventType{kb.KeyDown, kb.KeyUp} {
			if _, err := chromedp.Call(t.ctx, input.DispatchKeyEvent, event); err != nil {
				t.Fatal(err)
			}
			event.Text = ""
		}
	}
	t.settle()
}

// settle waits until the page has drawn what has changed.
func (t *tab) settle() {
	t.Helper()
	const twoFrames = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
	if _, err := chromedp.Run(t.ctx, chromedp.Evaluate[bool](twoFrames, chromedp.EvalAwaitPromise)); err != nil {
		t.Fatal(err)
	}
}

// want fails the test if an expression of JavaScript is not true.
func (t *tab) want(expression string) {
	t.Helper()
	if !eval[bool](t, expression) {
		t.Errorf("not true: %s", expression)
	}
}

// await waits until an expression of JavaScript is true.
func (t *tab) await(expression string) {
	t.Helper()
	if _, err := chromedp.Run(t.ctx, chromedp.Poll[bool](expression, chromedp.WithPollingTimeout(10*time.Second))); err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
}

// look writes a screenshot of the page, if they are asked for: of all of it
// if it is not too long, in a window that is as high, because what is out of
// sight is not drawn.
func (t *tab) look(name string) {
	t.Helper()
	if *screenshots == "" {
		return
	}
	wide, high := eval[int64](t, "innerWidth"), eval[int64](t, "document.documentElement.scrollHeight")
	t.do(chromedp.EmulateViewport(wide, min(high, 6000)))
	t.settle()
	t.capture(name)
	t.do(chromedp.EmulateViewport(wide, height))
}

// capture writes a screenshot of the window, if they are asked for.
func (t *tab) capture(name string) {
	t.Helper()
	if *screenshots == "" {
		return
	}
	image, err := chromedp.Run(t.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*screenshots, name+".png"), image, 0o644); err != nil {
		t.Fatal(err)
	}
}

// withoutScript turns JavaScript off.
func withoutScript(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
	_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	return chromedp.Void{}, err
}

// darkSystem makes the system's colour scheme dark.
func darkSystem(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
	_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}},
	})
	return chromedp.Void{}, err
}

// unfoldAll opens everything that folds, for a screenshot.
const unfoldAll = "document.querySelectorAll('details').forEach(d => d.open = true); true"

// TestBrowser uses the report as people do. One browser serves all of it: to
// start one takes longer than the rest.
func TestBrowser(t *testing.T) {
	browser := openBrowser(t)
	for _, test := range []struct {
		name string
		run  func(*testing.T, context.Context)
	}{
		{"Search", testSearch},
		{"OnlyHoles", testOnlyHoles},
		{"Keys", testKeys},
		{"HeatMap", testHeatMap},
		{"Axes", testAxes},
		{"Theme", testTheme},
		{"Charts", testCharts},
		{"WithoutScript", testWithoutScript},
		{"Narrow", testNarrow},
		{"Hostile", testHostile},
		{"Large", testLarge},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, browser) })
	}
}
