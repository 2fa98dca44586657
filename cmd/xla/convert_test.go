package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestConvertBinary: text goes to the binary form and back; the form of the input is
// known by its content, whatever its name.
func TestConvertBinary(t *testing.T) {
	dir := t.TempDir()
	text, binary, back := file(t, "small.hlo", small), filepath.Join(dir, "b.hlo.pb"), filepath.Join(dir, "c.hlo")
	expect(t, exitDone, "", "convert", text, binary)
	expect(t, exitDone, "", "convert", binary, back)
	expect(t, exitDone, "ENTRY e {\n", "convert", binary, "-", "--form", "short")
	data, err := os.ReadFile(back)
	if err != nil {
		t.Fatal(err)
	}
	if string(data) != small {
		t.Errorf("there and back it is\n%s\nwant\n%s", data, small)
	}
	if data, err = os.ReadFile(binary); err != nil {
		t.Fatal(err)
	}
	disguised := file(t, "d.txt", string(data))
	expect(t, exitDone, "(HloModuleProto)", "show", disguised)
	expect(t, exitDone, "result 0: f32[2]", "run", disguised, "--random", "1")
	cut := file(t, "cut.pb", string(data[:len(data)/2]))
	expect(t, exitUsage, "cut.pb: byte ", "run", cut, "--random", "1")
}

// TestConvertToStableHLO: HLO goes to StableHLO text and to a portable artifact, from its
// binary form too, and both run as the program did.
func TestConvertToStableHLO(t *testing.T) {
	dir := t.TempDir()
	in, binary := file(t, "small.hlo", small), filepath.Join(dir, "b.pb")
	expect(t, exitDone, "", "convert", in, binary)
	for _, from := range []string{in, binary} {
		text, artifact := filepath.Join(dir, "c.mlir"), filepath.Join(dir, "c.mlirbc")
		expect(t, exitDone, "", "convert", from, text)
		expect(t, exitDone, "(StableHLO text)", "show", text)
		expect(t, exitDone, "", "convert", from, artifact)
		expect(t, exitDone, "(StableHLO bytecode)", "show", artifact)
		expect(t, exitDone, "result 0: f32[2]", "run", artifact, "--random", "1")
		plain := filepath.Join(dir, "c.bc")
		expect(t, exitDone, "", "convert", from, plain)
		expect(t, exitDone, "result 0: f32[2]", "run", plain, "--random", "1")
	}
	artifact := filepath.Join(dir, "old.mlirbc")
	expect(t, exitDone, "", "convert", in, artifact, "--stablehlo-version", "1.0.0")
	data, err := os.ReadFile(artifact)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(data, []byte("StableHLO_v1.0.0\x00")) {
		t.Errorf("expected an artifact of version 1.0.0, got %q", data[:40])
	}
	expect(t, exitUsage, "--stablehlo-version: version: expected MAJOR.MINOR.PATCH", "convert", in, artifact,
		"--stablehlo-version", "new")
	none := file(t, "none.hlo", `HloModule none

ENTRY e {
  ROOT r = u64[2] rng-get-and-update-state(), delta=1
}
`)
	expect(t, exitUsage, "none.hlo:4:8: %r: rng-get-and-update-state: there is no StableHLO form", "convert", none,
		artifact)
}
