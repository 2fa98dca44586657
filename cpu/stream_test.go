package cpu_test

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo/hlotext"
)

// TestStreamsAnywhere: results that go past the caches come out the same at whatever address the caller wants them,
// with rows of whole lines and others.
func TestStreamsAnywhere(t *testing.T) {
	const turned = "y = f32[size,size] transpose(x), dimensions={1,0}\n  ROOT r = f32[size,size] add(x, y)"
	const product = "ROOT r = f32[size,size] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}"
	for _, test := range []struct {
		n            int
		result, plan string
	}{{1024, turned, "write stream"}, {1003, turned, "write stream"}, {768, product, "c streamed"}} {
		t.Run(test.plan+" "+strconv.Itoa(test.n), func(t *testing.T) { streamAnywhere(t, test.n, test.result, test.plan) })
	}
}

func streamAnywhere(t *testing.T, n int, result, in string) {
	text := strings.ReplaceAll(`HloModule m
ENTRY e {
  x = f32[size,size] parameter(0)
  `+result+`
}`, "size", strconv.Itoa(n))
	size := 4 * n * n
	m, err := hlotext.Parse(text, hlotext.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := cpu.CompileWith(t.Context(), m, cpu.Options{Pool: exec.NewPool(2)}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if plan := p.Plan().Text(true); !strings.Contains(plan, in) {
		t.Errorf("the result does not go past the caches:\n%s", plan)
	}
	x := make([]byte, size)
	for k := range x {
		x[k] = byte(k * 7 >> 3 & 63)
		if k%4 == 3 {
			x[k] = 0x3f // numbers from 1/2 to 1: their products are normal
		}
	}
	var want []byte
	for _, at := range []int{0, 4, 16, 32, 60, 64} {
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
