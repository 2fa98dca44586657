package verify

import (
	"slices"

	"github.com/goxla/xla/stablehlo"
)

// inferBroadcast: the sizes stand in front of those of the operand; bounds are lost.
func inferBroadcast(c *check) ([]stablehlo.Type, error) {
	dims, _ := c.ints("broadcast_sizes")
	for _, d := range dims {
		if d < 0 {
			return nil, c.errorf("broadcast_sizes", "", "expected sizes of at least 0, got %d", d)
		}
	}
	t := c.operand(0)
	return one(tensor(append(slices.Clone(dims), t.Dims...), t.Elem, nil))
}

// inferConcatenate: concatenate_c1, _c2, _c4, _c5, _c6.
func inferConcatenate(c *check) ([]stablehlo.Type, error) {
	inputs, dim := c.tensors(0), c.integer("dimension")
	first := inputs[0]
	if dim < 0 || dim >= int64(first.Rank()) {
		return nil, c.errorf("dimension", "c4", "expected a dimension in [0, %d), got %d", first.Rank(), dim)
	}
	all := extents(first)
	for i, t := range inputs[1:] {
		if t.Rank() != first.Rank() {
			return nil, c.errorf("inputs", "c2", "expected inputs of rank %d, got %v", first.Rank(), t)
		}
		if !compatibleElem(first.Elem, t.Elem) {
			return nil, c.errorf("inputs", "c1", "expected elements of type %v, got %v", first.Elem, t.Elem)
		}
		for d, e := range extents(t) {
			if int64(d) == dim {
				all[d] = join(all[d], e)
				continue
			}
			merged, ok := narrow(all[d], e)
			if !ok {
				return nil, c.errorf("inputs", "c2", "expected input %d to have size %s in dimension %d, got %v",
					i+1, size(all[d].size), d, t)
			}
			all[d] = merged
		}
	}
	return one(ofExtents(all, first.Elem))
}

// inferTranspose: transpose_c2, transpose_c3.
func inferTranspose(c *check) ([]stablehlo.Type, error) {
	t := c.operand(0)
	order, _ := c.ints("permutation")
	if !isPermutation(order, t.Rank()) {
		return nil, c.errorf("permutation", "c2", "expected a permutation of the %d dimensions, got %v", t.Rank(), order)
	}
	from := extents(t)
	to := make([]extent, len(order))
	for i, d := range order {
		to[i] = from[d]
	}
	return one(ofExtents(to, elementOf(c.op.Results[0].Type)))
}

func isPermutation(order []int64, n int) bool {
	sorted := slices.Sorted(slices.Values(order))
	for i, d := range sorted {
		if d != int64(i) {
			return false
		}
	}
	return len(order) == n
}

// inferSlice: slice_c2 to slice_c5.
func inferSlice(c *check) ([]stablehlo.Type, error) {
	t := c.operand(0)
	start, _ := c.ints("start_indices")
	limit, _ := c.ints("limit_indices")
	strides, _ := c.ints("strides")
	for _, name := range []string{"start_indices", "limit_indices", "strides"} {
		if v, _ := c.ints(name); len(v) != t.Rank() {
			return nil, c.errorf(name, "c2", "expected %d numbers, got %d", t.Rank(), len(v))
		}
	}
	dims := make([]int64, t.Rank())
	for i, e := range extents(t) {
		if start[i] < 0 || start[i] > limit[i] {
			return nil, c.errorf("start_indices", "c3", "expected a start in [0, %d] in dimension %d, got %d",
				limit[i], i, start[i])
		}
		if most, ok := e.known(); ok && limit[i] > most {
			return nil, c.errorf("limit_indices", "c3", "expected a limit of at most %d in dimension %d, got %d",
				most, i, limit[i])
		}
		if strides[i] <= 0 {
			return nil, c.errorf("strides", "c4", "expected a positive stride in dimension %d, got %d", i, strides[i])
		}
		dims[i] = (limit[i] - start[i] + strides[i] - 1) / strides[i]
	}
	return one(tensor(dims, t.Elem, nil))
}

// inferDynamicSlice: dynamic_slice_c1 to dynamic_slice_c5.
func inferDynamicSlice(c *check) ([]stablehlo.Type, error) {
	t := c.operand(0)
	slice, _ := c.ints("slice_sizes")
	if len(slice) != t.Rank() {
		return nil, c.errorf("slice_sizes", "c2", "expected %d sizes, got %d", t.Rank(), len(slice))
	}
	if err := c.startIndices(1, t.Rank(), "c2", "c3"); err != nil {
		return nil, err
	}
	for i, s := range slice {
		if s < 0 || t.Dims[i] != stablehlo.Dynamic && s > t.Dims[i] {
			return nil, c.errorf("slice_sizes", "c4", "expected a size in [0, %s] in dimension %d, got %d",
				size(t.Dims[i]), i, s)
		}
	}
	return one(tensor(slice, t.Elem, nil))
}

