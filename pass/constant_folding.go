package pass

import (
	"context"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
)

// ConstantFolding computes what depends on constants only, with Options.Evaluate. Iotas and
// broadcasts of constants stay what they are, and so do arrays made of them that are large:
// a compiled loop computes such faster than it reads them.
func ConstantFolding() Pass {
	return Pass{
		Name: "constant-folding",
		Doc: "Computes what depends on constants only, up to a size and an amount of work. Iotas and broadcasts, and " +
			"large arrays that are cheap to make of them, stay as they are.",
		Run: func(ctx context.Context, m *hlo.Module, o Options) (bool, error) {
			if o.Evaluate == nil {
				return false, nil
			}
			f := folder{ctx: ctx, evaluate: o.Evaluate, limit: o.FoldLimit,
				values: map[*hlo.Instruction]literal.Literal{}}
			if f.limit == 0 {
				f.limit = DefaultFoldLimit
			}
			return rewriteModule(m, f.fold)
		},
	}
}

const (
	// maxFoldWork is the most elements that are computed or read for one folded constant.
	maxFoldWork = 1 << 22
	// maxSymbolicBytes is the largest array made of iotas and broadcasts that is folded.
	maxSymbolicBytes = 1 << 10
	// maxRegion is the most instructions that are evaluated for one constant.
	maxRegion = 256
	// maxKept is the most elements of values that are kept from one constant to the next.
	maxKept = 1 << 20
)

// folder folds constants.
type folder struct {
	ctx      context.Context
	evaluate Evaluate
	limit    int64
	// fixed is of what depends on constants only and is no constant, by id, in the computation comp; elsewhere it is 0.
	fixed []region
	comp  *hlo.Computation
	// values are those that constants were computed from, of kept elements in all: other constants may need them too.
	values map[*hlo.Instruction]literal.Literal
	kept   int64
}

// region is what an instruction that depends on constants only is computed from.
type region struct {
	work     int64 // elements to compute
	size     int   // instructions, at least 1
	symbolic bool  // its arrays are made of iotas and broadcasts, none of a constant array
}

// fold returns a constant for i, or nil. Where i has a fixed value but stays, it notes so.
func (f *folder) fold(i *hlo.Instruction) (*hlo.Instruction, error) {
	if c := i.Computation(); c != f.comp {
		f.comp, f.fixed = c, append(f.fixed[:0], make([]region, c.NumIDs())...)
	}
	r, ok := f.region(i)
	if !ok || i.Code() == op.Constant {
		return nil, nil
	}
	if stays(i) || !f.worthwhile(i, r) {
		f.fixed[i.ID()] = r
		return nil, nil
	}
	v, err := f.value(i)
	if f.kept > maxKept {
		clear(f.values)
		f.kept = 0
	}
	if err != nil {
		return nil, context.Cause(f.ctx) // the program may never come here: leave it as it is
	}
	return i.Computation().Add("", op.Constant, i.Shape(), nil,
		&op.ConstantAttrs{Value: v.Relayout(i.Shape().Layout)}), nil
}

// stays reports whether i is left as it is where its value is known: it is as good as a constant.
func stays(i *hlo.Instruction) bool {
	switch i.Code() {
	case op.Iota:
		return true
	case op.Broadcast:
		return i.Size() > 1
	}
	return !i.IsArray()
}

// region returns what i is computed from; ok is false if that is not constants only, or too much.
func (f *folder) region(i *hlo.Instruction) (r region, ok bool) {
	r = region{size: 1, symbolic: true}
	if i.Code() == op.Constant {
		if ok = foldable(i); ok {
			r.work, r.symbolic = elements(i), i.IsArray() && i.Size() == 1
		}
		return r, ok
	}
	for _, o := range i.Operands() {
		var part region
		fixed := false
		if o.Code() == op.Constant {
			part, fixed = f.region(o)
		} else if o.ID() < len(f.fixed) { // not one added since
			part = f.fixed[o.ID()]
			fixed = part.size > 0
		}
		if !fixed {
			return r, false
		}
		r.work += part.work
		r.size += part.size
		r.symbolic = r.symbolic && part.symbolic
	}
	if !foldable(i) {
		return r, false
	}
	r.work += elements(i) + ownWork(i)
	return r, r.work <= maxFoldWork && r.size <= maxRegion
}

