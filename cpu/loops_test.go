package cpu_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/goxla/xla"
	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
)

// TestNestedLoops: the loops of the programs of testdata/loops.txtar are one kernel, by the plan that stands behind
// them, and give what the evaluator gives. The kernel is called many times.
func TestNestedLoops(t *testing.T) {
	for name, got := range checkPlans(t, "testdata/loops.txtar") {
		if n := strings.Count(got, " state "); n != 1 || !strings.Contains(got, "in one kernel") {
			t.Errorf("%s: expects one loop, in one kernel, got %d", name, n)
		}
	}
	file, err := txtar.ParseFile("testdata/loops.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for k := 0; k < len(file.Files); k += 2 {
		compareWithEvaluator(t, file.Files[k].Name, file.Files[k].Data)
	}
}

func compareWithEvaluator(t *testing.T, name string, text []byte) {
	t.Helper()
	prog, err := xla.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	p, err := cpu.Compile(t.Context(), prog.Module(), cpu.Options{Pool: exec.NewPool(1)})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	entry := prog.Module().Entry()
	var args []literal.Literal
	for _, q := range entry.Params() {
		args = append(args, someOf(r, q.Shape()))
	}
	eval := interp.New(t.Context(), interp.Options{})
	want, err := eval.Computation(entry, args)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second run finds the memory of the first
		got, err := p.Run(t.Context(), args, eval)
		if err != nil {
			t.Fatal(err)
		}
		all := leaves(got)
		for k, w := range leaves(want) {
			sameSums(t, w, all[k], 1e-6, p)
		}
	}
}