// startIndices checks the scalars that say where a slice begins.
func (c *check) startIndices(slot, rank int, count, elems string) error {
	starts := c.group(slot)
	if len(starts) != rank {
		return c.errorf("start_indices", count, "expected %d indices, got %d", rank, len(starts))
	}
	if types := valueTypes(starts); len(types) > 0 && !sameElem(false, types...) {
		return c.errorf("start_indices", elems, "expected indices of one type, got %s", list(types))
	}
	return nil
}

// inferDynamicUpdateSlice: dynamic_update_slice_c1 to dynamic_update_slice_c6.
func inferDynamicUpdateSlice(c *check) ([]stablehlo.Type, error) {
	t, update := c.operand(0), c.operand(1)
	if !compatibleElem(t.Elem, update.Elem) {
		return nil, c.errorf("update", "c2", "expected elements of type %v, got %v", t.Elem, update.Elem)
	}
	if update.Rank() != t.Rank() {
		return nil, c.errorf("update", "c3", "expected rank %d, got %v", t.Rank(), update)
	}
	if err := c.startIndices(2, t.Rank(), "c4", "c5"); err != nil {
		return nil, err
	}
	for i, d := range update.Dims {
		if d != stablehlo.Dynamic && t.Dims[i] != stablehlo.Dynamic && d > t.Dims[i] {
			return nil, c.errorf("update", "c6", "expected a size in [0, %d] in dimension %d, got %d", t.Dims[i], i, d)
		}
	}
	return one(t)
}

// inferPad: pad_c2 to pad_c4.
func inferPad(c *check) ([]stablehlo.Type, error) {
	t := c.operand(0)
	low, _ := c.ints("edge_padding_low")
	high, _ := c.ints("edge_padding_high")
	interior, _ := c.ints("interior_padding")
	for _, name := range []string{"edge_padding_low", "edge_padding_high", "interior_padding"} {
		if v, _ := c.ints(name); len(v) != t.Rank() {
			return nil, c.errorf(name, "c2", "expected %d numbers, got %d", t.Rank(), len(v))
		}
	}
	padded := extents(t)
	for i, e := range padded {
		if interior[i] < 0 {
			return nil, c.errorf("interior_padding", "c3", "expected at least 0 in dimension %d, got %d", i, interior[i])
		}
		n, ok := e.known()
		if !ok {
			continue
		}
		n += low[i] + high[i] + max(n-1, 0)*interior[i]
		if n < 0 {
			return nil, c.errorf("", "c4", "expected paddings that leave at least 0 in dimension %d, got %d", i, n)
		}
		if e.size != stablehlo.Dynamic {
			padded[i].size = n
		} else {
			padded[i].bound = n
		}
	}
	return one(ofExtents(padded, t.Elem))
}

// inferDimensionSize: get_dimension_size_c1.
func inferDimensionSize(c *check) ([]stablehlo.Type, error) {
	if err := c.dimension(c.operand(0).Rank(), "c1"); err != nil {
		return nil, err
	}
	return one(tensor(nil, stablehlo.I32, nil))
}

// dimension checks that the attribute dimension is one of rank.
func (c *check) dimension(rank int, label string) error {
	if d := c.integer("dimension"); d < 0 || d >= int64(rank) {
		return c.errorf("dimension", label, "expected a dimension in [0, %d), got %d", rank, d)
	}
	return nil
}

// inferSetDimensionSize: the size becomes one that is not known with the old one as
// its bound, unless it is set to just that.
func inferSetDimensionSize(c *check) ([]stablehlo.Type, error) {
	t, to := c.operand(0), c.operand(1)
	if to.Rank() != 0 {
		return nil, c.errorf("size", "", "expected a scalar, got %v", to)
	}
	if err := c.dimension(t.Rank(), ""); err != nil {
		return nil, err
	}
	list := extents(t)
	e := &list[c.integer("dimension")]
	if e.size != stablehlo.Dynamic {
		e.bound = e.size
	}
	e.size = stablehlo.Dynamic
	if n, ok := constant(c.op.Operands[1]); ok && len(n) == 1 && n[0] == e.bound {
		*e = extent{size: n[0], bound: stablehlo.Dynamic}
	}
	return one(ofExtents(list, t.Elem))
}

// checkReverse: reverse_c2, reverse_c3.
func checkReverse(c *check) error {
	dims, _ := c.ints("dimensions")
	if err := c.unique("dimensions", "c2", dims); err != nil {
		return err
	}
	return c.inRange("dimensions", "c3", dims, c.operand(0).Rank())
}

// unique checks that no number is in the list twice.
func (c *check) unique(attr, label string, list []int64) error {
	for i, d := range list {
		if slices.Contains(list[:i], d) {
			return c.errorf(attr, label, "expected each number once, got %d again", d)
		}
	}
	return nil
}

// inRange checks that numbers are in [0, n).
func (c *check) inRange(attr, label string, list []int64, n int) error {
	for _, d := range list {
		if d < 0 || d >= int64(n) {
			return c.errorf(attr, label, "expected numbers in [0, %d), got %d", n, d)
		}
	}
	return nil
}

