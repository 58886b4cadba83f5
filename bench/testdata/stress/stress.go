// Package stress is a target that takes its time, fails in every way, as its
// input says, and notes each failure in a file just before it happens.
package stress

import (
	"os"
	"time"
)

// The file that the variable STRESS_PLANTED names has a byte for each failure
// that has happened.
var planted, _ = os.OpenFile(os.Getenv("STRESS_PLANTED"), os.O_APPEND|os.O_WRONLY, 0)

// timeout is that of the tool.
const timeout = 20 * time.Millisecond

// Act does what the input says.
func Act(b []byte) (failed bool) {
	if len(b) < 3 {
		return false
	}
	late := b[0] >= 250
	if late {
		// To a moment around the timeout that no second run has.
		jitter := time.Duration(time.Now().UnixNano() % int64(time.Millisecond))
		time.Sleep(timeout/2 + time.Duration(b[1])*timeout/256 + jitter)
	}
	if b[2] < 252 {
		return false
	}
	if !late { // it may be too late to note it
		planted.Write(b[1:2])
	}
	return fail(b[1])
}

// fail fails in seven ways, each at three places, so that their edges tell
// them apart.
func fail(id byte) bool {
	switch id % 21 {
	case 0:
		panic("planted")
	case 1:
		panic("planted")
	case 2:
		panic("planted")
	case 3:
		*null = 1
	case 4:
		*null = 1
	case 5:
		*null = 1
	case 6:
		elsewhere()
	case 7:
		elsewhere()
	case 8:
		elsewhere()
	case 9:
		os.Exit(3)
	case 10:
		os.Exit(3)
	case 11:
		os.Exit(3)
	case 12:
		select {} // a deadlock
	case 13:
		select {}
	case 14:
		select {}
	case 15:
		overflow(1)
	case 16:
		overflow(1)
	case 17:
		overflow(1)
	case 18:
		return true
	case 19:
		return true
	case 20:
		return true
	}
	return false
}

var null *int

func elsewhere() {
	go panic("planted")
	select {}
}

func overflow(n int) int { return overflow(n+1) + n }
