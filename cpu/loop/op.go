package loop

// Op is a vector operation.
type Op uint8

// The operations. Kinds: T is the kind of the result, and of the operands where nothing
// else is said.
const (
	Invalid Op = iota

	// Const has the bits of its value in Imm (Mask: 0 or 1).
	Const
	// Index is the iteration number of loop Imm, as I32 or I64.
	Index
	// Phi and Out belong to a Carry: the value at the start of an iteration, and after the loop.
	Phi
	Out
	// Load reads Accesses[Access]; with operand 0, a Mask, lanes that are off read
	// nothing and give zero.
	Load
	// Store writes operand 0; with operand 1, a Mask, only the lanes that are on. Lanes with
	// the same address write in the order of lanes. It has no value.
	Store

	// Arithmetic on integers (which wraps) and floats.
	Add
	Sub
	Mul
	// Arithmetic on floats; the fused forms round once: FMA a*b+c, FMS a*b-c, FNMA c-a*b, FNMS -a*b-c.
	Div
	Sqrt
	// RsqrtNear is 1/sqrt(a) with a relative error of 2^-14 at most, of which bits depend on the machine. It is exact
	// of zeros and infinities.
	RsqrtNear
	FMA
	FMS
	FNMA
	FNMS
	// Min and Max on floats: NaN if an operand is NaN; -0 is less than +0. On integers: signed.
	Min
	Max
	// MinX is a < b ? a : b and MaxX is a > b ? a : b, as one x86 instruction: the second
	// operand if one is NaN or both are zero.
	MinX
	MaxX
	// Round makes a float integral: Imm is a Rounding.
	Round
	// Table is an element of Nest.Tables[Imm], whose number is operand 0, an integer as wide as
	// the result; who builds the nest sees to it that it is in range, in all lanes.
	Table
	// Scale is a * 2^n for an integral float n, rounded once, with n of any size; NaN stays. Where registers are wide n
	// is rounded down.
	Scale
	// Neg and Abs change the sign bit of a float alone; on integers they wrap.
	Neg
	Abs

	// Integers. Division by zero gives all bits set, remainder by zero the dividend; the
	// least integer by -1 gives itself, remainder 0 (OPS.md, Div and Rem).
	SDiv
	UDiv
	SRem
	URem
	UMin
	UMax
	// MulHiU and MulHiS are the upper half of the full product.
	MulHiU
	MulHiS
	// MulU32 is the full product of the lower 32 bits of both, without sign, as I64.
	MulU32
	// Shl, Shr (zeros come in), Sar (the sign comes in) shift by operand 1, an unsigned
	// number of the same kind; by the width or more they give 0, 0, the sign.
	Shl
	Shr
	Sar
	// Clz and Popcnt count bits; Clz of 0 is the width.
	Clz
	Popcnt

	// Bitwise, on every kind, floats included (their bits): AndNot is ^a & b.
	And
	Or
	Xor
	AndNot
	Not

	// Cmp compares operands of one kind by the predicate Imm (Pred) and gives a Mask.
	Cmp
	// Scan, in a lane loop, combines operand 0, the phi of a carry, with the values that operand 1 has in this iteration
	// and those before it, by the carry's Reduce. It is the Next of that carry, which is a scan.
	Scan
	// Select is operand 0, a Mask, ? operand 1 : operand 2. With Imm Seldom few lanes want operand 2.
	Select

	// Conversions.
	Bitcast  // I32 <-> F32, I64 <-> F64
	SExt     // I32 -> I64
	ZExt     // I32 -> I64
	Trunc    // I64 -> I32
	Widen    // F32 -> F64
	Narrow   // F64 -> F32, to nearest, ties to even
	SToF     // signed integer -> float, any widths, rounded once
	UToF     // unsigned integer -> float, any widths, rounded once
	FToS     // float -> signed integer toward zero; out of range and NaN: the least integer
	RoundF16 // F32 -> F32, to the nearest value of f16, with its overflow to infinity
	RoundBF16
	numOps
)

// Rounding is the Imm of Round.
type Rounding = uint64

// The roundings, by their x86 numbers.
const (
	ToNearestEven Rounding = iota
	ToFloor
	ToCeil
	ToZero
)

// Seldom is an Imm of Select: whether operand 2 is wanted is worth a look before it is computed. The value is the same.
const Seldom = 1

