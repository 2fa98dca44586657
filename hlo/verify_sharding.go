package hlo

import (
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// sharding checks that i's sharding fits its shape and names devices that exist.
func (v *verifier) sharding(i *Instruction) error {
	s := i.Sharding
	if s == nil {
		return nil
	}
	shaped := i.shape
	if i.code == op.Outfeed { // its sharding is about the data
		shaped = i.operands[0].shape
	}
	if s.Kind != op.ShardingTuple {
		return v.leafSharding(i, s, shaped)
	}
	if i.code == op.Outfeed {
		shaped = shape.MakeTuple(shaped, i.shape)
	}
	want := max(numLeaves(shaped), 1) // an empty tuple has one
	if len(s.Elems) != want && !(len(s.Elems) == 0 && isEmptyTuple(shaped)) {
		return i.errorf("sharding", "", "expects %d shardings, one a leaf, got %d", want, len(s.Elems))
	}
	k := 0
	for leaf := range leaves(shaped) {
		if err := v.leafSharding(i, &s.Elems[k], leaf); err != nil {
			return err
		}
		k++
	}
	return nil
}

// leafSharding checks the sharding s of the array or tuple of shape t.
func (v *verifier) leafSharding(i *Instruction, s *op.Sharding, t shape.Shape) error {
	switch s.Kind {
	case op.ShardingMaximal:
		return v.deviceInRange(i, s.Device)
	case op.ShardingTiled:
		return v.tiledSharding(i, s, t)
	case op.ShardingNamed:
		if n := s.Named; n != nil && len(n.Dims) > 0 && t.IsArray() && len(n.Dims) != t.Rank() {
			return i.errorf("sharding", "", "expects %d dimensions, those of %v, got %d", t.Rank(), t, len(n.Dims))
		}
	}
	return nil
}

func (v *verifier) tiledSharding(i *Instruction, s *op.Sharding, t shape.Shape) error {
	if !t.IsArray() {
		return i.errorf("sharding", "", "expects a sharding without tiles for %v, got %v", t, s)
	}
	if rank := len(s.Tiles.Dims) - len(s.Last); rank != t.Rank() {
		return i.errorf("sharding", "", "expects %d tile dimensions, those of %v, got %d", t.Rank(), t, rank)
	}
	if s.Tiles.Iota != nil { // each device from 0 once
		return v.deviceInRange(i, s.Tiles.Len()-1)
	}
	seen := make(map[int]bool, len(s.Tiles.IDs))
	for _, d := range s.Tiles.IDs {
		if seen[d] {
			return i.errorf("sharding", "", "expects every device once, got %d again", d)
		}
		seen[d] = true
		if err := v.deviceInRange(i, d); err != nil {
			return err
		}
	}
	return nil
}

// deviceInRange checks a device number, where the module says how many devices there are.
func (v *verifier) deviceInRange(i *Instruction, device int) error {
	if n := v.m.Partitions; n > 1 && (device < 0 || device >= n) {
		return i.errorf("sharding", "", "device %d is not in [0, %d)", device, n)
	}
	return nil
}

// whileSharding checks that a loop and the parameters and root of its computations are sharded alike.
func (v *verifier) whileSharding(i *Instruction) error {
	condition, body := i.called[0], i.called[1]
	group := []*Instruction{i, body.Root()}
	return consistentSharding(append(append(group, body.Params()...), condition.Params()...))
}

// conditionalSharding checks that a conditional and the roots of its branches are sharded alike.
func (v *verifier) conditionalSharding(i *Instruction) error {
	group := []*Instruction{i}
	for _, c := range i.called {
		group = append(group, c.Root())
	}
	return consistentSharding(group)
}

// consistentSharding checks that those of group that have a sharding have the same.
func consistentSharding(group []*Instruction) error {
	var first *Instruction
	for _, i := range group {
		switch {
		case i.Sharding == nil:
		case first == nil:
			first = i
		case string(i.Sharding.AppendText(nil, false)) != string(first.Sharding.AppendText(nil, false)):
			return i.errorf("sharding", "", "expects that of %%%s, %v, got %v", first.name, first.Sharding, i.Sharding)
		}
	}
	return nil
}
