package op

import (
	"sort"
	"strings"
)

// Code is an HLO opcode. The codes are in the order of their names in HLO text.
type Code uint8

// The opcodes, 133 of them. Spec: OPS.md.
const (
	Invalid Code = iota

	Abs                    // abs
	Acos                   // acos
	Acosh                  // acosh
	Add                    // add
	AddDependency          // add-dependency
	AfterAll               // after-all
	AllGather              // all-gather
	AllGatherDone          // all-gather-done
	AllGatherStart         // all-gather-start
	AllReduce              // all-reduce
	AllReduceDone          // all-reduce-done
	AllReduceStart         // all-reduce-start
	AllToAll               // all-to-all
	And                    // and
	Asin                   // asin
	Asinh                  // asinh
	AsyncDone              // async-done
	AsyncStart             // async-start
	AsyncUpdate            // async-update
	Atan2                  // atan2
	Atanh                  // atanh
	BatchNormGrad          // batch-norm-grad
	BatchNormInference     // batch-norm-inference
	BatchNormTraining      // batch-norm-training
	Bitcast                // bitcast
	BitcastConvert         // bitcast-convert
	Broadcast              // broadcast
	Call                   // call
	Cbrt                   // cbrt
	Ceil                   // ceil
	Cholesky               // cholesky
	Clamp                  // clamp
	CollectiveBroadcast    // collective-broadcast
	CollectivePermute      // collective-permute
	CollectivePermuteDone  // collective-permute-done
	CollectivePermuteStart // collective-permute-start
	Compare                // compare
	Complex                // complex
	Concatenate            // concatenate
	Conditional            // conditional
	Constant               // constant
	Convert                // convert
	Convolution            // convolution
	Copy                   // copy
	CopyDone               // copy-done
	CopyStart              // copy-start
	Cosh                   // cosh
	Cosine                 // cosine
	CountLeadingZeros      // count-leading-zeros
	CustomCall             // custom-call
	Divide                 // divide
	Domain                 // domain
	Dot                    // dot
	DynamicReshape         // dynamic-reshape
	DynamicSlice           // dynamic-slice
	DynamicUpdateSlice     // dynamic-update-slice
	Erf                    // erf
	Exponential            // exponential
	ExponentialMinusOne    // exponential-minus-one
	Fft                    // fft
	Floor                  // floor
	Fusion                 // fusion
	Gather                 // gather
	GetDimensionSize       // get-dimension-size
	GetTupleElement        // get-tuple-element
	Imag                   // imag
	Infeed                 // infeed
	Iota                   // iota
	IsFinite               // is-finite
	Log                    // log
	LogPlusOne             // log-plus-one
	Logistic               // logistic
	Map                    // map
	Maximum                // maximum
	Minimum                // minimum
	Mulhi                  // mulhi
	Multiply               // multiply
	Negate                 // negate
	Not                    // not
	OptBarrier             // opt-barrier
	Or                     // or
	Outfeed                // outfeed
	Pad                    // pad
	Parameter              // parameter
	PartitionId            // partition-id
	Popcnt                 // popcnt
	Power                  // power
	RaggedAllToAll         // ragged-all-to-all
	RaggedDot              // ragged-dot
	Real                   // real
	Recv                   // recv
	RecvDone               // recv-done
	Reduce                 // reduce
	ReducePrecision        // reduce-precision
	ReduceScatter          // reduce-scatter
	ReduceWindow           // reduce-window
	Remainder              // remainder
	ReplicaId              // replica-id
	Reshape                // reshape
	Reverse                // reverse
	Rng                    // rng
	RngBitGenerator        // rng-bit-generator
	RngGetAndUpdateState   // rng-get-and-update-state
	RoundNearestAfz        // round-nearest-afz
	RoundNearestEven       // round-nearest-even
	Rsqrt                  // rsqrt
	ScaledDot              // scaled-dot
	Scan                   // scan
	Scatter                // scatter
	Select                 // select
	SelectAndScatter       // select-and-scatter
	Send                   // send
	SendDone               // send-done
	SetDimensionSize       // set-dimension-size
	ShiftLeft              // shift-left
	ShiftRightArithmetic   // shift-right-arithmetic
	ShiftRightLogical      // shift-right-logical
	Sign                   // sign
	Sine                   // sine
	Sinh                   // sinh
	Slice                  // slice
	Sort                   // sort
	Sqrt                   // sqrt
	StochasticConvert      // stochastic-convert
	Subtract               // subtract
	Tan                    // tan
	Tanh                   // tanh
	Topk                   // topk
	Transpose              // transpose
	TriangularSolve        // triangular-solve
	Tuple                  // tuple
	While                  // while
	Xor                    // xor

	NumCodes
)

// String returns the name of c in HLO text.
func (c Code) String() string { return c.Info().Name }

// Info returns the row of the table for c; the row of Invalid for a number that is no code.
func (c Code) Info() *Info {
	if c >= NumCodes {
		return &table[Invalid]
	}
	return &table[c]
}

// Codes returns every opcode in order.
func Codes() []Code {
	codes := make([]Code, 0, NumCodes-1)
	for c := Invalid + 1; c < NumCodes; c++ {
		codes = append(codes, c)
	}
	return codes
}

// ParseCode returns the code named s in HLO text.
func ParseCode(s string) (Code, bool) {
	i, found := sort.Find(len(table)-1, func(i int) int { return strings.Compare(s, table[i+1].Name) })
	return Code(i + 1), found
}
