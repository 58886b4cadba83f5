package build

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"

	"github.com/ijongo/ijongo/annot"
)

// listed is what go list says of a package that goes into the binary. All of
// its files count, whatever they are.
type listed struct {
	Dir      string
	Standard bool
	Module   *struct{ GoMod string }

	GoFiles, CgoFiles, IgnoredGoFiles, TestGoFiles, XTestGoFiles   []string
	CFiles, CXXFiles, MFiles, HFiles, FFiles, SFiles, SysoFiles    []string
	EmbedFiles, TestEmbedFiles, XTestEmbedFiles, IgnoredOtherFiles []string
}

func (l *listed) files() []string {
	var all []string
	for _, f := range [][]string{
		l.GoFiles, l.CgoFiles, l.IgnoredGoFiles, l.TestGoFiles, l.XTestGoFiles,
		l.CFiles, l.CXXFiles, l.MFiles, l.HFiles, l.FFiles, l.SFiles, l.SysoFiles,
		l.EmbedFiles, l.TestEmbedFiles, l.XTestEmbedFiles, l.IgnoredOtherFiles,
	} {
		all = append(all, f...)
	}
	return all
}

const listFields = "-json=Dir,Standard,Module,GoFiles,CgoFiles,IgnoredGoFiles,TestGoFiles,XTestGoFiles," +
	"CFiles,CXXFiles,MFiles,HFiles,FFiles,SFiles,SysoFiles,EmbedFiles,TestEmbedFiles,XTestEmbedFiles,IgnoredOtherFiles"

// fingerprint changes when anything changes that goes into the binary.
// Sources count by name, size and time, as they do for make.
func fingerprint(ctx context.Context, p *Package, o Options) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q\n", o.Annotations, o.Instrument, o.Target)
	env, err := run(ctx, p.Dir, "go", "env", "GOVERSION", "GOFLAGS", "GOOS", "GOARCH", "CGO_ENABLED", "GOEXPERIMENT", "GOWORK")
	if err != nil {
		return "", err
	}
	h.Write(env)
	if err := addSelf(h); err != nil {
		return "", err
	}
	for _, path := range o.Annotations {
		addSidecar(h, path)
	}
	if o.Dictionary != "" {
		addFile(h, o.Dictionary)
	}
	list, err := run(ctx, p.Dir, "go", "list", "-e", "-deps", "-test", listFields, ".")
	if err != nil {
		return "", err
	}
	for d := json.NewDecoder(bytes.NewReader(list)); ; {
		var l listed
		if err := d.Decode(&l); errors.Is(err, io.EOF) {
			return hex.EncodeToString(h.Sum(nil)), nil
		} else if err != nil {
			return "", fmt.Errorf("go list: %w", err)
		}
		if !l.Standard {
			addPackage(h, l)
		}
	}
}

func addPackage(h hash.Hash, l listed) {
	if l.Module != nil && l.Module.GoMod != "" {
		addFile(h, l.Module.GoMod)
		addFile(h, filepath.Join(filepath.Dir(l.Module.GoMod), "go.sum"))
	}
	for _, name := range l.files() {
		if !filepath.IsAbs(name) { // absolute: generated for the test, in go's cache
			addFile(h, filepath.Join(l.Dir, name))
		}
	}
}

// addSidecar adds an annotation file and the files that it adds to packages.
// What is wrong with it the rewriter will say.
func addSidecar(h hash.Hash, path string) {
	addFile(h, path)
	src, err := os.ReadFile(path)
	if err != nil {
		return
	}
	sidecar, _ := annot.ParseSidecar(path, src)
	for _, p := range sidecar.Packages {
		for _, a := range p.Adds {
			addFile(h, a.Path())
		}
	}
}

// addFile adds a file; one that is missing is added as that.
func addFile(h hash.Hash, path string) {
	info, err := os.Stat(path)
	if err != nil {
		fmt.Fprintf(h, "%s: missing\n", path)
		return
	}
	fmt.Fprintf(h, "%s %d %d\n", path, info.Size(), info.ModTime().UnixNano())
}

// addSelf adds this program, whose rewriter decides what the copy looks like.
func addSelf(h hash.Hash) error {
	path, err := os.Executable()
	if err != nil {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(h, f)
	return err
}
