package simplify_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/pass/simplify"
	"github.com/goxla/xla/shape"
)

// A maker makes random programs out of few values, so that the patterns of the rules come
// up often and inside one another.
type maker struct {
	rng    *rand.Rand
	c      *hlo.Computation
	values []*hlo.Instruction
}

func newMaker(seed int) (*hlo.Module, *maker) {
	m := hlo.NewModule("random")
	c := m.AddComputation("e")
	m.SetEntry(c)
	return m, &maker{rng: rand.New(rand.NewPCG(uint64(seed), 3)), c: c}
}

// add adds an operation unless its shape rule refuses it.
func (k *maker) add(code op.Code, declared shape.Shape, a op.Attrs, operands ...*hlo.Instruction) {
	in := &op.Inputs{Attrs: a, Declared: declared}
	if a == nil {
		in.Attrs = op.NewAttrs(code)
	}
	for _, x := range operands {
		in.Operands = append(in.Operands, x.Shape())
	}
	s, err := op.Infer(code, in)
	if n, bad := s.Elements(); err != nil || bad != nil || n > 500 {
		return
	}
	k.values = append(k.values, k.c.Add("", code, s, operands, in.Attrs))
}

// pick returns one of the values, mostly a late one.
func (k *maker) pick() *hlo.Instruction {
	n := len(k.values)
	if k.rng.IntN(2) == 0 {
		return k.values[n-1-k.rng.IntN(min(n, 4))]
	}
	return k.values[k.rng.IntN(n)]
}

// pickLike returns one of the values of x's type.
func (k *maker) pickLike(x *hlo.Instruction) *hlo.Instruction {
	for range 20 {
		if y := k.pick(); y.Shape().Type == x.Shape().Type {
			return y
		}
	}
	return x
}

// number adds an array of shape s that consists of one small number or corner.
func (k *maker) number(s shape.Shape) {
	v := randomLiteral(k.rng, shape.Make(s.Type), true)
	if k.rng.IntN(2) == 0 {
		v.SetInt(0, int64(k.rng.IntN(10)-2))
	}
	x := k.c.Add("", op.Constant, v.Shape(), nil, &op.ConstantAttrs{Value: v})
	k.values = append(k.values, k.c.Add("", op.Broadcast, s, []*hlo.Instruction{x}, &op.BroadcastAttrs{}))
}

// finish makes a tuple of some values the root and compares the program with what the
// rules make of it.
func (k *maker) finish(t *testing.T, m *hlo.Module) {
	t.Helper()
	roots := []*hlo.Instruction{k.values[len(k.values)-1], k.pick()}
	shapes := []shape.Shape{roots[0].Shape(), roots[1].Shape()}
	k.c.SetRoot(k.c.Add("", op.Tuple, shape.MakeTuple(shapes...), roots, nil))
	text := hlotext.String(m, hlotext.Full())
	if err := hlo.Verify(m, hlo.VerifyOptions{}); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	b := m.Clone()
	if len(apply(t, b, simplify.Options{}, allRules())) > 0 {
		compareModules(t, m, b, false)
	}
}

// TestRandomExpressions: element-wise operations on two parameters of one type. Powers are
// left out, as the product or quotient that replaces one may be the better rounded.
func TestRandomExpressions(t *testing.T) {
	types := []shape.ElementType{shape.S32, shape.U32, shape.F32, shape.S8, shape.U8, shape.BF16, shape.Pred, shape.F64}
	codes := slices.DeleteFunc(op.Codes(), func(c op.Code) bool {
		info := c.Info()
		return !info.Has(op.Elementwise) || info.Arity > 2 || info.Has(op.NeedsShape) || c == op.Complex ||
			c == op.Compare || c == op.Power || info.Attrs != nil
	})
	for seed := range 1500 {
		m, k := newMaker(seed)
		s := shape.Make(types[seed%len(types)], 40)
		for n := range 2 {
			k.add(op.Parameter, s, &op.ParameterAttrs{Number: n})
		}
		for range 14 {
			x := k.pick()
			y := k.pickLike(x)
			switch code := codes[k.rng.IntN(len(codes))]; k.rng.IntN(8) {
			case 0:
				k.number(s)
			case 1:
				k.add(op.Compare, shape.Shape{}, &op.CompareAttrs{Direction: op.Direction(1 + k.rng.IntN(6))}, x, y)
			case 2:
				k.add(op.Select, shape.Shape{}, nil, k.pick(), x, y)
			case 3:
				k.add(op.Convert, s.WithType(types[k.rng.IntN(len(types))]), nil, x)
			case 4:
				k.add(op.Clamp, shape.Shape{}, nil, x, y, k.pickLike(x))
			default:
				k.add(code, shape.Shape{}, nil, []*hlo.Instruction{x, y}[:code.Info().Arity]...)
			}
		}
		k.finish(t, m)
	}
}

// TestRandomMoves: operations that move elements, on small arrays with sizes of 1.
func TestRandomMoves(t *testing.T) {
	for seed := range 1500 {
		m, k := newMaker(seed)
		k.add(op.Parameter, shape.Make(shape.F32, 2, 1, 3), &op.ParameterAttrs{})
		k.add(op.Iota, shape.Make(shape.F32, 3, 2), &op.IotaAttrs{Dimension: k.rng.IntN(2)})
		k.number(shape.Make(shape.F32, 4))
		zero := k.c.Add("", op.Constant, shape.Make(shape.F32), nil, &op.ConstantAttrs{Value: literal.Scalar(float32(0))})
		index := k.c.Add("", op.Constant, shape.Make(shape.S32), nil, &op.ConstantAttrs{Value: literal.Scalar(int32(1))})
		for range 10 {
			k.move(zero, index)
		}
		k.finish(t, m)
	}
}

