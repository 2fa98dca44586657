package asm

import (
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"testing"
)

const goldenFile = "testdata/golden.txt"

type golden struct {
	code []byte
	text string
}

// readGolden reads the golden file: bytes in hexadecimal, then the text, a line an instruction.
func readGolden(t *testing.T) (list []golden) {
	t.Helper()
	b, err := os.ReadFile(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		digits, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		code, err := hex.DecodeString(digits)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		list = append(list, golden{code, text})
	}
	return list
}

// TestGolden holds encoder, decoder and text to bytes that GNU as confirmed (TestGas), where that is not installed.
func TestGolden(t *testing.T) {
	if os.Getenv("XLA_UPDATE") != "" {
		writeGolden(t)
	}
	seen := map[string]bool{}
	for _, g := range readGolden(t) {
		in, n, err := Decode(g.code)
		if err != nil || n != len(g.code) || in.String() != g.text {
			t.Errorf("%x: expected %s, got %s, %d bytes, %v", g.code, g.text, in.String(), n, err)
			continue
		}
		seen[in.Op.String()] = true
		var a Assembler
		a.Emit(in)
		if a.err != nil || string(a.code) != string(g.code) {
			t.Errorf("%s: expected %x, got %x, %v", g.text, g.code, a.code, a.err)
		}
	}
	for op := Op(1); op < opGeneralEnd; op++ {
		if op != JCC && op != JMP && !seen[op.String()] {
			t.Errorf("%s is not in the golden file", op)
		}
	}
}

func writeGolden(t *testing.T) {
	var b strings.Builder
	_, code := randomCode(t, 12, 4)
	for _, c := range code {
		in, _, err := Decode(c)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%x %s\n", c, in.String())
	}
	write(t, goldenFile, []byte(b.String()))
}
