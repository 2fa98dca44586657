package loop

import (
	"math"
	"math/bits"
	"slices"
	"testing"
)

// compute is the value of v, of kind k, in straight-line code without loads but x.
func compute(n *Nest, k Kind, v, x Value, at uint64) uint64 {
	if v == x {
		return at
	}
	i := n.Insts[v]
	if i.Op == Const {
		return i.Imm & mask(k)
	}
	if i.Op == Select {
		return compute(n, k, i.Args[2-compute(n, Mask, i.Args[0], x, at)], x, at)
	}
	if i.Op == Cmp {
		k = n.Kind(i.Args[0])
	}
	a, c := compute(n, k, i.Args[0], x, at), compute(n, k, i.Args[1], x, at)
	w := k.Bits()
	signed := func(v uint64) int64 { return int64(v<<(64-w)) >> (64 - w) }
	switch i.Op {
	case Add:
		a += c
	case Sub:
		a -= c
	case Mul:
		a *= c
	case And:
		a &= c
	case Or:
		a |= c
	case Xor:
		a ^= c
	case AndNot:
		a = c &^ a
	case Cmp:
		return compared(i.Imm, k, a, c)
	case Shr:
		a >>= c
	case Shl:
		a <<= c
	case Sar:
		a = uint64(signed(a) >> c)
	case MulHiU, MulHiS:
		high, low := bits.Mul64(a, c)
		if i.Op == MulHiS {
			high, low = bits.Mul64(uint64(signed(a)), uint64(signed(c)))
			if signed(a) < 0 {
				high -= uint64(signed(c))
			}
			if signed(c) < 0 {
				high -= uint64(signed(a))
			}
		}
		a = high<<(64-w) | low>>w
		if w == 64 {
			a = high
		}
	default:
		panic(i.Op.String())
	}
	return a & mask(k)
}

func mask(k Kind) uint64 { return math.MaxUint64 >> (64 - max(k.Bits(), 1)) }

// divide is x divided by d.
func divide(o Op, k Kind, x, d uint64) uint64 {
	w := 64 - k.Bits()
	sx, sd := int64(x<<w)>>w, int64(d<<w)>>w
	switch o {
	case UDiv:
		return x / d
	case URem:
		return x % d
	case SDiv:
		return uint64(sx/sd) & mask(k)
	}
	return uint64(sx%sd) & mask(k)
}

// TestDivided: a division by a constant gives what a division gives, for dividends next to multiples and to the ends of
// the range, and has none in it.
func TestDivided(t *testing.T) {
	divisors := []uint64{1, 2, 3, 5, 6, 7, 8, 10, 11, 12, 28, 100, 125, 641, 784, 1000, 4096, 6272, 65535, 65537, 1e9 + 7,
		1<<31 - 1, 1 << 31, 1<<31 + 1, 1<<32 - 5, 1<<32 - 1}
	for _, k := range []Kind{I32, I64} {
		some := divisors
		for _, d := range divisors {
			some = append(some, -d&mask(k), (d<<31)&mask(k), (d<<32-3)&mask(k))
		}
		for _, o := range []Op{UDiv, URem, SDiv, SRem} {
			for _, d := range some {
				if d == 0 || (o == SDiv || o == SRem) && d == 1<<(k.Bits()-1) {
					continue
				}
				b := NewBuilder("divide")
				m := map[Kind]Mem{I32: MemI32, I64: MemI64}[k]
				x := b.Load(Access{Buffer: b.Buffer(Buffer{Name: "x", Bytes: 8}), Mem: m}, 0)
				q := b.Op(o, k, x, b.Int(k, int64(d)))
				for _, v := range dividends(d, k) {
					if got, want := compute(b.nest, k, q, x, v), divide(o, k, v, d); got != want {
						t.Fatalf("%v %v %#x by %#x: expected %#x, got %#x", o, k, v, d, want, got)
					}
				}
			}
		}
	}
}

