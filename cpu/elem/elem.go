// Package elem gives the element-wise operations of HLO their meaning in vector SSA: one HLO element
// of any type is one loop value, or two for a complex number, and Apply computes an operation on
// elements. Integers narrower than 32 bits are kept in I32 extended by their sign or with
// zeros, floats narrower than f32 are kept in F32 as values of their type; every
// operation wraps or rounds its result, so that this always holds.
//
// The meaning is that of the evaluator, package interp, bit for bit but for NaN payloads, the elementary
// functions, which package vmath approximates, and the product of c64, which is fused. A signalling NaN of
// f16 or bf16 is quiet once it was loaded or stored, also where an element is only moved or its bits are taken.
package elem

import (
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/shape"
)

// Value is one element. Im is used by complex types alone.
type Value struct {
	Type   shape.ElementType
	Re, Im loop.Value
}

// Address is where an element is: in units of elements of the value's type, as
// loop.Access has it, whatever the type's memory form.
type Address struct {
	Buffer int
	Offset int64
	Terms  []loop.Term
	Index  loop.Value
}

// access turns a into the access of memory type m where an element takes parts of it,
// at part number part.
func (a Address) access(b *loop.Builder, m loop.Mem, parts, part int64) loop.Access {
	out := loop.Access{Buffer: a.Buffer, Offset: a.Offset*parts + part, Terms: a.Terms, Index: a.Index, Mem: m}
	if parts == 1 {
		return out
	}
	out.Terms = make([]loop.Term, len(a.Terms))
	for i, t := range a.Terms {
		out.Terms[i] = loop.Term{Var: t.Var, Stride: t.Stride * parts}
	}
	if a.Index != 0 {
		k := b.Kind(a.Index)
		out.Index = b.Op(loop.Mul, k, a.Index, b.Int(k, parts))
	}
	return out
}

// memOf is the memory type of each element type; complex types are two of their component.
var memOf = [shape.NumElementTypes]loop.Mem{
	shape.Pred: loop.MemPred,
	shape.S1:   loop.MemS8, shape.S2: loop.MemS8, shape.S4: loop.MemS8, shape.S8: loop.MemS8,
	shape.U1: loop.MemU8, shape.U2: loop.MemU8, shape.U4: loop.MemU8, shape.U8: loop.MemU8,
	shape.S16: loop.MemS16, shape.U16: loop.MemU16,
	shape.S32: loop.MemI32, shape.U32: loop.MemI32,
	shape.S64: loop.MemI64, shape.U64: loop.MemI64,
	shape.F16: loop.MemF16, shape.BF16: loop.MemBF16, shape.F32: loop.MemF32, shape.F64: loop.MemF64,
	shape.C64: loop.MemF32, shape.C128: loop.MemF64,
	shape.F8E5M2: loop.MemU8, shape.F8E4M3: loop.MemU8, shape.F8E4M3FN: loop.MemU8,
	shape.F8E4M3B11FNUZ: loop.MemU8, shape.F8E5M2FNUZ: loop.MemU8, shape.F8E4M3FNUZ: loop.MemU8,
	shape.F8E3M4: loop.MemU8, shape.F8E8M0FNU: loop.MemU8,
	shape.F6E3M2FN: loop.MemU8, shape.F6E2M3FN: loop.MemU8, shape.F4E2M1FN: loop.MemU8,
}

// KindOf is the register kind of a value of type t, or of each part of a complex one.
func KindOf(t shape.ElementType) loop.Kind {
	if isByteFloat(t) {
		return loop.F32
	}
	return memOf[t].Kind()
}

// isByteFloat reports whether t is a float of 8 bits or fewer, which memory holds as a byte.
func isByteFloat(t shape.ElementType) bool { return t.IsFloat() && t.Bits() <= 8 }

// Load reads an element; mask may be 0, else lanes that are off read nothing and give zero.
func Load(b *loop.Builder, t shape.ElementType, a Address, mask loop.Value) Value {
	m := memOf[t]
	switch {
	case t.IsComplex():
		return Value{t, b.Load(a.access(b, m, 2, 0), mask), b.Load(a.access(b, m, 2, 1), mask)}
	case isByteFloat(t):
		return Value{Type: t, Re: decode(b, t, b.Load(a.access(b, m, 1, 0), mask))}
	}
	return Value{Type: t, Re: b.Load(a.access(b, m, 1, 0), mask)}
}

// Store writes an element; mask may be 0.
func Store(b *loop.Builder, v Value, a Address, mask loop.Value) {
	m := memOf[v.Type]
	switch {
	case v.Type.IsComplex():
		b.Store(a.access(b, m, 2, 0), v.Re, mask)
		b.Store(a.access(b, m, 2, 1), v.Im, mask)
	case isByteFloat(v.Type):
		b.Store(a.access(b, m, 1, 0), pack(b, v.Type, v.Re), mask)
	default:
		b.Store(a.access(b, m, 1, 0), Settle(b, v).Re, mask)
	}
}

// Select is mask ? x : y.
func Select(b *loop.Builder, mask loop.Value, x, y Value) Value {
	out := Value{Type: x.Type, Re: b.Op(loop.Select, b.Kind(x.Re), mask, x.Re, y.Re)}
	if x.Im != 0 {
		out.Im = b.Op(loop.Select, b.Kind(x.Im), mask, x.Im, y.Im)
	}
	return out
}
