package elem_test

import (
	"testing"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// TestCost counts the instructions of what programs do most.
func TestCost(t *testing.T) {
	list := func(types ...shape.ElementType) []shape.ElementType { return types }
	const f16, f32, f64, s8, s32, u8 = shape.F16, shape.F32, shape.F64, shape.S8, shape.S32, shape.U8
	cases := []struct {
		instance
		want int
	}{
		{instance{op.Add, "", f32, list(f32, f32)}, 1},
		{instance{op.Multiply, "", f64, list(f64, f64)}, 1},
		{instance{op.Maximum, "", f16, list(f16, f16)}, 1},
		{instance{op.Add, "", f16, list(f16, f16)}, 2},
		{instance{op.Add, "", s32, list(s32, s32)}, 1},
		{instance{op.Add, "", u8, list(u8, u8)}, 2},
		{instance{op.Add, "", s8, list(s8, s8)}, 3},
		{instance{op.And, "", s8, list(s8, s8)}, 1},
		{instance{op.Negate, "", f32, list(f32)}, 1},
		{instance{op.Abs, "", f16, list(f16)}, 1},
		{instance{op.Compare, ", direction=LT", shape.Pred, list(f32, f32)}, 1},
		{instance{op.Compare, ", direction=LT", shape.Pred, list(s8, s8)}, 1},
		{instance{op.Select, "", f32, list(shape.Pred, f32, f32)}, 1},
		{instance{op.Convert, "", f32, list(s32)}, 1},
		{instance{op.Convert, "", f32, list(u8)}, 1},
		{instance{op.Convert, "", f32, list(f16)}, 0},
		{instance{op.Convert, "", f16, list(f32)}, 1},
		{instance{op.Convert, "", f64, list(f32)}, 1},
		{instance{op.Convert, "", u8, list(f32)}, 3},
		{instance{op.Convert, "", s32, list(s8)}, 0},
		{instance{op.Convert, "", s8, list(s32)}, 2},
		{instance{op.Convert, "", f32, list(shape.Pred)}, 1},
		{instance{op.BitcastConvert, "", s32, list(f32)}, 1},
		{instance{op.Multiply, "", shape.C64, list(shape.C64, shape.C64)}, 4},
	}
	for _, c := range cases {
		nest, err := c.nest(c.module(8).Entry().Root(), 8)
		if err != nil {
			t.Errorf("%v: %v", c.instance, err)
			continue
		}
		n := 0
		for _, i := range nest.Insts[1:] {
			if i.Op != loop.Const && i.Op != loop.Load && i.Op != loop.Store {
				n++
			}
		}
		if n != c.want {
			t.Errorf("%v: expected %d instructions, got %d:\n%v", c.instance, c.want, n, nest)
		}
	}
}
