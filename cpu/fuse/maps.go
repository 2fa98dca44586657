package fuse

import (
	"github.com/goxla/xla/cpu/elem"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// admits tells which instructions of static shapes have a form in a nest, for the operations that
// have one at all, besides the element-wise.
var admits = [op.NumCodes]func(*hlo.Instruction) bool{
	op.Constant: admitConstant, op.Iota: always, op.Tuple: always, op.GetTupleElement: always,
	op.Concatenate: always, op.Pad: admitPad, op.DynamicSlice: always,
	op.DynamicUpdateSlice: admitUpdate, op.Gather: admitGather, op.Reduce: admitReduce,
	op.ReduceWindow: admitReduceWindow, op.Dot: admitDot, op.Convolution: admitConvolution, op.Map: admitMap,
	op.Broadcast: always, op.Transpose: always, op.Reshape: always, op.Bitcast: admitBitcast, op.Copy: always,
	op.Slice: always, op.Reverse: always, op.BitcastConvert: admitElementwise,
}

func always(*hlo.Instruction) bool { return true }

// admitBitcast: what a bitcast does to values of default layouts is a reshape.
func admitBitcast(i *hlo.Instruction) bool {
	from, to := i.Operand(0).Shape(), i.Shape()
	return from.Type == to.Type && from.HasDefaultLayout() && to.HasDefaultLayout()
}

// indexMaps says, for the operations that only move elements, which element of operand 0
// is at idx.
var indexMaps = [op.NumCodes]func(g *gen, i *hlo.Instruction, idx []Expr) (source []Expr){
	op.Broadcast: broadcastMap,
	op.Transpose: transposeMap,
	op.Reshape:   reshapeMap,
	op.Bitcast:   reshapeMap,
	op.Copy:      sameMap,
	op.Slice:     sliceMap,
	op.Reverse:   reverseMap,
}

func sameMap(_ *gen, _ *hlo.Instruction, idx []Expr) []Expr { return idx }

func broadcastMap(g *gen, i *hlo.Instruction, idx []Expr) []Expr {
	dims := i.Attrs().(*op.BroadcastAttrs).Dimensions
	out := g.exprs.take(len(dims))
	for k, d := range dims {
		out[k] = idx[d]
	}
	return out
}

func transposeMap(g *gen, i *hlo.Instruction, idx []Expr) []Expr {
	out := g.exprs.take(len(idx))
	for k, d := range i.Attrs().(*op.TransposeAttrs).Dimensions {
		out[d] = idx[k]
	}
	return out
}

func sliceMap(g *gen, i *hlo.Instruction, idx []Expr) []Expr {
	out := g.exprs.take(len(idx))
	for d, r := range i.Attrs().(*op.SliceAttrs).Slice {
		out[d] = g.times(idx[d], int64(max(r.Stride, 1))).plus(int64(r.Start))
	}
	return out
}

func reverseMap(g *gen, i *hlo.Instruction, idx []Expr) []Expr {
	out := append([]Expr(nil), idx...)
	for _, d := range i.Attrs().(*op.ReverseAttrs).Dimensions {
		out[d] = g.times(idx[d], -1).plus(int64(i.Dims()[d] - 1))
	}
	return out
}

// reshapeMap goes by the number of the element, group of dimensions by group: a run of dimensions
// of the result that holds as many elements as a run of the operand's is turned into it alone.
func reshapeMap(g *gen, i *hlo.Instruction, idx []Expr) []Expr {
	return g.reshape(i.Operand(0).Dims(), i.Dims(), idx)
}

// reshape returns the index into dims from that is element idx of dims to.
func (g *gen) reshape(from, to []int, idx []Expr) []Expr {
	out := g.exprs.take(len(from))
	a, b := len(from), len(to)
	for a > 0 || b > 0 {
		a0, b0, na, nb := a, b, 1, 1
		for na != nb || a0 == a && b0 == b {
			if na <= nb && a0 > 0 {
				a0--
				na *= from[a0]
			} else if b0 > 0 {
				b0--
				nb *= to[b0]
			} else {
				a0--
				na *= from[a0]
			}
		}
		linear := g.linear(shape.Make(shape.Pred, to[b0:b]...), idx[b0:b])
		for d := a - 1; d > a0; d-- {
			linear, out[d] = g.split(linear, int64(from[d]))
		}
		if a > a0 {
			out[a0] = linear
		}
		a, b = a0, b0
	}
	return out
}

// emitMap is the emitter of the operations of indexMaps.
func emitMap(g *gen, i *hlo.Instruction, idx []Expr, guard loop.Value) []elem.Value {
	return g.at(i.Operand(0), indexMaps[i.Code()](g, i, idx), guard)
}

// emitElementwise is the emitter of operations on elements at the same place. A scalar
// operand of an array operation (clamp, select) is the same for all.
func emitElementwise(g *gen, i *hlo.Instruction, idx []Expr, guard loop.Value) []elem.Value {
	if g.dividesByRoot(i) {
		return g.timesReciprocalRoot(i, idx, guard)
	}
	args := g.elems.take(len(i.Operands()))
	for k, o := range i.Operands() {
		at := idx
		if o.Rank() == 0 {
			at = nil
		}
		args[k] = g.one(o, at, guard)
	}
	v, err := elem.Apply(g.b, i.Code(), i.Attrs(), i.Type(), args)
	if err != nil {
		fail(i, "%v", err)
	}
	return g.result(v)
}

// result is the value of an array.
func (g *gen) result(v elem.Value) []elem.Value {
	out := g.elems.take(1)
	out[0] = v
	return out
}

func admitElementwise(i *hlo.Instruction) bool {
	for _, o := range i.Operands() {
		if !o.IsArray() || o.Rank() != 0 && o.Rank() != i.Rank() {
			return false
		}
	}
	types := make([]shape.ElementType, len(i.Operands()))
	for k, o := range i.Operands() {
		types[k] = o.Type()
	}
	return elem.Supports(i.Code(), i.Attrs(), i.Type(), types)
}

// emitConstant gives a constant of one element, or of equal ones.
func emitConstant(g *gen, i *hlo.Instruction, _ []Expr, _ loop.Value) []elem.Value {
	return g.result(elem.Const(g.b, i.Attrs().(*op.ConstantAttrs).Value, 0))
}

func admitConstant(i *hlo.Instruction) bool {
	l := i.Attrs().(*op.ConstantAttrs).Value
	return i.IsArray() && i.Size() == 1 && !l.IsElided()
}

func emitIota(g *gen, i *hlo.Instruction, idx []Expr, _ loop.Value) []elem.Value {
	e := idx[i.Attrs().(*op.IotaAttrs).Dimension]
	from := shape.S32
	if g.kind == loop.I64 {
		from = shape.S64
	}
	return []elem.Value{elem.Convert(g.b, elem.Value{Type: from, Re: g.value(e)}, i.Type())}
}

func emitTuple(g *gen, i *hlo.Instruction, idx []Expr, guard loop.Value) []elem.Value {
	out := g.elems.take(len(i.Operands()))
	for k, o := range i.Operands() {
		out[k] = g.one(o, idx, guard)
	}
	return out
}

func emitGetTupleElement(g *gen, i *hlo.Instruction, idx []Expr, guard loop.Value) []elem.Value {
	k := i.Attrs().(*op.GetTupleElementAttrs).Index
	return g.at(i.Operand(0), idx, guard)[k : k+1]
}

// emitConcatenate takes the element of the one operand in whose range idx is.
func emitConcatenate(g *gen, i *hlo.Instruction, idx []Expr, guard loop.Value) []elem.Value {
	dim := i.Attrs().(*op.ConcatenateAttrs).Dimensions[0]
	var out elem.Value
	start := 0
	for _, o := range i.Operands() {
		n := o.Dims()[dim]
		if n == 0 {
			continue
		}
		at := append([]Expr(nil), idx...)
		at[dim] = idx[dim].plus(int64(-start))
		start += n
		lo, hi := g.bounds(at[dim])
		if hi < 0 || lo >= int64(n) {
			continue
		}
		in := g.within(at[dim], n)
		v := g.one(o, at, g.and(guard, in))
		if out.Re == 0 || in == 0 {
			out = v
			continue
		}
		out = elem.Select(g.b, in, v, out)
	}
	if out.Re == 0 { // there is no such element, and nobody wants it: a mask says so that is not known here
		out = elem.Zero(g.b, i.Type())
	}
	return g.result(out)
}

// emitPad takes the operand's element where there is one, and the padding elsewhere.
func emitPad(g *gen, i *hlo.Instruction, idx []Expr, guard loop.Value) []elem.Value {
	s := i.Operand(0).Shape()
	at := g.exprs.take(len(idx))
	in := loop.Value(0)
	for d, p := range i.Attrs().(*op.PadAttrs).Padding {
		e := idx[d].plus(int64(-p.Low))
		in = g.and(in, g.within(e, (s.Dims[d]-1)*(p.Interior+1)+1))
		if p.Interior > 0 {
			q, r := g.split(e, int64(p.Interior+1))
			in = g.and(in, g.within(r, 1))
			e = q
		}
		at[d] = e
	}
	if in == 0 {
		return g.at(i.Operand(0), at, guard)
	}
	if g.never(in) {
		return g.at(i.Operand(1), nil, guard)
	}
	v := g.one(i.Operand(0), at, g.and(guard, in))
	return []elem.Value{elem.Select(g.b, in, v, g.one(i.Operand(1), nil, guard))}
}

func admitPad(i *hlo.Instruction) bool { return i.Operand(0).Size() > 0 }

func emitMapOp(g *gen, i *hlo.Instruction, idx []Expr, guard loop.Value) []elem.Value {
	args := g.elems.take(len(i.Operands()))
	for k, o := range i.Operands() {
		args[k] = g.one(o, idx, guard)
	}
	return g.inline(i.Called()[0], args)
}

func admitMap(i *hlo.Instruction) bool { return inlines(i.Called()[0]) }
