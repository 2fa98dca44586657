package literal

import (
	"fmt"
	"strconv"
	"strings"
)

// Tolerance says how far floating-point elements may be from what is wanted.
// Integers and pred must be equal under every tolerance. The zero Tolerance asks
// for the same bits.
type Tolerance struct {
	Rule ToleranceRule
	// ULP is for WithinULP.
	ULP uint64
	// Rel and Abs are for WithinRelative; Rel is also for WithinLargest.
	Rel, Abs float64
}

// ToleranceRule is a way of comparing. In all of them NaN matches any NaN and
// nothing else, and the parts of a complex number are compared one by one.
type ToleranceRule uint8

const (
	// SameBits asks for equal values; +0 and -0 differ.
	SameBits ToleranceRule = iota
	// WithinULP asks for at most ULP steps from value to value of the element type;
	// +0 and -0 are the same, and infinity is one step from the largest finite value.
	WithinULP
	// WithinRelative asks for |want-got| <= Abs + Rel*|want|, where |want| is the
	// modulus of a whole complex number; infinities must be equal.
	WithinRelative
	// WithinLargest asks for |want-got| <= Rel * the largest finite |want| in the
	// array; infinities must be equal.
	WithinLargest
)

// ULP returns the tolerance of n steps.
func ULP(n uint64) Tolerance { return Tolerance{Rule: WithinULP, ULP: n} }

// Relative returns the tolerance |want-got| <= abs + rel*|want|.
func Relative(rel, abs float64) Tolerance { return Tolerance{Rule: WithinRelative, Rel: rel, Abs: abs} }

// RelativeToLargest returns the tolerance |want-got| <= rel * max|want|.
func RelativeToLargest(rel float64) Tolerance { return Tolerance{Rule: WithinLargest, Rel: rel} }

// String returns the text that ParseTolerance reads.
func (t Tolerance) String() string {
	switch t.Rule {
	case WithinULP:
		return fmt.Sprintf("ulp=%d", t.ULP)
	case WithinRelative:
		return fmt.Sprintf("rel=%v abs=%v", t.Rel, t.Abs)
	case WithinLargest:
		return fmt.Sprintf("largest=%v", t.Rel)
	}
	return "exact"
}

// ParseTolerance reads `exact`, `ulp=N`, `rel=R abs=A` (one of the two may be
// absent and is then 0) or `largest=R`.
func ParseTolerance(text string) (Tolerance, error) {
	var t Tolerance
	seen := map[string]bool{}
	for _, field := range strings.Fields(text) {
		key, value, _ := strings.Cut(field, "=")
		before := t.Rule
		err := t.set(key, value)
		if err != nil || seen[key] || len(seen) > 0 && before != t.Rule {
			return Tolerance{}, fmt.Errorf("literal: tolerance %q: %s", text, toleranceForms)
		}
		seen[key] = true
	}
	if len(seen) == 0 {
		return Tolerance{}, fmt.Errorf("literal: tolerance %q: %s", text, toleranceForms)
	}
	return t, nil
}

const toleranceForms = "want exact, ulp=N, rel=R abs=A or largest=R"

// set sets the number named key.
func (t *Tolerance) set(key, value string) (err error) {
	if key == "exact" && value == "" {
		return nil
	}
	if key == "ulp" {
		t.Rule = WithinULP
		t.ULP, err = strconv.ParseUint(value, 10, 64)
		return err
	}
	v, err := strconv.ParseFloat(value, 64)
	if err != nil || !(v >= 0) {
		return fmt.Errorf("%q is not a number of at least 0", value)
	}
	switch key {
	case "rel":
		t.Rule, t.Rel = WithinRelative, v
	case "abs":
		t.Rule, t.Abs = WithinRelative, v
	case "largest":
		t.Rule, t.Rel = WithinLargest, v
	default:
		return fmt.Errorf("no tolerance is called %q", key)
	}
	return nil
}
