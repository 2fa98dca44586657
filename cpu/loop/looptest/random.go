package looptest

import (
	"fmt"
	"math/rand/v2"

	"github.com/goxla/xla/cpu/loop"
)

// Case is a random nest. Mems is what the buffers hold.
type Case struct {
	Nest *loop.Nest
	Mems []loop.Mem
	// Extent is that of the outermost loop of the nest, or 1.
	Extent int64
}

// Random makes a nest from a seed. Any right executor gives the same bits for it, but for what a NaN looks like: float
// sums over lanes are of small integers, and no operation looks at the bits of a float.
func Random(seed uint64) *Case {
	g := &random{r: rand.New(rand.NewPCG(seed, 77)), b: loop.NewBuilder(fmt.Sprint("random", seed)), c: &Case{Extent: 1}}
	for _, f := range Forms() {
		bits := f.Op == loop.Bitcast || f.Op >= loop.And && f.Op <= loop.Not
		if bits && f.Of.IsFloat() || f.Op == loop.Scale {
			continue
		}
		g.forms = append(g.forms, f)
	}
	g.push(0, false)
	g.block(0, true)
	g.pop()
	g.c.Nest = g.b.Nest()
	if l := g.c.Nest.Outermost(); l != nil {
		g.c.Extent = l.Extent
	}
	return g.c
}

type random struct {
	r     *rand.Rand
	b     *loop.Builder
	c     *Case
	forms []Form
	// scopes are the open loops, outermost first; the first is the nest itself.
	scopes   []*scope
	parallel bool // a parallel loop was made
}

type scope struct {
	v      int
	extent int64 // 0 of the nest and of while loops
	lanes  bool
	values map[loop.Kind][]loop.Value
}

func (g *random) push(extent int64, lanes bool) *scope {
	s := &scope{extent: extent, lanes: lanes, values: map[loop.Kind][]loop.Value{}}
	g.scopes = append(g.scopes, s)
	return s
}

func (g *random) pop() { g.scopes = g.scopes[:len(g.scopes)-1] }

func (g *random) top() *scope { return g.scopes[len(g.scopes)-1] }

func (g *random) inLanes() bool {
	for _, s := range g.scopes {
		if s.lanes {
			return true
		}
	}
	return false
}

// keep makes v an operand for what follows.
func (g *random) keep(v loop.Value) loop.Value {
	k := g.b.Kind(v)
	g.top().values[k] = append(g.top().values[k], v)
	return v
}

// value returns a value of kind k: of any open scope, mostly the innermost, or new.
func (g *random) value(k loop.Kind) loop.Value {
	for n := len(g.scopes) - 1; n >= 0; n-- {
		if list := g.scopes[n].values[k]; len(list) > 0 && g.r.IntN(4) > 0 {
			return list[g.r.IntN(len(list))]
		}
	}
	switch g.r.IntN(4) {
	case 0:
		return g.b.Const(k, g.bits(k))
	case 1:
		if v := g.index(k); v != 0 {
			return v
		}
	}
	return g.keep(g.load(MemOf(k)))
}

func (g *random) bits(k loop.Kind) uint64 {
	switch k {
	case loop.Mask:
		return g.r.Uint64() & 1
	case loop.I32, loop.F32:
		return uint64(word32(g.r, k == loop.F32))
	}
	return word64(g.r, k == loop.F64)
}

// index is a loop's iteration number, if k is an integer and a loop is open.
func (g *random) index(k loop.Kind) loop.Value {
	if !k.IsInt() || len(g.scopes) < 2 {
		return 0
	}
	s := g.scopes[1+g.r.IntN(len(g.scopes)-1)]
	if s.extent == 0 {
		return 0
	}
	return g.b.Index(k, s.v)
}

// block fills the innermost scope: values, loops inside, stores.
func (g *random) block(depth int, parallel bool) {
	for range 1 + g.r.IntN(5) {
		g.compute()
	}
	inner := 0
	if depth < 3 {
		inner = g.r.IntN(3)
	}
	if depth == 0 {
		inner = max(inner, 1)
	}
	for n := range inner {
		g.loop(depth, parallel && n == inner-1)
		if n < inner-1 && g.r.IntN(2) == 0 {
			g.compute()
		}
	}
	if depth > 0 && (inner == 0 || !parallel) {
		g.store()
		if g.r.IntN(3) == 0 {
			g.store()
		}
	}
}

// compute adds an operation.
func (g *random) compute() {
	f := g.forms[g.r.IntN(len(g.forms))]
	var x []loop.Value
	for k := range f.Operands() {
		x = append(x, g.value(f.OperandKind(k)))
	}
	if g.r.IntN(5) == 0 {
		mems := []loop.Mem{loop.MemPred, loop.MemS8, loop.MemU8, loop.MemS16, loop.MemU16, loop.MemF16, loop.MemBF16}
		g.keep(g.load(mems[g.r.IntN(len(mems))]))
	}
	g.keep(g.b.OpImm(f.Op, f.To, f.Imm, x...))
}

