package fuse

import (
	"slices"

	"github.com/goxla/xla/cpu/elem"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Where lanes are rows, the elements of a row come one after the other, and what is computed of them has to be there
// for neighbouring rows side by side: it is read so, or a block of it is turned on the way into memory of the worker's
// own. What is in such a block has the type that is computed in.

// laneWalk looks at what the roots of a Spec are made from, to find out whether its rows can be in lanes.
type laneWalk struct {
	g    *gen
	s    Spec
	idx  []Expr // the position
	seen visits
	// reduces: there is a reduction. inner: what one takes in is looked at. apart: none takes in another.
	reduces, inner, apart bool
	// counted: rows are counted in several dimensions, and the number of one in a single one of these is a quotient.
	counted bool
	// read reports whether element idx of r may be read there.
	read func(r Ref, idx []Expr) bool
}

func newLaneWalk(s Spec) *laneWalk {
	w := &laneWalk{g: &gen{kind: loop.I32}, s: s}
	for _, n := range s.Dims {
		w.idx = append(w.idx, w.g.later(n))
	}
	w.g.inMemory = func(i *hlo.Instruction) bool { return s.InMemory(i) && !isRoot(s, i) }
	return w
}

// variable is the variable of dimension d of the space.
func (w *laneWalk) variable(d int) int { return w.idx[d].Terms[0].Var }

// isPlain reports whether r is an array of its own, which is written whole and row by row.
func (s *Spec) isPlain(r Root) bool {
	strided := s.Strides != nil && s.Strides(r.Inst) != nil
	return r.Into.Inst == nil && !r.Spread && r.Update == nil && r.Offset == nil && !strided
}

// fits reports whether what is computed for i at idx may have rows in lanes.
func (w *laneWalk) fits(i *hlo.Instruction, idx []Expr) bool {
	if !w.seen.first(visit{inst: i, at: w.g.places.of(idx)}) {
		return true
	}
	switch c := i.Code(); {
	case w.g.inMemory(i):
		return i.IsArray() && w.read(Ref{Inst: i}, idx)
	case c == op.Constant:
		return true
	case c == op.Iota:
		e := idx[i.Attrs().(*op.IotaAttrs).Dimension]
		return !w.counted || e.loops() == len(e.Terms)
	case c == op.Reduce:
		return w.reduce(i, idx)
	case indexMaps[c] != nil:
		return w.fits(i.Operand(0), indexMaps[c](w.g, i, idx))
	case c == op.GetTupleElement, c == op.Tuple, isElementwise(i):
		return !slices.ContainsFunc(i.Operands(), func(o *hlo.Instruction) bool {
			if o.IsArray() && o.Rank() == 0 {
				return !w.fits(o, nil)
			}
			return !w.fits(o, idx)
		})
	}
	return false
}

// reduce looks at a reduction at idx, which is to be one of whole rows as they are.
func (w *laneWalk) reduce(i *hlo.Instruction, idx []Expr) bool {
	n := len(i.Operands()) / 2
	dims := i.Attrs().(*op.ReduceAttrs).Dimensions
	if w.inner && w.apart || !slices.Equal(dims, []int{len(w.s.Dims) - 1}) ||
		w.g.places.of(idx) != w.g.places.of(keptOf(w.s, w.idx)) || !slices.Equal(i.Operand(0).Dims(), w.s.Dims) {
		return false
	}
	outer := w.inner
	defer func() { w.inner = outer }()
	w.reduces = true
	for k, o := range i.Operands() {
		at := w.idx
		if w.inner = k < n; !w.inner {
			at = nil
		}
		if !w.fits(o, at) {
			return false
		}
	}
	return true
}

// strideInLanes returns what lies between the elements at e of neighbouring rows, in elements: 0 where it is the same
// one. ok is false if that differs. Rows have the variable lane.
func (w *laneWalk) strideInLanes(e Expr, lane int) (stride int64, ok bool) {
	loops := e.loops()
	if w.g.uses(Expr{Terms: e.Terms[loops:]}, func(v int) bool { return v == lane }) {
		return 0, false
	}
	if at := slices.IndexFunc(e.Terms[:loops], func(t loop.Term) bool { return t.Var == lane }); at >= 0 {
		stride = e.Terms[at].Stride
	}
	return stride, true
}

// inFront opens the loops over dimensions from d on that are neither of rows nor among others.
func (g *gen) inFront(s Spec, others []int, idx []Expr, d int, body func()) {
	if d == len(s.Dims) {
		body()
		return
	}
	next := func() { g.inFront(s, others, idx, d+1, body) }
	if slices.Contains(others, d) || s.Inner[d] {
		next()
		return
	}
	g.count(int64(s.Dims[d]), false, func(e Expr) {
		idx[d] = e
		next()
	})
}

// turnedType is the type that elements of type t have while they are turned, or shape.Invalid if they cannot be.
func turnedType(t shape.ElementType) shape.ElementType {
	switch t {
	case shape.F32, shape.F64, shape.S32, shape.U32:
		return t
	case shape.BF16, shape.F16:
		return shape.F32
	}
	return shape.Invalid
}

// turnedSize is the size of such an element, in bytes.
func turnedSize(r Ref) int64 { return int64(turnedType(r.Shape().Type).ByteSize()) }

// loadTurned reads an element of type t from a block.
func (g *gen) loadTurned(t shape.ElementType, a elem.Address) elem.Value {
	v := elem.Load(g.b, turnedType(t), a, 0)
	v.Type = t
	return v
}

// storeTurned writes v into a block.
func (g *gen) storeTurned(v elem.Value, a elem.Address) {
	v.Type = turnedType(v.Type)
	elem.Store(g.b, v, a, 0)
}
