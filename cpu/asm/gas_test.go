package asm

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestGas compares instructions with what GNU as makes of their text, through the disassembler (there may be several
// encodings of one instruction): random ones of every form, and those of the golden file.
func TestGas(t *testing.T) {
	for _, tool := range []string{"as", "objdump"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
	t.Run("random", func(t *testing.T) {
		per := 12
		if testing.Short() {
			per = 3
		}
		insts, code := randomCode(t, 7, per)
		compareGas(t, insts, code)
	})
	t.Run("golden", func(t *testing.T) {
		var insts []Inst
		var code [][]byte
		for _, g := range readGolden(t) {
			in, _, err := Decode(g.code)
			if err != nil {
				t.Fatal(err)
			}
			if in.String() != g.text {
				t.Fatalf("% x: expected %s, got %s", g.code, g.text, in.String())
			}
			insts, code = append(insts, in), append(code, g.code)
		}
		compareGas(t, insts, code)
	})
}

func compareGas(t *testing.T, insts []Inst, code [][]byte) {
	var text []string
	for i := range insts {
		text = append(text, gasText(&insts[i]))
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "x.s"), []byte(".intel_syntax noprefix\n"+strings.Join(text, "\n")+"\n"))
	write(t, filepath.Join(dir, "y.bin"), bytes.Join(code, nil))
	if out, err := exec.Command("as", "-o", dir+"/x.o", dir+"/x.s").CombinedOutput(); err != nil {
		t.Fatalf("as: %v\n%.3000s", err, out)
	}
	gas := disassemble(t, "-d", "-M", "intel", "--no-show-raw-insn", dir+"/x.o")
	own := disassemble(t, "-D", "-b", "binary", "-m", "i386:x86-64", "-M", "intel", "--no-show-raw-insn", dir+"/y.bin")
	if len(gas) != len(own) || len(gas) != len(text) {
		t.Errorf("instructions: GNU as %d, own %d, text %d", len(gas), len(own), len(text))
	}
	bad := 0
	for i := range min(len(gas), len(own)) {
		if gas[i] != own[i] {
			if bad++; bad < 20 {
				t.Errorf("%s\n as  %q\n own %q (% x)", text[i], gas[i], own[i], code[i])
			}
		}
	}
	t.Logf("%d instructions compared, %d differ", len(gas), bad)
}

// gasText is the text of in with the encoding that GNU as would otherwise not choose.
func gasText(in *Inst) string {
	if r := in.Op.row(); !in.Op.General() && r.d.has(evex) && (in.VEX || in.fitsVEX(r)) {
		return "{vex} " + in.String()
	}
	return in.String()
}

func write(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
}

func disassemble(t *testing.T, args ...string) (list []string) {
	t.Helper()
	out, err := exec.Command("objdump", args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		f := strings.SplitN(line, "\t", 2)
		if len(f) == 2 && strings.HasSuffix(strings.TrimSpace(f[0]), ":") {
			text := strings.Join(strings.Fields(f[1]), " ")
			list = append(list, strings.TrimPrefix(strings.TrimPrefix(text, "{evex} "), "{vex} "))
		}
	}
	return list
}
