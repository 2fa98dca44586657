package op

import (
	"math"
	"testing"

	"github.com/goxla/xla/shape"
)

// dim returns a window dimension of the given size and stride without padding or dilation.
func dim(size, stride int) WindowDim {
	return WindowDim{Size: size, Stride: stride, BaseDilation: 1, WindowDilation: 1}
}

func padded(d WindowDim, low, high int) WindowDim {
	d.PaddingLow, d.PaddingHigh = low, high
	return d
}

func withDilation(d WindowDim, base, window int) WindowDim {
	d.BaseDilation, d.WindowDilation = base, window
	return d
}

func TestWindowOutputDim(t *testing.T) {
	for _, c := range []struct {
		name string
		size int
		dim  WindowDim
		want int
	}{
		{"trivial", 7, dim(1, 1), 7},
		{"valid_min_of_five", 5, dim(3, 2), 2},
		{"same_min_of_five", 5, padded(dim(3, 2), 1, 1), 3},
		{"dilated_rows", 3, padded(withDilation(dim(2, 4), 2, 3), 2, 1), 2},
		{"does_not_fit", 2, dim(3, 1), 0},
		{"empty", 0, dim(1, 1), 0},
		{"empty_padded", 0, padded(dim(1, 1), 2, 1), 3},
		{"cropped", 8, padded(dim(2, 1), -1, -2), 4},
		{"cropped_to_nothing", 3, padded(dim(1, 1), -2, -2), 0},
		{"base_dilation", 8, withDilation(dim(1, 1), 2, 1), 15},
		{"window_dilation", 8, withDilation(dim(2, 1), 1, 2), 6},
		{"unbounded", shape.Unbounded, padded(dim(3, 2), 1, 1), shape.Unbounded},
	} {
		if got, err := WindowOutputDim(c.size, c.dim); err != nil || got != c.want {
			t.Errorf("%s: WindowOutputDim(%d, %+v) = %d, %v, want %d", c.name, c.size, c.dim, got, err, c.want)
		}
	}
}

func TestPadSame(t *testing.T) {
	for _, c := range []struct {
		name      string
		size      int
		dim       WindowDim
		low, high int
		want      int // positions
	}{
		{"stride_1", 5, dim(3, 1), 1, 1, 5},
		{"stride_2", 5, dim(3, 2), 1, 1, 3},
		{"odd_cell_is_high", 4, dim(2, 1), 0, 1, 4},
		{"window_within_stride", 4, dim(1, 2), 0, 0, 2},
		{"dilated_window", 5, withDilation(dim(2, 1), 1, 3), 1, 2, 5},
		{"empty", 0, dim(2, 1), 0, 1, 0},
	} {
		d := c.dim.PadSame(c.size)
		if d.PaddingLow != c.low || d.PaddingHigh != c.high {
			t.Errorf("%s: padding %d, %d, want %d, %d", c.name, d.PaddingLow, d.PaddingHigh, c.low, c.high)
		}
		if got, err := WindowOutputDim(c.size, d); err != nil || got != c.want {
			t.Errorf("%s: %d positions, %v, want %d", c.name, got, err, c.want)
		}
	}
	if d := dim(3, 0); d.PadSame(5) != d || dim(3, 1).PadSame(shape.Unbounded) != dim(3, 1) {
		t.Error("PadSame changes a window it cannot pad")
	}
}

