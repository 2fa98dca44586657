package hlotest

import (
	"cmp"
	"fmt"
	"math/rand/v2"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// GenerateOptions bound a random module. The zero value means small defaults.
type GenerateOptions struct {
	// Instructions is the number of operations in the entry computation; 0 means 12.
	Instructions int
	// Types are the element types of parameters and constants; nil means a mix of all families.
	Types []shape.ElementType
}

// Generate returns a random module that verifies: parameters, then operations
// drawn from the op table, each with operands among the values so far and random
// attributes; what the shape rule refuses is drawn again. Control flow calls
// computations made in the same way. The root is a tuple of all values that nobody
// uses. The same rng state gives the same module.
func Generate(rng *rand.Rand, opts GenerateOptions) *hlo.Module {
	g := &generator{rng: rng, types: opts.Types, special: special()}
	if len(g.types) == 0 {
		g.types = []shape.ElementType{shape.F32, shape.F32, shape.F64, shape.BF16, shape.F16, shape.S32, shape.S8,
			shape.U32, shape.U8, shape.S64, shape.U64, shape.S16, shape.U16, shape.Pred, shape.C64, shape.C128,
			shape.S4, shape.U4, shape.S2, shape.U2, shape.F8E4M3FN, shape.F8E5M2, shape.F8E4M3, shape.F8E3M4,
			shape.F8E4M3B11FNUZ, shape.F8E4M3FNUZ, shape.F8E5M2FNUZ, shape.F4E2M1FN, shape.F8E8M0FNU}
	}
	g.module = hlo.NewModule("random")
	g.entry = g.module.AddComputation("entry")
	for i := range 1 + rng.IntN(3) {
		s := g.shape()
		g.add("p", op.Parameter, s, nil, &op.ParameterAttrs{Number: i})
	}
	g.grow(cmp.Or(opts.Instructions, 12))
	g.finish()
	return g.module
}

// grow adds count operations.
func (g *generator) grow(count int) {
	for tries := 0; count > 0 && tries < 40*count+100; tries++ {
		if g.step() {
			count--
		}
	}
}

// generator makes one computation of a module. The values so far are its array instructions.
type generator struct {
	rng    *rand.Rand
	types  []shape.ElementType
	module *hlo.Module
	entry  *hlo.Computation
	values []*hlo.Instruction
	depth  int // of calls
	// special is how to draw some of the operations.
	special map[op.Code]proposeFunc
}

// maxElements is the size of the largest array in a random module.
const maxElements = 4096

// proposal is an instruction that the shape rule has yet to accept.
type proposal struct {
	operands []*hlo.Instruction
	attrs    op.Attrs
	declared shape.Shape
	called   []*hlo.Computation
}

// shape returns a random small array shape.
func (g *generator) shape() shape.Shape {
	dims := make([]int, g.rng.IntN(4))
	for i := range dims {
		dims[i] = 1 + g.rng.IntN(5)
	}
	return shape.Make(g.elementType(), dims...)
}

// elementType returns a random element type.
func (g *generator) elementType() shape.ElementType { return g.types[g.rng.IntN(len(g.types))] }

func (g *generator) add(name string, code op.Code, s shape.Shape, operands []*hlo.Instruction, a op.Attrs,
	called ...*hlo.Computation) *hlo.Instruction {
	i := g.entry.Add(name, code, s, operands, a, called...)
	g.values = append(g.values, i)
	return i
}

// step draws an operation and adds it if its rule accepts what was proposed.
func (g *generator) step() bool {
	codes := op.Codes()
	code := codes[g.rng.IntN(len(codes))]
	if compose := composer(code); compose != nil {
		return compose(g, code)
	}
	propose := g.proposer(code)
	if propose == nil {
		return false
	}
	before := len(g.module.Computations())
	p, ok := propose(g, code)
	if ok {
		if s, err := op.Infer(code, p.inputs()); err == nil && isModest(s) {
			g.addResult(code, s, &p)
			return true
		}
	}
	for _, c := range g.module.Computations()[before:] {
		g.module.RemoveComputation(c)
	}
	return false
}

// isModest reports whether s is an array, or a tuple of arrays, and none is large.
func isModest(s shape.Shape) bool {
	for _, e := range s.Elems {
		if !e.IsArray() || !isModest(e) {
			return false
		}
	}
	return s.IsTuple() || s.IsArray() && s.Size() <= maxElements
}

// addResult adds an operation; the elements of a tuple are taken out of it.
func (g *generator) addResult(code op.Code, s shape.Shape, p *proposal) {
	if s.IsArray() {
		g.add("", code, s, p.operands, p.attrs, p.called...)
		return
	}
	t := g.entry.Add("", code, s, p.operands, p.attrs, p.called...)
	for i, e := range s.Elems {
		g.add("", op.GetTupleElement, e, []*hlo.Instruction{t}, &op.GetTupleElementAttrs{Index: i})
	}
}

func (p *proposal) inputs() *op.Inputs {
	in := &op.Inputs{Attrs: p.attrs, Declared: p.declared}
	for _, o := range p.operands {
		in.Operands = append(in.Operands, o.Shape())
	}
	for _, c := range p.called {
		in.Called = append(in.Called, c.Signature())
	}
	return in
}

// finish makes the root.
func (g *generator) finish() {
	var outs []*hlo.Instruction
	var shapes []shape.Shape
	for _, v := range g.values {
		if len(v.Users()) == 0 {
			outs, shapes = append(outs, v), append(shapes, v.Shape())
		}
	}
	root := g.entry.Add("root", op.Tuple, shape.MakeTuple(shapes...), outs, nil)
	g.entry.SetRoot(root)
	g.module.SetEntry(g.entry)
}

// value returns a random value.
func (g *generator) value() *hlo.Instruction { return g.values[g.rng.IntN(len(g.values))] }

// like returns a value of shape s: one that there is, or a new constant broadcast to it.
func (g *generator) like(s shape.Shape) *hlo.Instruction {
	for range 4 {
		if v := g.value(); v.Shape().Equal(s) {
			return v
		}
	}
	c := g.constant(s.Type)
	if s.IsScalar() {
		return c
	}
	return g.add("", op.Broadcast, s, []*hlo.Instruction{c}, &op.BroadcastAttrs{Dimensions: []int{}})
}

// varied is like, but rather than a broadcast it makes an iota where the type has one.
func (g *generator) varied(s shape.Shape) *hlo.Instruction {
	for range 2 {
		if v := g.value(); v.Shape().Equal(s) {
			return v
		}
	}
	if s.IsScalar() || s.Type == shape.Pred || s.Size() == 0 {
		return g.like(s)
	}
	return g.add("", op.Iota, s, nil, &op.IotaAttrs{Dimension: g.rng.IntN(s.Rank())})
}

// constant adds a scalar constant.
func (g *generator) constant(t shape.ElementType) *hlo.Instruction {
	return g.add("", op.Constant, shape.Make(t), nil, &op.ConstantAttrs{Value: g.scalar(t)})
}

func integer(v int) literal.Literal { return literal.Of(int32(v)) }

func (g *generator) scalar(t shape.ElementType) literal.Literal {
	l := literal.New(shape.Make(t))
	switch {
	case t == shape.Pred:
		l.SetBool(0, g.rng.IntN(2) == 1)
	case t.IsInteger():
		l.SetInt(0, int64(g.rng.IntN(7)-2))
	case t.IsComplex():
		l.SetComplex(0, complex(g.rng.Float64(), g.rng.Float64()-0.5))
	default:
		l.SetFloat(0, 4*g.rng.Float64()-2)
		if l.FloatAt(0) == 0 { // text has no negative zero
			l.SetFloat(0, 0)
		}
	}
	return l
}

// reducer adds a computation of one operation on two scalars of type t.
func (g *generator) reducer(code op.Code, t, result shape.ElementType, a op.Attrs) *hlo.Computation {
	c := g.module.AddComputation(fmt.Sprintf("f_%v_%v", code, t))
	x := c.Add("x", op.Parameter, shape.Make(t), nil, &op.ParameterAttrs{Number: 0})
	y := c.Add("y", op.Parameter, shape.Make(t), nil, &op.ParameterAttrs{Number: 1})
	c.SetRoot(c.Add("r", code, shape.Make(result), []*hlo.Instruction{x, y}, a))
	return c
}

// Arguments returns random arguments for the parameters of m.
func Arguments(rng *rand.Rand, m *hlo.Module) []literal.Literal {
	g := &generator{rng: rng}
	var args []literal.Literal
	for _, s := range m.EntrySignature().Params {
		args = append(args, g.argument(s))
	}
	return args
}

// argument returns a random value of shape s, which is an array or a tuple of such values.
func (g *generator) argument(s shape.Shape) literal.Literal {
	if s.IsTuple() {
		elems := make([]literal.Literal, len(s.Elems))
		for k, e := range s.Elems {
			elems[k] = g.argument(e)
		}
		return literal.MakeTuple(elems...)
	}
	s.Layout = nil
	l := literal.New(s)
	size := s.Type.ByteSize()
	for i := range l.Len() {
		copy(l.Bytes()[i*size:], g.scalar(s.Type).Bytes())
	}
	return l
}
