package asm_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/asm/emu"
)

// TestQuick: what the emulator does a vector at a time gives the bits of its functions of a lane, of random
// instructions of all forms, with denormal numbers kept and flushed.
func TestQuick(t *testing.T) {
	per := 12
	if testing.Short() {
		per = 4
	}
	for op := asm.Op(1); int(op) < asm.NumOps; op++ {
		switch op {
		case asm.JCC, asm.JMP, asm.JMPR, asm.RET, asm.UD2:
			continue
		}
		if name := op.String(); !strings.Contains(name, "tile") && !strings.HasPrefix(name, "tdp") {
			t.Run(fmt.Sprintf("%s_%d", op, op), func(t *testing.T) { compareQuick(t, op, per) })
		}
	}
}

func compareQuick(t *testing.T, op asm.Op, per int) {
	r := rand.New(rand.NewPCG(uint64(op), 6))
	buf := aligned(state)
	m := emu.New()
	for range per {
		in := asm.RandomInst(r, op)
		init := make([]byte, state)
		prepare(r, &in, init, uint64(uintptr(unsafe.Pointer(&buf[0]))))
		var a asm.Assembler
		program(&a, in, r, true)
		code, err := a.Finish()
		if err != nil {
			t.Fatal(err)
		}
		plain, quick := emu.NewProgram(code, nil), emu.NewProgram(code, nil)
		plain.Plain = true
		for _, flush := range []bool{false, true} {
			run := func(p *emu.Program) []byte {
				copy(buf, init)
				if err := m.Run(p, p.Base(), unsafe.Pointer(&buf[0]), flush); err != nil {
					t.Fatal(err)
				}
				return bytes.Clone(buf)
			}
			if diff := difference(&in, run(plain), run(quick), init); diff != "" {
				t.Fatalf("%s, flushing %v: %s", in.String(), flush, diff)
			}
		}
	}
}
