package xla_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/goxla/xla"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/literal"
)

// entry returns a module whose entry computation has the given instructions.
func entry(instructions string) string {
	return "HloModule m\n\nENTRY e {\n" + instructions + "\n}\n"
}

const (
	// patience is how long a hostile program may take, on a busy machine.
	patience = 30 * time.Second
	// maxHostileBytes is how much it may allocate.
	maxHostileBytes = 1 << 30
)

// evaluate parses, compiles and runs a program without parameters, or on zeros.
func evaluate(ctx context.Context, text string) error {
	prog, err := xla.Parse("m.hlo", []byte(text))
	if err != nil {
		return err
	}
	client, err := xla.NewClient(xla.Options{Backend: testBackend()})
	if err != nil {
		return err
	}
	exe, err := client.Compile(ctx, prog)
	if err != nil {
		return err
	}
	var args []literal.Literal
	for _, p := range exe.Signature().Params {
		args = append(args, literal.New(p))
	}
	_, err = exe.Run(ctx, args...)
	return err
}

// TestHostilePrograms runs programs that are small as text, and ask for much.
func TestHostilePrograms(t *testing.T) {
	chain := 100_000
	if exec.RaceEnabled { // which makes everything about ten times slower
		chain = 10_000
	}
	tests := []struct {
		name, text string
		want       string // part of the error of the evaluator, then after a bar that of the compiler; "": it runs
	}{
		{"iota", entry("i = f32[1099511627776] iota(), iota_dimension=0"),
			"%i: iota: literal: f32[1099511627776]|%i: iota: m needs 4398046511104 bytes"},
		{"iota over the limit", entry("i = f32[4294967296,4] iota(), iota_dimension=1"),
			"%i: iota: expects values of at most|at most 17179869184 (the memory limit)"},
		{"elided constant", entry("c = f32[8589934592] constant({...})\nROOT n = f32[8589934592] negate(c)"),
			"%c: constant: expects values of at most|%n: negate: m needs 34359738368 bytes"},
		{"broadcast", entry("c = f32[] constant(1)\nb = f32[1048576,1048576] broadcast(c), dimensions={}"), "%b: broadcast"},
		{"broadcast in a reducer", `HloModule m
add {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT s = f32[] add(x, y)
}
odd {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  b = f32[1048576,1048576] broadcast(x), dimensions={}
  ROOT s = f32[] reduce(b, y), dimensions={0,1}, to_apply=add
}
ENTRY e {
  p = f32[4] parameter(0)
  c = f32[] constant(0)
  ROOT r = f32[] reduce(p, c), dimensions={0}, to_apply=odd
}`, "%b: broadcast: literal: f32[1048576,1048576]"},
		{"pad far", entry("p = f32[1] parameter(0)\nc = f32[] constant(0)\n" +
			"r = f32[2] pad(p, c), padding=4611686018427387904_-4611686018427387903"), ""},
		{"pad beyond", entry("p = f32[3] parameter(0)\nc = f32[] constant(0)\n" +
			"r = f32[2] pad(p, c), padding=0_0_9223372036854775807"), "%r: pad: "},
		{"long stride", entry("p = f32[4] parameter(0)\nr = f32[1] slice(p), slice={[3:4:9223372036854775807]}"), ""},
		{"wide window", `HloModule m
add {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT s = f32[] add(x, y)
}
ENTRY e {
  p = f32[1] parameter(0)
  c = f32[] constant(0)
  ROOT r = f32[1] reduce-window(p, c), window={size=1099511627776 pad=0_1099511627775}, to_apply=add
}`, ""},
		{"deep calls", deepCalls(5000), "nested|"},
		{"long chain", longChain(chain), ""},
		{"wide tuple", wideTuple(20_000), ""},
	}
	for _, tt := range tests {
		t.Run(strings.ReplaceAll(tt.name, " ", "_"), func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			err := evaluate(ctx, tt.text)
			runtime.ReadMemStats(&after)
			if took := time.Since(start); took > patience {
				t.Errorf("took %v", took)
			}
			if n := after.TotalAlloc - before.TotalAlloc; n > maxHostileBytes {
				t.Errorf("allocated %d bytes", n)
			}
			want, compiled, differs := strings.Cut(tt.want, "|")
			if differs && testBackend().Name() == "cpu" {
				want = compiled
			}
			checkError(t, err, want)
		})
	}
}

