package raise

import (
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
)

func randomRules() map[op.Code]rule {
	return map[op.Code]rule{op.Rng: rng, op.RngBitGenerator: rngBitGenerator}
}

// distributions and rngAlgorithms are StableHLO's words.
var (
	distributions = map[op.Distribution]string{op.RngUniform: "UNIFORM", op.RngNormal: "NORMAL"}
	rngAlgorithms = map[op.RngAlgorithm]string{
		op.RngDefault: "DEFAULT", op.RngThreeFry: "THREE_FRY", op.RngPhilox: "PHILOX"}
)

func rng(c *call) value {
	word := distributions[attrs[op.RngAttrs](c).Distribution]
	if len(c.i.Operands()) != 2 || !c.i.IsStatic() {
		return c.refuse("parameters or sizes of this kind")
	}
	args := append(c.alike(c.args()), c.sizes(c.i.Dims()))
	return c.result("stablehlo.rng", args,
		attr("rng_distribution", c.word(stablehlo.RNGDistribution, "distribution", word)))
}

// rngBitGenerator: HLO has a form that gives the bits only, too.
func rngBitGenerator(c *call) value {
	word := rngAlgorithms[attrs[op.RngBitGeneratorAttrs](c).Algorithm]
	s := c.i.Shape()
	both := s
	if !s.IsTuple() {
		both = shape.MakeTuple(c.i.Operand(0).Shape(), s)
	}
	o := c.emit("stablehlo.rng_bit_generator", c.args(), c.types(both),
		attr("rng_algorithm", c.word(stablehlo.RNGAlgorithm, "algorithm", word)))
	if s.IsTuple() {
		return c.whole(o.Results)
	}
	return c.whole(o.Results[1:])
}

func dynamicRules() map[op.Code]rule {
	return map[op.Code]rule{
		op.DynamicReshape: dynamicReshape, op.GetDimensionSize: dimension("get_dimension_size"),
		op.SetDimensionSize: dimension("set_dimension_size"),
	}
}

// dimension is the rule of an operation on the size of one dimension.
func dimension(name string) rule {
	return func(c *call) value {
		d := c.one("dimensions", attrs[op.DimensionAttrs](c).Dimensions)
		return c.result("stablehlo."+name, c.args(), attr("dimension", stablehlo.Int64(int64(d))))
	}
}

// dynamicReshape takes the sizes as one vector.
func dynamicReshape(c *call) value {
	args := c.args()
	if c.err != nil {
		return value{}
	}
	var sizes []*stablehlo.Value
	for _, v := range args[1:] {
		sizes = append(sizes, c.reshape(v, 1))
	}
	if len(sizes) == 0 {
		return c.result("stablehlo.reshape", args)
	}
	vector := sizes[0]
	if len(sizes) > 1 {
		vector = c.make("stablehlo.concatenate", staticType(elemOf(vector.Type), int64(len(sizes))), sizes,
			attr("dimension", stablehlo.Int64(0)))
	}
	return c.result("stablehlo.dynamic_reshape", []*stablehlo.Value{args[0], vector})
}
