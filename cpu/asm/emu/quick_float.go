package emu

import (
	"math"
	"sync"

	"github.com/goxla/xla/cpu/asm"
)

// quicks builds the table.
var quicks = sync.OnceValue(func() *quickOps {
	t := new(quickOps)
	t.floats()
	t.fused()
	t.ints()
	t.logic()
	t.shuffles()
	return t
})

// both sets the forms of f32 and f64, packed and scalar, of an operation with two sources.
func (t *quickOps) both(first asm.Op, single, double quickFn) {
	for i, op := range seq(first) {
		t[op] = quick{w: 4, f: f32, fn: single, over: 1}
		if i&1 == 1 {
			t[op] = quick{w: 8, f: f64, fn: double, over: 1}
		}
	}
}

func (t *quickOps) floats() {
	t.both(asm.VADDPS, singles(add, func(x, y float32) float32 { return x + y }),
		doubles(add, func(x, y float64) float64 { return x + y }))
	t.both(asm.VSUBPS, singles(sub, func(x, y float32) float32 { return x - y }),
		doubles(sub, func(x, y float64) float64 { return x - y }))
	t.both(asm.VMULPS, singles(mul, func(x, y float32) float32 { return x * y }),
		doubles(mul, func(x, y float64) float64 { return x * y }))
	t.both(asm.VDIVPS, singles(div, func(x, y float32) float32 { return x / y }),
		doubles(div, func(x, y float64) float64 { return x / y }))
	t.both(asm.VMAXPS, picks32(func(x, y float32) bool { return x > y }),
		picks64(func(x, y float64) bool { return x > y }))
	t.both(asm.VMINPS, picks32(func(x, y float32) bool { return x < y }),
		picks64(func(x, y float64) bool { return x < y }))
}

// singles is fn of each lane; what is NaN is computed as arith does it.
func singles(k kind, fn func(x, y float32) float32) quickFn {
	return func(d, a, b *vec, n int, _ uint8) {
		r, x, y := d.f32()[:2*n], a.f32()[:2*n], b.f32()[:2*n]
		for i, p := range x {
			q := y[i]
			s := fn(p, q)
			if s != s {
				s = math.Float32frombits(uint32(f32.arith(k, bits32(p), bits32(q), asm.RN)))
			}
			r[i] = s
		}
	}
}

func doubles(k kind, fn func(x, y float64) float64) quickFn {
	return func(d, a, b *vec, n int, _ uint8) {
		r, x, y := d.f64()[:n], a.f64()[:n], b.f64()[:n]
		for i, p := range x {
			q := y[i]
			s := fn(p, q)
			if s != s {
				s = math.Float64frombits(f64.arith(k, math.Float64bits(p), math.Float64bits(q), asm.RN))
			}
			r[i] = s
		}
	}
}

func bits32(x float32) uint64 { return uint64(math.Float32bits(x)) }

// picks32 takes the first source where first is true. It moves bits: a float that is NaN stays as it is.
func picks32(first func(x, y float32) bool) quickFn {
	return func(d, a, b *vec, n int, _ uint8) {
		r, x, y := d.u32()[:2*n], a.u32()[:2*n], b.u32()[:2*n]
		for i, p := range x {
			q := y[i]
			if first(math.Float32frombits(p), math.Float32frombits(q)) {
				q = p
			}
			r[i] = q
		}
	}
}

func picks64(first func(x, y float64) bool) quickFn {
	return func(d, a, b *vec, n int, _ uint8) {
		for i, p := range a[:n] {
			q := b[i]
			if first(math.Float64frombits(p), math.Float64frombits(q)) {
				q = p
			}
			d[i] = q
		}
	}
}

// fused are the fused multiply-adds but those whose signs alternate.
func (t *quickOps) fused() {
	for _, k := range []fused{
		{asm.VFMADD132PS, false, false, false}, {asm.VFMSUB132PS, false, true, false},
		{asm.VFNMADD132PS, true, false, false}, {asm.VFNMSUB132PS, true, true, false},
	} {
		for order := range 3 {
			for i := range asm.Op(4) {
				q := quick{w: 4, f: f32, fn: k.ordered(order, k.single)}
				if i&1 == 1 {
					q = quick{w: 8, f: f64, fn: k.ordered(order, k.double)}
				}
				t[k.first+asm.Op(order)*4+i] = q
			}
		}
	}
}

// ordered gives fn, which sets d to x*y + z, its operands in the order that a form has them in.
func (k fused) ordered(order int, fn func(d, x, y, z *vec, n int)) quickFn {
	switch order {
	case 0:
		return func(d, a, b *vec, n int, _ uint8) { fn(d, d, b, a, n) }
	case 1:
		return func(d, a, b *vec, n int, _ uint8) { fn(d, a, d, b, n) }
	}
	return func(d, a, b *vec, n int, _ uint8) { fn(d, a, b, d, n) }
}

// single computes in float64, where the product is exact. What the sum rounds to is on the same side of the middle
// between two float32 as the exact sum unless it is that middle; then, and near zero, fma32 decides.
func (k fused) single(d, a, b, c *vec, n int) {
	r, x, y, z := d.f32()[:2*n], a.f32()[:2*n], b.f32()[:2*n], c.f32()[:2*n]
	for i, p := range x {
		product, addend := float64(p)*float64(y[i]), float64(z[i])
		if k.negP {
			product = -product
		}
		if k.negC {
			addend = -addend
		}
		s := product + addend
		e := math.Float64bits(s)
		if e&0x1FFFFFFF == 1<<28 || e>>52&0x7FF <= 1023-126 && s != 0 || s != s {
			r[i] = math.Float32frombits(uint32(f32.fma(bits32(p), bits32(y[i]), bits32(z[i]), k.negP, k.negC, asm.RN)))
			continue
		}
		r[i] = float32(s)
	}
}

// fusedFlush is acc + x*y of float32, with denormals as zeros in and out.
func fusedFlush(x, y, acc uint64) uint64 {
	x, y, acc = f32.flush(x), f32.flush(y), f32.flush(acc)
	s := f32.value(x)*f32.value(y) + f32.value(acc)
	e := math.Float64bits(s)
	if e&0x1FFFFFFF == 1<<28 || e>>52&0x7FF <= 1023-126 || s != s {
		return f32.flush(f32.fma(x, y, acc, false, false, asm.RN))
	}
	return uint64(math.Float32bits(float32(s)))
}

func (k fused) double(d, a, b, c *vec, n int) {
	r, x, y, z := d.f64()[:n], a.f64()[:n], b.f64()[:n], c.f64()[:n]
	for i, p := range x {
		q, addend := p, z[i]
		if k.negP {
			q = -q
		}
		if k.negC {
			addend = -addend
		}
		s := math.FMA(q, y[i], addend)
		if s != s {
			s = math.Float64frombits(f64.fma(math.Float64bits(p), math.Float64bits(y[i]), math.Float64bits(z[i]),
				k.negP, k.negC, asm.RN))
		}
		r[i] = s
	}
}
