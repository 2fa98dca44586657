// Package perturb asks what else a right implementation could answer. Two of them differ in the last bits of elementary
// functions, in the order of sums, and in the sign and payload of the NaNs that arithmetic makes. Mostly that stays
// small; but a bitcast, a rounding to an integer, a comparison, a sort or a cancellation makes as much of it as it
// likes. So the program is evaluated again, many times, with every such result moved at random by what implementations
// may differ in (Monte Carlo arithmetic). How far its own results go apart tells what may be asked of another's.
package perturb

import (
	"slices"
	"strconv"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// freedom is what may differ in the result of an instruction.
type freedom uint8

const (
	exact   freedom = iota // nothing: data movement, integers, bits
	payload                // sign and payload of NaNs: the result is rounded correctly
	rounded                // the last bits, too: elementary functions
	summed                 // the operands come in any order: sums of many numbers
)

// freedoms has the instructions that are not exact.
var freedoms = map[op.Code]freedom{
	op.Add: payload, op.Subtract: payload, op.Multiply: payload, op.Divide: payload, op.Remainder: payload,
	op.Maximum: payload, op.Minimum: payload, op.Clamp: payload, op.Sqrt: payload, op.Sign: payload,
	op.Ceil: payload, op.Floor: payload, op.RoundNearestAfz: payload, op.RoundNearestEven: payload,
	op.Convert: payload, op.ReducePrecision: payload, op.StochasticConvert: payload,

	op.Acos: rounded, op.Acosh: rounded, op.Asin: rounded, op.Asinh: rounded, op.Atan2: rounded, op.Atanh: rounded,
	op.Cbrt: rounded, op.Cosh: rounded, op.Cosine: rounded, op.Erf: rounded, op.Exponential: rounded,
	op.ExponentialMinusOne: rounded, op.Log: rounded, op.LogPlusOne: rounded, op.Logistic: rounded, op.Power: rounded,
	op.Rng: rounded, op.Rsqrt: rounded, op.Sine: rounded, op.Sinh: rounded, op.Tan: rounded, op.Tanh: rounded,

	op.BatchNormGrad: summed, op.BatchNormInference: summed, op.BatchNormTraining: summed, op.Cholesky: summed,
	op.Convolution: summed, op.Dot: summed, op.Fft: summed, op.RaggedDot: summed, op.Reduce: summed,
	op.ReduceWindow: summed, op.ScaledDot: summed, op.Scan: summed, op.Scatter: summed, op.SelectAndScatter: summed,
	op.TriangularSolve: summed,
}

// freedomOf returns what may differ in the results of i.
func freedomOf(i *hlo.Instruction) freedom {
	isComplex := slices.ContainsFunc(i.Operands(), func(o *hlo.Instruction) bool { return o.Type().IsComplex() })
	switch f := freedoms[i.Code()]; {
	case isComplex && severalOps[i.Code()]:
		return rounded
	case f == summed && !addsUp(i):
		return payload
	default:
		return f
	}
}

// severalOps are exact of real numbers; of complex ones they are made of several operations.
var severalOps = map[op.Code]bool{op.Abs: true, op.Multiply: true, op.Divide: true, op.Sqrt: true, op.Sign: true}

// addsUp reports whether the order in which i takes elements may show: not where only the largest or smallest is kept.
func addsUp(i *hlo.Instruction) bool {
	if len(i.Called()) == 0 {
		return true
	}
	for _, n := range i.Called()[len(i.Called())-1].Instructions() {
		if f := freedomOf(n); f == rounded || n.Code() == op.Add || n.Code() == op.Subtract || n.Code() == op.Multiply {
			return true
		}
	}
	return false
}

// targetPrefix is the prefix of the custom-call targets of Module.
const targetPrefix = "perturb."

// Module returns a copy of m in which all results that implementations may differ in go through custom calls that
// move them at random. The handlers are those of [Handlers].
func Module(m *hlo.Module) *hlo.Module {
	m = m.Clone()
	scalar := reducers(m)
	for _, c := range m.Computations() {
		if scalar[c] {
			continue
		}
		for _, i := range c.PostOrder() {
			perturb(i)
		}
	}
	return m
}

// reducers returns the computations that fold elements: their rounding is that of the instruction that calls them.
func reducers(m *hlo.Module) map[*hlo.Computation]bool {
	found := map[*hlo.Computation]bool{}
	for _, c := range m.Computations() {
		for _, i := range c.Instructions() {
			switch i.Code() {
			case op.Call, op.Fusion, op.While, op.Conditional, op.Map, op.AsyncStart:
			default:
				for _, f := range i.Called() {
					found[f] = true
				}
			}
		}
	}
	return found
}

// perturb moves the result of i, and the operands of a sum: it may be much smaller than they.
func perturb(i *hlo.Instruction) {
	f := freedomOf(i)
	if i.Code() == op.GetTupleElement {
		f = freedomOf(i.Operand(0))
	}
	switch {
	case f == exact || !isReal(i) && !i.Type().IsComplex():
	case i.Code() == op.Fft:
		wrap(i, "fft", strconv.Itoa(len(i.Attrs().(*op.FftAttrs).Length)), i.Operand(0))
	case isVariance(i):
		wrap(i, "variance", "", i.Operand(0).Operand(0))
	case f == payload:
		wrap(i, "payload", "")
	default:
		wrap(i, "rounded", "")
	}
	if f != summed || i.Code() == op.GetTupleElement {
		return
	}
	shuffleProducts(i)
	for k, o := range i.Operands() {
		chooses := i.Code() == op.SelectAndScatter && k == 0
		if (isReal(o) || o.Type().IsComplex()) && !chooses {
			i.SetOperand(k, call(o, "rounded", "", o))
		}
	}
}

// isVariance reports whether i is the variance of a batch normalization.
func isVariance(i *hlo.Instruction) bool {
	a, ok := i.Attrs().(*op.GetTupleElementAttrs)
	return ok && a.Index == 2 && i.Operand(0).Code() == op.BatchNormTraining
}

func isReal(i *hlo.Instruction) bool { return i.Type().IsFloat() }

// wrap puts a custom-call of i, and of more operands, in the place of i.
func wrap(i *hlo.Instruction, target, config string, more ...*hlo.Instruction) {
	i.ReplaceAllUsesWith(call(i, target, config, append([]*hlo.Instruction{i}, more...)...))
}

// call adds a custom-call with the shape of i.
func call(i *hlo.Instruction, target, config string, operands ...*hlo.Instruction) *hlo.Instruction {
	s := shape.MakeDynamic(i.Type(), i.Dims(), i.Shape().Dynamic)
	c := i.Computation().Add("", op.CustomCall, s, operands, &op.CustomCallAttrs{Target: targetPrefix + target})
	c.BackendConfig = config
	return c
}
