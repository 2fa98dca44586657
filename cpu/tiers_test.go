package cpu_test

import (
	"iter"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/internal/racetest"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
)

// tiers are the tiers to test: that which the process was told to use, all if there is none.
var tiers = func() []string {
	if t := os.Getenv(exec.TierEnv); t != "" {
		return []string{t}
	}
	return []string{"avx512", "avx2", "portable"}
}()

// onTiers compiles a module for each tier in turn, which is that of the process until the next one.
func onTiers(t *testing.T, m *hlo.Module, pool *exec.Pool) iter.Seq2[string, *cpu.Program] {
	return func(yield func(string, *cpu.Program) bool) {
		for _, tier := range tiers {
			t.Setenv(exec.TierEnv, tier)
			p, err := cpu.Compile(t.Context(), m, cpu.Options{Pool: pool})
			if err != nil {
				t.Fatal(err)
			}
			if !yield(tier, p) {
				return
			}
		}
	}
}

// onPools compiles a program for each tier and for 2, 1 and 5 threads and shows it to look. What it gives is compared
// with the evaluator, and has the same bits for any number of threads.
func onPools(t *testing.T, text string, eps float64, look func(tier string, p *cpu.Program)) {
	t.Helper()
	onThreads(t, text, eps, look, 2, 1, 5)
}

// onTwoThreads compiles a program for each tier and 2 threads and shows it to look, and compares what it gives with the
// evaluator.
func onTwoThreads(t *testing.T, text string, eps float64, look func(tier string, p *cpu.Program)) {
	t.Helper()
	onThreads(t, text, eps, look, 2)
}

// onThreads compiles a program for each tier and each of these numbers of threads. The race detector sees the runs
// alone.
func onThreads(t *testing.T, text string, eps float64, look func(tier string, p *cpu.Program), threads ...int) {
	t.Helper()
	prog, err := xla.Parse("program.hlo", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	m, first := prog.Module(), map[string]literal.Literal{}
	args := argumentsOf(rand.New(rand.NewPCG(1, 19)), m)
	var want literal.Literal
	if !racetest.Enabled {
		if want, err = interp.New(t.Context(), interp.Options{}).Computation(m.Entry(), args); err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range racetest.Threads(threads...) {
		pool := exec.NewPool(n)
		for tier, p := range onTiers(t, m, pool) {
			look(tier, p)
			got, err := p.Run(t.Context(), args, interp.New(t.Context(), interp.Options{}))
			if err != nil {
				t.Fatal(err)
			}
			if first[tier].IsValid() {
				sameBits(t, first[tier], got)
			} else if first[tier] = got; want.IsValid() {
				sameSums(t, want, got, eps, p)
			}
		}
		pool.Close()
	}
}
