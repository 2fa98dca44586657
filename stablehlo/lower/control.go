package lower

import (
	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
)

func controlRules() map[string]rule {
	return map[string]rule{
		"stablehlo.after_all":            afterAll,
		"stablehlo.case":                 caseRule,
		"stablehlo.create_token":         afterAll,
		"stablehlo.get_tuple_element":    getTupleElement,
		"stablehlo.if":                   ifRule,
		"stablehlo.optimization_barrier": optimizationBarrier,
		"stablehlo.tuple":                tuple,
		"stablehlo.while":                while,
	}
}

func afterAll(c *call) []builder.Op { return one(c.b.AfterAll(c.args...)) }

func tuple(c *call) []builder.Op { return one(c.b.Tuple(c.args...)) }

func getTupleElement(c *call) []builder.Op {
	return one(builder.GetTupleElement(c.arg(0), c.int("index")))
}

func optimizationBarrier(c *call) []builder.Op {
	switch len(c.args) {
	case 0:
		return nil
	case 1:
		return one(builder.OptimizationBarrier(c.arg(0)))
	}
	return elements(builder.OptimizationBarrier(c.b.Tuple(c.args...)), len(c.args))
}

// while carries its operands, and then what its regions use from outside, as a tuple.
// An operand that the body returns as it came in, and that is a constant, is one inside.
func while(c *call) []builder.Op {
	cond, body := c.block(0), c.block(1)
	if c.failed() || len(c.op.Regions) != 2 {
		c.fail("", "while_i2", "expected regions cond and body, got %d", len(c.op.Regions))
		return nil
	}
	p := c.capture(c.op.Regions...)
	n := len(c.args)
	fixed := c.fixed(body)
	shapes := []shape.Shape{shape.MakeTuple(append(shapesOf(c.args), p.shapes()...)...)}
	inside := func(b *builder.Builder, block *stablehlo.Block, state []builder.Op) []builder.Op {
		args := append([]builder.Op(nil), state[:n]...)
		for i, k := range fixed {
			args[i] = k.in(b)
		}
		return c.region(b, block, args, p, state[n:])
	}
	count := n + len(p.ops)
	onState := c.computation("condition", shapes, func(b *builder.Builder, x []builder.Op) builder.Op {
		return c.single(inside(b, cond, elements(x[0], count)))
	})
	step := c.computation("body", shapes, func(b *builder.Builder, x []builder.Op) builder.Op {
		state := elements(x[0], count)
		return b.Tuple(append(inside(b, body, state), state[n:]...)...)
	})
	if c.failed() {
		return nil
	}
	final := builder.While(onState, step, c.b.Tuple(append(c.args[:n:n], p.ops...)...))
	return elements(final, n)
}

// single returns the only result of a region.
func (c *call) single(results []builder.Op) builder.Op {
	if len(results) != 1 {
		c.fail("", "", "expected a region with one result, got %d", len(results))
		return builder.Op{}
	}
	return results[0]
}

// fixed returns the operands, by number, that are constants and stay what they are as
// the body returns its argument.
func (c *call) fixed(body *stablehlo.Block) map[int]constant {
	all := map[int]constant{}
	if len(body.Ops) == 0 || len(body.Args) != len(c.args) {
		return all
	}
	returned := body.Ops[len(body.Ops)-1].Operands
	for i, x := range c.args {
		if i >= len(returned) || returned[i] != body.Args[i] {
			continue
		}
		if k, ok := c.s.l.constant(x); ok {
			all[i] = k
		}
	}
	return all
}

func ifRule(c *call) []builder.Op {
	if len(c.op.Regions) != 2 {
		c.fail("", "if_i2", "expected two regions, got %d", len(c.op.Regions))
		return nil
	}
	branches, operands := c.branches()
	if c.failed() {
		return nil
	}
	r := builder.Conditional(c.arg(0), operands[0], branches[0], operands[1], branches[1])
	return c.branchResults(r)
}

func caseRule(c *call) []builder.Op {
	branches, operands := c.branches()
	if c.failed() {
		return nil
	}
	return c.branchResults(builder.ConditionalIndexed(c.arg(0), branches, operands))
}

// branches turns each region into a computation of the tuple of what it uses from
// outside, and returns these tuples.
func (c *call) branches() (branches []builder.Computation, operands []builder.Op) {
	for i, r := range c.op.Regions {
		block := c.block(i)
		p := c.capture(r)
		if c.failed() {
			return nil, nil
		}
		x := c.b.Tuple(p.ops...)
		f := c.computation("branch", []shape.Shape{x.Shape()}, func(b *builder.Builder, args []builder.Op) builder.Op {
			return pack(b, c.region(b, block, nil, p, elements(args[0], len(p.ops))))
		})
		branches, operands = append(branches, f), append(operands, x)
	}
	return branches, operands
}

// branchResults takes the result of a conditional apart.
func (c *call) branchResults(r builder.Op) []builder.Op {
	if c.failed() {
		return nil
	}
	return unpack(r, len(c.op.Results))
}
