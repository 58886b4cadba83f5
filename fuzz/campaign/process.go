package campaign

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/ijongo/ijongo/fuzz/wire"
)

// grace is how long a target may take to print its goroutines, to end when
// it is told to, and to have its last output read.
const grace = 2 * time.Second

// A Target is a test binary and the fuzz function in it.
type Target struct {
	Binary string // path of the test binary
	Dir    string // where it runs: the folder of its package
	Name   string // FuzzXxx

	Env []string // NAME=VALUE, in addition to those of this process

	MemLimit int64 // of a process, in bytes; 0 is none
}

// Command is how it is started.
func (t Target) Command() []string {
	return []string{t.Binary, "-test.run=^" + t.Name + "$", "-test.paniconexit0", "-test.timeout=0"}
}

// A process is one running target.
type process struct {
	cmd      *exec.Cmd
	shared   *wire.Shared
	file     string              // of shared
	messages <-chan wire.Message // closed when the target has closed its end
	requests *os.File            // closing it tells the target to end
	output   output
	ended    chan struct{} // closed when all of it is over and read
	garbled  error         // why reading messages ended early
}

// launch starts target in the mode of config. The file that it counts coverage
// in may be nil.
func (t Target) launch(config wire.Config, coverage *os.File) (*process, error) {
	p := &process{ended: make(chan struct{})}
	config.Target, config.MemLimit = t.Name, t.MemLimit
	if config.Mode != wire.Describe {
		path, err := tempFile()
		if err != nil {
			return nil, err
		}
		p.file, config.Shared = path, path
		if p.shared, err = wire.CreateShared(path); err != nil {
			return nil, errors.Join(err, os.Remove(path))
		}
	}
	if err := p.start(t, config, coverage); err != nil {
		p.forget()
		return nil, errors.Join(err, p.release())
	}
	return p, nil
}

// tempFile makes the file that is shared with a target. It is written all the
// time, so memory is the better place.
func tempFile() (string, error) {
	const memory, name = "/dev/shm", "ijongo-*"
	f, err := os.CreateTemp(memory, name)
	if err != nil {
		if f, err = os.CreateTemp("", name); err != nil {
			return "", err
		}
	}
	return f.Name(), f.Close()
}

// forget removes the name of the shared file. That is done as soon as the
// target has opened it, so that a campaign that is killed leaves nothing.
func (p *process) forget() {
	if p.file != "" {
		os.Remove(p.file) // it may be gone already
	}
}

func (p *process) start(t Target, config wire.Config, coverage *os.File) error {
	pipes, err := newPipes()
	if err != nil {
		return err
	}
	settings, err := json.Marshal(config)
	if err != nil {
		return err
	}
	command := t.Command()
	p.cmd = exec.Command(command[0], command[1:]...)
	p.cmd.Dir = t.Dir
	p.cmd.Env = environment(append(os.Environ(), t.Env...), string(settings), t.MemLimit)
	p.cmd.Stdout, p.cmd.Stderr = pipes.theirs[0], pipes.theirs[0]
	p.cmd.ExtraFiles = []*os.File{pipes.theirs[1], pipes.theirs[2]} // wire.OutFD, wire.InFD
	if coverage != nil {
		p.cmd.ExtraFiles = append(p.cmd.ExtraFiles, coverage) // wire.CovFD
	}
	p.cmd.SysProcAttr = attributes()
	err = p.cmd.Start()
	pipes.closeTheirs()
	if err != nil {
		pipes.closeOurs()
		return fmt.Errorf("cannot start the target: %w", err)
	}
	p.requests = pipes.ours[2]
	messages := make(chan wire.Message)
	p.messages = messages
	go p.follow(pipes.ours[0], pipes.ours[1], messages)
	return nil
}

