package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestConvertBinary: text goes to the binary form and back; the form of the input is known
// by its content, whatever its name.
func TestConvertBinary(t *testing.T) {
	dir := t.TempDir()
	text, binary, back := filepath.Join(dir, "a.txt"), filepath.Join(dir, "b.hlo.pb"), filepath.Join(dir, "c.hlo")
	if err := os.WriteFile(text, []byte(sumOfReplicas), 0o600); err != nil {
		t.Fatal(err)
	}
	disguised := filepath.Join(dir, "d.hlo")
	steps := []struct {
		args string
		exit int
		want string
	}{
		{"convert " + text + " " + binary, 0, ""},
		{"convert " + binary + " " + back, 0, ""},
		{"convert " + binary + " - --form short", 0, "ENTRY e {\n  p = f32[2]{0} parameter(0)\n"},
		{"show " + binary, 0, "module sum (HloModuleProto)"},
		{"run " + binary + " --random 1", 0, "result 0: f32[2]"},
		{"run " + disguised + " --random 1", 0, "result 0: f32[2]"},
		{"convert " + text + " " + filepath.Join(dir, "a.onnx"), 2, "expects an extension .hlo, .txt or .pb"},
	}
	for k, step := range steps {
		if k == 1 {
			data, err := os.ReadFile(binary)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(disguised, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		var out bytes.Buffer
		exit := execute(t.Context(), strings.Fields(step.args), &out, &out)
		if exit != step.exit || !strings.Contains(out.String(), step.want) {
			t.Errorf("%s: status %d, want %d, printed\n%s", step.args, exit, step.exit, out.String())
		}
	}
	var want, got bytes.Buffer
	execute(t.Context(), []string{"convert", text, "-"}, &want, &want)
	execute(t.Context(), []string{"convert", back, "-"}, &got, &got)
	if got.String() != want.String() || got.Len() == 0 {
		t.Errorf("there and back it is\n%s\nwant\n%s", got.String(), want.String())
	}
}
