package plan_test

import (
	"fmt"
	"testing"

	"github.com/goxla/xla/cpu/plan"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/op"
)

// TestTurnBatches: in which operands the batch is put in front.
func TestTurnBatches(t *testing.T) {
	const channels = "lhs_batch_dims={2}, lhs_contracting_dims={1}, rhs_batch_dims={2}, rhs_contracting_dims={1}"
	for _, test := range []struct {
		x, y, z, attrs string
		turns          [2]bool
	}{
		{"32,32,8", "32,32,8", "8,32,32", channels, [2]bool{true, true}},
		{"32,32,3", "32,32,3", "3,32,32", channels, [2]bool{}}, // few
		{"32,32,8", "15,32,8", "8,32,15", channels, [2]bool{}}, // a small one
		{"256,32,8", "15,32,8", "8,256,15", channels, [2]bool{true, false}},
		{"32,256,8", "8,30,256", "8,32,30",
			"lhs_batch_dims={2}, lhs_contracting_dims={1}, rhs_batch_dims={0}, rhs_contracting_dims={2}", [2]bool{true, false}},
		{"32,255,8", "8,30,255", "8,32,30",
			"lhs_batch_dims={2}, lhs_contracting_dims={1}, rhs_batch_dims={0}, rhs_contracting_dims={2}", [2]bool{}},
		{"8,32,30", "256,8,8,32", "8,30,256,8",
			"lhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_batch_dims={2}, rhs_contracting_dims={3}", [2]bool{}},
		{"5,32,30,8", "32,8,5,60", "5,8,30,60",
			"lhs_batch_dims={0,3}, lhs_contracting_dims={1}, rhs_batch_dims={2,1}, rhs_contracting_dims={0}", [2]bool{}},
		{"5,64,30,8", "64,8,5,60", "5,8,30,60",
			"lhs_batch_dims={0,3}, lhs_contracting_dims={1}, rhs_batch_dims={2,1}, rhs_contracting_dims={0}",
			[2]bool{true, false}},
	} {
		m, err := hlotext.Parse(fmt.Sprintf(`HloModule m
ENTRY e {
  x = f32[%s] parameter(0)
  y = f32[%s] parameter(1)
  ROOT z = f32[%s] dot(x, y), %s
}
`, test.x, test.y, test.z, test.attrs), hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		changed := plan.TurnBatches(m)
		if err := hlo.Verify(m, hlo.VerifyOptions{}); err != nil {
			t.Fatalf("%+v: %v", test, err)
		}
		dot := m.Entry().Root()
		turns := [2]bool{dot.Operand(0).Code() == op.Transpose, dot.Operand(1).Code() == op.Transpose}
		if turns != test.turns || changed != (turns[0] || turns[1]) {
			t.Errorf("%+v: changed: %v\n%s", test, changed, hlotext.String(m, hlotext.Default()))
		}
	}
}

// TestTurnBatchesPacked: what is packed once, for all runs or all iterations of a loop, is left as it is.
func TestTurnBatchesPacked(t *testing.T) {
	const body = `HloModule m
ENTRY e {
  s = (f32[64,32,8], f32[64,32,8]) parameter(0)
  x = f32[64,32,8] get-tuple-element(s), index=0
  y = f32[64,32,8] %s
  z = f32[8,64,64] dot(x, y), lhs_batch_dims={2}, lhs_contracting_dims={1}, rhs_batch_dims={2}, rhs_contracting_dims={1}
  n = f32[64,32,8] negate(y)
  ROOT r = (f32[8,64,64], f32[64,32,8]) tuple(z, %s)
}
`
	const state = "get-tuple-element(s), index=1"
	for _, test := range []struct {
		y, next string
		turns   bool
	}{
		{"constant({...})", "y", false}, {state, "y", false}, {state, "n", true}, {"negate(x)", "y", true},
	} {
		m, err := hlotext.Parse(fmt.Sprintf(body, test.y, test.next), hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		plan.TurnBatches(m)
		dot := m.Entry().Root().Operand(0)
		if turns := dot.Operand(1).Code() == op.Transpose; turns != test.turns {
			t.Errorf("%+v:\n%s", test, hlotext.String(m, hlotext.Default()))
		}
	}
}

// TestTurnColumns: numbers that package gemm does not multiply have columns as neighbours, where several rows read
// them.
func TestTurnColumns(t *testing.T) {
	const last, first = "lhs_contracting_dims={1}, rhs_contracting_dims={1}",
		"lhs_contracting_dims={1}, rhs_contracting_dims={0}"
	const batch = "lhs_batch_dims={1}, lhs_contracting_dims={2}, rhs_batch_dims={1}, rhs_contracting_dims={2}"
	for _, test := range []struct {
		typ, x, y, z, attrs string
		turns               bool
	}{
		{"c64", "5,20", "30,20", "5,30", last, true},
		{"c128", "5,20", "30,20", "5,30", last, true},
		{"s64", "5,20", "30,20", "5,30", last, true},
		{"c64", "5,3,20", "30,3,20", "3,5,30", batch, true},
		{"f32", "5,20", "30,20", "5,30", last, false},
		{"s32", "5,20", "30,20", "5,30", last, false},
		{"c64", "5,20", "20,30", "5,30", first, false},
		{"c64", "3,20", "30,20", "3,30", last, false}, // few rows
		{"c64", "5,20", "3,20", "5,3", last, false},
		{"c64", "5,7", "30,7", "5,30", last, false},
	} {
		m, err := hlotext.Parse(fmt.Sprintf(`HloModule m
ENTRY e {
  x = %[1]s[%[2]s] parameter(0)
  y = %[1]s[%[3]s] parameter(1)
  ROOT z = %[1]s[%[4]s] dot(x, y), %[5]s
}
`, test.typ, test.x, test.y, test.z, test.attrs), hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		changed := plan.TurnBatches(m)
		if err := hlo.Verify(m, hlo.VerifyOptions{}); err != nil {
			t.Fatalf("%+v: %v", test, err)
		}
		turns := m.Entry().Root().Operand(1).Code() == op.Transpose
		if turns != test.turns || changed != turns {
			t.Errorf("%+v: changed: %v\n%s", test, changed, hlotext.String(m, hlotext.Default()))
		}
	}
}
