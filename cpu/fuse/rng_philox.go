package fuse

import (
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/shape"
)

// Philox multiplies words to products of two words, so here words are in lanes of 64 bits. What is above a word is
// anything, but where a word is shifted down or stored.

func (r *random) long(o loop.Op, args ...loop.Value) loop.Value { return r.b.Op(o, loop.I64, args...) }

func (r *random) longWord(v uint32) loop.Value { return r.b.Int(loop.I64, int64(v)) }

// upper is the upper word of x.
func (r *random) upper(x loop.Value) loop.Value { return r.long(loop.Shr, x, r.longWord(32)) }

// philoxBlock is Philox-4x32 with 10 rounds.
func (r *random) philoxBlock(key, x []loop.Value) []loop.Value {
	k0, k1 := key[0], key[1]
	for range 10 {
		p0 := r.long(loop.MulU32, x[0], r.longWord(0xD2511F53))
		p1 := r.long(loop.MulU32, x[2], r.longWord(0xCD9E8D57))
		x = []loop.Value{r.long(loop.Xor, r.long(loop.Xor, x[1], k0), r.upper(p1)), p1,
			r.long(loop.Xor, r.long(loop.Xor, x[3], k1), r.upper(p0)), p0}
		k0, k1 = r.long(loop.Add, k0, r.longWord(0x9E3779B9)), r.long(loop.Add, k1, r.longWord(0xBB67AE85))
	}
	return x
}

// philoxCounter is the counter of block n, an I64, in four words: its halves, from the words of the state, plus n.
func (r *random) philoxCounter(words []loop.Value, n loop.Value) []loop.Value {
	join := func(low, high loop.Value) loop.Value {
		return r.long(loop.Or, r.b.Op(loop.ZExt, loop.I64, low),
			r.long(loop.Shl, r.b.Op(loop.ZExt, loop.I64, high), r.longWord(32)))
	}
	from := join(words[0], words[1])
	low, high := r.long(loop.Add, from, n), r.long(loop.Add, join(words[2], words[3]), r.carry(loop.I64, from, n))
	return []loop.Value{low, r.upper(low), high, r.upper(high)}
}

// philox: of two words of 64 bits of state the key is also the high half of the counter.
func (r *random) philox() {
	key := []loop.Value{r.stateWord(0), r.stateWord(1)}
	counter := []loop.Value{r.stateWord(2), r.stateWord(3), key[0], key[1]}
	kept := 2
	if r.inst.Operand(0).Size() > 2 {
		counter[2], counter[3], kept = r.stateWord(4), r.stateWord(5), 4
	}
	s := r.inst.Shape().Elems[1]
	per := 4
	if s.Type.Bits() == 64 {
		per = 2
	}
	n := (s.Size() + per - 1) / per
	state := append(key, r.plus(counter, r.word(uint32(n)))[:kept]...)
	r.finish(state, []int{n}, func(idx []Expr) {
		long := []loop.Value{r.b.Op(loop.ZExt, loop.I64, key[0]), r.b.Op(loop.ZExt, loop.I64, key[1])}
		number := r.b.Op(loop.ZExt, loop.I64, r.value(idx[0]))
		r.putBlock(shape.Make(s.Type, s.Size()), idx[0], per, r.philoxBlock(long, r.philoxCounter(counter, number)))
	})
}

// putBlock stores the words of block number n, of which so many elements are made: two by two, if they fill the array,
// or those of 32 bits and less one by one.
func (r *random) putBlock(s shape.Shape, n Expr, per int, x []loop.Value) {
	if bytes := s.Type.ByteSize(); bytes == 8 || bytes == 4 && s.Size()%per == 0 {
		to, each := r.buffer(Ref{r.inst, 1}, true), 8/bytes
		for k := range 2 {
			at := r.times(n, 2).plus(int64(k))
			pair := r.long(loop.Or, r.long(loop.And, x[2*k], r.longWord(1<<32-1)), r.long(loop.Shl, x[2*k+1], r.longWord(32)))
			on := r.within(r.times(at, int64(each)), s.Size())
			r.b.Store(loop.Access{Buffer: to, Offset: at.Const, Terms: at.Terms, Mem: loop.MemI64}, pair, on)
		}
		return
	}
	for k := range per {
		r.putBits(s, []Expr{r.times(n, int64(per)).plus(int64(k))}, r.b.Op(loop.Trunc, loop.I32, x[k]))
	}
}