// sorted checks that numbers do not decrease.
func (c *check) sorted(attr, label string, list []int64) error {
	if !slices.IsSorted(list) {
		return c.errorf(attr, label, "expected numbers in order, got %v", list)
	}
	return nil
}

// distinct checks that no number is twice in two lists together.
func (c *check) distinct(attr, label string, a, b []int64) error {
	return c.unique(attr, label, slices.Concat(a, b))
}

// checkIota: iota_c1.
func checkIota(c *check) error {
	t := c.result(0)
	if t.Rank() == 0 {
		return c.errorf("", "c1", "expected a result of rank 1 or more, got %v", t)
	}
	return c.iotaDimension("c1")
}

// checkDynamicIota: dynamic_iota_c1, dynamic_iota_c2.
func checkDynamicIota(c *check) error {
	if err := c.iotaDimension("c1"); err != nil {
		return err
	}
	return c.shapeOperand(0, "output_shape", "c2")
}

func (c *check) iotaDimension(label string) error {
	if d := c.integer("iota_dimension"); d < 0 || d >= int64(c.result(0).Rank()) {
		return c.errorf("iota_dimension", label, "expected a dimension in [0, %d), got %d", c.result(0).Rank(), d)
	}
	return nil
}

// shapeOperand checks that the operand which holds the sizes of the result has one for
// each, and where it is a constant that they fit.
func (c *check) shapeOperand(i int, name, label string) error {
	t, result := c.operand(i), c.result(0)
	if !compatibleDims(t.Dims, []int64{int64(result.Rank())}) {
		return c.errorf(name, label, "expected %d sizes, got %v", result.Rank(), t)
	}
	dims, ok := constant(c.op.Operands[i])
	if !ok {
		return nil
	}
	for _, d := range dims {
		if d < 0 {
			return c.errorf(name, label, "expected sizes of at least 0, got %v", dims)
		}
	}
	if want := tensor(dims, result.Elem, nil); !compatible(want, result) {
		return c.errorf(name, label, "expected sizes compatible with %v, got %v", result, dims)
	}
	return nil
}

// checkReshape: reshape_c1 to reshape_c3.
func checkReshape(c *check) error {
	if err := c.sameCount("c2"); err != nil {
		return err
	}
	return c.reshapedQuantized()
}

// sameCount checks that operand and result have as many elements, if their sizes are known.
func (c *check) sameCount(label string) error {
	from, ok1 := c.operand(0).NumElements()
	to, ok2 := c.result(0).NumElements()
	if ok1 && ok2 && from != to {
		return c.errorf("", label, "expected a result of %d elements, got %d", from, to)
	}
	return nil
}

// checkDynamicReshape: dynamic_reshape_c1 to dynamic_reshape_c4.
func checkDynamicReshape(c *check) error {
	if err := c.plainElems("c1"); err != nil {
		return err
	}
	if err := c.sameCount("c2"); err != nil {
		return err
	}
	if err := c.shapeOperand(1, "output_shape", "c4"); err != nil {
		return err
	}
	if dims, ok := constant(c.op.Operands[1]); ok && c.operand(0).IsStatic() {
		from, _ := c.operand(0).NumElements()
		to, _ := tensor(dims, stablehlo.I1, nil).NumElements()
		if from != to {
			return c.errorf("output_shape", "c2", "expected %d elements, got %d", from, to)
		}
	}
	return c.reshapedQuantized()
}

// plainElems checks that operand and result have one element type if neither is quantized.
func (c *check) plainElems(label string) error {
	a, b := c.operand(0).Elem, c.result(0).Elem
	if quantized(a) == nil && quantized(b) == nil && !stablehlo.SameType(a, b) {
		return c.errorf("", label, "expected elements of type %v, got %v", a, b)
	}
	return nil
}

// checkBitcastConvert: bitcast_convert_c1, bitcast_convert_c2.
func checkBitcastConvert(c *check) error {
	from, to := c.operand(0), c.result(0)
	if isComplex(from.Elem) != isComplex(to.Elem) {
		return c.errorf("", "c2", "expected both or none of operand and result complex, got %v and %v", from, to)
	}
	narrow, wide := from, to
	if bits(from.Elem) > bits(to.Elem) {
		narrow, wide = to, from
	}
	prefix, ratio := narrow.Dims, bits(wide.Elem)/max(bits(narrow.Elem), 1)
	if bits(narrow.Elem) != bits(wide.Elem) {
		n := narrow.Rank() - 1
		if n != wide.Rank() {
			return c.errorf("", "c1", "expected rank %d of the narrower elements, got %v and %v", wide.Rank()+1, from, to)
		}
		if last := narrow.Dims[n]; last != stablehlo.Dynamic && last*int64(bits(narrow.Elem)) != int64(bits(wide.Elem)) {
			return c.errorf("", "c1", "expected a last size of %d, got %d in %v", ratio, last, narrow)
		}
		prefix = prefix[:n]
	}
	if !compatibleDims(prefix, wide.Dims) {
		return c.errorf("", "c1", "expected equal sizes but for the last of the narrower elements, got %v and %v", from, to)
	}
	return nil
}
