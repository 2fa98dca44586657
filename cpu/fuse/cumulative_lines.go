package fuse

import (
	"github.com/goxla/xla/cpu/elem"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/pass/match"
	"github.com/goxla/xla/shape"
)

// Lines of neighbours are scanned by vectors. Sums that are carried in f64, of narrower floats, are made in pieces:
// within a piece they are those of f32, which takes half of the vectors. Neighbours may come to more than f32 holds
// though what is before them brings them back. So all sums times zero are added up, and where that is no number, they
// are made again in f64.

const (
	// pieceSize is how many elements of a line are added up in f32 before they come to a sum in f64. So a sum loses a few
	// roundings of the absolute values up to it, however long the line is; with pieces of 256 it would lose more than
	// XLA's, for an eighth of the time.
	pieceSize = 64
	// fewestChecked is how many sums are made before it is asked whether they are finite, if there are so many.
	fewestChecked = 1024
)

// byLines is the nests for lines, and for those that are left of so many together.
func (u *cumulation) byLines() []cumulativeNest {
	n := u.linesTogether()
	list := []cumulativeNest{{make: func(u *cumulation) {
		u.some(parallel(u.outer/n, false), func(k Expr) { u.lines(u.times(k, int64(n)), n) })
	}}}
	if rest := u.outer % n; rest > 0 {
		list = append(list, cumulativeNest{make: func(u *cumulation) { u.lines(constant(int64(u.outer-rest)), rest) }})
	}
	return list
}

// linesTogether is how many lines are scanned before it is asked whether their sums are finite.
func (u *cumulation) linesTogether() int {
	if !u.inPieces() {
		return 1
	}
	most := min(max(fewestChecked/u.n, 1), u.outer)
	for n := most; n > most/2; n-- {
		if u.outer%n == 0 {
			return n
		}
	}
	return most
}

// lines scans n lines.
func (u *cumulation) lines(outer Expr, n int) {
	if n == 1 {
		u.scan(spot{outer: outer}, u.n, u.initial())
		return
	}
	line := func(k int) spot { return spot{outer: u.add(outer, variable(k))} }
	each := loop.Spec{Extent: int64(n)}
	checks := u.carry(each, u.checks(u.n), func(k int, checks []loop.Value) []loop.Value {
		_, checks = u.pieces(line(k), u.n, u.initial(), checks)
		return checks
	})
	u.unlessFinite(checks, nil, func() []loop.Value {
		u.each(each, func(k int) { u.direct(line(k), u.n, u.initial()) })
		return nil
	})
}

// scan scans n elements of a line from p on, which come behind what makes acc, and returns what the last one stored,
// or the last but one if that is for the next, comes to.
func (u *cumulation) scan(p spot, n int, acc elem.Value) elem.Value {
	if !u.inPieces() {
		return u.direct(p, n, acc)
	}
	var checks []loop.Value
	for _, c := range u.checks(n) {
		checks = append(checks, c.Init)
	}
	end, checks := u.pieces(p, n, acc, checks)
	return rebuild([]elem.Value{acc}, u.unlessFinite(checks, parts(end), func() []loop.Value {
		return parts(u.direct(p, n, acc))
	}))[0]
}

// begin stores acc, if it belongs to the first of n elements from p on. It returns how many come behind it, and how far
// from each what it comes to is.
func (u *cumulation) begin(p spot, n int, acc elem.Value) (int, int64) {
	if !u.Exclusive { // else the value behind an element belongs to the next
		return n, 0
	}
	u.put(p, acc)
	return n - 1, 1
}

// direct is scan for sums that are made as they are carried.
func (u *cumulation) direct(p spot, n int, acc elem.Value) elem.Value {
	n, to := u.begin(p, n, acc)
	if n == 0 {
		return acc
	}
	acc, _ = u.vectors(n, acc, 0, func(v Expr) (x elem.Value, put func(elem.Value) elem.Value) {
		here := p
		here.pos = u.add(p.pos, v)
		return u.element(here), func(sum elem.Value) elem.Value {
			here.pos = here.pos.plus(to)
			u.put(here, sum)
			return sum
		}
	})
	return acc
}

