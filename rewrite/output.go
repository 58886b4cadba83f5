package rewrite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// checkOut refuses to replace a folder that is not an instrumented copy.
func checkOut(out string) error {
	list, err := os.ReadDir(out)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(list) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := ReadManifest(out); err != nil {
		return fmt.Errorf("%s is not empty and not an instrumented copy (name another folder, or remove it)", out)
	}
	return nil
}

// replaceTree writes the files beside out and puts them in its place.
func replaceTree(ctx context.Context, out string, files map[string]entry) (err error) {
	parent := filepath.Dir(out)
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return err
	}
	tmp, err := scratch(parent, filepath.Base(out))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tmp)) }()
	fresh := filepath.Join(tmp, "new")
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := files[name].write(filepath.Join(fresh, filepath.FromSlash(name))); err != nil {
			return err
		}
	}
	return swap(fresh, out, filepath.Join(tmp, "old"))
}

// scratchPrefix begins the names of folders that are being written. Such a
// folder is never part of a copy.
const scratchPrefix = ".ijongo-"

// scratch makes a folder to write a copy of that name in, and removes what
// processes that were killed have left of theirs.
func scratch(parent, base string) (string, error) {
	list, err := os.ReadDir(parent)
	if err != nil {
		return "", err
	}
	prefix := scratchPrefix + base + "-"
	for _, d := range list {
		rest, ok := strings.CutPrefix(d.Name(), prefix)
		if !ok {
			continue
		}
		number, _, _ := strings.Cut(rest, "-")
		if pid, err := strconv.Atoi(number); err == nil && !alive(pid) {
			if err := os.RemoveAll(filepath.Join(parent, d.Name())); err != nil {
				return "", err
			}
		}
	}
	return os.MkdirTemp(parent, fmt.Sprintf("%s%d-", prefix, os.Getpid()))
}

// alive tells whether a process exists.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	err = p.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, fs.ErrPermission)
}

// swap moves fresh to out, and what was there to old.
func swap(fresh, out, old string) error {
	if _, err := os.Lstat(out); errors.Is(err, fs.ErrNotExist) {
		return os.Rename(fresh, out)
	}
	if err := exchange(fresh, out); err == nil {
		return nil
	}
	if err := os.Rename(out, old); err != nil {
		return err
	}
	return os.Rename(fresh, out)
}

func (e entry) write(name string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	switch {
	case e.link != "":
		return os.Symlink(e.link, name)
	case e.from != "":
		return copyFile(e.from, name, e.mode)
	}
	return os.WriteFile(name, e.data, e.mode)
}

func copyFile(from, to string, mode fs.FileMode) error {
	r, err := os.Open(from)
	if err != nil {
		return err
	}
	defer r.Close()
	w, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	if _, err := io.Copy(w, r); err != nil {
		return errors.Join(err, w.Close())
	}
	return w.Close()
}
