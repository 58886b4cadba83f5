package mutant

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ijongo/ijongo/annot"
)

// Apply edits the module in dir. If an edit does not fit, it returns an
// *annot.Error at its line and leaves every file as it was.
func (m Mutant) Apply(dir string) error {
	edited := map[string]string{}
	var order []string
	for i := range m.Edits {
		e := &m.Edits[i]
		text, ok := edited[e.File]
		if !ok {
			data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(e.File)))
			if errors.Is(err, fs.ErrNotExist) {
				return &annot.Error{Pos: e.filePos, Msg: "the module has no file " + e.File, Hint: "write a path relative to its root"}
			} else if err != nil {
				return err
			}
			text = string(data)
			order = append(order, e.File)
		}
		if n := count(text, e.Find); n != 1 {
			return &annot.Error{Pos: e.findPos, Msg: fmt.Sprintf("found %d times in %s", n, e.File), Hint: "write a string that is there exactly once"}
		}
		edited[e.File] = strings.Replace(text, e.Find, e.Replace, 1)
	}
	for _, file := range order {
		if err := replace(filepath.Join(dir, filepath.FromSlash(file)), edited[file]); err != nil {
			return err
		}
	}
	return nil
}

// count counts the places where text has s, overlapping ones too.
func count(text, s string) (n int) {
	for i := range text {
		if strings.HasPrefix(text[i:], s) {
			n++
		}
	}
	return n
}

// replace writes a file anew, so that one that is read-only, as in the module
// cache, or linked from there, can be replaced too.
func replace(path, text string) error {
	if err := os.Remove(path); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}
