//go:build xla_emulate && amd64

package exec

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
)

// TestEmulatedProcessors: each has the tier that it is for, and the instructions of its features only.
func TestEmulatedProcessors(t *testing.T) {
	lacks := map[string]string{
		"skylake":        "vpdpbusd vdpbf16ps vpermb vpcompressw vpopcntb vpopcntd tilezero tdpbf16ps tdpbssd tdpfp16ps",
		"cascadelake":    "vdpbf16ps vpermb vpcompressw vpopcntb vpopcntd tilezero tdpbf16ps tdpbssd tdpfp16ps",
		"icelake":        "vdpbf16ps tilezero tdpbf16ps tdpbssd tdpfp16ps",
		"zen4":           "tilezero tdpbf16ps tdpbssd tdpfp16ps",
		"zen5":           "tilezero tdpbf16ps tdpbssd tdpfp16ps",
		"sapphirerapids": "tdpfp16ps",
		"graniterapids":  "",
	}
	ops := []asm.Op{asm.VADDPS, asm.KANDQ, asm.VPDPBUSD, asm.VDPBF16PS, asm.VPERMB, asm.VPCOMPRESSW, asm.VPOPCNTB,
		asm.VPOPCNTD, asm.TILEZERO, asm.TDPBF16PS, asm.TDPBSSD, asm.TDPFP16PS}
	for name, f := range processors {
		want := AVX512
		if strings.HasSuffix(name, "rapids") {
			want = AMX
		}
		if got := f.Tier(); got != want {
			t.Errorf("%s: expected tier %v, got %v", name, want, got)
		}
		for _, op := range ops {
			lacking := strings.Contains(" "+lacks[name]+" ", " "+op.String()+" ")
			if got := has(f, &asm.Inst{Op: op}); got == lacking {
				t.Errorf("%s: %s: got %v", name, op, got)
			}
		}
	}
	narrow := Features{AVX2: true}
	if has(narrow, &asm.Inst{Op: asm.VADDPS}) || !has(narrow, &asm.Inst{Op: asm.VADDPS, VEX: true}) {
		t.Error("AVX2: expected the VEX form of vaddps only")
	}
}

// TestEmulatedCalls: code is found by any address in it, as long as it is mapped, and what is wrong in it is a panic.
func TestEmulatedCalls(t *testing.T) {
	var codes []*Code
	for i := range 5 {
		var a asm.Assembler
		a.Zero0(asm.UD2)
		a.MI(asm.MOV, asm.W32, asm.M(asm.RDI, 0), int32(i+1))
		a.Zero0(asm.VZEROUPPER)
		a.Ret()
		text, err := a.Finish()
		if err != nil {
			t.Fatal(err)
		}
		c, err := NewCode(text)
		if err != nil {
			t.Fatal(err)
		}
		codes = append(codes, c)
	}
	for i, c := range codes {
		var got int32
		if Call(c.Entry(2), unsafe.Pointer(&got)); got != int32(i+1) {
			t.Errorf("code %d: got %d", i, got)
		}
		if text := panicOf(func() { Call(c.Entry(0), nil) }); !strings.Contains(text, "ud2 at 0x0") {
			t.Errorf("code %d: expected ud2 to panic, got %q", i, text)
		}
		at := c.Entry(0)
		c.Close()
		if text := panicOf(func() { Call(at, nil) }); text == "" {
			t.Errorf("code %d: expected a call of freed code to panic", i)
		}
	}
}

func panicOf(fn func()) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = r.(string)
		}
	}()
	fn()
	return ""
}
