package builder_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// badPrograms fail with the message behind the place.
var badPrograms = []struct {
	name  string
	build func(p *prog) builder.Op
	want  string
}{
	{"add_c1_type", func(p *prog) builder.Op { return builder.Add(p.in("f32[2]"), p.in("s32[2]")) },
		"add: operand 1: expected the element type f32 of operand 0, got s32 [add_c1]"},
	{"add_c1_precision", func(p *prog) builder.Op { return builder.Add(p.in("f32[2]"), p.Const(2.0)) },
		"add: operand 1: expected the element type f32 of operand 0, got f64 [add_c1]"},
	{"add_i1_tuple", func(p *prog) builder.Op { return builder.Add(p.in("f32[2]"), p.in("(f32[2])")) },
		"add: operand 1: expected an array, got (f32[2]{0}) [add_i1]"},
	{"add_o1_no_dims", func(p *prog) builder.Op { return builder.Add(p.in("f32[2,3]"), p.in("f32[3]")) },
		"add: broadcast_dimensions: expected the dimensions of f32[2,3]{1,0} that f32[3]{0} meets, got none [add_o1]"},
	{"add_o2_sizes", func(p *prog) builder.Op { return builder.Add(p.in("f32[2,3]"), p.in("f32[4,3]")) },
		"add: expected equal sizes or 1 in dimension 0, got 2 and 4 [add_o2]"},
	{"logical", func(p *prog) builder.Op { return builder.LogicalAnd(p.in("s32[2]"), p.in("s32[2]")) },
		"and: operand 0: expected element type pred, got s32"},
	{"logical_not", func(p *prog) builder.Op { return builder.LogicalNot(p.in("s32[2]")) },
		"not: operand 0: expected element type pred, got s32"},
	{"exp_i1", func(p *prog) builder.Op { return builder.Exp(p.in("s32[2]")) },
		"exponential: operand 0: expected element type floating-point or complex, got s32 [exponential_i1]"},
	{"two_options", func(p *prog) builder.Op {
		return builder.Exp(p.in("f32[]"), op.ResultAccuracy{}, op.ResultAccuracy{})
	}, "exponential: expected one option value at most, got 2"},
	{"bitcast", func(p *prog) builder.Op { return builder.BitcastConvertType(p.in("(f32[])"), shape.F16) },
		"bitcast-convert: expected an array and an array type, got (f32[]) and f16"},
	{"clamp_c3", func(p *prog) builder.Op { return builder.Clamp(p.in("s32[]"), p.in("f32[3]"), p.in("f32[]")) },
		"clamp: operand 0: expected the element type f32 of operand 1, got s32 [clamp_c3]"},
	{"select_of_tuples", func(p *prog) builder.Op {
		return builder.Select(p.in("pred[4]"), p.in("(f32[4])"), p.in("(f32[4])"))
	}, "select: operand 1: expected an array, got (f32[4]{0}) [select_i2]"},

	{"const", func(p *prog) builder.Op { return p.Const("text") }, "constant: value: "},
	{"const_uneven", func(p *prog) builder.Op { return p.Const([][]int32{{1, 2}, {3}}) }, "constant: value: "},
	{"constant_i1", func(p *prog) builder.Op { return p.Constant(literal.Literal{}) },
		"constant: value: expected a literal, got none [constant_i1]"},
	{"zero", func(p *prog) builder.Op { return p.Zero(shape.Token) },
		"constant: value: expected an array type, got token"},
	{"min_value", func(p *prog) builder.Op { return p.MinValue(shape.C64) }, "constant: value: "},
	{"scalar_like", func(p *prog) builder.Op { return builder.ScalarLike(p.in("f32[]"), []float32{1}) },
		"constant: value: expected a scalar, got f32[1]{0}"},
	{"parameter_twice", func(p *prog) builder.Op { p.in("f32[]"); return p.Parameter(0, shapeOf("f32[]"), "x") },
		"parameter: number: expected a number that is free, got 0, which is %Arg_0"},
	{"parameter_shape", func(p *prog) builder.Op { return p.Parameter(0, shape.Make(shape.F32, -2), "x") },
		"parameter: expected a valid shape: "},
	{"parameter_gap", func(p *prog) builder.Op { return p.Parameter(1, shapeOf("f32[]"), "x") },
		"parameter: number: expected parameter 0 of computation main, got none"},

	{"broadcast", func(p *prog) builder.Op { return builder.Broadcast(p.in("f32[]"), 2, -1) },
		"broadcast: broadcast_sizes[1]: expected a size of at least 0, got -1 [broadcast_in_dim_o2]"},
	{"broadcast_in_dim_c2", func(p *prog) builder.Op { return builder.BroadcastInDim(p.in("f32[2]"), []int{2}, nil) },
		"broadcast: broadcast_dimensions: expected 1 entries, got 0 [broadcast_in_dim_c2]"},
	{"broadcast_in_dim_c3", func(p *prog) builder.Op { return builder.BroadcastInDim(p.in("f32[2]"), []int{2}, []int{1}) },
		"broadcast: broadcast_dimensions[0]: 1 is not in [0, 1) [broadcast_in_dim_c3]"},
	{"broadcast_in_dim_c4", func(p *prog) builder.Op {
		return builder.BroadcastInDim(p.in("f32[2,2]"), []int{2}, []int{0, 0})
	}, "broadcast: broadcast_dimensions: expected each dimension once, got 0 twice [broadcast_in_dim_c4]"},
	{"broadcast_in_dim_c5", func(p *prog) builder.Op { return builder.BroadcastInDim(p.in("f32[2]"), []int{3}, []int{0}) },
		"broadcast: broadcast_dimensions[0]: expected size 1 or 3 as dimension 0 of the result, got 2 [broadcast_in_dim_c5]"},
	{"reshape_negative", func(p *prog) builder.Op { return builder.Reshape(p.in("f32[4]"), -2, -2) },
		"reshape: dimensions: expected a valid shape: "},
	{"collapse_order", func(p *prog) builder.Op { return builder.Collapse(p.in("f32[4,2,3]"), 1, 0) },
		"reshape: dimensions[1]: expected consecutive dimensions in order, 2 behind 1, got 0"},
	{"collapse_gap", func(p *prog) builder.Op { return builder.Collapse(p.in("f32[4,2,3]"), 0, 2) },
		"reshape: dimensions[1]: expected consecutive dimensions in order, 1 behind 0, got 2"},
	{"collapse_range", func(p *prog) builder.Op { return builder.Collapse(p.in("f32[4]"), 1) },
		"reshape: dimensions[0]: 1 is not in [0, 1)"},
	{"pad_in_dim", func(p *prog) builder.Op { return builder.PadInDim(p.in("f32[4]"), p.in("f32[]"), 1, 0, 0) },
		"pad: dimension: 1 is not in [0, 1)"},
	{"concat_types", func(p *prog) builder.Op { return builder.ConcatInDim(p.ins("f32[2]", "f16[2]"), 0) },
		"concatenate: operand 1: expected the element type f32 of operand 0, got f16 [concatenate_c1]"},
	{"concat_none", func(p *prog) builder.Op { return p.ConcatInDim(nil, 0) },
		"concatenate: expected at least one operand, got none [concatenate_c3]"},
	{"slice_entries", func(p *prog) builder.Op { return builder.Slice(p.in("f32[4]"), []int{0}, nil, nil) },
		"slice: limit_indices: expected 1 entries, got 0"},
	{"slice_strides", func(p *prog) builder.Op { return builder.Slice(p.in("f32[4]"), []int{0}, []int{4}, []int{1, 1}) },
		"slice: strides: expected 1 entries, got 2"},
	{"slice_in_dim", func(p *prog) builder.Op { return builder.SliceInDim(p.in("f32[4]"), 0, 1, 1, 1) },
		"slice: dimension: 1 is not in [0, 1)"},
	{"dynamic_slice_vector", func(p *prog) builder.Op {
		return builder.DynamicSliceVector(p.in("f32[4,3]"), p.in("s32[3]"), []int{1, 1})
	}, "dynamic-slice: start_indices: expected an array of rank 1 with 2 elements, got s32[3]{0}"},
	{"dynamic_reshape", func(p *prog) builder.Op {
		return builder.DynamicReshape(p.in("f32[6]"), p.ins("s32[]"), []int{2, 3}, []bool{true, true})
	}, "dynamic-reshape: dim_sizes: expected 2 entries, got 1"},
	{"sort_c4", func(p *prog) builder.Op { return builder.Sort(p.in("f32[4]"), builder.Lt, 1, false) },
		"sort: dimensions: 1 is not in [0, 1) [sort_c4]"},
	{"sort_c5", func(p *prog) builder.Op { return builder.Sort(p.in("f32[4]"), builder.Add, 0, false) },
		"sort: expected a comparator that returns pred[], got f32[] [sort_c5]"},

	{"call_o1", func(p *prog) builder.Op { return p.Call(p.doubleOf("f32[]")) },
		"call: expected 1 operands, one for each parameter of the computation, got 0 [call_o1]"},
	{"call_zero", func(p *prog) builder.Op { return builder.Call(builder.Computation{}, p.in("f32[]")) },
		"call: expected a computation to call, got the zero Computation"},
	{"call_foreign", func(p *prog) builder.Op { return builder.Call(newProg("other").doubleOf("f32[]"), p.in("f32[]")) },
		"call: expected a computation of this module, got double of module other: Import copies one"},
	{"composite_name", func(p *prog) builder.Op {
		return builder.CompositeCall(p.doubleOf("f32[]"), p.ins("f32[]"), "", "", 0)
	}, "call: composite.name: expected a name, got none"},
	{"composite_version", func(p *prog) builder.Op {
		return builder.CompositeCall(p.doubleOf("f32[]"), p.ins("f32[]"), "a", "", -1)
	}, "call: composite.version: expected at least 0, got -1"},
	{"custom_call", func(p *prog) builder.Op { return p.CustomCall("f", nil, shape.Shape{}) },
		"custom-call: expected a valid result shape: "},
	{"conditional_predicate", func(p *prog) builder.Op {
		return builder.Conditional(p.in("pred[2]"), p.in("f32[]"), double, p.in("f32[]"), double)
	}, "conditional: operand 0: expected a pred scalar, got pred[2]{0} [case_i1]"},
	{"conditional_index", func(p *prog) builder.Op {
		return builder.ConditionalIndexed(p.in("f32[]"), []builder.Computation{}, nil)
	}, "conditional: operand 0: expected an s32 scalar, got f32[] [case_i1]"},
	{"conditional_operands", func(p *prog) builder.Op {
		return builder.ConditionalIndexed(p.in("s32[]"), []func(builder.Op) builder.Op{double}, nil)
	}, "conditional: branch_operands: expected 1 entries, got 0"},
	{"while_many_nil", func(p *prog) builder.Op { return builder.WhileMany(nil, nil, p.ins("f32[]"))[0] },
		"while: expected functions as condition and body, got nil"},
	{"while_many_count", func(p *prog) builder.Op {
		return builder.WhileMany(func(st []builder.Op) builder.Op { return builder.Lt(st[0], st[1]) },
			func(st []builder.Op) []builder.Op { return st[:1] }, p.ins("f32[]", "f32[]"))[1]
	}, "while: body: "},
	{"map_none", func(p *prog) builder.Op { return builder.Map(nil, builder.Neg, nil, p.in("f32[]")) },
		"map: expected at least one operand, got none"},
	{"map_loop_dims", func(p *prog) builder.Op {
		return builder.Map(p.ins("f32[2]", "f32[3]"), func(x []builder.Op) builder.Op { return x[0] }, nil, p.in("f32[5]"))
	}, "map: operand 1: expected the dimensions of operand 0, f32[2]{0}, got f32[3]{0} [map_c1]"},
	{"map_parameters", func(p *prog) builder.Op { return builder.Map(p.ins("f32[2]"), builder.Add, nil) },
		"map: expected a map of 1 parameters, got one of 2"},
	{"scan_dimension", func(p *prog) builder.Op {
		outs, _ := builder.Scan(p.ins("f32[2]"), nil, func(x, _ []builder.Op) (outs, next []builder.Op) { return x, nil }, 1)
		return outs[0]
	}, "scan: scan_dimension: 1 is not in [0, 1)"},
	{"async_done", func(p *prog) builder.Op { return builder.AsyncDone(p.in("f32[]")) },
		"async-done: operand 0: expected the result of AsyncStart or AsyncUpdate, got %Arg_0, a parameter"},
	{"copy_done", func(p *prog) builder.Op { return builder.CopyDone(builder.Neg(p.in("f32[]"))) },
		"copy-done: operand 0: expected the result of copy-start, got %negate, a negate"},

	{"reduce_nil", func(p *prog) builder.Op {
		return builder.Reduce(p.in("f32[2]"), p.in("f32[]"), []int{0}, (func(a, b builder.Op) builder.Op)(nil))
	}, "reduce: expected a function as reducer, got nil"},
	{"reduce_inits", func(p *prog) builder.Op { return builder.ReduceMany(p.ins("f32[2]"), nil, []int{0}, argMax)[0] },
		"reduce: init_values: expected 1 entries, got 0"},
	{"window_sizes", func(p *prog) builder.Op {
		return builder.ReduceWindow(p.in("f32[2,3]"), p.in("f32[]"), builder.Add, builder.Window{Sizes: []int{2}})
	}, "reduce-window: window_dimensions: expected 2 entries, got 1"},
	{"window_padding", func(p *prog) builder.Op {
		return builder.ReduceWindow(p.in("f32[2]"), p.in("f32[]"), builder.Add, builder.Window{Sizes: []int{2}, Padding: 7})
	}, "reduce-window: padding: expected Valid or Same, got 7"},
	{"window_both", func(p *prog) builder.Op {
		return builder.ReduceWindow(p.in("f32[2]"), p.in("f32[]"), builder.Add,
			builder.Window{Sizes: []int{2}, Padding: builder.Same, Edges: [][2]int{{0, 0}}})
	}, "reduce-window: padding: expected Same or explicit edges, got both"},
	{"dot_rank", func(p *prog) builder.Op { return builder.Dot(p.in("f32[2]"), p.in("f32[2,2,2]")) },
		"dot: operand 1: expected rank 1 or 2, got f32[2,2,2]{2,1,0}"},
	{"conv_rank", func(p *prog) builder.Op { return builder.Conv(p.in("f32[2]"), p.in("f32[2]"), nil, builder.Same) },
		"convolution: operand 0: expected rank 2 or more, got f32[2]{0} [convolution_c1]"},
	{"conv_strides", func(p *prog) builder.Op {
		return builder.Conv(p.in("f32[1,1,2]"), p.in("f32[1,1,2]"), []int{1, 1}, builder.Same)
	}, "convolution: window_strides: expected 1 entries, got 2"},
	{"rng_bernoulli_mean", func(p *prog) builder.Op { return builder.RngBernoulli(p.in("s32[]"), shapeOf("u32[8]")) },
		"rng: operand 0: expected an f32 scalar as mean, got s32[]"},
	{"rng_bernoulli_shape", func(p *prog) builder.Op { return builder.RngBernoulli(p.in("f32[]"), shapeOf("f32[8]")) },
		"rng: shape: expected a shape of type u32, got f32[8]{0}"},

	{"all_gather_count", func(p *prog) builder.Op { return builder.AllGather(p.in("f32[2]"), 0, 0) },
		"all-gather: shard_count: expected at least 1, got 0"},
	{"all_gather_groups", func(p *prog) builder.Op { return builder.AllGather(p.in("f32[2]"), 0, 4, halves) },
		"all-gather: shard_count: expected the group size 2, got 4"},
	{"all_gather_dimension", func(p *prog) builder.Op { return builder.AllGather(p.in("f32[2]"), 1, 2) },
		"all-gather: dimensions: 1 is not in [0, 1)"},
	{"all_reduce_empty", func(p *prog) builder.Op { return builder.AllReduce(p.Tuple(), builder.Add) },
		"all-reduce: operand 0: expected an array or a tuple with elements, got the empty tuple"},
	{"reduce_scatter", func(p *prog) builder.Op { return builder.ReduceScatter(p.in("f32[3]"), builder.Add, 0, 2) },
		"reduce-scatter: dimensions: expected a size divisible by 2 in dimension 0, got 3"},
	{"all_to_all_concat", func(p *prog) builder.Op { return builder.AllToAll(p.in("f32[4]"), 0, 1, 2) },
		"all-to-all: concat_dimension: 1 is not in [0, 1)"},
	{"channel", func(p *prog) builder.Op { return builder.Send(p.in("f32[4]"), builder.Channel{}) },
		"send: channel_id: expected a positive channel id, got 0"},
	{"recv_done", func(p *prog) builder.Op { x, _ := builder.RecvDone(p.in("f32[]")); return builder.Neg(builder.Neg(x)) },
		"recv-done: operand 0: expected (data, u32[], token[]), got f32[] [recv_done_o1]"},
	{"send_done_of_recv", func(p *prog) builder.Op {
		return builder.SendDone(builder.RecvStart(p.AfterAll(), shapeOf("f32[]"), builder.Channel{ID: 1}))
	}, "send-done: operand 0: expected the result of a send, got %recv, a recv"},
	{"send_to_host", func(p *prog) builder.Op {
		return builder.SendToHost(p.in("f32[4]"), p.AfterAll(), shapeOf("f32[5]"), builder.Channel{ID: 1})
	}, "send: shape_with_layout: expected f32[4]{0} as the operand, got f32[5]{0}"},
	{"infeed_c2", func(p *prog) builder.Op { return p.Infeed(shapeOf("(f32[], (s32[], s32[]))"), "") },
		"infeed: expected an array or a tuple of arrays as data, got (f32[], (s32[], s32[])) [infeed_c2]"},
}

