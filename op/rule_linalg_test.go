package op

import "testing"

func TestCholeskyRule(t *testing.T) {
	a := &CholeskyAttrs{Lower: true}
	runRules(t, []ruleCase{
		{name: "matrix", op: Cholesky, operands: "f32[3,3]{0,1}", attrs: a, want: "f32[3,3]{0,1}"},
		{name: "batch", op: Cholesky, operands: "c128[7,2,3,3]", attrs: a, want: "c128[7,2,3,3]"},
		{name: "unbounded", op: Cholesky, operands: "f32[?,3]", attrs: a, want: "f32[?,3]"},
		{name: "cholesky_i1", op: Cholesky, operands: "s32[2,2]", attrs: a, want: "!cholesky_i1 operand 0"},
		{name: "cholesky_i1_tuple", op: Cholesky, operands: "(f32[2,2])", attrs: a, want: "!cholesky_i1 operand 0"},
		{name: "cholesky_c2", op: Cholesky, operands: "f32[2]", attrs: a, want: "!cholesky_c2 operand 0"},
		{name: "cholesky_c3", op: Cholesky, operands: "f32[2,3]", attrs: a, want: "!cholesky_c3 operand 0"},
	})
}

func TestTriangularSolveRule(t *testing.T) {
	left, right := &TriangularSolveAttrs{LeftSide: true}, &TriangularSolveAttrs{}
	runRules(t, []ruleCase{
		{name: "left", op: TriangularSolve, operands: "f32[3,3], f32[3,2]{0,1}", attrs: left, want: "f32[3,2]{0,1}"},
		{name: "right", op: TriangularSolve, operands: "c64[4,3,3], c64[4,2,3]", attrs: right, want: "c64[4,2,3]"},
		{name: "triangular_solve_i1", op: TriangularSolve, operands: "s32[3,3], s32[3,2]", attrs: left,
			want: "!triangular_solve_i1 operand 0"},
		{name: "triangular_solve_c1", op: TriangularSolve, operands: "f32[3,3], f64[3,2]", attrs: left,
			want: "!triangular_solve_c1 operand 1"},
		{name: "triangular_solve_c1_tuple", op: TriangularSolve, operands: "f32[3,3], (f32[3,2])", attrs: left,
			want: "!triangular_solve_c1 operand 1"},
		{name: "triangular_solve_c2", op: TriangularSolve, operands: "f32[2], f32[2]", attrs: left,
			want: "!triangular_solve_c2 operand 0"},
		{name: "triangular_solve_c2_ranks", op: TriangularSolve, operands: "f32[3,3], f32[3]", attrs: left,
			want: "!triangular_solve_c2 operand 1"},
		{name: "triangular_solve_c3_batch", op: TriangularSolve, operands: "f32[2,3,3], f32[3,3,2]", attrs: left,
			want: "!triangular_solve_c3 operand 1"},
		{name: "triangular_solve_c3_square", op: TriangularSolve, operands: "f32[3,2], f32[3,2]", attrs: left,
			want: "!triangular_solve_c3 operand 0"},
		{name: "triangular_solve_c3_left", op: TriangularSolve, operands: "f32[3,3], f32[2,3]", attrs: left,
			want: "!triangular_solve_c3 operand 1"},
		{name: "triangular_solve_c3_right", op: TriangularSolve, operands: "f32[3,3], f32[3,2]", attrs: right,
			want: "!triangular_solve_c3 operand 1"},
	})
}

func TestFftRule(t *testing.T) {
	of := func(k FftType, length ...int) *FftAttrs { return &FftAttrs{Type: k, Length: length} }
	runRules(t, []ruleCase{
		{name: "fft", op: Fft, operands: "c64[8]", attrs: of(FFT, 8), want: "c64[8]"},
		{name: "ifft3", op: Fft, operands: "c128[5,2,3,4]{0,1,2,3}", attrs: of(IFFT, 2, 3, 4),
			want: "c128[5,2,3,4]{0,1,2,3}"},
		{name: "rfft", op: Fft, operands: "f32[2,8]", attrs: of(RFFT, 8), want: "c64[2,5]"},
		{name: "rfft_f64", op: Fft, operands: "f64[8,2]{0,1}", attrs: of(RFFT, 8, 2), want: "c128[8,2]{0,1}"},
		// OPS.md: the innermost axis becomes L//2+1, 9 for 16 and for 17; IRFFT's becomes L.
		{name: "worked_16", op: Fft, operands: "f32[16]", attrs: of(RFFT, 16), want: "c64[9]"},
		{name: "worked_17", op: Fft, operands: "f32[17]", attrs: of(RFFT, 17), want: "c64[9]"},
		{name: "worked_irfft_16", op: Fft, operands: "c64[9]", attrs: of(IRFFT, 16), want: "f32[16]"},
		{name: "worked_irfft_17", op: Fft, operands: "c64[9]", attrs: of(IRFFT, 17), want: "f32[17]"},
		{name: "irfft2", op: Fft, operands: "c128[3,5]", attrs: of(IRFFT, 3, 8), want: "f64[3,8]"},
		{name: "empty", op: Fft, operands: "f32[2,0]", attrs: of(RFFT, 0), want: "c64[2,0]"},
		{name: "fft_c1", op: Fft, operands: "c64[4]", attrs: of(FFT, 4, 4), want: "!fft_c1 operand 0"},
		{name: "fft_c2_fft", op: Fft, operands: "f32[4]", attrs: of(FFT, 4), want: "!fft_c2 operand 0"},
		{name: "fft_c2_ifft", op: Fft, operands: "f32[4]", attrs: of(IFFT, 4), want: "!fft_c2 operand 0"},
		{name: "fft_c2_rfft", op: Fft, operands: "c64[4]", attrs: of(RFFT, 4), want: "!fft_c2 operand 0"},
		{name: "fft_c2_half", op: Fft, operands: "f16[4]", attrs: of(RFFT, 4), want: "!fft_c2 operand 0"},
		{name: "fft_c2_irfft", op: Fft, operands: "f32[4]", attrs: of(IRFFT, 4), want: "!fft_c2 operand 0"},
		{name: "fft_c2_type", op: Fft, operands: "c64[4]", attrs: of(7, 4), want: "!fft_c2 fft_type"},
		{name: "fft_c3_four", op: Fft, operands: "c64[2,2,2,2]", attrs: of(FFT, 2, 2, 2, 2),
			want: "!fft_c3 fft_length"},
		{name: "fft_c3_none", op: Fft, operands: "c64[2]", attrs: of(FFT), want: "!fft_c3 fft_length"},
		{name: "fft_c4", op: Fft, operands: "f32[2,8]", attrs: of(RFFT, 9), want: "!fft_c4 operand 0"},
		{name: "fft_c4_outer", op: Fft, operands: "c64[3,5]", attrs: of(IRFFT, 2, 8), want: "!fft_c4 operand 0"},
		{name: "fft_c4_complex", op: Fft, operands: "c64[8]", attrs: of(FFT, 9), want: "!fft_c4 operand 0"},
		{name: "fft_c4_negative", op: Fft, operands: "c64[8]", attrs: of(FFT, -8), want: "!fft_c4 fft_length[0]"},
		{name: "fft_c5", op: Fft, operands: "c64[8]", attrs: of(IRFFT, 16), want: "!fft_c5 operand 0"},
	})
}

