package fuse

import (
	"slices"

	"github.com/goxla/xla/cpu/elem"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/shape"
)

// The largest or least of a row or a column of bf16 or f16 that is in memory is found by its bits, as integers of 16
// bits, which lanes as narrow hold: numbers below zero in the opposite order, moved so far that NaNs, of either sign,
// come out at the end that wins.

const (
	// leastKeys is the fewest numbers side by side for which that is done.
	leastKeys = 64
	keyBits   = 16
	// An f16 has so many bits less behind the point than an f32, whose exponents of the same numbers are by so much more.
	halfBits, halfExponents = 13, 112 << 23
	// leastHalf is the least f16 that is not a denormal, as an f32. Smaller ones are multiples of the last bit of oneHalf.
	leastHalf, oneHalf, f32Inf = 0x38800000, 0x3F000000, 0x7F800000
)

// hasKeysOf reports whether elements of type t have keys.
func hasKeysOf(t shape.ElementType) bool { return t == shape.BF16 || t == shape.F16 }

// hasKeys reports whether the operands, of which r makes acc, are reduced over dims so.
func (g *gen) hasKeys(r reducer, acc []elem.Value, operands []*hlo.Instruction, dims []int) bool {
	if !g.b.Code || g.lane || len(acc) != 1 || len(r.lanes) != 1 || r.lanes[0] != loop.Max && r.lanes[0] != loop.Min {
		return false
	}
	s := operands[0].Shape()
	last := len(s.Dims) - 1
	return hasKeysOf(s.Type) && g.inMemory(operands[0]) && slices.Contains(dims, last) && s.Dims[last] >= leastKeys
}

// reduceKeys is reduce of such operands.
func (g *gen) reduceKeys(r reducer, init []elem.Value, extents []int, body func(pos []Expr) step) []elem.Value {
	k := keysOf(g, init[0].Type, r.lanes[0])
	first := []elem.Value{{Type: shape.S16, Re: k.of(init[0].Re)}}
	out := g.reduceFrom(r, first, slices.Clone(extents), nil, func(pos []Expr) step {
		s := body(pos)
		return step{on: s.on, of: func(n int) (x, by elem.Value) {
			x, by = s.factors(n)
			return elem.Value{Type: shape.S16, Re: k.of(x.Re)}, by
		}}
	})
	return []elem.Value{{Type: init[0].Type, Re: k.number(out[0].Re)}}
}

// keys are integers that are ordered as bf16 or, if half is set, as f16 are, of which most is an infinity, moved by as
// many as there are NaNs of a sign.
type keys struct {
	g           *gen
	half        bool
	moved, most int64
}

// keysOf returns the keys for the least or the largest of numbers of type t.
func keysOf(g *gen, t shape.ElementType, o loop.Op) keys {
	k := keys{g: g, half: t == shape.F16, most: 0x7F80}
	if k.half {
		k.most = 0x7C00
	}
	if k.moved = 1<<(keyBits-1) - 1 - k.most; o == loop.Max {
		k.moved = -k.moved
	}
	return k
}

func (k keys) op(o loop.Op, x loop.Value, c int64) loop.Value {
	return k.g.b.Op(o, loop.I32, x, k.g.b.Int(loop.I32, c))
}

// wrapped keeps 16 bits of x, with the sign that they have.
func (k keys) wrapped(x loop.Value) loop.Value {
	return k.op(loop.Sar, k.op(loop.Shl, x, keyBits), keyBits)
}

// turned is x with the bits behind the sign turned where it is negative.
func (k keys) turned(x loop.Value) loop.Value {
	below := k.op(loop.And, k.op(loop.Sar, x, keyBits-1), 1<<(keyBits-1)-1)
	return k.g.b.Op(loop.Xor, loop.I32, x, below)
}

// bits are those of x, with its sign. None of what an f16 goes through is a denormal f32, which code may take for zero.
func (k keys) bits(x loop.Value) loop.Value {
	b := k.g.b
	all := b.Op(loop.Bitcast, loop.I32, x)
	if !k.half {
		return k.op(loop.Sar, all, keyBits)
	}
	size := k.op(loop.And, all, 1<<31-1)
	y := k.op(loop.Shr, size, halfBits)
	y = b.Op(loop.Select, loop.I32, b.Cmp(loop.LT, size, b.Int(loop.I32, f32Inf)),
		k.op(loop.Sub, y, halfExponents>>halfBits), k.op(loop.Sub, y, f32Inf>>halfBits-k.most))
	tiny := b.Op(loop.Add, loop.F32, b.Op(loop.Abs, loop.F32, x), b.Const(loop.F32, oneHalf))
	y = b.Op(loop.Select, loop.I32, b.Cmp(loop.LT, size, b.Int(loop.I32, leastHalf)),
		k.op(loop.Sub, b.Op(loop.Bitcast, loop.I32, tiny), oneHalf), y)
	return b.Op(loop.Or, loop.I32, y, k.op(loop.And, k.op(loop.Sar, all, keyBits), -1<<(keyBits-1)))
}

// float is the number that has the bits x.
func (k keys) float(x loop.Value) loop.Value {
	b := k.g.b
	if !k.half {
		return b.Op(loop.Bitcast, loop.F32, k.op(loop.Shl, x, keyBits))
	}
	size := k.op(loop.And, x, 1<<(keyBits-1)-1)
	y := b.Op(loop.Select, loop.I32, b.Cmp(loop.LT, size, b.Int(loop.I32, k.most)),
		k.op(loop.Add, k.op(loop.Shl, size, halfBits), halfExponents), b.Int(loop.I32, f32Inf))
	tiny := b.Op(loop.Bitcast, loop.F32, k.op(loop.Add, size, oneHalf))
	tiny = b.Op(loop.Sub, loop.F32, tiny, b.Const(loop.F32, oneHalf))
	y = b.Op(loop.Select, loop.I32, b.Cmp(loop.LT, size, b.Int(loop.I32, (leastHalf-halfExponents)>>halfBits)),
		b.Op(loop.Bitcast, loop.I32, tiny), y)
	return b.Op(loop.Bitcast, loop.F32, b.Op(loop.Or, loop.I32, y, k.op(loop.And, k.op(loop.Shl, x, keyBits), -1<<31)))
}

// of is the key of x, a bf16 or f16.
func (k keys) of(x loop.Value) loop.Value {
	b := k.g.b
	bits := b.LoadAs(x, loop.MemS16)
	if bits == 0 {
		bits = k.bits(x)
	}
	return k.wrapped(k.op(loop.Add, k.turned(bits), k.moved))
}

// number is the bf16 or f16 that has key x.
func (k keys) number(x loop.Value) loop.Value {
	b := k.g.b
	bits := k.turned(k.wrapped(k.op(loop.Add, x, -k.moved)))
	nan := b.Cmp(loop.GT, x, b.Int(loop.I32, k.most+k.moved))
	if k.moved > 0 {
		nan = b.Cmp(loop.LT, x, b.Int(loop.I32, k.moved-k.most-1))
	}
	return b.Op(loop.Select, loop.F32, nan, b.Const(loop.F32, 0x7fc00000), k.float(bits))
}
