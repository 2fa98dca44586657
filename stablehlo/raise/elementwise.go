package raise

import (
	"math"
	"slices"

	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
)

func elementwiseRules() map[op.Code]rule {
	r := map[op.Code]rule{
		op.Clamp: alike("clamp"), op.Compare: compare, op.Convert: same("convert"), op.Select: selectElements,
		op.ReducePrecision: reducePrecision, op.Map: mapElements, op.Complex: alike("complex"),
	}
	for code, name := range map[op.Code]string{
		op.Abs: "abs", op.Ceil: "ceil", op.CountLeadingZeros: "count_leading_zeros", op.Floor: "floor", op.Imag: "imag",
		op.IsFinite: "is_finite", op.Negate: "negate", op.Not: "not", op.Popcnt: "popcnt", op.Real: "real",
		op.RoundNearestAfz: "round_nearest_afz", op.RoundNearestEven: "round_nearest_even", op.Sign: "sign",
	} {
		r[code] = same(name)
	}
	for code, name := range map[op.Code]string{
		op.Cbrt: "cbrt", op.Cosine: "cosine", op.Exponential: "exponential",
		op.ExponentialMinusOne: "exponential_minus_one", op.Log: "log", op.LogPlusOne: "log_plus_one",
		op.Logistic: "logistic", op.Rsqrt: "rsqrt", op.Sine: "sine", op.Sqrt: "sqrt", op.Tan: "tan", op.Tanh: "tanh",
	} {
		r[code] = elementary(name)
	}
	for code, name := range map[op.Code]string{
		op.Add: "add", op.And: "and", op.Atan2: "atan2", op.Divide: "divide", op.Maximum: "maximum",
		op.Minimum: "minimum", op.Multiply: "multiply", op.Or: "or", op.Power: "power", op.Remainder: "remainder",
		op.ShiftLeft: "shift_left", op.ShiftRightArithmetic: "shift_right_arithmetic",
		op.ShiftRightLogical: "shift_right_logical", op.Subtract: "subtract", op.Xor: "xor",
	} {
		r[code] = alike(name)
	}
	return r
}

// same is the rule of an operation that takes and returns what its HLO form does.
func same(name string) rule {
	return func(c *call) value { return c.result("stablehlo."+name, c.args()) }
}

// alike is same for operands that StableHLO wants in one floating-point type, which is
// that of the result too.
func alike(name string) rule {
	return func(c *call) value {
		operands := c.alike(c.args())
		t := c.typ(c.i.Shape())
		if f, ok := elemOf(operands[0].Type).(stablehlo.FloatType); ok {
			if _, ok := elemOf(t).(stablehlo.FloatType); ok {
				t = withElem(t, f)
			}
		}
		return c.whole([]*stablehlo.Value{c.make("stablehlo."+name, t, operands)})
	}
}

// elementary is same for a function with a result accuracy.
func elementary(name string) rule {
	return func(c *call) value {
		return c.result("stablehlo."+name, c.args(), attr("result_accuracy", c.accuracy()))
	}
}

// accuracy returns the accuracy that is asked for, nil for the default.
func (c *call) accuracy() stablehlo.Attribute {
	a := attrs[op.UnaryAttrs](c).ResultAccuracy
	mode := "DEFAULT"
	switch {
	case a.HasTolerance:
		mode = "TOLERANCE"
	case a.Mode == "highest":
		mode = "HIGHEST"
	default:
		return nil
	}
	word, _ := stablehlo.ResultAccuracyMode.Parse(mode)
	return &stablehlo.ResultAccuracy{Atol: a.ATol, Rtol: a.RTol, Ulps: int64(a.ULPs), Mode: word}
}

// compare says by which order only where it is not the default of the operands' type.
func compare(c *call) value {
	a := attrs[op.CompareAttrs](c)
	args := c.alike(c.args())
	var kind stablehlo.Attribute
	if a.Type != op.ComparisonDefault && len(args) > 0 &&
		a.Type != op.DefaultComparison(c.i.Operand(0).Type()) {
		kind = c.word(stablehlo.ComparisonType, "type", a.Type.String())
	}
	return c.result("stablehlo.compare", args,
		attr("comparison_direction", c.word(stablehlo.ComparisonDirection, "direction", a.Direction.String())),
		attr("compare_type", kind))
}

// selectElements: only the two values must be of one type.
func selectElements(c *call) value {
	args := c.args()
	if len(args) == 3 {
		args = append(args[:1:1], c.alike(args[1:])...)
	}
	return c.result("stablehlo.select", args)
}

func reducePrecision(c *call) value {
	a := attrs[op.ReducePrecisionAttrs](c)
	v := c.make("stablehlo.reduce_precision", c.arg(0).Type, c.args(),
		attr("exponent_bits", stablehlo.Int32(int32(min(a.ExponentBits, math.MaxInt32)))),
		attr("mantissa_bits", stablehlo.Int32(int32(min(a.MantissaBits, math.MaxInt32)))))
	return c.whole([]*stablehlo.Value{v})
}

func mapElements(c *call) value {
	dims := make([]int, c.i.Rank())
	for i := range dims {
		dims[i] = i
	}
	o := c.emit("stablehlo.map", c.args(), c.types(c.i.Shape()), attr("dimensions", ints(dims)))
	c.region(o, c.called(0))
	return c.regionResults(o)
}

// chloRules are the functions that only the dialect chlo has.
func chloRules() map[op.Code]rule {
	r := map[op.Code]rule{op.Mulhi: mulhi, op.RaggedDot: raggedDot, op.Scan: scan, op.Topk: topK}
	for code, name := range map[op.Code]string{
		op.Acos: "acos", op.Acosh: "acosh", op.Asin: "asin", op.Asinh: "asinh", op.Atanh: "atanh", op.Cosh: "cosh",
		op.Erf: "erf", op.Sinh: "sinh",
	} {
		r[code] = func(c *call) value { return c.client(name, c.args()) }
	}
	return r
}

