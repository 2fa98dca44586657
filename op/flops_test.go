package op

import (
	"math"
	"testing"

	"github.com/goxla/xla/shape"
)

// flopsCase is a rule case with the count that its operation has.
type flopsCase struct {
	rule  ruleCase
	flops int64
}

func runFlops(t *testing.T, cases []flopsCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.rule.op.String()+"/"+c.rule.name, func(t *testing.T) {
			in := c.rule.inputs(t)
			result, err := Infer(c.rule.op, in)
			if err != nil {
				t.Fatal(err)
			}
			if got := c.rule.op.Info().Flops(in, result); got != c.flops {
				t.Errorf("flops = %d, want %d", got, c.flops)
			}
		})
	}
}

func TestFlops(t *testing.T) {
	matmul := dotAttrs(nil, list(1), nil, list(0))
	fft := func(k FftType, length ...int) *FftAttrs { return &FftAttrs{Type: k, Length: length} }
	norm := &BatchNormAttrs{FeatureIndex: 1}
	const f, ff = "f32[2,4], f32[4], f32[4]", "f32[2,4], f32[4], f32[4], f32[4]"
	runFlops(t, []flopsCase{
		{ruleCase{name: "elements", op: Add, operands: "f32[2,3], f32[2,3]"}, 6},
		{ruleCase{name: "unbounded", op: Add, operands: "f32[?,3], f32[?,3]"}, 0},
		{ruleCase{name: "bound", op: Add, operands: "f32[<=5], f32[<=5]"}, 5},
		{ruleCase{name: "matrix", op: Dot, operands: "f32[2,3], f32[3,4]", attrs: matmul}, 2 * 2 * 3 * 4},
		{ruleCase{name: "batch", op: Dot, operands: "f32[5,2,3], f32[5,3,4]",
			attrs: dotAttrs(list(0), list(2), list(0), list(1))},
			2 * 5 * 2 * 3 * 4},
		{ruleCase{name: "saturated", op: Dot, operands: "f32[2147483647,2147483647], f32[2147483647,2]", attrs: matmul},
			math.MaxInt64},
		{ruleCase{name: "scaled", op: ScaledDot, operands: "bf16[2,4], bf16[4,3], f32[2,1], f32[1,3]", attrs: matmul},
			2 * 2 * 4 * 3},
		{ruleCase{name: "sparse", op: Dot, operands: "f32[2,4], f32[8,3]", attrs: &DotAttrs{LHSContracting: list(1),
			RHSContracting: list(0), Sparsity: &SparsityConfig{LHS: &Sparsity{A: 1, B: 2,
				Dimension: 1}}}}, 2 * 2 * 8 * 3},
		{ruleCase{name: "ragged_free", op: RaggedDot, operands: "f32[11,5], f32[3,5,7], u32[3]", attrs: &RaggedDotAttrs{
			LHSContracting: list(1), RHSContracting: list(1), LHSRagged: list(0), RHSGroup: list(0)}}, 2 * 11 * 5 * 7},
		{ruleCase{name: "ragged_contracting", op: RaggedDot, operands: "f32[11,5], f32[5,7], u32[3]",
			attrs: &RaggedDotAttrs{
				LHSContracting: list(1), RHSContracting: list(0), LHSRagged: list(1)}}, 2 * 11 * 5 * 7},
		{ruleCase{name: "cholesky", op: Cholesky, operands: "f32[2,6,6]", attrs: &CholeskyAttrs{}}, 2 * 6 * 6 * 6 / 3},
		{ruleCase{name: "solve", op: TriangularSolve, operands: "f32[2,5,5], f32[2,5,3]",
			attrs: &TriangularSolveAttrs{LeftSide: true}},
			2 * 5 * 5 * 3},
		{ruleCase{name: "complex", op: Fft, operands: "c64[3,8]", attrs: fft(FFT, 8)}, 5 * 3 * 8 * 3},
		{ruleCase{name: "two_axes", op: Fft, operands: "c64[4,8]", attrs: fft(IFFT, 4, 8)}, 5 * 32 * 5},
		{ruleCase{name: "not_a_power", op: Fft, operands: "c64[9]", attrs: fft(FFT, 9)}, 5 * 9 * 4},
		{ruleCase{name: "real", op: Fft, operands: "f32[16]", attrs: fft(RFFT, 16)}, 5 * 16 * 4 / 2},
		{ruleCase{name: "real_inverse", op: Fft, operands: "c64[9]", attrs: fft(IRFFT, 16)}, 5 * 16 * 4 / 2},
		{ruleCase{name: "training", op: BatchNormTraining, operands: f, attrs: norm}, 6 * 8},
		{ruleCase{name: "inference", op: BatchNormInference, operands: ff + ", f32[4]", attrs: norm}, 2 * 8},
		{ruleCase{name: "grad", op: BatchNormGrad, operands: ff + ", f32[2,4]", attrs: norm}, 8 * 8},
		{ruleCase{name: "reduce", op: Reduce, operands: "f32[4,5], f32[]", attrs: &ReduceAttrs{Dimensions: list(1)},
			calls: addF32}, 16},
		{ruleCase{name: "scan", op: Scan, operands: "f32[6], f32[]",
			attrs: &ScanAttrs{Dimensions: list(0), NumCarries: 1},
			calls: "(f32[], f32[])->(f32[], f32[])"}, 6},
		{ruleCase{name: "windows", op: ReduceWindow, operands: "f32[8], f32[]",
			attrs: &WindowAttrs{Window{[]WindowDim{windowOf(3)}}},
			calls: addF32}, 6 * 2},
		{ruleCase{name: "scatter", op: SelectAndScatter, operands: "f32[8], f32[6], f32[]",
			attrs: &WindowAttrs{Window{[]WindowDim{windowOf(3)}}}, calls: ltF32 + ";" + addF32}, 6 * 3},
		{ruleCase{name: "rows", op: Sort, operands: "f32[3,8]", attrs: &SortAttrs{Dimensions: list(1)}, calls: ltF32},
			24 * 3},
		{ruleCase{name: "k", op: Topk, operands: "f32[3,8]", attrs: &TopKAttrs{K: 4}}, 24 * 2},
		{ruleCase{name: "max", op: Topk, operands: "f32[3,8]", attrs: &TopKAttrs{K: 1}}, 24},
	})
}

