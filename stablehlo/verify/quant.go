package verify

import (
	"slices"

	"github.com/goxla/xla/stablehlo"
)

// This file holds the constraints on quantized types that more than one operation has.

// sameScale checks that operand and result that are quantized per tensor are so alike.
func (c *check) sameScale(label string) error {
	a, b := quantized(c.operand(0).Elem), quantized(c.result(0).Elem)
	if a != nil && b != nil && !a.IsPerAxis() && !b.IsPerAxis() && !stablehlo.SameType(a, b) {
		return c.errorf("", label, "expected a result with the scale and zero point of the operand, %v, got %v", a, b)
	}
	return nil
}

// sameScales checks that operand and result that are quantized per axis have the same
// scales and zero points.
func (c *check) sameScales(label string) error {
	a, b := quantized(c.operand(0).Elem), quantized(c.result(0).Elem)
	if a == nil || b == nil || !a.IsPerAxis() || !b.IsPerAxis() {
		return nil
	}
	n := min(len(a.Scales), len(b.Scales))
	if !slices.Equal(a.Scales[:n], b.Scales[:n]) || !slices.Equal(a.ZeroPoints[:n], b.ZeroPoints[:n]) {
		return c.errorf("", label, "expected a result with the scales and zero points of the operand, %v, got %v", a, b)
	}
	return nil
}

// reshapedQuantized: reshape_c1, reshape_c3: the quantization dimension keeps its size
// and as many elements before it.
func (c *check) reshapedQuantized() error {
	if err := c.sameScale("c1"); err != nil {
		return err
	}
	if err := c.sameScales("c1"); err != nil {
		return err
	}
	from, to := c.operand(0), c.result(0)
	if isPerAxis(from.Elem) != isPerAxis(to.Elem) {
		return c.errorf("", "c1", "expected operand and result quantized alike, got %v and %v", from, to)
	}
	if !isPerAxis(from.Elem) {
		return nil
	}
	i, k := quantized(from.Elem).Axes[0], quantized(to.Elem).Axes[0]
	if !compatibleDim(from.Dims[i], to.Dims[k]) {
		return c.errorf("", "c3", "expected size %d of the quantization dimension, got %d", from.Dims[i], to.Dims[k])
	}
	before, _ := tensor(from.Dims[:i], from.Elem, nil).NumElements()
	after, _ := tensor(to.Dims[:k], to.Elem, nil).NumElements()
	if from.IsStatic() && to.IsStatic() && before != after {
		return c.errorf("", "c3", "expected %d elements before the quantization dimension, got %d", before, after)
	}
	return nil
}

// checkTranspose: transpose_c1, transpose_c4.
func checkTranspose(c *check) error {
	if err := c.sameScale("c1"); err != nil {
		return err
	}
	if err := c.sameScales("c1"); err != nil {
		return err
	}
	from, to := quantized(c.operand(0).Elem), quantized(c.result(0).Elem)
	if to == nil || !to.IsPerAxis() {
		return nil
	}
	order, _ := c.ints("permutation")
	if want := order[to.Axes[0]]; from.Axes[0] != want {
		return c.errorf("", "c4", "expected quantization dimension %d of the operand, got %d", want, from.Axes[0])
	}
	return nil
}

// checkAdd: add_c1 to add_c7.
func checkAdd(c *check) error {
	l, r, to := c.operand(0), c.operand(1), c.result(0)
	a, b, q := quantized(l.Elem), quantized(r.Elem), quantized(to.Elem)
	if a == nil && b == nil && q == nil {
		if !sameElem(false, l, r, to) {
			return c.errorf("", "c1", "expected one element type, got %v, %v and %v", l, r, to)
		}
		return nil
	}
	if a == nil || b == nil || q == nil {
		return c.errorf("", "c2", "expected all operands and results quantized or none, got %v, %v and %v", l, r, to)
	}
	if a.Storage != b.Storage || a.Storage != q.Storage {
		return c.errorf("", "c3", "expected one storage type, got %v, %v and %v", a.Storage, b.Storage, q.Storage)
	}
	if !stablehlo.SameType(a.Expressed, b.Expressed) || !stablehlo.SameType(a.Expressed, q.Expressed) {
		return c.errorf("", "c4", "expected one expressed type, got %v, %v and %v", a.Expressed, b.Expressed, q.Expressed)
	}
	if (a.IsPerAxis() || b.IsPerAxis()) != q.IsPerAxis() {
		return c.errorf("", "c5", "expected a result quantized per axis if and only if an operand is, got %v", q)
	}
	for i, operand := range []*stablehlo.QuantizedType{a, b} {
		if operand.IsPerAxis() && operand.Axes[0] != q.Axes[0] {
			return c.errorf(c.op.Info.Operands[i].Name, []string{"c6", "c7"}[i],
				"expected quantization dimension %d of the result, got %d", q.Axes[0], operand.Axes[0])
		}
	}
	return nil
}

// checkQuantize: uniform_quantize_c2.
func checkQuantize(c *check) error {
	want := c.operand(0).Elem
	if q := quantized(want); q != nil {
		want = q.Expressed
	}
	if got := quantized(c.result(0).Elem).Expressed; !stablehlo.SameType(got, want) {
		return c.errorf("", "c2", "expected expressed type %v of the result, got %v", want, got)
	}
	return nil
}

// product checks how the types of a convolution or dot product are quantized. The
// labels of dot_general are 14 below those of convolution: convolution_c28,
// convolution_c31 to c34, dot_general_c14, dot_general_c17 to c20.
func (c *check) product(labels [5]string) error {
	l, r, to := c.operand(0).Elem, c.operand(1).Elem, c.result(0).Elem
	a, b, q := quantized(l), quantized(r), quantized(to)
	switch {
	case b == nil || (a == nil) != (q == nil):
		return c.errorf("", labels[0],
			"expected a quantized rhs, and lhs quantized if and only if the result is, got %v, %v and %v", l, r, to)
	case a == nil:
		if !stablehlo.SameType(l, b.Expressed) || !stablehlo.SameType(l, to) {
			return c.errorf("", labels[4], "expected the expressed type of rhs, %v, of lhs and result, got %v and %v",
				b.Expressed, l, to)
		}
		return nil
	case a.Storage != b.Storage:
		return c.errorf("rhs", labels[1], "expected storage type %v, got %v", a.Storage, b.Storage)
	case !stablehlo.SameType(a.Expressed, b.Expressed) || !stablehlo.SameType(a.Expressed, q.Expressed):
		return c.errorf("", labels[2], "expected one expressed type, got %v, %v and %v",
			a.Expressed, b.Expressed, q.Expressed)
	case !b.IsPerAxis() && q.IsPerAxis():
		return c.errorf("", labels[3], "expected a result quantized per tensor as rhs, got %v", q)
	}
	return nil
}

// anyQuantized reports whether one of the types of operands and results is quantized.
func (c *check) anyQuantized() bool {
	for _, v := range slices.Concat(c.op.Operands, c.op.Results) {
		if quantized(elementOf(v.Type)) != nil {
			return true
		}
	}
	return false
}
