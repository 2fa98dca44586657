package raise

import (
	"slices"
	"testing"

	"github.com/goxla/xla/op"
)

// TestRulesAreComplete: an operation has a rule, or is one of those that StableHLO has no
// form of: numbers drawn from a state of the device, and rounding by given bits.
func TestRulesAreComplete(t *testing.T) {
	none := []op.Code{op.RngGetAndUpdateState, op.StochasticConvert}
	table := rules()
	for _, code := range op.Codes() {
		if has := table[code] != nil; has == slices.Contains(none, code) {
			t.Errorf("%v: has a rule: %v", code, has)
		}
	}
}
