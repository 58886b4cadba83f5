package report

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/ijongo/ijongo/cover"
)

// visibleItems is the names of the items that can be seen.
const visibleItems = "[...document.querySelectorAll('.item')].filter(e => e.checkVisibility()).map(e => e.querySelector('.name').textContent)"

// itemNamed is the item of that kind and name.
func itemNamed(kind, name string) string {
	return "[...document.querySelectorAll('.item')].find(e => e.querySelector('.kind').textContent === '" + kind +
		"' && e.querySelector('.name').textContent === '" + name + "')"
}

func testSearch(t *testing.T, browser context.Context) {
	p := open(t, browser, raftData(t))
	p.press("/")
	p.want("document.activeElement.id === 'search'")
	p.press("joint quorum")
	if items := eval[[]string](p, visibleItems); strings.Join(items, " ") != "quorum role*lag*quorum" {
		t.Errorf("items that match: %v", items)
	}
	p.want("document.getElementById('found').textContent === '50 bins'") // 2 of the point, 2 for each of 24 pairs
	p.want("[...document.querySelectorAll('.bins tr[id]')].filter(e => e.checkVisibility()).length === 50")
	p.want("[...document.querySelectorAll('.bins tr[id]')].filter(e => e.checkVisibility()).every(e => e.cells[0].textContent.includes('joint'))")
	p.want("document.querySelector(`[data-for=\"${" + itemNamed("point", "lead") + ".id}\"]`).hidden")
	p.look("search")
	p.press(kb.Enter)
	p.want("document.activeElement.matches('.entry > summary')")
	p.press("/")
	p.press(kb.Escape)
	p.want("document.getElementById('search').value === '' && document.querySelectorAll('main [hidden]').length === 0")
	p.want("!" + itemNamed("cross", "role*lag*quorum") + ".open") // folded, as before
	p.press("is:never joint")
	p.want("document.getElementById('found').textContent === '1 bin'")
}

func testOnlyHoles(t *testing.T, browser context.Context) {
	p := open(t, browser, raftData(t))
	p.press("u")
	p.want("document.getElementById('only').getAttribute('aria-pressed') === 'true'")
	p.want("document.querySelectorAll('.bins tbody tr:not([hidden])').length === document.querySelectorAll('.bins tr.hole').length")
	p.want(itemNamed("point", "lead") + ".hidden")
	p.want("!" + itemNamed("point", "lag") + ".hidden")
	p.press("u")
	p.want("document.querySelectorAll('main [hidden]').length === 0")
}

func testKeys(t *testing.T, browser context.Context) {
	p := open(t, browser, raftData(t))
	focus := func() string { return eval[string](p, "document.activeElement.textContent") }
	p.press("j")
	failure := focus()
	if !strings.HasPrefix(failure, "stale read") {
		t.Errorf("j goes to %q first, not to the failure", failure)
	}
	p.press(kb.Enter)
	p.want("document.querySelector('.timeline').checkVisibility()")
	p.press("jj")
	second := focus()
	if second == failure {
		t.Error("j does not move on")
	}
	p.press(kb.ArrowDown)
	if focus() == second {
		t.Error("the arrow does not move on")
	}
	p.press(kb.ArrowUp)
	if at := focus(); at != second {
		t.Errorf("down and up lead from %q to %q", second, at)
	}
	p.press(kb.ArrowLeft)
	p.want("!document.activeElement.parentElement.open")
	p.press(kb.ArrowRight)
	p.want("document.activeElement.parentElement.open")
	p.press("kk")
	if at := focus(); at != failure {
		t.Errorf("j j k k lead to %q", at)
	}
	p.press("?")
	p.want("document.getElementById('help').open")
	p.look("help")
	p.press(kb.Escape)
	p.want("!document.getElementById('help').open")
}

