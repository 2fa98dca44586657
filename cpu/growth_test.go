package cpu_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo/hlotext"
)

// TestGrowth: four times the functions with seldom needed code in a kernel take about four times as long to compile.
func TestGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("measures seconds of compilation, which -short is there to save")
	}
	const few, times, most = 300, 4, 9
	first, then := time.Duration(math.MaxInt64/most), time.Duration(math.MaxInt64)
	for k := 0; k < 6 && then > most*first || k < 2; k++ { // others may be at work on the machine
		first, then = min(first, compileTime(t, few)), min(then, compileTime(t, few*times))
	}
	if then > most*first {
		t.Errorf("%d sines: %v; %d: expected no more than %d times that, got %v", few, first, few*times, most, then)
	}
}

// compileTime is how long a kernel of so many sines takes to compile.
func compileTime(t *testing.T, sines int) time.Duration {
	t.Helper()
	var b strings.Builder
	b.WriteString("HloModule m\n\nENTRY e {\n  x0. = f32[1000] parameter(0)\n")
	for n := range sines {
		fmt.Fprintf(&b, "  x%d. = f32[1000] sine(x%d.)\n", n+1, n)
	}
	fmt.Fprintf(&b, "  ROOT r = f32[1000] negate(x%d.)\n}\n", sines)
	m, err := hlotext.Parse(b.String(), hlotext.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	pool := exec.NewPool(1)
	defer pool.Close()
	start := time.Now()
	if _, err := cpu.Compile(t.Context(), m, cpu.Options{Pool: pool}); err != nil {
		t.Fatal(err)
	}
	return time.Since(start)
}
