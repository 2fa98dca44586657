package loop

import (
	"math"
	"math/bits"
)

// span is a range that holds the values of an integer, as a signed number: lo to hi.
type span struct{ lo, hi int64 }

func wholeSpan(k Kind) span {
	if k == I32 {
		return span{math.MinInt32, math.MaxInt32}
	}
	return span{math.MinInt64, math.MaxInt64}
}

func (r span) in(k Kind) bool { w := wholeSpan(k); return w.lo <= r.lo && r.hi <= w.hi }

// Spans finds the ranges of the integers of a nest.
type Spans struct {
	nest *Nest
	// extents is, by loop variable, the number of iterations, or 0 where that is not known.
	extents []int64
	known   map[Value]span
}

// NewSpans is for a nest that is complete and does not change.
func NewSpans(n *Nest) *Spans {
	s := &Spans{nest: n}
	s.extents = n.extents()
	return s
}

// Of returns the least and the largest number that integer v may be, as a signed one.
func (s *Spans) Of(v Value) (lo, hi int64) {
	r := s.span(v)
	return r.lo, r.hi
}

// Elements returns the least and the largest number of an element that a may stand for, in lanes that are off too.
func (s *Spans) Elements(a *Access) (lo, hi int64) {
	const any = 1 << 40
	if a.Index != 0 {
		lo, hi = s.Of(a.Index)
	}
	lo, hi = max(lo, -any)+a.Offset, min(hi, any)+a.Offset
	for _, t := range a.Terms {
		n := s.extents[t.Var]
		if n == 0 {
			return -any, any
		}
		lo, hi = lo+min(t.Stride, 0)*(n-1), hi+max(t.Stride, 0)*(n-1)
	}
	return lo, hi
}

// span finds the range of v.
func (b *Builder) span(v Value) span {
	b.spans.nest, b.spans.extents = b.nest, b.extents
	return b.spans.span(v)
}

// span finds the range of v. What it does not know, or might wrap, is any number of its kind.
func (s *Spans) span(v Value) span {
	if r, ok := s.known[v]; ok {
		return r
	}
	r, ok := s.makeSpan(*s.nest.Inst(v))
	if k := s.nest.Kind(v); !ok || !r.in(k) {
		r = wholeSpan(k)
	}
	if s.known == nil {
		s.known = map[Value]span{}
	}
	s.known[v] = r
	return r
}

func (s *Spans) makeSpan(i Inst) (r span, ok bool) {
	switch i.Op {
	case Const:
		if i.Kind == I32 {
			return span{int64(int32(i.Imm)), int64(int32(i.Imm))}, true
		}
		return span{int64(i.Imm), int64(i.Imm)}, true
	case Index:
		n := s.extents[i.Imm]
		return span{0, n - 1}, n > 0
	case SExt:
		return s.span(i.Args[0]), true
	case ZExt:
		r = s.span(i.Args[0])
		return r, r.lo >= 0
	case Add, Sub, Mul:
		if r, ok := s.rest(i); ok {
			return r, true
		}
		return arithmetic(i.Op, s.span(i.Args[0]), s.span(i.Args[1]))
	case And:
		x, y := s.span(i.Args[0]), s.span(i.Args[1])
		switch {
		case x.lo < 0:
			x = y
		case y.lo >= 0:
			x.hi = min(x.hi, y.hi)
		}
		return span{0, x.hi}, x.lo >= 0
	case Shr, Sar:
		return s.shifted(i)
	case Load:
		return loadSpan(s.nest.Accesses[i.Access].Mem)
	case Min, Max, UMin, UMax:
		x, y := s.span(i.Args[0]), s.span(i.Args[1])
		if i.Op == Min || i.Op == UMin {
			return span{min(x.lo, y.lo), min(x.hi, y.hi)}, i.Op == Min || min(x.lo, y.lo) >= 0
		}
		return span{max(x.lo, y.lo), max(x.hi, y.hi)}, i.Op == Max || min(x.lo, y.lo) >= 0
	case Select:
		x, y := s.span(i.Args[1]), s.span(i.Args[2])
		return span{min(x.lo, y.lo), max(x.hi, y.hi)}, true
	case Popcnt, Clz:
		return s.counted(i)
	}
	return r, false
}

