package loop

import "testing"

// floorDivide makes x divided by d, rounded down, and what that leaves, as jnp writes them.
func floorDivide(b *Builder, k Kind, x, d Value, negative bool) (q, r Value) {
	zero := b.Int(k, 0)
	rem := b.Op(SRem, k, x, d)
	left, less := b.Cmp(NE, rem, zero), LT
	if negative {
		less = GT
	}
	cut := b.Op(SDiv, k, x, d)
	q = b.Op(Select, k, b.Op(And, Mask, b.Cmp(less, x, zero), left), b.Op(Sub, k, cut, b.Int(k, 1)), cut)
	return q, b.Op(Select, k, b.Cmp(less, rem, zero), b.Op(Add, k, rem, d), rem)
}

// TestDivisible: what is made of rests is what it should be: whether there is one, before and after it has been made
// positive, and quotients that are rounded down.
func TestDivisible(t *testing.T) {
	divisors := []uint64{1, 2, 3, 5, 6, 7, 8, 10, 12, 15, 28, 96, 100, 125, 641, 1000, 4096, 6272, 65535, 65537, 1e9 + 7,
		3 << 29, 1<<30 + 1, 1<<31 - 1, 1 << 31, 1<<31 + 1, 1<<32 - 6, 1<<32 - 1}
	for _, k := range []Kind{I32, I64} {
		some := divisors
		for _, d := range divisors {
			some = append(some, -d&mask(k), (d<<31)&mask(k), (d<<32-3)&mask(k))
		}
		for _, d := range some {
			if d != 0 && d != 1<<(k.Bits()-1) { // by the least integer there is another way
				checkRests(t, k, d)
			}
		}
	}
}

func checkRests(t *testing.T, k Kind, d uint64) {
	b := NewBuilder("rests")
	x := b.Load(Access{Buffer: b.Buffer(Buffer{Name: "x", Bytes: 8}), Mem: map[Kind]Mem{I32: MemI32, I64: MemI64}[k]}, 0)
	by, zero := b.Int(k, int64(d)), b.Int(k, 0)
	negative := d>>(k.Bits()-1) == 1
	unsigned, signed := b.Op(URem, k, x, by), b.Op(SRem, k, x, by)
	q, r := floorDivide(b, k, x, by, negative)
	same := map[string]Value{"unsigned": b.Cmp(EQ, unsigned, zero), "signed": b.Cmp(EQ, signed, zero),
		"floor": b.Cmp(EQ, r, zero)}
	other := map[string]Value{"unsigned": b.Cmp(NE, unsigned, zero), "signed": b.Cmp(NE, signed, zero),
		"floor": b.Cmp(NE, r, zero)}
	// A natural number may look like a negative one.
	looks := b.Op(Select, k, b.Cmp(LT, unsigned, zero), b.Op(Add, k, unsigned, by), unsigned)
	below := map[string]Value{"unsigned": b.Cmp(LT, unsigned, zero), "signed": b.Cmp(LT, signed, zero),
		"floor": b.Cmp(LT, r, zero)}
	for _, v := range dividends(d, k) {
		u, s := divide(URem, k, v, d), divide(SRem, k, v, d)
		whole, rest := divide(SDiv, k, v, d), s
		if s != 0 && (s^d)>>(k.Bits()-1) == 1 {
			whole, rest = (whole-1)&mask(k), (s+d)&mask(k)
		}
		want := map[string]uint64{"unsigned": u, "signed": s, "floor": rest}
		for name, left := range want {
			is := func(what string, m Value, want bool) {
				if got := compute(b.nest, Mask, m, x, v) == 1; got != want {
					t.Fatalf("%v: %s rest of %#x by %#x, %s: expected %v", k, name, v, d, what, want)
				}
			}
			is("none", same[name], left == 0)
			is("some", other[name], left != 0)
			is("negative", below[name], left>>(k.Bits()-1) == 1)
		}
		if u>>(k.Bits()-1) == 1 {
			u = (u + d) & mask(k)
		}
		if got := compute(b.nest, k, looks, x, v); got != u {
			t.Fatalf("%v: unsigned rest of %#x by %#x, more where its first bit is set: expected %#x, got %#x", k, v, d, u, got)
		}
		if got := compute(b.nest, k, q, x, v); got != whole {
			t.Fatalf("%v: %#x by %#x rounded down: expected %#x, got %#x", k, v, d, whole, got)
		}
		if got := compute(b.nest, k, r, x, v); got != rest {
			t.Fatalf("%v: rest of %#x by %#x rounded down: expected %#x, got %#x", k, v, d, rest, got)
		}
	}
}

// TestDivisibleShort: a comparison takes no upper half of a product, and a quotient that is rounded down no choice.
func TestDivisibleShort(t *testing.T) {
	for _, d := range []int64{3, 10, 12, 64, 1000} {
		for _, f := range []func(b *Builder, x Value) Value{
			func(b *Builder, x Value) Value {
				_, r := floorDivide(b, I32, x, b.Int(I32, d), false)
				return b.Op(Select, I32, b.Cmp(EQ, r, b.Int(I32, 0)), x, b.Int(I32, 1))
			},
			func(b *Builder, x Value) Value {
				q, r := floorDivide(b, I32, x, b.Int(I32, d), false)
				return b.Op(Add, I32, q, r)
			},
		} {
			b := NewBuilder("rests")
			x := b.Load(Access{Buffer: b.Buffer(Buffer{Name: "x", Bytes: 4}), Mem: MemI32}, 0)
			b.Store(Access{Buffer: b.Buffer(Buffer{Name: "y", Bytes: 4, Write: true}), Mem: MemI32}, f(b, x), 0)
			n := b.Nest()
			DCE(n)
			high, choices := 0, 0
			for _, node := range n.Root {
				switch n.Inst(node.Value).Op {
				case MulHiU, MulHiS:
					high++
				case Select:
					choices++
				}
			}
			if high+choices > 1 {
				t.Errorf("by %d: %d products of which the upper half is kept, %d choices in\n%v", d, high, choices, n)
			}
		}
	}
}
