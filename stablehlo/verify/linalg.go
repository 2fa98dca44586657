package verify

import (
	"slices"

	"github.com/goxla/xla/stablehlo"
)

// checkCholesky: cholesky_c2, cholesky_c3.
func checkCholesky(c *check) error { return c.square("a", "c2", "c3") }

// square checks that the first operand is a matrix of as many rows as columns, or a batch of such.
func (c *check) square(name, rank, sides string) error {
	t := c.operand(0)
	n := t.Rank()
	if n < 2 {
		return c.errorf(name, rank, "expected rank 2 or more, got %v", t)
	}
	if !compatibleDim(t.Dims[n-2], t.Dims[n-1]) {
		return c.errorf(name, sides, "expected as many rows as columns, got %v", t)
	}
	return nil
}

// inferTriangularSolve: triangular_solve_c1 to triangular_solve_c4.
func inferTriangularSolve(c *check) ([]stablehlo.Type, error) {
	a, b := c.operand(0), c.operand(1)
	if err := c.square("a", "c2", "c3"); err != nil {
		return nil, err
	}
	n := a.Rank()
	if b.Rank() != n {
		return nil, c.errorf("b", "c2", "expected rank %d, got %v", n, b)
	}
	side := n - 1
	if c.flag("left_side") {
		side = n - 2
	}
	if !compatibleDim(a.Dims[n-1], b.Dims[side]) {
		return nil, c.errorf("b", "c3", "expected size %d in dimension %d, got %d", a.Dims[n-1], side, b.Dims[side])
	}
	if !compatibleDims(a.Dims[:n-2], b.Dims[:n-2]) {
		return nil, c.errorf("b", "c3", "expected batch sizes %s, got %v", sizes(a.Dims[:n-2]), b)
	}
	if e, _ := c.op.Attr("transpose_a").(stablehlo.EnumAttr); e.Word() == "TRANSPOSE_INVALID" {
		return nil, c.errorf("transpose_a", "", "expected NO_TRANSPOSE, TRANSPOSE or ADJOINT, got %s", e.Word())
	}
	return one(b)
}

// inferFFT: fft_c1 to fft_c5.
func inferFFT(c *check) ([]stablehlo.Type, error) {
	t := c.operand(0)
	length, _ := c.ints("fft_length")
	kind, _ := c.op.Attr("fft_type").(stablehlo.EnumAttr)
	n := len(length)
	if n < 1 || n > 3 {
		return nil, c.errorf("fft_length", "c3", "expected 1 to 3 sizes, got %d", n)
	}
	elem, err := c.fftElement(kind.Word(), t)
	if err != nil {
		return nil, err
	}
	if t.Rank() < n {
		return nil, c.errorf("operand", "c1", "expected rank %d or more, got %v", n, t)
	}
	to, inner := extents(t), t.Dims[t.Rank()-n:]
	last := &to[len(to)-1]
	switch kind.Word() {
	case "RFFT":
		if !compatibleDims(inner, length) {
			return nil, c.errorf("fft_length", "c4", "expected the last sizes of the operand, %s, got %v", sizes(inner), length)
		}
		if length[n-1] != 0 {
			*last = extent{size: length[n-1]/2 + 1, bound: stablehlo.Dynamic}
		}
	case "IRFFT":
		want := slices.Clone(length)
		want[n-1] = length[n-1]/2 + 1
		zero := length[n-1] == 0 && compatibleDim(inner[n-1], 0)
		if !compatibleDims(inner[:n-1], want[:n-1]) || !zero && !compatibleDim(inner[n-1], want[n-1]) {
			return nil, c.errorf("operand", "c5", "expected last sizes %v, got %s", want, sizes(inner))
		}
		*last = extent{size: length[n-1], bound: stablehlo.Dynamic}
	}
	return one(ofExtents(to, elem))
}

// fftElement returns the element type of the result: fft_c2.
func (c *check) fftElement(kind string, t *stablehlo.TensorType) (stablehlo.Type, error) {
	complexElem, ok := t.Elem.(*stablehlo.ComplexType)
	switch {
	case kind == "RFFT" && t.Elem != stablehlo.Type(stablehlo.F32) && t.Elem != stablehlo.Type(stablehlo.F64):
		return nil, c.errorf("operand", "c2", "expected f32 or f64 elements for RFFT, got %v", t)
	case kind == "RFFT":
		return &stablehlo.ComplexType{Elem: t.Elem}, nil
	case !ok:
		return nil, c.errorf("operand", "c2", "expected complex elements for %s, got %v", kind, t)
	case kind == "IRFFT":
		return complexElem.Elem, nil
	}
	return t.Elem, nil
}

// inferBatchNorm: batch_norm_grad_c1 to _c5 and those of the other two.
func inferBatchNorm(c *check) ([]stablehlo.Type, error) {
	t, feature := c.operand(0), c.integer("feature_index")
	if feature < 0 || feature >= int64(t.Rank()) {
		return nil, c.errorf("feature_index", "c1", "expected a dimension in [0, %d), got %d", t.Rank(), feature)
	}
	list := extents(t)[feature]
	for i, slot := range c.op.Info.Operands {
		if slot.Name == "grad_output" {
			if !compatibleDims(c.operand(i).Dims, t.Dims) {
				return nil, c.errorf(slot.Name, "c3", "expected shape %s, got %v", sizes(t.Dims), c.operand(i))
			}
			continue
		}
		if i > 0 && (!compatibleDims(c.operand(i).Dims, []int64{list.size}) ||
			!compatibleDims(c.operand(i).Dims, c.operand(1).Dims)) {
			return nil, c.errorf(slot.Name, "c4", "expected size %s, got %v", size(list.size), c.operand(i))
		}
	}
	types := []stablehlo.Type{t}
	for range len(c.op.Results) - 1 {
		types = append(types, ofExtents([]extent{list}, t.Elem))
	}
	return types, nil
}

// inferRng: rng_c1 to rng_c3.
func inferRng(c *check) ([]stablehlo.Type, error) {
	a, b := c.operand(0), c.operand(1)
	if !sameElem(false, a, b) {
		return nil, c.errorf("b", "c1", "expected elements of type %v, got %v", a.Elem, b.Elem)
	}
	if d, _ := c.op.Attr("rng_distribution").(stablehlo.EnumAttr); d.Word() == "NORMAL" && !isFloat(a.Elem) {
		return nil, c.errorf("a", "c2", "expected floating-point numbers for NORMAL, got %v", a)
	}
	n, rank := c.operand(2).Dims[0], c.result(0).Rank()
	if !compatibleDim(n, int64(rank)) {
		return nil, c.errorf("shape", "c3", "expected %d sizes, got %d", rank, n)
	}
	if dims, ok := constant(c.op.Operands[2]); ok {
		return one(tensor(dims, b.Elem, nil))
	}
	if n == stablehlo.Dynamic {
		return one(&stablehlo.UnrankedTensorType{Elem: b.Elem})
	}
	return one(tensor(unknown(rank), b.Elem, nil))
}

// checkRngBitGenerator: rng_bit_generator_c1.
func checkRngBitGenerator(c *check) error {
	from, to := c.operand(0), c.result(0)
	if !compatibleDims(from.Dims, to.Dims) || !sameElem(false, from, to) {
		return c.errorf("", "c1", "expected an output state of the type of the initial state, %v, got %v", from, to)
	}
	return nil
}
