package fuzz

import (
	"fmt"

	"github.com/ijongo/ijongo/fuzz/corpus"
	"github.com/ijongo/ijongo/fuzz/mutate"
	"github.com/ijongo/ijongo/fuzz/wire"
	ijon "github.com/ijongo/ijongo/runtime"
)

// A phase is what the run in hand is for.
type phase int

const (
	exploring  phase = iota // an arm made it
	replaying               // it is a corpus entry of this campaign, an earlier one or another worker
	checking                // is it the same a second time?
	confirming              // does it fail again?
)

// maxConfirm bounds the runs that look whether a failure reproduces.
const maxConfirm = 10

// A search is the driver of mode search.
type search struct {
	config wire.Config
	guides channels
	link   *link
	run    *runner
	rng    *mutate.RNG
	maker  mutate.Maker

	seen            *seen
	notes           *notes
	total, checking float64 // cost of all runs, and of second ones
	market          market
	pool            pool
	cover           *coverage
	arms            *arms
	lengths         *portfolio // of random inputs, one part for each of sizes
	sizes           []int
	holes           int     // bursts of a hundred that go towards a hole
	states          *states // nil without

	phase    phase
	buf      []byte
	feedback feedback
	first    snapshot // the first run of a candidate
	start    int      // if positive, the candidate is the first run's start of so many units
	base     []byte   // start of an earlier input that the run in hand goes on from
	resumed  int      // units that the run in hand leaves out, because it goes on from a state
	proving  *cell    // believed, that the run in hand goes to
	room     int      // state that the check of a start saves
	suspect  suspect  // a failure to confirm
	keys     map[string]bool
	violated map[string]int // states of each oracle
	queue    []corpus.File  // to replay
	foreign  bool           // the run in hand, or the candidate, is not of a campaign
	news     news           // of the candidate
	visit    visit          // what that means to the archive

	stats  stats
	failed error
	ended  bool
	leaves bool // the process holds too much memory; another one goes on
}

func newSearch(r *runner, config wire.Config, link *link) (*search, error) {
	guides, pairs, err := parseChannels(config.Feedback)
	if err != nil {
		return nil, err
	}
	layout := ijon.Declared()
	s := &search{
		config: config,
		guides: guides,
		link:   link,
		run:    r,
		rng:    mutate.NewRNG(config.Seed, config.Worker, config.Restarts),
		keys:   make(map[string]bool),

		violated: make(map[string]int),
		cover:    new(coverage),
		holes:    holePercent,
	}
	s.stats.memory = newGauge(config.MemLimit)
	s.maker = mutate.New(s.rng, layout, config.MaxLen, vocabulary())
	s.buf = make([]byte, 0, wire.MaxInput+layout.Header+layout.Record)
	s.notes = newNotes(guides, config.Goal)
	s.notes.unmuted = config.Unmuted
	s.seen = newSeen(len(r.counters), s.notes)
	s.seen.archive.limit, s.seen.archive.pairs = s.maker.Limit(), pairs
	s.seen.goals.archived = guides[cells]
	s.states = newStates(layout, config.NoSnapshots)
	ijon.SetPairing(pairs || !s.seen.goals.declared)
	if s.seen.goals.declared {
		s.seen.archive.price = s.price
	}
	s.arms = newArms(guides, s.seen.goals.declared)
	if s.sizes = s.maker.Lengths(); config.Length > 0 {
		s.sizes = []int{config.Length}
	}
	s.lengths = newLengths(len(s.sizes))
	if s.pool, err = newPool(config); err != nil {
		return nil, err
	}
	if s.queue, err = s.pool.load(config); err != nil {
		return nil, err
	}
	link.watch()
	return s, nil
}

func (s *search) err() error { return s.failed }

// next makes the next input. What a run compares is noted in those alone that
// may be kept when they are over.
func (s *search) next() ([]byte, bool) {
	input, more := s.choose()
	s.run.causes = s.notes.lineage.causes
	ijon.NoteOperands(s.phase == checking || s.phase == replaying || s.proving != nil)
	return input, more
}

