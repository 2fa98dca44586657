package fuse

import (
	"github.com/goxla/xla/cpu/elem"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/pass/match"
	"github.com/goxla/xla/shape"
)

// Cumulative reports whether reduce-window i folds for each element all up to it, which takes one pass.
func Cumulative(i *hlo.Instruction) bool {
	c, ok := match.CumulativeWindow(i)
	return ok && Emits(i) && i.Dims()[c.Dim] > 1
}

// BuildCumulative makes the nests of such a reduce-window, which run one after the other. Lines of neighbours are
// scanned in vectors; lines whose neighbours are rows of memory go side by side, with what they come to in a
// temporary array.
// Few long lines are cut into blocks, so that these can be done side by side and a run can be interrupted:
// what each block comes to is summed up first. The cuts depend on the shape alone, and so do the bits of sums of floats
// and of complex numbers. Threads are for work on columns; a single one does block after block.
func BuildCumulative(i *hlo.Instruction, inMemory func(*hlo.Instruction) bool, m Machine) ([]*Kernel, error) {
	c, _ := match.CumulativeWindow(i)
	proto := newCumulation(i, c, m.Threads)
	var kernels []*Kernel
	for _, n := range proto.nests() {
		memory := func(o *hlo.Instruction) bool { return o != i && inMemory(o) }
		spec := Spec{Name: i.Name(), InMemory: memory, Code: m.Code, Wide: m.Wide, Split: m.Split}
		k, err := build(spec, indexKindOf(i), func(g *gen) {
			u := *proto
			u.gen = g
			n.make(&u)
		})
		if err != nil {
			return nil, err
		}
		k.Rounds = n.rounds
		kernels = append(kernels, k)
	}
	return kernels, nil
}

// cumulation makes the nests of one reduce-window. The array is seen as lines of n elements: outer of them in front
// of one another, each inner times, side by side.
type cumulation struct {
	*gen
	inst *hlo.Instruction
	match.Cumulative
	r               reducer
	wide            bool              // float sums and products are carried in f64, nearly as exact as the evaluator's
	carried         shape.ElementType // of what is carried: f64 then, and numbers for truth values
	rounds          bool              // the order of the steps shows: sums of floats and complex numbers
	n, outer, inner int
	block, blocks   int // the length of a block, and how many whole ones a line has; 0: lines are not cut
	together        int // how many blocks are folded at the same time, of which blocks is a multiple
	threads         int
}

func newCumulation(i *hlo.Instruction, c match.Cumulative, threads int) *cumulation {
	s := i.Shape()
	u := &cumulation{inst: i, Cumulative: c, r: reducerOf(i.Called()[0], 1), n: s.Dims[c.Dim], outer: 1, inner: 1,
		threads: max(threads, 1)}
	for d, size := range s.Dims {
		if d < c.Dim {
			u.outer *= size
		} else if d > c.Dim {
			u.inner *= size
		}
	}
	u.wide = s.Type.IsFloat() && (c.Kind == match.Sum || c.Kind == match.Product) && u.r.lanes != nil
	u.rounds = u.wide || s.Type.IsComplex()
	switch u.carried = s.Type; {
	case u.wide:
		u.carried = shape.F64
	case s.Type == shape.Pred && u.inner < fewestColumns: // masks have no lanes to move
		u.carried = shape.U8
	}
	if u.isLong() {
		u.cut()
	}
	return u
}

const (
	// shortLine is a line that is folded by one lane.
	shortLine = 4
	// longLine is how many elements of lines side by side are worth cutting, and blockSize how many a block has, about:
	// they stay in the first cache.
	longLine, blockSize = 1 << 16, 1 << 12
	// mostWaiting is how many lines side by side are too few to fill the time that a step takes.
	mostWaiting = 3
	// fewLines are too few to divide among threads.
	fewLines = 8
)

// isLong reports whether lines are cut: there are few, and they are long.
func (u *cumulation) isLong() bool {
	return u.folds() && u.n*u.inner >= longLine && u.outer < fewLines && u.inner < fewestColumns && u.n >= 2*rowsAtOnce
}

// cut chooses the blocks. Lines of which a few vectors go side by side would wait for each step: several blocks do not.
func (u *cumulation) cut() {
	u.together = 1
	if u.inner > 1 && u.inner <= mostWaiting {
		u.together = sideBySide
	}
	u.block = max(blockSize/u.inner/u.together/rowsAtOnce, 1) * rowsAtOnce
	u.blocks = u.n / (u.block * u.together) * u.together
}

// folds reports whether parts of a line may be folded apart.
func (u *cumulation) folds() bool { return u.r.lanes != nil }

