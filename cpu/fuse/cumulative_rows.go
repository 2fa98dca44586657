package fuse

import (
	"github.com/goxla/xla/cpu/elem"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/shape"
)

// Lines side by side: rows of memory are added to what their columns come to, which is in a temporary array and, a part
// of the columns after the other, in the first cache. So memory is read and written in its order.

const (
	// fewestColumns and mostColumns are how many are worth going side by side: more are more of a page at a time.
	fewestColumns, mostColumns = 64, 2048
	// rowsAtOnce are rows of few columns of which a vector is folded in registers before the next one.
	rowsAtOnce = 16
	// rowsSide is the same of rows of which each is far from the next, where memory is read and written in as many places
	// as there are rows: one, where the sums of a row leave room in the first cache, is twice as fast as 16.
	rowsSide = 4
	// nearSums is how many bytes of sums leave room in the first cache.
	nearSums = 8 << 10
	// nearArray is how many bytes all rows have at most that are near enough anyway: they fit a second cache twice.
	nearArray = 512 << 10
	// roundSize is about how many elements a thread does in a round: 0.2 ms of what comes from memory, which is long
	// beside what it takes to hand a round to the threads.
	roundSize = 1 << 20
)

// columns is how many of the columns go side by side: a divisor of them, with parts for all threads; 0 where none fits.
func (u *cumulation) columns() int {
	if u.inner < fewestColumns {
		return u.inner
	}
	share := (u.inner*min(u.outer, u.threads) + u.threads - 1) / u.threads
	for d := min(max(share, fewestColumns), mostColumns); d >= fewestColumns/2; d-- {
		if u.inner%d == 0 {
			return d
		}
	}
	if u.inner <= 2*mostColumns {
		return u.inner
	}
	return 0
}

// byRows folds columns side by side: all rows at once, or some of them in each round.
func (u *cumulation) byRows() []cumulativeNest {
	some := func(from func(*cumulation) Expr, n int, starts bool) func(*cumulation) {
		return func(u *cumulation) {
			first := from(u)
			u.eachPart(1, 1, func(_ Expr, p spot, c int) {
				if starts {
					u.eachColumn(p, c, func(q spot) { u.setSum(constant(0), q, u.initial()) })
				}
				p.pos = first
				u.rowsFrom(constant(0), p, n, c)
			})
		}
	}
	at := func(row int) func(*cumulation) Expr { return func(*cumulation) Expr { return constant(int64(row)) } }
	rows := max(roundSize/u.columns()/rowsAtOnce, 1) * rowsAtOnce
	if u.n <= 2*rows {
		return []cumulativeNest{{make: some(at(0), u.n, true)}}
	}
	rest := rows + u.n%rows // the first ones
	rounds := (u.n - rest) / rows
	from := func(u *cumulation) Expr { return u.times(u.round(rounds), int64(rows)).plus(int64(rest)) }
	return []cumulativeNest{{make: some(at(0), rest, true)}, {some(from, rows, false), rounds}}
}

// round is the number of the round.
func (u *cumulation) round(rounds int) Expr {
	mem := memOf[u.kind]
	buf := u.temporary(Ref{u.inst, Round}, loop.Buffer{Name: "round", Bytes: 8})
	return u.dynamic(u.b.Load(loop.Access{Buffer: buf, Mem: mem}, 0), 0, int64(rounds-1))
}

// eachPart opens parallel loops over blocks, some together, and parts of the columns, and runs body for each: with the
// number of the first block, its first element, and how many columns there are.
func (u *cumulation) eachPart(blocks, together int, body func(block Expr, first spot, columns int)) {
	c := 1
	if u.inner > 1 {
		c = u.columns()
	}
	u.some(parallel(blocks/together, false), func(block Expr) {
		block = u.times(block, int64(together))
		u.some(parallel(u.inner/c, false), func(k Expr) {
			u.some(parallel(u.outer, false), func(outer Expr) {
				body(block, spot{outer, u.times(block, int64(u.block)), u.times(k, int64(c))}, c)
			})
		})
	})
}

// eachColumn opens a lane loop over n columns from p on.
func (u *cumulation) eachColumn(p spot, n int, body func(p spot)) {
	u.some(loop.Spec{Extent: int64(n), Lanes: true}, func(k Expr) {
		body(spot{p.outer, p.pos, u.add(p.column, k)})
	})
}

