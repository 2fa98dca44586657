package main

import (
	"fmt"

	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/shape"
)

// kase is one row: batch products of an m x k and a k x n matrix.
type kase struct {
	batch, m, n, k int
	a, b, c        shape.ElementType
	how            string // what B is: "rows", "columns" (transposed), "constant"
}

func (c kase) name() string {
	types := fmt.Sprint(c.a)
	if c.c != c.a || c.b != c.a {
		types = fmt.Sprintf("%v * %v to %v", c.a, c.b, c.c)
	}
	s := fmt.Sprintf("%dx%dx%d %s %s", c.m, c.n, c.k, types, c.how)
	if c.batch > 1 {
		s = fmt.Sprintf("%d x ", c.batch) + s
	}
	return s
}

func (c kase) flops() float64 {
	return 2 * float64(c.batch) * float64(c.m) * float64(c.n) * float64(c.k)
}

// spec is the product; A is row-major.
func (c kase) spec() gemm.Spec {
	axis := func(n, stride int) gemm.Axis { return gemm.Axis{{Size: n, Stride: stride}} }
	s := gemm.Spec{C: c.c, Constant: c.how == "constant"}
	s.A = gemm.Operand{Type: c.a, Batch: axis(c.batch, c.m*c.k), Free: axis(c.m, c.k), Depth: axis(c.k, 1)}
	s.B = gemm.Operand{Type: c.b, Batch: axis(c.batch, c.k*c.n), Free: axis(c.n, 1), Depth: axis(c.k, c.n)}
	if c.how == "columns" {
		s.B.Free, s.B.Depth = axis(c.n, c.k), axis(c.k, 1)
	}
	return s
}

// cases are the rows of the table.
func cases() []kase {
	var list []kase
	add := func(batch, m, n, k int, a, b, c shape.ElementType, how ...string) {
		for _, h := range how {
			list = append(list, kase{batch, m, n, k, a, b, c, h})
		}
	}
	f32 := shape.F32
	for _, n := range []int{64, 128, 256, 512, 1000, 1024, 2048} {
		add(1, n, n, n, f32, f32, f32, "rows", "constant", "columns")
	}
	for _, s := range [][3]int{{256, 1000, 1000}, {1024, 256, 1024}, {1024, 192, 512}, {128, 320, 512}} {
		add(1, s[0], s[1], s[2], f32, f32, f32, "rows")
	}
	add(1, 128, 768, 768, f32, f32, f32, "rows", "constant")
	add(1, 128, 3072, 768, f32, f32, f32, "rows", "constant")
	add(1, 128, 768, 3072, f32, f32, f32, "rows", "constant")
	add(1, 32, 1024, 256, f32, f32, f32, "rows", "constant")
	add(1, 8, 3072, 768, f32, f32, f32, "rows", "constant")
	add(1, 24, 3072, 768, f32, f32, f32, "rows", "constant")
	add(96, 128, 128, 64, f32, f32, f32, "rows", "columns")
	add(256, 16, 16, 16, f32, f32, f32, "rows")
	add(1, 1, 4096, 1024, f32, f32, f32, "rows", "columns")
	add(1, 1, 512, 512, f32, f32, f32, "rows", "columns")
	for _, t := range [][3]shape.ElementType{{shape.F64, shape.F64, shape.F64}, {shape.BF16, shape.BF16, shape.BF16},
		{shape.BF16, shape.BF16, f32}, {shape.F16, shape.F16, shape.F16}, {shape.S8, shape.S8, shape.S32},
		{shape.U8, shape.S8, shape.S32}, {shape.S32, shape.S32, shape.S32}} {
		for _, n := range []int{512, 1024} {
			add(1, n, n, n, t[0], t[1], t[2], "rows", "constant")
		}
	}
	return list
}
