package pass_test

import (
	"context"
	"testing"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/pass"
)

// TestFoldLimits: nothing is folded without an evaluator, or beyond the limit.
func TestFoldLimits(t *testing.T) {
	const text = `HloModule m

ENTRY e {
  c = f32[4] constant({1, 2, 3, 4})
  x = f32[4] parameter(0)
  s = f32[4] sine(c)
  ROOT r = f32[4] add(x, s)
}
`
	for _, c := range []struct {
		name    string
		options pass.Options
		want    bool
	}{
		{"no evaluator", pass.Options{}, false},
		{"small limit", pass.Options{Evaluate: evaluate, FoldLimit: 15}, false},
		{"limit", pass.Options{Evaluate: evaluate, FoldLimit: 16}, true},
		{"default", pass.Options{Evaluate: evaluate}, true},
	} {
		m, err := hlotext.Parse(text, hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		changed, err := pass.Run(t.Context(), m, c.options, pass.ConstantFolding())
		if err != nil || changed != c.want {
			t.Errorf("%s: changed %v, %v, want %v", c.name, changed, err, c.want)
		}
	}
}

// TestFoldOnce: what several constants are computed from, and is no constant itself, is computed once.
func TestFoldOnce(t *testing.T) {
	const text = `HloModule m

add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}

ENTRY e {
  i = f32[512] iota(), iota_dimension=0
  n = f32[512] sine(i)
  z = f32[] constant(0)
  r = f32[] reduce(n, z), dimensions={0}, to_apply=add
  b = f32[512] broadcast(r), dimensions={}
  ROOT d = f32[512] divide(n, b)
}
`
	m, err := hlotext.Parse(text, hlotext.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	times := map[string]int{}
	count := func(ctx context.Context, i *hlo.Instruction, operands []literal.Literal) (literal.Literal, error) {
		times[i.Name()]++
		return evaluate(ctx, i, operands)
	}
	if _, err := pass.Run(t.Context(), m, pass.Options{Evaluate: count}, pass.ConstantFolding()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"i", "n", "r"} {
		if times[name] != 1 {
			t.Errorf("%s: computed %d times, want 1", name, times[name])
		}
	}
}

// TestUnrollLimit: a loop of three iterations of seven instructions fits a limit of 21.
func TestUnrollLimit(t *testing.T) {
	const text = `HloModule m

cond {
  s = (s32[], f32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(3)
  ROOT c = pred[] compare(i, n), direction=LT
}

body {
  s = (s32[], f32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[] get-tuple-element(s), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  y = f32[] sine(x)
  ROOT r = (s32[], f32[]) tuple(j, y)
}

ENTRY e {
  zero = s32[] constant(0)
  x = f32[] parameter(0)
  s = (s32[], f32[]) tuple(zero, x)
  ROOT w = (s32[], f32[]) while(s), condition=cond, body=body
}
`
	for limit, want := range map[int]bool{20: false, 21: true, 0: true} {
		m, err := hlotext.Parse(text, hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		changed, err := pass.Run(t.Context(), m, pass.Options{UnrollLimit: limit}, pass.WhileLoopUnroller())
		if err != nil || changed != want {
			t.Errorf("limit %d: changed %v, %v, want %v", limit, changed, err, want)
		}
	}
}
