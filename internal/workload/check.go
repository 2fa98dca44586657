package workload

import (
	"fmt"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/literal/npy"
)

// Check returns nil if the outputs got of a program agree with the outputs want of another implementation:
// in each floating-point array max|got-want| <= RTol * max|want|, and in each other one at most
// the share Mismatch of the elements differ.
func (w Workload) Check(got, want []npy.Named) error {
	if len(got) != len(want) {
		return fmt.Errorf("expects %d outputs, got %d", len(want), len(got))
	}
	byName := npy.Map(got)
	for _, a := range want {
		g, ok := byName[a.Name]
		if !ok {
			return fmt.Errorf("expects an output %s", a.Name)
		}
		if err := w.checkArray(g, a.Value); err != nil {
			return fmt.Errorf("output %s: %w", a.Name, err)
		}
	}
	return nil
}

func (w Workload) checkArray(got, want literal.Literal) error {
	if t := want.Type(); !t.IsFloat() && !t.IsComplex() && w.Mismatch > 0 &&
		got.Shape().EqualIgnoringLayout(want.Shape()) {
		return w.checkIntegers(got, want)
	}
	return literal.Compare(got, want, literal.RelativeToLargest(w.RTol))
}

func (w Workload) checkIntegers(got, want literal.Literal) error {
	differ := 0
	for i := range want.Len() {
		if got.BitsAt(i) != want.BitsAt(i) {
			differ++
		}
	}
	if allowed := w.Mismatch * float64(want.Len()); float64(differ) > allowed {
		return fmt.Errorf("%d of %d elements differ, expects at most %.0f", differ, want.Len(), allowed)
	}
	return nil
}
