package corpus

import (
	"os"
	"time"
)

// settled is the age at which a file that was not renamed into its place is
// taken to be complete, and at which the time of a folder tells whether it has
// changed since: some file systems count in seconds.
const settled = 2 * time.Second

// A Reader reads the queues in a folder while others add to them.
type Reader struct {
	root string
	at   map[string]*position // by the name of the writer
}

// A position is how far a queue has been read.
type position struct {
	next    int       // the lowest id that has not been read
	changed time.Time // the folder's time when it was listed, zero if that was too soon to tell
}

// NewReader is a reader of all the queues in root, from their beginning.
func NewReader(root string) *Reader { return &Reader{root, make(map[string]*position)} }

// Skip goes over all that is in the queue of a writer, now and later.
func (r *Reader) Skip(writer string) { r.at[writer] = nil }

// Next answers what has been added since it was called last, queue after queue.
// A queue whose folder has not changed is not listed.
func (r *Reader) Next() (files []File, err error) {
	writers, err := Writers(r.root)
	if err != nil {
		return nil, err
	}
	for _, w := range writers {
		p, known := r.at[w]
		if !known {
			p = new(position)
			r.at[w] = p
		}
		if p == nil {
			continue
		}
		more, err := p.read(QueueDir(r.root, w))
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	return files, nil
}

func (p *position) read(dir string) ([]File, error) {
	info, err := os.Stat(dir)
	if err != nil || info.ModTime().Equal(p.changed) {
		return nil, ignoreMissing(err)
	}
	files, err := listQueue(dir)
	if err != nil {
		return nil, err
	}
	p.changed = time.Time{}
	if time.Since(info.ModTime()) > settled {
		p.changed = info.ModTime()
	}
	from := 0
	for from < len(files) && files[from].ID < p.next {
		from++
	}
	to := from
	for to < len(files) && files[to].Complete() {
		to++
	}
	if to < len(files) {
		p.changed = time.Time{} // the rest is for later
	}
	if to > from {
		p.next = files[to-1].ID + 1
	}
	return files[from:to:to], nil
}

// Complete tells whether a file can be read: those of this package appear by a
// rename, others may still be written.
func (f File) Complete() bool {
	if f.Name != "" {
		return true
	}
	info, err := os.Stat(f.Path)
	if err != nil {
		return true // gone; reading it tells
	}
	age := time.Since(info.ModTime())
	return age < 0 || age > settled
}

func ignoreMissing(err error) error {
	if os.IsNotExist(err) {
		return nil
	}
	return err
}