// rowsFrom folds n rows of c columns from p on into the sums of a block: some rows at a time, in registers.
func (u *cumulation) rowsFrom(block Expr, p spot, n, c int) {
	together := u.rowsTogether(c)
	some := func(first Expr, rows int) {
		u.eachColumn(p, c, func(q spot) {
			u.setSum(block, q, u.fold(u.sum(block, q), rows, func(row Expr, before elem.Value) elem.Value {
				return u.step(spot{q.outer, u.add(q.pos, u.add(first, row)), q.column}, before)
			}))
		})
	}
	if n >= together {
		u.some(loop.Spec{Extent: int64(n / together)}, func(k Expr) { some(u.times(k, int64(together)), together) })
	}
	if rest := n % together; rest > 0 {
		some(constant(int64(n-rest)), rest)
	}
}

// rowsTogether is how many rows of c columns are folded in registers. Parts of rows, of which threads do one each, are
// in different places anyway.
func (u *cumulation) rowsTogether(c int) int {
	size := u.inst.Type().ByteSize()
	if u.wide {
		size = 8
	}
	switch {
	case c < fewestColumns, size < 4, // narrow sums would be widened and rounded for each row
		!u.wide && u.outer*u.n*u.inner*size <= nearArray:
		return rowsAtOnce
	case c == u.inner && c*size <= nearSums:
		return 1
	}
	return rowsSide
}

// The sums are what the blocks of lines come to: outer x (blocks + 1) x inner values, each in its parts.

// sumsAt is where the sum of a block of a line is, as far as part k of it goes.
func (u *cumulation) sumsAt(block Expr, p spot, k int, kind loop.Kind) loop.Access {
	mem := memOf[kind]
	all := shape.Make(shape.Pred, u.outer, u.blocks+1, u.inner)
	at := u.linear(all, []Expr{p.outer, block, p.column})
	buf := loop.Buffer{Name: "sums", Bytes: int64(all.Size()) * mem.Bytes(), Write: true}
	offset, terms, index := u.parts(at)
	return loop.Access{Buffer: u.temporary(Ref{u.inst, Round - 1 - k}, buf), Offset: offset, Terms: terms,
		Index: index, Mem: mem}
}

var memOf = [...]loop.Mem{loop.Mask: loop.MemPred, loop.I32: loop.MemI32, loop.I64: loop.MemI64,
	loop.F32: loop.MemF32, loop.F64: loop.MemF64}

func (u *cumulation) setSum(block Expr, p spot, v elem.Value) {
	for k, x := range parts(v) {
		u.b.Store(u.sumsAt(block, p, k, u.b.Kind(x)), x, 0)
	}
}

func (u *cumulation) sum(block Expr, p spot) elem.Value {
	like := u.initial()
	var flat []loop.Value
	for k, x := range parts(like) {
		flat = append(flat, u.b.Load(u.sumsAt(block, p, k, u.b.Kind(x)), 0))
	}
	return rebuild([]elem.Value{like}, flat)[0]
}

// blocked is the nests for lines in blocks: what each block comes to, what all in front of each come to, the blocks,
// and what is behind the last whole one.
func (u *cumulation) blocked() []cumulativeNest {
	list := []cumulativeNest{{make: (*cumulation).totals}, {make: (*cumulation).starts}, {make: func(u *cumulation) {
		u.eachPart(u.blocks, u.together, u.blocksFrom)
	}}}
	if u.threads == 1 {
		list = []cumulativeNest{{make: (*cumulation).first}, {make: (*cumulation).inOrder}}
	}
	if rest := u.n - u.blocks*u.block; rest > 0 {
		list = append(list, cumulativeNest{make: func(u *cumulation) {
			last := constant(int64(u.blocks))
			u.eachPart(1, 1, func(_ Expr, p spot, c int) {
				p.pos = u.times(last, int64(u.block))
				u.blockFrom(last, p, rest, c)
			})
		}})
	}
	return list
}

// first sets the sums in front of the first block.
func (u *cumulation) first() {
	u.some(parallel(u.outer, u.inner == 1), func(outer Expr) {
		u.some(parallel(u.inner, true), func(column Expr) {
			u.setSum(constant(0), spot{outer: outer, column: column}, u.initial())
		})
	})
}

