package jaxexport_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/stablehlo/jaxexport"
)

func files(t testing.TB) []string {
	t.Helper()
	root := hlotest.Shared(t)
	list, _ := filepath.Glob(filepath.Join(root, "examples/jax_export/*.jaxexport"))
	more, _ := filepath.Glob(filepath.Join(root, "examples/digits/*.jaxexport"))
	if list = append(list, more...); len(list) == 0 {
		t.Fatal("no files")
	}
	return list
}

// checkCut: a file without its last bytes is known for what it is, and the error says that it ends.
func checkCut(t *testing.T, path string, data []byte) {
	t.Helper()
	cut := data[:len(data)-len(data)/8]
	_, err := jaxexport.Read(cut)
	if err == nil || !strings.Contains(err.Error(), "the end of the file") {
		t.Errorf("%s: without its end: got %v", path, err)
	}
	if !jaxexport.IsExported(cut) {
		t.Errorf("%s: is not recognized without its end", path)
	}
}

// TestRead: each file is read with the artifact in it, and its types are those of @main.
func TestRead(t *testing.T) {
	for _, path := range files(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		e, err := jaxexport.Read(data)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if !jaxexport.IsExported(data) {
			t.Errorf("%s: is not recognized", path)
		}
		checkCut(t, path, data)
		a, err := e.Module()
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		args, err := e.MainArgs(a.Module)
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		t.Logf("%s: convention %d, %v, StableHLO %s, %d devices: %s", filepath.Base(path), e.CallingConvention,
			e.Platforms, a.Version, e.NumDevices, e.Signature())
		t.Logf("  args %v %s", args, strings.Join(jaxexport.Constraints(a.Module), "\n"))
	}
	t.Logf("%d files", len(files(t)))
}
