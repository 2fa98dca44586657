package fuse

import (
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// This file computes rng-bit-generator in words of 32 bits: all sums of counters are made of words with
// carries, so that a vector holds as many lanes as words fit. Spec: OPS.md section 7; the ciphers are those of
// Salmon et al., "Parallel random numbers: as easy as 1, 2, 3".

// RngFits reports whether BuildRng can make the nest of an rng-bit-generator.
func RngFits(i *hlo.Instruction) bool {
	s := i.Shape()
	if !typesFit(i) || !s.IsTuple() || len(s.Elems) != 2 {
		return false
	}
	bits, state := s.Elems[1], i.Operand(0).Shape()
	return bits.Type.IsInteger() && bits.Size() > 0 && bits.Size() < 1<<28 && state.Type == shape.U64 && state.Size() >= 2
}

// BuildRng makes the nests of an rng-bit-generator: that of the new state, and that of the bits, whose blocks do not
// depend on one another.
func BuildRng(i *hlo.Instruction) ([2]*Kernel, error) {
	var kernels [2]*Kernel
	memory := func(*hlo.Instruction) bool { return true }
	for leaf := range kernels {
		var err error
		kernels[leaf], err = build(Spec{Name: i.Name(), InMemory: memory}, loop.I32, func(g *gen) {
			r := &random{gen: g, inst: i, from: g.buffer(Ref{Inst: i.Operand(0)}, false), leaf: leaf}
			if i.Attrs().(*op.RngBitGeneratorAttrs).Algorithm == op.RngThreeFry {
				r.threeFry()
				return
			}
			r.philox()
		})
		if err != nil {
			return kernels, err
		}
	}
	return kernels, nil
}

type random struct {
	*gen
	inst *hlo.Instruction
	from int // the buffer of the state
	leaf int // of the result: 0 for the state, 1 for the bits
}

func (r *random) op(o loop.Op, args ...loop.Value) loop.Value { return r.b.Op(o, loop.I32, args...) }

func (r *random) word(v uint32) loop.Value { return r.b.Const(loop.I32, uint64(v)) }

// stateWord reads 32-bit word n of the state.
func (r *random) stateWord(n int) loop.Value {
	return r.b.Load(loop.Access{Buffer: r.from, Offset: int64(n), Mem: loop.MemI32}, 0)
}

// plus adds n to a number of little-endian words.
func (r *random) plus(words []loop.Value, n loop.Value) []loop.Value {
	out := make([]loop.Value, len(words))
	carry := n
	for k, w := range words {
		out[k] = r.op(loop.Add, w, carry)
		over := r.b.Cmp(loop.ULT, out[k], carry)
		carry = r.op(loop.Select, over, r.word(1), r.word(0))
	}
	return out
}

// finish makes one of the nests: it stores the key and the counter behind the last block, or runs body for each block.
func (r *random) finish(state []loop.Value, blocks []int, body func(idx []Expr)) {
	if r.leaf == 0 {
		r.putState(state)
		return
	}
	r.nested(blocks, nesting{lanes: true, parallel: true}, body)
}

func (r *random) putState(words []loop.Value) {
	to := r.buffer(Ref{r.inst, 0}, true)
	for n, w := range words {
		r.b.Store(loop.Access{Buffer: to, Offset: int64(n), Mem: loop.MemI32}, w, 0)
	}
}

func (r *random) rotate(x loop.Value, n uint32) loop.Value {
	return r.op(loop.Or, r.op(loop.Shl, x, r.word(n)), r.op(loop.Shr, x, r.word(32-n)))
}

// carry is 1 where the sum of from and n, integers of kind k, exceeds their width, else 0; n is less than half of the
// range. What is compared to n is the same for all blocks.
func (r *random) carry(k loop.Kind, from, n loop.Value) loop.Value {
	highest := r.b.Const(k, ^uint64(0)>>(65-k.Bits()))
	last := r.b.Op(loop.UMin, k, r.b.Op(loop.Not, k, from), highest)
	return r.b.Op(loop.Shr, k, r.b.Op(loop.Sub, k, last, n), r.b.Const(k, uint64(k.Bits()-1)))
}

// threeFryBlock is Threefry-2x32 with 20 rounds, of the counter plus n.
func (r *random) threeFryBlock(key, counter []loop.Value, n loop.Value) (x0, x1 loop.Value) {
	rotations := [2][4]uint32{{13, 15, 26, 6}, {17, 29, 16, 24}}
	third := r.op(loop.Xor, r.op(loop.Xor, key[0], key[1]), r.word(0x1BD11BDA))
	schedule := [3]loop.Value{key[0], key[1], third}
	x0 = r.op(loop.Add, r.op(loop.Add, counter[0], key[0]), n)
	x1 = r.op(loop.Add, r.op(loop.Add, counter[1], key[1]), r.carry(loop.I32, counter[0], n))
	for group := range 5 {
		for _, n := range rotations[group%2] {
			x0 = r.op(loop.Add, x0, x1)
			x1 = r.op(loop.Xor, r.rotate(x1, n), x0)
		}
		x0 = r.op(loop.Add, x0, schedule[(group+1)%3])
		x1 = r.op(loop.Add, x1, r.op(loop.Add, schedule[(group+2)%3], r.word(uint32(group)+1)))
	}
	return x0, x1
}

func (r *random) threeFry() {
	key := []loop.Value{r.stateWord(0), r.stateWord(1)}
	counter := []loop.Value{r.stateWord(2), r.stateWord(3)}
	s := r.inst.Shape().Elems[1]
	half := append([]int(nil), s.Dims...)
	wide, d := s.Type.Bits() == 64, splitDim(s.Dims)
	if !wide && len(half) > 0 {
		half[d] = (half[d] + 1) / 2
	}
	blocks := shape.Make(shape.Pred, half...)
	state := append(key, r.plus(counter, r.word(uint32(blocks.Size())))...)
	r.finish(state, half, func(idx []Expr) {
		w0, w1 := r.threeFryBlock(key, counter, r.value(r.linear(blocks, idx)))
		if wide {
			r.putWide(s, r.linear(s, idx), w0, w1)
			return
		}
		at := append([]Expr(nil), idx...)
		if len(at) > 0 {
			at[d] = r.times(idx[d], 2)
		}
		r.putBits(s, at, w0)
		if len(at) > 0 {
			at[d] = at[d].plus(1)
			r.putBits(s, at, w1)
		}
	})
}

// splitDim is the dimension along which the two words of a block are neighbours: the first of even
// size, or else the first of the largest.
func splitDim(dims []int) int {
	best := 0
	for d, n := range dims {
		if n%2 == 0 {
			return d
		}
		if n > dims[best] {
			best = d
		}
	}
	return best
}

// putBits stores the low bits of a word as element at, if there is one.
func (r *random) putBits(s shape.Shape, at []Expr, w loop.Value) {
	on := loop.Value(0)
	for d, e := range at {
		on = r.and(on, r.within(e, s.Dims[d]))
	}
	r.put(s, r.linear(s, at), w, on)
}

func (r *random) put(s shape.Shape, at Expr, w, on loop.Value) {
	mem := map[int]loop.Mem{4: loop.MemI32, 2: loop.MemU16, 1: loop.MemU8}[s.Type.ByteSize()]
	if bits := s.Type.Bits(); bits < 8 {
		w = r.op(loop.And, w, r.word(1<<bits-1))
		if s.Type.IsSigned() {
			n := r.word(uint32(32 - bits))
			w = r.op(loop.Sar, r.op(loop.Shl, w, n), n)
		}
	}
	to := r.buffer(Ref{r.inst, 1}, true)
	offset, terms, index := r.parts(at)
	r.b.Store(loop.Access{Buffer: to, Offset: offset, Terms: terms, Index: index, Mem: mem}, w, on)
}

// putWide stores two words as element at.
func (r *random) putWide(s shape.Shape, at Expr, w0, w1 loop.Value) {
	to := r.buffer(Ref{r.inst, 1}, true)
	two := r.times(at, 2)
	on := r.within(at, s.Size())
	for k, w := range []loop.Value{w0, w1} {
		r.b.Store(loop.Access{Buffer: to, Offset: two.Const + int64(k), Terms: two.Terms, Mem: loop.MemI32}, w, on)
	}
}
