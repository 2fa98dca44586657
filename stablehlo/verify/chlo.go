package verify

import (
	"slices"

	"github.com/goxla/xla/stablehlo"
)

// inferBroadcasting: operands are broadcast to one shape as in NumPy, or as the
// attribute broadcast_dimensions says.
func inferBroadcasting(c *check) ([]stablehlo.Type, error) {
	lhs, rhs := c.op.Operands[0].Type, c.op.Operands[1].Type
	elem := elementOf(lhs)
	switch c.op.Name {
	case "chlo.broadcast_compare":
		elem = stablehlo.I1
	case "chlo.broadcast_complex":
		elem = &stablehlo.ComplexType{Elem: elem}
	}
	dims, explicit := c.ints("broadcast_dimensions")
	a, ok1 := lhs.(*stablehlo.TensorType)
	b, ok2 := rhs.(*stablehlo.TensorType)
	if !ok1 || !ok2 {
		return one(&stablehlo.UnrankedTensorType{Elem: elem})
	}
	small, large := a, b
	if a.Rank() > b.Rank() {
		small, large = b, a
	}
	if !explicit || a.Rank() == b.Rank() {
		dims = make([]int64, small.Rank())
		for i := range dims {
			dims[i] = int64(large.Rank() - small.Rank() + i)
		}
	}
	if len(dims) != small.Rank() {
		return nil, c.errorf("broadcast_dimensions", "", "expected %d dimensions, got %v", small.Rank(), dims)
	}
	if err := c.inRange("broadcast_dimensions", "", dims, large.Rank()); err != nil {
		return nil, err
	}
	all, ok := broadcastInto(extents(large), extents(small), dims)
	if !ok {
		return nil, c.errorf("", "", "expected operands that can be broadcast to one shape, got %v and %v", lhs, rhs)
	}
	return one(ofExtents(all, elem))
}

// broadcastInto broadcasts two shapes; dims says to which dimension of large each of small belongs.
func broadcastInto(large, small []extent, dims []int64) (all []extent, ok bool) {
	all = slices.Clone(large)
	for i, d := range dims {
		if all[d], ok = broadcastDim(large[d], small[i]); !ok {
			return nil, false
		}
	}
	return all, true
}

// broadcastDim returns the size to which dimensions are broadcast: one of 1 takes that
// of the other, one that is not known may be 1.
func broadcastDim(a, b extent) (extent, bool) {
	switch {
	case a.size == 1:
		return b, true
	case b.size == 1:
		return a, true
	case a.size != stablehlo.Dynamic && b.size != stablehlo.Dynamic:
		return a, a.size == b.size
	case a.size != stablehlo.Dynamic:
		return a, true
	case b.size != stablehlo.Dynamic:
		return b, true
	}
	e, _ := widen(a, b)
	return e, true
}

// inferBroadcastSelect: all three operands are broadcast to one shape.
func inferBroadcastSelect(c *check) ([]stablehlo.Type, error) {
	yes, no := elementOf(c.op.Operands[1].Type), elementOf(c.op.Operands[2].Type)
	if !compatibleElem(yes, no) {
		return nil, c.errorf("on_false", "", "expected elements of type %v, got %v", yes, no)
	}
	all := []extent{}
	for _, v := range c.op.Operands {
		t, ok := v.Type.(*stablehlo.TensorType)
		if !ok {
			return one(&stablehlo.UnrankedTensorType{Elem: yes})
		}
		large, small := all, extents(t)
		if len(large) < len(small) {
			large, small = small, large
		}
		dims := make([]int64, len(small))
		for i := range dims {
			dims[i] = int64(len(large) - len(small) + i)
		}
		if all, ok = broadcastInto(large, small, dims); !ok {
			return nil, c.errorf("", "", "expected operands that can be broadcast to one shape, got %s",
				list(valueTypes(c.op.Operands)))
		}
	}
	return one(ofExtents(all, yes))
}

// inferConstantLike: the result has the shape of the operand and the type of the value.
func inferConstantLike(c *check) ([]stablehlo.Type, error) {
	var elem stablehlo.Type
	switch a := c.op.Attr("value").(type) {
	case stablehlo.IntegerAttr:
		elem = a.Type
	case stablehlo.FloatAttr:
		elem = a.Type
	default:
		elem = elementOf(c.op.Results[0].Type)
	}
	return one(like(c.op.Operands[0].Type, elem))
}

