package corpus

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"github.com/ijongo/ijongo/fuzz/wire"
)

const (
	nameLen    = 16
	tempPrefix = ".ijongo-"
)

// An Entry is one input and the name of its file.
type Entry struct {
	Name string
	Data []byte
}

// A BadEntry is a file that is no entry, and why. It stays where it is.
type BadEntry struct {
	Path string
	Err  error
}

func (b *BadEntry) Error() string { return b.Path + ": " + b.Err.Error() }

func (b *BadEntry) Unwrap() error { return b.Err }

// Why a file is bad.
var (
	ErrContent = errors.New("the content does not match the name (restore the file, or delete it)")
	ErrTooLong = fmt.Errorf("longer than %d bytes, the longest input", wire.MaxInput)
)

// Name is the name of the file that holds data.
func Name(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:nameLen/2])
}

// Add writes data to its file in dir unless it is there already. When there
// is an error, nothing of data is left in dir.
func Add(dir string, data []byte) (name string, added bool, err error) {
	name = Name(data)
	path := filepath.Join(dir, name)
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, data) {
		return name, false, nil
	}
	if err := write(dir, path, data); err != nil {
		return name, false, err
	}
	return name, true, nil
}

// write makes data appear in dir at path, complete.
func write(dir, path string, data []byte) error {
	if len(data) > wire.MaxInput {
		return &BadEntry{path, ErrTooLong}
	}
	f, err := os.CreateTemp(dir, tempPrefix+"*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(0o644) // a corpus is there to be shared
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name()) // the first error is the one to report
	}
	return err
}

// Load reads the entries of dir, sorted by name. A file that is no entry is
// reported in bad and left in place; files that begin with a dot and folders
// are passed over.
func Load(dir string) (entries []Entry, bad []*BadEntry, err error) {
	names, err := list(dir)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range names {
		data, err := read(filepath.Join(dir, name))
		if os.IsNotExist(err) {
			continue // removed since the folder was listed
		}
		if err == nil && IsName(name) && Name(data) != name {
			err = ErrContent
		}
		if err != nil {
			bad = append(bad, &BadEntry{filepath.Join(dir, name), err})
			continue
		}
		entries = append(entries, Entry{name, data})
	}
	return entries, bad, nil
}

// Sweep removes the temporary files of writers that were killed: those that
// are older than age, which is 0 where no other process adds to dir.
func Sweep(dir string, age time.Duration) error {
	all, err := readDir(dir)
	if err != nil {
		return err
	}
	for _, e := range all {
		if !strings.HasPrefix(e.Name(), tempPrefix) || age > 0 && !older(e, age) {
			continue
		}
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return nil
}

// older tells whether a file was last written longer ago than age.
func older(e os.DirEntry, age time.Duration) bool {
	info, err := e.Info()
	return err == nil && time.Since(info.ModTime()) > age
}

// list gives the names of the files that may be entries, sorted.
func list(dir string) ([]string, error) {
	all, err := readDir(dir)
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, len(all))
	for _, e := range all {
		if !e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	sort.Strings(names)
	return names, nil
}

// readDir is os.ReadDir without its sorting.
func readDir(dir string) ([]os.DirEntry, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.ReadDir(-1)
}

// read reads a file that is no longer than an input may be.
func read(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, cause(err)
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	if info.Size() > wire.MaxInput {
		return nil, ErrTooLong
	}
	data, err := os.ReadFile(path)
	return data, cause(err)
}

// cause drops the path that a BadEntry names anyway.
func cause(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// IsName tells whether a file of that name is one that Add writes.
func IsName(s string) bool {
	if len(s) != nameLen {
		return false
	}
	for i := 0; i < len(s); i++ {
		if !('0' <= s[i] && s[i] <= '9' || 'a' <= s[i] && s[i] <= 'f') {
			return false
		}
	}
	return true
}
