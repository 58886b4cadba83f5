//go:build linux && (amd64 || arm64)

package afl

import (
	"encoding/binary"
	"os"
	"slices"
	"syscall"
	"testing"
	"time"
)

// TestDeathBetweenAnyTwoSteps: whatever a child has told the tool when it dies,
// the supervisor tells the rest and no more.
func TestDeathBetweenAnyTwoSteps(t *testing.T) {
	const victim, crash = 4711, uint32(syscall.SIGABRT)
	for _, c := range []struct {
		name      string
		phase     uint32
		requested bool // the request is in the pipe still
		sent      bool // the word of the phase has left
		want      []uint32
		doomed    uint32
	}{
		{"between two runs", idle, false, false, nil, crash},
		{"about to read a request", taking, true, false, nil, crash},
		{"a request read", taking, false, false, []uint32{victim, crash}, 0},
		{"about to name the victim", naming, false, false, []uint32{victim, crash}, 0},
		{"the victim named", naming, false, true, []uint32{crash}, 0},
		{"in the run", running, false, false, []uint32{crash}, 0},
		{"the run over", finishing, false, false, []uint32{0}, crash},
		{"about to report", reporting, false, false, []uint32{0}, crash},
		{"reported", reporting, false, true, nil, crash},
		{"reported, and a request there", reporting, true, true, nil, crash},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, control, status := inProcess(t)
			s.victim, s.shared.victim, s.shared.phase = victim, victim, c.phase
			s.shared.sent = s.ledger.at()
			if c.requested {
				control.Write(make([]byte, 4))
			}
			if c.sent {
				s.ledger.send(s.shared.sent, 99)
			}
			if err := s.settle(syscall.WaitStatus(crash)); err != nil {
				t.Fatal(err)
			}
			if c.sent {
				c.want = append([]uint32{99}, c.want...)
			}
			if got := words(status); !slices.Equal(got, c.want) || s.doomed != c.doomed {
				t.Errorf("told %d, to come %d; want %d, %d", got, s.doomed, c.want, c.doomed)
			}
		})
	}
}

// TestVictimsThatDieInTurn has the tool kill the next victim before the
// supervisor has done with the death of the last one: the child waits for a third
// one, and no longer for what the supervisor looks at.
func TestVictimsThatDieInTurn(t *testing.T) {
	const last, next = 4711, 4712
	s, _, _ := inProcess(t)
	s.child = os.Getpid() // which is alive
	s.shared.victim, s.shared.named, s.shared.phase = next, next, taking
	over := make(chan bool, 1)
	go func() { over <- s.endedBy(last) }()
	select {
	case ended := <-over:
		if ended {
			t.Error("ends a run that nobody has ended")
		}
	case <-time.After(5 * time.Second):
		t.Error("waits for a child that waits for it")
	}
}

func TestLedgerBeginsAnew(t *testing.T) {
	s, _, status := inProcess(t)
	at := s.ledger.at()
	for i := range uint32(3*ledgerWords + 5) {
		at = s.ledger.next(at)
		before := s.ledger.at()
		if before != at {
			t.Fatalf("word %d: offset %d, want %d", i, before, at)
		}
		at = s.ledger.send(at, i)
		if s.ledger.at() == before {
			t.Fatalf("word %d: the offset stays", i)
		}
		if got := words(status); !slices.Equal(got, []uint32{i}) {
			t.Fatalf("word %d: got %d", i, got)
		}
	}
}

// inProcess is a supervisor in this process, and the tool's ends of its pipes.
func inProcess(t testing.TB) (s *supervisor, control, status *os.File) {
	t.Helper()
	requests, control := pipe(t)
	status, answers := pipe(t)
	for from, to := range map[*os.File]int{requests: controlFD, answers: statusFD} {
		if err := syscall.Dup3(int(from.Fd()), to, syscall.O_CLOEXEC); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { syscall.Close(to) })
	}
	s = &supervisor{mem: make([]byte, 64)}
	var err error
	if s.shared, s.ledger, err = newControl(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Close(s.ledger.fd) })
	return s, control, status
}

// words are those that can be read.
func words(f *os.File) (list []uint32) {
	for awaitReadable(int(f.Fd()), &syscall.Timespec{}) {
		var word [4]byte
		if n, err := f.Read(word[:]); err != nil || n != 4 {
			break
		}
		list = append(list, binary.LittleEndian.Uint32(word[:]))
	}
	return list
}
