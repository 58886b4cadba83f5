package rewrite

import (
	"encoding/binary"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// The bounds of a dictionary: words, and bytes of one.
const (
	maxWords = 4096
	maxWord  = 64
)

// A dictionary collects what the code compares with constants: strings, and
// integers in the bytes that an input may have them in. An integer of one byte
// is no word, because it is soon drawn by chance.
type dictionary struct {
	words []string
	seen  map[string]bool
}

func (d *dictionary) add(word string) {
	if word == "" || len(word) > maxWord || len(d.words) == maxWords || d.seen[word] {
		return
	}
	if d.seen == nil {
		d.seen = map[string]bool{}
	}
	d.seen[word] = true
	d.words = append(d.words, word)
}

// planDictionary fills the dictionary: with the words of the user's files, and
// then with the constants of the instrumented packages.
func (prog *program) planDictionary() error {
	for _, path := range prog.cfg.Dictionaries {
		words, err := readWords(path)
		if err != nil {
			return err
		}
		for _, w := range words {
			prog.words.add(w)
		}
	}
	for _, p := range prog.pkgs {
		for _, f := range p.files {
			if f.skipped == "" && f.cgo == nil {
				prog.collectWords(f)
			}
		}
	}
	return nil
}

// initial is what a variable of the package is given at its declaration, if obj
// is one, and else e: the bytes that a text is compared with are often one.
func (p *pkg) initial(obj types.Object, e ast.Expr) ast.Expr {
	if v, ok := obj.(*types.Var); ok && v.Parent() == p.Types.Scope() {
		for _, init := range p.TypesInfo.InitOrder {
			if len(init.Lhs) == 1 && init.Lhs[0] == v {
				return init.Rhs
			}
		}
	}
	return e
}

func (prog *program) collectWords(f *file) {
	info := f.pkg.TypesInfo
	take := func(list ...ast.Expr) {
		for _, e := range list {
			if id, ok := e.(*ast.Ident); ok {
				e = f.pkg.initial(info.Uses[id], e)
			}
			prog.words.take(info, e)
		}
	}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		if n == nil || f.regionAt(f.tok.Offset(n.Pos())) != nil {
			return false
		}
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if compares(n.Op) && info.Types[n].Value == nil {
				take(n.X, n.Y)
			}
		case *ast.SwitchStmt:
			if n.Tag == nil {
				break
			}
			for _, c := range n.Body.List {
				take(c.(*ast.CaseClause).List...)
			}
		case *ast.CallExpr:
			if looksInto(info, n.Fun) {
				take(n.Args...)
			}
		case *ast.CompositeLit:
			for _, e := range n.Elts {
				if pair, ok := e.(*ast.KeyValueExpr); ok && isMap(info.TypeOf(n)) {
					take(pair.Key)
				}
			}
		}
		return true
	})
}

func isMap(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Map)
	return ok
}

func compares(op token.Token) bool {
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.GTR, token.LEQ, token.GEQ:
		return true
	}
	return false
}

// lookers are the functions of bytes and strings that compare a text with
// another one.
var lookers = map[string]bool{
	"Compare": true, "Contains": true, "Count": true, "Cut": true, "CutPrefix": true, "CutSuffix": true, "Equal": true,
	"EqualFold": true, "HasPrefix": true, "HasSuffix": true, "Index": true, "LastIndex": true, "Split": true, "SplitAfter": true,
	"SplitAfterN": true, "SplitN": true, "TrimPrefix": true, "TrimSuffix": true,
}

func looksInto(info *types.Info, fun ast.Expr) bool {
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok || !lookers[sel.Sel.Name] {
		return false
	}
	fn, ok := info.Uses[sel.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil {
		return false
	}
	path := fn.Pkg().Path()
	return path == "bytes" || path == "strings"
}

// take adds a constant, one that is converted to bytes, or a literal of bytes.
func (d *dictionary) take(info *types.Info, e ast.Expr) {
	tv := info.Types[e]
	if lit, ok := ast.Unparen(e).(*ast.CompositeLit); ok {
		d.add(bytesOf(info, lit))
		return
	}
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok && tv.Value == nil && len(call.Args) == 1 && info.Types[call.Fun].IsType() {
		tv = info.Types[call.Args[0]]
		if tv.Value != nil && tv.Value.Kind() != constant.String {
			return
		}
	}
	if tv.Value == nil {
		return
	}
	switch tv.Value.Kind() {
	case constant.String:
		d.add(constant.StringVal(tv.Value))
	case constant.Int:
		d.number(tv)
	}
}

// bytesOf is what a literal of bytes holds; nothing if it is another one.
func bytesOf(info *types.Info, lit *ast.CompositeLit) string {
	var text []byte
	for _, e := range lit.Elts {
		tv := info.Types[e]
		if tv.Value == nil || tv.Value.Kind() != constant.Int || !types.Identical(tv.Type.Underlying(), types.Typ[types.Uint8]) {
			return ""
		}
		v, _ := constant.Uint64Val(tv.Value)
		text = append(text, byte(v))
	}
	return string(text)
}

// number adds an integer: in the fewest bytes that hold it and in those of its
// type, in both orders, and as decimal text.
func (d *dictionary) number(tv types.TypeAndValue) {
	basic, ok := tv.Type.Underlying().(*types.Basic)
	if !ok || basic.Info()&types.IsInteger == 0 {
		return
	}
	v, ok := constant.Uint64Val(tv.Value)
	if signed, isSigned := constant.Int64Val(tv.Value); !ok && isSigned {
		v, ok = uint64(signed), true
	}
	if !ok || holds(1, v) {
		return
	}
	least := 2
	for !holds(least, v) {
		least *= 2
	}
	for _, width := range []int{least, widthOf(basic)} {
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], v)
		d.add(string(word[:width]))
		binary.BigEndian.PutUint64(word[:], v)
		d.add(string(word[8-width:]))
	}
	d.add(tv.Value.ExactString())
}

// holds tells whether a number has so many bytes, with a sign or without one.
func holds(width int, v uint64) bool {
	unused := 64 - 8*width
	return v<<unused>>unused == v || uint64(int64(v<<unused)>>unused) == v
}

// widthOf is the bytes of an integer type.
func widthOf(t *types.Basic) int {
	switch t.Kind() {
	case types.Int8, types.Uint8:
		return 1
	case types.Int16, types.Uint16:
		return 2
	case types.Int32, types.Uint32, types.UntypedRune:
		return 4
	}
	return 8
}

// quoted are the words as the manifest has them: as AFL spells them.
func (d *dictionary) quoted() []string {
	list := make([]string, len(d.words))
	for i, w := range d.words {
		list[i] = quoteWord(w)
	}
	return list
}

// quoteWord spells a word in printable ASCII.
func quoteWord(word string) string {
	const digits = "0123456789abcdef"
	var text []byte
	for i := 0; i < len(word); i++ {
		switch c := word[i]; {
		case c == '\\' || c == '"':
			text = append(text, '\\', c)
		case ' ' <= c && c <= '~':
			text = append(text, c)
		default:
			text = append(text, '\\', 'x', digits[c>>4], digits[c&15])
		}
	}
	return string(text)
}
