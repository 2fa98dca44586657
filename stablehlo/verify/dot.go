package verify

import (
	"slices"

	"github.com/goxla/xla/stablehlo"
)

// inferDot: two vectors or matrices.
func inferDot(c *check) ([]stablehlo.Type, error) {
	if err := c.precision(""); err != nil {
		return nil, err
	}
	lhs, rhs := c.operand(0), c.operand(1)
	if l, r := lhs.Rank(), rhs.Rank(); l < 1 || l > 2 || r < 1 || r > 2 {
		return nil, c.errorf("", "", "expected operands of rank 1 or 2, got %v and %v", lhs, rhs)
	}
	if n, m := lhs.Dims[lhs.Rank()-1], rhs.Dims[0]; !compatibleDim(n, m) {
		return nil, c.errorf("rhs", "", "expected size %s of the contracting dimension, got %s", size(n), size(m))
	}
	dims := slices.Concat(extents(lhs)[:lhs.Rank()-1], extents(rhs)[1:])
	return one(ofExtents(dims, c.result(0).Elem))
}

// dotDims are the dimensions of a dot product. The names are those of its attribute.
type dotDims struct {
	lhsBatching, rhsBatching, lhsContracting, rhsContracting []int64
}

// inferDotGeneral: dot_general_c1 to dot_general_c12.
func inferDotGeneral(c *check) ([]stablehlo.Type, error) {
	a, _ := c.op.Attr("dot_dimension_numbers").(*stablehlo.DotDims)
	d := dotDims{a.LHSBatching, a.RHSBatching, a.LHSContracting, a.RHSContracting}
	if err := c.dotDimensions(d); err != nil {
		return nil, err
	}
	lhs, rhs := c.operand(0), c.operand(1)
	from := extents(lhs)
	var dims []extent
	for _, i := range d.lhsBatching {
		dims = append(dims, from[i])
	}
	dims = slices.Concat(dims, without(lhs, d.lhsBatching, d.lhsContracting),
		without(rhs, d.rhsBatching, d.rhsContracting))
	return one(ofExtents(dims, c.result(0).Elem))
}

// dotDimensions: dot_general_c1 to dot_general_c11.
func (c *check) dotDimensions(d dotDims) error {
	lhs, rhs := c.operand(0), c.operand(1)
	if len(d.lhsBatching) != len(d.rhsBatching) {
		return c.errorf("rhs_batching_dimensions", "c1", "expected %d dimensions, got %d",
			len(d.lhsBatching), len(d.rhsBatching))
	}
	if len(d.lhsContracting) != len(d.rhsContracting) {
		return c.errorf("rhs_contracting_dimensions", "c2", "expected %d dimensions, got %d",
			len(d.lhsContracting), len(d.rhsContracting))
	}
	if err := first(
		func() error { return c.distinct("lhs_contracting_dimensions", "c3", d.lhsBatching, d.lhsContracting) },
		func() error { return c.distinct("rhs_contracting_dimensions", "c4", d.rhsBatching, d.rhsContracting) },
		func() error { return c.inRange("lhs_batching_dimensions", "c5", d.lhsBatching, lhs.Rank()) },
		func() error { return c.inRange("lhs_contracting_dimensions", "c6", d.lhsContracting, lhs.Rank()) },
		func() error { return c.inRange("rhs_batching_dimensions", "c7", d.rhsBatching, rhs.Rank()) },
		func() error { return c.inRange("rhs_contracting_dimensions", "c8", d.rhsContracting, rhs.Rank()) },
		func() error { return c.pairs("batching", "c9", d.lhsBatching, d.rhsBatching) },
		func() error { return c.pairs("contracting", "c10", d.lhsContracting, d.rhsContracting) },
	); err != nil {
		return err
	}
	return c.precision("c11")
}

// pairs checks that dimensions of lhs and rhs have the same sizes pair by pair.
func (c *check) pairs(what, label string, lhs, rhs []int64) error {
	for i, d := range lhs {
		if n, m := c.operand(0).Dims[d], c.operand(1).Dims[rhs[i]]; !compatibleDim(n, m) {
			return c.errorf("rhs", label, "expected size %d of %s dimension %d, got %d", n, what, rhs[i], m)
		}
	}
	return nil
}

