package pass

import (
	"context"
	"slices"
	"strings"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Custom calls of XLA between what is written for whole arrays and what is written for one device.
const (
	markTarget  = "Sharding"
	enterTarget = "SPMDFullToShardShape"
	leaveTarget = "SPMDShardToFullShape"
)

// Localize returns m as the program of one of replicas x partitions devices, where m is written for whole
// arrays around parts that are written for one device, as JAX writes shard_map and pmap:
//
//	whole = f32[4,3] custom-call(x), custom_call_target="Sharding", sharding={devices=[2,1]<=[2]}
//	part = f32[2,3] custom-call(whole), custom_call_target="SPMDFullToShardShape", sharding={manual}
//
// A parameter that only such parts read, all in one way, becomes the part that a device has, and so does a result that
// comes out of one; both keep the sharding as an annotation. Elsewhere whole arrays are on every device, which cuts
// its part out of them, and puts whole ones together by an all-gather.
//
// It fails for a program that asks for more, a partitioner: one that says how arrays that its operations work on as a
// whole lie on several devices. A program that is partitioned already is returned as it is.
func Localize(ctx context.Context, m *hlo.Module, replicas, partitions int) (*hlo.Module, error) {
	if err := refuseShardy(m); err != nil {
		return nil, err
	}
	if partitions < 2 || partitioned(m) || !says(m) {
		return m, nil
	}
	wholly := Whole(m)
	m = m.Clone()
	m.Replicas, m.Partitions = replicas, partitions
	if _, err := Run(ctx, m, Options{}, CallInliner()); err != nil {
		return nil, err
	}
	l := &localizer{m: m, replicas: replicas, partitions: partitions, wholly: wholly}
	if err := l.parameters(); err != nil {
		return nil, err
	}
	if err := l.results(); err != nil {
		return nil, err
	}
	if _, err := rewriteModule(m, l.boundary); err != nil {
		return nil, err
	}
	l.forgetAliases()
	return m, nil
}

// Whole reports whether m is written for whole arrays alone: it says how some lie on several devices and leaves the
// rest to a partitioner, as JAX writes jit with shardings. One device computes the same.
func Whole(m *hlo.Module) bool {
	if partitioned(m) || !says(m) {
		return false
	}
	for _, c := range m.Computations() {
		for _, i := range c.Instructions() {
			code, boundary := i.Code(), target(i) == enterTarget || target(i) == leaveTarget
			if boundary || code == op.PartitionId || code.Info().Has(op.Collective) {
				return false
			}
		}
	}
	return true
}

// partitioned reports whether m is known to be what a partitioner has made, the program of one device.
func partitioned(m *hlo.Module) bool {
	return m.IsScheduled || strings.HasSuffix(m.Entry().Name(), "_spmd")
}

// says reports whether m says anything about how whole arrays lie on devices.
func says(m *hlo.Module) bool {
	for _, c := range m.Computations() {
		for _, i := range c.Instructions() {
			if splits(i) || target(i) == enterTarget || target(i) == leaveTarget {
				return true
			}
		}
	}
	return false
}

// refuseShardy fails for boundaries in the form that JAX's lowered.as_text("hlo") has: their shardings are MLIR text.
func refuseShardy(m *hlo.Module) error {
	for _, c := range m.Computations() {
		for _, i := range c.Instructions() {
			a, ok := i.Attrs().(*op.CustomCallAttrs)
			if ok && (a.Target == "xla.sdy.GlobalToLocalShape" || a.Target == "xla.sdy.LocalToGlobalShape") {
				return i.Errorf("custom_call_target", "", "expects a program with shardings of HLO, got %s with those of Shardy: "+
					"export StableHLO (in JAX: lowered.as_text(), or jax.export) or the partitioned program "+
					"(lowered.compile().as_text())", a.Target)
			}
		}
	}
	return nil
}

// target returns what i is at a boundary, "" for nothing.
func target(i *hlo.Instruction) string {
	a, ok := i.Attrs().(*op.CustomCallAttrs)
	if !ok || len(i.Operands()) != 1 || i.Operand(0).IsTuple() {
		return ""
	}
	return a.Target
}

// splits reports whether i has a sharding that splits an array.
func splits(i *hlo.Instruction) bool {
	s := i.Sharding
	if s == nil {
		return false
	}
	return splitsArray(*s) || slices.ContainsFunc(s.Elems, splitsArray)
}

// splitsArray reports whether s is the sharding of an array, and splits it.
func splitsArray(s op.Sharding) bool {
	if s.Kind == op.ShardingTuple {
		return false
	}
	n, err := s.NumTiles()
	return err != nil || n > 1
}

// localizer makes the program of one device.
type localizer struct {
	m                    *hlo.Module
	replicas, partitions int
	channel              int  // the last one taken; 0: not looked for
	wholly               bool // Whole of the program
}

// needsPartitioner is the error at an instruction that is not for one device.
func (l *localizer) needsPartitioner(i *hlo.Instruction, s *op.Sharding) error {
	hint := ""
	if l.wholly {
		hint = ", or a run on one partition (WithDevices(0, 1), --partitions 1)"
	}
	return i.Errorf("sharding", "", "expects a program that is partitioned, or written for one device (shard_map), "+
		"got %v on an operation on whole arrays: the program needs a partitioner, such as that of XLA "+
		"(in JAX: lowered.compile().as_text())%s", s, hint)
}

// part returns the shape of the part that each device has of an array. It fails where they are uneven.
func (l *localizer) part(i *hlo.Instruction, s *op.Sharding, whole shape.Shape) (shape.Shape, error) {
	local, err := s.TileShape(whole)
	if err != nil {
		return local, i.Errorf("sharding", "", "%w", err)
	}
	for d := range l.partitions {
		offset, limit, err := s.Tile(whole, d)
		if err != nil {
			return local, i.Errorf("sharding", "", "%w", err)
		}
		for k := range offset {
			if limit[k]-offset[k] != local.Dims[k] {
				return local, i.Errorf("sharding", "", "expects parts of equal sizes, got %v of %v", s, whole)
			}
		}
	}
	return local, nil
}

// same reports whether both shardings give every device the same part.
func (l *localizer) same(a, b *op.Sharding, whole shape.Shape) bool {
	for d := range l.partitions {
		o1, l1, err1 := a.Tile(whole, d)
		o2, l2, err2 := b.Tile(whole, d)
		if err1 != nil || err2 != nil || !slices.Equal(o1, o2) || !slices.Equal(l1, l2) {
			return false
		}
	}
	return true
}

// whole returns the array that x is a part or a mark of, and how it lies on devices; nil if that is not said.
func whole(x *hlo.Instruction) (*hlo.Instruction, *op.Sharding) {
	if target(x) == markTarget {
		return x.Operand(0), x.Sharding
	}
	return x, nil
}

// parameters makes parameters those of one device.
func (l *localizer) parameters() error {
	for k, p := range l.m.Entry().Params() {
		s, entries := l.readers(p)
		if s == nil {
			if splits(p) {
				return l.needsPartitioner(p, p.Sharding)
			}
			continue
		}
		local, err := l.part(p, s, p.Shape())
		if err != nil {
			return err
		}
		for _, e := range entries {
			if !e.Shape().EqualIgnoringLayout(local) {
				return l.needsPartitioner(e, s)
			}
		}
		p.SetShape(local)
		p.Sharding = s
		for _, e := range entries {
			mark := e.Operand(0)
			e.ReplaceAllUsesWith(p)
			removeDead(e)
			removeDead(mark)
		}
		if l.m.EntryLayout != nil {
			l.m.EntryLayout.Params[k] = local
		}
	}
	return nil
}

// readers returns the entries into parts for one device that read p, if nothing else does and all in the same way; nil
// for the sharding otherwise.
func (l *localizer) readers(p *hlo.Instruction) (s *op.Sharding, entries []*hlo.Instruction) {
	if !p.IsArray() || p.IsRoot() {
		return nil, nil
	}
	if p.Sharding != nil {
		s = p.Sharding
	}
	for _, mark := range p.Users() {
		if _, by := whole(mark); by == nil || s != nil && !l.same(s, by, p.Shape()) {
			return nil, nil
		}
		s = mark.Sharding
		for _, e := range mark.Users() {
			if target(e) != enterTarget {
				return nil, nil
			}
			entries = append(entries, e)
		}
		if len(mark.Users()) == 0 || mark.IsRoot() {
			return nil, nil
		}
	}
	return s, entries
}

// results makes results those of one device.
func (l *localizer) results() error {
	c := l.m.Entry()
	root := c.Root()
	if root.Code() != op.Tuple {
		part, s, err := l.result(root, root.Sharding)
		if err == nil && part != nil {
			c.SetRoot(part)
			removeDead(root)
			l.setResult(nil, part, s)
		}
		return err
	}
	shapes := slices.Clone(root.Shape().Elems)
	all := op.Sharding{Kind: op.ShardingTuple, Elems: make([]op.Sharding, len(shapes))}
	for k, e := range slices.Clone(root.Operands()) {
		var said *op.Sharding
		if root.Sharding != nil && len(root.Sharding.Elems) == len(shapes) {
			said = &root.Sharding.Elems[k]
		}
		part, s, err := l.result(e, said)
		if err != nil {
			return err
		}
		if part != nil {
			root.SetOperand(k, part)
			removeDead(e)
			shapes[k], all.Elems[k] = part.Shape(), *s
			l.setResult([]int{k}, part, s)
		}
	}
	root.SetShape(shape.MakeTuple(shapes...))
	root.Sharding = &all
	return nil
}

// result returns what a device has of a result, if that comes out of a part for one device, and its sharding.
func (l *localizer) result(e *hlo.Instruction, said *op.Sharding) (part *hlo.Instruction, s *op.Sharding, err error) {
	x, by := whole(e)
	if by == nil {
		by = said
	}
	if target(x) == leaveTarget {
		s := shardingOf(x)
		switch {
		case by == nil || l.same(by, s, x.Shape()):
			local, err := l.part(x, s, x.Shape())
			if y := inner(x); err != nil || y.Shape().EqualIgnoringLayout(local) {
				return y, s, err
			}
			return nil, nil, l.needsPartitioner(x, s)
		case l.same(by, &op.Sharding{}, x.Shape()): // whole on all devices
			return nil, nil, nil
		}
		return nil, nil, l.needsPartitioner(x, by)
	}
	if by != nil && by.Kind != op.ShardingTuple && !l.same(by, &op.Sharding{}, e.Shape()) {
		return nil, nil, l.needsPartitioner(e, by)
	}
	return nil, nil, nil
}

// shardingOf returns the sharding of x; nothing said means that each device has the whole.
func shardingOf(x *hlo.Instruction) *op.Sharding {
	if x.Sharding == nil {
		return &op.Sharding{}
	}
	return x.Sharding
}

// inner returns what the end of a part for one device is made of, without marks.
func inner(leave *hlo.Instruction) *hlo.Instruction {
	x := leave.Operand(0)
	for target(x) == markTarget && !splits(x) {
		x = x.Operand(0)
	}
	return x
}

// setResult notes that a result is the part of one device.
func (l *localizer) setResult(index []int, part *hlo.Instruction, s *op.Sharding) {
	if index == nil && part.Code() != op.Parameter {
		part.Sharding = s
	}
	switch layout := l.m.EntryLayout; {
	case layout == nil:
	case index == nil:
		layout.Result = part.Shape()
	default:
		layout.Result.Elems = slices.Clone(layout.Result.Elems)
		layout.Result.Elems[index[0]] = part.Shape()
	}
}

// forgetAliases takes out what says that a parameter and a result, of different sizes now, share memory.
func (l *localizer) forgetAliases() {
	at := func(s shape.Shape, index []int) shape.Shape {
		for _, k := range index {
			s = s.Elems[k]
		}
		return s
	}
	l.m.InputOutputAlias = slices.DeleteFunc(slices.Clone(l.m.InputOutputAlias), func(a hlo.Alias) bool {
		p := at(l.m.Entry().Params()[a.Param].Shape(), a.ParamIndex)
		return !p.EqualIgnoringLayout(at(l.m.Entry().Root().Shape(), a.OutputIndex))
	})
}