// Pred is the Imm of Cmp.
type Pred = uint64

// The predicates. On floats all but NE are false if an operand is NaN; Unordered
// is true exactly then. U forms compare integers without sign.
const (
	EQ Pred = iota
	NE
	LT
	LE
	GT
	GE
	ULT
	ULE
	UGT
	UGE
	Unordered
	numPreds
)

var predNames = [numPreds]string{"eq", "ne", "lt", "le", "gt", "ge", "ult", "ule", "ugt", "uge", "uno"}

// kinds an operation is for, as a set.
type kindSet uint8

const (
	onMask kindSet = 1 << Mask
	onI32  kindSet = 1 << I32
	onI64  kindSet = 1 << I64
	onF32  kindSet = 1 << F32
	onF64  kindSet = 1 << F64

	onInt   = onI32 | onI64
	onFloat = onF32 | onF64
	onNum   = onInt | onFloat
	onAll   = onNum | onMask
)

func (s kindSet) has(k Kind) bool { return s>>k&1 != 0 }

// from says what kinds the operands have.
type from uint8

const (
	likeResult from = iota
	maskThenResult
	anyKind     // one kind, not that of the result: Cmp, conversions
	ownOperands // Load, Store, Phi, Out: see Verify
)

// OpInfo describes an operation.
type OpInfo struct {
	Name string
	// Args is the number of operands; of Load and Store the most.
	Args int
	// Pure operations may be moved, merged and dropped. Load is pure where nothing writes its buffer.
	Pure bool
	// Commutes: operands 0 and 1 may change places.
	Commutes bool
	// Reduces: the operation may be the Reduce of a carry on a lane loop.
	Reduces bool

	result, operand kindSet
	from            from
}