// vectors scans n elements, from acc on: at gives each of them, and what makes and stores what it comes to. That times
// zero is added to check, if it is not 0.
func (u *cumulation) vectors(n int, acc elem.Value, check loop.Value,
	at func(v Expr) (elem.Value, func(elem.Value) elem.Value)) (elem.Value, loop.Value) {
	var carries []loop.Reduction
	for _, v := range parts(acc) {
		carries = append(carries, loop.Reduction{Init: v, Reduce: u.r.lanes[0], Scan: true})
	}
	if check != 0 {
		carries = append(carries, loop.Reduction{Init: check, Reduce: loop.Add})
	}
	like := []elem.Value{acc}
	outs := u.carry(loop.Spec{Extent: int64(n), Lanes: true}, carries, func(v int, phis []loop.Value) []loop.Value {
		x, put := at(variable(v))
		next := make([]loop.Value, 0, 2)
		for k, x := range parts(x) {
			next = append(next, u.b.Op(loop.Scan, u.b.Kind(x), phis[k], x))
		}
		sum := put(rebuild(like, next)[0])
		if check != 0 {
			check = u.b.Op(loop.FMA, loop.F32, sum.Re, u.b.Float(loop.F32, 0), phis[len(next)])
			next = append(next, check)
		}
		return next
	})
	if check != 0 {
		check = outs[len(outs)-1]
	}
	return rebuild(like, outs)[0], check
}

// inPieces reports whether lines are scanned in pieces.
func (u *cumulation) inPieces() bool {
	return u.wide && u.Kind == match.Sum && u.inst.Type() != shape.F64
}

// checks is what shows whether the sums of n elements in pieces are finite: one for those of whole pieces, and one for
// what is behind them. Narrower floats than f32 but bf16 come to less than it holds.
func (u *cumulation) checks(n int) (list []loop.Reduction) {
	if t := u.inst.Type(); t != shape.F32 && t != shape.BF16 {
		return nil
	}
	if u.Exclusive {
		n--
	}
	for _, some := range []bool{n >= pieceSize, n%pieceSize > 0} {
		if some {
			list = append(list, loop.Reduction{Init: u.b.Float(loop.F32, 0)})
		}
	}
	return list
}

// unlessFinite returns values, or, if checks show that not all sums are finite, what again returns.
func (u *cumulation) unlessFinite(checks, values []loop.Value, again func() []loop.Value) []loop.Value {
	if len(checks) == 0 {
		return values
	}
	check := checks[0]
	for _, c := range checks[1:] {
		check = u.b.Op(loop.Add, loop.F32, check, c)
	}
	return u.b.While(append([]loop.Value{check}, values...), func(v []loop.Value) loop.Value {
		return u.b.Cmp(loop.NE, v[0], v[0])
	}, func([]loop.Value) []loop.Value {
		return append([]loop.Value{u.b.Float(loop.F32, 0)}, again()...)
	})[1:]
}

// pieces is scan in pieces. It returns the sum of all in f64, and its checks.
func (u *cumulation) pieces(p spot, n int, acc elem.Value, checks []loop.Value) (elem.Value, []loop.Value) {
	n, to := u.begin(p, n, acc)
	whole, rest := n/pieceSize, n%pieceSize
	var checked []loop.Value
	state := func() []loop.Value { // what the next pieces go on with: the sum, and their check
		first := min(len(checks), 1)
		list := append([]loop.Value{acc.Re}, checks[:first]...)
		checks = checks[first:]
		return list
	}
	done := func(outs []loop.Value) { acc.Re, checked = outs[0], append(checked, outs[1:]...) }
	if whole > 0 {
		var carries []loop.Reduction
		for _, v := range state() {
			carries = append(carries, loop.Reduction{Init: v})
		}
		done(u.carry(loop.Spec{Extent: int64(whole)}, carries, func(v int, phis []loop.Value) []loop.Value {
			return u.piece(p, u.times(variable(v), pieceSize), pieceSize, to, phis)
		}))
	}
	if rest > 0 {
		done(u.piece(p, constant(int64(whole*pieceSize)), rest, to, state()))
	}
	return acc, checked
}

// piece scans the n elements from first on of those from p on. State is the sum in front of them in f64, and what is to
// be added to for a check, if there is one; it returns the next.
func (u *cumulation) piece(p spot, first Expr, n int, to int64, state []loop.Value) []loop.Value {
	acc := elem.Value{Type: shape.F64, Re: state[0]}
	check := loop.Value(0)
	if len(state) > 1 {
		check = state[1]
	}
	start := elem.Convert(u.b, acc, shape.F32)
	none := elem.Value{Type: shape.F32, Re: u.identity(loop.Add, loop.F32)}
	sum, check := u.vectors(n, none, check, func(v Expr) (x elem.Value, put func(elem.Value) elem.Value) {
		here := p
		here.pos = u.add(p.pos, u.add(first, v))
		return elem.Convert(u.b, u.operand(here), shape.F32), func(sum elem.Value) elem.Value {
			here.pos = here.pos.plus(to)
			sum = u.join(start, sum)
			u.put(here, sum)
			return sum
		}
	})
	return append([]loop.Value{u.join(acc, u.widen(sum)).Re}, check)[:len(state)]
}