func TestConvolutionFlops(t *testing.T) {
	const line = "b0f_0io->b0f"
	run := func(name, operands string, edit ...func(*WindowDim)) ruleCase {
		return ruleCase{name: name, op: Convolution, operands: operands,
			attrs: convolutionOf(t, line, windowOf(3, edit...))}
	}
	grouped := run("groups", "f32[2,8,6], f32[3,3,4]")
	grouped.attrs.(*ConvolutionAttrs).FeatureGroupCount = 2
	runFlops(t, []flopsCase{
		{run("valid", "f32[2,8,5], f32[3,5,7]"), 2 * 2 * 5 * 7 * (6 * 3)},
		{run("same", "f32[2,8,5], f32[3,5,7]", pad(1, 1)), 2 * 2 * 5 * 7 * (8*3 - 2)},
		{run("strided", "f32[1,8,1], f32[3,1,1]", stride(2), pad(1, 1)), 2 * (4*3 - 1)},
		{run("holes_in_input", "f32[1,4,1], f32[3,1,1]", lhsDilate(2)), 2 * 8},
		{run("holes_in_both", "f32[1,4,1], f32[3,1,1]", lhsDilate(3), rhsDilate(3)), 2 * 6},
		{run("cropped", "f32[1,8,1], f32[3,1,1]", pad(-2, -1)), 2 * (3 * 3)},
		{run("only_padding", "f32[1,0,1], f32[3,1,1]", pad(3, 3)), 0},
		{grouped, 2 * 2 * 3 * 4 * (6 * 3)},
	})
}

// TestMeetings compares the count with one that looks at each place and element.
func TestMeetings(t *testing.T) {
	for size := range 6 {
		for places := range 5 {
			for low := -2; low <= 2; low++ {
				for steps := range 27 {
					w := WindowDim{Size: 3, PaddingLow: low, Stride: 1 + steps%3, BaseDilation: 1 + steps/3%3,
						WindowDilation: 1 + steps/9}
					if got, want := meetings(size, places, w), slowMeetings(size, places, w); got != want {
						t.Fatalf("meetings(%d, %d, %+v) = %d, want %d", size, places, w, got, want)
					}
				}
			}
		}
	}
}

func slowMeetings(size, places int, w WindowDim) (n int64) {
	for o := range places {
		for k := range w.Size {
			i := o*w.Stride + k*w.WindowDilation - w.PaddingLow
			if i >= 0 && i%w.BaseDilation == 0 && i/w.BaseDilation < size {
				n++
			}
		}
	}
	return n
}

func TestMeetingsOfLargeWindows(t *testing.T) {
	w := windowOf(5000)
	if got := meetings(6000, 1001, w); got != 5000*1001 {
		t.Errorf("meetings = %d, want %d", got, 5000*1001)
	}
	if got := meetings(shape.Unbounded, 3, w); got != 0 {
		t.Errorf("meetings of an unbounded dimension = %d, want 0", got)
	}
}
