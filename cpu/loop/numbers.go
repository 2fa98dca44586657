package loop

import (
	"math"
	"slices"
)

// What is made of integers and constants is never NaN where nothing overflows on the way, and has known limits. Then
// the larger of it and a constant is one instruction or none, and nobody need ask whether it is a number.

// mostFinite32 and mostFinite64 are magnitudes below which nothing overflows, however it is rounded; a rounding changes
// less than roundedOff of a number, or, of one that may be taken for zero, less than leastOff.
const mostFinite32, mostFinite64, roundedOff, leastOff = 0x1p120, 0x1p1000, 0x1p-18, 0x1p-120

// limits are the least and the most that a float can be; where nothing is known, of NaN neither, the infinities.
type limits struct{ lo, hi float64 }

// foundLimits are limits, if they were found.
type foundLimits struct {
	limits
	found bool
}

func anything() limits { return limits{math.Inf(-1), math.Inf(1)} }

// known reports whether there are limits: it is a number.
func (l limits) known() bool { return l.hi < math.Inf(1) && l.lo > math.Inf(-1) }

// limitsOf are the limits of float v.
func (b *Builder) limitsOf(v Value) limits {
	i, most := b.nest.Inst(v), mostFinite32
	if !hasLimits[i.Op] {
		return anything()
	}
	if int(v) < len(b.limits) && b.limits[v].found {
		return b.limits[v].limits
	}
	if i.Kind == F64 {
		most = mostFinite64
	}
	asked := false
	s := findLimits(b, i, func(k int) limits {
		o := b.nest.Inst(i.Args[k]).Op
		asked = asked || o != Const && hasLimits[o]
		return b.limitsOf(i.Args[k])
	})
	if !(s.hi < most && s.lo > -most) {
		s = anything()
	}
	if !asked { // as of most, and found as soon again
		return s
	}
	if n := int(v) + 1 - len(b.limits); n > 0 {
		b.limits = slices.Grow(b.limits, cap(b.nest.Insts)-len(b.limits)) // for all that there is room for
		b.limits = append(b.limits, make([]foundLimits, n)...)
	}
	b.limits[v] = foundLimits{s, true}
	return s
}

// hasLimits are the operations that findLimits knows something of.
var hasLimits = [numOps]bool{Const: true, SToF: true, UToF: true, Neg: true, Abs: true, Round: true, Widen: true,
	Narrow: true, Add: true, Sub: true, Mul: true, Min: true, MinX: true, Max: true, MaxX: true, Select: true}

// findLimits finds the limits of i from those of its operands, which of gives.
func findLimits(b *Builder, i *Inst, of func(k int) limits) limits {
	switch i.Op {
	case Const:
		return exactly(i)
	case SToF, UToF:
		n := math.Ldexp(1, b.bitsOf(i))
		return limits{-n, n}
	case Neg:
		return limits{-of(0).hi, -of(0).lo}
	case Abs:
		return limits{0, max(of(0).hi, -of(0).lo)}
	case Round:
		return limits{math.Floor(of(0).lo), math.Ceil(of(0).hi)}
	case Widen:
		return of(0)
	case Narrow:
		return of(0).rounded()
	case Add:
		return limits{of(0).lo + of(1).lo, of(0).hi + of(1).hi}.rounded()
	case Sub:
		return limits{of(0).lo - of(1).hi, of(0).hi - of(1).lo}.rounded()
	case Mul:
		return of(0).times(of(1)).rounded()
	case Min, MinX, Max, MaxX:
		x := of(0)
		if !x.known() {
			break
		}
		y := of(1)
		if i.Op == Min || i.Op == MinX {
			return limits{min(x.lo, y.lo), min(x.hi, y.hi)}.ifKnown(y)
		}
		return limits{max(x.lo, y.lo), max(x.hi, y.hi)}.ifKnown(y)
	case Select:
		return limits{min(of(1).lo, of(2).lo), max(of(1).hi, of(2).hi)}
	}
	return anything()
}

// bitsOf is how many bits of the integer that i converts count: of a narrow one that is loaded its own, unless i takes
// for high bits what that is extended by.
func (b *Builder) bitsOf(i *Inst) int {
	from := b.nest.Inst(i.Args[0])
	if from.Op != Load {
		return from.Kind.Bits()
	}
	m := b.nest.Accesses[from.Access].Mem
	if i.Op == UToF && (m == MemS8 || m == MemS16) {
		return from.Kind.Bits()
	}
	return int(8 * m.Bytes())
}

// exactly are the limits of a constant.
func exactly(i *Inst) limits {
	x := math.Float64frombits(i.Imm)
	if i.Kind == F32 {
		x = float64(math.Float32frombits(uint32(i.Imm)))
	}
	return limits{x, x}
}

// rounded leaves room for roundings.
func (l limits) rounded() limits {
	off := max(math.Abs(l.lo), math.Abs(l.hi))*roundedOff + leastOff
	return limits{l.lo - off, l.hi + off}
}

func (l limits) times(m limits) limits {
	a, b, c, d := l.lo*m.lo, l.lo*m.hi, l.hi*m.lo, l.hi*m.hi
	return limits{min(a, b, c, d), max(a, b, c, d)}
}

// ifKnown is l, or nothing if m is not known: it may be NaN.
func (l limits) ifKnown(m limits) limits {
	if m.known() {
		return l
	}
	return anything()
}

// ofNumbers returns another way to i where its operands are known to be numbers.
func (b *Builder) ofNumbers(i Inst) (Value, bool) {
	isNumber := func(k int) bool { return b.limitsOf(i.Args[k]).known() }
	switch i.Op {
	case Cmp:
		if i.Imm == Unordered && isNumber(0) && isNumber(1) {
			return b.Bool(false), true
		}
	case Min, Max, MinX, MaxX:
		if i.Kind != F32 && i.Kind != F64 || !isNumber(0) || !isNumber(1) {
			return 0, false
		}
		return b.clamped(i)
	}
	return 0, false
}

// clamped is ofNumbers for the larger or smaller one of a number and a constant.
func (b *Builder) clamped(i Inst) (Value, bool) {
	x, c := i.Args[0], i.Args[1]
	if b.nest.Inst(c).Op != Const {
		x, c = c, x
	}
	limit := b.nest.Inst(c)
	if limit.Op != Const {
		return 0, false
	}
	at, of := exactly(limit).lo, b.limitsOf(x)
	smaller := i.Op == Min || i.Op == MinX
	if at != 0 && (smaller && of.hi <= at || !smaller && of.lo >= at) {
		return x, true
	}
	switch negative := math.Signbit(at); { // of two zeros the second operand comes out
	case i.Op == Max && !(at == 0 && negative):
		return b.Op(MaxX, i.Kind, x, c), true
	case i.Op == Min && !(at == 0 && !negative):
		return b.Op(MinX, i.Kind, x, c), true
	}
	return 0, false
}