// choose decides what the next run is for and makes its input.
func (s *search) choose() ([]byte, bool) {
	if s.ended || s.leaves && s.phase == exploring || s.link.stopped() || s.spent() {
		s.finish()
		return nil, false
	}
	s.resumed, s.proving = 0, nil
	if s.phase == checking || s.phase == confirming {
		if s.phase == checking {
			s.saveStart()
		}
		return s.buf, true
	}
	s.base = nil
	if s.replay() {
		s.notes.lineage.from(0, anyReason)
		return s.buf, true
	}
	s.phase, s.foreign = exploring, false
	s.notes.begin()
	s.explore()
	return s.buf, true
}

// replay takes the next entry to run, if there is one.
func (s *search) replay() bool {
	for len(s.queue) > 0 {
		f := s.queue[0]
		s.queue = s.queue[1:]
		if data, ok := s.pool.read(f); ok {
			s.phase, s.foreign = replaying, f.Name == ""
			s.buf = append(s.buf[:0], data...)
			return true
		}
	}
	return false
}

// spent tells whether all runs have been made. A failure is confirmed even so.
func (s *search) spent() bool {
	c := &s.config
	return s.phase != confirming &&
		(c.Execs > 0 && s.stats.execs >= c.Execs || c.Events > 0 && s.stats.events >= c.Events)
}

// done takes the result of a run.
func (s *search) done(input []byte, r *result) {
	s.stats.execs++
	units := s.played(input) - s.resumed
	s.stats.events += uint64(units)
	s.read(input)
	s.record(input)
	if s.stats.execs%sampleEvery == 0 {
		s.notes.sample(&s.feedback)
	}
	cost := s.maker.Cost(units)
	s.total += cost
	switch s.phase {
	case confirming:
		s.confirm(r)
	case checking:
		s.checking += cost
		s.check(input, r, cost)
	case replaying:
		s.replayed(input, r)
	case exploring:
		s.explored(input, r, cost)
	}
	s.tick()
}

// played is the units of input that the harness has played.
func (s *search) played(input []byte) int {
	units := s.maker.Units(input)
	if e := int(ijon.Event()); e > 0 && e < units {
		return e
	}
	return units
}

// read fetches the feedback. A harness that never calls Step does not tell
// when it touched what; its cells need the whole input.
func (s *search) read(input []byte) {
	s.feedback.read()
	if ijon.Event() == 0 {
		s.feedback.at(s.maker.Units(input))
	}
}

// record adds the run to what the campaign has covered, and tells of one that
// covers what no run has before.
func (s *search) record(input []byte) {
	if s.cover.add(s.run.counters, &s.feedback) {
		s.link.send(&wire.Message{Covered: s.cover.covered(input, s.stats.execs), Spent: s.stats.spent()})
	}
}

// explored judges a run that an arm has made.
func (s *search) explored(input []byte, r *result, cost float64) {
	if r.fault != wire.OK {
		s.charge(cost, news{}, false)
		s.doubt(input, r)
		return
	}
	all := s.look(input)
	s.seen.archive.count(&s.feedback)
	s.seen.goals.count(&s.feedback)
	if !s.guides.any() {
		s.charge(cost, all, all.any())
		return
	}
	if s.proving != nil {
		s.prove()
	}
	s.news = all.of(s.guides)
	if !s.mayCheck() {
		s.believe(input, cost)
		return
	}
	s.charge(cost, news{}, false)
	s.propose()
}

// propose makes the run in hand a candidate if it brings something. If all
// that it brings is for the archive, the candidate is its start up to the
// last cell of interest.
func (s *search) propose() {
	s.start = 0
	if !s.news.any() || onlyCells(s.news) {
		if !s.guides[cells] {
			return
		}
		if s.start = s.visit.until; s.start == 0 {
			return
		}
		s.buf = s.maker.Prefix(s.buf, s.start)
		s.feedback.cut(s.start)
	}
	s.first.take(s.run.counters, &s.feedback)
	s.first.resumed = s.resumed > 0
	s.phase = checking
}

