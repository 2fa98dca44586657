package cpu_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo/hlotext"
)

// TestDoubling compiles programs in which there are 2^60 ways from the result to the argument: what looks for something
// must not go all of them.
func TestDoubling(t *testing.T) {
	for _, step := range []string{"add(%s, %s)", "multiply(%s, %s)", "maximum(%s, %s)"} {
		var b strings.Builder
		b.WriteString("HloModule m\n\nENTRY e {\n  p = f32[64] parameter(0)\n  x0 = f32[64] negate(p)\n")
		for k := range 60 {
			x := fmt.Sprintf("x%d", k)
			fmt.Fprintf(&b, "  x%d = f32[64] "+step+"\n", k+1, x, "y"+x)
			fmt.Fprintf(&b, "  yx%d = f32[64] sine(x%d)\n", k+1, k+1)
		}
		b.WriteString("  ROOT r = f32[64] copy(x60)\n}\n")
		text := strings.Replace(b.String(), "  x1 =", "  yx0 = f32[64] cosine(p)\n  x1 =", 1)
		m, err := hlotext.Parse(text, hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		pool := exec.NewPool(1)
		defer pool.Close()
		ended := make(chan error, 1)
		go func() {
			p, err := cpu.Compile(context.Background(), m, cpu.Options{Pool: pool})
			if err == nil {
				p.Close()
			}
			ended <- err
		}()
		select {
		case err := <-ended:
			if err != nil {
				t.Fatal(err)
			}
		case <-time.After(time.Minute):
			t.Fatalf("a minute was not enough for 120 instructions like %s", step)
		}
	}
}