// checkDotGeneral: dot_general_c13 to dot_general_c21.
func checkDotGeneral(c *check) error {
	if a, ok := c.op.Attr("precision_config").(*stablehlo.ArrayAttr); ok && c.has("algorithm") {
		for _, e := range a.Elems {
			if p, _ := e.(stablehlo.EnumAttr); p.Word() != "DEFAULT" {
				return c.errorf("precision_config", "c21", "expected DEFAULT beside an algorithm, got %s", p.Word())
			}
		}
	}
	if !c.anyQuantized() {
		return nil
	}
	if q := quantized(c.operand(1).Elem); q != nil {
		for _, z := range q.ZeroPoints {
			if z != 0 {
				return c.errorf("rhs", "c15", "expected zero point 0, got %d", z)
			}
		}
		d, _ := c.op.Attr("dot_dimension_numbers").(*stablehlo.DotDims)
		if q.IsPerAxis() && slices.Contains(d.RHSContracting, q.Axes[0]) {
			return c.errorf("rhs", "c16", "expected a quantization dimension that is not contracted, got %d", q.Axes[0])
		}
	}
	return c.product([5]string{"c14", "c17", "c18", "c19", "c20"})
}

// algorithms lists the algorithms of dot_general that some hardware has: types of lhs,
// rhs and accumulator, and the number of primitive operations. f8 is any 8-bit type.
var algorithms = []struct {
	operand, accumulator stablehlo.FloatType
	operations           int64
}{
	{stablehlo.F16, stablehlo.F16, 1}, {stablehlo.F16, stablehlo.F32, 1},
	{stablehlo.BF16, stablehlo.BF16, 1}, {stablehlo.BF16, stablehlo.F32, 1}, {stablehlo.BF16, stablehlo.F32, 3},
	{stablehlo.BF16, stablehlo.F32, 6}, {stablehlo.BF16, stablehlo.F32, 9},
	{stablehlo.F8E4M3FN, stablehlo.F32, 3}, {stablehlo.F8E4M3FN, stablehlo.F32, 4},
	{stablehlo.TF32, stablehlo.F32, 1}, {stablehlo.TF32, stablehlo.F32, 3},
	{stablehlo.F32, stablehlo.F32, 1}, {stablehlo.F64, stablehlo.F64, 1},
}

// dotAlgorithm: dot_general_c22 to dot_general_c24, and that the algorithm is known.
func (c *check) dotAlgorithm(name string, a *stablehlo.DotAlgorithm) error {
	for i, n := range []int64{a.LHSComponentCount, a.RHSComponentCount, a.NumPrimitiveOperations} {
		if n < 1 {
			field := []string{"lhs_component_count", "rhs_component_count", "num_primitive_operations"}[i]
			return c.errorf(field, []string{"c22", "c23", "c24"}[i], "expected at least 1, got %d", n)
		}
	}
	if !knownAlgorithm(a) {
		return c.errorf(name, "i8", "expected an algorithm that some hardware has, got %v", a)
	}
	return nil
}

func knownAlgorithm(a *stablehlo.DotAlgorithm) bool {
	if a.LHSComponentCount != 1 || a.RHSComponentCount != 1 {
		return false
	}
	if isF8(a.LHSPrecisionType) && isF8(a.RHSPrecisionType) && a.AccumulationType == stablehlo.F32 &&
		a.NumPrimitiveOperations == 1 {
		return true
	}
	if a.AllowImpreciseAccumulation || a.LHSPrecisionType != a.RHSPrecisionType {
		return false
	}
	for _, k := range algorithms {
		if a.LHSPrecisionType == k.operand && a.AccumulationType == k.accumulator &&
			a.NumPrimitiveOperations == k.operations {
			return true
		}
	}
	return false
}

func isF8(t stablehlo.Type) bool {
	f, ok := t.(stablehlo.FloatType)
	return ok && f.Bits() == 8 && f != stablehlo.F8E8M0FNU
}