// look counts what is new. Channels that do not guide learn it at once, so
// that their numbers can be compared with those of a guided search.
func (s *search) look(input []byte) (n news) {
	n[edges] = s.seen.edges(s.run.counters, !s.guides[edges])
	n[set] = s.seen.set(&s.feedback, !s.guides[set])
	n[slots] = s.seen.maxima(s.feedback.slots, nil, !s.guides[slots])
	n[bins] = s.seen.goals.see(&s.feedback, !s.guides[bins])
	s.visit = s.seen.archive.look(&s.feedback)
	n[cells] = s.visit.cells
	if n[cells] > 0 && !s.guides[cells] {
		s.seen.archive.learn(&s.feedback, way{})
	}
	return n
}

// check compares the second run of a candidate with the first.
func (s *search) check(input []byte, r *result, cost float64) {
	s.phase = exploring
	if r.fault != wire.OK {
		s.charge(cost, news{}, false)
		s.doubt(input, r)
		return
	}
	s.stats.checked++
	same := false
	if s.start > 0 {
		s.feedback.cut(s.start)
		same = s.first.feedback.touched() == s.feedback.touched()
	} else {
		same = s.first.hash == s.feedback.hash(s.run.counters)
	}
	s.compare(same, s.first.resumed)
	if !same {
		s.charge(cost, news{}, false)
		s.reject()
		return
	}
	s.stats.equal++
	s.charge(cost, s.news, s.news.any())
	s.admit(input)
}

// enough is the number of checks after which a target is judged by them.
const enough = 100

// reject makes known what was not the same the second time, without keeping
// the input: it would else be new in every run. Where most checks fail that
// goes for all that the run brings, or every run would be made twice.
func (s *search) reject() {
	if s.start == 0 {
		s.first.edges(s.run.counters, s.seen)
	}
	if s.first.marks(&s.feedback, s.seen) == 0 && s.start > 0 {
		s.notes.wobble("the event of a situation")
		s.seen.archive.barNew(&s.feedback)
	}
	if !s.unsteady() {
		return
	}
	s.seen.archive.barNew(&s.feedback)
	if s.start == 0 {
		s.learn(nil)
	}
}

// admit learns what the run in hand brings and keeps its input.
func (s *search) admit(input []byte) {
	s.notes.keep(false)
	defer s.notes.kept()
	kept := s.entry(input)
	if s.start == 0 {
		s.learn(kept)
	}
	s.seen.archive.learn(&s.feedback, way{input: kept.Data, prefix: s.maker.Prefix})
	s.keepStart(kept.Data)
	if !s.news.any() || onlyCells(s.news) && !s.pool.roomForCells() {
		return // the archive has it in memory
	}
	s.store(kept, s.news, s.notes.reasons())
	s.tell(input)
}

// entry keeps the input of the run in hand. Called before the run is learned.
func (s *search) entry(input []byte) *entry {
	return &entry{
		Parent: mutate.Parent{
			Data:     append([]byte(nil), input...),
			Marks:    s.seen.marks(&s.feedback),
			Operands: compared(),
		},
		birth: s.notes.lineage.current(),
		base:  s.base,
	}
}

// tell says what an entry of the corpus covers, if record has not.
func (s *search) tell(input []byte) {
	if s.cover.shared != nil && len(s.cover.first) == 0 {
		s.link.send(&wire.Message{Covered: s.cover.covered(input, s.stats.execs)})
	}
}

// learn remembers the feedback of the run of an entry in every channel but the
// archive.
func (s *search) learn(from *entry) {
	if s.seen.edges(s.run.counters, true) > 0 && s.guides[edges] {
		s.notes.because(edgesID)
	}
	s.seen.set(&s.feedback, true)
	s.seen.maxima(s.feedback.slots, from, true)
	s.seen.goals.see(&s.feedback, true)
}

