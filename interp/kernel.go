package interp

import (
	"fmt"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// kernelFunc prepares an element-wise operation: the returned closure computes dst
// from args, which have dst's element count, save scalars where the operation takes
// them. It can be called again after the arguments' elements changed, which is how
// a scalarProgram runs. The same kernel thus serves whole arrays and scalars.
type kernelFunc func(n *hlo.Instruction, dst literal.Literal, args []literal.Literal) (func(), error)

// kernels is the kernel of each element-wise operation. What makes them is not inlined: a copy of a closure for each
// row is a hundredth of the default binary.
var kernels = [op.NumCodes]kernelFunc{
	op.Abs:                  kernelAbs,
	op.Acos:                 unaryKernel(acosSpec),
	op.Acosh:                unaryKernel(acoshSpec),
	op.Add:                  binaryKernel(addSpec),
	op.And:                  binaryKernel(andSpec),
	op.Asin:                 unaryKernel(asinSpec),
	op.Asinh:                unaryKernel(asinhSpec),
	op.Atan2:                binaryKernel(atan2Spec),
	op.Atanh:                unaryKernel(atanhSpec),
	op.Cbrt:                 unaryKernel(cbrtSpec),
	op.Ceil:                 unaryKernel(ceilSpec),
	op.Clamp:                kernelClamp,
	op.CountLeadingZeros:    unaryKernel(clzSpec),
	op.Compare:              oneFloatType(kernelCompare),
	op.Complex:              kernelComplex,
	op.Convert:              kernelConvert,
	op.Copy:                 kernelCopy,
	op.Cosh:                 unaryKernel(coshSpec),
	op.Cosine:               unaryKernel(cosineSpec),
	op.Divide:               binaryKernel(divideSpec),
	op.Erf:                  unaryKernel(erfSpec),
	op.Exponential:          unaryKernel(exponentialSpec),
	op.ExponentialMinusOne:  unaryKernel(expm1Spec),
	op.Floor:                unaryKernel(floorSpec),
	op.Imag:                 kernelImag,
	op.IsFinite:             kernelIsFinite,
	op.Log:                  unaryKernel(logSpec),
	op.LogPlusOne:           unaryKernel(log1pSpec),
	op.Logistic:             unaryKernel(logisticSpec),
	op.Maximum:              binaryKernel(maximumSpec),
	op.Minimum:              binaryKernel(minimumSpec),
	op.Mulhi:                binaryKernel(mulhiSpec),
	op.Multiply:             binaryKernel(multiplySpec),
	op.Negate:               unaryKernel(negateSpec),
	op.Not:                  unaryKernel(notSpec),
	op.Or:                   binaryKernel(orSpec),
	op.Popcnt:               unaryKernel(popcntSpec),
	op.Power:                binaryKernel(powerSpec),
	op.Real:                 kernelReal,
	op.ReducePrecision:      kernelReducePrecision,
	op.Remainder:            binaryKernel(remainderSpec),
	op.RoundNearestAfz:      unaryKernel(roundAfzSpec),
	op.RoundNearestEven:     unaryKernel(roundEvenSpec),
	op.Rsqrt:                unaryKernel(rsqrtSpec),
	op.Select:               resultType(kernelSelect),
	op.ShiftLeft:            binaryKernel(shiftLeftSpec),
	op.ShiftRightArithmetic: binaryKernel(shiftRightArithmeticSpec),
	op.ShiftRightLogical:    binaryKernel(shiftRightLogicalSpec),
	op.Sign:                 unaryKernel(signSpec),
	op.Sine:                 unaryKernel(sineSpec),
	op.Sinh:                 unaryKernel(sinhSpec),
	op.Sqrt:                 unaryKernel(sqrtSpec),
	op.StochasticConvert:    kernelStochasticConvert,
	op.Subtract:             binaryKernel(subtractSpec),
	op.Tan:                  unaryKernel(tanSpec),
	op.Tanh:                 unaryKernel(tanhSpec),
	op.Xor:                  binaryKernel(xorSpec),
}

// evalElementwise runs the kernel of the instruction's operation once.
func evalElementwise(c *call) (literal.Literal, error) {
	dst := c.new()
	run, err := kernels[c.n.Code()](c.n, dst, c.args)
	if err != nil {
		return literal.Literal{}, err
	}
	run()
	return dst, nil
}

// noKernel is the error for an element type that an operation is not defined for.
func noKernel(t shape.ElementType) error {
	return fmt.Errorf("expects an element type that the operation is defined for, got %v", t)
}

type signedNative interface{ int8 | int16 | int32 | int64 }
type unsignedNative interface {
	uint8 | uint16 | uint32 | uint64
}

// narrow is how far an integer must be shifted left and back so that only the bits
// of type t remain: 1-, 2- and 4-bit integers are kept in 8 bits.
func narrow(t shape.ElementType) uint { return uint(t.ByteSize()*8 - t.Bits()) }

// codec gives the elements of a small float array as float32 and back. Every such
// format is exact in float32.
type codec struct {
	load  func(i int) float32
	store func(i int, v float32)
}

// newCodec returns the codec of l, an array of f16, bf16 or a float of 8 bits or fewer.
func newCodec(l literal.Literal) codec {
	switch t := l.Type(); t {
	case shape.F16:
		v := literal.Values[literal.F16](l)
		return codec{func(i int) float32 { return v[i].Float32() },
			func(i int, x float32) { v[i] = literal.F16From32(x) }}
	case shape.BF16:
		v := literal.Values[literal.BF16](l)
		return codec{func(i int) float32 { return v[i].Float32() },
			func(i int, x float32) { v[i] = literal.BF16From32(x) }}
	default:
		v := literal.Values[uint8](l)
		return codec{func(i int) float32 { return float32(literal.DecodeFloat(t, uint64(v[i]))) },
			func(i int, x float32) { v[i] = uint8(literal.EncodeFloat(t, float64(x))) }}
	}
}
