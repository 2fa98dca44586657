package lower

import (
	"slices"
	"strings"

	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
)

func linalgRules() map[string]rule {
	return map[string]rule{
		"stablehlo.cholesky":         cholesky,
		"stablehlo.convolution":      convolution,
		"stablehlo.dot":              dot,
		"stablehlo.dot_general":      dotGeneral,
		"stablehlo.einsum":           einsum,
		"stablehlo.fft":              fft,
		"stablehlo.triangular_solve": triangularSolve,
		"stablehlo.unary_einsum":     unaryEinsum,
	}
}

// precisions returns the precision of each operand, nil for the default.
func (c *call) precisions() []op.Precision {
	list, _ := c.op.Attr("precision_config").(*stablehlo.ArrayAttr)
	if list == nil {
		return nil
	}
	var all []op.Precision
	for _, e := range list.Elems {
		a, _ := e.(stablehlo.EnumAttr)
		p, ok := op.ParsePrecision(strings.ToLower(a.Word()))
		if !ok {
			c.fail("precision_config", "", "expected precisions, got %v", e)
		}
		all = append(all, p)
	}
	return all
}

// dotOptions returns what a product has besides operands and dimensions. Its element
// type is that of the result.
func (c *call) dotOptions() builder.DotOptions {
	return builder.DotOptions{Precision: c.precisions(), Algorithm: c.algorithm(), Preferred: c.result(0).Type}
}

// dot is the product of vectors and matrices.
func dot(c *call) []builder.Op { return one(builder.Dot(c.arg(0), c.arg(1), c.dotOptions())) }

func dotGeneral(c *call) []builder.Op {
	d, ok := structAttr[*stablehlo.DotDims](c, "dot_dimension_numbers")
	if !ok {
		return nil
	}
	list := func(v []int64) []int { return c.toInts("dot_dimension_numbers", v) }
	return one(builder.DotGeneral(c.arg(0), c.arg(1), op.DotAttrs{
		LHSBatch: list(d.LHSBatching), LHSContracting: list(d.LHSContracting),
		RHSBatch: list(d.RHSBatching), RHSContracting: list(d.RHSContracting)}, c.dotOptions()))
}

// algorithms are HLO's words for the algorithms of dot_general: the types of lhs, rhs
// and accumulation, the numbers of components and of primitive operations.
var algorithms = map[algorithm]op.Word{
	{"f8E5M2", "f8E5M2", "f32", 1, 1, 1, false}: "dot_any_f8_any_f8_f32",
	{"f8E5M2", "f8E5M2", "f32", 1, 1, 1, true}:  "dot_any_f8_any_f8_f32_fast_accum",
	{"f16", "f16", "f16", 1, 1, 1, false}:       "dot_f16_f16_f16",
	{"f16", "f16", "f32", 1, 1, 1, false}:       "dot_f16_f16_f32",
	{"bf16", "bf16", "bf16", 1, 1, 1, false}:    "dot_bf16_bf16_bf16",
	{"bf16", "bf16", "f32", 1, 1, 1, false}:     "dot_bf16_bf16_f32",
	{"bf16", "bf16", "f32", 1, 1, 3, false}:     "dot_bf16_bf16_f32_x3",
	{"bf16", "bf16", "f32", 1, 1, 6, false}:     "dot_bf16_bf16_f32_x6",
	{"bf16", "bf16", "f32", 1, 1, 9, false}:     "dot_bf16_bf16_f32_x9",
	{"tf32", "tf32", "f32", 1, 1, 1, false}:     "dot_tf32_tf32_f32",
	{"tf32", "tf32", "f32", 1, 1, 3, false}:     "dot_tf32_tf32_f32_x3",
	{"f32", "f32", "f32", 1, 1, 1, false}:       "dot_f32_f32_f32",
	{"f64", "f64", "f64", 1, 1, 1, false}:       "dot_f64_f64_f64",
}

