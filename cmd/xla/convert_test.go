package main

import (
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
