package builder_test

import (
	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// double is x + x.
func double(x builder.Op) builder.Op { return builder.Add(x, x) }

// negateOf makes a computation that negates a value of the shape in text.
func (p *prog) negateOf(text string) builder.Computation {
	return p.SubComputation("negate", []shape.Shape{shapeOf(text)}, func(args []builder.Op) builder.Op {
		return builder.Neg(args[0])
	})
}

// doubleOf makes a computation that doubles a value of the shape in text.
func (p *prog) doubleOf(text string) builder.Computation {
	return p.SubComputation("double", []shape.Shape{shapeOf(text)}, func(args []builder.Op) builder.Op {
		return double(args[0])
	})
}

var programsControl = []program{
	{"Tuple", func(p *prog) builder.Op { return builder.Tuple(p.in("f32[2]"), p.in("s32[]")) }},
	{"Tuple without elements", func(p *prog) builder.Op { return p.Tuple() }},
	{"GetTupleElement", func(p *prog) builder.Op { return builder.GetTupleElement(p.in("(f32[2], s32[])"), 1) }},
	{"OptimizationBarrier", func(p *prog) builder.Op { return builder.OptimizationBarrier(p.in("(f32[2], s32[])")) }},
	{"Domain", func(p *prog) builder.Op {
		return builder.Domain(p.in("f32[2]"), op.DomainSpec{Kind: "sharding",
			Entry: &op.Sharding{Kind: op.ShardingMaximal}, Exit: &op.Sharding{Kind: op.ShardingMaximal, Device: 1}})
	}},
	{"AfterAll", func(p *prog) builder.Op { return p.AfterAll(p.in("token[]"), p.AfterAll()) }},
	{"AddDependency", func(p *prog) builder.Op { return builder.AddDependency(p.in("f32[2]"), p.in("token[]")) }},

	{"Call", func(p *prog) builder.Op {
		f := p.doubleOf("f32[2]")
		return builder.Call(f, builder.Call(f, p.in("f32[2]")))
	}},
	{"Call without operands", func(p *prog) builder.Op {
		sub := p.SubBuilder("answer")
		return p.Call(sub.Computation(sub.Const(int32(42))))
	}},
	{"CompositeCall", func(p *prog) builder.Op {
		return builder.CompositeCall(p.doubleOf("f32[]"), p.ins("f32[]"), "foo.bar", "{n = 1 : i32}", 1)
	}},
	{"CompositeCall without attributes", func(p *prog) builder.Op {
		return builder.CompositeCall(p.doubleOf("f32[]"), p.ins("f32[]"), "foo.bar", "", 0)
	}},
	{"Fusion", func(p *prog) builder.Op { return builder.Fusion("kLoop", p.doubleOf("f32[2]"), p.in("f32[2]")) }},
	{"CustomCall", func(p *prog) builder.Op {
		return builder.CustomCall("myfunc", p.ins("f32[2]", "f32[2,3]"), shapeOf("f32[3,3]"))
	}},
	{"CustomCall with options", func(p *prog) builder.Op {
		return p.CustomCall("myfunc", p.ins("f32[2]"), shapeOf("(f32[2], s32[])"), builder.CustomCallOptions{
			BackendConfig: `{"k":1}`, Called: []builder.Computation{p.doubleOf("f32[]")},
			Attrs: op.CustomCallAttrs{HasSideEffect: true, APIVersion: "API_VERSION_STATUS_RETURNING",
				Aliasing: []op.OutputAliasing{{OutputIndex: []int{0}, Operand: 0}}}})
	}},

	{"Map", func(p *prog) builder.Op { return builder.Map(p.ins("f32[2,3]", "f32[2,3]"), builder.Atan2, nil) }},
	{"Map of one array", func(p *prog) builder.Op {
		return builder.Map(p.ins("f32[2,3]"), builder.Tanh, []int{0, 1})
	}},
	{"Map with a static scalar", func(p *prog) builder.Op {
		return builder.Map(p.ins("f32[3]", "f32[3]"), func(x []builder.Op) builder.Op {
			return builder.Add(builder.Mul(x[0], x[1]), x[2])
		}, nil, p.in("f32[]"))
	}},
	{"Map with a static array", func(p *prog) builder.Op {
		return builder.Map(p.ins("s32[2,2]"), func(x []builder.Op) builder.Op {
			return builder.Reshape(builder.DynamicSlice(x[1], x[:1], []int{1}))
		}, nil, p.in("f32[5]"))
	}},
	{"Conditional", func(p *prog) builder.Op {
		return builder.Conditional(p.in("pred[]"), p.in("f32[]"), double, p.in("s32[2]"), func(x builder.Op) builder.Op {
			return builder.ReduceSum(builder.ConvertElementType(x, shape.F32))
		})
	}},
	{"ConditionalIndexed", func(p *prog) builder.Op {
		return builder.ConditionalIndexed(p.in("s32[]"), []func(builder.Op) builder.Op{double, builder.Neg, builder.Abs},
			p.ins("s32[]", "s32[]", "s32[]"))
	}},
	{"While", func(p *prog) builder.Op {
		return builder.While(
			func(x builder.Op) builder.Op { return builder.Lt(x, builder.ScalarLike(x, 1000)) },
			double, p.in("s32[]"))
	}},
	{"WhileMany", func(p *prog) builder.Op {
		return p.Tuple(builder.WhileMany(
			func(st []builder.Op) builder.Op { return builder.Lt(st[0], builder.ScalarLike(st[0], 10)) },
			func(st []builder.Op) []builder.Op {
				return []builder.Op{builder.Add(st[0], builder.ScalarLike(st[0], 1)), double(st[1])}
			}, []builder.Op{p.Const(int32(0)), p.in("f32[10]")})...)
	}},
	{"Scan", func(p *prog) builder.Op {
		outs, carries := builder.Scan(p.ins("f32[2,3]", "s32[2,3]"), p.ins("f32[2]"),
			func(elems, carries []builder.Op) (outs, next []builder.Op) {
				sum := builder.Add(carries[0], builder.Mul(elems[0], builder.ConvertElementType(elems[1], shape.F32)))
				return []builder.Op{sum}, []builder.Op{sum}
			}, 1, builder.ScanOptions{Reverse: true, Associative: op.False})
		return p.Tuple(append(outs, carries...)...)
	}},
	{"ScanWith", func(p *prog) builder.Op {
		f := p.SubComputation("sum", []shape.Shape{shapeOf("f32[]"), shapeOf("f32[]")}, func(x []builder.Op) builder.Op {
			sum := builder.Add(x[0], x[1])
			return builder.Tuple(sum, sum)
		})
		return builder.ScanWith(p.ins("f32[3]"), p.ins("f32[]"), f, 0, builder.ScanOptions{Associative: op.True})
	}},

	{"AsyncStart", func(p *prog) builder.Op {
		return builder.AsyncDone(builder.AsyncStart("parallel", p.negateOf("f32[2]"), p.in("f32[2]")))
	}},
	{"AsyncUpdate", func(p *prog) builder.Op {
		start := p.AsyncStart("", p.negateOf("f32[2]"), p.in("f32[2]"))
		return builder.AsyncDone(builder.AsyncUpdate(start))
	}},
	{"AsyncDone", func(p *prog) builder.Op {
		f := p.SubComputation("sum", []shape.Shape{shapeOf("f32[2]"), shapeOf("f32[2]")}, func(x []builder.Op) builder.Op {
			return builder.Add(x[0], x[1])
		})
		return builder.AsyncDone(builder.AsyncUpdate(p.AsyncStart("", f, p.in("f32[2]")), p.in("f32[2]")))
	}},
	{"CopyStart", func(p *prog) builder.Op { return builder.CopyDone(builder.CopyStart(p.in("f32[2]"))) }},
	{"CopyDone", func(p *prog) builder.Op { return builder.CopyDone(builder.CopyStart(p.in("f32[]"))) }},
}

// programsBuilder shows methods of Builder, Op and Computation.
var programsBuilder = []program{
	{"BuildTuple", func(p *prog) builder.Op { return p.Tuple(p.in("f32[]")) }},
	{"SubComputation", func(p *prog) builder.Op { return builder.Call(p.doubleOf("f32[2]"), p.in("f32[2]")) }},
	{"SubBuilder", func(p *prog) builder.Op {
		sub := p.SubBuilder("scaled")
		x := sub.Parameter(0, shapeOf("f32[2]"), "x")
		return builder.Call(sub.Computation(builder.Mul(sub.Const(float32(3)), x)), p.in("f32[2]"))
	}},
	{"Computation", func(p *prog) builder.Op {
		max := p.SubComputation("max", []shape.Shape{shapeOf("f32[]"), shapeOf("f32[]")}, func(x []builder.Op) builder.Op {
			return builder.Max(x[0], x[1])
		})
		y := builder.Reduce(p.in("f32[2,3]"), p.MinValue(shape.F32), []int{1}, max)
		return builder.Reduce(y, p.MinValue(shape.F32), []int{0}, max)
	}},
	{"Import", func(p *prog) builder.Op { return builder.Call(p.Import(sumModule()), p.in("f32[4]")) }},
	{"Named", func(p *prog) builder.Op { return double(p.in("f32[]")).Named("twice") }},
	{"Sharded", func(p *prog) builder.Op {
		return double(p.in("f32[4]")).Sharded(op.Sharding{Kind: op.ShardingReplicated})
	}},
	{"WithFrontendAttribute", func(p *prog) builder.Op {
		return double(p.in("f32[]")).WithFrontendAttribute("b", "1").WithFrontendAttribute("a", "2").
			WithFrontendAttribute("b", "3")
	}},
	{"WithMetadata", func(p *prog) builder.Op { return double(p.in("f32[]")).WithMetadata("add", "model/add") }},
	{"WithBackendConfig", func(p *prog) builder.Op { return double(p.in("f32[]")).WithBackendConfig(`{"a":1}`) }},
	{"After", func(p *prog) builder.Op {
		x := p.in("f32[]")
		return p.Tuple(builder.Neg(x).After(builder.Abs(x)), x)
	}},
}

// sumModule returns a module with a computation besides its entry.
func sumModule() *hlo.Module {
	p := newProg("sum")
	m, err := p.Build(builder.ReduceSum(p.in("f32[4]")))
	if err != nil {
		panic(err)
	}
	return m
}
