package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu/exec"
)

// needMachineCode skips a test where there is no tier to measure.
func needMachineCode(t *testing.T) {
	t.Helper()
	tier, err := exec.HostTier("")
	if err != nil {
		t.Fatal(err)
	}
	if tier < exec.AVX2 {
		t.Skipf("the tier of this machine is %v: it has no machine code", tier)
	}
}

func TestRun(t *testing.T) {
	needMachineCode(t)
	var w strings.Builder
	if err := run([]string{"-tiers", "avx2", "-seconds", "0.001", "^64x64x64 f32 rows$"}, &w); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(w.String(), "\n## avx2\n") || !strings.Contains(w.String(), "\n| 64x64x64 f32 rows | ") {
		t.Errorf("expected one row, got %s", w.String())
	}
}

// TestPieces: the rows that a run does not measure stay.
func TestPieces(t *testing.T) {
	needMachineCode(t)
	out := filepath.Join(t.TempDir(), "GEMM.md")
	for _, pattern := range []string{"^64x64x64 f32 rows$", "^128x128x128 f32 rows$"} {
		if err := run([]string{"-tiers", "avx2", "-seconds", "0.001", "-out", out, pattern}, io.Discard); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	have := rowsOf(string(text))
	for _, name := range []string{"64x64x64 f32 rows", "128x128x128 f32 rows"} {
		if have[row{"avx2", name}] == "" {
			t.Errorf("expected the row of %s, got %s", name, text)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, args := range [][]string{{"-tiers", "mmx"}, {"-seconds", "0"}, {"("}, {"a", "b"}} {
		if _, err := parse(args); err == nil {
			t.Errorf("%q: expected an error", args)
		}
	}
}