func testHeatMap(t *testing.T, browser context.Context) {
	p := open(t, browser, raftData(t))
	cross := itemNamed("cross", "role*lead")
	p.want(cross + ".open")
	p.want(cross + ".querySelector('.heat tbody').rows[2].cells[1].dispatchEvent(new MouseEvent('mouseover', {bubbles: true}))")
	shown := eval[string](p, cross+".querySelector('.detail').textContent")
	for _, part := range []string{"role = Candidate, lead = none", "covered, 4,257 hits", "ijongo replay .ijongo/FuzzCluster/coverage/inputs/"} {
		if !strings.Contains(shown, part) {
			t.Errorf("the cell tells %q, without %q", shown, part)
		}
	}
	p.want("(" + cross + ".querySelector('.heat [tabindex]').focus(), true)")
	p.press(kb.ArrowDown + kb.ArrowRight + kb.Enter)
	p.want(cross + ".querySelector('.detail').textContent.startsWith('role = PreCandidate, lead = self hole, 0 hits')")
	p.press(kb.ArrowRight)
	p.want(cross + ".querySelector('.detail').textContent.startsWith('role = PreCandidate, lead = self')") // it is kept
	p.press(kb.Escape)
	p.press(kb.ArrowUp)
	p.want(cross + ".querySelector('.detail').textContent.startsWith('role = Follower, lead = other')")
	trans := itemNamed("trans", "role")
	p.want(trans + ".querySelector('.arrow.hole').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
	p.want(trans + ".querySelector('.detail').textContent.startsWith('from = Follower, to = Leader hole, 0 hits')")
}

// testAxes looks at a cross of three axes on other axes than the first two.
func testAxes(t *testing.T, browser context.Context) {
	p := open(t, browser, raftData(t))
	cross := itemNamed("cross", "role*lag*quorum")
	p.want("(" + cross + ".open = true)")
	p.settle()
	p.want(cross + ".querySelectorAll('table.heat').length === 1")
	cells := "[..." + cross + ".querySelector('table.heat tbody').rows].map(r => [...r.cells].map(c => c.textContent + ' ' + c.className)).join('\\n')"
	static := eval[string](p, cells)
	choose := func(axis, value string) {
		p.want("(s => { s.value = '" + value + "'; return s.dispatchEvent(new Event('change')) })(" + cross + ".querySelector('[data-axis=" + axis + "]'))")
	}
	choose("down", "2")
	p.want(cross + ".querySelector('table.heat tbody th').textContent === 'single'")
	choose("split", "0")
	p.want(cross + ".querySelectorAll('table.heat').length === 4")
	p.want(cross + ".querySelector('table.heat caption').textContent === 'role = Follower'")
	p.want("[..." + cross + ".querySelectorAll('.heat td.hole')].length === 67")
	p.look("axes")
	choose("split", "-1")
	choose("down", "0")
	if drawn := eval[string](p, cells); drawn != static {
		t.Errorf("the script draws\n%s\nand the document has\n%s", drawn, static)
	}
}

func testTheme(t *testing.T, browser context.Context) {
	p := open(t, browser, raftData(t))
	const background = "getComputedStyle(document.body).backgroundColor"
	light := eval[string](p, background)
	p.press("t")
	p.press("t")
	p.want("document.getElementById('theme').textContent === 'Theme: dark'")
	if dark := eval[string](p, background); dark == light {
		t.Errorf("dark and light have the background %s", dark)
	}
	p.press("t")
	if system := eval[string](p, background); system != light {
		t.Errorf("the system's theme has the background %s, light %s", system, light)
	}
	p.do(darkSystem)
	p.settle()
	if dark := eval[string](p, background); dark == light {
		t.Errorf("a dark system has the background %s", dark)
	}
	p.want(unfoldAll)
	p.settle()
	p.look("dark")
}

func testCharts(t *testing.T, browser context.Context) {
	p := open(t, browser, raftData(t))
	p.want("(document.getElementById('growth').scrollIntoView(), true)")
	p.await("document.querySelectorAll('.chart canvas').length >= 3")
	last := eval[string](p, "document.querySelector('.chart figcaption b').textContent")
	p.want("(c => (c.dispatchEvent(new MouseEvent('mouseenter')), c.dispatchEvent(new MouseEvent('mousemove', {clientX: c.getBoundingClientRect().left + 40, clientY: c.getBoundingClientRect().top + 40, bubbles: true})), true))(document.querySelector('.chart .u-over'))")
	p.await("document.querySelector('.chart figcaption b').textContent !== '" + last + "'")
	p.want("(document.querySelector('[data-x=runs]').click(), document.querySelector('[data-x=runs]').getAttribute('aria-pressed') === 'true')")
	p.want(unfoldAll)
	p.settle()
	p.look("light")
}

// testWithoutScript sees that all is there where JavaScript is off.
func testWithoutScript(t *testing.T, browser context.Context) {
	d := raftData(t)
	p := open(t, browser, d, withoutScript, chromedp.EmulateViewport(width, 6000)) // what is out of sight has no text
	wanted := append(holesOf(d), "stale read: node 2 answered index 4", "Happened and must not", "appliedIsCommitted false 1")
	for _, name := range unseen(p, wanted) {
		t.Errorf("not to be seen: %s", name)
	}
	nodes, err := chromedp.Run(p.ctx, chromedp.Nodes(chromedp.CSSAll(".chart polyline, .diagram .arrow, .heat td.hole"), chromedp.AtLeast(1)))
	if err != nil {
		t.Fatal(err)
	}
	if len(nodes) < 40 {
		t.Errorf("%d parts of charts, diagrams and heat maps", len(nodes))
	}
	p.capture("without-script")
}

// unseen is what of the wanted is not to be seen. The page draws what is in
// sight in the frames after it has been loaded, and without JavaScript it
// cannot tell when it is done.
func unseen(p *tab, wanted []string) []string {
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		text, err := chromedp.Run(p.ctx, chromedp.Text(chromedp.CSS("main")))
		if err != nil {
			p.Fatal(err)
		}
		visible := strings.Join(strings.Fields(text), " ")
		missing := slices.DeleteFunc(slices.Clone(wanted), func(name string) bool { return strings.Contains(visible, name) })
		if len(missing) == 0 || time.Now().After(end) {
			return missing
		}
	}
}

