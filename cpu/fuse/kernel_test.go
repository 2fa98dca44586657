package fuse

import (
	"testing"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/op"
)

const rowSum = `HloModule m
add { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT s = f32[] add(x, y) }
ENTRY e {
  p = f32[128,100] parameter(0)
  zero = f32[] constant(0)
  mean = f32[128] reduce(p, zero), dimensions={1}, to_apply=add
  wide = f32[128,100] broadcast(mean), dimensions={0}
  c = f32[128,100] subtract(p, wide)
  sum2 = f32[128] reduce(c, zero), dimensions={1}, to_apply=add
  wide2 = f32[128,100] broadcast(sum2), dimensions={0}
  ROOT r = f32[128,100] add(c, wide2)
}`

func TestRowKernel(t *testing.T) {
	m, err := hlotext.Parse(rowSum, hlotext.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	root := m.Entry().Root()
	k, err := Build(Spec{Name: "k", Dims: []int{128, 100}, Inner: []bool{false, true},
		Roots:    []Root{{Ref: Ref{Inst: root}}},
		InMemory: func(i *hlo.Instruction) bool { return i.Code() == op.Parameter }})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(k.Nest)
}
