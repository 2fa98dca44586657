package plan_test

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/cpu/plan"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/hlotest"
)

// TestProducts: the programs of testdata/products.txtar have the plans that stand behind them, on a machine with
// AVX-512.
func TestProducts(t *testing.T) {
	const path = "testdata/products.txtar"
	file, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for k := 0; k+1 < len(file.Files); k += 2 {
		program, want := file.Files[k], &file.Files[k+1]
		m, err := hlotext.Parse(string(program.Data), hlotext.ParseOptions{File: program.Name})
		if err != nil {
			t.Fatal(err)
		}
		machine := gemm.Config{Tier: exec.AVX512, Threads: 2}
		p, err := plan.Build(m, plan.Options{Machine: machine})
		if err != nil {
			t.Fatal(err)
		}
		got := p.String()
		if hlotest.Update() {
			want.Data = []byte(got)
		}
		if got != string(want.Data) {
			t.Errorf("%s: got\n%s\nexpected\n%s", program.Name, got, want.Data)
		}
		alone, err := plan.Build(m, plan.Options{Machine: machine, NoFusion: true})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(got, "gemm") != strings.Contains(alone.String(), "gemm") {
			t.Errorf("%s: without fusion:\n%s", program.Name, alone)
		}
	}
	if hlotest.Update() {
		if err := os.WriteFile(path, txtar.Format(file), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
