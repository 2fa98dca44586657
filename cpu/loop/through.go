package loop

import (
	"cmp"
	"slices"
)

// A block of a transpose that vectors fill in halves of lines goes through memory of the worker's own: it is turned
// there, and from there rows of the result are written whole:
//
//	for J, I { for i < 64 { lanes j < 128 { y[..] = x[I*64 + i + J*131072 + j*1024] } } }
//
// becomes
//
//	for J, I {
//	  for h < 16 { for i < 64 { lanes j < 8 { own[i*128 + h*8 + j] = x[.. + i + h*8192 + j*1024] } } }
//	  for i < 64 { lanes j < 128 { y[..] = own[i*128 + j] } }
//	}
//
// So lines are read whole, one after the other, and written whole: those of rows that share a set of a cache need not
// stay there, and what is written past the caches is not written in parts.

const (
	// A block has rows of the result of up to writtenBytes, and reads up to readBytes of each row, of narrow elements of
	// arrays that are not near narrowBytes, but not less than leastThrough.
	writtenBytes, readBytes, narrowBytes, leastThrough = 512, 256, 512, 128
	mostThrough                                        = 2 // arrays
)

// goesThrough reports whether a block that reads a, whose rows are so far apart, is better turned in memory of its own:
// rows that are written share sets of the first cache, or those that are read do, of an array that is in no second one.
// Elements of eight bytes that come from memory are better turned a few rows at a time: vectors of four columns are
// written in whole lines then.
func (b *blocker) goesThrough(a *Access, far int64, l *Loop) bool {
	if !b.target.Through || len(b.turnedLoads(l)) > mostThrough ||
		slices.ContainsFunc(b.nest.Buffers, func(b Buffer) bool { return b.Scratch }) {
		return false
	}
	bytes := b.nest.Buffers[a.Buffer].Bytes
	written := func(bytes int64) bool {
		return slices.ContainsFunc(b.rowsWritten(l), func(step int64) bool { return step%bytes == 0 })
	}
	switch {
	case bytes >= leastFar && a.Mem.Bytes() == 8:
		return false
	case bytes > MostNearby:
		return written(page) || far%page == 0 && written(page/2)
	}
	return bytes >= firstCache && written(page) || bytes > secondCache && far%page == 0
}

// turnedLoads is what the lane loop loads of rows that are apart, where neighbours are in loop l.
func (b *blocker) turnedLoads(l *Loop) (loads []Value) {
	for _, n := range b.lanes.Body {
		i := b.nest.Inst(n.Value)
		if i.Op != Load || i.Args[0] != 0 {
			continue
		}
		a := &b.nest.Accesses[i.Access]
		far := abs(a.Stride(b.lanes.Var)) * a.Mem.Bytes()
		if a.Index == 0 && a.Stride(l.Var) == 1 && far >= cacheLine && !b.nest.Buffers[a.Buffer].changes() {
			loads = append(loads, n.Value)
		}
	}
	return loads
}

// throughBlocks sets the size of such blocks of a, and reports whether there are any.
func (b *blocker) throughBlocks(a *Access, l *Loop) bool {
	bytes, read := a.Mem.Bytes(), int64(readBytes)
	near := b.nest.Buffers[a.Buffer].Bytes <= MostNearby
	if bytes < 4 && !near {
		read = narrowBytes
	}
	f := b.blocks(l.Extent, cacheLine/bytes, read/bytes)
	g := b.blocks(b.lanes.Extent, vectorBytes/bytes, writtenBytes/bytes)
	if min(f.size, g.size)*bytes < leastThrough || len(b.chain) == 2 && f.count*g.count == 1 ||
		(f.overlaps() || g.overlaps()) && !b.exact() {
		return false
	}
	b.f, b.g, b.through, b.inLines = f, g, true, near
	return true
}

// turnThrough makes the loops that turn a block, and lets the lane loop read there.
func (b *blocker) turnThrough() (front Block) {
	t := newTurner(b.nest, vectorBytes)
	for _, v := range b.turnedLoads(b.short) {
		front = append(front, t.load(v, b.short.Var, b.lanes.Var, b.f.size, b.g.size)...)
	}
	return front
}

