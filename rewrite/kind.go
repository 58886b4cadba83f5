package rewrite

import (
	"go/constant"
	"go/types"

	"github.com/ijongo/ijongo/annot"
)

// kind is how the runtime sees a value. The first three are the numbers of
// runtime.NumKind.
type kind int

const (
	kindUint kind = iota
	kindInt
	kindFloat
	kindBool
	kindString
	kindBytes
	kindOther
)

func (k kind) number() bool { return k <= kindFloat }

// operand is a checked expression.
type operand struct {
	expr     *annot.Expr
	text     string
	typ      types.Type
	kind     kind
	constant bool
	value    constant.Value
	isNil    bool
	info     *types.Info
}

// kindOf classifies a type. A type parameter has the kind that all types of
// its constraint have; numbers of several kinds have the order of float64,
// which tells integers apart up to 2^53.
func kindOf(t types.Type) kind { return kindsOf(t).one() }

// kinds is a set of kinds, a bit each.
type kinds uint

// one is the kind that values of all the kinds can be converted to.
func (s kinds) one() kind {
	for k := kindUint; k < kindOther; k++ {
		if s == 1<<k {
			return k
		}
	}
	if s != 0 && s&^(integers|1<<kindFloat) == 0 {
		return kindFloat
	}
	return kindOther
}

const integers kinds = 1<<kindInt | 1<<kindUint

// isInteger tells whether all values of a type are integers.
func isInteger(t types.Type) bool { s := kindsOf(t); return s != 0 && s&^integers == 0 }

// kindsOf are the kinds of a type, and of all types of a constraint.
func kindsOf(t types.Type) kinds {
	if tp, ok := types.Unalias(t).(*types.TypeParam); ok {
		return kindsOfConstraint(tp.Constraint())
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return 1 << kindOfBasic(u)
	case *types.Slice:
		if e, ok := u.Elem().Underlying().(*types.Basic); ok && e.Kind() == types.Byte {
			return 1 << kindBytes
		}
	}
	return 1 << kindOther
}

func kindOfBasic(b *types.Basic) kind {
	switch info := b.Info(); {
	case info&types.IsUnsigned != 0:
		return kindUint
	case info&types.IsInteger != 0:
		return kindInt
	case info&types.IsFloat != 0:
		return kindFloat
	case info&types.IsBoolean != 0:
		return kindBool
	case info&types.IsString != 0:
		return kindString
	}
	return kindOther
}

// kindsOfConstraint are the kinds of a type set. Embedded elements are
// intersected, so that one of them with a known kind is enough.
func kindsOfConstraint(c types.Type) kinds {
	iface, ok := c.Underlying().(*types.Interface)
	if !ok {
		return 1 << kindOther
	}
	for i := range iface.NumEmbeddeds() {
		if s := kindsOfElement(iface.EmbeddedType(i)); s&(1<<kindOther) == 0 {
			return s
		}
	}
	return 1 << kindOther
}

func kindsOfElement(t types.Type) kinds {
	switch u := types.Unalias(t).(type) {
	case *types.Union:
		var s kinds
		for term := range u.Terms() {
			s |= kindsOfElement(term.Type())
		}
		return s
	case *types.TypeParam:
		return 1 << kindOther
	}
	if types.IsInterface(t) {
		return kindsOfConstraint(t)
	}
	return kindsOf(t)
}

// representable tells whether a constant can be a number of kind k.
func representable(x operand, k kind) bool {
	if x.value == nil {
		return false
	}
	b, untyped := x.typ.(*types.Basic)
	if !untyped || b.Info()&types.IsUntyped == 0 {
		return false
	}
	switch k {
	case kindFloat:
		return x.value.Kind() == constant.Int || x.value.Kind() == constant.Float
	case kindInt:
		_, exact := constant.Int64Val(constant.ToInt(x.value))
		return constant.ToInt(x.value).Kind() == constant.Int && exact
	case kindUint:
		if constant.ToInt(x.value).Kind() != constant.Int {
			return false
		}
		_, exact := constant.Uint64Val(constant.ToInt(x.value))
		return exact
	}
	return false
}

func hasLen(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Slice, *types.Map, *types.Chan, *types.Array:
		return true
	case *types.Basic:
		return u.Info()&types.IsString != 0
	}
	return false
}

// isAtomic tells whether t is a type of sync/atomic.
func isAtomic(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync/atomic"
}

// copiesLock finds a lock or an atomic value inside t that reading t would
// copy.
func copiesLock(t types.Type) types.Type {
	if isAtomic(t) {
		return t
	}
	if named, ok := types.Unalias(t).(*types.Named); ok && !types.IsInterface(t) {
		ptr := types.NewMethodSet(types.NewPointer(named))
		if ptr.Lookup(nil, "Lock") != nil && ptr.Lookup(nil, "Unlock") != nil {
			val := types.NewMethodSet(named)
			if val.Lookup(nil, "Lock") == nil {
				return t
			}
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			if l := copiesLock(u.Field(i).Type()); l != nil {
				return l
			}
		}
	case *types.Array:
		return copiesLock(u.Elem())
	}
	return nil
}

// unhashable says why an operand is no value to tell situations apart by, and
// what to write instead.
func (b *builder) unhashable(x operand) (why, hint string) {
	if x.isNil {
		return "is no value", ""
	}
	if _, ok := types.Unalias(x.typ).(*types.TypeParam); ok {
		if types.Comparable(x.typ) {
			return "", ""
		}
		return "is not comparable", "constrain it by comparable"
	}
	switch x.typ.Underlying().(type) {
	case *types.Pointer:
		return "is a pointer: its address differs from run to run", "name a field"
	case *types.Slice, *types.Map, *types.Chan:
		return "has no value to compare", "write len(" + x.text + "), or name a field"
	case *types.Signature:
		return "is a function", ""
	case *types.Interface:
		return "", ""
	}
	if inner := addressIn(x.typ); inner != nil {
		t := types.TypeString(inner, types.RelativeTo(b.p.Types))
		return "holds a " + t + ", which differs from run to run or cannot be compared", "name the fields that matter"
	}
	return "", ""
}

// addressIn finds in t a type whose printed value is an address.
func addressIn(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			if a := addressIn(u.Field(i).Type()); a != nil {
				return a
			}
		}
		return nil
	case *types.Array:
		return addressIn(u.Elem())
	case *types.Basic:
		if u.Kind() != types.UnsafePointer {
			return nil
		}
	}
	return t
}
