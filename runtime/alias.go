package ijon

// Other names of predeclared types, for injected code: a program may have
// declared its own uint64.
type (
	Byte    = byte
	Int     = int
	Int64   = int64
	Uint64  = uint64
	Float64 = float64
	String  = string
	Bool    = bool
	Any     = interface{}
	Error   = error
)