// inferTopK: the last dimension becomes one of size k.
func inferTopK(c *check) ([]stablehlo.Type, error) {
	t, ok := c.op.Operands[0].Type.(*stablehlo.TensorType)
	if !ok {
		return []stablehlo.Type{c.op.Operands[0].Type, &stablehlo.UnrankedTensorType{Elem: stablehlo.I32}}, nil
	}
	k := c.integer("k")
	if t.Rank() < 1 {
		return nil, c.errorf("operand", "", "expected rank 1 or more, got %v", t)
	}
	all := extents(t)
	last := &all[len(all)-1]
	if last.size != stablehlo.Dynamic && last.size < k {
		return nil, c.errorf("k", "", "expected at most %d, the last size, got %d", last.size, k)
	}
	*last = extent{size: k, bound: stablehlo.Dynamic}
	return []stablehlo.Type{ofExtents(all, t.Elem), ofExtents(all, stablehlo.I32)}, nil
}

// inferRaggedDot: a dot product with a dimension of lhs that is divided into groups:
//
//	a dimension that is not contracted: [b, m, k] x [g, b, k, n] -> [b, m, n]
//	a contracting dimension:            [b, m, k] x [b, k, n] -> [g, b, m, n]
//	a batching dimension:               [b, m, k] x [b, k, n] -> [b, m, n]
func inferRaggedDot(c *check) ([]stablehlo.Type, error) {
	a, _ := c.op.Attr("ragged_dot_dimension_numbers").(*stablehlo.RaggedDotDims)
	d := dotDims{a.LHSBatching, a.RHSBatching, a.LHSContracting, a.RHSContracting}
	if err := c.dotDimensions(d); err != nil {
		return nil, err
	}
	lhs, rhs, groups := c.operand(0), c.operand(1), c.operand(2)
	if len(a.LHSRagged) != 1 {
		return nil, c.errorf("lhs_ragged_dimensions", "", "expected one dimension, got %v", a.LHSRagged)
	}
	if err := c.inRange("lhs_ragged_dimensions", "", a.LHSRagged, lhs.Rank()); err != nil {
		return nil, err
	}
	if err := c.groupSizes(a); err != nil {
		return nil, err
	}
	if err := c.groupDimension(a); err != nil {
		return nil, err
	}
	var all []extent
	if slices.Contains(a.LHSContracting, a.LHSRagged[0]) {
		all = append(all, extent{size: groups.Dims[groups.Rank()-1], bound: stablehlo.Dynamic})
	}
	from := extents(lhs)
	for _, i := range a.LHSBatching {
		all = append(all, from[i])
	}
	all = slices.Concat(all, without(lhs, a.LHSBatching, a.LHSContracting),
		without(rhs, a.RHSBatching, a.RHSContracting, a.RHSGroup))
	return one(ofExtents(all, c.result(0).Elem))
}

// groupSizes checks the shape of the sizes of the groups: [g], or the dimensions of lhs
// outside the ragged one and g.
func (c *check) groupSizes(a *stablehlo.RaggedDotDims) error {
	lhs, groups, ragged := c.operand(0), c.operand(2), a.LHSRagged[0]
	if groups.Rank() == 0 {
		return c.errorf("group_sizes", "", "expected rank 1 or more, got %v", groups)
	}
	if groups.Rank() == 1 {
		return nil
	}
	outside := slices.Clone(a.LHSBatching)
	switch {
	case slices.Contains(a.LHSBatching, ragged):
		outside = outside[:slices.Index(outside, ragged)]
	case slices.Contains(a.LHSContracting, ragged):
		outside = append(outside, a.LHSContracting[:slices.Index(a.LHSContracting, ragged)]...)
	default:
		for i := range ragged {
			if !slices.Contains(a.LHSBatching, i) && !slices.Contains(a.LHSContracting, i) {
				outside = append(outside, i)
			}
		}
	}
	var want []int64
	for _, i := range outside {
		want = append(want, lhs.Dims[i])
	}
	want = append(want, groups.Dims[groups.Rank()-1])
	if !compatibleDims(want, groups.Dims) {
		return c.errorf("group_sizes", "", "expected shape %s, got %v", sizes(want), groups)
	}
	return nil
}

