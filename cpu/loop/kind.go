package loop

// Kind is what a register lane holds.
type Kind uint8

// The register kinds. Integers have no sign: operations do.
const (
	None Kind = iota
	Mask      // true or false
	I32
	I64
	F32
	F64
	numKinds
)

var kindNames = [numKinds]string{"none", "mask", "i32", "i64", "f32", "f64"}

func (k Kind) String() string { return kindNames[k] }

// Bits is the width of a lane of the kind; of Mask 0: it takes the width of what it is
// used with.
func (k Kind) Bits() int { return [numKinds]int{0, 0, 32, 64, 32, 64}[k] }

// IsFloat reports whether k is F32 or F64.
func (k Kind) IsFloat() bool { return k == F32 || k == F64 }

// IsInt reports whether k is I32 or I64.
func (k Kind) IsInt() bool { return k == I32 || k == I64 }

// Mem is what an element in memory is.
type Mem uint8

// The memory types. MemPred is a byte, 0 or 1. A load of a narrow integer extends it by
// its sign or with zeros, a store cuts. A load of MemF16 or MemBF16 widens, a store
// rounds to nearest, ties to even; NaN stays NaN.
const (
	MemPred Mem = iota
	MemS8
	MemU8
	MemS16
	MemU16
	MemI32
	MemI64
	MemF16
	MemBF16
	MemF32
	MemF64
	numMems
)

type memInfo struct {
	name  string
	bytes int64
	kind  Kind
}

var mems = [numMems]memInfo{
	MemPred: {"pred", 1, Mask},
	MemS8:   {"s8", 1, I32},
	MemU8:   {"u8", 1, I32},
	MemS16:  {"s16", 2, I32},
	MemU16:  {"u16", 2, I32},
	MemI32:  {"i32", 4, I32},
	MemI64:  {"i64", 8, I64},
	MemF16:  {"f16", 2, F32},
	MemBF16: {"bf16", 2, F32},
	MemF32:  {"f32", 4, F32},
	MemF64:  {"f64", 8, F64},
}

func (m Mem) String() string { return mems[m].name }

// Bytes is the size of an element.
func (m Mem) Bytes() int64 { return mems[m].bytes }

// Kind is the register kind that a load gives and a store takes.
func (m Mem) Kind() Kind { return mems[m].kind }
