package builder_test

import (
	"context"
	"fmt"

	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// run evaluates m and prints the result.
func run(m *hlo.Module, err error, args ...any) {
	if err != nil {
		fmt.Println(err)
		return
	}
	literals := make([]literal.Literal, len(args))
	for i, v := range args {
		literals[i] = literal.Of(v)
	}
	out, err := interp.Run(context.Background(), m, literals, interp.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(out.AppendGolden(nil)))
}

func Example() {
	b := builder.New("axpy")
	x := b.Parameter(0, shape.Make(shape.F32, 4), "x")
	y := b.Parameter(1, shape.Make(shape.F32, 4), "y")
	m, err := b.Build(builder.Add(builder.Mul(b.Const(float32(2)), x), y))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(hlotext.String(m, hlotext.ShortParsable()))
	run(m, err, []float32{1, 2, 3, 4}, []float32{10, 20, 30, 40})
	// Output:
	// HloModule axpy, entry_computation_layout={(f32[4]{0}, f32[4]{0})->f32[4]{0}}
	//
	// ENTRY main {
	//   constant = f32[] constant(2)
	//   broadcast = f32[4]{0} broadcast(constant), dimensions={}
	//   x = f32[4]{0} parameter(0)
	//   multiply = f32[4]{0} multiply(broadcast, x)
	//   y = f32[4]{0} parameter(1)
	//   ROOT add = f32[4]{0} add(multiply, y)
	// }
	//
	// f32[4] {12, 24, 36, 48}
}

// The first mistake comes out of Build, with its place.
func Example_errors() {
	b := builder.New("mistake")
	x := b.Parameter(0, shape.Make(shape.F32, 2, 3), "x")
	y := b.Parameter(1, shape.Make(shape.F32, 3, 2), "y")
	z := builder.Add(x, y)
	_, err := b.Build(builder.Neg(z))
	fmt.Println(err)
	// Output:
	// example_test.go:65: add: expected equal sizes or 1 in dimension 0, got 2 and 3 [add_o2]
}

// A vector is added to each row of a matrix: its dimension is dimension 1 of the matrix.
func ExampleAdd() {
	b := builder.New("rows")
	m := b.Const([][]float32{{1, 2, 3}, {4, 5, 6}})
	v := b.Const([]float32{10, 20, 30})
	run(b.Build(builder.Add(m, v, 1)))
	// Output: f32[2,3] {{11, 22, 33}, {14, 25, 36}}
}

func ExampleReduce() {
	b := builder.New("rows")
	x := b.Const([][]float32{{3, -8, 1}, {4, 5, -6}})
	largest := builder.Reduce(x, b.Const(float32(0)), []int{1}, func(a, b builder.Op) builder.Op {
		return builder.Max(a, builder.Abs(b))
	})
	run(b.BuildTuple(builder.Reduce(x, b.Zero(shape.F32), []int{0}, builder.Add), largest))
	// Output: (f32[3] {7, -3, -5}, f32[2] {8, 6})
}

// The largest element and its index; of equal elements the last one.
func ExampleReduceMany() {
	b := builder.New("argmax")
	x := b.Const([]float32{3, 9, 2, 9})
	index := b.Iota(shape.Make(shape.S32, 4), 0)
	r := builder.ReduceMany([]builder.Op{x, index}, []builder.Op{b.MinValue(shape.F32), b.Zero(shape.S32)}, []int{0},
		func(acc, x []builder.Op) []builder.Op {
			later := builder.Ge(x[0], acc[0])
			return []builder.Op{builder.Select(later, x[0], acc[0]), builder.Select(later, x[1], acc[1])}
		})
	run(b.BuildTuple(r...))
	// Output: (f32[] 9, s32[] 3)
}

func ExampleWhile() {
	b := builder.New("power")
	x := builder.While(
		func(x builder.Op) builder.Op { return builder.Lt(x, builder.ScalarLike(x, 1000)) },
		func(x builder.Op) builder.Op { return builder.Mul(x, builder.ScalarLike(x, 3)) },
		b.Const(int32(1)))
	run(b.Build(x))
	// Output: s32[] 2187
}

// Fibonacci numbers: the state of the loop is a list of values.
func ExampleWhileMany() {
	b := builder.New("fibonacci")
	state := builder.WhileMany(
		func(st []builder.Op) builder.Op { return builder.Lt(st[0], builder.ScalarLike(st[0], 100)) },
		func(st []builder.Op) []builder.Op { return []builder.Op{st[1], builder.Add(st[0], st[1])} },
		[]builder.Op{b.Const(0), b.Const(1)})
	run(b.Build(state[0]))
	// Output: s64[] 144
}

func ExampleConditional() {
	b := builder.New("halve")
	x := b.Const(float32(3))
	y := builder.Conditional(builder.Gt(x, b.Const(float32(2))),
		x, func(x builder.Op) builder.Op { return builder.Div(x, builder.ScalarLike(x, 2)) },
		x, builder.Neg)
	run(b.Build(y))
	// Output: f32[] 1.5
}

func ExampleSort() {
	b := builder.New("sort")
	x := b.Const([]int32{3, 1, 2})
	run(b.BuildTuple(builder.Sort(x, builder.Lt, -1, false), builder.Sort(x, builder.Gt, -1, false)))
	// Output: (s32[3] {1, 2, 3}, s32[3] {3, 2, 1})
}

// Keys and values are sorted together, by the keys.
func ExampleSortMany() {
	b := builder.New("sort")
	keys, values := b.Const([]int32{3, 1, 2}), b.Const([]float32{30, 10, 20})
	r := builder.SortMany([]builder.Op{keys, values}, func(left, right []builder.Op) builder.Op {
		return builder.Lt(left[0], right[0])
	}, -1, true)
	run(b.BuildTuple(r...))
	// Output: (s32[3] {1, 2, 3}, f32[3] {10, 20, 30})
}

// Running sums, and the last one.
func ExampleScan() {
	b := builder.New("sums")
	sums, last := builder.Scan([]builder.Op{b.Const([]int32{1, 2, 3})}, []builder.Op{b.Const(int32(0))},
		func(x, sum []builder.Op) (outs, next []builder.Op) {
			s := builder.Add(x[0], sum[0])
			return []builder.Op{s}, []builder.Op{s}
		}, 0, builder.ScanOptions{Associative: op.True})
	run(b.BuildTuple(sums[0], last[0]))
	// Output: (s32[3] {1, 3, 6}, s32[] 6)
}

func ExampleReduceWindow() {
	b := builder.New("minima")
	x := b.Const([]float32{10000, 1000, 100, 10, 1})
	w := builder.Window{Sizes: []int{3}, Strides: []int{2}}
	valid := builder.ReduceWindow(x, b.MaxValue(shape.F32), builder.Min, w)
	w.Padding = builder.Same
	same := builder.ReduceWindow(x, b.MaxValue(shape.F32), builder.Min, w)
	run(b.BuildTuple(valid, same))
	// Output: (f32[2] {100, 1}, f32[3] {1000, 10, 1})
}

func ExampleDotGeneral() {
	b := builder.New("product")
	x, y := b.Const([][]float32{{1, 2, 3}, {4, 5, 6}}), b.Const([][]float32{{1, 1, 1}, {2, 2, 2}})
	run(b.Build(builder.DotGeneral(x, y, op.DotAttrs{LHSContracting: []int{1}, RHSContracting: []int{1}})))
	// Output: f32[2,2] {{6, 12}, {15, 30}}
}

func ExampleConv() {
	b := builder.New("edges")
	x := builder.Reshape(b.Const([]float32{0, 1, 1, 2, 3}), 1, 1, 5)
	kernel := builder.Reshape(b.Const([]float32{2, -2}), 1, 1, 2)
	run(b.Build(builder.Conv(x, kernel, nil, builder.Same)))
	// Output: f32[1,1,5] {{{-2, 0, -2, -2, 6}}}
}

func ExampleGather() {
	b := builder.New("rows")
	table := b.Const([][]float32{{1, 2}, {3, 4}, {5, 6}})
	rows := b.Const([]int32{2, 0})
	run(b.Build(builder.Gather(table, rows, op.GatherAttrs{OffsetDims: []int{1}, CollapsedSliceDims: []int{0},
		StartIndexMap: []int{0}, IndexVectorDim: 1, SliceSizes: []int{1, 2}})))
	// Output: f32[2,2] {{5, 6}, {1, 2}}
}

func ExampleBuilder_SubComputation() {
	b := builder.New("calls")
	s := shape.Make(shape.F32)
	hypot := b.SubComputation("hypot", []shape.Shape{s, s}, func(x []builder.Op) builder.Op {
		return builder.Sqrt(builder.Add(builder.Mul(x[0], x[0]), builder.Mul(x[1], x[1])))
	})
	run(b.Build(builder.Call(hypot, b.Const(float32(3)), b.Const(float32(4)))))
	// Output: f32[] 5
}

func ExampleAllReduce() {
	b := builder.NewWith("mean", builder.Options{Replicas: 4, NoMetadata: true})
	x := b.Parameter(0, shape.Make(shape.F32, 2), "x")
	sum := builder.AllReduce(x, builder.Add, builder.CollectiveOptions{Groups: builder.Groups([]int{0, 1}, []int{2, 3})})
	if _, err := b.Build(builder.Div(sum, builder.ScalarLike(sum, 2))); err != nil {
		fmt.Println(err)
	}
	fmt.Println(hlotext.InstructionText(sum.Instruction()))
	// Output: %all-reduce = f32[2]{0} all-reduce(%x), replica_groups={{0,1},{2,3}}, to_apply=%reducer
}