// TestDividedNarrow: a division of any number of a narrow type is right, and a product of 32 bits where that is enough.
func TestDividedNarrow(t *testing.T) {
	for _, m := range []Mem{MemU8, MemS8, MemU16, MemS16} {
		r, _ := loadSpan(m)
		for _, d := range []uint64{3, 5, 6, 7, 10, 11, 12, 13, 100, 127, 129, 255, 257, 641, 1000, 32767, 65535, 1e6} {
			for _, o := range []Op{UDiv, URem, SDiv, SRem} {
				if r.lo < 0 && (o == UDiv || o == URem) {
					continue
				}
				b := NewBuilder("divide")
				x := b.Load(Access{Buffer: b.Buffer(Buffer{Name: "x", Bytes: 8}), Mem: m}, 0)
				q := b.Op(o, I32, x, b.Int(I32, int64(d)))
				for v := r.lo; v <= r.hi; v++ {
					at := uint64(uint32(v))
					if got, want := compute(b.nest, I32, q, x, at), divide(o, I32, at, d); got != want {
						t.Fatalf("%v %v %d by %d: expected %#x, got %#x", o, m, v, d, want, got)
					}
				}
				if high := usesHigh(b.nest); high && m.Bytes() == 1 && d < 1e6 {
					t.Errorf("%v %v by %d: the upper half of a product", o, m, d)
				}
			}
		}
	}
}

// usesHigh reports whether n has products of which the upper half is kept.
func usesHigh(n *Nest) bool {
	return slices.ContainsFunc(n.Insts, func(i Inst) bool { return i.Op == MulHiU || i.Op == MulHiS })
}

// TestInType: a number is not wrapped to a type that it is of, and else it is.
func TestInType(t *testing.T) {
	b := NewBuilder("wraps")
	load := func(m Mem) Value {
		return b.Load(Access{Buffer: b.Buffer(Buffer{Name: "x", Bytes: 8}), Mem: m}, 0)
	}
	byMask := func(x Value, m int64) Value { return b.Op(And, I32, b.Int(I32, m), x) }
	byShift := func(x Value, s int64) Value { return b.Op(Sar, I32, b.Op(Shl, I32, x, b.Int(I32, s)), b.Int(I32, s)) }
	u8, s8, u16 := load(MemU8), load(MemS8), load(MemU16)
	product := b.Op(Mul, I32, u8, load(MemU8))
	sum := b.Op(Add, I32, s8, load(MemS8))
	for name, c := range map[string]struct {
		x, got Value
		same   bool
	}{
		"u8": {u8, byMask(u8, 255), true}, "u8 as 7 bits": {u8, byMask(u8, 127), false},
		"u8 by holes": {u8, byMask(u8, 253), false}, "product as u16": {product, byMask(product, 65535), true},
		"s8 by mask": {s8, byMask(s8, 255), false}, "s8": {s8, byShift(s8, 24), true},
		"sum as s8": {sum, byShift(sum, 24), false}, "sum as s16": {sum, byShift(sum, 16), true},
		"u16 as s16": {u16, byShift(u16, 16), false}, "i32": {load(MemI32), byShift(load(MemI32), 16), false},
	} {
		if same := c.x == c.got; same != c.same {
			t.Errorf("%s: expected %v, got %v", name, c.same, same)
		}
	}
}

// dividends are numbers next to multiples of d, and spread over the range.
func dividends(d uint64, k Kind) []uint64 {
	var out []uint64
	most := mask(k)
	for _, at := range []uint64{0, 1, 2, 3, 1000, most / d / 2, most/d - 1, most / d, most / 2 / d} {
		out = append(out, at*d-1, at*d, at*d+1, -at*d, -at*d-1, -at*d+1)
	}
	for n := uint64(1); n < 200; n++ {
		out = append(out, n*0x9e3779b97f4a7c15, n, most-n, most/2-n, most/2+n)
	}
	for i := range out {
		out[i] &= most
	}
	return out
}
