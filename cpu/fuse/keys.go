package fuse

import (
	"slices"

	"github.com/goxla/xla/cpu/elem"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/shape"
)

// The largest or least of a row or a column of bf16 that is in memory is found by its bits, as integers of 16 bits,
// which lanes as narrow hold: numbers below zero in the opposite order, moved so far that NaNs, of either sign, come
// out at the end that wins.

const (
	// leastKeys is the fewest numbers side by side for which that is done.
	leastKeys = 64
	// keyNaNs is how many NaNs there are of a sign, keyMost an infinity.
	keyNaNs, keyMost = 0x7F, 0x7F80
	keyBits          = 16
)

// hasKeys reports whether the operands, of which r makes acc, are reduced over dims so.
func (g *gen) hasKeys(r reducer, acc []elem.Value, operands []*hlo.Instruction, dims []int) bool {
	if !g.b.Code || g.lane || len(acc) != 1 || len(r.lanes) != 1 || r.lanes[0] != loop.Max && r.lanes[0] != loop.Min {
		return false
	}
	s := operands[0].Shape()
	last := len(s.Dims) - 1
	return s.Type == shape.BF16 && g.inMemory(operands[0]) && slices.Contains(dims, last) && s.Dims[last] >= leastKeys
}

// reduceKeys is reduce of such operands.
func (g *gen) reduceKeys(r reducer, init []elem.Value, extents []int, body func(pos []Expr) step) []elem.Value {
	k := keysOf(g, r.lanes[0])
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

// keys are integers that are ordered as bf16 are, moved by so many.
type keys struct {
	g     *gen
	moved int64
}

// keysOf returns the keys for the least or the largest of numbers.
func keysOf(g *gen, o loop.Op) keys {
	if o == loop.Max {
		return keys{g: g, moved: -keyNaNs}
	}
	return keys{g: g, moved: keyNaNs}
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

// of is the key of x, a bf16.
func (k keys) of(x loop.Value) loop.Value {
	b := k.g.b
	bits := b.LoadAs(x, loop.MemS16)
	if bits == 0 {
		bits = k.op(loop.Sar, b.Op(loop.Bitcast, loop.I32, x), keyBits)
	}
	return k.wrapped(k.op(loop.Add, k.turned(bits), k.moved))
}

// number is the bf16 that has key x.
func (k keys) number(x loop.Value) loop.Value {
	b := k.g.b
	bits := k.turned(k.wrapped(k.op(loop.Add, x, -k.moved)))
	y := b.Op(loop.Bitcast, loop.F32, k.op(loop.Shl, bits, keyBits))
	nan := b.Cmp(loop.GT, x, b.Int(loop.I32, keyMost-keyNaNs))
	if k.moved > 0 {
		nan = b.Cmp(loop.LT, x, b.Int(loop.I32, keyNaNs-keyMost-1))
	}
	return b.Op(loop.Select, loop.F32, nan, b.Const(loop.F32, 0x7fc00000), y)
}