// worthwhile reports whether a constant is better than computing i.
func (f *folder) worthwhile(i *hlo.Instruction, r region) bool {
	bytes, err := i.Shape().ByteSize()
	if err != nil || int64(bytes) > f.limit {
		return false
	}
	cheap := i.Code().Info().Fusion == op.FuseLoop
	return !r.symbolic || !cheap || bytes <= maxSymbolicBytes
}

// unfoldable are operations whose value is not a function of their operands alone, and those
// that may run for long.
var unfoldable = [op.NumCodes]bool{op.Parameter: true, op.CustomCall: true, op.While: true, op.AfterAll: true,
	op.AddDependency: true, op.PartitionId: true, op.ReplicaId: true, op.OptBarrier: true, op.Domain: true,
	op.AsyncStart: true, op.AsyncUpdate: true, op.AsyncDone: true, op.CopyStart: true, op.CopyDone: true,
	op.AllGatherDone: true, op.AllReduceDone: true, op.CollectivePermuteDone: true, op.Bitcast: true,
	op.RngBitGenerator: true}

func foldable(i *hlo.Instruction) bool {
	if unfoldable[i.Code()] || HasSideEffect(i) || len(i.ControlPredecessors())+len(i.ControlSuccessors()) > 0 {
		return false
	}
	for _, c := range i.Called() {
		for _, x := range c.Instructions() {
			if x.Code() != op.Parameter && !foldable(x) {
				return false
			}
		}
	}
	return isStatic(i) && !isElided(i)
}

// isStatic reports whether all sizes of i's result are known.
func isStatic(i *hlo.Instruction) bool {
	for _, e := range i.Shape().Elems {
		if !e.IsArray() || !e.IsStatic() {
			return false
		}
	}
	return i.IsTuple() || i.IsArray() && i.IsStatic()
}

// isElided reports whether i is a constant that stands for one that the text left out.
func isElided(i *hlo.Instruction) bool {
	a, ok := i.Attrs().(*op.ConstantAttrs)
	return ok && a.Value.IsValid() && !a.Value.Shape().IsTuple() && a.Value.IsElided()
}

// elements returns the number of elements of i's result.
func elements(i *hlo.Instruction) int64 {
	n := int64(0)
	for _, e := range i.Shape().Elems {
		n += int64(e.Size())
	}
	if i.IsArray() {
		n = int64(i.Size())
	}
	return n
}

// ownWork returns what i costs beside making its result: the flops, and those of what it calls
// for each element that it reads.
func ownWork(i *hlo.Instruction) int64 {
	var work int64
	if flops := i.Code().Info().Flops; flops != nil {
		work = min(flops(i.Inputs(), i.Shape()), maxFoldWork+1)
	}
	for _, c := range i.Called() {
		read := elements(i)
		for _, o := range i.Operands() {
			read += elements(o)
		}
		work += min(read, maxFoldWork) * int64(len(c.Instructions()))
	}
	return min(work, maxFoldWork+1)
}

// value evaluates i and what it depends on.
func (f *folder) value(i *hlo.Instruction) (v literal.Literal, err error) {
	if i.Code() == op.Constant {
		return i.Attrs().(*op.ConstantAttrs).Value.RowMajor(), nil
	}
	if v, ok := f.values[i]; ok {
		return v, nil
	}
	operands := make([]literal.Literal, len(i.Operands()))
	for k, o := range i.Operands() {
		if operands[k], err = f.value(o); err != nil {
			return v, err
		}
	}
	if v, err = f.evaluate(f.ctx, i, operands); err == nil {
		f.values[i] = v
		f.kept += elements(i)
	}
	return v, err
}
