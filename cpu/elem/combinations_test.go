package elem_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// skipped are the operations with a test of their own.
var skipped = map[op.Code]bool{op.Convert: true, op.BitcastConvert: true, op.StochasticConvert: true}

// instances are the candidates for an operation on operands of one type, with all results and attributes
// that could be legal.
func instances(c op.Code, t shape.ElementType) (list []instance) {
	from := make([]shape.ElementType, c.Info().Arity)
	for i := range from {
		from[i] = t
	}
	if c == op.Select {
		from[0] = shape.Pred
	}
	for _, to := range results(t) {
		for _, a := range attributes(c, t) {
			list = append(list, instance{c, a, to, from})
		}
	}
	return list
}

func results(t shape.ElementType) []shape.ElementType {
	switch t {
	case shape.Pred:
		return []shape.ElementType{t}
	case shape.F32:
		return []shape.ElementType{t, shape.Pred, shape.C64}
	case shape.F64:
		return []shape.ElementType{t, shape.Pred, shape.C128}
	case shape.C64, shape.C128:
		return []shape.ElementType{t, shape.Pred, t.Component()}
	}
	return []shape.ElementType{t, shape.Pred}
}

func attributes(c op.Code, t shape.ElementType) (list []string) {
	switch c {
	case op.Compare:
		for _, d := range []string{"EQ", "NE", "GE", "GT", "LE", "LT"} {
			list = append(list, ", direction="+d)
			if t.IsFloat() {
				list = append(list, fmt.Sprintf(", direction=%s, type=TOTALORDER", d))
			}
		}
		return list
	case op.ReducePrecision:
		for _, e := range []int{1, 2, 4, 5, 8, 11} {
			for _, m := range []int{0, 1, 3, 7, 10, 23, 52} {
				list = append(list, fmt.Sprintf(", exponent_bits=%d, mantissa_bits=%d", e, m))
			}
		}
		return list
	}
	return []string{""}
}

// elementary are the operations that approximate.
var elementary = map[op.Code]bool{op.Acos: true, op.Acosh: true, op.Asin: true, op.Asinh: true, op.Atan2: true,
	op.Atanh: true, op.Cbrt: true, op.Cosh: true, op.Cosine: true, op.Erf: true, op.Exponential: true,
	op.ExponentialMinusOne: true, op.Log: true, op.LogPlusOne: true, op.Logistic: true, op.Power: true,
	op.Rsqrt: true, op.Sine: true, op.Sinh: true, op.Tan: true, op.Tanh: true}

// domain is where the evaluator is accurate: other finite numbers are not tried.
type domain struct{ least, most float64 }

// The evaluator's functions are those of package math. In float64 they lose digits of subnormal numbers and of
// large angles, and their complex forms overflow early or cancel; in narrower types that does not show.
func domainOf(c op.Code, t shape.ElementType) domain {
	if !elementary[c] || t != shape.F64 && !t.IsComplex() {
		return domain{0, math.Inf(1)}
	}
	d := domain{0x1p-500, 0x1p500}
	switch {
	case c == op.Power && t.IsComplex():
		d.most = 30
	case t == shape.C64 && c != op.Tan:
		return domain{0, math.Inf(1)}
	case t.IsComplex() && angles[c]:
		d.most = 300
	case t == shape.F64 && c != op.Atan2:
		d.most = math.Inf(1)
	}
	return d
}

// angles are the operations whose complex argument holds an angle.
var angles = map[op.Code]bool{op.Cosh: true, op.Cosine: true, op.Exponential: true, op.ExponentialMinusOne: true,
	op.Logistic: true, op.Sine: true, op.Sinh: true, op.Tan: true, op.Tanh: true}

// bring brings x into the domain.
func (d domain) bring(x float64) float64 {
	switch size := math.Abs(x); {
	case size < d.least:
		return math.Copysign(0, x)
	case size > d.most && !math.IsInf(x, 0):
		return math.Mod(x, d.most)
	}
	return x
}

// quiet makes signalling NaNs of f16 quiet, as a load in machine code does.
func quiet(args []literal.Literal) []literal.Literal {
	for _, a := range args {
		if a.Type() != shape.F16 {
			continue
		}
		for i := range a.Len() {
			if v := a.FloatAt(i); v != v {
				a.SetBits(i, a.BitsAt(i)|0x200)
			}
		}
	}
	return args
}

// tame brings the floats and the parts of complex numbers of args into the domain of operation c.
func tame(c op.Code, args []literal.Literal) []literal.Literal {
	for _, a := range args {
		d := domainOf(c, a.Type())
		for i := range a.Len() {
			switch {
			case !elementary[c]:
				return args
			case a.Type().IsComplex():
				z := a.ComplexAt(i)
				a.SetComplex(i, complex(d.bring(real(z)), d.bring(imag(z))))
			case a.Type() == shape.F64:
				a.SetFloat(i, d.bring(a.FloatAt(i)))
			}
		}
	}
	return args
}

