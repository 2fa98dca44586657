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
