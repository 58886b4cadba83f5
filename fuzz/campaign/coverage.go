package campaign

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"time"

	"github.com/ijongo/ijongo/cover"
	"github.com/ijongo/ijongo/fuzz/corpus"
	"github.com/ijongo/ijongo/fuzz/wire"
	ijon "github.com/ijongo/ijongo/runtime"
)

// How often the coverage is written: never more often than saveEvery, and not
// so often that writing takes more than one part in saveShare of the time.
const (
	saveEvery = 2 * time.Second
	saveShare = 20
)

// A coverage is what all campaigns in a folder have covered: that of earlier
// ones, which was in the folder, and what the workers of this one count in
// memory that they share with it.
type coverage struct {
	folder  *Folder
	workers int
	observe bool     // an observer counts, and not the workers
	watched uint64   // runs of the observer
	file    *os.File // of shared
	shared  *wire.Coverage

	profile *cover.Profile
	bins    []*cover.Bin // of the profile, by number
	past    past
	inputs  map[string][]int // bins that each input covers, by its name

	saved time.Time
	took  time.Duration // writing it
}

// The past is what earlier campaigns have covered.
type past struct {
	runs  uint64
	time  time.Duration
	bins  []uint64     // hits of each
	edges []uint64     // runs that took each
	stale map[int]bool // bins with a first input that was run with other code
}

// newCoverage is the coverage of a campaign that begins.
func newCoverage(c Config, d *wire.Description) (*coverage, error) {
	if len(c.Edges) > 0 && len(c.Edges) != d.Counters {
		return nil, fmt.Errorf("the target has %d counters, and the manifest of its copy %d (remove %s, so that both are built again)", d.Counters, len(c.Edges), c.Folder.Build())
	}
	v := &coverage{
		folder: c.Folder, workers: c.Workers,
		profile: &cover.Profile{Module: d.Module, Manifest: d.Manifest, Items: coverItems(d.Items), Edges: c.Edges},
		inputs:  make(map[string][]int),
	}
	if c.AFL != nil {
		v.observe, v.workers = true, 1
	}
	for _, i := range v.profile.Items {
		for k := range i.Bins {
			v.bins = append(v.bins, &i.Bins[k])
		}
	}
	v.past.bins, v.past.edges = make([]uint64, len(v.bins)), make([]uint64, len(c.Edges))
	if err := v.resume(c.Logf); err != nil {
		return nil, err
	}
	if err := v.prepare(); err != nil {
		return nil, err
	}
	return v, v.share()
}

// coverItems is what a target has said of its items.
func coverItems(items []ijon.Item) []*cover.Item {
	list := make([]*cover.Item, len(items))
	for n, i := range items {
		list[n] = &cover.Item{
			Kind: i.Kind, Package: i.Package, Group: i.Group, Name: i.Name, Key: i.Key, Expr: i.Expr, Pos: i.Pos,
			Observe: i.Observe, Rare: i.Rare, AtLeast: i.AtLeast, Weight: i.Weight, Goal: i.Goal, Doc: i.Doc,
		}
		for _, a := range i.Axes {
			list[n].Axes = append(list[n].Axes, cover.Axis(a))
		}
		for _, b := range i.Bins {
			list[n].Bins = append(list[n].Bins, cover.Bin{Name: b.Name, Kind: b.Kind, At: b.At})
		}
	}
	return list
}

// resume takes up what earlier campaigns in the folder have covered, and of
// another version of the program what this one still has.
func (v *coverage) resume(logf func(string, ...any)) error {
	old, err := cover.Read(v.folder.coverage())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w (restore it, or delete it: what was covered is then counted anew)", err)
	}
	same := old.Manifest == v.profile.Manifest
	if !same {
		logf("the target has changed: the inputs are kept and run again, and what has been covered counts where keys and names are the same")
		v.past.stale = make(map[int]bool)
	}
	sum, notes := cover.Merge(cover.Side{Name: "this program", Profile: v.profile}, cover.Side{Name: "the one before", Profile: old})
	for _, note := range notes {
		logf("%s", note)
	}
	v.past.runs, v.past.time = sum.Runs, sum.Time
	k := 0
	for n, i := range v.profile.Items {
		i.Crowded = sum.Items[n].Crowded
		for j := range i.Bins {
			b := sum.Items[n].Bins[j]
			v.past.bins[k], i.Bins[j].First, i.Bins[j].When = b.Hits, b.First, b.When
			if !same {
				v.past.stale[k] = true
			}
			k++
		}
	}
	for k := range v.past.edges {
		v.past.edges[k] = sum.Edges[k].Hits
	}
	if !same {
		return nil
	}
	return v.resumeInputs()
}

func (v *coverage) resumeInputs() error {
	manifest, inputs, err := cover.ReadInputs(v.folder.covering(), len(v.bins))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if manifest != "" && manifest != v.profile.Manifest { // a campaign of another program was killed when it had just begun
		v.past.stale = make(map[int]bool)
		for k := range v.bins {
			v.past.stale[k] = true
		}
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w (delete it: it is written anew)", err)
	}
	for _, in := range inputs {
		v.inputs[in.Name] = in.Bins
	}
	return nil
}

// prepare makes the folder of the first inputs, clears what killed writers have
// left, and sees that the coverage can be written.
func (v *coverage) prepare() error {
	inputs := v.folder.firstInputs()
	if err := os.MkdirAll(inputs, 0o755); err != nil {
		return err
	}
	for _, dir := range []string{filepath.Dir(inputs), inputs} {
		if err := corpus.Sweep(dir, 0); err != nil {
			return err
		}
	}
	return v.save(Progress{})
}

