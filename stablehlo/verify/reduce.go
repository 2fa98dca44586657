package verify

import (
	"slices"

	"github.com/goxla/xla/stablehlo"
)

// returned returns the types that region i returns.
func (c *check) returned(i int) []stablehlo.Type {
	t := c.op.Regions[i].Terminator()
	if t == nil {
		return nil
	}
	return valueTypes(t.Operands)
}

// arguments returns the types of the arguments of region i.
func (c *check) arguments(i int) []stablehlo.Type { return valueTypes(c.op.Regions[i].Blocks[0].Args) }

// reduced returns types of the given shapes with the elements that the first region returns.
func (c *check) reduced(shapes []stablehlo.Type) ([]stablehlo.Type, error) {
	returned := c.returned(0)
	if len(returned) == 0 {
		return nil, c.errorf(c.op.Info.Regions[0].Name, "", "expected a region that returns values, got none")
	}
	types := make([]stablehlo.Type, len(shapes))
	for i, t := range shapes {
		elem := elementOf(returned[min(i, len(returned)-1)])
		if elem == nil {
			return nil, c.errorf(c.op.Info.Regions[0].Name, "", "expected a region that returns tensors, got %s",
				list(returned))
		}
		types[i] = like(t, elem)
	}
	return types, nil
}

// sameShapes checks that inputs have compatible shapes.
func (c *check) sameShapes(label string, inputs []*stablehlo.TensorType) error {
	for i, t := range inputs {
		if !compatibleDims(inputs[0].Dims, t.Dims) {
			return c.errorf("inputs", label, "expected input %d of shape %s, got %v", i, sizes(inputs[0].Dims), t)
		}
	}
	return nil
}

// inferReduce: reduce_c1, reduce_c4, reduce_c5, reduce_c7, reduce_c8.
func inferReduce(c *check) ([]stablehlo.Type, error) {
	inputs := c.tensors(0)
	if err := c.sameShapes("c1", inputs); err != nil {
		return nil, err
	}
	dims, _ := c.ints("dimensions")
	if err := c.inRange("dimensions", "c4", dims, inputs[0].Rank()); err != nil {
		return nil, err
	}
	if err := c.unique("dimensions", "c5", dims); err != nil {
		return nil, err
	}
	left := keep(extents(inputs[0]), dims)
	shapes := make([]stablehlo.Type, len(inputs))
	for i, t := range inputs {
		shapes[i] = ofExtents(left, t.Elem)
	}
	return c.reduced(shapes)
}

// keep returns the dimensions that are not in dims.
func keep(list []extent, dims []int64) []extent {
	var left []extent
	for i, e := range list {
		if !slices.Contains(dims, int64(i)) {
			left = append(left, e)
		}
	}
	return left
}

// checkReduce: reduce_c2, reduce_c6.
func checkReduce(c *check) error {
	inputs := c.tensors(0)
	dims, _ := c.ints("dimensions")
	var allowed []int64
	for _, e := range keep(extents(inputs[0]), dims) {
		allowed = append(allowed, e.size)
	}
	return c.reducer(0, "c6", inputs, c.tensors(1), allowed)
}

// reducer checks a region (E, E) -> E that reduces: it takes as many accumulators as
// there are inputs and then as many elements, and returns accumulators, whose shape is
// that of the initial values and whose type those and the inputs can be promoted to.
// Arguments may have some of the sizes allowed, in order.
func (c *check) reducer(region int, label string, inputs, inits []*stablehlo.TensorType, allowed []int64) error {
	name := c.op.Info.Regions[region].Name
	args, returned, n := c.arguments(region), c.returned(region), len(inputs)
	if len(args) != 2*n {
		return c.errorf(name, label, "expected a region of %d arguments, got %d", 2*n, len(args))
	}
	if len(returned) != n {
		return c.errorf(name, label, "expected a region that returns %d values, got %d", n, len(returned))
	}
	for _, t := range slices.Concat(returned, args) {
		if _, ok := t.(*stablehlo.TensorType); !ok {
			return c.errorf(name, label, "expected tensors as arguments and results of the region, got %v", t)
		}
	}
	for i := range n {
		if err := c.accumulator(name, label, i, returned[i], args, inits[i], inputs[i]); err != nil {
			return err
		}
		if err := c.allowed(name, label, tensorOf(args[n+i]), allowed); err != nil {
			return err
		}
	}
	return nil
}

