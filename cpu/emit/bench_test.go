package emit

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/loop"
)

// unit is element v of a buffer of F32.
func unit(buf, v int) loop.Access {
	return loop.Access{Buffer: buf, Terms: []loop.Term{{Var: v, Stride: 1}}, Mem: loop.MemF32}
}

// axpyNest is y = 2x + y.
func axpyNest(n int64) *loop.Nest {
	b := loop.NewBuilder("axpy")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 4 * n})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 4 * n, Write: true})
	b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(v int) {
		b.Store(unit(y, v), b.Op(loop.FMA, loop.F32, b.Load(unit(x, v), 0), b.Float(loop.F32, 2), b.Load(unit(y, v), 0)), 0)
	})
	return b.Nest()
}

// reduceNest combines n elements by o.
func reduceNest(o loop.Op, n int64) *loop.Nest {
	b := loop.NewBuilder("reduce")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 4 * n})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 4, Write: true})
	init := []loop.Reduction{{Init: b.Const(loop.F32, loop.Identity(o, loop.F32)), Reduce: o}}
	out := b.For(loop.Spec{Extent: n, Lanes: true}, init, func(v int, phi []loop.Value) []loop.Value {
		return []loop.Value{b.Op(o, loop.F32, phi[0], b.Load(unit(x, v), 0))}
	})
	b.Store(loop.Access{Buffer: y, Mem: loop.MemF32}, out[0], 0)
	return b.Nest()
}

// exponential is a plain exp without care for the ends of the range.
func exponential(b *loop.Builder, x loop.Value) loop.Value {
	f := func(v float64) loop.Value { return b.Float(loop.F32, v) }
	op := func(o loop.Op, x ...loop.Value) loop.Value { return b.Op(o, loop.F32, x...) }
	x = op(loop.MaxX, f(-104), op(loop.MinX, f(89), x))
	n := b.OpImm(loop.Round, loop.F32, loop.ToNearestEven, op(loop.Mul, x, f(1.44269504088896341)))
	r := op(loop.FNMA, n, f(0.693359375), x)
	r = op(loop.FNMA, n, f(-2.12194440e-4), r)
	p := f(1.9875691500e-4)
	for _, c := range []float64{1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1} {
		p = op(loop.FMA, p, r, f(c))
	}
	p = op(loop.FMA, p, op(loop.Mul, r, r), op(loop.Add, r, f(1)))
	return op(loop.Scale, p, n)
}

func expNest(n int64) *loop.Nest {
	b := loop.NewBuilder("exp")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 4 * n})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 4 * n, Write: true})
	b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(v int) {
		b.Store(unit(y, v), exponential(b, b.Load(unit(x, v), 0)), 0)
	})
	return b.Nest()
}

// softmaxNest is the softmax of rows of n elements.
func softmaxNest(rows, n int64) *loop.Nest {
	b := loop.NewBuilder("softmax")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 4 * n * rows})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 4 * n * rows, Write: true})
	lanes := loop.Spec{Extent: n, Lanes: true}
	at := func(buf, i, j int) loop.Access {
		return loop.Access{Buffer: buf, Terms: []loop.Term{{Var: i, Stride: n}, {Var: j, Stride: 1}}, Mem: loop.MemF32}
	}
	b.Each(loop.Spec{Extent: rows, Parallel: true}, func(i int) {
		least := []loop.Reduction{{Init: b.Const(loop.F32, loop.Identity(loop.Max, loop.F32)), Reduce: loop.Max}}
		most := b.For(lanes, least, func(j int, phi []loop.Value) []loop.Value {
			return []loop.Value{b.Op(loop.Max, loop.F32, phi[0], b.Load(at(x, i, j), 0))}
		})[0]
		none := []loop.Reduction{{Init: b.Float(loop.F32, 0), Reduce: loop.Add}}
		sum := b.For(lanes, none, func(j int, phi []loop.Value) []loop.Value {
			e := exponential(b, b.Op(loop.Sub, loop.F32, b.Load(at(x, i, j), 0), most))
			b.Store(at(y, i, j), e, 0)
			return []loop.Value{b.Op(loop.Add, loop.F32, phi[0], e)}
		})[0]
		b.Each(lanes, func(j int) {
			b.Store(at(y, i, j), b.Op(loop.Div, loop.F32, b.Load(at(y, i, j), 0), sum), 0)
		})
	})
	return b.Nest()
}