// checkError checks that err contains want; "" wants none.
func checkError(t *testing.T, err error, want string) {
	t.Helper()
	switch {
	case want == "" && err != nil:
		t.Errorf("error: %.300v", err)
	case want != "" && err == nil:
		t.Errorf("no error, want one with %q", want)
	case want != "" && !strings.Contains(err.Error(), want):
		t.Errorf("error %.300q, want it to contain %q", err, want)
	case err != nil && strings.Contains(err.Error(), "internal error"):
		t.Errorf("a panic: %.1000v", err)
	}
}

// deepCalls returns n computations each of which calls the one before.
func deepCalls(n int) string {
	var b strings.Builder
	b.WriteString("HloModule m\n\ng0 {\n  ROOT p = f32[] parameter(0)\n}\n")
	for i := range n {
		fmt.Fprintf(&b, "g%d {\n  p = f32[] parameter(0)\n  ROOT c = f32[] call(p), to_apply=g%d\n}\n", i+1, i)
	}
	fmt.Fprintf(&b, "ENTRY e {\n  p = f32[] parameter(0)\n  ROOT c = f32[] call(p), to_apply=g%d\n}\n", n)
	return b.String()
}

// longChain returns n negations, one of the other.
func longChain(n int) string {
	var b strings.Builder
	b.WriteString("i0 = f32[] parameter(0)\n")
	for i := range n {
		fmt.Fprintf(&b, "i%d = f32[] negate(i%d)\n", i+1, i)
	}
	return entry(b.String())
}

// wideTuple returns a tuple of n elements, each taken out and put in again.
func wideTuple(n int) string {
	var shapes, elems, b strings.Builder
	for i := range n {
		if i > 0 {
			shapes.WriteString(", ")
			elems.WriteString(", ")
		}
		shapes.WriteString("f32[]")
		fmt.Fprintf(&elems, "g%d", i)
	}
	fmt.Fprintf(&b, "p = (%s) parameter(0)\n", shapes.String())
	for i := range n {
		fmt.Fprintf(&b, "g%d = f32[] get-tuple-element(p), index=%d\n", i, i)
	}
	fmt.Fprintf(&b, "ROOT t = (%s) tuple(%s)", shapes.String(), elems.String())
	return entry(b.String())
}

// endless are loops that end with their context only.
var endless = map[string]string{
	"scalar": `HloModule m
yes {
  s = (s32[]) parameter(0)
  ROOT c = pred[] constant(true)
}
next {
  s = (s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  one = s32[] constant(1)
  n = s32[] add(i, one)
  ROOT t = (s32[]) tuple(n)
}
ENTRY e {
  z = s32[] parameter(0)
  t = (s32[]) tuple(z)
  ROOT w = (s32[]) while(t), condition=yes, body=next
}`,
	"array": `HloModule m
yes {
  s = f32[100] parameter(0)
  ROOT c = pred[] constant(true)
}
next {
  s = f32[100] parameter(0)
  ROOT n = f32[100] negate(s)
}
ENTRY e {
  z = f32[100] parameter(0)
  ROOT w = f32[100] while(z), condition=yes, body=next
}`,
	"array in scalar": `HloModule m
yes {
  s = f32[100] parameter(0)
  ROOT c = pred[] constant(true)
}
next {
  s = f32[100] parameter(0)
  ROOT n = f32[100] negate(s)
}
no {
  s = f32[] parameter(0)
  ROOT c = pred[] constant(true)
}
inner {
  s = f32[] parameter(0)
  b = f32[100] broadcast(s), dimensions={}
  w = f32[100] while(b), condition=yes, body=next
  l = f32[1] slice(w), slice={[0:1]}
  ROOT r = f32[] reshape(l)
}
outer {
  s = f32[] parameter(0)
  ROOT i = f32[] call(s), to_apply=inner
}
ENTRY e {
  z = f32[] parameter(0)
  ROOT w = f32[] while(z), condition=no, body=outer
}`,
}

func TestEndlessLoops(t *testing.T) {
	for name, text := range endless {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			start := time.Now()
			err := evaluate(ctx, text)
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("error %v, want the deadline", err)
			}
			if took := time.Since(start); took > patience {
				t.Errorf("took %v", took)
			}
		})
	}
}
