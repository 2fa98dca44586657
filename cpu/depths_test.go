package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/literal"
)

// TestDepths: products of narrow numbers whose depth is no multiple of what instructions take are filled up with
// zeros for machine code, others are not, and are what the evaluator makes of them.
func TestDepths(t *testing.T) {
	machine, err := gemm.HostConfig(os.Getenv(exec.TierEnv), 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		a, b, result, attrs string
		filled              bool
	}{
		{"s8[33,65]", "s8[65,40]", "s32[33,40]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", true},
		{"u8[66,33]", "s8[40,66]", "s32[33,40]", "lhs_contracting_dims={0}, rhs_contracting_dims={1}", true},
		{"s16[2,33,67]", "s8[2,67,40]", "s32[2,33,40]",
			"lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={1}", true},
		{"bf16[33,65]", "bf16[65,40]", "f32[33,40]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}",
			machine.Words()},
		{"bf16[33,66]", "bf16[66,40]", "f32[33,40]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", false},
		{"s8[33,68]", "s8[68,40]", "s32[33,40]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", false},
		{"s8[2,65]", "s8[65,40]", "s32[2,40]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", false},
		{"s8[33,7]", "s8[7,40]", "s32[33,40]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", false},
		{"s32[33,65]", "s32[65,40]", "s32[33,40]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", false},
	} {
		text := fmt.Sprintf(`HloModule m
ENTRY e {
  a = %s parameter(0)
  b = %s parameter(1)
  ROOT d = %s dot(a, b), %s
}
`, c.a, c.b, c.result, c.attrs)
		m, err := hlotext.Parse(text, hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		pool := exec.NewPool(2)
		defer pool.Close()
		p, err := cpu.Compile(t.Context(), m, cpu.Options{Pool: pool})
		if err != nil {
			t.Fatal(err)
		}
		want := c.filled && machine.Tier != exec.Portable
		if got := strings.Contains(p.Plan().String(), "kernel pad"); got != want {
			t.Errorf("%s times %s: expected depth filled up: %v, got\n%s", c.a, c.b, want, p.Plan())
		}
		r := rand.New(rand.NewPCG(1, 2))
		args := []literal.Literal{someOf(r, m.Entry().Params()[0].Shape()), someOf(r, m.Entry().Params()[1].Shape())}
		got, err := p.Run(t.Context(), args, nil)
		if err != nil {
			t.Fatal(err)
		}
		agree(t, m, args, got)
	}
}