// turner turns blocks in memory of the worker's own, the last buffer of a nest.
type turner struct {
	*Nest
	own    *Buffer
	vector int64 // bytes of one
}

func newTurner(n *Nest, vector int64) turner {
	n.Buffers = append(n.Buffers, Buffer{Name: "turned", Write: true, Scratch: true})
	return turner{n, &n.Buffers[len(n.Buffers)-1], vector}
}

// load makes the loops that turn what v loads in so many columns, the iterations of loop column, and rows, those of
// loop row, and lets v load from there.
func (t turner) load(v Value, column, row int, columns, rows int64) (loops Block) {
	i := t.Inst(v)
	b := turnedBlock{from: t.Accesses[i.Access], columns: columns, rows: rows}
	size := b.from.Mem.Bytes()
	at := (t.own.Bytes + cacheLine - 1) / cacheLine * cacheLine
	t.own.Bytes = at + columns*rows*size
	b.to = Access{Buffer: len(t.Buffers) - 1, Offset: at / size, Mem: b.from.Mem}
	to := b.to
	to.Terms = []Term{{column, rows}, {row, 1}}
	slices.SortFunc(to.Terms, func(x, y Term) int { return cmp.Compare(x.Var, y.Var) })
	i.Access = t.access(to)
	b.far, b.from.Mem, b.to.Mem = b.from.Stride(row), plain(to.Mem), plain(to.Mem)
	b.from.Terms = slices.DeleteFunc(slices.Clone(b.from.Terms), func(t Term) bool {
		return t.Var == column || t.Var == row
	})
	vector := t.vector / size
	whole, rest := rows/vector, rows%vector
	if whole > 0 {
		loops = append(loops, t.turn(b, 0, whole, vector))
	}
	if rest > 0 {
		loops = append(loops, t.turn(b, whole*vector, 1, rest))
	}
	return loops
}

// turnedBlock is a block: its first elements, without terms of the loops in it, and how far rows are apart.
type turnedBlock struct {
	from, to           Access
	far, columns, rows int64
}

// turn turns so many groups of so many rows, from row first on: of each group whole lines, one after the other.
func (t turner) turn(b turnedBlock, first, groups, rows int64) Node {
	column, row, group := t.Vars, t.Vars+1, t.Vars+2
	b.from.Offset += first * b.far
	b.to.Offset += first
	b.from.Terms = append(slices.Clone(b.from.Terms), Term{column, 1}, Term{row, b.far})
	b.to.Terms = []Term{{column, b.rows}, {row, 1}}
	t.Vars += 2
	if groups > 1 {
		t.Vars++
		b.from.Terms, b.to.Terms = append(b.from.Terms, Term{group, b.far * rows}), append(b.to.Terms, Term{group, rows})
	}
	t.Insts = append(t.Insts, Inst{Op: Load, Kind: b.from.Mem.Kind(), Access: t.access(b.from)})
	v := Value(len(t.Insts) - 1)
	t.Insts = append(t.Insts, Inst{Op: Store, Args: [3]Value{v}, Access: t.access(b.to)})
	lanes := &Loop{Var: row, Extent: rows, Lanes: true, Parallel: true, Body: Block{{Value: v}, {Value: v + 1}}}
	columns := &Loop{Var: column, Extent: b.columns, Parallel: true, Body: Block{{Loop: lanes}}}
	if groups == 1 {
		return Node{Loop: columns}
	}
	return Node{Loop: &Loop{Var: group, Extent: groups, Parallel: true, Body: Block{{Loop: columns}}}}
}

// plain is the type of integers that are as long as m: they are moved as they are.
func plain(m Mem) Mem { return [...]Mem{1: MemU8, 2: MemU16, 4: MemI32, 8: MemI64}[m.Bytes()] }

// access adds a to n.
func (n *Nest) access(a Access) int32 {
	n.Accesses = append(n.Accesses, a)
	return int32(len(n.Accesses) - 1)
}
