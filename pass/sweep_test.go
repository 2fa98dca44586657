package pass_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/internal/sharedtest"
	"github.com/goxla/xla/pass"
)

// TestSweep: what the simplifier does not look at again, because nothing was edited since, it would leave as it is: the
// pipeline gives the same module, names and all, as with a simplifier that looks at everything.
func TestSweep(t *testing.T) {
	variants, err := filepath.Glob(filepath.Join(sharedtest.Root(t), "bench", "variants", "*.hlo"))
	if err != nil || len(variants) == 0 {
		t.Fatalf("expected programs, got %d, %v", len(variants), err)
	}
	for _, file := range append(sharedtest.Files(t, "bench", "*.hlo"), variants...) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m, err := hlotext.Parse(string(text), hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		checkSweep(t, filepath.Base(file), m)
	}
}

// TestSweepOfRandomModules is TestSweep for modules with operations of all kinds.
func TestSweepOfRandomModules(t *testing.T) {
	for seed := range uint64(300) {
		m, _ := hlotest.FromSeed(seed)
		checkSweep(t, m.Name, m)
	}
}

// checkSweep fails the test if the pipeline gives another module than one that looks at everything.
func checkSweep(t *testing.T, name string, m *hlo.Module) {
	t.Helper()
	m, all := m.Clone(), m.Clone() // both with the same names left
	o := pass.Options{Evaluate: evaluate}
	if _, err := pass.Run(t.Context(), m, o, pass.Pipeline()); err != nil {
		t.Fatal(name, err)
	}
	if _, err := pass.Run(t.Context(), all, o, pass.PipelineLookingAtAll()); err != nil {
		t.Fatal(name, err)
	}
	got, want := hlotext.String(m, hlotext.Default()), hlotext.String(all, hlotext.Default())
	if got != want {
		t.Errorf("%s: expected\n%s\ngot\n%s", name, want, got)
	}
}
