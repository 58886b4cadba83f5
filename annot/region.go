package annot

import (
	"go/ast"
	"go/token"
	"strconv"
)

// A Region is a part of a file that is not instrumented: no counters, and no
// annotations.
type Region struct {
	From, To int           // byte offsets; To is behind the last byte
	Verb     Verb          // Off or Skip
	Place    Place         // InFunc or InFile for Skip
	Func     *ast.FuncDecl // the declared function that it is, or is part of; nil for a file
	Pos      token.Position
}

// Contains reports whether an offset lies in the region.
func (r *Region) Contains(offset int) bool { return r.From <= offset && offset < r.To }

// Regions returns the parts of a file that off, on and skip exclude, in the
// order in which they begin, and what is wrong with these directives. An off
// reaches to the next on of its own block, or to the end of that block.
func Regions(fset *token.FileSet, file *ast.File, placed []*Placed) (regions []*Region, errs Errors) {
	tok := fset.File(file.FileStart)
	open := map[ast.Node]*Region{} // by block
	for _, p := range placed {
		if !p.Verb.Control() {
			continue
		}
		r := &Region{From: p.Offset, Verb: p.Verb, Place: p.Place, Pos: p.Pos}
		switch {
		case p.Place == InFile:
			r.From, r.To = 0, tok.Size()+1
		case p.Verb == Skip:
			fn := p.Func.(*ast.FuncDecl)
			r.Func = fn
			r.From, r.To = tok.Offset(fn.Pos()), tok.Offset(fn.End())
		case p.Verb == Off && open[p.Block] != nil:
			errs = append(errs, &Error{Pos: p.Pos, Warning: true, Hint: "leave one out",
				Msg: "off stands behind another off, at line " + strconv.Itoa(open[p.Block].Pos.Line) + ", of the same block"})
			continue
		case p.Verb == Off:
			r.Func = declAround(file, tok.Pos(p.Offset))
			r.To = tok.Offset(BlockEnd(file, p.Block))
			open[p.Block] = r
		case open[p.Block] == nil:
			errs = append(errs, &Error{Pos: p.Pos, Msg: "on without an off before it in the same block",
				Hint: "off ends with its block by itself"})
			continue
		default:
			open[p.Block].To = p.Offset
			delete(open, p.Block)
			continue
		}
		regions = append(regions, r)
	}
	return regions, errs
}

// declAround returns the declared function around a position, or nil.
func declAround(file *ast.File, pos token.Pos) *ast.FuncDecl {
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Pos() <= pos && pos < fn.End() {
			return fn
		}
	}
	return nil
}

// BlockEnd is where a block ends: at its closing brace, and for a clause at
// the next one or at the closing brace of the switch or select.
func BlockEnd(file *ast.File, block ast.Node) token.Pos {
	if b, ok := block.(*ast.BlockStmt); ok {
		return b.Rbrace
	}
	end := block.End()
	ast.Inspect(file, func(n ast.Node) bool {
		body, ok := n.(*ast.BlockStmt)
		if !ok {
			return true
		}
		for i, s := range body.List {
			if s != block {
				continue
			}
			if end = body.Rbrace; i+1 < len(body.List) {
				end = body.List[i+1].Pos()
			}
		}
		return true
	})
	return end
}
