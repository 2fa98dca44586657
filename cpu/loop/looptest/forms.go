package looptest

import (
	"fmt"

	"github.com/goxla/xla/cpu/loop"
)

// Kinds are the register kinds.
var Kinds = []loop.Kind{loop.Mask, loop.I32, loop.I64, loop.F32, loop.F64}

// MemOf is the memory type that holds a kind exactly.
func MemOf(k loop.Kind) loop.Mem {
	return [...]loop.Mem{loop.Mask: loop.MemPred, loop.I32: loop.MemI32, loop.I64: loop.MemI64,
		loop.F32: loop.MemF32, loop.F64: loop.MemF64}[k]
}

// Form is an operation on kinds: To is that of the result, Of that by which the form is chosen.
type Form struct {
	Op     loop.Op
	To, Of loop.Kind
	Imm    uint64
}

// String returns a name for a test.
func (f Form) String() string { return fmt.Sprintf("%v_%v_%v_%d", f.Op, f.To, f.Of, f.Imm) }

// Operands is the number of operands.
func (f Form) Operands() int { return f.Op.Info().Args }

// OperandKind is the kind of operand k.
func (f Form) OperandKind(k int) loop.Kind {
	if f.Op == loop.Select && k == 0 {
		return loop.Mask
	}
	return f.Of
}

// converts reports whether the kind of f's operands is not that of its result.
func (f Form) converts() bool { return f.Op == loop.Cmp || f.Op >= loop.Bitcast && f.Op <= loop.FToS }

// Forms lists every operation but those of loops and memory, on every kind, with every immediate.
func Forms() []Form {
	var list []Form
	for o := loop.Add; o <= loop.RoundBF16; o++ {
		if o == loop.Table {
			continue // it needs a table; see Lookup
		}
		for _, to := range Kinds {
			for _, of := range Kinds {
				f := Form{Op: o, To: to, Of: of}
				if !f.valid() {
					continue
				}
				for f.Imm = 0; f.Imm < f.immediates(); f.Imm++ {
					list = append(list, f)
				}
			}
		}
	}
	return list
}

func (f Form) immediates() uint64 {
	switch {
	case f.Op == loop.Select:
		return loop.Seldom + 1
	case f.Op == loop.Round:
		return loop.ToZero + 1
	case f.Op == loop.Cmp && f.Of.IsFloat():
		return loop.Unordered + 1
	case f.Op == loop.Cmp:
		return loop.UGE + 1
	}
	return 1
}

func (f Form) valid() bool {
	if f.Op == loop.RsqrtNear { // has different bits on different machines
		return false
	}
	if !f.converts() && f.To != f.Of || f.Op == loop.Bitcast && (f.To == f.Of || f.To.Bits() != f.Of.Bits()) {
		return false
	}
	return f.Nest(1, false).Verify() == nil
}

// Nest computes n elements of f, in a lane loop or one by one: a buffer an operand, then one for the result.
func (f Form) Nest(n int64, lanes bool) *loop.Nest {
	b := loop.NewBuilder(f.String())
	in := make([]int, f.Operands())
	for k := range in {
		bytes := n * MemOf(f.OperandKind(k)).Bytes()
		in[k] = b.Buffer(loop.Buffer{Name: fmt.Sprint("x", k), Bytes: bytes})
	}
	m := MemOf(f.To)
	out := b.Buffer(loop.Buffer{Name: "y", Bytes: n * m.Bytes(), Write: true})
	b.Each(loop.Spec{Extent: n, Lanes: lanes}, func(v int) {
		terms := []loop.Term{{Var: v, Stride: 1}}
		var x []loop.Value
		for k := range in {
			x = append(x, b.Load(loop.Access{Buffer: in[k], Terms: terms, Mem: MemOf(f.OperandKind(k))}, 0))
		}
		b.Store(loop.Access{Buffer: out, Terms: terms, Mem: m}, b.OpImm(f.Op, f.To, f.Imm, x...), 0)
	})
	return b.Nest()
}

// Lookup reads a table of size elements of kind k at n indices, which are the first buffer; the second is the result.
func Lookup(k loop.Kind, size int, n int64) *loop.Nest {
	index := loop.I32
	if k.Bits() == 64 {
		index = loop.I64
	}
	elements := make([]uint64, size)
	for i := range elements {
		elements[i] = uint64(i*i*i + 7)
	}
	b := loop.NewBuilder(fmt.Sprint("lookup", size))
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: n * MemOf(index).Bytes()})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: n * MemOf(k).Bytes(), Write: true})
	b.Each(loop.Spec{Extent: n, Lanes: true}, func(v int) {
		terms := []loop.Term{{Var: v, Stride: 1}}
		i := b.Load(loop.Access{Buffer: x, Terms: terms, Mem: MemOf(index)}, 0)
		i = b.Op(loop.URem, index, i, b.Int(index, int64(size)))
		b.Store(loop.Access{Buffer: y, Terms: terms, Mem: MemOf(k)}, b.Table(k, elements, i), 0)
	})
	return b.Nest()
}
