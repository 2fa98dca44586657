package lower

import (
	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

func randomRules() map[string]rule {
	return map[string]rule{
		"stablehlo.rng":               rng,
		"stablehlo.rng_bit_generator": rngBitGenerator,
	}
}

// rngAlgorithms are the algorithms by their words.
var rngAlgorithms = map[string]op.RngAlgorithm{
	"DEFAULT": op.RngDefault, "THREE_FRY": op.RngThreeFry, "PHILOX": op.RngPhilox,
}

func rngBitGenerator(c *call) []builder.Op {
	algorithm, ok := rngAlgorithms[c.word("rng_algorithm")]
	if !ok {
		c.fail("rng_algorithm", "", "expected an algorithm, got %v", c.op.Attr("rng_algorithm"))
		return nil
	}
	return randomBits(c, algorithm, c.result(1))
}

// randomBits makes a generator of bits of shape s, whose integers may be signed.
func randomBits(c *call, algorithm op.RngAlgorithm, s shape.Shape) []builder.Op {
	state, bits := builder.RngBitGenerator(algorithm, c.arg(0), s)
	if !c.failed() && bits.Type() != s.Type {
		bits = builder.BitcastConvertType(bits, s.Type)
	}
	return []builder.Op{state, bits}
}

// rng draws numbers of a distribution; the shape is an operand.
func rng(c *call) []builder.Op {
	s := shape.Make(c.result(0).Type, c.sizesOr("shape", c.arg(2))...)
	switch word := c.word("rng_distribution"); word {
	case "UNIFORM":
		return one(builder.RngUniform(c.arg(0), c.arg(1), s))
	case "NORMAL":
		return one(builder.RngNormal(c.arg(0), c.arg(1), s))
	default:
		c.fail("rng_distribution", "", "expected UNIFORM or NORMAL, got %q", word)
		return nil
	}
}
