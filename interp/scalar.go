package interp

import (
	"fmt"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// scalarProgram runs a small computation many times: a reducer, comparator or
// combiner. Every value is a literal made once, mostly of one element; a step is a
// closure over its elements, so that a run of element-wise steps allocates nothing.
type scalarProgram struct {
	in      *Interp
	size    int               // instructions taken in
	params  []literal.Literal // to be set before a run
	root    literal.Literal
	results []literal.Literal // the elements of the root, to be read after it
	steps   []func() error
}

// run executes the steps.
func (p *scalarProgram) run() error {
	for _, step := range p.steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// call runs the program on args and returns a copy of the result.
func (p *scalarProgram) call(args []literal.Literal) (literal.Literal, error) {
	for k, dst := range p.params {
		if err := literal.Copy(dst, args[k]); err != nil {
			return literal.Literal{}, err
		}
	}
	if err := p.run(); err != nil {
		return literal.Literal{}, err
	}
	return p.root.Clone(), nil
}

// setParam copies element i of l, which has the element type of parameter k.
func (p *scalarProgram) setParam(k int, l literal.Literal, i int) { copyElement(p.params[k], 0, l, i) }

// result copies result k to element i of l.
func (p *scalarProgram) result(k int, l literal.Literal, i int) { copyElement(l, i, p.results[k], 0) }

// copyElement copies element j of src to element i of dst; both have one element type.
func copyElement(dst literal.Literal, i int, src literal.Literal, j int) {
	size := dst.Type().ByteSize()
	copy(dst.Bytes()[i*size:(i+1)*size], src.Bytes()[j*size:(j+1)*size])
}

// maxInlined is how many instructions a scalar program takes in from computations
// that its own calls; beyond it they are evaluated as any instruction.
const maxInlined = 4096

// scalarProgram returns the program of c, made at its first use.
func (in *Interp) scalarProgram(c *hlo.Computation) (*scalarProgram, error) {
	if p := in.scalars[c]; p != nil {
		return p, nil
	}
	p, err := in.newScalarProgram(c, nil)
	if err != nil {
		return nil, err
	}
	in.scalars[c] = p
	return p, nil
}

// newScalarProgram returns the program of c on params; nil makes room for them.
func (in *Interp) newScalarProgram(c *hlo.Computation, params []literal.Literal) (*scalarProgram, error) {
	p := &scalarProgram{in: in}
	var err error
	if p.root, err = p.add(c, params); err != nil {
		return nil, err
	}
	if p.results = p.root.Elems(); !p.root.Shape().IsTuple() {
		p.results = []literal.Literal{p.root}
	}
	return p, nil
}

// add appends the steps of c on params and returns where its result lies.
func (p *scalarProgram) add(c *hlo.Computation, params []literal.Literal) (literal.Literal, error) {
	values := make([]literal.Literal, c.NumIDs())
	for _, n := range c.PostOrder() {
		p.size++
		v, err := p.step(n, values, params)
		if err != nil {
			return literal.Literal{}, at(n, err)
		}
		values[n.ID()] = v
	}
	return values[c.Root().ID()], nil
}

// step appends the step that computes n and returns where its value lies.
func (p *scalarProgram) step(n *hlo.Instruction, values, params []literal.Literal) (literal.Literal, error) {
	if !n.IsStatic() {
		return literal.Literal{}, fmt.Errorf("expects a static shape in a computation on scalars, got %v", n.Shape())
	}
	args := make([]literal.Literal, len(n.Operands()))
	for k, o := range n.Operands() {
		args[k] = values[o.ID()]
	}
	switch n.Code() {
	case op.Parameter:
		if params != nil {
			return parameter(n, params)
		}
		return p.parameter(n)
	case op.Constant:
		return n.Attrs().(*op.ConstantAttrs).Value.RowMajor(), nil
	case op.Tuple:
		return literal.MakeTuple(args...), nil
	case op.GetTupleElement:
		return args[0].Elems()[n.Attrs().(*op.GetTupleElementAttrs).Index], nil
	case op.Reshape:
		return args[0].Reshape(n.Dims()...)
	case op.Call, op.Fusion:
		if c := n.Called()[0]; p.size+c.NumIDs() <= maxInlined {
			return p.add(c, args)
		}
	}
	s := dropLayout(n.Shape())
	if err := p.in.memory.reserve(n, s, 0); err != nil {
		return literal.Literal{}, err
	}
	return p.compute(n, literal.New(s), args)
}

// compute appends the step that sets dst to the value of n for args.
func (p *scalarProgram) compute(n *hlo.Instruction, dst literal.Literal, args []literal.Literal) (
	literal.Literal, error) {
	if isScalarBitcast(n) {
		to, from := dst.Bytes(), args[0].Bytes()
		p.steps = append(p.steps, func() error { copy(to, from); return nil })
		return dst, nil
	}
	kernel := kernels[n.Code()]
	if kernel == nil {
		p.steps = append(p.steps, p.in.generalStep(n, dst, args))
		return dst, nil
	}
	run, err := kernel(n, dst, args)
	if err != nil {
		return literal.Literal{}, err
	}
	p.steps = append(p.steps, func() error { run(); return nil })
	return dst, nil
}

// isScalarBitcast tells whether n gives the bytes of a scalar another type, as comparators
// of a total order do.
func isScalarBitcast(n *hlo.Instruction) bool {
	if n.Code() != op.Bitcast && n.Code() != op.BitcastConvert {
		return false
	}
	to, from := n.Shape(), n.Operand(0).Shape()
	return to.IsScalar() && from.IsScalar() && to.Type.Bits() == from.Type.Bits() && to.Type.Bits() >= 8 &&
		to.Type != shape.Pred && from.Type != shape.Pred && to.Type.IsComplex() == from.Type.IsComplex()
}

// parameter makes room for parameter n.
func (p *scalarProgram) parameter(n *hlo.Instruction) (literal.Literal, error) {
	k := n.Attrs().(*op.ParameterAttrs).Number
	if k < 0 || k > len(n.Computation().Instructions()) {
		return literal.Literal{}, fmt.Errorf("expects a parameter number in range, got %d", k)
	}
	for len(p.params) <= k {
		p.params = append(p.params, literal.Literal{})
	}
	p.params[k] = literal.New(dropLayout(n.Shape()))
	return p.params[k], nil
}

// generalStep evaluates n like any instruction, for what is not element-wise.
func (in *Interp) generalStep(n *hlo.Instruction, dst literal.Literal, args []literal.Literal) func() error {
	return func() error {
		v, err := in.Instruction(n, args)
		if err != nil {
			return at(n, err)
		}
		return literal.Copy(dst, v)
	}
}
