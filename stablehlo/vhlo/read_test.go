package vhlo_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/stablehlo/vhlo"
)

// corpus returns the portable artifacts of the shared corpus.
func corpus(t testing.TB) []string {
	t.Helper()
	root := hlotest.Shared(t)
	var files []string
	for _, pattern := range []string{
		"corpus/stablehlo/bytecode/*.bc", "corpus/stablehlo/portable/*.mlirbc", "examples/digits/*.mlirbc",
	} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: no files (%v)", pattern, err)
		}
		files = append(files, found...)
	}
	return files
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestRead: each artifact of the corpus is read, except those named invalid_*.
func TestRead(t *testing.T) {
	read, refused := 0, 0
	for _, path := range corpus(t) {
		_, err := vhlo.Read(readFile(t, path))
		switch invalid := strings.HasPrefix(filepath.Base(path), "invalid_"); {
		case err == nil && invalid:
			t.Errorf("%s: expected an error, got none", path)
		case err != nil && !invalid:
			t.Errorf("%s: %v", path, err)
		case invalid:
			refused++
			t.Logf("%s: %v", path, err)
		default:
			read++
		}
	}
	t.Logf("%d artifacts read, %d refused", read, refused)
}