// groupDimension checks the dimension of rhs that has an index for each group.
func (c *check) groupDimension(a *stablehlo.RaggedDotDims) error {
	rhs, groups, ragged := c.operand(1), c.operand(2), a.LHSRagged[0]
	if err := first(
		func() error { return c.inRange("rhs_group_dimensions", "", a.RHSGroup, rhs.Rank()) },
		func() error { return c.distinct("rhs_group_dimensions", "", a.RHSGroup, a.RHSBatching) },
		func() error { return c.distinct("rhs_group_dimensions", "", a.RHSGroup, a.RHSContracting) },
	); err != nil {
		return err
	}
	want := 1
	if slices.Contains(a.LHSBatching, ragged) || slices.Contains(a.LHSContracting, ragged) {
		want = 0
	}
	if len(a.RHSGroup) != want {
		return c.errorf("rhs_group_dimensions", "", "expected %d dimensions, got %v", want, a.RHSGroup)
	}
	if n := groups.Dims[groups.Rank()-1]; want == 1 && !compatibleDim(n, rhs.Dims[a.RHSGroup[0]]) {
		return c.errorf("rhs", "", "expected %d groups, got %d", n, rhs.Dims[a.RHSGroup[0]])
	}
	return nil
}

// inferScan: the body takes a slice of each input and the carries, and returns a slice
// of each output and the next carries.
func inferScan(c *check) ([]stablehlo.Type, error) {
	inputs, carries, dim := c.tensors(0), valueTypes(c.group(1)), int(c.integer("dimension"))
	length := int64(stablehlo.Dynamic)
	if c.has("scan_dim_size") {
		length = c.integer("scan_dim_size")
	}
	args, returned := c.arguments(0), c.returned(0)
	if len(args) != len(inputs)+len(carries) {
		return nil, c.errorf("body", "", "expected a region of %d arguments, got %d", len(inputs)+len(carries), len(args))
	}
	for i, t := range inputs {
		if dim < 0 || dim >= t.Rank() {
			return nil, c.errorf("dimension", "", "expected a dimension in [0, %d), got %d", t.Rank(), dim)
		}
		if !compatibleDim(t.Dims[dim], length) {
			return nil, c.errorf("inputs", "", "expected size %d in dimension %d of input %d, got %d",
				length, dim, i, t.Dims[dim])
		}
		if length == stablehlo.Dynamic {
			length = t.Dims[dim]
		}
		slice := ofExtents(keep(extents(t), []int64{int64(dim)}), t.Elem)
		if !compatible(slice, args[i]) {
			return nil, c.errorf("body", "", "expected argument %d of type %v, got %v", i, slice, args[i])
		}
	}
	if got := args[len(inputs):]; !compatibleAll(carries, got) {
		return nil, c.errorf("body", "", "expected carries of types %s, got %s", list(carries), list(got))
	}
	outputs := len(returned) - len(carries)
	if written, _ := c.op.ResultGroup(0); outputs != len(written) {
		return nil, c.errorf("body", "", "expected a region that returns %d values, got %d",
			len(written)+len(carries), len(returned))
	}
	if got := returned[outputs:]; !compatibleAll(carries, got) {
		return nil, c.errorf("body", "", "expected to return carries of types %s, got %s", list(carries), list(got))
	}
	return c.scanned(returned[:outputs], carries, dim, length)
}

// scanned returns the types of outputs, slices put together along dim, and of carries.
func (c *check) scanned(parts, carries []stablehlo.Type, dim int, length int64) ([]stablehlo.Type, error) {
	var types []stablehlo.Type
	for _, s := range parts {
		t := tensorOf(s)
		if dim > t.Rank() {
			return nil, c.errorf("dimension", "", "expected a dimension in [0, %d], got %d", t.Rank(), dim)
		}
		all := slices.Insert(extents(t), dim, extent{size: length, bound: stablehlo.Dynamic})
		types = append(types, ofExtents(all, t.Elem))
	}
	return append(types, carries...), nil
}
