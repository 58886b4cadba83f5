//go:build linux && (amd64 || arm64)

package afl

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// A fake does what a tool of AFL++ does with a target, on purpose at the worst
// of moments.
type fake struct {
	t       *testing.T
	cmd     *exec.Cmd
	control *os.File
	status  *os.File
	said    bytes.Buffer

	segment segment // the whole one
	cases   segment // nil: the file of standard input
	input   *os.File
	mapSize int
	options uint32 // of the handshake
	dict    []byte

	word  *uint32 // of the futex; nil without
	alive bool    // there is a child that takes turns with word
	child int     // process id that was told last
	late  uint32
}

// A setup is how a fake differs from the usual.
type setup struct {
	old   bool // speak the handshake before 4.20c
	size  int  // of the segment
	stdin bool // no test cases in shared memory
	files bool // segments are files, not System V's
	futex bool // offer one
	env   []string
}

const usualSize = 4096 + areaSize + slotSize + 64

// begin starts a target and makes the handshake.
func begin(t *testing.T, s setup) *fake {
	t.Helper()
	f := launch(t, s)
	if s.old {
		f.greetOld()
	} else {
		f.greetNew()
	}
	return f
}

// launch starts a target.
func launch(t *testing.T, s setup) *fake {
	t.Helper()
	if s.size == 0 {
		s.size = usualSize
	}
	f := &fake{t: t}
	env := append(os.Environ(), "IJONGO_AFL_TARGET=FuzzPlain", "AFL_MAP_SIZE=8388608")
	share := func(name string, size int) segment {
		mem, value := newSegment(t, size, s.files)
		env = append(env, name+"="+value)
		return mem
	}
	f.segment = share(envMap, s.size)
	f.mapSize = s.size
	if !s.stdin {
		f.cases = share(envCases, 4+caseMost)
	}
	if s.futex {
		at := s.size - 64
		f.word = wordAt(f.segment, at)
		env = append(env, fmt.Sprintf("%s=%d", envFutex, at))
	}
	f.input = tempInput(t)
	requests, control := pipe(t)
	status, answers := pipe(t)
	f.control, f.status = control, status
	f.cmd = exec.Command(plainBinary(t))
	f.cmd.Stdin, f.cmd.Stdout, f.cmd.Stderr = f.input, &f.said, &f.said
	f.cmd.ExtraFiles = make([]*os.File, statusFD-2)
	f.cmd.ExtraFiles[controlFD-3], f.cmd.ExtraFiles[statusFD-3] = requests, answers
	f.cmd.Env = append(env, s.env...)
	f.cmd.WaitDelay = 10 * time.Second
	if err := f.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	requests.Close()
	answers.Close()
	t.Cleanup(f.end)
	return f
}

// end kills the supervisor, as afl-fuzz does, and looks for what is left.
func (f *fake) end() {
	all := append(children(f.cmd.Process.Pid), f.cmd.Process.Pid)
	f.cmd.Process.Kill()
	f.cmd.Wait()
	f.gone(all)
}

// gone waits until processes have ended.
func (f *fake) gone(pids []int) {
	f.t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		pids = slices.DeleteFunc(pids, func(pid int) bool { return !lives(pid) })
		if len(pids) == 0 {
			return
		}
		if time.Now().After(deadline) {
			f.t.Fatalf("processes are left: %v", pids)
		}
	}
}

func lives(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return rest[0] != 'Z' && rest[0] != 'X'
}

// children are those of a process.
func children(pid int) (list []int) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	for word := range strings.FieldsSeq(string(text)) {
		if n, err := strconv.Atoi(word); err == nil {
			list = append(list, n)
		}
	}
	return list
}

// slow is how long anything may take here.
const slow = 30 * time.Second

var errLate = errors.New("no answer")

// read reads a word from the target.
func (f *fake) read(limit time.Duration) (uint32, error) {
	var word [4]byte
	f.status.SetReadDeadline(time.Now().Add(limit))
	n, err := f.status.Read(word[:])
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return 0, errLate
	}
	if err == nil && n != 4 {
		err = fmt.Errorf("%d bytes", n)
	}
	return binary.LittleEndian.Uint32(word[:]), err
}

// must reads a word that must come.
func (f *fake) must() uint32 {
	f.t.Helper()
	word, err := f.read(slow)
	if err != nil {
		f.t.Fatalf("reading an answer: %v\n%s", err, f.said.String())
	}
	return word
}

func (f *fake) write(word uint32) {
	f.t.Helper()
	if _, err := f.control.Write(binary.LittleEndian.AppendUint32(nil, word)); err != nil {
		f.t.Fatalf("writing: %v\n%s", err, f.said.String())
	}
}

func (f *fake) greetOld() {
	f.t.Helper()
	f.options = f.must()
	if f.options&oldEnabled != oldEnabled || f.options&oldMapSize == 0 {
		f.t.Fatalf("hello %#x", f.options)
	}
	f.mapSize = min(f.mapSize, int(f.options>>1&(1<<23-1))+1)
	accepted := f.options & (oldShared | oldAutodict)
	if accepted == 0 {
		return
	}
	f.write(oldEnabled | accepted)
	if f.options&oldAutodict != 0 {
		f.dict = f.blob()
	}
}

func (f *fake) greetNew() {
	f.t.Helper()
	if hello := f.must(); hello != newHello {
		f.t.Fatalf("hello %#x", hello)
	}
	f.write(^uint32(newHello))
	f.options = f.must()
	f.mapSize = min(f.mapSize, int(f.must()))
	if f.options&newAutodict != 0 {
		f.dict = f.blob()
	}
	if again := f.must(); again != newHello {
		f.t.Fatalf("hello again %#x", again)
	}
	if f.options&newFutex == 0 {
		f.word = nil
	}
}

