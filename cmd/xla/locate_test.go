package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestLocate: where results differ from the evaluator's, the first instruction that does is named.
func TestLocate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.hlo")
	const text = `HloModule m
ENTRY e {
  x = f32[4000] parameter(0)
  y = f32[4000] negate(x)
  z = f32[4000] exponential(y)
  w = f32[4000] add(z, y)
  ROOT r = f32[4000] multiply(w, w)
}
`
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	expect(t, exitDone, "1 results agree", "run", "--random", "1", "--compare", "interp", "--threads", "2", path)
	expect(t, exitFailed, "the first instruction that differs is "+path+":5:3: %z: exponential:",
		"run", "--random", "1", "--compare", "interp", "--rtol", "0", path)
	expect(t, exitUsage, "--threads: expects 1 or more, got -1", "run", "--random", "1", "--threads", "-1", path)
}
