package hlotest

import (
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
// attributes; what the shape rule refuses is drawn again. The root is a tuple of
// all values that nobody uses. The same rng state gives the same module.
func Generate(rng *rand.Rand, opts GenerateOptions) *hlo.Module {
	g := &generator{rng: rng, types: opts.Types}
	if len(g.types) == 0 {
		g.types = []shape.ElementType{shape.F32, shape.F32, shape.F64, shape.BF16, shape.F16, shape.S32, shape.S8,
			shape.U32, shape.U8, shape.S64, shape.Pred, shape.C64, shape.F8E4M3FN, shape.S4}
	}
	g.module = hlo.NewModule("random")
	g.entry = g.module.AddComputation("entry")
	for i := range 1 + rng.IntN(3) {
		s := g.shape()
		g.add("p", op.Parameter, s, nil, &op.ParameterAttrs{Number: i})
	}
	count := opts.Instructions
	if count == 0 {
		count = 12
	}
	for tries := 0; count > 0 && tries < 400; tries++ {
		if g.step() {
			count--
		}
	}
	g.finish()
	return g.module
}

// generator makes one module. The values of the entry so far are its array instructions.
type generator struct {
	rng    *rand.Rand
	types  []shape.ElementType
	module *hlo.Module
	entry  *hlo.Computation
	values []*hlo.Instruction
}

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
	return shape.Make(g.types[g.rng.IntN(len(g.types))], dims...)
}

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
	propose := proposer(code)
	if propose == nil {
		return false
	}
	before := len(g.module.Computations())
	p, ok := propose(g, code)
	if ok {
		if s, err := op.Infer(code, p.inputs()); err == nil && s.IsArray() && s.Size() <= 4096 {
			g.add("", code, s, p.operands, p.attrs, p.called...)
			return true
		}
	}
	for _, c := range g.module.Computations()[before:] {
		g.module.RemoveComputation(c)
	}
	return false
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

// constant adds a scalar constant.
func (g *generator) constant(t shape.ElementType) *hlo.Instruction {
	return g.add("", op.Constant, shape.Make(t), nil, &op.ConstantAttrs{Value: g.scalar(t)})
}

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
		s.Layout = nil
		l := literal.New(s)
		size := s.Type.ByteSize()
		for i := range l.Len() {
			copy(l.Bytes()[i*size:], g.scalar(s.Type).Bytes())
		}
		args = append(args, l)
	}
	return args
}