// extents that make whole and partial vectors.
var extents = []int64{1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 64, 65, 70}

func (g *random) loop(depth int, parallel bool) {
	s := loop.Spec{Extent: extents[g.r.IntN(len(extents))]}
	if depth > 0 {
		s.Extent = min(s.Extent, 70>>depth)
	}
	s.Lanes = !g.inLanes() && g.r.IntN(3) > 0
	if s.Lanes {
		s.Extent = extents[g.r.IntN(len(extents))]
	}
	s.Parallel = parallel && g.r.IntN(2) == 0
	if !g.inLanes() && !s.Lanes && g.r.IntN(4) == 0 {
		g.while(depth)
		return
	}
	if s.Parallel && !g.parallel {
		g.parallel = true
	}
	var carries []loop.Reduction
	if !s.Parallel {
		carries = g.carries(s.Lanes)
	}
	outs := g.b.For(s, carries, func(v int, phis []loop.Value) []loop.Value {
		g.push(s.Extent, s.Lanes).v = v
		defer g.pop()
		if !s.Lanes {
			g.keepAll(phis)
		}
		g.block(depth+1, s.Parallel)
		next := g.nexts(carries, phis)
		for k, c := range carries {
			if c.Scan {
				g.storeValue(next[k])
			}
		}
		return next
	})
	g.keepAll(outs)
}

func (g *random) keepAll(list []loop.Value) {
	for _, v := range list {
		g.keep(v)
	}
}

func (g *random) carries(lanes bool) []loop.Reduction {
	var list []loop.Reduction
	for range g.r.IntN(4) {
		k := Kinds[g.r.IntN(len(Kinds))]
		c := loop.Reduction{Init: g.value(k)}
		if lanes {
			c.Reduce = reducers[k][g.r.IntN(len(reducers[k]))]
			if c.Reduce == loop.Add && k.IsFloat() {
				c.Init = g.b.Float(k, float64(g.r.IntN(9)))
			}
			c.Scan = k != loop.Mask && g.r.IntN(3) == 0
		}
		list = append(list, c)
	}
	return list
}

// reducers are the operations of which any order gives the same bits, or does for small integers.
var reducers = map[loop.Kind][]loop.Op{
	loop.Mask: {loop.And, loop.Or, loop.Xor},
	loop.I32:  {loop.Add, loop.Mul, loop.Min, loop.Max, loop.UMin, loop.UMax, loop.And, loop.Or, loop.Xor},
	loop.I64:  {loop.Add, loop.Mul, loop.Min, loop.Max, loop.UMin, loop.UMax, loop.And, loop.Or, loop.Xor},
	loop.F32:  {loop.Add, loop.Min, loop.Max},
	loop.F64:  {loop.Add, loop.Min, loop.Max},
}

// nexts gives the next values of carries.
func (g *random) nexts(carries []loop.Reduction, phis []loop.Value) []loop.Value {
	var list []loop.Value
	for n, c := range carries {
		k := g.b.Kind(phis[n])
		v := g.value(k)
		if c.Reduce == loop.Add && k.IsFloat() {
			small := g.b.Op(loop.And, loop.I32, g.value(loop.I32), g.b.Int(loop.I32, 15))
			v = g.b.Op(loop.SToF, k, small)
		}
		switch {
		case c.Scan:
			v = g.b.Op(loop.Scan, k, phis[n], v)
		case c.Reduce != loop.Invalid:
			v = g.b.Op(c.Reduce, k, phis[n], v)
		}
		list = append(list, v)
	}
	return list
}

// while makes a loop that counts in a carry.
func (g *random) while(depth int) {
	limit := g.b.Int(loop.I32, int64(g.r.IntN(6)))
	inits := []loop.Value{g.b.Int(loop.I32, 0)}
	for range g.r.IntN(3) {
		inits = append(inits, g.value(Kinds[g.r.IntN(len(Kinds))]))
	}
	g.push(0, false)
	outs := g.b.While(inits, func(phis []loop.Value) loop.Value {
		return g.b.Cmp(loop.LT, phis[0], limit)
	}, func(phis []loop.Value) []loop.Value {
		g.keepAll(phis)
		for range 1 + g.r.IntN(3) {
			g.compute()
		}
		if depth < 2 && g.r.IntN(2) == 0 {
			g.loop(depth+1, false)
		}
		next := []loop.Value{g.b.Op(loop.Add, loop.I32, phis[0], g.b.Int(loop.I32, 1))}
		for _, p := range phis[1:] {
			next = append(next, g.value(g.b.Kind(p)))
		}
		return next
	})
	g.pop()
	g.keepAll(outs)
}
