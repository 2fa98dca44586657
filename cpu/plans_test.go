package cpu_test

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/hlotest"
)

// TestFusion: each program of testdata/fusion.txtar becomes one kernel, by the plan that stands behind it.
func TestFusion(t *testing.T) {
	for name, got := range checkPlans(t, "testdata/fusion.txtar") {
		if n := strings.Count(got, "\n  kernel "); n != 1 || strings.Contains(got, "\n  host ") {
			t.Errorf("%s: expects one kernel and nothing else, got %d kernels:\n%s", name, n, got)
		}
	}
}

// TestPlans: the programs of testdata/plans.txtar have the plans that stand behind them.
func TestPlans(t *testing.T) { checkPlans(t, "testdata/plans.txtar") }

// checkPlans compares the plans of the programs in a file with those that stand behind them, and returns them.
func checkPlans(t *testing.T, path string) map[string]string {
	t.Helper()
	plans := map[string]string{}
	hlotest.Pairs(t, path, "plan", func(program txtar.File, want *txtar.File) {
		got := planOf(t, program.Name, string(program.Data))
		if plans[program.Name] = got; hlotest.Update() {
			want.Data = []byte(got)
		}
		if got != string(want.Data) {
			t.Errorf("%s: got\n%s\nexpected\n%s", program.Name, got, want.Data)
		}
	})
	return plans
}

func planOf(t *testing.T, name, text string) string {
	t.Helper()
	m, err := hlotext.Parse(text, hlotext.ParseOptions{File: name})
	if err != nil {
		t.Fatal(err)
	}
	pool := exec.NewPool(1)
	defer pool.Close()
	p, err := cpu.PlanOn(t.Context(), m, cpu.Options{Pool: pool}, exec.AVX512)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return p.Text(true)
}
