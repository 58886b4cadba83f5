package args

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"reflect"
	"strconv"
	"unicode/utf8"
)

// goHeader is the first line of a file in Go's own corpus format.
const goHeader = "go test fuzz v1"

// GoFile is the input as a file for testdata/fuzz, which plain go test runs.
func (s Signature) GoFile(flat []byte) []byte {
	var b bytes.Buffer
	b.WriteString(goHeader + "\n")
	for i, v := range s.Values(flat, nil) {
		fmt.Fprintln(&b, goLine(s[i], v))
	}
	return b.Bytes()
}

func goLine(name string, v reflect.Value) string {
	switch name {
	case "string", "[]byte":
		return fmt.Sprintf("%s(%q)", name, v.Interface())
	case "uint8":
		return fmt.Sprintf("byte(%q)", rune(v.Uint()))
	case "int32":
		if r := rune(v.Int()); utf8.ValidRune(r) {
			return fmt.Sprintf("rune(%q)", r)
		}
	case "float32", "float64":
		// A NaN is written by its bits: the text NaN has one bit pattern only.
		if bits := scalar(v); v.Float() != v.Float() {
			return fmt.Sprintf("math.F%sfrombits(0x%x)", name[1:], bits)
		}
	}
	return fmt.Sprintf("%s(%v)", name, v.Interface())
}

// ParseGoFile reads a file in Go's own corpus format.
func ParseGoFile(src []byte) (Signature, []byte, error) {
	lines := bytes.Split(src, []byte("\n"))
	if string(bytes.TrimSuffix(lines[0], []byte("\r"))) != goHeader {
		return nil, nil, fmt.Errorf("line 1: not a Go corpus file (want %q)", goHeader)
	}
	var s Signature
	var values []reflect.Value
	for i, line := range lines[1:] {
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		name, v, err := parseLine(string(line))
		if err != nil {
			return nil, nil, fmt.Errorf("line %d: %s: %v", i+2, line, err)
		}
		s, values = append(s, name), append(values, v)
	}
	if len(s) == 0 {
		return nil, nil, fmt.Errorf("line %d: no value (want a line such as []byte(\"...\"))", len(lines))
	}
	flat, err := s.Flat(values)
	return s, flat, err
}

func parseLine(line string) (string, reflect.Value, error) {
	expr, err := parser.ParseExpr(line)
	if err != nil {
		return "", reflect.Value{}, err
	}
	call, ok := expr.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return "", reflect.Value{}, fmt.Errorf("not a value (want TYPE(LITERAL))")
	}
	fun := line[call.Fun.Pos()-1 : call.Fun.End()-1]
	name, isBits := fun, false
	switch fun {
	case "byte":
		name = "uint8"
	case "rune":
		name = "int32"
	case "[]uint8":
		name = "[]byte"
	case "math.Float32frombits":
		name, isBits = "float32", true
	case "math.Float64frombits":
		name, isBits = "float64", true
	}
	if types[name] == nil {
		return "", reflect.Value{}, fmt.Errorf("%s is not a type that a fuzz function may take", fun)
	}
	v := reflect.New(types[name]).Elem()
	return name, v, parseValue(v, literal(line, call.Args[0]), isBits)
}

// A lit is a literal: its kind and its text, which may have a sign.
type lit struct {
	kind token.Token
	text string
}

func literal(line string, e ast.Expr) lit {
	text := line[e.Pos()-1 : e.End()-1]
	if u, ok := e.(*ast.UnaryExpr); ok && (u.Op == token.SUB || u.Op == token.ADD) {
		e = u.X
	}
	if b, ok := e.(*ast.BasicLit); ok {
		return lit{b.Kind, text}
	}
	if id, ok := e.(*ast.Ident); ok && (id.Name == "NaN" || id.Name == "Inf") {
		return lit{token.FLOAT, text}
	}
	return lit{token.IDENT, text}
}

func parseValue(v reflect.Value, l lit, isBits bool) error {
	switch kind := v.Kind(); kind {
	case reflect.String, reflect.Slice:
		if l.kind != token.STRING {
			return fmt.Errorf("not a string literal")
		}
		text, err := strconv.Unquote(l.text)
		if kind == reflect.String {
			v.SetString(text)
		} else {
			v.SetBytes([]byte(text))
		}
		return err
	case reflect.Bool:
		if l.text != "true" && l.text != "false" {
			return fmt.Errorf("not true or false")
		}
		v.SetBool(l.text == "true")
		return nil
	case reflect.Float32, reflect.Float64:
		return parseFloat(v, l, isBits)
	}
	return parseInteger(v, l)
}

func parseFloat(v reflect.Value, l lit, isBits bool) error {
	size := v.Type().Bits()
	if isBits {
		bits, err := strconv.ParseUint(l.text, 0, size)
		setScalar(v, bits)
		return err
	}
	if l.kind != token.FLOAT && l.kind != token.INT {
		return fmt.Errorf("not a number")
	}
	f, err := strconv.ParseFloat(l.text, size)
	if f != f {
		f = math.NaN()
	}
	v.SetFloat(f)
	return err
}

func parseInteger(v reflect.Value, l lit) error {
	size := v.Type().Bits()
	if l.kind == token.CHAR {
		r, _, _, err := strconv.UnquoteChar(l.text[1:], '\'')
		if err == nil && size == 8 && r > math.MaxUint8 {
			err = fmt.Errorf("does not fit into a byte")
		}
		setScalar(v, uint64(r))
		return err
	}
	if l.kind != token.INT {
		return fmt.Errorf("not an integer")
	}
	switch v.Kind() {
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uint:
		u, err := strconv.ParseUint(l.text, 0, size)
		v.SetUint(u)
		return err
	}
	i, err := strconv.ParseInt(l.text, 0, size)
	v.SetInt(i)
	return err
}
