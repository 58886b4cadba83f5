package etcdraft

import "slices"

// A rule says which bins of some points do not come together. Tuples that a
// rule is about are no bins of a cross that has all of its points, so that
// every hole of a cross is a question. TestRulesHold looks whether they do.
type rule struct {
	why    string
	points []int
	never  func(b *[numPoints]int) bool
}

var rules = []rule{
	{
		"each point that says how many nodes lead says it of the same nodes",
		nil, // of all that are there
		func(b *[numPoints]int) bool {
			least, most := 0, 2
			for p := range b {
				if lo, hi, ok := leadersIn(p, b[p]); ok {
					least, most = max(least, lo), min(most, hi)
				}
			}
			return least > most
		},
	},
	{
		"all nodes are up at the start, and only a crash takes one down",
		[]int{pCrash, pDown},
		func(b *[numPoints]int) bool { return crashed(b[pCrash]) == neverCrashed && b[pDown] > 0 },
	},
	{
		"of at most five nodes, those that are up are fewer than all members, or than a quorum of the voters",
		[]int{pVoters, pDown, pReach},
		func(b *[numPoints]int) bool {
			voters, up := b[pVoters]+1, maxNodes-b[pDown]
			return b[pReach] == reachesAll && up < voters || b[pReach] == reachesQuorum && up < voters/2+1
		},
	},
	{
		"who campaigns follows nobody, so that it does not follow the leader",
		[]int{pRoles, pBelief},
		func(b *[numPoints]int) bool { return b[pBelief] == believedByAll && b[pRoles]&3 != 0 },
	},
	{
		"who is in a newer term than the leader does not follow it, because a leader's term is on disk before it is followed",
		[]int{pRank, pBelief},
		func(b *[numPoints]int) bool { return b[pRank] == overtaken && b[pBelief] == believedByAll },
	},
	{
		"a leader that all follow is therefore of the newest term, in which it has voted for itself",
		[]int{pVotes, pBelief},
		func(b *[numPoints]int) bool { return b[pVotes] == 0 && b[pBelief] == believedByAll },
	},
	{
		"two leaders are of different terms: election safety, a failure of which ends the run",
		[]int{pLeaders, pSpread},
		func(b *[numPoints]int) bool { return b[pLeaders] > oneLeader && b[pSpread] == 0 },
	},
	{
		"there are outgoing voters in a joint configuration only, and it is the cluster's if all leaders have the same",
		[]int{pShape, pPlace, pLeaders},
		func(b *[numPoints]int) bool {
			return b[pShape] == simpleShape && b[pPlace] == outgoingVoter && (b[pLeaders] == oneLeader || b[pLeaders] == alikeLeaders)
		},
	},
	{
		// The configurations that a node elected later may still go by, and
		// this one, follow each other: they have the voter in every quorum.
		// A torn write can leave a node two configurations behind.
		"nobody is elected without the only voter, who then leads no more",
		[]int{pPlace, pLeaders},
		func(b *[numPoints]int) bool {
			return b[pLeaders] == loneLeader && b[pPlace] < learner && !tears
		},
	},
	{
		// Raft refuses to campaign before it has applied them.
		"who campaigns has a vote and has applied every change that it knows to be committed, and knows of no other until it is settled",
		[]int{pSettled, pPlace, pLeaders},
		func(b *[numPoints]int) bool {
			return b[pSettled] == 0 && b[pPlace] >= learner && b[pLeaders] == oneLeader
		},
	},
	{
		"the same of the only leader, whom all follow",
		[]int{pSettled, pPlace, pBelief},
		func(b *[numPoints]int) bool {
			return b[pSettled] == 0 && b[pPlace] >= learner && b[pBelief] == believedByAll
		},
	},
	{
		"a log that ends before the leader's begins is shorter",
		[]int{pBehind, pSnapshots},
		func(b *[numPoints]int) bool { return b[pSnapshots] > 0 && b[pBehind] == 0 },
	},
	{
		"a leader compacts only what is committed, so that who needs a snapshot lacks more than what is not",
		[]int{pBehind, pTail, pSnapshots},
		func(b *[numPoints]int) bool {
			return b[pSnapshots] > 0 && b[pTail] > 0 && (b[pBehind] < b[pTail] || b[pBehind] == 1)
		},
	},
}

// unknown is the bin of a point that is not in a cross.
const unknown = -3

// leadersIn is how many nodes lead, two for more, when a point is in a bin.
func leadersIn(point, bin int) (least, most int, ok bool) {
	if bin == unknown {
		return 0, 0, false
	}
	switch point {
	case pRoles:
		return bin / 4, bin / 4, true
	case pLeaders:
		return min(bin, 2), min(bin, 2), true
	case pRank:
		return min(bin, 1), 2 * min(bin, 1), true
	case pReads:
		return max(bin-1, 0), 2, true // readsOfLeader, readsOfOlder
	case pBelief:
		switch bin {
		case believeNobody, believeGhost:
			return 0, 0, true
		case believedByAll:
			return 1, 1, true
		}
		return 1, 2, true
	}
	if point > pBelief && bin >= 0 {
		return 1, 2, true
	}
	return 0, 0, false
}

// impossible lists the tuples of a cross that a rule excludes.
func impossible(axes []int) (tuples [][]int) {
	b := [numPoints]int{}
	for p := range b {
		b[p] = unknown
	}
	var enumerate func(k int)
	enumerate = func(k int) {
		if k == len(axes) {
			if broken(&b, axes) != nil {
				tuple := make([]int, len(axes))
				for i, p := range axes {
					tuple[i] = b[p]
				}
				tuples = append(tuples, tuple)
			}
			return
		}
		for bin := range clusterPoints[axes[k]].bins {
			b[axes[k]] = bin
			enumerate(k + 1)
		}
	}
	enumerate(0)
	return tuples
}

// broken is a rule that bins of these points break, or nil.
func broken(b *[numPoints]int, points []int) *rule {
	for i := range rules {
		r := &rules[i]
		known := !slices.ContainsFunc(r.points, func(p int) bool { return !slices.Contains(points, p) })
		if known && r.never(b) {
			return r
		}
	}
	return nil
}