// allowed is how far results may be from the evaluator's.
func allowed(c instance) literal.Tolerance {
	switch {
	case c.code == op.Multiply && c.to == shape.C64:
		return literal.ULP(1) // the sum of products is rounded once here, twice there
	case !elementary[c.code] || !c.to.IsFloat() && !c.to.IsComplex():
		return literal.Tolerance{}
	case c.to == shape.C64:
		return literal.Relative(0x1p-23, 0)
	case c.to == shape.C128 && (c.code == op.Logistic || c.code == op.Power || c.code == op.Tan || c.code == op.Tanh):
		return literal.Relative(0x1p-39, 0) // the evaluator cancels near poles
	case c.to == shape.C128:
		return literal.Relative(0x1p-49, 0)
	case c.to == shape.F64 && (c.code == op.Acos || c.code == op.Tan):
		return literal.ULP(32) // of which 4 are ours
	case c.to.Bits() < 32:
		return literal.ULP(1)
	}
	return literal.ULP(4)
}

// TestOperations runs every element-wise operation on every type, and knows those that
// have no vector form.
func TestOperations(t *testing.T) {
	s := newSampler(1)
	for _, c := range op.Codes() {
		if !(c.Info().Has(op.Elementwise) || c == op.Copy) || skipped[c] {
			continue
		}
		t.Run(c.String(), func(t *testing.T) {
			for _, e := range allTypes() {
				var args []literal.Literal
				for _, i := range instances(c, e) {
					if args == nil {
						args = tame(c, quiet(s.operands(i.from)))
					}
					legal, supported := i.run(t, args, allowed(i))
					if legal && !supported {
						t.Errorf("%v: no vector form", i)
					}
				}
			}
		})
	}
}

// TestConvert converts between all types.
func TestConvert(t *testing.T) {
	s := newSampler(2)
	for _, from := range allTypes() {
		args := s.operands([]shape.ElementType{from})
		for _, to := range allTypes() {
			c := instance{op.Convert, "", to, []shape.ElementType{from}}
			if legal, supported := c.run(t, args, literal.Tolerance{}); legal && !supported {
				t.Errorf("%v: no vector form", c)
			}
		}
	}
}

// TestBitcastConvert gives bits another type of their width.
func TestBitcastConvert(t *testing.T) {
	s := newSampler(3)
	for _, from := range allTypes() {
		args := quiet(s.operands([]shape.ElementType{from}))
		for _, to := range allTypes() {
			c := instance{op.BitcastConvert, "", to, []shape.ElementType{from}}
			if legal, supported := c.run(t, args, literal.Tolerance{}); legal && !supported {
				t.Errorf("%v: no vector form", c)
			}
		}
	}
}

// TestStochasticConvert rounds floats to integers by random bits.
func TestStochasticConvert(t *testing.T) {
	s := newSampler(4)
	random := map[int]shape.ElementType{4: shape.U4, 8: shape.U8, 16: shape.U16, 32: shape.U32, 64: shape.U64}
	for _, from := range allTypes() {
		bits, ok := random[from.Bits()]
		if !ok || !from.IsFloat() {
			continue
		}
		types := []shape.ElementType{from, bits}
		args := s.operands(types)
		for _, to := range allTypes() {
			c := instance{op.StochasticConvert, "", to, types}
			if legal, supported := c.run(t, args, literal.Tolerance{}); legal && !supported {
				t.Errorf("%v: no vector form", c)
			}
		}
	}
}

// unmixed are operations for which operands of different types are legal, but to which the evaluator gives
// no meaning: compare and select take the bits of the one type for those of the other.
var unmixed = map[op.Code]bool{op.Compare: true, op.Select: true}

// TestMixedFloats computes with floats of different types.
func TestMixedFloats(t *testing.T) {
	s := newSampler(5)
	types := []shape.ElementType{shape.F64, shape.F32, shape.BF16, shape.F16, shape.F8E5M2}
	for _, c := range op.Codes() {
		if !c.Info().Has(op.Elementwise) || c.Info().Arity < 2 || c == op.StochasticConvert {
			continue
		}
		for _, x := range types {
			for _, y := range types {
				if x != y {
					mixedFloats(t, s, c, x, y)
				}
			}
		}
	}
}

func mixedFloats(t *testing.T, s sampler, c op.Code, x, y shape.ElementType) {
	for _, from := range mixes(c, x, y) {
		var args []literal.Literal
		for _, k := range from {
			args = append(args, array(k, s.few(k, 1<<10)))
		}
		args = tame(c, args)
		for _, to := range []shape.ElementType{x, y, shape.Pred} {
			for _, a := range attributes(c, x) {
				i := instance{c, a, to, from}
				legal, supported := i.run(t, args, allowed(i))
				if legal && supported == unmixed[c] {
					t.Errorf("%v: vector form: expected %v, got %v", i, !unmixed[c], supported)
				}
			}
		}
	}
}

// mixes are the ways to give operation c operands of types x and y.
func mixes(c op.Code, x, y shape.ElementType) [][]shape.ElementType {
	switch {
	case c == op.Select:
		return [][]shape.ElementType{{shape.Pred, x, y}}
	case c.Info().Arity == 3:
		return [][]shape.ElementType{{x, y, y}, {y, x, y}, {x, x, y}}
	}
	return [][]shape.ElementType{{x, y}}
}
