package etcdraft

import ijon "github.com/ijongo/ijongo/runtime"

// A fact is something that a run has done. That every fact is reached under
// every class of settings shows that the harness exercises raft, and does not
// stall where nobody looks.
type fact int

const (
	elections fact = iota
	commits
	applies
	snapshots
	compacts
	restores
	changes
	joints
	answers
	crashes
	restarts
	losses
	removals
	stalls
	lateWrites
	lateApplies
	facts
)

var factNames = [facts]string{
	elections: "elects",
	commits:   "commits",
	applies:   "applies",
	snapshots: "snapshots",
	compacts:  "compacts",
	restores:  "restores a snapshot",
	changes:   "changes membership",
	joints:    "goes joint",
	answers:   "answers reads",
	crashes:   "crashes",
	restarts:  "restarts",
	losses:    "loses a commit index",
	removals:  "removes the leader",
	stalls:    "is entitled to stall",

	lateWrites:  "goes on while a write waits",
	lateApplies: "goes on while an application waits",
}

// factBins has one bin for each fact under each class of settings.
var factBins = func() (bins [facts][classes]ijon.ID) {
	for f, name := range factNames {
		for class := range classes {
			bins[f][class] = ijon.Declare(ijon.VerbCover, name+" under"+className(class))
		}
	}
	return bins
}()

// Bins of the violations that unmodified raft shows.
var (
	loneBin    = ijon.Declare(ijon.VerbCover, staleReadLone)
	removedBin = ijon.Declare(ijon.VerbCover, staleReadRemoved)
)

// reach hits the bin of a fact under the settings of the run, once a run.
func (c *cluster) reach(f fact) {
	if c.reached>>f&1 == 0 {
		c.reached |= 1 << f
		ijon.Cover(factBins[f][c.conf.class()])
	}
}

// reachConf reaches what a node's change to a new configuration is.
func (c *cluster) reachConf(n *node, conf membership) {
	c.reach(changes)
	if conf.joint() {
		c.reach(joints)
	}
	if n.app.conf.votes(n.id) && !conf.votes(n.id) && c.history.led(n.id) == n.hard.GetTerm() {
		c.reach(removals)
	}
}
