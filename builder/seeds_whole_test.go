package builder_test

import (
	"strings"

	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// called returns the computations that the first instruction with an opcode calls in the
// entry computation of the case, built again.
func (c *seed) called(code op.Code) []builder.Computation {
	r := &replay{comps: map[*hlo.Computation]builder.Computation{}, ops: map[*hlo.Instruction]builder.Op{}}
	for _, comp := range c.m.PostOrder() {
		if comp != c.m.Entry() {
			r.b = c.SubBuilder(comp.Name())
			r.comps[comp] = r.b.Computation(r.computation(comp))
		}
	}
	for _, i := range c.m.Entry().Instructions() {
		if i.Code() == code {
			return r.called(i)
		}
	}
	return nil
}

// seedCalling has a program for every function that takes the computations of the case.
var seedCalling = map[string]func(c *seed) builder.Op{
	"Call": func(c *seed) builder.Op { return c.Builder.Call(c.called(op.Call)[0], c.p...) },
	"CompositeCall": func(c *seed) builder.Op {
		return c.Builder.CompositeCall(c.called(op.Call)[0], []builder.Op{c.Const(float32(3))}, "foo.bar",
			"{n = 1 : i32, tensor = dense<1> : tensor<i32>}", 1)
	},
	"Map": func(c *seed) builder.Op {
		n := strings.Count(c.args[0], ",") + 1
		return builder.Map(c.p[:n], c.called(op.Map)[0], c.ints(2, ""), c.p[n:]...)
	},
	"Conditional": func(c *seed) builder.Op {
		f := c.called(op.Conditional)
		if c.args[0] == "predicate" {
			return builder.Conditional(c.p[0], c.p[1], f[0], c.p[2], f[1])
		}
		return builder.ConditionalIndexed(c.p[0], f, c.p[1:])
	},
	"Scan": func(c *seed) builder.Op {
		m := strings.Count(c.args[0], ",") + 1
		return builder.ScanWith(c.p[:m], c.p[m:], c.called(op.Scan)[0], c.int(3, "scan_dimension"),
			builder.ScanOptions{Reverse: c.value(4, "is_reverse") == "true", Associative: op.False})
	},
}

// wholeSeeds are the cases of which the call is only a part, or whose program the line does
// not tell: a function makes all of it. The key is the name of the case without edition.
var wholeSeeds = map[string]func(c *seed) builder.Op{
	"reduce_13": argMaxOfParameter,
	"sendrecv_3": func(c *seed) builder.Op {
		ch, token := builder.Channel{ID: 1, Pairs: [][2]int{{0, 0}}}, c.AfterAll()
		recv := builder.RecvStart(token, c.p[0].Shape(), ch)
		send := builder.SendStart(c.p[0], token, ch).After(recv)
		data, _ := builder.RecvDone(recv)
		builder.SendDone(send)
		return data.After(send)
	},
	"reduce_14": argMaxOfParameter,
	"reducewindow_7": func(c *seed) builder.Op {
		return c.Tuple(builder.ReduceWindowMany(c.p[:2], c.p[2:], func(acc, x []builder.Op) []builder.Op {
			return []builder.Op{builder.Add(acc[0], x[0]), builder.Max(acc[1], x[1])}
		}, builder.Window{Sizes: []int{2}, Strides: []int{1}})...)
	},
	"setdimensionsize_1": func(c *seed) builder.Op { return reduceSized(c, builder.Add) },
	"setdimensionsize_2": func(c *seed) builder.Op { return reduceSized(c, builder.Mul) },
	"setdimensionsize_3": func(c *seed) builder.Op { return reduceSized(c, builder.Add) },
	"sort_5": func(c *seed) builder.Op {
		k := c.Iota(shape.Make(shape.S32, 6), 0)
		return c.Tuple(builder.SortMany([]builder.Op{c.p[0], k}, func(l, r []builder.Op) builder.Op {
			return builder.Gt(l[0], r[0])
		}, 0, true)...)
	},
	"sort_6": func(c *seed) builder.Op {
		return c.Tuple(builder.SortMany(c.p, func(l, r []builder.Op) builder.Op {
			return builder.Select(builder.Eq(l[0], r[0]), builder.Lt(l[1], r[1]), builder.Lt(l[0], r[0]))
		}, 0, false)...)
	},
	"alltoall_6": func(c *seed) builder.Op { return builder.AllToAll(c.Tuple(c.ins("f32[2]", "f32[2]")...), 0, 0, 2) },
	"scatter_8": func(c *seed) builder.Op {
		return c.Tuple(builder.ScatterMany(c.p[:2], c.p[2], c.p[3:], func(acc, x []builder.Op) []builder.Op {
			return []builder.Op{builder.Add(acc[0], x[0]), builder.Max(acc[1], x[1])}
		}, *c.attrs(op.Scatter).(*op.ScatterAttrs))...)
	},
	"scatter_22": func(c *seed) builder.Op {
		return c.Tuple(builder.ScatterMany(nil, c.in("s64[2,1]"), nil, func(acc, x []builder.Op) []builder.Op { return acc },
			op.ScatterAttrs{})...)
	},
	"while_1": func(c *seed) builder.Op { return sumTo(c, 0, builder.Broadcast(c.Zero(shape.F32), 10)) },
	"while_2": func(c *seed) builder.Op { return sumTo(c, 1000, c.p[0]) },
	"while_3": nestedLoops,
	"infeed_1": func(c *seed) builder.Op {
		st := c.Tuple(c.Const(int32(0)), c.Const(int32(0)))
		return builder.While(below(4), readItem, builder.While(below(2), readItem, st))
	},
	"infeed_2": func(c *seed) builder.Op {
		c.Infeed(shape.MakeTuple(), "")
		return c.Infeed(shape.Make(shape.S32), "")
	},
	"rnguniform_1": func(c *seed) builder.Op { return allWithin(c, c.Const(float32(-2.5)), c.Const(float32(3))) },
	"rnguniform_2": func(c *seed) builder.Op { return allWithin(c, c.Const(int32(3)), c.Const(int32(6))) },
	"rngnormal_1": func(c *seed) builder.Op {
		return builder.RngNormal(c.Const(float32(1.5)), c.Const(float32(0)), c.shapeArg(2))
	},
	"rngbernoulli_1": func(c *seed) builder.Op {
		s := c.shapeArg(1)
		return c.Tuple(builder.RngBernoulli(c.Zero(shape.F32), s), builder.RngBernoulli(c.One(shape.F32), s))
	},
	"rngbitgenerator_5": bitsTwice,
	"rngbitgenerator_6": bitsTwice,
	"rngbitgenerator_7": bitsTwice,
	"allreduce_8":       func(c *seed) builder.Op { return builder.AllReduce(c.Tuple(), builder.Add) },
}

func argMaxOfParameter(c *seed) builder.Op {
	k := c.Iota(shape.Make(shape.S32, 4), 0)
	return c.Tuple(builder.ReduceMany([]builder.Op{c.p[0], k},
		[]builder.Op{c.MinValue(shape.F32), c.Zero(shape.S32)}, []int{0}, argMax)...)
}

func reduceSized(c *seed, f binaryFn) builder.Op {
	return builder.Reduce(builder.SetDimensionSize(c.p[0], c.p[1], 0), c.p[2], []int{0}, f)
}

// sumTo adds ten numbers to x until the counter, which begins at from, is 1000.
func sumTo(c *seed, from int32, x builder.Op) builder.Op {
	return c.Tuple(builder.WhileMany(
		func(st []builder.Op) builder.Op { return builder.Lt(st[0], builder.ScalarLike(st[0], 1000)) },
		func(st []builder.Op) []builder.Op {
			v := st[0].Builder().Const([]float32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
			return []builder.Op{builder.Add(st[0], builder.ScalarLike(st[0], 1)), builder.Add(st[1], v)}
		}, []builder.Op{c.Const(from), x})...)
}

// below is the condition that element 0 of a tuple is below n.
func below(n int) func(builder.Op) builder.Op {
	return func(st builder.Op) builder.Op {
		i := builder.GetTupleElement(st, 0)
		return builder.Lt(i, builder.ScalarLike(i, n))
	}
}

// readItem counts element 0 of a tuple and appends the next digit to element 1.
func readItem(st builder.Op) builder.Op {
	i, acc := builder.GetTupleElement(st, 0), builder.GetTupleElement(st, 1)
	digit := st.Builder().Infeed(acc.Shape(), "")
	return builder.Tuple(builder.Add(i, builder.ScalarLike(i, 1)),
		builder.Add(builder.Mul(acc, builder.ScalarLike(acc, 10)), digit))
}

// allWithin tells whether 4096 random numbers are in [lo, hi).
func allWithin(c *seed, lo, hi builder.Op) builder.Op {
	x := builder.RngUniform(lo, hi, c.shapeArg(2))
	return builder.ReduceAnd(builder.And(builder.Ge(x, lo), builder.Lt(x, hi)))
}

// bitsTwice tells whether two generators with one state give the same bits.
func bitsTwice(c *seed) builder.Op {
	algorithm, _ := op.ParseRngAlgorithm(strings.ToLower(c.args[0]))
	_, x := builder.RngBitGenerator(algorithm, c.p[0], c.shapeArg(2))
	_, y := builder.RngBitGenerator(algorithm, c.p[0], c.shapeArg(2))
	return builder.ReduceAnd(builder.Eq(x, y))
}

// nestedLoops counts to 3, and in each round to 4, and so the inner rounds to 12.
func nestedLoops(c *seed) builder.Op {
	inner := func(st builder.Op) builder.Op {
		i, sum := builder.GetTupleElement(st, 0), builder.GetTupleElement(st, 1)
		return builder.Tuple(builder.Add(i, builder.ScalarLike(i, 1)), builder.Add(sum, builder.ScalarLike(i, 1)))
	}
	outer := func(st builder.Op) builder.Op {
		i, sum := builder.GetTupleElement(st, 0), builder.GetTupleElement(st, 1)
		w := builder.While(below(4), inner, builder.Tuple(builder.ScalarLike(i, 0), sum))
		return builder.Tuple(builder.Add(i, builder.ScalarLike(i, 1)), builder.GetTupleElement(w, 1))
	}
	return builder.While(below(3), outer, c.Tuple(c.Const(int32(0)), c.Const(int32(0))))
}
