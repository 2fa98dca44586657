package pass_test

import (
	"fmt"
	"testing"

	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/pass"
)

// TestNestedLoops: loops in loops that run a few times each are not written out until the program is many times as long
// as a loop may become.
func TestNestedLoops(t *testing.T) {
	const depth = 8
	text := `HloModule m
cond {
  t = (s32[], f32[100]) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  n = s32[] constant(3)
  ROOT l = pred[] compare(i, n), direction=LT
}
loop0. {
  t = (s32[], f32[100]) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  x = f32[100] get-tuple-element(t), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  y = f32[100] sine(x)
  ROOT r = (s32[], f32[100]) tuple(j, y)
}
`
	for n := range depth {
		text += fmt.Sprintf(`loop%d. {
  t = (s32[], f32[100]) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  x = f32[100] get-tuple-element(t), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  zero = s32[] constant(0)
  u = (s32[], f32[100]) tuple(zero, x)
  w = (s32[], f32[100]) while(u), condition=cond, body=loop%d.
  y = f32[100] get-tuple-element(w), index=1
  ROOT r = (s32[], f32[100]) tuple(j, y)
}
`, n+1, n)
	}
	text += fmt.Sprintf(`ENTRY e {
  x = f32[100] parameter(0)
  zero = s32[] constant(0)
  u = (s32[], f32[100]) tuple(zero, x)
  w = (s32[], f32[100]) while(u), condition=cond, body=loop%d.
  ROOT y = f32[100] get-tuple-element(w), index=1
}`, depth)
	m, err := hlotext.Parse(text, hlotext.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pass.Pipeline().Run(t.Context(), m, pass.Options{}); err != nil {
		t.Fatal(err)
	}
	sines := 0
	for _, c := range m.Computations() {
		for _, i := range c.Instructions() {
			if i.Code() == op.Sine {
				sines++
			}
		}
	}
	if sines > pass.DefaultUnrollLimit || sines < 3 {
		t.Errorf("expects 3 to %d sines, got %d", pass.DefaultUnrollLimit, sines)
	}
}
