package pass

import (
	"context"
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// ScanExpander writes scans as loops: an iteration takes one row of each input, calls the computation with the rows and
// the carries, and puts the rows that it gives into the outputs.
func ScanExpander() Pass {
	return Pass{
		Name:  "scan-expander",
		Doc:   "Writes scans as loops that take a row of each input and set one of each output.",
		About: []op.Code{op.Scan},
		Run: func(_ context.Context, m *hlo.Module, _ Options) (bool, error) {
			return rewriteModule(m, func(i *hlo.Instruction) (*hlo.Instruction, error) {
				a, ok := i.Attrs().(*op.ScanAttrs)
				if !ok || !allStatic(i.Operands()) || len(i.ControlPredecessors())+len(i.ControlSuccessors()) > 0 {
					return nil, nil
				}
				return newScan(i, a).build()
			})
		},
	}
}

func allStatic(list []*hlo.Instruction) bool {
	return !slices.ContainsFunc(list, func(i *hlo.Instruction) bool { return !i.IsStatic() })
}

// scan makes the loop that stands for i. Its state is the number of the iteration, the carries, the outputs and the
// inputs.
type scan struct {
	*maker
	i               *hlo.Instruction
	a               *op.ScanAttrs
	inputs, carries []*hlo.Instruction
	outputs         []shape.Shape
	length          int
}

func newScan(i *hlo.Instruction, a *op.ScanAttrs) *scan {
	n := len(i.Operands()) - a.NumCarries
	s := &scan{maker: newMaker(i), i: i, a: a, inputs: i.Operands()[:n], carries: i.Operands()[n:]}
	parts := []shape.Shape{i.Shape()}
	if i.IsTuple() {
		parts = i.Shape().Elems
	}
	s.outputs = parts[:len(parts)-a.NumCarries]
	for _, x := range s.outputs {
		s.length = x.Dims[a.Dimensions[0]]
	}
	for _, x := range s.inputs {
		s.length = x.Dims()[a.Dimensions[0]]
	}
	return s
}

// build returns the value of the scan.
func (s *scan) build() (*hlo.Instruction, error) {
	state := []*hlo.Instruction{s.number(shape.S32, 0)}
	state = append(state, s.carries...)
	for _, x := range s.outputs {
		zero := s.constant(literal.Zero(x.Type))
		state = append(state, s.broadcast(zero, shape.Make(x.Type, x.Dims...)))
	}
	state = append(state, s.inputs...)
	if s.length > 0 {
		init := s.tuple(state...)
		of := s.shapeOf(init)
		loop := s.shaped(op.While, of, nil, []*hlo.Instruction{init}, s.condition(of), s.body(of))
		for k := range state {
			state[k] = s.element(loop, k)
		}
	}
	first := 1 + len(s.carries)
	results := slices.Concat(state[first:first+len(s.outputs)], state[1:first])
	if !s.i.IsTuple() {
		return s.finish(results[0])
	}
	return s.finish(s.tuple(results...))
}

// computation adds one, called name, with the state as its parameter.
func (s *scan) computation(name string, state shape.Shape) (*maker, *hlo.Instruction) {
	c := s.c.Module().AddComputation(name)
	c.ExecutionThread = s.c.ExecutionThread
	return &maker{c: c, err: s.err}, c.Add("state", op.Parameter, state, nil, &op.ParameterAttrs{})
}

// close makes x the result of what b makes.
func (s *scan) close(b *maker, x *hlo.Instruction) *hlo.Computation {
	if s.err = b.err; s.err == nil {
		b.c.SetRoot(x)
	}
	return b.c
}

func (s *scan) condition(state shape.Shape) *hlo.Computation {
	b, x := s.computation("scan_condition", state)
	n := b.number(shape.S32, float64(s.length))
	return s.close(b, b.add(op.Compare, &op.CompareAttrs{Direction: op.LT}, b.element(x, 0), n))
}

func (s *scan) body(state shape.Shape) *hlo.Computation {
	b, x := s.computation("scan_body", state)
	step := b.element(x, 0)
	at := step
	if s.a.IsReverse {
		at = b.add(op.Subtract, nil, b.number(shape.S32, float64(s.length-1)), step)
	}
	carries, outputs := len(s.carries), len(s.outputs)
	next := []*hlo.Instruction{b.add(op.Add, nil, step, b.number(shape.S32, 1))}
	var args []*hlo.Instruction
	for k := range s.inputs {
		args = append(args, s.row(b, b.element(x, 1+carries+outputs+k), at))
	}
	for k := range carries {
		args = append(args, b.element(x, 1+k))
	}
	f := s.i.Called()[0]
	value := b.shaped(op.Call, f.Root().Shape(), &op.CallAttrs{}, args, f)
	part := func(k int) *hlo.Instruction { return value }
	if s.shapeOf(value).IsTuple() {
		part = func(k int) *hlo.Instruction { return b.element(value, k) }
	}
	for k := range carries {
		next = append(next, part(outputs+k))
	}
	for k := range outputs {
		next = append(next, s.update(b, b.element(x, 1+carries+k), part(k), at))
	}
	for k := range s.inputs {
		next = append(next, b.element(x, 1+carries+outputs+k))
	}
	return s.close(b, b.tuple(next...))
}

// place returns x and where its row at an index begins.
func (s *scan) place(b *maker, x, at *hlo.Instruction) []*hlo.Instruction {
	operands := []*hlo.Instruction{x}
	for d := range b.shapeOf(x).Dims {
		if d == s.a.Dimensions[0] {
			operands = append(operands, at)
		} else {
			operands = append(operands, b.number(shape.S32, 0))
		}
	}
	return operands
}

// row returns the row of x at an index, without the dimension of the scan.
func (s *scan) row(b *maker, x, at *hlo.Instruction) *hlo.Instruction {
	d, sizes := s.a.Dimensions[0], slices.Clone(b.shapeOf(x).Dims)
	sizes[d] = 1
	one := b.add(op.DynamicSlice, &op.DynamicSliceAttrs{SliceSizes: sizes}, s.place(b, x, at)...)
	return b.reshape(one, slices.Delete(slices.Clone(sizes), d, d+1)...)
}

// update returns x with the given row at an index.
func (s *scan) update(b *maker, x, row, at *hlo.Instruction) *hlo.Instruction {
	sizes := slices.Clone(b.shapeOf(x).Dims)
	sizes[s.a.Dimensions[0]] = 1
	operands := s.place(b, x, at)
	operands = slices.Insert(operands, 1, b.reshape(row, sizes...))
	return b.add(op.DynamicUpdateSlice, nil, operands...)
}
