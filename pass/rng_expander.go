package pass

import (
	"context"
	"math"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// RngExpander writes rng out: a custom call takes its numbers from the counter of the run, rng-bit-generator makes bits
// of them, and element-wise operations uniform or normal numbers of the bits, step by step as the evaluator does.
func RngExpander() Pass {
	return Pass{
		Name: "rng-expander",
		Doc: "Writes rng out: a custom call that takes its part of the run's counter, the bits of Philox, and what makes " +
			"uniform or normal numbers of bits.",
		About: []op.Code{op.Rng},
		Run: func(_ context.Context, m *hlo.Module, _ Options) (bool, error) {
			return rewriteModule(m, func(i *hlo.Instruction) (*hlo.Instruction, error) {
				if i.Code() != op.Rng || !i.IsStatic() || i.Type() == shape.F8E8M0FNU {
					return nil, nil
				}
				return newDraw(i).expand()
			})
		},
	}
}

// draw makes one expansion.
type draw struct {
	maker
	i    *hlo.Instruction
	t    shape.ElementType // of the result
	bits *hlo.Instruction  // u32 or u64, an element each
}

func newDraw(i *hlo.Instruction) *draw {
	return &draw{maker: maker{c: i.Computation()}, i: i, t: i.Type()}
}

func (d *draw) expand() (*hlo.Instruction, error) {
	d.bits = d.draw(d.state())
	switch normal := d.i.Attrs().(*op.RngAttrs).Distribution == op.RngNormal; {
	case normal:
		return d.finish(d.normal())
	case d.t.IsFloat():
		return d.finish(d.uniform())
	}
	return d.finish(d.integers())
}

// word is the type of the bits of an element.
func (d *draw) word() shape.ElementType {
	if d.t.Bits() == 64 {
		return shape.U64
	}
	return shape.U32
}

// state is the key and the counter; the counter of the run goes on by the words that are drawn. The order of draws
// is that of the calls, so they have the control edges.
func (d *draw) state() *hlo.Instruction {
	words := uint64(d.i.Size() * d.word().Bits() / 32)
	s := d.c.Add("", op.CustomCall, shape.Make(shape.U64, 3), []*hlo.Instruction{d.constant(literal.Of(words))},
		&op.CustomCallAttrs{Target: op.TargetRngState, HasSideEffect: true})
	moveControl(d.i, s, true)
	return s
}

func (d *draw) draw(state *hlo.Instruction) *hlo.Instruction {
	bits := shape.Make(d.word(), d.i.Dims()...)
	g := d.shaped(op.RngBitGenerator, shape.MakeTuple(state.Shape(), bits),
		&op.RngBitGeneratorAttrs{Algorithm: op.RngPhilox}, []*hlo.Instruction{state})
	return d.element(g, 1)
}

// fraction returns the top bits of each element, as many as the mantissa of t has, as a number in [0, 1) of type to.
func (d *draw) fraction(bits *hlo.Instruction, t, to shape.ElementType) *hlo.Instruction {
	all, kept := 32, 23
	switch t {
	case shape.F64:
		all, kept = 64, 52
	case shape.F16:
		all, kept = 16, 10
	case shape.BF16:
		all, kept = 16, 7
	}
	w := d.shapeOf(bits)
	if all < 32 {
		bits = d.add(op.And, nil, bits, d.broadcast(d.number(w.Type, float64(uint32(1)<<all-1)), w))
	}
	bits = d.add(op.ShiftRightLogical, nil, bits, d.broadcast(d.number(w.Type, float64(all-kept)), w))
	scale := d.number(to, 1/float64(uint64(1)<<kept))
	return d.add(op.Multiply, nil, d.convert(bits, to), d.broadcast(scale, w))
}

// uniform returns u*(b-a)+a for fractions u, each step rounded to f32, or f64 if the result has that, and below b.
func (d *draw) uniform() *hlo.Instruction {
	wide, steps := shape.F32, shape.F32 // of the limits, and of the steps
	if d.i.Operand(0).Type() == shape.F64 {
		wide = shape.F64
	}
	if d.t == shape.F64 {
		wide, steps = shape.F64, shape.F64
	}
	s := d.i.Shape()
	a, b := d.convert(d.i.Operand(0), wide), d.convert(d.i.Operand(1), wide)
	span := d.convert(d.add(op.Subtract, nil, b, a), steps)
	scaled := d.add(op.Multiply, nil, d.fraction(d.bits, d.t, steps), d.broadcast(span, s))
	low, last := d.broadcast(a, s), d.broadcast(d.below(b), s)
	v := d.convert(d.add(op.Add, nil, d.convert(scaled, wide), low), steps)
	v = d.convert(v, wide)
	v = d.choose(op.GT, v, last, last, v)
	v = d.choose(op.GE, v, low, v, low)
	return d.convert(v, d.t)
}

// choose returns yes where x and y compare so, and no elsewhere.
func (d *draw) choose(dir op.Direction, x, y, yes, no *hlo.Instruction) *hlo.Instruction {
	return d.add(op.Select, nil, d.add(op.Compare, &op.CompareAttrs{Direction: dir}, x, y), yes, no)
}

// below returns the largest number of type t below b, or b where that is no finite number above the least.
func (d *draw) below(b *hlo.Instruction) *hlo.Instruction {
	wide := d.shapeOf(b).Type
	near := d.convert(b, d.t)
	down := d.choose(op.GE, d.convert(near, wide), b, d.down(near), near)
	format, _ := literal.FloatFormat(d.t)
	least := d.number(wide, -format.MaxFinite)
	inner := d.add(op.And, nil, d.add(op.IsFinite, nil, b),
		d.add(op.Compare, &op.CompareAttrs{Direction: op.GT}, b, least))
	return d.add(op.Select, nil, inner, d.convert(down, wide), b)
}

// down returns the next number below x by its bits: sign and magnitude.
func (d *draw) down(x *hlo.Instruction) *hlo.Instruction {
	u := map[int]shape.ElementType{4: shape.U4, 8: shape.U8, 16: shape.U16, 32: shape.U32, 64: shape.U64}[d.t.Bits()]
	bits := d.shaped(op.BitcastConvert, shape.Make(u), nil, []*hlo.Instruction{x})
	one, zero := d.integer(u, 1), d.number(d.t, 0)
	less, more := d.add(op.Subtract, nil, bits, one), d.add(op.Add, nil, bits, one)
	least := d.integer(u, 1|1<<(u.Bits()-1)) // the negative number next to zero
	bits = d.choose(op.GT, x, zero, less, d.choose(op.LT, x, zero, more, least))
	return d.shaped(op.BitcastConvert, shape.Make(d.t), nil, []*hlo.Instruction{bits})
}

func (d *draw) integer(t shape.ElementType, v uint64) *hlo.Instruction {
	l := literal.New(shape.Make(t))
	l.SetBits(0, v)
	return d.constant(l)
}

// integers returns bits modulo b-a, plus a; a where there is nothing between.
func (d *draw) integers() *hlo.Instruction {
	s, w := d.i.Shape(), d.word()
	a, b := d.i.Operand(0), d.i.Operand(1)
	low := d.convert(a, w)
	span := d.add(op.Subtract, nil, d.convert(b, w), low)
	isEmpty := d.add(op.Compare, &op.CompareAttrs{Direction: op.LE}, b, a)
	span = d.add(op.Select, nil, isEmpty, d.integer(w, 1), span)
	rest := d.add(op.Remainder, nil, d.bits, d.broadcast(span, s))
	return d.convert(d.add(op.Add, nil, rest, d.broadcast(low, s)), d.t)
}

// normal returns mu + sigma times the two normal numbers that Box and Muller make of two neighbouring fractions, in
// f64. The last of an odd number makes a pair with itself.
func (d *draw) normal() *hlo.Instruction {
	s, n := d.i.Shape(), d.i.Size()
	if n == 0 {
		return d.convert(d.bits, d.t)
	}
	bits, pairs := d.reshape(d.bits, n), (n+1)/2
	if n%2 == 1 {
		bits = d.add(op.Concatenate, &op.ConcatenateAttrs{Dimensions: []int{0}}, bits, d.part(bits, n-1, n, 1))
	}
	t := shape.F32 // fractions of f32 serve all smaller types
	if d.t == shape.F64 {
		t = shape.F64
	}
	u := d.fraction(d.part(bits, 0, 2*pairs, 2), t, shape.F64)
	v := d.fraction(d.part(bits, 1, 2*pairs, 2), t, shape.F64)
	num := func(x float64) *hlo.Instruction {
		return d.broadcast(d.number(shape.F64, x), shape.Make(shape.F64, pairs))
	}
	log := d.add(op.Log, &op.UnaryAttrs{}, d.add(op.Maximum, nil, u, num(1e-7)))
	radius := d.add(op.Sqrt, &op.UnaryAttrs{}, d.add(op.Multiply, nil, num(-2), log))
	angle := d.add(op.Multiply, nil, num(2*math.Pi), v)
	first := d.add(op.Multiply, nil, radius, d.add(op.Sine, &op.UnaryAttrs{}, angle))
	second := d.add(op.Multiply, nil, radius, d.add(op.Cosine, &op.UnaryAttrs{}, angle))
	x := d.add(op.Concatenate, &op.ConcatenateAttrs{Dimensions: []int{1}}, d.reshape(first, pairs, 1),
		d.reshape(second, pairs, 1))
	x = d.reshape(d.part(d.reshape(x, 2*pairs), 0, n, 1), s.Dims...)
	mu, sigma := d.convert(d.i.Operand(0), shape.F64), d.convert(d.i.Operand(1), shape.F64)
	x = d.add(op.Add, nil, d.add(op.Multiply, nil, d.broadcast(sigma, s), x), d.broadcast(mu, s))
	return d.convert(x, d.t)
}

// part returns the elements from first on, up to limit, by steps.
func (d *draw) part(x *hlo.Instruction, first, limit, step int) *hlo.Instruction {
	if d.err != nil || first == 0 && step == 1 && limit == x.Dims()[0] {
		return x
	}
	return d.add(op.Slice, &op.SliceAttrs{Slice: op.SliceRanges{{Start: first, Limit: limit, Stride: step}}}, x)
}
