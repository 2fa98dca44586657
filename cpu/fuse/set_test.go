package fuse

import (
	"testing"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// TestSet: a set takes each instruction once, whatever its number.
func TestSet(t *testing.T) {
	m := hlo.NewModule("m")
	c := m.AddComputation("main")
	var list []*hlo.Instruction
	for n := range 200 {
		list = append(list, c.Add("p", op.Parameter, shape.Make(shape.F32), nil, &op.ParameterAttrs{Number: n}))
	}
	var s set
	for _, k := range []int{3, 130, 0, 63, 64, 199, 131} {
		if !s.add(list[k]) {
			t.Errorf("instruction %d: expected that it is new", k)
		}
		if s.add(list[k]) {
			t.Errorf("instruction %d: expected that it is not new", k)
		}
	}
	if s.count != 7 {
		t.Errorf("expected 7 instructions, got %d", s.count)
	}
}
