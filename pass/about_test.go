package pass_test

import (
	"testing"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/pass"
)

// TestAbout: a pass finds nothing to do in modules without what it is about, and after each pass of the pipeline a
// module knows which operations it has.
func TestAbout(t *testing.T) {
	passes := append(pass.Stages(), pass.SimplificationRound()...)
	for seed := range uint64(200) {
		m, _ := hlotest.FromSeed(seed)
		for _, p := range passes {
			if p.About == nil || m.Has(p.About...) {
				continue
			}
			if changed, err := p.Run(t.Context(), m.Clone(), pass.Options{Evaluate: evaluate}); changed || err != nil {
				t.Errorf("seed %d: %s is about %v: expected no change, got %t, %v", seed, p.Name, p.About, changed, err)
			}
		}
		m = m.Clone()
		o := pass.Options{Evaluate: evaluate, Trace: func(name string, m *hlo.Module) { checkHas(t, seed, name, m) }}
		if _, err := pass.Run(t.Context(), m, o, pass.Pipeline()); err != nil {
			t.Fatal(seed, err)
		}
	}
}

// checkHas fails the test if m, behind a pass, has other operations than it says.
func checkHas(t *testing.T, seed uint64, name string, m *hlo.Module) {
	t.Helper()
	var has [op.NumCodes]bool
	for _, c := range m.Computations() {
		for _, i := range c.Instructions() {
			has[i.Code()] = true
		}
	}
	for code, want := range has {
		if got := m.Has(op.Code(code)); got != want {
			t.Errorf("seed %d: behind %s: Has(%v) is %t, expected %t", seed, name, op.Code(code), got, want)
		}
	}
}