// TestRandomUpdates: slices of a small array that are written, and choices between what was before and after.
func TestRandomUpdates(t *testing.T) {
	s, used := shape.Make(shape.F32, 4, 5), 0
	for seed := range 1500 {
		m, k := newMaker(seed)
		param := func(s shape.Shape) *hlo.Instruction {
			return k.c.Add("", op.Parameter, s, nil, &op.ParameterAttrs{Number: len(k.c.Params())})
		}
		k.values = append(k.values, param(s))
		starts := []*hlo.Instruction{param(shape.Make(shape.S32)), param(shape.Make(shape.S32))}
		parts := []*hlo.Instruction{param(shape.Make(shape.F32, 1, 2)), param(shape.Make(shape.F32, 3, 1))}
		preds := []*hlo.Instruction{param(s.WithType(shape.Pred)), k.c.Add("", op.Broadcast, s.WithType(shape.Pred),
			[]*hlo.Instruction{param(shape.Make(shape.Pred))}, &op.BroadcastAttrs{Dimensions: []int{}})}
		one := func(of []*hlo.Instruction) *hlo.Instruction { return of[k.rng.IntN(len(of))] }
		recent := func() *hlo.Instruction { return one(k.values[max(0, len(k.values)-3):]) }
		for range 8 {
			if k.rng.IntN(2) == 0 {
				k.add(op.DynamicUpdateSlice, shape.Shape{}, nil, recent(), one(parts), one(starts), one(starts))
			} else {
				k.add(op.Select, shape.Shape{}, nil, one(preds), recent(), recent())
			}
		}
		k.finish(t, m)
		b := m.Clone()
		for _, r := range apply(t, b, simplify.Options{}, allRules()) {
			if r == "select-update" || r == "select-updates" {
				used++
			}
		}
	}
	if used < 100 {
		t.Errorf("choices were made where something is written only %d times", used)
	}
}

// move adds one operation.
func (k *maker) move(zero, index *hlo.Instruction) {
	x := k.pick()
	dims, rank := x.Shape().Dims, x.Shape().Rank()
	none := shape.Shape{}
	switch k.rng.IntN(11) {
	case 0:
		k.add(op.Reshape, k.reshaped(x), nil, x)
	case 1:
		k.add(op.Transpose, none, &op.TransposeAttrs{Dimensions: k.rng.Perm(rank)}, x)
	case 2:
		at := k.rng.IntN(rank + 1)
		sizes := slices.Insert(slices.Clone(dims), at, 1+k.rng.IntN(3))
		var to []int
		for d := range sizes {
			if d != at {
				to = append(to, d)
			}
		}
		s := shape.Make(shape.F32, sizes...)
		k.values = append(k.values, k.c.Add("", op.Broadcast, s, []*hlo.Instruction{x}, &op.BroadcastAttrs{Dimensions: to}))
	case 3, 4:
		k.slice(x)
	case 5:
		padding := make(op.Padding, rank)
		for d := range padding {
			padding[d] = op.PadDim{Low: k.rng.IntN(4) - 1, High: k.rng.IntN(4) - 1, Interior: max(k.rng.IntN(5)-3, 0)}
		}
		k.add(op.Pad, none, &op.PadAttrs{Padding: padding}, x, zero)
	case 6:
		y := []*hlo.Instruction{x, k.pick()}[k.rng.IntN(2)]
		k.add(op.Concatenate, none, &op.ConcatenateAttrs{Dimensions: []int{k.rng.IntN(max(rank, 1))}}, x, y, x)
	case 7:
		k.add(op.Reverse, none, &op.ReverseAttrs{Dimensions: k.rng.Perm(rank)[:k.rng.IntN(rank+1)]}, x)
	case 8:
		k.add(op.Negate, none, nil, x)
	case 9:
		k.add(op.Maximum, none, nil, x, k.pick())
	case 10:
		y := k.pick()
		starts := slices.Repeat([]*hlo.Instruction{index}, rank)
		k.add(op.DynamicUpdateSlice, none, nil, append([]*hlo.Instruction{x, y}, starts...)...)
	}
}

// reshaped returns a shape with the elements of x.
func (k *maker) reshaped(x *hlo.Instruction) shape.Shape {
	n, sizes := x.Shape().Size(), []int{}
	for _, p := range []int{1, 2, 3, 2, 1} {
		if n > 0 && n%p == 0 && k.rng.IntN(3) > 0 {
			sizes = append(sizes, p)
			n /= p
		}
	}
	sizes = slices.Insert(sizes, k.rng.IntN(len(sizes)+1), n)
	return shape.Make(x.Shape().Type, sizes...)
}

func (k *maker) slice(x *hlo.Instruction) {
	ranges, sizes := []op.SliceRange{}, []int{}
	for _, size := range x.Shape().Dims {
		r := op.SliceRange{Start: k.rng.IntN(max(size, 1)), Stride: 1 + k.rng.IntN(5)/3}
		if k.rng.IntN(2) == 0 {
			r.Start, r.Stride = 0, 1
		}
		r.Limit = min(r.Start+1+k.rng.IntN(4), size)
		ranges, sizes = append(ranges, r), append(sizes, r.Len())
	}
	if !slices.Contains(sizes, 0) || slices.Contains(x.Shape().Dims, 0) {
		k.add(op.Slice, shape.Make(x.Shape().Type, sizes...), &op.SliceAttrs{Slice: ranges}, x)
	}
}
