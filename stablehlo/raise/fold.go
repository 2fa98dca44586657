package raise

import (
	"math"
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/stablehlo"
)

// foldRules are the reductions, and what else works through a window or a comparator.
func foldRules() map[op.Code]rule {
	return map[op.Code]rule{
		op.BatchNormGrad:      batchNorm("grad"),
		op.BatchNormInference: batchNorm("inference"),
		op.BatchNormTraining:  batchNorm("training"),
		op.Reduce:             reduce,
		op.ReduceWindow:       reduceWindow,
		op.SelectAndScatter:   selectAndScatter,
		op.Sort:               sorted,
	}
}

// paramElem returns the element type that a parameter of a called computation has.
func (c *call) paramElem(p *hlo.Instruction) stablehlo.Type {
	if p == nil {
		return nil
	}
	return elementTypes[p.Type()]
}

// folded returns the operands of a reduction, inputs and then initial values, in the
// types that the called computation works in.
func (c *call) folded() []*stablehlo.Value {
	operands, params := c.args(), c.called(0).Params()
	if len(operands)%2 != 0 || len(params) != len(operands) {
		c.fail("", "", "expected a computation of %d parameters, got %d", len(operands), len(params))
		return operands
	}
	for k := range operands {
		operands[k] = c.convert(operands[k], c.paramElem(params[k]))
	}
	return operands
}

// foldTypes returns the types of the results of a reduction: those of the instruction in
// the element types of the operands.
func (c *call) foldTypes(operands []*stablehlo.Value) []stablehlo.Type {
	types := c.types(c.i.Shape())
	for k, t := range types {
		if k < len(operands) {
			types[k] = withElem(t, elemOf(operands[k].Type))
		}
	}
	return types
}

func reduce(c *call) value {
	operands := c.folded()
	dims := slices.Sorted(slices.Values(attrs[op.ReduceAttrs](c).Dimensions))
	o := c.emit("stablehlo.reduce", operands, c.foldTypes(operands), attr("dimensions", ints(dims)))
	c.region(o, c.called(0))
	return c.regionResults(o)
}

func reduceWindow(c *call) value {
	w := attrs[op.WindowAttrs](c).Window.Dims
	operands := c.folded()
	strides, padding, base, dilations := windowLists(w)
	o := c.emit("stablehlo.reduce_window", operands, c.foldTypes(operands), attr("window_dimensions", c.window(w)),
		attr("window_strides", strides), attr("padding", padding), attr("base_dilations", base),
		attr("window_dilations", dilations))
	c.region(o, c.called(0))
	return c.regionResults(o)
}

// window returns the sizes of a window.
func (c *call) window(w []op.WindowDim) stablehlo.Attribute {
	sizes := make([]int, len(w))
	for i, d := range w {
		if d.Reversal {
			c.refuse("a reversed window")
		}
		sizes[i] = d.Size
	}
	return ints(sizes)
}

func selectAndScatter(c *call) value {
	w := attrs[op.WindowAttrs](c).Window.Dims
	for _, d := range w {
		if d.BaseDilation > 1 || d.WindowDilation > 1 {
			return c.refuse("a dilated window")
		}
	}
	params := c.called(1).Params()
	if len(params) != 2 {
		c.fail("scatter", "", "expected a computation of 2 parameters, got %d", len(params))
		return value{}
	}
	operands := c.args()
	for k := range operands {
		operands[k] = c.convert(operands[k], c.paramElem(params[0]))
	}
	strides, padding, _, _ := windowLists(w)
	o := c.emit("stablehlo.select_and_scatter", operands, typesOf(operands[:1]),
		attr("window_dimensions", c.window(w)), attr("window_strides", strides), attr("padding", padding))
	c.region(o, c.called(0))
	c.region(o, c.called(1))
	return c.regionResults(o)
}

func sorted(c *call) value {
	a := attrs[op.SortAttrs](c)
	o := c.emit("stablehlo.sort", c.args(), c.types(c.i.Shape()),
		attr("dimension", stablehlo.Int64(int64(c.one("dimensions", a.Dimensions)))), attr("is_stable", flag(a.IsStable)))
	c.region(o, c.called(0))
	return c.regionResults(o)
}

// scan has a form in the dialect chlo only. The operands are inputs, then carries.
func scan(c *call) value {
	a := attrs[op.ScanAttrs](c)
	n := len(c.i.Operands())
	results := c.types(c.i.Shape())
	if c.chloOnly() || a.NumCarries < 0 || a.NumCarries > min(n, len(results)) {
		return c.refuse("these carries")
	}
	var associative stablehlo.Attribute
	if a.IsAssociative != op.Unset {
		associative = stablehlo.Bool(a.IsAssociative == op.True)
	}
	carries := int32(a.NumCarries)
	o := c.emit("chlo.scan", c.args(), results, attr("is_reverse", flag(a.IsReverse)),
		attr("dimension", stablehlo.Int64(int64(c.one("dimensions", a.Dimensions)))),
		attr("is_associative", associative),
		attr(stablehlo.OperandSegments, stablehlo.Int32Array(int32(n)-carries, carries)),
		attr(stablehlo.ResultSegments, stablehlo.Int32Array(int32(len(results))-carries, carries)))
	if int(carries) == n {
		o.SetAttr("scan_dim_size", stablehlo.Int64(c.scanLength()))
	}
	c.region(o, c.called(0))
	return c.regionResults(o)
}

// scanLength returns how often a scan without inputs runs: the length of its outputs.
func (c *call) scanLength() int64 {
	dims := attrs[op.ScanAttrs](c).Dimensions
	first := leafShapes(nil, c.i.Shape())[0]
	if len(dims) != 1 || dims[0] >= first.Rank() {
		return 0
	}
	return int64(first.Dims[dims[0]])
}

func batchNorm(kind string) rule {
	return func(c *call) value {
		a := attrs[op.BatchNormAttrs](c)
		epsilon := stablehlo.FloatAttr{Bits: uint64(math.Float32bits(a.Epsilon)), Type: stablehlo.F32}
		return c.results("stablehlo.batch_norm_"+kind, c.args(), attr("epsilon", epsilon),
			attr("feature_index", stablehlo.Int64(int64(a.FeatureIndex))))
	}
}
