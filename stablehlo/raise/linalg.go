package raise

import (
	"strings"

	"github.com/goxla/xla/op"
	"github.com/goxla/xla/stablehlo"
)

func linalgRules() map[op.Code]rule {
	return map[op.Code]rule{
		op.Cholesky:        cholesky,
		op.Convolution:     convolution,
		op.Dot:             dot,
		op.Fft:             fft,
		op.ScaledDot:       scaledDot,
		op.TriangularSolve: triangularSolve,
	}
}

// precisions returns the precision of each operand, nil where it is not told.
func (c *call) precisions(kind *stablehlo.EnumKind, list []op.Precision) stablehlo.Attribute {
	if len(list) == 0 {
		return nil
	}
	a := &stablehlo.ArrayAttr{}
	for _, p := range list {
		word, ok := kind.Parse(strings.ToUpper(p.String()))
		if !ok {
			c.refuse("operand_precision " + p.String())
		}
		a.Elems = append(a.Elems, word)
	}
	return a
}

func dot(c *call) value {
	a := attrs[op.DotAttrs](c)
	if a.Sparsity != nil {
		return c.refuse("a sparsity_config")
	}
	return c.result("stablehlo.dot_general", c.factors(), attr("dot_dimension_numbers", dotDims(a)),
		attr("precision_config", c.precisions(stablehlo.Precision, a.OperandPrecision)),
		attr("algorithm", c.algorithm(a.Algorithm)))
}

// factors returns the operands in one type: that of the result where they are integers
// of several.
func (c *call) factors() []*stablehlo.Value {
	list := c.alike(c.args())
	for _, v := range list[1:] {
		if !stablehlo.SameType(elemOf(v.Type), elemOf(list[0].Type)) {
			for k := range list {
				list[k] = c.convert(list[k], elementTypes[c.i.Type()])
			}
			break
		}
	}
	return list
}

func dotDims(a *op.DotAttrs) *stablehlo.DotDims {
	return &stablehlo.DotDims{LHSBatching: int64s(a.LHSBatch), RHSBatching: int64s(a.RHSBatch),
		LHSContracting: int64s(a.LHSContracting), RHSContracting: int64s(a.RHSContracting)}
}

// algorithms are the algorithms by HLO's words: the type of both operands and that of the
// sum, the number of products, and whether sums may be less exact.
var algorithms = map[op.Word]struct {
	operands, sum stablehlo.FloatType
	products      int64
	imprecise     bool
}{
	"dot_any_f8_any_f8_f32":            {stablehlo.F8E5M2, stablehlo.F32, 1, false},
	"dot_any_f8_any_f8_f32_fast_accum": {stablehlo.F8E5M2, stablehlo.F32, 1, true},
	"dot_f16_f16_f16":                  {stablehlo.F16, stablehlo.F16, 1, false},
	"dot_f16_f16_f32":                  {stablehlo.F16, stablehlo.F32, 1, false},
	"dot_bf16_bf16_bf16":               {stablehlo.BF16, stablehlo.BF16, 1, false},
	"dot_bf16_bf16_f32":                {stablehlo.BF16, stablehlo.F32, 1, false},
	"dot_bf16_bf16_f32_x3":             {stablehlo.BF16, stablehlo.F32, 3, false},
	"dot_bf16_bf16_f32_x6":             {stablehlo.BF16, stablehlo.F32, 6, false},
	"dot_bf16_bf16_f32_x9":             {stablehlo.BF16, stablehlo.F32, 9, false},
	"dot_tf32_tf32_f32":                {stablehlo.TF32, stablehlo.F32, 1, false},
	"dot_tf32_tf32_f32_x3":             {stablehlo.TF32, stablehlo.F32, 3, false},
	"dot_f32_f32_f32":                  {stablehlo.F32, stablehlo.F32, 1, false},
	"dot_f64_f64_f64":                  {stablehlo.F64, stablehlo.F64, 1, false},
}

// algorithm returns the algorithm of a dot, nil where none is told.
func (c *call) algorithm(word op.Word) stablehlo.Attribute {
	if word == "" || word == "dot_unset" {
		return nil
	}
	a, ok := algorithms[word]
	if !ok {
		c.refuse("algorithm " + string(word))
		return nil
	}
	return &stablehlo.DotAlgorithm{LHSPrecisionType: a.operands, RHSPrecisionType: a.operands, AccumulationType: a.sum,
		LHSComponentCount: 1, RHSComponentCount: 1, NumPrimitiveOperations: a.products,
		AllowImpreciseAccumulation: a.imprecise}
}

// scaledDot multiplies both sides by their scales, each of which serves a block of
// elements, in the type of the result.
func scaledDot(c *call) value {
	a := attrs[op.DotAttrs](c)
	if a.Sparsity != nil || len(c.i.Operands()) != 4 || !c.static() {
		return c.refuse("a sparsity_config or sizes that are not known")
	}
	var sides []*stablehlo.Value
	elem := elementTypes[c.i.Type()]
	for k := range 2 {
		x, scale := c.convert(c.arg(k), elem), c.convert(c.arg(k+2), elem)
		scale = c.blocks(scale, c.i.Operand(k).Dims())
		sides = append(sides, c.make("stablehlo.multiply", x.Type, []*stablehlo.Value{x, scale}))
	}
	return c.result("stablehlo.dot_general", sides, attr("dot_dimension_numbers", dotDims(a)),
		attr("precision_config", c.precisions(stablehlo.Precision, a.OperandPrecision)),
		attr("algorithm", c.algorithm(a.Algorithm)))
}