// cumulativeNest is one of the nests to make, and how many rounds it is for.
type cumulativeNest struct {
	make   func(*cumulation)
	rounds int
}

func (u *cumulation) nests() []cumulativeNest {
	switch {
	case u.blocks > 0:
		return u.blocked()
	case u.inner == 1 && u.n > shortLine && u.folds():
		return u.byLines()
	case u.inner >= fewestColumns && u.n >= rowsAtOnce && u.columns() > 0:
		return u.byRows()
	}
	return []cumulativeNest{{make: (*cumulation).apart}}
}

// spot is an element: of lines number outer, that of number column, its element pos in the order in which it is folded.
type spot struct{ outer, pos, column Expr }

// index is the three numbers of p in the array.
func (u *cumulation) index(p spot) []Expr {
	if u.Reverse {
		p.pos = u.times(p.pos, -1).plus(int64(u.n - 1))
	}
	return []Expr{p.outer, p.pos, p.column}
}

// shape is that of the array, as lines.
func (u *cumulation) shape() shape.Shape {
	return shape.Make(u.inst.Type(), u.outer, u.n, u.inner)
}

// address is where p is in the memory of the array r.
func (u *cumulation) address(r Ref, write bool, p spot) elem.Address {
	at := u.linear(u.shape(), u.index(p))
	return u.addressOf(u.buffer(r, write), at)
}

// element is the operand at p, as it is folded.
func (u *cumulation) element(p spot) elem.Value { return u.widen(u.operand(p)) }

// operand is the operand at p.
func (u *cumulation) operand(p spot) elem.Value {
	o := u.inst.Operand(0)
	if u.inMemory(o) {
		return elem.Load(u.b, o.Type(), u.address(Ref{Inst: o}, false, p), 0)
	}
	return u.one(o, u.reshape(o.Dims(), u.shape().Dims, u.index(p)), 0)
}

// initial is the value that every line begins with.
func (u *cumulation) initial() elem.Value { return u.widen(u.one(u.inst.Operand(1), nil, 0)) }

func (u *cumulation) widen(x elem.Value) elem.Value {
	if u.r.lanes == nil {
		return x
	}
	return elem.Convert(u.b, x, u.carried)
}

// put stores the element of the result at p.
func (u *cumulation) put(p spot, v elem.Value) {
	v = elem.Convert(u.b, v, u.inst.Type())
	elem.Store(u.b, elem.Normalize(u.b, v), u.address(Ref{Inst: u.inst}, true, p), 0)
}

// step stores what a line comes to at p, and returns it; before is what it came to before.
func (u *cumulation) step(p spot, before elem.Value) elem.Value {
	next := u.combine(u.r, []elem.Value{before}, step{elems: []elem.Value{u.element(p)}})[0]
	if u.Exclusive {
		u.put(p, before)
	} else {
		u.put(p, next)
	}
	return next
}

// parallel is a loop over lines.
func parallel(extent int, lanes bool) loop.Spec {
	return loop.Spec{Extent: int64(extent), Parallel: true, Lanes: lanes}
}

// some opens a loop over n places, or none for one, and runs body with the number of the place.
func (u *cumulation) some(s loop.Spec, body func(k Expr)) {
	if s.Extent == 1 {
		body(constant(0))
		return
	}
	u.each(s, func(v int) { body(variable(v)) })
}

// apart folds each line by one lane of its own.
func (u *cumulation) apart() {
	u.some(parallel(u.outer, u.inner == 1), func(outer Expr) {
		u.some(parallel(u.inner, true), func(column Expr) {
			u.fold(u.initial(), u.n, func(v Expr, before elem.Value) elem.Value {
				return u.step(spot{outer, v, column}, before)
			})
		})
	})
}

// fold carries a value through n steps.
func (u *cumulation) fold(acc elem.Value, n int, next func(v Expr, before elem.Value) elem.Value) elem.Value {
	return u.foldAll([]elem.Value{acc}, n, func(v Expr, before []elem.Value) []elem.Value {
		return []elem.Value{next(v, before[0])}
	})[0]
}

// foldAll carries values through n steps.
func (u *cumulation) foldAll(acc []elem.Value, n int,
	next func(v Expr, before []elem.Value) []elem.Value) []elem.Value {
	flat := func(list []elem.Value) (out []loop.Value) {
		for _, v := range list {
			out = append(out, parts(v)...)
		}
		return out
	}
	var carries []loop.Reduction
	for _, p := range flat(acc) {
		carries = append(carries, loop.Reduction{Init: p})
	}
	outs := u.carry(loop.Spec{Extent: int64(n)}, carries, func(v int, phis []loop.Value) []loop.Value {
		return flat(next(variable(v), rebuild(acc, phis)))
	})
	return rebuild(acc, outs)
}
