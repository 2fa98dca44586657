package op

import (
	"testing"

	"github.com/goxla/xla/shape"
)

func TestUnaryRules(t *testing.T) {
	acc := &UnaryAttrs{}
	runRules(t, []ruleCase{
		{name: "float", op: Abs, operands: "f32[2,3]", want: "f32[2,3]"},
		{name: "layout", op: Abs, operands: "f32[2,3]{0,1}", want: "f32[2,3]{0,1}"},
		{name: "complex", op: Abs, operands: "c128[2]", want: "f64[2]"},
		{name: "dynamic", op: Abs, operands: "f32[<=4,?]", want: "f32[<=4,?]"},
		{name: "abs_i1_unsigned", op: Abs, operands: "u32[2]", want: "!abs_i1 operand 0"},
		{name: "abs_i1_tuple", op: Abs, operands: "(f32[2])", want: "!abs_i1 operand 0"},
		{name: "bf16", op: Exponential, operands: "bf16[7]", attrs: acc, want: "bf16[7]"},
		{name: "complex", op: Log, operands: "c64[7]", attrs: acc, want: "c64[7]"},
		{name: "exponential_i1_integer", op: Exponential, operands: "s32[7]", attrs: acc, want: "!exponential_i1 operand 0"},
		{name: "exponential_minus_one_i1_pred", op: ExponentialMinusOne, operands: "pred[7]", attrs: acc,
			want: "!exponential_minus_one_i1 operand 0"},
		{name: "erf_i1_complex", op: Erf, operands: "c64[7]", attrs: acc, want: "!erf_i1 operand 0"},
		{name: "float", op: RoundNearestEven, operands: "f8e5m2[2]", want: "f8e5m2[2]"},
		{name: "ceil_i1_complex", op: Ceil, operands: "c64[2]", want: "!ceil_i1 operand 0"},
		{name: "integer", op: CountLeadingZeros, operands: "u8[2]", want: "u8[2]"},
		{name: "count_leading_zeros_i1_float", op: CountLeadingZeros, operands: "f32[1]",
			want: "!count_leading_zeros_i1 operand 0"},
		{name: "popcnt_i1_pred", op: Popcnt, operands: "pred[1]", want: "!popcnt_i1 operand 0"},
		{name: "complex", op: Imag, operands: "c64[2]{0}", want: "f32[2]"},
		{name: "real", op: Real, operands: "f16[2]", want: "f16[2]"},
		{name: "imag_i1_integer", op: Imag, operands: "s32[2]", want: "!imag_i1 operand 0"},
		{name: "float", op: IsFinite, operands: "f32[2,2]{0,1}", want: "pred[2,2]{0,1}"},
		{name: "is_finite_i1_integer", op: IsFinite, operands: "s32[1]", want: "!is_finite_i1 operand 0"},
		{name: "packed", op: Not, operands: "s4[8]{0:E(4)}", want: "s4[8]{0:E(4)}"},
		{name: "not_i1_float", op: Not, operands: "f32[8]", want: "!not_i1 operand 0"},
		{name: "unsigned", op: Negate, operands: "u32[8]", want: "u32[8]"},
		{name: "negate_i1_pred", op: Negate, operands: "pred[8]", want: "!negate_i1 operand 0"},
		{name: "integer", op: Sign, operands: "s8[8]", want: "s8[8]"},
		{name: "sign_i1_unsigned", op: Sign, operands: "u8[8]", want: "!sign_i1 operand 0"},
	})
}

func TestConvertRules(t *testing.T) {
	runRules(t, []ruleCase{
		{name: "float_to_integer", op: Convert, operands: "f32[2,3]{0,1}", declared: "s32[2,3]", want: "s32[2,3]"},
		{name: "packed_to_wide", op: Convert, operands: "s4[8]{0:E(4)}", declared: "f32[8]{0}", want: "f32[8]"},
		{name: "dynamic", op: Convert, operands: "f32[<=4]", declared: "s32[<=4]", want: "s32[<=4]"},
		{name: "convert_i1", op: Convert, operands: "(f32[])", declared: "s32[]", want: "!convert_i1 operand 0"},
		{name: "convert_o1", op: Convert, operands: "f32[2]", want: "!convert_o1"},
		{name: "convert_o1_tuple", op: Convert, operands: "f32[2]", declared: "(s32[2])", want: "!convert_o1"},
		{name: "convert_c1", op: Convert, operands: "f32[2]", declared: "s32[3]", want: "!convert_c1"},

		{name: "ok", op: ReducePrecision, operands: "f32[1]", declared: "f32[1]",
			attrs: &ReducePrecisionAttrs{ExponentBits: 5, MantissaBits: 10}, want: "f32[1]"},
		{name: "reduce_precision_c1", op: ReducePrecision, operands: "f32[1]", declared: "f32[2]",
			attrs: &ReducePrecisionAttrs{ExponentBits: 1}, want: "!reduce_precision_c1"},
		{name: "reduce_precision_c2", op: ReducePrecision, operands: "f32[1]", declared: "f32[1]",
			attrs: &ReducePrecisionAttrs{MantissaBits: 10}, want: "!reduce_precision_c2 exponent_bits"},
		{name: "reduce_precision_c3", op: ReducePrecision, operands: "f32[1]", declared: "f32[1]",
			attrs: &ReducePrecisionAttrs{ExponentBits: 5, MantissaBits: -1}, want: "!reduce_precision_c3 mantissa_bits"},
		{name: "reduce_precision_i1", op: ReducePrecision, operands: "s32[1]", declared: "s32[1]",
			attrs: &ReducePrecisionAttrs{ExponentBits: 5, MantissaBits: 10}, want: "!reduce_precision_i1 operand 0"},

		{name: "ok", op: StochasticConvert, operands: "f32[4], u32[4]", declared: "s32[4]", want: "s32[4]"},
		{name: "stochastic_convert_i1", op: StochasticConvert, operands: "s32[4], u32[4]", declared: "s32[4]",
			want: "!stochastic_convert_i1 operand 0"},
		{name: "stochastic_convert_i2", op: StochasticConvert, operands: "f32[4], s32[4]", declared: "s32[4]",
			want: "!stochastic_convert_i2 operand 1"},
		{name: "stochastic_convert_c1", op: StochasticConvert, operands: "f32[4], u16[4]", declared: "s32[4]",
			want: "!stochastic_convert_c1 operand 1"},
		{name: "stochastic_convert_c2", op: StochasticConvert, operands: "f32[4], u32[5]", declared: "s32[4]",
			want: "!stochastic_convert_c2 operand 1"},
		{name: "stochastic_convert_c3", op: StochasticConvert, operands: "f32[4], u32[4]", declared: "s32[5]",
			want: "!stochastic_convert_c3"},
		{name: "stochastic_convert_o1", op: StochasticConvert, operands: "f32[4], u32[4]", want: "!stochastic_convert_o1"},
	})
}

