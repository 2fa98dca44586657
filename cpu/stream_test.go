package cpu_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo/hlotext"
)

// TestStreamsAnywhere: results that go past the caches come out the same at whatever address the caller wants them.
func TestStreamsAnywhere(t *testing.T) {
	const text = `HloModule m
ENTRY e {
  x = f32[1024,1024] parameter(0)
  y = f32[1024,1024] transpose(x), dimensions={1,0}
  ROOT r = f32[1024,1024] add(x, y)
}`
	const size = 4 << 20
	m, err := hlotext.Parse(text, hlotext.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := cpu.Compile(t.Context(), m, cpu.Options{Pool: exec.NewPool(2)})
	if err != nil {
		t.Fatal(err)
	}
	if plan := p.Plan().Text(true); !strings.Contains(plan, "write stream") {
		t.Errorf("the result does not go past the caches:\n%s", plan)
	}
	x := make([]byte, size)
	for k := range x {
		x[k] = byte(k * 7 >> 3 & 63)
	}
	var want []byte
	for _, at := range []int{0, 4, 16, 32, 64} {
		memory := make([]byte, size+128) // on a page
		outs, args := []cpu.Array{{Bytes: memory[at : at+size]}}, []cpu.Array{{Bytes: x}}
		if err := p.RunInto(t.Context(), outs, args, nil); err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = bytes.Clone(memory[at : at+size])
		}
		if !bytes.Equal(memory[at:at+size], want) {
			t.Errorf("a result at an address of %d modulo 64 differs from one at 0", at)
		}
		if bytes.ContainsFunc(memory[:at], func(r rune) bool { return r != 0 }) ||
			bytes.ContainsFunc(memory[at+size:], func(r rune) bool { return r != 0 }) {
			t.Errorf("a result at an address of %d modulo 64: something was written around it", at)
		}
	}
}