func TestReduceWindowRule(t *testing.T) {
	window := func(d ...WindowDim) *WindowAttrs { return &WindowAttrs{Window: Window{Dims: d}} }
	const pair = "(f32[],s32[],f32[],s32[])->(f32[],s32[])"
	runRules(t, []ruleCase{
		{name: "facts_1", op: ReduceWindow, operands: "f32[8,8], f32[]", calls: addF32, want: "f32[4,8]",
			attrs: window(padded(dim(3, 2), 1, 0), padded(dim(3, 1), 1, 1))},
		{name: "facts_2", op: ReduceWindow, operands: "f32[8,8], f32[]", calls: addF32, want: "f32[6,15]",
			attrs: window(withDilation(dim(2, 1), 1, 2), withDilation(dim(1, 1), 2, 1))},
		{name: "worked_3x2", op: ReduceWindow, operands: "s32[3,2], s32[]", calls: "(s32[],s32[])->s32[]", want: "s32[2,2]",
			attrs: window(padded(withDilation(dim(2, 4), 2, 3), 2, 1), dim(1, 1))},
		{name: "worked_min_valid", op: ReduceWindow, operands: "f32[5], f32[]", calls: addF32, want: "f32[2]",
			attrs: window(dim(3, 2))},
		{name: "worked_min_same", op: ReduceWindow, operands: "f32[5], f32[]", calls: addF32, want: "f32[3]",
			attrs: window(dim(3, 2).PadSame(5))},
		{name: "scalar", op: ReduceWindow, operands: "f32[], f32[]", attrs: window(), calls: addF32, want: "f32[]"},
		{name: "type_of_init", op: ReduceWindow, operands: "bf16[5], f32[]", attrs: window(dim(3, 2)), calls: addF32,
			want: "f32[2]"},
		{name: "two", op: ReduceWindow, operands: "f32[4], s32[4], f32[], s32[]", attrs: window(dim(2, 1)), calls: pair,
			want: "(f32[3], s32[3])"},
		{name: "dynamic", op: ReduceWindow, operands: "f32[<=4,?], f32[]", attrs: window(dim(2, 1), dim(2, 2)),
			calls: addF32, want: "f32[<=3,?]"},
		{name: "reduce_window_c1", op: ReduceWindow, operands: "f32[4]", attrs: window(dim(2, 1)), calls: addF32,
			want: "!reduce_window_c1"},
		{name: "reduce_window_c2", op: ReduceWindow, operands: "f32[4], s32[3], f32[], s32[]", attrs: window(dim(2, 1)),
			calls: pair, want: "!reduce_window_c2 operand 1"},
		{name: "reduce_window_c3", op: ReduceWindow, operands: "f32[4], s32[]", attrs: window(dim(2, 1)), calls: addF32,
			want: "!reduce_window_c3 operand 1"},
		{name: "reduce_window_c4", op: ReduceWindow, operands: "f32[1,2], f32[]", attrs: window(dim(2, 1)), calls: addF32,
			want: "!reduce_window_c4 window"},
		{name: "reduce_window_c5", op: ReduceWindow, operands: "f32[2], f32[]", attrs: window(dim(0, 1)), calls: addF32,
			want: "!reduce_window_c5 window[0]"},
		{name: "reduce_window_c7", op: ReduceWindow, operands: "f32[2], f32[]", attrs: window(dim(1, 0)), calls: addF32,
			want: "!reduce_window_c7 window[0]"},
		{name: "reduce_window_c9", op: ReduceWindow, operands: "f32[2], f32[]", calls: addF32,
			attrs: window(withDilation(dim(1, 1), 0, 1)), want: "!reduce_window_c9 window[0]"},
		{name: "reduce_window_c11", op: ReduceWindow, operands: "f32[2], f32[]", calls: addF32,
			attrs: window(withDilation(dim(1, 1), 1, -1)), want: "!reduce_window_c11 window[0]"},
		{name: "reduce_window_c13", op: ReduceWindow, operands: "f32[2], f32[]", attrs: window(dim(1, 1)), calls: ltF32,
			want: "!reduce_window_c13"},
		{name: "reduce_window_c13_none", op: ReduceWindow, operands: "f32[2], f32[]", attrs: window(dim(1, 1)),
			want: "!reduce_window_c13"},
		{name: "reduce_window_c15", op: ReduceWindow, operands: "f32[4], f32[]", calls: addF32,
			attrs: window(withDilation(dim(1, 1), math.MaxInt, 1)), want: "!reduce_window_c15 window[0]"},
	})
}

// The worked select-and-scatter of OPS.md: 2x3 windows at stride 2x2 of a 4x5 array.
func TestSelectAndScatterRule(t *testing.T) {
	window := &WindowAttrs{Window: Window{Dims: []WindowDim{dim(2, 2), dim(3, 2)}}}
	const both = ltF32 + ";" + addF32
	const operands = "f32[4,5]{0,1}, f32[2,2], f32[]"
	runRules(t, []ruleCase{
		{name: "worked", op: SelectAndScatter, operands: operands, attrs: window, calls: both, want: "f32[4,5]{0,1}"},
		{name: "unbounded", op: SelectAndScatter, operands: "f32[?,5], f32[2,2], f32[]", attrs: window, calls: both,
			want: "f32[?,5]"},
		{name: "select_and_scatter_c1", op: SelectAndScatter, operands: "f32[4,5], s32[2,2], f32[]", attrs: window,
			calls: both, want: "!select_and_scatter_c1 operand 1"},
		{name: "select_and_scatter_c2", op: SelectAndScatter, operands: "f32[4,5], f32[2,3], f32[]", attrs: window,
			calls: both, want: "!select_and_scatter_c2 operand 1"},
		{name: "select_and_scatter_c3", op: SelectAndScatter, operands: "f32[4,5], f32[2,2], s32[]", attrs: window,
			calls: both, want: "!select_and_scatter_c3 operand 2"},
		{name: "select_and_scatter_c4", op: SelectAndScatter, operands: "f32[4], f32[2], f32[]", attrs: window,
			calls: both, want: "!select_and_scatter_c4 window"},
		{name: "select_and_scatter_c9", op: SelectAndScatter, operands: operands, attrs: window, calls: addF32 + ";" + addF32,
			want: "!select_and_scatter_c9"},
		{name: "select_and_scatter_c9_count", op: SelectAndScatter, operands: operands, attrs: window,
			calls: "(f32[])->pred[];" + addF32, want: "!select_and_scatter_c9"},
		{name: "select_and_scatter_c9_type", op: SelectAndScatter, operands: operands, attrs: window,
			calls: "(f32[],s32[])->pred[];" + addF32, want: "!select_and_scatter_c9"},
		{name: "select_and_scatter_c9_none", op: SelectAndScatter, operands: operands, attrs: window,
			want: "!select_and_scatter_c9"},
		{name: "select_and_scatter_c10", op: SelectAndScatter, operands: operands, attrs: window, calls: ltF32 + ";" + ltF32,
			want: "!select_and_scatter_c10"},
		{name: "select_and_scatter_c10_init", op: SelectAndScatter, operands: "f32[4,5], f32[2,2], f32[1]", attrs: window,
			calls: both, want: "!select_and_scatter_c10"},
		{name: "select_and_scatter_c10_none", op: SelectAndScatter, operands: operands, attrs: window, calls: ltF32,
			want: "!select_and_scatter_c10"},
		{name: "select_and_scatter_i1", op: SelectAndScatter, operands: "(f32[]), f32[2,2], f32[]", attrs: window,
			calls: both, want: "!select_and_scatter_i1 operand 0"},
	})
}
