package vhlo_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/stablehlo"
	"github.com/goxla/xla/stablehlo/mlirtext"
	"github.com/goxla/xla/stablehlo/vhlo"
)

// plainFiles returns the files of the dialects themselves.
func plainFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/plain/*.mlirbc")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files (%v)", err)
	}
	return files
}

// TestPlain reads bytecode of the dialects stablehlo and chlo themselves, which MLIR
// wrote, and compares it with the text that MLIR printed.
func TestPlain(t *testing.T) {
	for _, path := range plainFiles(t) {
		a, err := vhlo.Read(readFile(t, path))
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		text := strings.TrimSuffix(path, "bc")
		m, err := mlirtext.Parse(text, string(readFile(t, text)))
		if err != nil {
			t.Fatal(err)
		}
		want := mlirtext.Print(m, mlirtext.Options{})
		if got := mlirtext.Print(a.Module, mlirtext.Options{}); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", path, got, want)
		}
		writePlain(t, path, a.Module)
	}
}

// writePlain writes a module in its own dialects and reads it back.
func writePlain(t *testing.T, name string, m *stablehlo.Module) bool {
	t.Helper()
	data, err := vhlo.WritePlain(m)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return false
	}
	back, err := vhlo.Read(data)
	if err != nil {
		t.Errorf("%s: read back: %v", name, err)
		return false
	}
	if diff := stablehlo.Diff(m, back.Module, true); diff != "" {
		t.Errorf("%s: read back it differs: %s", name, diff)
	}
	return true
}

// TestPlainCorpus writes the programs of the corpus in their own dialects, those of
// check, arith and tensor too, and reads them back.
func TestPlainCorpus(t *testing.T) {
	n := 0
	for _, folder := range []string{"verify_ok", "interpret", "infer_ok"} {
		files, err := filepath.Glob(filepath.Join(hlotest.Shared(t), "corpus", "stablehlo", folder, "*.mlir"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no files (%v)", folder, err)
		}
		for _, path := range files {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			modules, err := mlirtext.ParseAll(filepath.Base(path), string(text))
			if err != nil {
				continue // has parts that must be refused
			}
			for _, m := range modules {
				if writePlain(t, filepath.Base(path), m) {
					n++
				}
			}
		}
	}
	t.Logf("%d modules", n)
}