// blob reads a dictionary.
func (f *fake) blob() []byte {
	f.t.Helper()
	buf := make([]byte, f.must())
	f.status.SetReadDeadline(time.Now().Add(slow))
	for at := 0; at < len(buf); {
		n, err := f.status.Read(buf[at:])
		if err != nil {
			f.t.Fatal(err)
		}
		at += n
	}
	return buf
}

// run makes a run and answers its status, and whether it was too long.
func (f *fake) run(input string, limit time.Duration) (status syscall.WaitStatus, late bool) {
	f.t.Helper()
	clear(f.segment[:f.mapSize])
	f.give(input)
	if f.word != nil && f.alive {
		atomic.StoreUint32(f.word, turnChild)
		futexRouse(f.word)
	} else {
		f.write(f.late)
		f.child = int(f.must())
		f.alive = true
	}
	f.late = 0
	if f.word != nil {
		return f.turn(limit)
	}
	word, err := f.read(limit)
	if err == errLate {
		syscall.Kill(f.child, syscall.SIGKILL)
		f.late = 1
		return syscall.WaitStatus(f.must()), true
	}
	if err != nil {
		f.t.Fatalf("%q: %v\n%s", input, err, f.said.String())
	}
	return syscall.WaitStatus(word), false
}

// turn waits for the end of a run with the futex.
func (f *fake) turn(limit time.Duration) (status syscall.WaitStatus, late bool) {
	step := syscall.NsecToTimespec(int64(time.Millisecond))
	for deadline := time.Now().Add(limit); ; {
		switch turn := atomic.LoadUint32(f.word); {
		case turn == turnTool:
			return 0, false
		case turn == turnDead:
		case time.Now().After(deadline):
			syscall.Kill(f.child, syscall.SIGKILL)
			f.late, late = 1, true
		default:
			futexSleep(f.word, turn, &step)
			continue
		}
		f.alive = false
		return syscall.WaitStatus(f.must()), late
	}
}

// give writes the test case.
func (f *fake) give(input string) {
	if f.cases != nil {
		binary.LittleEndian.PutUint32(f.cases, uint32(len(input)))
		copy(f.cases[4:], input)
		return
	}
	f.input.Truncate(0)
	f.input.WriteAt([]byte(input), 0)
	f.input.Seek(0, 0)
}

// ok makes a run of which nothing is to be said, and looks whether it was one of
// that input.
func (f *fake) ok(input string) {
	f.t.Helper()
	status, late := f.run(input, slow)
	if late || status.Signaled() || status.Exited() && status.ExitStatus() != 0 {
		f.t.Fatalf("%q: status %#x, late %v\n%s", input, uint32(status), late, f.said.String())
	}
	f.shown(input)
}

// shown looks for what the target writes into the map.
func (f *fake) shown(input string) {
	f.t.Helper()
	l := f.layout()
	h := fnv.New64a()
	h.Write([]byte(input))
	if got := f.segment[l.area : l.area+8]; !bytes.Equal(got, h.Sum(nil)) {
		f.t.Fatalf("%q: the area has %x, want %x: it is another run", input, got, h.Sum(nil))
	}
	if f.segment[l.area+8] != 0 {
		f.t.Fatalf("%q: the map lies over other memory", input)
	}
	if f.segment[0] != 1 || f.segment[l.k] != 1 || f.segment[l.k+99] != 3 {
		f.t.Fatalf("%q: the counters are %v", input, f.segment[l.k:l.k+100])
	}
}

// layout finds counter 0 in the map: it is the first byte that is not 0, but
// for the one that is always there.
func (f *fake) layout() layout {
	k := 1
	for k < 4097 && f.segment[k] == 0 {
		k++
	}
	return layout{k: k, edges: 100, area: roundUp(k+100, unit)}
}

func pipe(t testing.TB) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	return r, w
}

func tempInput(t *testing.T) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "input"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// newSegment makes shared memory, and what the environment says of it.
func newSegment(t *testing.T, size int, file bool) (segment, string) {
	t.Helper()
	if file {
		f, err := os.CreateTemp("/dev/shm", "ijongo-test-")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		t.Cleanup(func() { os.Remove(f.Name()) })
		if err := f.Truncate(int64(size)); err != nil {
			t.Fatal(err)
		}
		mem, err := attachFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		return mem, "/" + filepath.Base(f.Name())
	}
	const private, create = 0, 0o1000
	id, _, errno := syscall.Syscall(syscall.SYS_SHMGET, private, uintptr(size), create|0o600)
	if errno != 0 {
		t.Fatal(errno)
	}
	t.Cleanup(func() { syscall.Syscall(syscall.SYS_SHMCTL, id, 0, 0) }) // IPC_RMID
	mem, err := attachID(int(id))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Syscall(syscall.SYS_SHMDT, uintptr(unsafe.Pointer(&mem[0])), 0, 0) })
	return mem, strconv.Itoa(int(id))
}

// Cleanups are what to do at the end of all tests.
var Cleanups []func()

var built struct {
	sync.Once
	dir string
	err error
}

// plainBinary is the target in testdata/plain.
func plainBinary(t *testing.T) string {
	t.Helper()
	built.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "ijongo-afl-"); built.err != nil {
			return
		}
		if out, err := exec.Command("go", "build", "-o", built.dir+"/plain", "./testdata/plain").CombinedOutput(); err != nil {
			built.err = fmt.Errorf("%v\n%s", err, out)
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return built.dir + "/plain"
}

func TestMain(m *testing.M) {
	code := m.Run()
	os.RemoveAll(built.dir)
	for _, clean := range Cleanups {
		clean()
	}
	os.Exit(code)
}