// inOrder does the same as totals, starts and blocks, one block after the other, so that the elements of a block come
// from memory once.
func (u *cumulation) inOrder() {
	u.some(loop.Spec{Extent: int64(u.blocks / u.together)}, func(block Expr) {
		block = u.times(block, int64(u.together))
		u.some(loop.Spec{Extent: int64(u.outer)}, func(outer Expr) {
			p := spot{outer: outer, pos: u.times(block, int64(u.block))}
			switch { // without rounding it comes to the same in any order
			case !u.rounds && u.inner > mostWaiting:
				u.eachColumn(p, u.inner, func(q spot) { u.setSum(block.plus(1), q, u.sum(block, q)) })
				u.rowsFrom(block.plus(1), p, u.block, u.inner)
				return
			case !u.rounds && !u.Exclusive && u.inner == 1:
				u.setSum(block.plus(1), p, u.scan(p, u.block, u.sum(block, p)))
				return
			}
			for k := range u.together {
				next, q := block.plus(int64(k+1)), p
				q.pos = p.pos.plus(int64(k * u.block))
				u.totalFrom(next, q, u.inner)
				u.eachColumn(p, u.inner, func(q spot) {
					u.setSum(next, q, u.join(u.sum(next.plus(-1), q), u.sum(next, q)))
				})
			}
			u.blocksFrom(block, p, u.inner)
		})
	})
}

// blocksFrom folds the elements of c lines, those of the blocks that are folded together.
func (u *cumulation) blocksFrom(block Expr, p spot, c int) {
	if u.together == 1 {
		u.blockFrom(block, p, u.block, c)
		return
	}
	u.eachColumn(p, c, func(q spot) {
		var sums []elem.Value
		for k := range u.together {
			sums = append(sums, u.sum(block.plus(int64(k)), q))
		}
		u.foldAll(sums, u.block, func(row Expr, before []elem.Value) (next []elem.Value) {
			for k, x := range before {
				at := u.add(q.pos, row).plus(int64(k * u.block))
				next = append(next, u.step(spot{q.outer, at, q.column}, x))
			}
			return next
		})
	})
}

// blockFrom folds n elements of c lines, those of a block.
func (u *cumulation) blockFrom(block Expr, p spot, n, c int) {
	if u.inner == 1 {
		u.scan(p, n, u.sum(block, p))
		return
	}
	u.rowsFrom(block, p, n, c)
}

// totals makes the sum of each block alone that of the block behind it.
func (u *cumulation) totals() {
	u.eachPart(u.blocks, 1, func(block Expr, p spot, c int) { u.totalFrom(block.plus(1), p, c) })
}

// totalFrom makes the sums of the rows of a block from p on, c columns, those of block next.
func (u *cumulation) totalFrom(next Expr, p spot, c int) {
	if u.inner == 1 {
		u.setSum(next, p, u.total(p, u.block))
		return
	}
	u.eachColumn(p, c, func(q spot) {
		sums := make([]elem.Value, sideBySide) // of every so manieth row
		for k := range sums {
			sums[k] = u.nothing()
		}
		sums = u.foldAll(sums, u.block/sideBySide, func(v Expr, before []elem.Value) []elem.Value {
			next := make([]elem.Value, sideBySide)
			for k := range next {
				row := u.times(v, sideBySide).plus(int64(k))
				next[k] = u.join(before[k], u.element(spot{q.outer, u.add(q.pos, row), q.column}))
			}
			return next
		})
		for k := range sums[1:] {
			sums[0] = u.join(sums[0], sums[k+1])
		}
		u.setSum(next, q, sums[0])
	})
}

// sideBySide is how many sums are made at the same time where one would wait for each addition. Blocks are a multiple.
const sideBySide = 4

// join combines two values.
func (u *cumulation) join(x, y elem.Value) elem.Value {
	return u.combine(u.r, []elem.Value{x}, step{elems: []elem.Value{y}})[0]
}

// nothing is the value that changes nothing.
func (u *cumulation) nothing() elem.Value {
	like := u.initial()
	var flat []loop.Value
	for _, x := range parts(like) {
		flat = append(flat, u.identity(u.r.lanes[0], u.b.Kind(x)))
	}
	return rebuild([]elem.Value{like}, flat)[0]
}

// total folds n elements of a line from p on.
func (u *cumulation) total(p spot, n int) elem.Value {
	return u.reduce(u.r, []elem.Value{u.nothing()}, []int{n}, func(pos []Expr) step {
		return step{elems: []elem.Value{u.element(spot{p.outer, u.add(p.pos, pos[0]), p.column})}}
	})[0]
}

// starts adds up the sums along each line.
func (u *cumulation) starts() {
	u.some(parallel(u.outer, u.inner == 1), func(outer Expr) {
		u.some(parallel(u.inner, true), func(column Expr) {
			p := spot{outer: outer, column: column}
			first := u.initial()
			u.setSum(constant(0), p, first)
			u.fold(first, u.blocks, func(block Expr, before elem.Value) elem.Value {
				block = block.plus(1)
				next := u.join(before, u.sum(block, p))
				u.setSum(block, p, next)
				return next
			})
		})
	})
}