func TestBadPrograms(t *testing.T) {
	for _, c := range badPrograms {
		t.Run(c.name, func(t *testing.T) {
			p := newProg("bad")
			_, err := p.Build(c.build(p))
			if err == nil {
				t.Fatalf("built, want %s", c.want)
			}
			text := err.Error()
			if i := strings.Index(text, ": "); i >= 0 && strings.Contains(text[:i], "_test.go:") {
				text = text[i+2:]
			} else {
				t.Errorf("no place in %s", text)
			}
			if text != c.want && (!strings.HasSuffix(c.want, ": ") || !strings.HasPrefix(text, c.want)) {
				t.Errorf("got  %s\nwant %s", text, c.want)
			}
		})
	}
}

// here returns the place of its caller.
func here() string {
	_, file, line, _ := runtime.Caller(1)
	return fmt.Sprintf("%s:%d", filepath.Base(file), line)
}

func TestErrorPlace(t *testing.T) {
	p := newProg("place")
	x, y := p.in("f32[2]"), p.in("f32[3]")
	var want string
	z := builder.Reduce(x, p.Zero(shape.F32), []int{0}, func(a, b builder.Op) builder.Op {
		want = here()
		return builder.Add(a, builder.And(a, b)) // one line below want
	})
	_, err := p.Build(builder.Mul(z, builder.Add(x, y)))
	e, ok := errors.AsType[*op.Error](err)
	if !ok {
		t.Fatalf("got %v, want an *op.Error", err)
	}
	e.Pos.Line--
	if got := e.Pos.String(); got != want || e.Op != op.And {
		t.Errorf("got %s, %v, want %s, and", got, e.Op, want)
	}
}