// columnsNest sums the columns of rows of n elements.
func columnsNest(rows, n int64) *loop.Nest {
	b := loop.NewBuilder("columns")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 4 * n * rows})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 4 * n, Write: true})
	b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(j int) {
		none := []loop.Reduction{{Init: b.Float(loop.F32, 0)}}
		sum := b.For(loop.Spec{Extent: rows}, none, func(i int, phi []loop.Value) []loop.Value {
			a := loop.Access{Buffer: x, Terms: []loop.Term{{Var: j, Stride: 1}, {Var: i, Stride: n}}, Mem: loop.MemF32}
			return []loop.Value{b.Op(loop.Add, loop.F32, phi[0], b.Load(a, 0))}
		})
		b.Store(unit(y, j), sum[0], 0)
	})
	return b.Nest()
}

// transposeNest is the transpose of n x n elements, in blocks.
func transposeNest(n int64) *loop.Nest {
	b := loop.NewBuilder("transpose")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 4 * n * n})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 4 * n * n, Write: true})
	b.Each(loop.Spec{Extent: n, Parallel: true}, func(i int) {
		b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(j int) {
			from := loop.Access{Buffer: x, Terms: []loop.Term{{Var: i, Stride: 1}, {Var: j, Stride: n}}, Mem: loop.MemF32}
			to := loop.Access{Buffer: y, Terms: []loop.Term{{Var: i, Stride: n}, {Var: j, Stride: 1}}, Mem: loop.MemF32}
			b.Store(to, b.Load(from, 0), 0)
		})
	})
	nest := b.Nest()
	loop.Tile(nest, loop.Target{Code: true})
	return nest
}

// countNest is a while loop over a counter and a product.
func countNest(n int64) *loop.Nest {
	b := loop.NewBuilder("count")
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 4, Write: true})
	inits := []loop.Value{b.Int(loop.I32, 0), b.Float(loop.F32, 1)}
	out := b.While(inits, func(phi []loop.Value) loop.Value {
		return b.Cmp(loop.LT, phi[0], b.Int(loop.I32, n))
	}, func(phi []loop.Value) []loop.Value {
		return []loop.Value{b.Op(loop.Add, loop.I32, phi[0], b.Int(loop.I32, 1)),
			b.Op(loop.Mul, loop.F32, phi[1], b.Float(loop.F32, 1.000001))}
	})
	b.Store(loop.Access{Buffer: y, Mem: loop.MemF32}, out[1], 0)
	return b.Nest()
}

// BenchmarkKernels gives bytes per second of all buffers, and elements per nanosecond of the first.
func BenchmarkKernels(b *testing.B) {
	list := []*loop.Nest{axpyNest(4096), axpyNest(1 << 24), reduceNest(loop.Add, 4096), reduceNest(loop.Add, 1<<22),
		reduceNest(loop.Max, 4096), expNest(4096), expNest(1 << 20), softmaxNest(64, 1000), softmaxNest(4096, 16),
		columnsNest(64, 1024), columnsNest(4096, 4096), transposeNest(4096), countNest(100000)}
	for _, n := range list {
		for name, target := range tiers() {
			b.Run(fmt.Sprintf("%s/%d/%s", n.Name, n.Buffers[0].Bytes/4, name), func(b *testing.B) { benchNest(b, n, target) })
		}
	}
}

func benchNest(b *testing.B, n *loop.Nest, target Target) {
	c, err := exec.NewCode(assemble(b, n, target))
	if err != nil {
		b.Skip(err)
	}
	defer c.Close()
	args := NewArgs(len(n.Buffers))
	total := int64(0)
	for k, buf := range n.Buffers {
		a, err := exec.NewArena(int(buf.Bytes))
		if err != nil {
			b.Fatal(err)
		}
		defer a.Close()
		args.SetBuffer(k, unsafe.Pointer(&a.Bytes()[0]))
		total += buf.Bytes
	}
	extent := int64(1)
	if l := n.Outermost(); l != nil {
		extent = l.Extent
	}
	args.SetRange(0, extent)
	b.SetBytes(total)
	for b.Loop() {
		exec.Call(c.Entry(0), args.Pointer())
	}
	b.ReportMetric(float64(n.Buffers[0].Bytes/4)*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "elem/ns")
}

// BenchmarkCompile is the time to compile a kernel.
func BenchmarkCompile(b *testing.B) {
	for name, target := range tiers() {
		b.Run(name, func(b *testing.B) {
			n := softmaxNest(64, 1000)
			for b.Loop() {
				assemble(b, n, target)
			}
		})
	}
}
