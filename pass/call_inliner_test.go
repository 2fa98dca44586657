package pass_test

import (
	"testing"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/pass"
)

// TestInlineOnly: the instructions of a computation that is called once move, and keep their names; those of one that
// is called twice are copied.
func TestInlineOnly(t *testing.T) {
	m, err := hlotext.Parse(`HloModule m

once {
  p = (f32[2], f32[2]) parameter(0)
  a = f32[2] get-tuple-element(p), index=0
  q = f32[2] parameter(1)
  ROOT x = f32[2] add(a, q)
}

twice {
  r = f32[2] parameter(0)
  ROOT y = f32[2] multiply(r, r)
}

ENTRY e {
  s = f32[2] parameter(0)
  c = f32[2] call(s), to_apply=twice
  d = f32[2] call(c), to_apply=twice
  u = (f32[2], f32[2]) tuple(d, s)
  ROOT f = f32[2] call(u, d), to_apply=once
}
`, hlotext.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	x, y := m.Computation("once").Root(), m.Computation("twice").Root()
	if _, err := pass.Run(t.Context(), m, pass.Options{}, pass.CallInliner()); err != nil {
		t.Fatal(err)
	}
	if err := hlo.Verify(m, hlo.VerifyOptions{}); err != nil {
		t.Fatal(err)
	}
	root := m.Entry().Root()
	if root != x || root.Name() != "x" {
		t.Errorf("expected the instruction x moved to the root, got %s", root.Name())
	}
	d := root.Operand(0)
	if d != root.Operand(1) || d == y || d.Name() == "y" || d.Operand(0).Name() != "y" || d.Operand(0) == y {
		t.Errorf("expected two copies of y under x, got\n%s", hlotext.String(m, hlotext.Default()))
	}
	if n := len(d.Users()); n != 1 { // x; the tuple went with the call
		t.Errorf("expected 1 user of %s, got %d", d.Name(), n)
	}
}
