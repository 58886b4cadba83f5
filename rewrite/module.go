package rewrite

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/token"
	"go/version"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/ijongo/ijongo/annot"
)

// module is a module of which the copy has a folder.
type module struct {
	path, version string // no version for the main module
	dir           string // where the original is
	at            string // the folder in the copy, slash-separated; empty for the main module
	goVersion     string
}

// display names a file of the module in the manifest.
func (m *module) display(rel string) string {
	if m.version == "" {
		return rel
	}
	return m.path + "@" + m.version + "/" + rel
}

// mainModule finds the module around dir.
func mainModule(ctx context.Context, dir string) (*module, error) {
	gomod, err := findGoMod(dir)
	if err != nil {
		return nil, err
	}
	if err := checkGoVersion(gomod); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "go", "list", "-m", "-json")
	cmd.Dir = dir
	cmd.Env = GoEnv(dir)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("go list -m: %w\n%s", err, bytes.TrimSpace(stderr.Bytes()))
	}
	var m struct{ Path, Dir, GoMod, GoVersion string }
	for dec := json.NewDecoder(&stdout); !sameFile(m.GoMod, gomod); { // a workspace has several
		if err := dec.Decode(&m); err != nil {
			return nil, fmt.Errorf("go list -m: %w", err)
		}
	}
	if m.Path == runtimeModule {
		return nil, fmt.Errorf("%s is never instrumented", runtimeModule)
	}
	if _, err := ReadManifest(m.Dir); err == nil {
		return nil, fmt.Errorf("%s is an instrumented copy already (instrument the original)", m.Dir)
	}
	return &module{path: m.Path, dir: m.Dir, goVersion: m.GoVersion}, nil
}

func findGoMod(dir string) (string, error) {
	if _, err := os.Stat(dir); err != nil {
		return "", err
	}
	name := above(dir, "go.mod")
	if name == "" {
		return "", fmt.Errorf("%s is not in a module: no go.mod there or above", dir)
	}
	return name, nil
}

// checkGoVersion refuses a module that this program's type checker may not
// understand.
func checkGoVersion(gomod string) error {
	f, err := parseGoMod(gomod)
	if err != nil {
		return err
	}
	if f.Go == nil || version.Compare("go"+f.Go.Version, languageOf(runtime.Version())) <= 0 {
		return nil
	}
	return annot.Errors{{
		Pos:  modPosition(gomod, f.Go.Syntax),
		Msg:  fmt.Sprintf("module requires go %s, ijongo was built with %s", f.Go.Version, runtime.Version()),
		Hint: "reinstall ijongo with a newer Go",
	}}
}

// languageOf strips what a custom toolchain may add to its version.
func languageOf(v string) string {
	v, _, _ = strings.Cut(v, " ")
	return v
}

func parseGoMod(name string) (*modfile.File, error) {
	src, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return modfile.Parse(name, src, nil)
}

func modPosition(name string, line *modfile.Line) token.Position {
	return token.Position{Filename: name, Line: line.Start.Line, Column: line.Start.LineRune}
}
