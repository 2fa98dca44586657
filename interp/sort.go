package interp

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// evalSort sorts the operands together along one dimension; the comparator gets
// the two elements of every operand. The sort is always stable. Spec: OPS.md section 3, Sort.
func evalSort(c *call) (literal.Literal, error) {
	less, err := c.newLess()
	if err != nil {
		return literal.Literal{}, err
	}
	outs := make([]literal.Literal, len(c.args))
	for k, x := range c.args {
		outs[k] = literal.New(x.Shape())
	}
	d := attrs[*op.SortAttrs](c).Dimensions[0]
	dims := c.args[0].Dims()
	stride := rowMajor(dims)[d]
	order, scratch := make([]int, dims[d]), make([]int, dims[d])
	for _, base := range lineStarts(dims, d) {
		for i := range order {
			order[i] = base + i*stride
		}
		if err := less.sort(order, scratch); err != nil {
			return literal.Literal{}, err
		}
		for i, from := range order {
			for k, x := range c.args {
				copyElement(outs[k], base+i*stride, x, from)
			}
		}
	}
	return c.pack(outs), nil
}

// lineStarts returns the offset of the first element of each line along dimension d.
func lineStarts(dims []int, d int) []int {
	if slices.Contains(dims, 0) {
		return nil
	}
	strides := rowMajor(dims)
	return offsets(slices.Delete(slices.Clone(dims), d, d+1), slices.Delete(slices.Clone(strides), d, d+1))
}

// comparator tells whether the element at one offset of the operands goes in front of
// that at another.
type comparator func(i, j int) (bool, error)

// sort brings order into the order of less by merging, which calls it the least often:
// it may be a whole program. Elements of which neither goes in front keep their order.
// scratch is as long as order.
func (less comparator) sort(order, scratch []int) error {
	if len(order) < 2 {
		return nil
	}
	half := len(order) / 2
	if err := less.sort(order[:half], scratch[:half]); err != nil {
		return err
	}
	if err := less.sort(order[half:], scratch[half:]); err != nil {
		return err
	}
	copy(scratch, order)
	return less.merge(order, scratch[:half], scratch[half:])
}

// merge writes the sorted lists a and b to dst in one order.
func (less comparator) merge(dst, a, b []int) error {
	for k := range dst {
		first := len(b) == 0
		if len(a) > 0 && len(b) > 0 {
			swapped, err := less(b[0], a[0])
			if err != nil {
				return err
			}
			first = !swapped
		}
		if first {
			dst[k], a = a[0], a[1:]
		} else {
			dst[k], b = b[0], b[1:]
		}
	}
	return nil
}

func (c *call) newLess() (comparator, error) {
	program := c.n.Called()[0]
	if k, descending, ok := plainComparator(program); ok {
		if f := fastLess(c.args[k], descending); f != nil {
			return f, nil
		}
	}
	p, err := c.in.scalarProgram(program)
	if err != nil {
		return nil, err
	}
	return func(i, j int) (bool, error) {
		for k, x := range c.args {
			p.setParam(2*k, x, i)
			p.setParam(2*k+1, x, j)
		}
		if err := p.run(); err != nil {
			return false, err
		}
		return p.results[0].BoolAt(0), nil
	}, nil
}

// plainComparator recognises a comparator that is one LT or GT of the two elements of operand k.
func plainComparator(c *hlo.Computation) (k int, descending, ok bool) {
	root := c.Root()
	if root.Code() != op.Compare {
		return 0, false, false
	}
	a := root.Attrs().(*op.CompareAttrs)
	x, y := root.Operand(0), root.Operand(1)
	if x.Code() != op.Parameter || y.Code() != op.Parameter || a.Type == op.ComparisonTotalOrder {
		return 0, false, false
	}
	i, j := x.Attrs().(*op.ParameterAttrs).Number, y.Attrs().(*op.ParameterAttrs).Number
	strict := a.Direction == op.LT || a.Direction == op.GT
	if !strict || i%2 != 0 || j != i+1 {
		return 0, false, false
	}
	return i / 2, a.Direction == op.GT, true
}

// fastLess compares the elements of common types without a program; nil for others.
func fastLess(l literal.Literal, descending bool) func(i, j int) (bool, error) {
	switch l.Type() {
	case shape.F32:
		return lessOf(literal.Values[float32](l), descending)
	case shape.F64:
		return lessOf(literal.Values[float64](l), descending)
	case shape.S32:
		return lessOf(literal.Values[int32](l), descending)
	case shape.U32:
		return lessOf(literal.Values[uint32](l), descending)
	}
	return nil
}

func lessOf[T float32 | float64 | int32 | uint32](v []T, descending bool) func(i, j int) (bool, error) {
	if descending {
		return func(i, j int) (bool, error) { return v[i] > v[j], nil }
	}
	return func(i, j int) (bool, error) { return v[i] < v[j], nil }
}