// The worked shapes of OPS.md section 2.
func TestBitcastRules(t *testing.T) {
	runRules(t, []ruleCase{
		{name: "narrower", op: BitcastConvert, operands: "f32[10]", declared: "f16[10,2]", want: "f16[10,2]"},
		{name: "narrower_scalar", op: BitcastConvert, operands: "f32[]", declared: "f16[2]", want: "f16[2]"},
		{name: "four_bytes", op: BitcastConvert, operands: "s32[]", declared: "s8[4]", want: "s8[4]"},
		{name: "pred_is_a_byte", op: BitcastConvert, operands: "s32[10]", declared: "pred[10,4]", want: "pred[10,4]"},
		{name: "nibbles", op: BitcastConvert, operands: "s32[3]", declared: "s4[3,8]", want: "s4[3,8]"},
		{name: "wider", op: BitcastConvert, operands: "f16[10,2]", declared: "f32[10]", want: "f32[10]"},
		{name: "same", op: BitcastConvert, operands: "f32[2,3]", declared: "u32[2,3]{0,1}", want: "u32[2,3]{0,1}"},
		{name: "complex", op: BitcastConvert, operands: "c128[2]", declared: "c64[2,2]", want: "c64[2,2]"},
		{name: "bitcast_convert_c1_ratio", op: BitcastConvert, operands: "f16[10,3]", declared: "f32[10]",
			want: "!bitcast_convert_c1 operand 0"},
		{name: "bitcast_convert_c1_scalar", op: BitcastConvert, operands: "f16[]", declared: "f32[]",
			want: "!bitcast_convert_c1 operand 0"},
		{name: "bitcast_convert_c1_result", op: BitcastConvert, operands: "f32[10]", declared: "f16[20]",
			want: "!bitcast_convert_c1"},
		{name: "bitcast_convert_c1_width", op: BitcastConvert, operands: "f6e3m2fn[4]", declared: "s8[4]",
			want: "!bitcast_convert_c1"},
		{name: "bitcast_convert_c2", op: BitcastConvert, operands: "c64[2]", declared: "f64[2]", want: "!bitcast_convert_c2"},
		{name: "bitcast_convert_i1", op: BitcastConvert, operands: "(f32[10])", declared: "s32[10]",
			want: "!bitcast_convert_i1 operand 0"},
		{name: "bitcast_convert_o1", op: BitcastConvert, operands: "f32[10]", want: "!bitcast_convert_o1"},

		{name: "ok", op: Bitcast, operands: "f32[2,3]", declared: "f32[6]{0}", want: "f32[6]"},
		{name: "types", op: Bitcast, operands: "f32[2,3]{0,1}", declared: "s32[3,2]", want: "s32[3,2]"},
		{name: "tiles_pad", op: Bitcast, operands: "f32[3,5]{1,0:T(2,2)}", declared: "f32[24]", want: "f32[24]"},
		{name: "bitcast_o1", op: Bitcast, operands: "f32[2]", want: "!bitcast_o1"},
		{name: "bitcast_o2", op: Bitcast, operands: "token[]", declared: "f32[2]", want: "!bitcast_o2 operand 0"},
		{name: "bitcast_o3", op: Bitcast, operands: "f32[2]", declared: "f32[3]", want: "!bitcast_o3"},
	})
}

func TestBitcastConvertShapeKeepsDynamicDims(t *testing.T) {
	got, err := BitcastConvertShape(mustShape(t, "f32[<=4]"), shape.U8)
	if err != nil || !got.Equal(mustShape(t, "u8[<=4,4]")) {
		t.Errorf("BitcastConvertShape = %v, %v, want u8[<=4,4]", got, err)
	}
}
