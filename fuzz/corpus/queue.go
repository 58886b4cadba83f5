package corpus

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

// The names of files in a queue: an id that rises by one from file to file,
// and the name of the content; or of content that is to be left alone, in an
// empty file.
const (
	queueDir  = "queue"
	crashDir  = "crashes"
	hangDir   = "hangs"
	idPrefix  = "id:"
	sigMark   = ",sig:"
	deadMark  = ",dead:"
	idMinimum = 6 // digits
)

// A File is one file of a queue.
type File struct {
	Path   string
	Writer string // whose queue it is in
	ID     int
	Name   string // of the content, empty if the file's name does not tell
	Dead   bool   // there is no content, and that called Name is not to be run
}

// parseFile takes the name of a file apart; ok is false for one that does not
// belong into a queue.
func parseFile(dir, name string) (f File, ok bool) {
	rest := strings.TrimPrefix(name, idPrefix)
	end := strings.IndexByte(rest, ',')
	if end < 0 {
		end = len(rest)
	}
	id, err := strconv.Atoi(rest[:end])
	if rest == name || err != nil || id < 0 {
		return File{}, false
	}
	f = File{Path: filepath.Join(dir, name), Writer: filepath.Base(filepath.Dir(dir)), ID: id}
	switch rest = rest[end:]; {
	case strings.HasPrefix(rest, sigMark) && IsName(rest[len(sigMark):]):
		f.Name = rest[len(sigMark):]
	case strings.HasPrefix(rest, deadMark) && IsName(rest[len(deadMark):]):
		f.Name, f.Dead = rest[len(deadMark):], true
	}
	return f, true
}

// Holds tells whether data is the content of the file, which is looked at only
// where its name does not tell.
func (f File) Holds(data []byte) bool {
	if f.Name != "" {
		return !f.Dead && f.Name == Name(data)
	}
	info, err := os.Stat(f.Path)
	if err != nil || info.Size() != int64(len(data)) {
		return false
	}
	content, err := f.Read()
	return err == nil && bytes.Equal(content, data)
}

// Read reads the content of the file. An error is that of a file that is gone,
// or a [BadEntry].
func (f File) Read() ([]byte, error) {
	data, err := read(f.Path)
	if os.IsNotExist(err) {
		return nil, err
	}
	if err == nil && f.Name != "" && Name(data) != f.Name {
		err = ErrContent
	}
	if err != nil {
		return nil, &BadEntry{f.Path, err}
	}
	return data, nil
}

// Bury puts in the place of the file an empty one, which says that its content
// is not to be run again. It is for files that this package has named.
func (f File) Bury() error { return f.replace(deadMark, nil) }

// Revive takes back that the content is not to be run.
func (f File) Revive(data []byte) error { return f.replace(sigMark, data) }

func (f File) replace(mark string, data []byte) error {
	dir := filepath.Dir(f.Path)
	path := filepath.Join(dir, fileName(f.ID, mark, f.Name))
	if err := write(dir, path, data); err != nil || path == f.Path {
		return err
	}
	return os.Remove(f.Path)
}

func fileName(id int, mark, name string) string {
	return fmt.Sprintf("%s%0*d%s%s", idPrefix, idMinimum, id, mark, name)
}

// A Queue is the finds of one writer. No other process may add to it.
type Queue struct {
	dir  string
	next int // id
}

// QueueDir is the queue of the writer called name, in a folder of several.
func QueueDir(root, name string) string { return filepath.Join(root, name, queueDir) }

// OpenQueue makes the queue of the writer called name in root, if it is not
// there yet.
func OpenQueue(root, name string) (*Queue, error) {
	q := &Queue{dir: QueueDir(root, name)}
	if err := os.MkdirAll(q.dir, 0o755); err != nil {
		return nil, err
	}
	files, err := listQueue(q.dir)
	if err == nil && len(files) > 0 {
		q.next = files[len(files)-1].ID + 1
	}
	return q, err
}

// Add puts data at the end of the queue. When there is an error, nothing of
// data is left.
func (q *Queue) Add(data []byte) (File, error) { return q.put(sigMark, Name(data), data) }

// Bury says in this queue that the content called name, which is in a queue
// of somebody else, is not to be run again.
func (q *Queue) Bury(name string) error {
	_, err := q.put(deadMark, name, nil)
	return err
}

func (q *Queue) put(mark, name string, data []byte) (File, error) {
	file := fileName(q.next, mark, name)
	if err := write(q.dir, filepath.Join(q.dir, file), data); err != nil {
		return File{}, err
	}
	q.next++
	f, _ := parseFile(q.dir, file)
	return f, nil
}

// Writers are the names of those that have a queue in root, sorted.
func Writers(root string) ([]string, error) {
	all, err := readDir(root)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range all {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if info, err := os.Stat(QueueDir(root, e.Name())); err == nil && info.IsDir() {
			names = append(names, e.Name())
		}
	}
	sort.Strings(names)
	return names, nil
}

// Files are those of one queue, in the order of their ids. A missing folder
// has none.
func Files(root, writer string) ([]File, error) { return listQueue(QueueDir(root, writer)) }

// Crashes and Hangs are what an instance of AFL++ called writer says crashes,
// or takes too long: what it has saved since it began, in the order of the ids, and of
// earlier ones, whose folders have been put by under names such as
// crashes.2026-12-01-10:00:00.
func Crashes(root, writer string) ([]File, error) { return saved(root, writer, crashDir) }
func Hangs(root, writer string) ([]File, error)   { return saved(root, writer, hangDir) }

func saved(root, writer, kind string) (all []File, err error) {
	dir := filepath.Join(root, writer)
	folders, err := readDir(dir)
	if err != nil {
		return nil, ignoreMissing(err)
	}
	var names []string
	for _, f := range folders {
		if f.IsDir() && (f.Name() == kind || strings.HasPrefix(f.Name(), kind+".")) {
			names = append(names, f.Name())
		}
	}
	sort.Strings(names)
	for _, name := range names {
		files, err := listQueue(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		all = append(all, files...)
	}
	return all, nil
}

// AllFiles are those of all queues in root, one after the other.
func AllFiles(root string) (all []File, err error) {
	writers, err := Writers(root)
	if err != nil {
		return nil, err
	}
	for _, w := range writers {
		files, err := Files(root, w)
		if err != nil {
			return nil, err
		}
		all = append(all, files...)
	}
	return all, nil
}

func listQueue(dir string) ([]File, error) {
	all, err := readDir(dir)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	files := make([]File, 0, len(all))
	for _, e := range all {
		if f, ok := parseFile(dir, e.Name()); ok && !e.IsDir() {
			files = append(files, f)
		}
	}
	sort.Slice(files, func(i, j int) bool {
		if files[i].ID != files[j].ID {
			return files[i].ID < files[j].ID
		}
		return files[i].Path < files[j].Path
	})
	return files, nil
}

// Live leaves out what is not to be run, and of files whose names say that
// they are equal all but the first.
func Live(files []File) []File {
	done := make(map[string]bool)
	for _, f := range files {
		if f.Dead {
			done[f.Name] = true
		}
	}
	var live []File
	for _, f := range files {
		if f.Dead || f.Name != "" && done[f.Name] {
			continue
		}
		if f.Name != "" {
			done[f.Name] = true
		}
		live = append(live, f)
	}
	return live
}
