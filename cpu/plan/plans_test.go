package plan_test

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/goxla/xla/cpu/conv"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/cpu/plan"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/hlotest"
)

// TestPlans: the programs in testdata have the plans that stand behind them, on a machine with AVX-512. No step
// reads what is not there, whether instructions are fused and buffers shared or not.
func TestPlans(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		hlotest.Pairs(t, path, "plan", func(program txtar.File, want *txtar.File) {
			t.Run(program.Name, func(t *testing.T) { comparePlan(t, program, want) })
		})
	}
}

func comparePlan(t *testing.T, program txtar.File, want *txtar.File) {
	machine := gemm.Config{Tier: exec.AVX512, Threads: 2}
	got := planned(t, program, plan.Options{Machine: machine})
	if hlotest.Update() {
		want.Data = []byte(got)
	}
	if got != string(want.Data) {
		t.Errorf("got\n%s\nexpected\n%s", got, want.Data)
	}
	planned(t, program, plan.Options{Machine: machine, NoReuse: true})
	alone := planned(t, program, plan.Options{Machine: machine, NoFusion: true})
	if strings.Contains(got, "gemm") != strings.Contains(alone, "gemm") {
		t.Errorf("without fusion:\n%s", alone)
	}
}

// planned is the text of a checked plan.
func planned(t *testing.T, program txtar.File, o plan.Options) string {
	t.Helper()
	m, err := hlotext.Parse(string(program.Data), hlotext.ParseOptions{File: program.Name})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conv.Canonical(m, o.Machine); err != nil {
		t.Fatal(err)
	}
	if !o.NoFusion {
		plan.ReadUpdates(m)
	}
	p, err := plan.Build(m, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Check(); err != nil {
		t.Errorf("%v:\n%s", err, p)
	}
	return p.String()
}

// TestAlias: a result is computed in the memory of an argument where nothing needs the argument any more.
func TestAlias(t *testing.T) {
	for _, test := range []struct {
		name, body string
		written    bool
	}{
		{"same_element", "ROOT r = f32[8] negate(x)", true},
		{"other_element", "ROOT r = f32[8] reverse(x), dimensions={0}", false},
		{"read_later", `s = f32[8] sort(x), dimensions={0}, to_apply=less
		  ROOT r = f32[8] subtract(s, x)`, true},
		{"read_after_a_result", `n = f32[8] negate(x)
		  v = f32[8] reverse(x), dimensions={0}
		  ROOT r = (f32[8], f32[8]) tuple(n, v)`, false},
		{"other_shape", "ROOT r = f32[7] slice(x), slice={[0:7]}", false},
	} {
		text := `HloModule m
		less { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT l = pred[] compare(a, b), direction=LT }
		ENTRY e {
		  x = f32[8] parameter(0)
		  ` + test.body + "\n}"
		m, err := hlotext.Parse(text, hlotext.ParseOptions{File: test.name})
		if err != nil {
			t.Fatal(err)
		}
		p, err := plan.Build(m, plan.Options{Aliases: []plan.Alias{{Param: 0, Result: 0}}})
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Check(); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if got := p.Buffers[p.Params[0].Buffer].Written; got != test.written {
			t.Errorf("%s: expected the argument written: %v, got %v:\n%s", test.name, test.written, got, p)
		}
	}
}
