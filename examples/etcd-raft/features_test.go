package etcdraft

import (
	ijon "github.com/ijongo/ijongo/runtime"
)

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
	stalls
	facts
)

var factNames = [facts]string{
	elections: "elects", commits: "commits", applies: "applies", snapshots: "snapshots", compacts: "compacts",
	restores: "restores", changes: "changes membership", joints: "goes joint", answers: "answers reads",
	crashes: "crashes", restarts: "restarts", losses: "loses a commit index", stalls: "is entitled to stall",
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

var knownBin = ijon.Declare(ijon.VerbCover, staleReadLone)

// reach hits the bin of a fact under the settings of the run, once a run.
func (c *cluster) reach(f fact) {
	if c.reached>>f&1 == 0 {
		c.reached |= 1 << f
		ijon.Cover(factBins[f][c.conf.class()])
	}
}

func (c *cluster) reachConf(n *node, conf membership) {
	c.reach(changes)
	if conf.joint() {
		c.reach(joints)
	}
}

type situation struct{}

func (s *situation) reset()        {}
func (c *cluster) observe()        {}
func (c *cluster) changedNetwork() {}
