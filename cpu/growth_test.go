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

// TestGrowth: four times the program takes about four times as long to compile.
func TestGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("measures seconds of compilation, which -short is there to save")
	}
	const times, most = 4, 12 // in proportion to the square it is 16 times as long
	for _, c := range []struct {
		name    string
		few     int
		program func(n int) string
	}{
		{"functions with seldom needed code in a kernel", 300, sines},
		{"sums that are added one by one", 2000, sumsOfSums},
		{"updates one after the other", 2000, updates},
	} {
		first, then := time.Duration(math.MaxInt64/most), time.Duration(math.MaxInt64)
		for k := 0; k < 6 && then > most*first || k < 2; k++ { // others may be at work on the machine
			first, then = min(first, compileTime(t, c.program(c.few))), min(then, compileTime(t, c.program(c.few*times)))
		}
		if then > most*first {
			t.Errorf("%d %s: %v; %d: expected no more than %d times that, got %v", c.few, c.name, first, c.few*times, most, then)
		}
	}
}

// sines is a kernel of so many sines.
func sines(count int) string {
	var b strings.Builder
	b.WriteString("HloModule m\n\nENTRY e {\n  x0. = f32[1000] parameter(0)\n")
	for n := range count {
		fmt.Fprintf(&b, "  x%d. = f32[1000] sine(x%d.)\n", n+1, n)
	}
	fmt.Fprintf(&b, "  ROOT r = f32[1000] negate(x%d.)\n}\n", count)
	return b.String()
}

// sumsOfSums adds sums of so many arrays, one after the other.
func sumsOfSums(count int) string {
	var b strings.Builder
	b.WriteString(`HloModule m
add { l = f32[] parameter(0) r = f32[] parameter(1) ROOT s = f32[] add(l, r) }
ENTRY e {
  s0. = f32[] constant(0)
`)
	for n := range count {
		fmt.Fprintf(&b, `  p%d. = f32[10,10] parameter(%[1]d)
  n%[1]d. = f32[] reduce(p%[1]d., s0.), dimensions={0,1}, to_apply=add
  s%[2]d. = f32[] add(s%[1]d., n%[1]d.)
`, n, n+1)
	}
	fmt.Fprintf(&b, "  ROOT r = f32[] negate(s%d.)\n}\n", count)
	return b.String()
}

// updates writes so many rows into an array, one after the other.
func updates(count int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "HloModule m\n\nENTRY e {\n  x0. = f32[%d,16] parameter(0)\n  z = s32[] constant(0)\n", count)
	for n := range count {
		fmt.Fprintf(&b, `  p%d. = f32[1,16] parameter(%[2]d)
  k%[1]d. = s32[] constant(%[1]d)
  x%[2]d. = f32[%[3]d,16] dynamic-update-slice(x%[1]d., p%[1]d., k%[1]d., z)
`, n, n+1, count)
	}
	fmt.Fprintf(&b, "  ROOT r = f32[%d,16] negate(x%d.)\n}\n", count, count)
	return b.String()
}

// compileTime is how long a program takes to compile.
func compileTime(t *testing.T, program string) time.Duration {
	t.Helper()
	m, err := hlotext.Parse(program, hlotext.ParseOptions{})
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