type algorithm struct {
	lhs, rhs, sum                          string
	lhsComponents, rhsComponents, products int64
	imprecise                              bool
}

// algorithm returns HLO's word for the algorithm attribute, "" where that is absent.
func (c *call) algorithm() op.Word {
	a, _ := c.op.Attr("algorithm").(*stablehlo.DotAlgorithm)
	if a == nil {
		return ""
	}
	key := algorithm{typeText(a.LHSPrecisionType), typeText(a.RHSPrecisionType), typeText(a.AccumulationType),
		a.LHSComponentCount, a.RHSComponentCount, a.NumPrimitiveOperations, a.AllowImpreciseAccumulation}
	if strings.HasPrefix(key.lhs, "f8") && strings.HasPrefix(key.rhs, "f8") {
		key.lhs, key.rhs = "f8E5M2", "f8E5M2"
	}
	w, ok := algorithms[key]
	if !ok {
		c.fail("algorithm", "dot_general_c21", "expected an algorithm that is known, got %v", a)
	}
	return w
}

func typeText(t stablehlo.Type) string {
	if t == nil {
		return ""
	}
	return t.String()
}

func convolution(c *call) []builder.Op {
	d, ok := structAttr[*stablehlo.ConvDims](c, "dimension_numbers")
	if !ok {
		return nil
	}
	return c.convolution(d, c.edges("padding", len(d.InputSpatial)))
}

// convolution makes a convolution with the given padding.
func (c *call) convolution(d *stablehlo.ConvDims, edges [][2]int) []builder.Op {
	var reversal []bool
	if a, ok := c.op.Attr("window_reversal").(*stablehlo.DenseArrayAttr); ok {
		for _, v := range a.Data {
			reversal = append(reversal, v != 0)
		}
	}
	o := builder.ConvOptions{LHSDilation: c.ints("lhs_dilation"), RHSDilation: c.ints("rhs_dilation"),
		Reversal: reversal, FeatureGroups: c.intOr("feature_group_count", 1), BatchGroups: c.intOr("batch_group_count", 1),
		Precision: c.precisions(), Preferred: c.result(0).Type}
	if o.FeatureGroups < 1 || o.BatchGroups < 1 {
		c.fail("feature_group_count", "convolution_c21", "expected group counts of at least 1, got %d and %d",
			o.FeatureGroups, o.BatchGroups)
		return nil
	}
	return one(builder.ConvGeneral(c.arg(0), c.arg(1), c.ints("window_strides"), edges, c.dimLabels(d), o))
}

// dimLabels returns the dimensions of a convolution as HLO has them.
func (c *call) dimLabels(d *stablehlo.ConvDims) op.DimLabels {
	list := func(v []int64) []int { return c.toInts("dimension_numbers", v) }
	return op.DimLabels{Given: true,
		InputBatch: int(d.InputBatch), InputFeature: int(d.InputFeature), InputSpatial: list(d.InputSpatial),
		KernelInputFeature: int(d.KernelInputFeature), KernelOutputFeature: int(d.KernelOutputFeature),
		KernelSpatial: list(d.KernelSpatial),
		OutputBatch:   int(d.OutputBatch), OutputFeature: int(d.OutputFeature), OutputSpatial: list(d.OutputSpatial)}
}

func cholesky(c *call) []builder.Op { return one(builder.Cholesky(c.arg(0), c.flag("lower"))) }

func fft(c *call) []builder.Op {
	kind, ok := op.ParseFftType(c.word("fft_type"))
	if !ok {
		c.fail("fft_type", "", "expected a kind of transform, got %v", c.op.Attr("fft_type"))
	}
	return one(builder.Fft(c.arg(0), kind, c.ints("fft_length")...))
}

