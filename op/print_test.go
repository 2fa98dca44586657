package op

import "testing"

func TestAttrsText(t *testing.T) {
	got := string(AppendAttrs(nil, &DotAttrs{LHSContracting: []int{1}, OperandPrecision: []Precision{1, 2}}, BeforeCalls, nil))
	if want := ", lhs_contracting_dims={1}, rhs_contracting_dims={}, operand_precision={high,highest}"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
