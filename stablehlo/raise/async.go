package raise

import (
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/stablehlo"
)

// asyncRules: what is begun asynchronously is done where it begins, and its end only
// takes the result.
func asyncRules() map[op.Code]rule {
	return map[op.Code]rule{
		op.AllGatherDone:          secondPart,
		op.AllGatherStart:         allGatherStart,
		op.AllReduceDone:          func(c *call) value { return c.value(0) },
		op.AllReduceStart:         allReduce,
		op.AsyncDone:              secondPart,
		op.AsyncStart:             asyncStart,
		op.AsyncUpdate:            asyncUpdate,
		op.CollectivePermuteDone:  secondPart,
		op.CollectivePermuteStart: collectivePermuteStart,
		op.CopyDone:               func(c *call) value { return c.part(c.value(0), 0) },
		op.CopyStart:              copyStart,
	}
}

// part returns element k of a tuple.
func (c *call) part(v value, k int) value {
	if !v.tuple || k >= len(v.elems) {
		c.lose(v)
		c.fail("", "", "expected a tuple of at least %d elements, got another value", k+1)
		return value{}
	}
	return v.elems[k]
}

func secondPart(c *call) value { return c.part(c.value(0), 1) }

// begun returns the value of an operation that begins: the parts that are known, and
// whatever the instruction's shape has behind them.
func (c *call) begun(parts ...value) value {
	v := tupleOf(parts...)
	for len(v.elems) < len(c.i.Shape().Elems) {
		v.elems = append(v.elems, lostValue("the context of an asynchronous operation"))
	}
	return v
}

// operandValue returns the operands as a value: the only one, or the tuple of them.
func (c *call) operandValue() value {
	if len(c.i.Operands()) == 1 {
		return c.value(0)
	}
	return tuple(c)
}

func copyStart(c *call) value {
	v := c.value(0)
	return c.begun(v, v)
}

// inner raises the part of the instruction's shape that is the result as an instruction
// of its own.
func (c *call) inner(f func() []*stablehlo.Value) value {
	s := c.i.Shape()
	if len(s.Elems) < 2 {
		c.fail("", "", "expected a result (operands, result, ...), got %v", s)
		return value{}
	}
	leaves := f()
	if c.err != nil || len(leaves) != countLeaves(s.Elems[1]) {
		c.fail("", "", "expected a result of %d parts, got %d", len(leaves), countLeaves(s.Elems[1]))
		return value{}
	}
	result, _ := tree(s.Elems[1], leaves)
	return c.begun(c.operandValue(), result)
}

func allGatherStart(c *call) value {
	a := attrs[op.AllGatherAttrs](c)
	return c.inner(func() []*stablehlo.Value { return c.gathered(a, c.types(c.i.Shape().Elems[1])) })
}

func collectivePermuteStart(c *call) value {
	a := attrs[op.CollectivePermuteAttrs](c)
	if a.SliceSizes != nil {
		return c.refuse("slice_sizes")
	}
	return c.inner(func() []*stablehlo.Value {
		var leaves []*stablehlo.Value
		for _, v := range c.args() {
			leaves = append(leaves, c.make("stablehlo.collective_permute", v.Type, []*stablehlo.Value{v},
				attr("source_target_pairs", pairs(a.SourceTargetPairs)), attr("channel_handle", channel(a.ChannelID))))
		}
		return leaves
	})
}

func asyncStart(c *call) value {
	return c.link(c.called(0), tuple(c).elems)
}

// asyncUpdate may bring further arguments.
func asyncUpdate(c *call) value {
	last := c.value(0)
	if len(c.i.Operands()) == 1 {
		return last
	}
	start := c.i
	for start.Code() == op.AsyncUpdate {
		start = start.Operand(0)
	}
	if start.Code() != op.AsyncStart || len(start.Called()) == 0 {
		return c.refuse("arguments and no async-start")
	}
	given := c.part(last, 0)
	args := append(given.elems[:len(given.elems):len(given.elems)], tuple(c).elems[1:]...)
	return c.link(start.Called()[0], args)
}

// link is a link of an asynchronous chain: the computation runs when all its arguments
// are there.
func (c *call) link(f *hlo.Computation, args []value) value {
	result := lostValue("the result of a computation that still waits for arguments")
	if c.err == nil && len(args) == len(f.Params()) {
		s := c.s.r.scope(c.s.block, f, c.s.depth+1)
		s.given = args
		var err error
		if result, err = s.value(f); err != nil {
			c.err = err
		}
	}
	return c.begun(tupleOf(args...), result)
}