// counted is the range of a number of bits.
func (s *Spans) counted(i Inst) (span, bool) {
	x, width := s.span(i.Args[0]), int64(i.Kind.Bits())
	switch {
	case x.lo < 0:
		return span{0, width}, true
	case i.Op == Popcnt:
		return span{0, int64(bits.Len64(uint64(x.hi)))}, true
	}
	return span{width - int64(bits.Len64(uint64(x.hi))), width - int64(bits.Len64(uint64(x.lo)))}, true
}

// shifted is the range of a shift to the right.
func (s *Spans) shifted(i Inst) (span, bool) {
	by, r := s.nest.Inst(i.Args[1]), s.span(i.Args[0])
	switch {
	case by.Op != Const:
		return span{}, false
	case i.Op == Shr && r.lo < 0:
		return span{0, 1<<(32-by.Imm) - 1}, i.Kind == I32 && by.Imm > 0 && by.Imm < 32
	}
	return span{r.lo >> by.Imm, r.hi >> by.Imm}, true
}

// rest is the range of what a quotient by a constant d leaves, x - d*q, where q is about x*m>>n: less than d, and the
// error of m/2^n as 1/d.
func (s *Spans) rest(i Inst) (span, bool) {
	if i.Op != Sub || i.Kind != I32 {
		return span{}, false
	}
	product, x := s.nest.Inst(i.Args[1]), i.Args[0]
	q, d, ok := s.factors(product)
	if !ok || product.Op != Mul || d == 0 || d > math.MaxUint16 {
		return span{}, false
	}
	shift := s.nest.Inst(q)
	if t := s.nest.Inst(q); t.Op == Add && s.isSign(t.Args[1], t.Args[0]) { // it is cut towards zero
		shift = s.nest.Inst(t.Args[0])
	}
	if shift.Op != Shr && shift.Op != Sar {
		return span{}, false
	}
	by, scaled := s.nest.Inst(shift.Args[1]), s.nest.Inst(shift.Args[0])
	from, m, ok := s.factors(scaled)
	r := s.span(x)
	most := max(-r.lo, r.hi)
	if !ok || scaled.Op != Mul || from != x || by.Op != Const || by.Imm > 31 || m <= 0 || most > math.MaxUint16 ||
		shift.Op == Sar && most*m > math.MaxInt32 || shift.Op == Shr && (r.lo < 0 || most*m > math.MaxUint32) {
		return span{}, false
	}
	off := m*d - 1<<by.Imm
	k := d + most*max(off, -off)>>by.Imm + 1
	return span{-k, k}, true
}

// isSign reports whether v is 1 where x is negative, else 0.
func (s *Spans) isSign(v, x Value) bool {
	i := s.nest.Inst(v)
	by := s.nest.Inst(i.Args[1])
	return i.Op == Shr && i.Kind == I32 && i.Args[0] == x && by.Op == Const && by.Imm == 31
}

// factors returns the operands of i of which one is a constant, as a number without a sign.
func (s *Spans) factors(i *Inst) (x Value, c int64, ok bool) {
	for k, a := range i.Args[:2] {
		if n := s.nest.Inst(a); n.Op == Const {
			return i.Args[1-k], int64(uint32(n.Imm)), true
		}
	}
	return 0, 0, false
}

// arithmetic is the range of sums, differences and products of numbers up to 2^31.
func arithmetic(o Op, x, y span) (span, bool) {
	const most = 1 << 31
	if min(x.lo, y.lo) < -most || max(x.hi, y.hi) > most {
		return span{}, false
	}
	switch o {
	case Add:
		return span{x.lo + y.lo, x.hi + y.hi}, true
	case Sub:
		return span{x.lo - y.hi, x.hi - y.lo}, true
	}
	p := [4]int64{x.lo * y.lo, x.lo * y.hi, x.hi * y.lo, x.hi * y.hi}
	return span{min(p[0], p[1], p[2], p[3]), max(p[0], p[1], p[2], p[3])}, true
}