// holesOf is what stands for each hole where nothing is unfolded: its name, or
// that of the cluster that it is in.
func holesOf(d Data) (names []string) {
	for _, i := range d.Profile.Items {
		for _, h := range i.Holes() {
			if len(h.Bins) > 1 {
				names = append(names, labelOf(h.Name, i.Axes))
			} else {
				names = append(names, i.Bins[h.Bins[0]].Name)
			}
		}
	}
	return names
}

func testNarrow(t *testing.T, browser context.Context) {
	p := open(t, browser, raftData(t), chromedp.EmulateViewport(420, 800))
	p.want("document.documentElement.scrollWidth <= 420")
	p.want(unfoldAll)
	p.settle()
	p.want("document.documentElement.scrollWidth <= 420")
	p.look("narrow")
}

// testHostile shows a profile whose names try to be markup and script.
func testHostile(t *testing.T, browser context.Context) {
	p := open(t, browser, hostileData())
	p.want("window.hacked === undefined")
	p.want("document.querySelectorAll('main img, main iframe').length === 0")
	p.want(unfoldAll)
	p.settle()
	p.press("/script")
	for _, cell := range []string{"tbody td"} {
		p.want("document.querySelectorAll('.heat " + cell + "').forEach(e => e.dispatchEvent(new MouseEvent('mouseover', {bubbles: true}))) === undefined")
	}
	p.want("window.hacked === undefined")
}

// testLarge measures a report of 10,000 bins. It only reports times, and
// fails where they are out of all proportion.
func testLarge(t *testing.T, browser context.Context) {
	p := open(t, browser, largeData(10000))
	p.press("/")
	const measure = `(async query => {
		const field = document.getElementById("search"), frame = () => new Promise(requestAnimationFrame);
		const begin = performance.now();
		field.value = query;
		field.dispatchEvent(new Event("input"));
		await frame(); await frame();
		return performance.now() - begin;
	})`
	search := func(query string) time.Duration {
		ms, err := chromedp.Run(p.ctx, chromedp.Evaluate[float64](measure+"('"+query+"')", chromedp.EvalAwaitPromise))
		if err != nil {
			t.Fatal(err)
		}
		return time.Duration(ms * float64(time.Millisecond))
	}
	first, again, none, cleared := search("s3*l4"), search("k2"), search("no such bin"), search("")
	t.Logf("10,000 bins: loaded in %v, searched in %v, then %v, nothing found in %v, cleared in %v", p.load, first, again, none, cleared)
	if p.load > 20*time.Second || first > 10*time.Second {
		t.Errorf("loaded in %v, searched in %v", p.load, first)
	}
	p.look("large")
}

// hostileData is a report in which every name is an attack.
func hostileData() Data {
	const attack = `</script></style><script>window.hacked=1</script><img src=x onerror=window.hacked=1>"'` + "`" + `${window.hacked=1}{{.}}`
	axis := cover.Axis{Name: attack, Bins: []string{attack, "plain"}}
	cross := &cover.Item{Kind: "cross", Package: attack, Group: attack, Name: attack, Key: "1", Expr: attack, Pos: attack + ":1:1", Doc: attack, Goal: attack, Axes: []cover.Axis{axis, axis, axis}}
	trans := &cover.Item{Kind: "trans", Package: attack, Group: attack, Name: "t" + attack, Key: "2"}
	for n := range 8 {
		cross.Bins = append(cross.Bins, cover.Bin{Name: attack, At: []int{n / 4, n / 2 % 2, n % 2}, Hits: uint64(n % 3), First: attack, Only: attack})
	}
	trans.Bins = []cover.Bin{{Name: attack + "=>" + attack, At: []int{0, 1}, Hits: 1, First: attack}, {Name: "plain=>" + attack, At: []int{1, 0}}}
	edge := &cover.Edge{Package: attack, Func: attack, Kind: attack, Pos: attack + ":3:1"}
	return Data{
		Title:    attack,
		Profile:  &cover.Profile{Module: attack, Manifest: attack, Items: []*cover.Item{cross, trans}, Edges: []*cover.Edge{edge}},
		Samples:  []Sample{{Counts: []Count{{attack, 1}}, Best: []Best{{attack, attack, "1"}}, Arms: []Arm{{attack, 1}}}, {Elapsed: time.Second, Counts: []Count{{attack, 2}}}},
		Failures: []Failure{{Title: attack, Key: attack, Note: attack, Text: attack, Command: attack, Timeline: []string{attack}}},
		Command:  func(first string) string { return first },
		Source:   func(string) ([]byte, error) { return []byte("package p // " + attack + "\n\n" + attack + "\n"), nil },
	}
}