// replayed learns from a corpus entry. It has been checked when it was found;
// what others than campaigns have found is a candidate like any other.
func (s *search) replayed(input []byte, r *result) {
	s.phase = exploring
	if r.fault != wire.OK {
		s.doubt(input, r)
		return
	}
	if s.config.Worker == 0 {
		s.tell(input)
	}
	s.news = s.look(input).of(s.guides)
	s.seen.archive.count(&s.feedback)
	s.seen.goals.count(&s.feedback)
	switch {
	case !s.guides.any():
	case s.foreign:
		s.propose()
	default:
		s.notes.keep(true)
		kept := s.entry(input)
		s.learn(kept)
		s.seen.archive.learn(&s.feedback, way{input: kept.Data, prefix: s.maker.Prefix})
		s.pool.keep(kept, s.news)
		s.notes.kept()
	}
}

// charge books a run of an arm.
func (s *search) charge(cost float64, n news, found bool) {
	if s.foreign {
		return
	}
	credit := s.market.price(n)
	s.notes.charge(cost, found)
	if s.arms.charge(s.arms.now, cost, credit, found) {
		s.market.forget()
	}
	if s.arms.length >= 0 {
		s.lengths.charge(s.arms.length, cost, credit, found)
	}
	s.maker.Credit(found)
}

// A suspect is a failing run before it has failed again.
type suspect struct {
	resumed bool // it went on from a state
	outcome wire.Outcome
	spent   *wire.Spent // when it failed first
	runs    int
}

func (s *suspect) message() *wire.Message { return &wire.Message{Failure: &s.outcome, Spent: s.spent} }

// doubt begins to confirm a failure that has not been reported yet.
func (s *search) doubt(input []byte, r *result) {
	s.phase = exploring
	if s.keys[r.key] || s.tooFine(r) {
		return
	}
	s.keys[r.key] = true
	s.notes.blame()
	s.suspect = suspect{resumed: s.resumed > 0, spent: s.stats.spent(), outcome: wire.Outcome{
		Fault:  r.fault,
		Key:    r.key,
		Oracle: r.oracle,
		State:  r.state,
		Text:   r.text,
		Input:  append([]byte(nil), input...),
		Events: ijon.Event(),
		Hash:   s.feedback.hash(s.run.counters),
	}}
	s.phase = confirming
}

// maxWays is how many states an oracle may be violated in, each of them a
// failure; a harness that names more does not group them.
const maxWays = 16

// tooFine tells whether the oracle has been violated in too many states.
func (s *search) tooFine(r *result) bool {
	if r.state == "" {
		return false
	}
	if s.violated[r.oracle] >= maxWays {
		s.notes.overfine(r.oracle)
		return true
	}
	s.violated[r.oracle]++
	return false
}

// confirm reports the failure once it has come again, or has not for long.
func (s *search) confirm(r *result) {
	s.suspect.runs++
	again := r.fault != wire.OK && r.key == s.suspect.outcome.Key
	if !again && s.suspect.runs < maxConfirm {
		return
	}
	if !again && s.suspect.resumed {
		s.acquit()
		return
	}
	if !again {
		s.suspect.outcome.Text += fmt.Sprintf("\nThe same input did not fail in this way in %d further runs: the target is not deterministic.\n", s.suspect.runs)
	}
	s.phase = exploring
	s.link.send(s.suspect.message())
	s.ended = !s.config.KeepOn
}

// acquit drops a suspect that only fails when it goes on from a saved state:
// it is the harness that saves or loads too little.
func (s *search) acquit() {
	s.phase = exploring
	delete(s.keys, s.suspect.outcome.Key)
	s.notes.wobble("the harness's Save and Load")
	s.states = nil
}

// price is what it costs to go to a cell of so many events, and on from there.
func (s *search) price(events int) float64 {
	if s.states != nil {
		events /= burst // the first of the burst plays them, the others do not
	}
	return s.maker.Cost(events + mutate.BurstMax)
}