// environment is env for a target: one P, because a target is one goroutine
// and every core has a target of its own, and a lazy collector, which was
// measured to be worth 14 to 25 % on etcd/raft, until memory gets short.
func environment(env []string, settings string, memory int64) []string {
	out := make([]string, 0, len(env)+4)
	out = append(out, "GOMAXPROCS=1", "GOGC=400")
	if memory > 0 {
		out = append(out, fmt.Sprintf("GOMEMLIMIT=%d", memory/4*3))
	}
	for _, v := range env {
		if !strings.HasPrefix(v, wire.EnvConfig+"=") {
			out = append(out, v) // of two equal names the later counts
		}
	}
	return append(out, wire.EnvConfig+"="+settings)
}

// pipes are the output, the messages and the requests of a target.
type pipes struct{ ours, theirs [3]*os.File }

func newPipes() (*pipes, error) {
	p := new(pipes)
	for i := range p.ours {
		r, w, err := os.Pipe()
		if err != nil {
			p.closeOurs()
			p.closeTheirs()
			return nil, err
		}
		p.ours[i], p.theirs[i] = r, w
	}
	p.ours[2], p.theirs[2] = p.theirs[2], p.ours[2] // requests go the other way
	return p, nil
}

func (p *pipes) closeOurs()   { closeAll(p.ours[:]) }
func (p *pipes) closeTheirs() { closeAll(p.theirs[:]) }

func closeAll(files []*os.File) {
	for _, f := range files {
		if f != nil {
			f.Close() // a pipe: nothing is buffered that could fail
		}
	}
}

// follow reads what the target prints and says until it has ended, and ends
// the processes that it has left behind.
func (p *process) follow(printed, said *os.File, messages chan<- wire.Message) {
	var readers sync.WaitGroup
	readers.Go(func() { io.Copy(&p.output, printed) }) // ends at EOF or the deadline below
	readers.Go(func() {
		defer close(messages)
		p.garbled = p.decode(said, messages)
	})
	p.cmd.Wait() // the state says more than the error
	p.signalAll(syscall.SIGKILL)
	deadline := time.Now().Add(grace) // for children that left the process group
	printed.SetReadDeadline(deadline)
	said.SetReadDeadline(deadline)
	readers.Wait()
	closeAll([]*os.File{printed, said, p.requests})
	p.forget()
	close(p.ended)
}

func (p *process) decode(r io.Reader, messages chan<- wire.Message) error {
	var once sync.Once
	d := json.NewDecoder(r)
	for {
		var m wire.Message
		if err := d.Decode(&m); err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, io.ErrUnexpectedEOF) {
				return nil // ended, or died in the middle of a line
			}
			io.Copy(io.Discard, r) // so that the target does not block
			return fmt.Errorf("the target wrote something else on descriptor %d, which belongs to the campaign: %w", wire.OutFD, err)
		}
		once.Do(p.forget) // who speaks has opened it
		messages <- m
	}
}

// signalAll sends s to the target and the processes that it started.
func (p *process) signalAll(s syscall.Signal) {
	// An error means that there is nobody left.
	syscall.Kill(-p.cmd.Process.Pid, s)
}

// stop tells the target to end.
func (p *process) stop() { p.requests.Close() }

// kill ends the target. It returns when the target has ended; messages that
// come in between are lost.
func (p *process) kill() {
	p.abandon()
	p.drain()
}

// abandon ends the target without waiting for it.
func (p *process) abandon() { p.signalAll(syscall.SIGKILL) }

// dump ends the target after it has printed its goroutines.
func (p *process) dump() {
	p.cmd.Process.Signal(syscall.SIGQUIT) // an error means that it has ended
	late := time.AfterFunc(grace, p.abandon)
	defer late.Stop()
	p.drain()
}

// end tells the target to end, and kills it if it does not.
func (p *process) end() {
	p.stop()
	late := time.AfterFunc(grace, p.abandon)
	defer late.Stop()
	p.drain()
}

func (p *process) drain() {
	for range p.messages {
	}
	<-p.ended
}

// release gives back the memory that is shared with the target; Input, Execs
// and Running must have been read before.
func (p *process) release() error {
	if p.shared == nil {
		return nil
	}
	return p.shared.Close()
}