var ops = [numOps]OpInfo{
	Invalid:   {Name: "invalid"},
	Const:     {Name: "const", Pure: true, result: onAll},
	Index:     {Name: "index", Pure: true, result: onInt},
	Phi:       {Name: "phi", result: onAll, from: ownOperands},
	Out:       {Name: "out", result: onAll, from: ownOperands},
	Load:      {Name: "load", Args: 1, result: onAll, from: ownOperands},
	Store:     {Name: "store", Args: 2, from: ownOperands},
	Add:       {Name: "add", Args: 2, Pure: true, Commutes: true, Reduces: true, result: onNum},
	Sub:       {Name: "sub", Args: 2, Pure: true, result: onNum},
	Mul:       {Name: "mul", Args: 2, Pure: true, Commutes: true, Reduces: true, result: onNum},
	Div:       {Name: "div", Args: 2, Pure: true, result: onFloat},
	Sqrt:      {Name: "sqrt", Args: 1, Pure: true, result: onFloat},
	RsqrtNear: {Name: "rsqrtnear", Args: 1, Pure: true, result: onFloat},
	FMA:       {Name: "fma", Args: 3, Pure: true, Commutes: true, result: onFloat},
	FMS:       {Name: "fms", Args: 3, Pure: true, Commutes: true, result: onFloat},
	FNMA:      {Name: "fnma", Args: 3, Pure: true, Commutes: true, result: onFloat},
	FNMS:      {Name: "fnms", Args: 3, Pure: true, Commutes: true, result: onFloat},
	Min:       {Name: "min", Args: 2, Pure: true, Commutes: true, Reduces: true, result: onNum},
	Max:       {Name: "max", Args: 2, Pure: true, Commutes: true, Reduces: true, result: onNum},
	MinX:      {Name: "minx", Args: 2, Pure: true, result: onFloat},
	MaxX:      {Name: "maxx", Args: 2, Pure: true, result: onFloat},
	Round:     {Name: "round", Args: 1, Pure: true, result: onFloat},
	Table:     {Name: "table", Args: 1, Pure: true, result: onNum, operand: onInt, from: anyKind},
	Scale:     {Name: "scale", Args: 2, Pure: true, result: onFloat},
	Neg:       {Name: "neg", Args: 1, Pure: true, result: onNum},
	Abs:       {Name: "abs", Args: 1, Pure: true, result: onNum},
	SDiv:      {Name: "sdiv", Args: 2, Pure: true, result: onInt},
	UDiv:      {Name: "udiv", Args: 2, Pure: true, result: onInt},
	SRem:      {Name: "srem", Args: 2, Pure: true, result: onInt},
	URem:      {Name: "urem", Args: 2, Pure: true, result: onInt},
	UMin:      {Name: "umin", Args: 2, Pure: true, Commutes: true, Reduces: true, result: onInt},
	UMax:      {Name: "umax", Args: 2, Pure: true, Commutes: true, Reduces: true, result: onInt},
	MulHiU:    {Name: "mulhiu", Args: 2, Pure: true, Commutes: true, result: onInt},
	MulHiS:    {Name: "mulhis", Args: 2, Pure: true, Commutes: true, result: onInt},
	MulU32:    {Name: "mulu32", Args: 2, Pure: true, Commutes: true, result: onI64},
	Shl:       {Name: "shl", Args: 2, Pure: true, result: onInt},
	Shr:       {Name: "shr", Args: 2, Pure: true, result: onInt},
	Sar:       {Name: "sar", Args: 2, Pure: true, result: onInt},
	Clz:       {Name: "clz", Args: 1, Pure: true, result: onInt},
	Popcnt:    {Name: "popcnt", Args: 1, Pure: true, result: onInt},
	And:       {Name: "and", Args: 2, Pure: true, Commutes: true, Reduces: true, result: onAll},
	Or:        {Name: "or", Args: 2, Pure: true, Commutes: true, Reduces: true, result: onAll},
	Xor:       {Name: "xor", Args: 2, Pure: true, Commutes: true, Reduces: true, result: onAll},
	AndNot:    {Name: "andnot", Args: 2, Pure: true, result: onAll},
	Not:       {Name: "not", Args: 1, Pure: true, result: onAll},
	Cmp:       {Name: "cmp", Args: 2, Pure: true, result: onMask, operand: onNum, from: anyKind},
	Scan:      {Name: "scan", Args: 2, result: onNum},
	Select:    {Name: "select", Args: 3, Pure: true, result: onAll, from: maskThenResult},
	Bitcast:   {Name: "bitcast", Args: 1, Pure: true, result: onNum, operand: onNum, from: anyKind},
	SExt:      {Name: "sext", Args: 1, Pure: true, result: onI64, operand: onI32, from: anyKind},
	ZExt:      {Name: "zext", Args: 1, Pure: true, result: onI64, operand: onI32, from: anyKind},
	Trunc:     {Name: "trunc", Args: 1, Pure: true, result: onI32, operand: onI64, from: anyKind},
	Widen:     {Name: "widen", Args: 1, Pure: true, result: onF64, operand: onF32, from: anyKind},
	Narrow:    {Name: "narrow", Args: 1, Pure: true, result: onF32, operand: onF64, from: anyKind},
	SToF:      {Name: "stof", Args: 1, Pure: true, result: onFloat, operand: onInt, from: anyKind},
	UToF:      {Name: "utof", Args: 1, Pure: true, result: onFloat, operand: onInt, from: anyKind},
	FToS:      {Name: "ftos", Args: 1, Pure: true, result: onInt, operand: onFloat, from: anyKind},
	RoundF16:  {Name: "roundf16", Args: 1, Pure: true, result: onF32},
	RoundBF16: {Name: "roundbf16", Args: 1, Pure: true, result: onF32},
}

// Info returns the description of o.
func (o Op) Info() *OpInfo { return &ops[o] }

func (o Op) String() string { return ops[o].Name }

// Identity returns the bits of the value of kind k that changes nothing when it is combined by
// o, which is an operation that reduces: for float sums -0.
func Identity(o Op, k Kind) uint64 {
	f64, f32 := k == F64, k == F32
	pick := func(d, f, i64, i32, mask uint64) uint64 {
		switch {
		case f64:
			return d
		case f32:
			return f
		case k == I64:
			return i64
		case k == I32:
			return i32
		}
		return mask
	}
	switch o {
	case Add:
		return pick(1<<63, 1<<31, 0, 0, 0)
	case Mul:
		return pick(0x3ff<<52, 0x3f800000, 1, 1, 1)
	case Min:
		return pick(0x7ff<<52, 0x7f800000, 1<<63-1, 1<<31-1, 1)
	case Max:
		return pick(0xfff<<52, 0xff800000, 1<<63, 1<<31, 0)
	case And, UMin:
		return pick(1<<64-1, 1<<32-1, 1<<64-1, 1<<32-1, 1)
	}
	return 0
}
