package mlirtest

import (
	"context"
	"fmt"
	"math"

	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// Handlers returns the handlers of the checks: they compare two operands element by
// element and fail if they differ by more than the rule allows. The same names stand
// for the operations of the check dialect and for the custom calls of StableHLO's test
// data, which have no configuration and looser bounds.
func Handlers() ffi.Registry {
	return ffi.Handlers{
		"check.expect_eq":              ffi.Func(expectEqual),
		"check.expect_eq_const":        ffi.Func(expectEqual),
		"check.expect_almost_eq":       ffi.Func(expectAlmost),
		"check.expect_almost_eq_const": ffi.Func(expectAlmost),
		"check.expect_close":           ffi.Func(expectClose),
		"check.eq":                     ffi.Func(equalOrNear),
	}
}

// rule compares the parts of two elements: real numbers of type t given by value and code.
type rule func(t shape.ElementType, got, want float64, gotBits, wantBits uint64) error

func expectEqual(_ context.Context, c *ffi.Call) error { return compare(c, equal) }

// equal is equality of numbers: 0 equals -0. A NaN equals a NaN.
func equal(_ shape.ElementType, got, want float64, gotBits, wantBits uint64) error {
	if gotBits == wantBits || got == want || math.IsNaN(got) && math.IsNaN(want) {
		return nil
	}
	return fmt.Errorf("expected an equal value")
}

func expectAlmost(_ context.Context, c *ffi.Call) error {
	tolerance := 1e-4
	if c.Config == "" {
		tolerance = 1e-3
	}
	if v, err := ffi.Get[float64](c.Attributes, "tolerance"); err == nil {
		tolerance = v
	}
	return compare(c, within(tolerance))
}

// within allows an absolute difference.
func within(tolerance float64) rule {
	return func(t shape.ElementType, got, want float64, gotBits, wantBits uint64) error {
		if equal(t, got, want, gotBits, wantBits) == nil {
			return nil
		}
		if math.IsInf(got, 0) || math.IsInf(want, 0) || !(math.Abs(got-want) <= tolerance) {
			return fmt.Errorf("expected a difference of at most %g", tolerance)
		}
		return nil
	}
}

func expectClose(_ context.Context, c *ffi.Call) error {
	least, most := uint64(0), uint64(3)
	if c.Config != "" {
		most = 1
	}
	if v, err := ffi.Get[uint64](c.Attributes, "min_ulp_difference"); err == nil {
		least = v
	}
	if v, err := ffi.Get[uint64](c.Attributes, "max_ulp_difference"); err == nil {
		most = v
	}
	return compare(c, func(t shape.ElementType, got, want float64, gotBits, wantBits uint64) error {
		if d := ulps(t, gotBits, wantBits, got, want); d < least || d > most {
			return fmt.Errorf("expected a distance from %d to %d steps, got %d", least, most, d)
		}
		return nil
	})
}

// ulps counts the steps between two numbers of a floating-point type. What is not
// finite is infinitely far from everything but itself.
func ulps(t shape.ElementType, a, b uint64, x, y float64) uint64 {
	switch {
	case a == b || math.IsNaN(x) && math.IsNaN(y):
		return 0
	case math.IsNaN(x) || math.IsNaN(y) || math.IsInf(x, 0) || math.IsInf(y, 0) || !t.IsFloat():
		return math.MaxUint64
	}
	return literal.ULPDistance(t, a, b)
}

// equalOrNear is equality of integers, and within 1e-4 for other numbers; its result
// is whether that holds, and it always does.
func equalOrNear(_ context.Context, c *ffi.Call) error {
	for _, r := range c.Results {
		for i := range r.Len() {
			r.SetBool(i, true)
		}
	}
	if t := c.Operands[0].Type(); t.IsFloat() || t.IsComplex() {
		return compare(c, within(1e-4))
	}
	return compare(c, equal)
}

// compare applies a rule to all elements of two operands, and says how many are at
// fault and which is the first.
func compare(c *ffi.Call, r rule) error {
	if len(c.Operands) != 2 {
		return fmt.Errorf("expected two operands, got %d", len(c.Operands))
	}
	got, want := c.Operands[0].RowMajor(), c.Operands[1].RowMajor()
	if !got.Shape().EqualIgnoringLayout(want.Shape()) {
		return fmt.Errorf("expected %v, got %v", want.Shape(), got.Shape())
	}
	faults, where := 0, 0
	var first error
	for i := range got.Len() {
		if err := compareAt(got, want, i, r); err != nil {
			if faults++; first == nil {
				first, where = err, i
			}
		}
	}
	if first == nil {
		return nil
	}
	index := make([]int, got.Shape().Rank())
	shape.FromRowMajor(index, where, got.Dims())
	return fmt.Errorf("%d of %d elements: at %v: %w: got %s, expected %s", faults, got.Len(), index, first,
		text(got, where), text(want, where))
}

// compareAt compares element i, the two parts of a complex number one by one.
func compareAt(got, want literal.Literal, i int, r rule) error {
	t := got.Type()
	if t.IsComplex() {
		x, y := got.ComplexAt(i), want.ComplexAt(i)
		if err := part(t.Component(), real(x), real(y), r); err != nil {
			return err
		}
		return part(t.Component(), imag(x), imag(y), r)
	}
	if t.IsFloat() {
		return r(t, got.FloatAt(i), want.FloatAt(i), got.BitsAt(i), want.BitsAt(i))
	}
	return r(t, float64(got.IntAt(i)), float64(want.IntAt(i)), got.BitsAt(i), want.BitsAt(i))
}

func part(t shape.ElementType, got, want float64, r rule) error {
	return r(t, got, want, literal.EncodeFloat(t, got), literal.EncodeFloat(t, want))
}

// text returns element i for a message.
func text(l literal.Literal, i int) string {
	switch t := l.Type(); {
	case t.IsComplex():
		return fmt.Sprint(l.ComplexAt(i))
	case t.IsFloat():
		return fmt.Sprint(l.FloatAt(i))
	case t.IsUnsigned():
		return fmt.Sprint(l.BitsAt(i))
	}
	return fmt.Sprint(l.IntAt(i))
}