// static reports whether all operands have known sizes.
func (c *call) static() bool {
	for _, o := range c.i.Operands() {
		if !o.IsStatic() {
			return false
		}
	}
	return true
}

// blocks repeats each element of scale over a block, so that the result has the sizes dims.
func (c *call) blocks(scale *stablehlo.Value, dims []int) *stablehlo.Value {
	t := scale.Type.(*stablehlo.TensorType)
	var split, places []int64
	for i, n := range t.Dims {
		places = append(places, int64(len(split)))
		block := int64(1)
		if n > 0 {
			block = int64(dims[i]) / n
		}
		split = append(split, n, block)
	}
	wide := c.make("stablehlo.broadcast_in_dim", staticType(t.Elem, split...), []*stablehlo.Value{scale},
		attr("broadcast_dimensions", stablehlo.Int64Array(places...)))
	return c.reshape(wide, int64s(dims)...)
}

// raggedDot has a form in the dialect chlo only.
func raggedDot(c *call) value {
	a := attrs[op.RaggedDotAttrs](c)
	if c.chloOnly() {
		return value{}
	}
	if a.Algorithm != "" {
		return c.refuse("an algorithm")
	}
	return c.result("chlo.ragged_dot", c.args(),
		attr("ragged_dot_dimension_numbers", &stablehlo.RaggedDotDims{LHSBatching: int64s(a.LHSBatch),
			RHSBatching: int64s(a.RHSBatch), LHSContracting: int64s(a.LHSContracting),
			RHSContracting: int64s(a.RHSContracting), LHSRagged: int64s(a.LHSRagged), RHSGroup: int64s(a.RHSGroup)}),
		attr("precision_config", c.precisions(stablehlo.CHLOPrecision, a.OperandPrecision)))
}

func convolution(c *call) value {
	a := attrs[op.ConvolutionAttrs](c)
	switch {
	case a.Sparsity != nil || len(c.i.Operands()) != 2:
		return c.refuse("a sparsity_config")
	case a.Algorithm != "":
		return c.refuse("an algorithm")
	}
	list := []stablehlo.NamedAttribute{
		attr("dimension_numbers", c.convDims(a.DimLabels)),
		attr("feature_group_count", stablehlo.Int64(int64(max(a.FeatureGroupCount, 1)))),
		attr("batch_group_count", stablehlo.Int64(int64(max(a.BatchGroupCount, 1)))),
		attr("precision_config", c.precisions(stablehlo.Precision, a.OperandPrecision)),
	}
	if w := a.Window.Dims; len(w) > 0 {
		strides, padding, base, dilations := windowLists(w)
		reversal := make([]bool, len(w))
		for i, d := range w {
			reversal[i] = d.Reversal
		}
		list = append(list, attr("window_strides", strides), attr("padding", padding), attr("lhs_dilation", base),
			attr("rhs_dilation", dilations), attr("window_reversal", stablehlo.BoolArray(reversal...)))
	}
	return c.result("stablehlo.convolution", c.factors(), list...)
}

// convDims refuses labels that leave dimensions out.
func (c *call) convDims(d op.DimLabels) stablehlo.Attribute {
	n := c.i.Rank()
	if !d.Given || len(d.InputSpatial) != n-2 || len(d.KernelSpatial) != n-2 || len(d.OutputSpatial) != n-2 {
		c.refuse("dim_labels that leave dimensions out")
		return nil
	}
	return &stablehlo.ConvDims{
		InputBatch: int64(d.InputBatch), InputFeature: int64(d.InputFeature), InputSpatial: int64s(d.InputSpatial),
		KernelInputFeature: int64(d.KernelInputFeature), KernelOutputFeature: int64(d.KernelOutputFeature),
		KernelSpatial: int64s(d.KernelSpatial),
		OutputBatch:   int64(d.OutputBatch), OutputFeature: int64(d.OutputFeature), OutputSpatial: int64s(d.OutputSpatial)}
}

// windowLists returns the parts of a window that have their own attributes.
func windowLists(w []op.WindowDim) (strides, padding, base, dilations stablehlo.Attribute) {
	var s, b, d []int
	var p []int64
	for _, x := range w {
		s, b, d = append(s, max(x.Stride, 1)), append(b, max(x.BaseDilation, 1)), append(d, max(x.WindowDilation, 1))
		p = append(p, int64(x.PaddingLow), int64(x.PaddingHigh))
	}
	return ints(s), stablehlo.NewDenseInts(stablehlo.I64, []int64{int64(len(w)), 2}, p), ints(b), ints(d)
}

func cholesky(c *call) value {
	return c.result("stablehlo.cholesky", c.args(), attr("lower", flag(attrs[op.CholeskyAttrs](c).Lower)))
}

func fft(c *call) value {
	a := attrs[op.FftAttrs](c)
	return c.result("stablehlo.fft", c.args(), attr("fft_type", c.word(stablehlo.FFTType, "fft_type", a.Type.String())),
		attr("fft_length", ints(a.Length)))
}

func triangularSolve(c *call) value {
	a := attrs[op.TriangularSolveAttrs](c)
	form := a.TransposeA
	if form == op.TransposeUnset {
		form = op.NoTranspose
	}
	return c.result("stablehlo.triangular_solve", c.alike(c.args()), attr("left_side", stablehlo.Bool(a.LeftSide)),
		attr("lower", stablehlo.Bool(a.Lower)), attr("unit_diagonal", stablehlo.Bool(a.UnitDiagonal)),
		attr("transpose_a", c.word(stablehlo.Transpose, "transpose_a", form.String())))
}