func triangularSolve(c *call) []builder.Op {
	t, ok := op.ParseTransposeKind(c.word("transpose_a"))
	if !ok {
		c.fail("transpose_a", "", "expected a form of the matrix, got %v", c.op.Attr("transpose_a"))
		return nil
	}
	return one(builder.TriangularSolve(c.arg(0), c.arg(1), op.TriangularSolveAttrs{LeftSide: c.flag("left_side"),
		Lower: c.flag("lower"), UnitDiagonal: c.flag("unit_diagonal"), TransposeA: t}))
}

// einsum is a product in the notation "ab,bc->ac".
func einsum(c *call) []builder.Op {
	in, out, ok := strings.Cut(strings.ReplaceAll(c.text("einsum_config"), " ", ""), "->")
	lhs, rhs, ok2 := strings.Cut(in, ",")
	if c.failed() || !ok || !ok2 || len(lhs) != c.arg(0).Rank() || len(rhs) != c.arg(1).Rank() {
		c.fail("einsum_config", "", "expected labels for %v and %v, got %q", c.arg(0).Shape(), c.arg(1).Shape(),
			c.text("einsum_config"))
		return nil
	}
	x, lhs := sumLabels(c.arg(0), lhs, rhs+out)
	y, rhs := sumLabels(c.arg(1), rhs, lhs+out)
	var a op.DotAttrs
	var made []byte
	for i := range len(lhs) {
		j := strings.IndexByte(rhs, lhs[i])
		switch {
		case j >= 0 && strings.IndexByte(out, lhs[i]) >= 0:
			a.LHSBatch, a.RHSBatch = append(a.LHSBatch, i), append(a.RHSBatch, j)
			made = append(made, lhs[i])
		case j >= 0:
			a.LHSContracting, a.RHSContracting = append(a.LHSContracting, i), append(a.RHSContracting, j)
		}
	}
	made = appendFree(made, lhs, rhs)
	made = appendFree(made, rhs, lhs)
	return one(c.permute(builder.DotGeneral(x, y, a, c.dotOptions()), string(made), out))
}

// appendFree appends the labels that other has not.
func appendFree(dst []byte, labels, other string) []byte {
	for i := range len(labels) {
		if strings.IndexByte(other, labels[i]) < 0 {
			dst = append(dst, labels[i])
		}
	}
	return dst
}

// sumLabels sums x over the dimensions whose labels are not in keep.
func sumLabels(x builder.Op, labels, keep string) (builder.Op, string) {
	var dims []int
	var left []byte
	for i := range len(labels) {
		if strings.IndexByte(keep, labels[i]) < 0 {
			dims = append(dims, i)
		} else {
			left = append(left, labels[i])
		}
	}
	if len(dims) == 0 {
		return x, labels
	}
	return builder.ReduceSum(x, dims...), string(left)
}

// permute reorders the dimensions labelled from as to has them.
func (c *call) permute(x builder.Op, from, to string) builder.Op {
	order := make([]int, len(to))
	for i := range len(to) {
		order[i] = strings.IndexByte(from, to[i])
	}
	if len(from) != len(to) || slices.Contains(order, -1) {
		c.fail("einsum_config", "", "expected labels of the result that the operands have, got %q", to)
		return x
	}
	return builder.Transpose(x, order...)
}

// unaryEinsum sums and reorders dimensions: "abc->ca".
func unaryEinsum(c *call) []builder.Op {
	in, out, ok := strings.Cut(strings.ReplaceAll(c.text("einsum_config"), " ", ""), "->")
	if c.failed() || !ok || len(in) != c.arg(0).Rank() {
		c.fail("einsum_config", "", "expected labels for %v, got %q", c.arg(0).Shape(), c.text("einsum_config"))
		return nil
	}
	x, labels := sumLabels(c.arg(0), in, out)
	return one(c.permute(x, labels, out))
}

// convertTo is a conversion where x has another element type.
func convertTo(x builder.Op, t shape.ElementType) builder.Op {
	if x.Type() == t {
		return x
	}
	return builder.ConvertElementType(x, t)
}
