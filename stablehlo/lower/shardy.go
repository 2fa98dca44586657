package lower

import (
	"fmt"

	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
)

// shardyRules: what says how values are spread over devices changes no value.
func shardyRules() map[string]rule {
	return map[string]rule{
		"sdy.manual_computation":  manualComputation,
		"sdy.propagation_barrier": identity,
		"sdy.reshard":             shardingMark,
		"sdy.sharding_constraint": shardingMark,
		"sdy.sharding_group":      func(*call) []builder.Op { return nil },
	}
}

// shardings returns the shardings that the attributes of an operation, an argument or a result hold, one
// a value: mhlo.sharding is HLO text, sdy.sharding the form of Shardy. nil: nothing is said, or nothing that
// matters on one device.
func (l *lowerer) shardings(get func(name string) stablehlo.Attribute) ([]op.Sharding, error) {
	if l.count("mhlo.num_partitions") == 0 {
		return nil, nil
	}
	if text, ok := get("mhlo.sharding").(stablehlo.StringAttr); ok {
		s, err := hlotext.ParseSharding(text.Value)
		if err != nil {
			return nil, fmt.Errorf("mhlo.sharding: %v", err) // without the place in its text
		}
		if s.Kind == op.ShardingTuple {
			return s.Elems, nil
		}
		return []op.Sharding{s}, nil
	}
	for _, name := range []string{"sdy.sharding", "sharding"} {
		if a, ok := get(name).(stablehlo.OpaqueAttr); ok && a.Dialect == "sdy" {
			return l.shardyList(a.Body)
		}
	}
	return nil, nil
}

// shardingMark keeps a sharding as the custom call that HLO has for it.
func shardingMark(c *call) []builder.Op {
	list, err := c.s.l.shardings(c.op.Attr)
	if err != nil {
		c.fail("", "", "%w", err)
	}
	x := c.arg(0)
	if c.failed() || len(list) != 1 {
		return one(x)
	}
	return one(c.marked("Sharding", x, x.Shape(), list[0]))
}

// marked makes one of the custom calls about shardings.
func (c *call) marked(target string, x builder.Op, result shape.Shape, s op.Sharding) builder.Op {
	return c.b.CustomCall(target, []builder.Op{x}, result, builder.CustomCallOptions{}).Sharded(s)
}

// manualComputation is written for the part of its operands that one device has. On one device that is all;
// otherwise it stands between custom calls that cut arrays apart and put them together.
func manualComputation(c *call) []builder.Op {
	block := c.block(0)
	in, err := c.s.l.shardings(func(string) stablehlo.Attribute { return c.op.Attr("in_shardings") })
	out, err2 := c.s.l.shardings(func(string) stablehlo.Attribute { return c.op.Attr("out_shardings") })
	if err == nil {
		err = err2
	}
	if err != nil {
		c.fail("in_shardings", "", "%w", err)
	}
	if c.failed() || len(block.Args) != len(c.args) {
		c.fail("", "", "expected a region of %d arguments, got %d", len(c.args), len(block.Args))
		return nil
	}
	args := append([]builder.Op(nil), c.args...)
	for i := range in {
		part, err := shapeOf(block.Args[i].Type)
		if err != nil {
			c.fail("", "", "%w", err)
			return nil
		}
		whole := c.marked("Sharding", args[i], args[i].Shape(), in[i])
		args[i] = c.marked("SPMDFullToShardShape", whole, part, op.Sharding{Kind: op.ShardingManual})
	}
	p := c.capture(c.op.Regions...)
	results := c.region(c.b, block, args, p, p.ops)
	for i := range out {
		if i < len(results) {
			manual := c.marked("Sharding", results[i], results[i].Shape(), op.Sharding{Kind: op.ShardingManual})
			results[i] = c.marked("SPMDShardToFullShape", manual, c.result(i), out[i])
		}
	}
	return results
}
