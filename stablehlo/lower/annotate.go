package lower

import (
	"fmt"
	"slices"
	"sort"

	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
)

// This file keeps what attributes say besides what is computed: shardings, frontend attributes, which
// parameters and results may share memory.

// annotate gives the instruction behind the results the annotations of the operation.
func (c *call) annotate(results []builder.Op) {
	d, _ := c.op.Attr("mhlo.frontend_attributes").(*stablehlo.DictAttr)
	if d == nil || len(results) == 0 || len(c.op.Regions) > 0 {
		return
	}
	i := results[0].Instruction()
	if i != nil && i.Code() == op.GetTupleElement && len(results) > 1 {
		i = i.Operand(0)
	}
	if i == nil || i.Code() == op.Parameter || c.isArgument(i) {
		return
	}
	for _, e := range d.Entries {
		if v, ok := e.Value.(stablehlo.StringAttr); ok {
			i.FrontendAttributes = append(i.FrontendAttributes, hlo.KeyValue{Key: e.Name, Value: v.Value})
		}
	}
	list := i.FrontendAttributes
	sort.SliceStable(list, func(a, b int) bool { return list[a].Key < list[b].Key })
}

// isArgument reports whether i is an operand that the operation returned as it was.
func (c *call) isArgument(i *hlo.Instruction) bool {
	return slices.ContainsFunc(c.args, func(a builder.Op) bool { return a.Instruction() == i })
}

// shard gives x the sharding that the attributes of an argument hold.
func (l *lowerer) shard(x builder.Op, attrs *stablehlo.DictAttr) error {
	if attrs == nil {
		return nil
	}
	list, err := l.shardings(attrs.Get)
	if err != nil || len(list) != 1 {
		return err
	}
	x.Sharded(list[0])
	return nil
}

// shardResults gives root, the n results of the module, the shardings that the function has for its results.
// Results of which nothing is said are replicated.
func (l *lowerer) shardResults(f *stablehlo.Op, root builder.Op, places []int, n int) error {
	elems, found := make([]op.Sharding, n), false
	for i, k := range places {
		attrs := f.ResultAttrs(i)
		if attrs == nil || k < 0 {
			continue
		}
		list, err := l.shardings(attrs.Get)
		if err != nil {
			return fmt.Errorf("result %d: %w", i, err)
		}
		if len(list) == 1 {
			elems[k], found = list[0], true
		}
	}
	switch {
	case !found:
	case n == 1:
		if root.Instruction().Code() != op.Parameter {
			root.Sharded(elems[0])
		}
	default:
		root.Sharded(op.Sharding{Kind: op.ShardingTuple, Elems: elems})
	}
	return nil
}

// share sets the aliases and donors of m from the attributes of the arguments of f: tf.aliasing_output is the number
// of a result, jax.buffer_donor says that memory may be used for any.
func (l *lowerer) share(m *hlo.Module, f *stablehlo.Op, places []int) error {
	block, err := body(f)
	if err != nil {
		return l.errorAt(f, err)
	}
	numbers, _, err := l.numbers(f, block)
	if err != nil {
		return l.errorAt(f, err)
	}
	for i, n := range numbers {
		attrs := f.ArgAttrs(i)
		if n < 0 || attrs == nil {
			continue
		}
		if donor, ok := attrs.Get("jax.buffer_donor").(stablehlo.IntegerAttr); ok && donor.Value != 0 {
			m.BufferDonors = append(m.BufferDonors, hlo.Donor{Param: n})
		}
		result, ok := attrs.Get("tf.aliasing_output").(stablehlo.IntegerAttr)
		if !ok {
			continue
		}
		if result.Value < 0 || result.Value >= int64(len(places)) || places[result.Value] < 0 {
			return l.errorAt(f, fmt.Errorf("tf.aliasing_output: expected a result in [0, %d), got %d",
				len(places), result.Value))
		}
		if a, ok := alias(m, n, places[result.Value]); ok {
			m.InputOutputAlias = append(m.InputOutputAlias, a)
		}
	}
	return nil
}

// alias returns the alias of a parameter and a result; ok is false where they differ in size, as may come of
// sizes that were not known when the program was written.
func alias(m *hlo.Module, param, result int) (a hlo.Alias, ok bool) {
	a = hlo.Alias{Param: param}
	s := m.Entry().Root().Shape()
	if s.IsTuple() {
		a.OutputIndex, s = []int{result}, s.Elems[result]
	}
	p := m.Entry().Params()[param].Shape()
	return a, sameBytes(s, p)
}

func sameBytes(a, b shape.Shape) bool {
	known := a.IsArray() && b.IsArray() && a.IsStatic() && b.IsStatic()
	return known && a.Type.Bits() == b.Type.Bits() && a.Size() == b.Size()
}