// accumulator checks the types of accumulator i.
func (c *check) accumulator(name, label string, i int, acc stablehlo.Type, args []stablehlo.Type,
	init, input *stablehlo.TensorType) error {
	element := args[len(args)/2+i]
	switch {
	case !compatibleShape(acc, args[i]) || !sameElem(false, acc, args[i]):
		return c.errorf(name, label, "expected argument %d of the type returned, %v, got %v", i, acc, args[i])
	case !compatibleShape(acc, element) || !sameElem(true, acc, element):
		return c.errorf(name, label, "expected argument %d of the type returned, %v, got %v", len(args)/2+i, acc, element)
	case !compatibleShape(init, acc):
		return c.errorf(name, label, "expected to return the shape of the initial value, %v, got %v", init, acc)
	case !promotable(init.Elem, elementOf(acc)):
		return c.errorf(name, label, "expected to return a type that %v of the initial value is promotable to, got %v",
			init.Elem, acc)
	case !promotable(input.Elem, elementOf(element)):
		return c.errorf(name, label, "expected argument %d of a type that %v is promotable to, got %v",
			len(args)/2+i, input.Elem, element)
	}
	return nil
}

// allowed checks that t has some of the sizes, in order.
func (c *check) allowed(name, label string, t *stablehlo.TensorType, allowed []int64) error {
	k := 0
	for _, d := range allowed {
		if k < t.Rank() && compatibleDim(d, t.Dims[k]) {
			k++
		}
	}
	if k != t.Rank() {
		return c.errorf(name, label, "expected arguments with sizes out of %s, got %v", sizes(allowed), t)
	}
	return nil
}

// inferMap: map_c1 to map_c4.
func inferMap(c *check) ([]stablehlo.Type, error) {
	inputs := c.tensors(0)
	dims, _ := c.ints("dimensions")
	if len(dims) != inputs[0].Rank() {
		return nil, c.errorf("dimensions", "c3", "expected all %d dimensions, got %v", inputs[0].Rank(), dims)
	}
	for i, d := range dims {
		if d != int64(i) {
			return nil, c.errorf("dimensions", "c3", "expected all dimensions in order, got %v", dims)
		}
	}
	args, returned := c.arguments(0), c.returned(0)
	if len(args) != len(inputs) {
		return nil, c.errorf("computation", "c4", "expected a region of %d arguments, got %d", len(inputs), len(args))
	}
	for i, t := range args {
		if want := tensor(nil, inputs[i].Elem, nil); !stablehlo.SameType(t, want) {
			return nil, c.errorf("computation", "c4", "expected argument %d of type %v, got %v", i, want, t)
		}
	}
	if len(returned) != 1 || tensorOf(returned[0]).Rank() != 0 || elementOf(returned[0]) == nil {
		return nil, c.errorf("computation", "c4", "expected a region that returns one scalar, got %s", list(returned))
	}
	return one(tensor(inputs[len(inputs)-1].Dims, elementOf(returned[0]), nil))
}

// checkSort: sort_c4, sort_c5.
func checkSort(c *check) error {
	inputs := c.tensors(0)
	rank := int64(inputs[0].Rank())
	if d := c.integer("dimension"); d < -rank || d >= rank {
		return c.errorf("dimension", "c4", "expected a dimension in [%d, %d), got %d", -rank, rank, d)
	}
	args, returned := c.arguments(0), c.returned(0)
	if len(args) != 2*len(inputs) {
		return c.errorf("comparator", "c5", "expected a region of %d arguments, got %d", 2*len(inputs), len(args))
	}
	for i, t := range args {
		if want := tensor(nil, inputs[i/2].Elem, nil); !stablehlo.SameType(t, want) {
			return c.errorf("comparator", "c5", "expected argument %d of type %v, got %v", i, want, t)
		}
	}
	return c.returnsPred("comparator", "c5", returned)
}

// returnsPred checks that a region returns one truth value.
func (c *check) returnsPred(name, label string, returned []stablehlo.Type) error {
	if len(returned) != 1 || tensorOf(returned[0]).Rank() != 0 || elementOf(returned[0]) != stablehlo.Type(stablehlo.I1) {
		return c.errorf(name, label, "expected a region that returns tensor<i1>, got %s", list(returned))
	}
	return nil
}
