package chain

import (
	"strings"
	"testing"

	"github.com/goxla/xla/hlo/hlotext"
)

// loop has a state of a counter and two numbers that make one another.
const loop = `HloModule loop
body {
  s = (s32[], f32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  one = s32[] constant(1)
  j = s32[] add(i, one)
  x = f32[] get-tuple-element(s), index=1
  y = f32[4] get-tuple-element(s), index=2
  half = f32[] constant(0.5)
  halves = f32[4] broadcast(half), dimensions={}
  x1 = f32[] BODY
  y1 = f32[4] multiply(y, halves)
  y2 = f32[4] add(y1, halves)
  ROOT t = (s32[], f32[], f32[4]) tuple(j, x1, y2)
}
cond {
  s = (s32[], f32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(100)
  ROOT c = pred[] compare(i, n), direction=LT
}
ENTRY e {
  zero = s32[] START
  x = f32[] parameter(0)
  y = f32[4] parameter(1)
  s = (s32[], f32[], f32[4]) tuple(zero, x, y)
  w = (s32[], f32[], f32[4]) while(s), condition=cond, body=body
  ROOT r = f32[] get-tuple-element(w), index=1
}`

func TestLength(t *testing.T) {
	tests := []struct {
		body, start string
		flops, want float64
	}{
		{"multiply(x, half)", "constant(0)", 0, 100},   // a product; of y only the sum counts
		{"add(half, half)", "constant(0)", 0, 100},     // y alone
		{"divide(half, x)", "constant(0)", 0, 250},     //
		{"divide(half, x)", "constant(50)", 0, 125},    //
		{"divide(half, x)", "parameter(2)", 0, 0},      // who knows how often
		{"divide(half, x)", "parameter(2)", 1000, 250}, // ten operations an iteration
	}
	for _, test := range tests {
		text := strings.NewReplacer("BODY", test.body, "START", test.start).Replace(loop)
		m, err := hlotext.Parse(text, hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got := Length(m, test.flops); got != test.want {
			t.Errorf("%s from %s: %g, want %g", test.body, test.start, got, test.want)
		}
	}
}