func TestBatchNormRules(t *testing.T) {
	at := func(i int) *BatchNormAttrs { return &BatchNormAttrs{Epsilon: 0.001, FeatureIndex: i} }
	const x, f = "f32[2,3,4]{0,1,2}", ", f32[4]"
	runRules(t, []ruleCase{
		{name: "training", op: BatchNormTraining, operands: x + f + f, attrs: at(2),
			want: "(f32[2,3,4]{0,1,2}, f32[4], f32[4])"},
		{name: "inference", op: BatchNormInference, operands: x + f + f + f + f, attrs: at(2), want: x},
		{name: "grad", op: BatchNormGrad, operands: x + f + f + f + "," + x, attrs: at(2),
			want: "(f32[2,3,4]{0,1,2}, f32[4], f32[4])"},
		{name: "bounded", op: BatchNormTraining, operands: "f32[2,<=4], f32[4], f32[<=4]", attrs: at(1),
			want: "(f32[2,<=4], f32[<=4], f32[<=4])"},
		{name: "batch_norm_training_i1", op: BatchNormTraining, operands: "s32[2,4]" + f + f, attrs: at(1),
			want: "!batch_norm_training_i1 operand 0"},
		{name: "batch_norm_training_i3", op: BatchNormTraining, operands: x + f + ", s32[4]", attrs: at(2),
			want: "!batch_norm_training_i3 operand 2"},
		{name: "batch_norm_training_c1", op: BatchNormTraining, operands: x + f + f, attrs: at(3),
			want: "!batch_norm_training_c1 feature_index"},
		{name: "batch_norm_training_c1_negative", op: BatchNormTraining, operands: x + f + f, attrs: at(-1),
			want: "!batch_norm_training_c1 feature_index"},
		{name: "batch_norm_training_c3", op: BatchNormTraining, operands: x + ", f32[3]" + f, attrs: at(2),
			want: "!batch_norm_training_c3 operand 1"},
		{name: "batch_norm_training_c4_rank", op: BatchNormTraining, operands: x + f + ", f32[1,4]", attrs: at(2),
			want: "!batch_norm_training_c4 operand 2"},
		{name: "batch_norm_inference_c3", op: BatchNormInference, operands: x + ", f32[3]" + f + f + f, attrs: at(2),
			want: "!batch_norm_inference_c3 operand 1"},
		{name: "batch_norm_inference_c4", op: BatchNormInference, operands: x + f + ", f32[3]" + f + f, attrs: at(2),
			want: "!batch_norm_inference_c4 operand 2"},
		{name: "batch_norm_inference_c5", op: BatchNormInference, operands: x + f + f + ", f32[3]" + f, attrs: at(2),
			want: "!batch_norm_inference_c5 operand 3"},
		{name: "batch_norm_inference_c6", op: BatchNormInference, operands: x + f + f + f + ", f32[]", attrs: at(2),
			want: "!batch_norm_inference_c6 operand 4"},
		{name: "batch_norm_grad_c3", op: BatchNormGrad, operands: x + f + f + f + ", f32[2,3,1]", attrs: at(2),
			want: "!batch_norm_grad_c3 operand 4"},
		{name: "batch_norm_grad_c5", op: BatchNormGrad, operands: x + f + ", f32[3]" + f + "," + x, attrs: at(2),
			want: "!batch_norm_grad_c5 operand 2"},
		{name: "batch_norm_grad_i5", op: BatchNormGrad, operands: x + f + f + f + ", s32[2,3,4]", attrs: at(2),
			want: "!batch_norm_grad_i5 operand 4"},
	})
}
