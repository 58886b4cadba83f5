package rewrite

import (
	"crypto/sha256"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/ijongo/ijongo/annot"
)

// layout is runtime/layout.go for this program, whose manifest is as it will
// be written.
func (prog *program) layout(manifest []byte) []byte {
	var b strings.Builder
	b.WriteString(generated + "package ijon\n\n")
	fmt.Fprintf(&b, "const (\n\tmodulePath   = %q\n\tmanifestHash = %q\n)\n\n", prog.main.path, hash(manifest))
	fmt.Fprintf(&b, "const numCounters = %d\n\nconst declares = %t\n\nvar injected = []Annotation{\n", len(prog.counters), prog.declares)
	for _, a := range prog.annotations {
		fmt.Fprintf(&b, "\t{Verb: %q, Kind: %d, Name: %q, Key: %q, Pos: %q, Package: %q, Expr: %q%s},\n",
			a.verb, a.kind, a.name, a.key, a.pos[0], a.path, a.source(), clauses(a.clauses))
	}
	b.WriteString("}\n\nvar injectedGroups = []GroupSpec{\n")
	for _, g := range prog.covered {
		b.WriteString("\t" + fields(reflect.ValueOf(g.spec)) + ",\n")
	}
	b.WriteString("}\n\nvar dictionary = []string{\n")
	for _, w := range prog.words.words {
		fmt.Fprintf(&b, "\t%q,\n", w)
	}
	b.WriteString("}\n")
	return []byte(b.String())
}

// hash identifies the manifest.
func hash(manifest []byte) string {
	return fmt.Sprintf("%x", sha256.Sum256(manifest))[:16]
}

// source is the annotation as written, if its name does not say it all.
func (a *annotation) source() string {
	_, expr := cutWord(a.expr)
	if expr == a.name {
		return ""
	}
	return expr
}

// fields is a struct of the runtime as a composite literal without its type.
// Fields that are zero are left out.
func fields(v reflect.Value) string {
	var parts []string
	for i := range v.NumField() {
		if f := v.Field(i); !f.IsZero() {
			parts = append(parts, v.Type().Field(i).Name+": "+literal(f))
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// literal is a value of the runtime as Go in its package.
func literal(v reflect.Value) string {
	switch v.Kind() {
	case reflect.String:
		return strconv.Quote(v.String())
	case reflect.Struct:
		return v.Type().Name() + fields(v)
	case reflect.Slice:
		return strings.ReplaceAll(v.Type().String(), "ijon.", "") + elements(v)
	}
	return fmt.Sprint(v.Interface())
}

// elements are those of a slice, without their types.
func elements(v reflect.Value) string {
	parts := make([]string, v.Len())
	for i := range parts {
		switch e := v.Index(i); e.Kind() {
		case reflect.Struct:
			parts[i] = fields(e)
		case reflect.Slice:
			parts[i] = elements(e)
		default:
			parts[i] = literal(e)
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// clauses are the fields of an annotation that its clauses set.
func clauses(d *annot.Directive) string {
	var b strings.Builder
	for _, flag := range []struct {
		name string
		set  bool
	}{{"Observe", d.Observe}, {"Rare", d.Rare}} {
		if flag.set {
			b.WriteString(", " + flag.name + ": true")
		}
	}
	for _, n := range []struct {
		name string
		n    int
	}{{"Cap", d.Cap}, {"AtLeast", d.AtLeast}, {"Weight", d.Weight}} {
		if n.n > 0 {
			fmt.Fprintf(&b, ", %s: %d", n.name, n.n)
		}
	}
	for _, text := range []struct{ name, text string }{{"Goal", d.Goal}, {"Doc", d.Doc}} {
		if text.text != "" {
			fmt.Fprintf(&b, ", %s: %q", text.name, text.text)
		}
	}
	return b.String()
}
