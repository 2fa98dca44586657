package interp

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// evalReduce folds the elements along the reduced dimensions, from init on, in
// row-major order. Sums of floats are kept in float64 and rounded once.
// Spec: OPS.md section 5.
func evalReduce(c *call) (literal.Literal, error) {
	n := len(c.args) / 2
	inputs, inits := c.args[:n], c.args[n:]
	dims := inputs[0].Dims()
	strides := rowMajor(dims)
	var keptDims, keptStrides, foldDims, foldStrides []int
	for d, size := range dims {
		if slices.Contains(attrs[*op.ReduceAttrs](c).Dimensions, d) {
			foldDims, foldStrides = append(foldDims, size), append(foldStrides, strides[d])
		} else {
			keptDims, keptStrides = append(keptDims, size), append(keptStrides, strides[d])
		}
	}
	kept, fold := offsets(keptDims, keptStrides), offsets(foldDims, foldStrides)
	outs := leaves(c.new())
	folder, err := c.newFolder(inputs, inits, false)
	if err != nil {
		return literal.Literal{}, err
	}
	for i, base := range kept {
		if err := c.in.poll(i); err != nil {
			return literal.Literal{}, err
		}
		if err := folder(outs, i, base, fold); err != nil {
			return literal.Literal{}, err
		}
	}
	return c.pack(outs), nil
}

// offsets returns the offset of each element of an array of size dims whose steps
// are strides, in row-major order.
func offsets(dims, strides []int) []int {
	list := []int{0}
	for d, size := range dims {
		next := make([]int, 0, len(list)*size)
		for _, base := range list {
			for i := range size {
				next = append(next, base+i*strides[d])
			}
		}
		list = next
	}
	return list
}

// leaves returns the elements of a tuple, or the one array.
func leaves(l literal.Literal) []literal.Literal {
	if l.Shape().IsTuple() {
		return l.Elems()
	}
	return []literal.Literal{l}
}

// pack is the inverse of leaves for the result of c.
func (c *call) pack(outs []literal.Literal) literal.Literal {
	if c.shape.IsTuple() {
		return literal.MakeTuple(outs...)
	}
	return outs[0]
}

// folder folds the elements at base+fold[...] of the inputs and sets element i of the outputs.
type folder func(outs []literal.Literal, i, base int, fold []int) error

// newFolder returns the folder for the called reducer: a typed loop where it is
// one operation on its two parameters, otherwise its scalar program. With stepwise
// set, sums of floats are rounded after each element instead of once.
func (c *call) newFolder(inputs, inits []literal.Literal, stepwise bool) (folder, error) {
	reducer := c.n.Called()[0]
	if code, ok := simpleReducer(reducer); ok && len(inputs) == 1 {
		if f := fastFolder(code, inputs[0], inits[0], stepwise); f != nil {
			return f, nil
		}
	}
	p, err := c.in.scalarProgram(reducer)
	if err != nil {
		return nil, err
	}
	n := len(inputs)
	return func(outs []literal.Literal, i, base int, fold []int) error {
		for k, init := range inits {
			p.setParam(k, init, 0)
		}
		for _, at := range fold {
			for k, x := range inputs {
				p.setParam(n+k, x, base+at)
			}
			if err := p.run(); err != nil {
				return err
			}
			p.feedBack(n)
		}
		for k := range outs {
			copyElement(outs[k], i, p.params[k], 0)
		}
		return nil
	}, nil
}

// feedBack copies the first n results to the first n parameters. Results may be
// parameters themselves, in any order, so they are saved first.
func (p *scalarProgram) feedBack(n int) {
	if n == 1 {
		copy(p.params[0].Bytes(), p.results[0].Bytes())
		return
	}
	saved := make([]byte, 0, 64)
	for k := range n {
		saved = append(saved, p.results[k].Bytes()...)
	}
	for k := range n {
		saved = saved[copy(p.params[k].Bytes(), saved):]
	}
}

// simpleReducer returns the operation of a computation that is one commutative
// operation on its two scalar parameters.
func simpleReducer(c *hlo.Computation) (op.Code, bool) {
	root := c.Root()
	if !root.Code().Info().Has(op.Elementwise|op.Commutative) || len(c.Params()) != 2 {
		return op.Invalid, false
	}
	x, y := root.Operand(0), root.Operand(1)
	both := x != y && x.Code() == op.Parameter && y.Code() == op.Parameter
	same := x.Type() == root.Type() && y.Type() == root.Type()
	return root.Code(), both && same && root.IsScalar()
}

// fastFolder returns a typed loop for the common element types, or nil.
func fastFolder(code op.Code, input, init literal.Literal, stepwise bool) folder {
	if code == op.Add && input.Type().IsFloat() && !stepwise {
		return sumFolder(input, init)
	}
	spec := map[op.Code]*binarySpec{op.Add: &addSpec, op.Multiply: &multiplySpec,
		op.Maximum: &maximumSpec, op.Minimum: &minimumSpec}[code]
	if spec == nil {
		return nil
	}
	switch input.Type() {
	case shape.F32:
		return foldWith(input, init, spec.f32)
	case shape.F64:
		return foldWith(input, init, spec.f64)
	case shape.S32:
		f := spec.signed
		return foldWith(input, init, func(x, y int32) int32 { return int32(f(int64(x), int64(y), 32)) })
	}
	return nil
}

func foldWith[T literal.Native](input, init literal.Literal, f func(x, y T) T) folder {
	xs, start := literal.Values[T](input), literal.Values[T](init)
	return func(outs []literal.Literal, i, base int, fold []int) error {
		acc := start[0]
		for _, at := range fold {
			acc = f(acc, xs[base+at])
		}
		literal.Values[T](outs[0])[i] = acc
		return nil
	}
}

func sumFolder(input, init literal.Literal) folder {
	start := loader(init)(0)
	switch input.Type() {
	case shape.F32:
		return sumOf(literal.Values[float32](input), start)
	case shape.F64:
		return sumOf(literal.Values[float64](input), start)
	}
	load := loader(input)
	return func(outs []literal.Literal, i, base int, fold []int) error {
		acc := start
		for _, at := range fold {
			acc += load(base + at)
		}
		outs[0].SetFloat(i, acc)
		return nil
	}
}

func sumOf[T float32 | float64](v []T, start float64) folder {
	return func(outs []literal.Literal, i, base int, fold []int) error {
		acc := start
		for _, at := range fold {
			acc += float64(v[base+at])
		}
		literal.Values[T](outs[0])[i] = T(acc)
		return nil
	}
}

// loader returns a function that gives an element of a float array.
func loader(l literal.Literal) func(i int) float64 {
	switch l.Type() {
	case shape.F32:
		v := literal.Values[float32](l)
		return func(i int) float64 { return float64(v[i]) }
	case shape.F64:
		v := literal.Values[float64](l)
		return func(i int) float64 { return v[i] }
	}
	small := newCodec(l)
	return func(i int) float64 { return float64(small.load(i)) }
}