// share makes the memory that the workers count in. Bins that have a first
// input already are nobody's to claim.
func (v *coverage) share() error {
	if v.size() == nil {
		return nil
	}
	path, err := tempFile()
	if err != nil {
		return err
	}
	v.file, err = os.OpenFile(path, os.O_RDWR, 0)
	if err := errors.Join(err, os.Remove(path)); err != nil {
		return err
	}
	if v.shared, err = wire.CreateCoverage(v.file, *v.size()); err != nil {
		return errors.Join(err, v.file.Close())
	}
	for k := range v.bins {
		if !v.wanting(k) {
			v.shared.Claim(uint32(k), v.workers)
		}
	}
	return nil
}

// size is what there is to count; nil if there is nothing.
func (v *coverage) size() *wire.Size {
	if len(v.bins)+len(v.profile.Edges) == 0 {
		return nil
	}
	return &wire.Size{Bins: len(v.bins), Edges: len(v.profile.Edges), Workers: v.workers}
}

// wanting tells whether the bin has no input that hits it in this program.
func (v *coverage) wanting(bin int) bool { return v.bins[bin].First == "" || v.past.stale[bin] }

func (v *coverage) close() error {
	if v.shared == nil {
		return nil
	}
	return errors.Join(v.shared.Close(), v.file.Close())
}

// hear takes up what a worker says that an input covers.
func (v *coverage) hear(m *wire.Covered, elapsed time.Duration) error {
	bins := make([]int, len(m.Bins))
	for k, bin := range m.Bins {
		bins[k] = int(bin)
	}
	v.inputs[m.Name] = bins
	if len(m.First) == 0 {
		return nil
	}
	if _, _, err := corpus.Add(v.folder.firstInputs(), m.Input); err != nil {
		return err
	}
	for _, bin := range m.First {
		if v.wanting(int(bin)) {
			v.bins[bin].First, v.bins[bin].When = m.Name, v.past.time+elapsed
			delete(v.past.stale, int(bin))
		}
	}
	return nil
}

// ended gives back what the process of a worker has claimed and could not report
// before it died. Where an observer counts, workers claim nothing.
func (v *coverage) ended(worker int) {
	if v.observe {
		return
	}
	for k := range v.bins {
		if v.wanting(k) {
			v.shared.Release(k, worker)
		}
	}
}

// count brings the profile up to date.
func (v *coverage) count(p Progress) {
	runs := p.Runs
	if v.observe {
		runs = v.watched
	}
	v.profile.Runs, v.profile.Time = v.past.runs+runs, v.past.time+p.Elapsed
	for k, b := range v.bins {
		b.Hits = v.past.bins[k]
	}
	for k, e := range v.profile.Edges {
		e.Hits = v.past.edges[k]
	}
	for worker := 0; v.shared != nil && worker < v.workers; worker++ {
		for k, n := range v.shared.Bins(worker) {
			v.bins[k].Hits += n
		}
		for k, n := range v.shared.Edges(worker) {
			v.profile.Edges[k].Hits += n
		}
	}
}

// crowd notes items some of whose instances a worker has forgotten.
func (v *coverage) crowd(items []int) {
	for _, n := range items {
		if n < len(v.profile.Items) {
			v.profile.Items[n].Crowded = true
		}
	}
}

// show puts into the progress how many goals are covered.
func (v *coverage) show(p *Progress) {
	v.count(*p)
	score := v.profile.Score()
	p.Bins, p.Goals, p.Before = score.Covered, score.Goals, v.past.time
	p.Groups, p.Crowded = groups(v.profile), v.profile.Crowded()
}

// due tells whether it is time to write it.
func (v *coverage) due() bool {
	return time.Since(v.saved) >= max(saveEvery, saveShare*v.took)
}

// save writes the coverage to the folder: what each input covers first, so
// that a kill leaves nobody with bins that no input in the list hits.
func (v *coverage) save(p Progress) error {
	begin := time.Now()
	v.count(p)
	inputs, err := v.present()
	if err != nil {
		return err
	}
	if err := cover.WriteInputs(v.folder.covering(), v.profile.Manifest, inputs); err != nil {
		return err
	}
	err = v.profile.WriteFile(v.folder.coverage())
	v.saved = time.Now()
	v.took = v.saved.Sub(begin)
	return err
}

// present lists what each input covers that is still in the folder, by name.
func (v *coverage) present() (list []cover.Input, err error) {
	there := make(map[string]bool)
	entries, err := corpus.AllFiles(v.folder.Dir)
	if err != nil {
		return nil, err
	}
	for _, f := range corpus.Live(entries) {
		there[f.Name] = true
	}
	firsts, err := os.ReadDir(v.folder.firstInputs())
	if err != nil {
		return nil, err
	}
	for _, f := range firsts {
		there[f.Name()] = true
	}
	for name, bins := range v.inputs {
		if there[name] {
			list = append(list, cover.Input{Name: name, Bins: bins})
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list, nil
}

// groups counts the goals of each covergroup, those of properties first.
func groups(p *cover.Profile) (list []Group) {
	items := make(map[string][]*cover.Item)
	for _, i := range p.Items {
		items[i.Group] = append(items[i.Group], i)
	}
	for _, name := range slices.Sorted(maps.Keys(items)) {
		s := cover.ScoreOf(items[name])
		list = append(list, Group{Name: name, Covered: s.Covered, Goals: s.Goals})
	}
	return list
}
