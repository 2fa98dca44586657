package cpu_test

import (
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
)

// TestMixedSizes: arrays of known size are not handed on as such of a size that is not, nor the other way round, though
// their shapes are compatible: the error names the place.
func TestMixedSizes(t *testing.T) {
	const loop = `HloModule m
c {
  p = (s32[], f32[8]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(500)
  ROOT r = pred[] compare(i, n), direction=LT
}
b {
  p = (s32[], %P) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[8] get-tuple-element(p), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  y = f32[8] tanh(x)
  ROOT t = (s32[], f32[8]) tuple(j, y)
}
ENTRY e {
  x = f32[8] parameter(0)
  z = s32[] constant(0)
  s = (s32[], f32[8]) tuple(z, x)
  l = (s32[], %L) while(s), condition=c, body=b
  ROOT r = f32[8] get-tuple-element(l), index=1
}
`
	const call = `HloModule m
f {
  p = %P parameter(0)
  ROOT y = f32[8] tanh(p)
}
ENTRY e {
  x = f32[8] parameter(0)
  ROOT y = %L call(x), to_apply=f
}
`
	for _, test := range []struct{ text, param, result, want string }{
		{loop, "f32[8]", "f32[8]", ""},
		{loop, "f32[8]", "f32[<=8]", "%l: while: expects an array whose size is known"},
		{loop, "f32[<=8]", "f32[8]", ": parameter: expects an array whose size is known"},
		{call, "f32[8]", "f32[8]", ""},
		{call, "f32[<=8]", "f32[8]", ": parameter: expects an array whose size is known"},
	} {
		text := strings.NewReplacer("%P", test.param, "%L", test.result).Replace(test.text)
		prog, err := xla.Parse("sizes.hlo", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		pool := exec.NewPool(1)
		defer pool.Close()
		p, err := cpu.Compile(t.Context(), prog.Module(), cpu.Options{Pool: pool, NoPasses: true})
		if err == nil {
			p.Close()
		}
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("parameter %s, result %s: expected error %q, got %v", test.param, test.result, test.want, err)
		}
	}
}