// TestOtherComputation: values from outside of a function are an error that names the line.
func TestOtherComputation(t *testing.T) {
	p := newProg("outside")
	x := p.in("f32[2]")
	var want string
	builder.Map([]builder.Op{x}, func(e builder.Op) builder.Op {
		want = here()
		return builder.Add(e, x)
	}, nil)
	want = next(want) + ": add: expected operand 1 to be a value of computation map, got %Arg_0 of main: " +
		"what a computation uses must come in by its parameters"
	if err := p.Err(); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// next returns the line after that of place.
func next(place string) string {
	var line int
	file, number, _ := strings.Cut(place, ":")
	fmt.Sscan(number, &line)
	return fmt.Sprintf("%s:%d", file, line+1)
}

func TestResultOfOtherComputation(t *testing.T) {
	p := newProg("outside")
	x := p.in("f32[]")
	builder.While(func(builder.Op) builder.Op { return x }, double, x)
	wantError(t, p.Err(), "expected the result to be a value of computation condition, got %Arg_0 of main")
}

func TestOtherModule(t *testing.T) {
	p, q := newProg("p"), newProg("q")
	builder.Add(p.in("f32[]"), q.in("f32[]"))
	for _, b := range []*prog{p, q} { // whichever is built, the error is there
		wantError(t, b.Err(), "expected operand 1 to be a value of this module, got %Arg_0 of module q")
	}
}

func TestFinished(t *testing.T) {
	p := newProg("finished")
	var inner builder.Op
	builder.Map(p.ins("f32[2]"), func(e builder.Op) builder.Op { inner = e; return e }, nil)
	builder.Neg(inner)
	wantError(t, p.Err(), "negate: expected a computation under construction, got map, which is finished")

	p = newProg("built")
	x := p.in("f32[]")
	if _, err := p.Build(x); err != nil {
		t.Fatal(err)
	}
	builder.Neg(x)
	_, err := p.Build(x)
	wantError(t, err, "negate: expected a computation under construction, got main, which is finished")
}

func TestWrongBuilder(t *testing.T) {
	p := newProg("wrong")
	sub := p.SubBuilder("sub")
	_, err := sub.Build(sub.Zero(shape.F32))
	wantError(t, err, "expected the builder that New returned, got that of computation sub")

	p = newProg("wrong")
	p.Computation(p.Zero(shape.F32))
	wantError(t, p.Err(), "expected a builder from SubBuilder, got that of the entry computation")

	p = newProg("wrong")
	p.Import(nil)
	wantError(t, p.Err(), "expected a module with an entry computation to import, got none")
}

func TestZeroOp(t *testing.T) {
	var x builder.Op
	p := newProg("zero")
	builder.Add(p.in("f32[]"), x)
	wantError(t, p.Err(), "add: expected a value as operand 1, got an Op that no function returned")
	p = newProg("zero")
	_, err := p.Build(builder.Neg(x))
	wantError(t, err, "expected a value as the result, got an Op that no function returned")
	_, err = x.Builder().Build(x)
	wantError(t, err, "no builder")
}

// TestNoOperands: without operands there is no builder to tell, so the result tells.
func TestNoOperands(t *testing.T) {
	first := func(a, b []builder.Op) []builder.Op { return a }
	less := func(a, b []builder.Op) builder.Op { return builder.Lt(a[0], b[0]) }
	for _, c := range []struct {
		name string
		x    builder.Op
	}{
		{"reduce", builder.ReduceMany(nil, nil, nil, first)[0]},
		{"reduce-window", builder.ReduceWindowMany(nil, nil, first, builder.Window{})[0]},
		{"sort", builder.SortMany(nil, less, 0, false)[0]},
		{"tuple", builder.Tuple()},
		{"concatenate", builder.ConcatInDim(nil, 0)},
	} {
		want := c.name + ": expected at least one operand, got none"
		wantError(t, c.x.Builder().Err(), want)
		_, err := c.x.Builder().Build(c.x)
		wantError(t, err, want)
		p := newProg("none")
		_, err = p.Build(builder.Add(p.in("f32[]"), c.x))
		wantError(t, err, want)
	}
	p := newProg("none")
	builder.ReduceMany(nil, []builder.Op{p.in("f32[]")}, nil, first)
	wantError(t, p.Err(), "reduce: expected at least one operand, got none")
}

func wantError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// TestFirstErrorIsKept: later errors do not count, and functions on invalid values do nothing.
func TestFirstErrorIsKept(t *testing.T) {
	p := newProg("first")
	bad := builder.Add(p.in("f32[2]"), p.in("f32[3]"))
	if bad.IsValid() || bad.Instruction() != nil || bad.Rank() != 0 || bad.Dim(0) != 0 || bad.Type() != shape.Invalid {
		t.Errorf("got a value %v", bad.Shape())
	}
	first := p.Err()
	for _, c := range badPrograms {
		c.build(p)
	}
	p2 := &prog{Builder: p.Builder}
	for _, c := range allPrograms() {
		c.build(p2)
	}
	if p.Err() != first {
		t.Errorf("got %v, want %v", p.Err(), first)
	}
}

func TestZeroBuilderIsHarmless(t *testing.T) {
	for _, c := range allPrograms() {
		c.build(&prog{})
	}
}

func TestDim(t *testing.T) {
	p := newProg("dim")
	x := p.in("f32[2,3]")
	if x.Dim(0) != 2 || x.Dim(-1) != 3 || x.Rank() != 2 || x.Type() != shape.F32 || p.Err() != nil {
		t.Errorf("got %d %d %d %v, %v", x.Dim(0), x.Dim(-1), x.Rank(), x.Type(), p.Err())
	}
	if x.Dim(2) != 0 {
		t.Errorf("Dim(2) = %d", x.Dim(2))
	}
	wantError(t, p.Err(), "errors_test.go:")
}
