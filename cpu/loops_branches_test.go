package cpu_test

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/goxla/xla"
	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
)

// TestBranchesInLoops: loops with conditionals, those of testdata/branches.txtar, are one kernel, but where a branch
// has a loop of unknown length in which a kernel would have to stop, and give what the evaluator gives.
func TestBranchesInLoops(t *testing.T) {
	file, err := txtar.ParseFile("testdata/branches.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range file.Files {
		compareWithEvaluator(t, f.Name, f.Data)
		prog, err := xla.Parse(f.Name, f.Data)
		if err != nil {
			t.Fatal(err)
		}
		p, err := cpu.Compile(t.Context(), prog.Module(), cpu.Options{Pool: exec.NewPool(1)})
		if err != nil {
			t.Fatal(err)
		}
		text := p.Plan().Text(false)
		if one := !strings.Contains(text, "conditional"); one != !strings.HasPrefix(f.Name, "apart") {
			t.Errorf("%s: in one kernel: %v, the plan is\n%s", f.Name, one, text)
		}
	}
}