// client makes an operation of the dialect chlo, or the custom call that stands for it
// in a portable artifact.
func (c *call) client(name string, operands []*stablehlo.Value, list ...stablehlo.NamedAttribute) value {
	if c.accuracyIsSet() {
		return c.refuse("a result accuracy")
	}
	if !c.s.r.opts.Portable {
		return c.results("chlo."+name, operands, list...)
	}
	o := stablehlo.NewOp("", nil, nil, list...)
	v := c.results("stablehlo.custom_call", operands,
		attr("call_target_name", stablehlo.StringAttr{Value: "mhlo." + name}),
		attr("mhlo.attributes", &stablehlo.DictAttr{Entries: o.Attrs}),
		attr("mhlo.version", stablehlo.Int64(1)))
	return v
}

func (c *call) accuracyIsSet() bool {
	a, ok := c.i.Attrs().(*op.UnaryAttrs)
	return ok && a != nil && (a.ResultAccuracy.HasTolerance || a.ResultAccuracy.Mode != "")
}

// chloOnly refuses an operation that portable artifacts have no form of.
func (c *call) chloOnly() bool {
	if c.s.r.opts.Portable {
		c.fail("", "", "there is no form of %s in a portable artifact, only in text", c.i.Code())
	}
	return c.s.r.opts.Portable
}

// mulhi in a portable artifact is the upper half of a product of twice the width.
func mulhi(c *call) value {
	t, ok := elemOf(c.arg(0).Type).(stablehlo.IntegerType)
	if !c.s.r.opts.Portable || !ok {
		return c.result("chlo.mulhi", c.args())
	}
	if t.Width > 32 {
		c.chloOnly()
		return value{}
	}
	wide := make([]*stablehlo.Value, len(c.i.Operands()))
	for k, v := range c.args() {
		wide[k] = c.convert(v, stablehlo.IntegerType{Width: 64, Sign: t.Sign})
	}
	product := c.make("stablehlo.multiply", wide[0].Type, wide)
	width := c.constant(stablehlo.NewDenseInts(elemOf(product.Type).(stablehlo.IntegerType), nil, []int64{int64(t.Width)}))
	width = c.make("stablehlo.broadcast_in_dim", product.Type, []*stablehlo.Value{width},
		attr("broadcast_dimensions", stablehlo.Int64Array()))
	high := c.make("stablehlo.shift_right_arithmetic", product.Type, []*stablehlo.Value{product, width})
	return c.whole([]*stablehlo.Value{high})
}

// topK: chlo has the largest elements only, the first of equal ones first.
func topK(c *call) value {
	a := attrs[op.TopKAttrs](c)
	if a.Largest == op.False {
		return c.smallest(a)
	}
	if c.i.Operand(0).Type() == shape.Pred {
		return c.refuse("truth values")
	}
	k := attr("k", stablehlo.Int64(int64(a.K)))
	if c.s.r.opts.Portable {
		return c.client("topk", c.args(), k, attr("largest", stablehlo.Bool(true)))
	}
	return c.client("top_k", c.args(), k)
}

// smallest takes the first elements, and their places, of what a sort gives.
func (c *call) smallest(a *op.TopKAttrs) value {
	x := c.arg(0)
	t, ok := x.Type.(*stablehlo.TensorType)
	if !ok || !t.IsStatic() || t.Rank() == 0 {
		return c.refuse("largest=false and sizes that are not known")
	}
	last := int64(t.Rank() - 1)
	places := c.make("stablehlo.iota", withElem(t, stablehlo.I32), nil, attr("iota_dimension", stablehlo.Int64(last)))
	sorted := c.emit("stablehlo.sort", []*stablehlo.Value{x, places}, []stablehlo.Type{t, places.Type},
		attr("dimension", stablehlo.Int64(last)), attr("is_stable", stablehlo.Bool(true)))
	c.ascending(sorted, t.Elem)
	limit, zeros, ones := slices.Clone(t.Dims), make([]int64, t.Rank()), make([]int64, t.Rank())
	limit[last] = min(int64(a.K), limit[last])
	for i := range ones {
		ones[i] = 1
	}
	leaves := make([]*stablehlo.Value, 2)
	for i, v := range sorted.Results {
		leaves[i] = c.make("stablehlo.slice", staticType(elemOf(v.Type), limit...), []*stablehlo.Value{v},
			attr("start_indices", stablehlo.Int64Array(zeros...)), attr("limit_indices", stablehlo.Int64Array(limit...)),
			attr("strides", stablehlo.Int64Array(ones...)))
	}
	return c.whole(leaves)
}

// ascending gives a sort of elements and their places a comparator: the smaller one first.
func (c *call) ascending(sort *stablehlo.Op, elem stablehlo.Type) {
	x, place := staticType(elem), staticType(stablehlo.I32)
	block := sort.AddRegion().AddBlock(x, x, place, place)
	list := []stablehlo.NamedAttribute{
		attr("comparison_direction", c.word(stablehlo.ComparisonDirection, "direction", "LT"))}
	if _, ok := elem.(stablehlo.FloatType); ok {
		list = append(list, attr("compare_type", c.word(stablehlo.ComparisonType, "type", "TOTALORDER")))
	}
	less := stablehlo.NewOp("stablehlo.compare", block.Args[:2:2], []stablehlo.Type{staticType(stablehlo.I1)}, list...)
	less.Loc = c.loc
	block.Append(less, stablehlo.NewOp("stablehlo.return", less.Results, nil))
}
