package xla_test

import (
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/literal"
)

// scalarLoop counts s32[] down and multiplies f32[] by a factor, as often as its argument says.
const scalarLoop = `HloModule m
cond {
  p = (s32[], f32[]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  z = s32[] constant(0)
  ROOT c = pred[] compare(i, z), direction=GT
}
body {
  p = (s32[], f32[]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[] get-tuple-element(p), index=1
  one = s32[] constant(1)
  j = s32[] subtract(i, one)
  f = f32[] constant(0.99)
  g = f32[] constant(0.5)
  y = f32[] multiply(x, f)
  w = f32[] add(y, g)
  ROOT t = (s32[], f32[]) tuple(j, w)
}
ENTRY e {
  n = s32[] parameter(0)
  x = f32[] parameter(1)
  s = (s32[], f32[]) tuple(n, x)
  ROOT w = (s32[], f32[]) while(s), condition=cond, body=body
}`

// BenchmarkScalarLoop is a million iterations of a loop on two scalars.
func BenchmarkScalarLoop(b *testing.B) {
	client := newClient(b, xla.Options{Backend: xla.CPU()})
	exe, err := client.Compile(b.Context(), parse(b, scalarLoop))
	if err != nil {
		b.Fatal(err)
	}
	n, x := literal.Scalar(int32(1_000_000)), literal.Scalar(float32(1))
	for b.Loop() {
		if _, err := exe.Run(b.Context(), n, x); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSteps is the loop of TestRunIntoAllocatesNothing with a thousand iterations of two kernels: what a step
// costs besides its work.
func BenchmarkSteps(b *testing.B) {
	client := newClient(b, xla.Options{Backend: xla.CPU()})
	exe, err := client.Compile(b.Context(), parse(b, steadyReducers+steadyPrograms["while"]))
	if err != nil {
		b.Fatal(err)
	}
	args := []*xla.Buffer{buffer(b, client, make([]float32, 64)), bufferOf(b, client, literal.Scalar(int32(1000)))}
	outs := []*xla.Buffer{buffer(b, client, make([]float32, 64))}
	for b.Loop() {
		if err := exe.RunInto(b.Context(), outs, args); err != nil {
			b.Fatal(err)
		}
	}
}
