package kernels

// An Op is an instruction of a stack machine.
type Op struct {
	Code byte
	Arg  int
}

// The instructions.
const (
	Push = iota
	Load
	Store
	Add
	Mul
	Half
	Odd
	Less
	Jump
	JumpIfZero
	Halt
)

// Interpret runs a program with its variables and returns the first of them:
// a loop round a switch whose cases do next to nothing.
func Interpret(program []Op, vars [8]int) int {
	var stack [16]int
	sp := 0
	for pc := 0; ; pc++ {
		op := program[pc]
		switch op.Code {
		case Push:
			stack[sp&15] = op.Arg
			sp++
		case Load:
			stack[sp&15] = vars[op.Arg&7]
			sp++
		case Store:
			sp--
			vars[op.Arg&7] = stack[sp&15]
		case Add:
			sp--
			stack[(sp-1)&15] += stack[sp&15]
		case Mul:
			sp--
			stack[(sp-1)&15] *= stack[sp&15]
		case Half:
			stack[(sp-1)&15] /= 2
		case Odd:
			stack[(sp-1)&15] &= 1
		case Less:
			sp--
			less := 0
			if stack[(sp-1)&15] < stack[sp&15] {
				less = 1
			}
			stack[(sp-1)&15] = less
		case Jump:
			pc = op.Arg - 1
		case JumpIfZero:
			sp--
			if stack[sp&15] == 0 {
				pc = op.Arg - 1
			}
		case Halt:
			return vars[0]
		}
	}
}

// Collatz adds up, in variable 0, the lengths of the Collatz sequences of the
// numbers below variable 1.
var Collatz = []Op{
	0:  {Push, 1}, // n = 1
	1:  {Store, 2},
	2:  {Load, 2}, // while n < limit
	3:  {Load, 1},
	4:  {Less, 0},
	5:  {JumpIfZero, 34},
	6:  {Load, 2}, // x = n
	7:  {Store, 3},
	8:  {Push, 1}, // while 1 < x
	9:  {Load, 3},
	10: {Less, 0},
	11: {JumpIfZero, 29},
	12: {Load, 0}, // length++
	13: {Push, 1},
	14: {Add, 0},
	15: {Store, 0},
	16: {Load, 3}, // if odd x
	17: {Odd, 0},
	18: {JumpIfZero, 25},
	19: {Load, 3}, // x = 3x+1
	20: {Push, 3},
	21: {Mul, 0},
	22: {Push, 1},
	23: {Add, 0},
	24: {Jump, 27},
	25: {Load, 3}, // x /= 2
	26: {Half, 0},
	27: {Store, 3},
	28: {Jump, 8},
	29: {Load, 2}, // n++
	30: {Push, 1},
	31: {Add, 0},
	32: {Store, 2},
	33: {Jump, 2},
	34: {Halt, 0},
}
