package interp

import (
	"math/bits"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// This file holds the counter-based generators and rng-bit-generator, bit by bit as
// XLA expands it. Both ciphers are those of Salmon et al., "Parallel random numbers:
// as easy as 1, 2, 3".

// counter128 is a counter of 128 bits.
type counter128 struct{ low, high uint64 }

func (c counter128) plus(n uint64) counter128 {
	low, carry := bits.Add64(c.low, n, 0)
	return counter128{low, c.high + carry}
}

// threeFry is Threefry-2x32 with 20 rounds; the low half of key and counter is word 0.
func threeFry(key, counter uint64) (w0, w1 uint32) {
	rotations := [2][4]int{{13, 15, 26, 6}, {17, 29, 16, 24}}
	k0, k1 := uint32(key), uint32(key>>32)
	schedule := [3]uint32{k0, k1, 0x1BD11BDA ^ k0 ^ k1}
	x0, x1 := uint32(counter)+k0, uint32(counter>>32)+k1
	for group := range 5 {
		for _, r := range rotations[group%2] {
			x0 += x1
			x1 = bits.RotateLeft32(x1, r) ^ x0
		}
		x0 += schedule[(group+1)%3]
		x1 += schedule[(group+2)%3] + uint32(group) + 1
	}
	return x0, x1
}

// philox is Philox-4x32 with 10 rounds.
func philox(key uint64, c counter128) [4]uint32 {
	k0, k1 := uint32(key), uint32(key>>32)
	x := [4]uint32{uint32(c.low), uint32(c.low >> 32), uint32(c.high), uint32(c.high >> 32)}
	for range 10 {
		hi0, lo0 := bits.Mul32(x[0], 0xD2511F53)
		hi1, lo1 := bits.Mul32(x[2], 0xCD9E8D57)
		x = [4]uint32{hi1 ^ x[1] ^ k0, lo1, hi0 ^ x[3] ^ k1, lo0}
		k0 += 0x9E3779B9
		k1 += 0xBB67AE85
	}
	return x
}

// philoxWords returns the first n words of the blocks from counter c on.
func philoxWords(key uint64, c counter128, n int) []uint32 {
	words := make([]uint32, 0, n+3)
	for len(words) < n {
		block := philox(key, c)
		words = append(words, block[:]...)
		c = c.plus(1)
	}
	return words[:n]
}

// evalRngBitGenerator returns the new state and the bits. Types of fewer than 32
// bits take the low ones of 32. The default algorithm is Philox. Bits that are the
// result of the program are unsigned, whatever is declared, unless there are none: so
// XLA hands them out.
// Spec: OPS.md section 7.
func evalRngBitGenerator(c *call) (literal.Literal, error) {
	s := c.shape.Elems[1]
	if c.isProgramResult() && s.Size() > 0 {
		s.Type = unsignedOf(s.Type)
	}
	state, dst := c.args[0].Clone(), literal.New(s)
	v := literal.Values[uint64](state)
	if attrs[*op.RngBitGeneratorAttrs](c).Algorithm == op.RngThreeFry {
		v[1] = fillThreeFry(dst, v[0], v[1])
		return literal.MakeTuple(state, dst), nil
	}
	from := counter128{v[1], v[0]} // of two words of state the key is also the high counter
	if len(v) > 2 {
		from.high = v[2]
	}
	next := fillPhilox(dst, v[0], from)
	if v[1] = next.low; len(v) > 2 {
		v[2] = next.high
	}
	return literal.MakeTuple(state, dst), nil
}

// isProgramResult reports whether the result is that of the program and nothing else.
func (c *call) isProgramResult() bool {
	f := c.n.Computation()
	return c.n.IsRoot() && f == f.Module().Entry() && len(c.n.Users()) == 0
}

// unsignedOf returns the unsigned integer type of the width of t.
func unsignedOf(t shape.ElementType) shape.ElementType {
	for _, u := range []shape.ElementType{shape.U1, shape.U2, shape.U4, shape.U8, shape.U16, shape.U32, shape.U64} {
		if t.IsInteger() && u.Bits() == t.Bits() {
			return u
		}
	}
	return t
}

// fillPhilox sets the elements of dst, a word each or two where they have 64 bits,
// and returns the counter behind the last block.
func fillPhilox(dst literal.Literal, key uint64, c counter128) counter128 {
	n := dst.Len()
	if dst.Type().Bits() == 64 {
		words := philoxWords(key, c, 2*n)
		for i := range n {
			dst.SetBits(i, uint64(words[2*i])|uint64(words[2*i+1])<<32)
		}
		return c.plus(uint64(2*n+3) / 4)
	}
	for i, w := range philoxWords(key, c, n) {
		dst.SetBits(i, uint64(w))
	}
	return c.plus(uint64(n+3) / 4)
}

// fillThreeFry sets the elements of dst and returns the counter behind the last block.
func fillThreeFry(dst literal.Literal, key, counter uint64) uint64 {
	n := dst.Len()
	switch {
	case dst.Type().Bits() == 64:
		for i := range n {
			w0, w1 := threeFry(key, counter+uint64(i))
			dst.SetBits(i, uint64(w0)|uint64(w1)<<32)
		}
		return counter + uint64(n)
	case dst.Shape().Rank() == 0:
		w0, _ := threeFry(key, counter)
		dst.SetBits(0, uint64(w0))
		return counter + 1
	}
	return fillThreeFryHalves(dst, key, counter)
}

// fillThreeFryHalves sets arrays of 32 bits or fewer. Element j of an array half as
// long in one dimension gives the two words of counter+j to places 2h and 2h+1 of
// that dimension, h being its own; the second of the last pair may be one too many.
func fillThreeFryHalves(dst literal.Literal, key, counter uint64) uint64 {
	dims := dst.Dims()
	d := splitDim(dims)
	half := append([]int(nil), dims...)
	half[d] = (dims[d] + 1) / 2
	strides := rowMajor(dims)
	index := make([]int, len(dims))
	n := shape.Make(shape.U32, half...).Size()
	for j := range n {
		w0, w1 := threeFry(key, counter+uint64(j))
		at := shape.Dot(index, strides) + index[d]*strides[d]
		dst.SetBits(at, uint64(w0))
		if 2*index[d]+1 < dims[d] {
			dst.SetBits(at+strides[d], uint64(w1))
		}
		shape.NextIndex(index, half)
	}
	return counter + uint64(n)
}

// splitDim returns the first dimension of even size, or else the first of the largest.
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
