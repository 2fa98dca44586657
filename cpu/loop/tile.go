package loop

import "slices"

// Tile changes the order of parallel loops around a lane loop that goes through memory in long steps, as a transpose
// does, where a loop further out goes through the same memory in short ones:
//
//	for i < 4096 { lanes j < 4096 { .. x[i + j*4096] .. } }
//
// becomes
//
//	for J < 64 { for I < 64 { for i < 64 { lanes j < 64 { .. x[I*64 + i + J*262144 + j*4096] .. }}}}
//
// so that lines of the cache, and pages, are used whole while they are there, and who makes the code can turn squares
// in registers. Extents that nothing divides well, such as prime ones, are in blocks of which each begins with some
// iterations of the one before, where to do these again is the same. Those that threads divide do so only in machine
// code, and where that stores the same bits in whatever order; else the last one is shorter.
//
// It reports whether the last buffer of n is new, as memory that blocks go through.
func Tile(n *Nest, t Target) bool {
	b := blockerOf(n, t)
	if b == nil {
		return false
	}
	n.Vars += 2
	outer, far := b.split(b.short, n.Vars-2, b.f), b.split(b.lanes, n.Vars-1, b.g)
	b.nestLoops(outer, far)
	if b.f.rest > 0 {
		addRest(n, outer[0], b.short, b.f.rest)
	}
	if b.g.rest > 0 {
		addRest(n, far[0], b.lanes, b.g.rest)
	}
	return b.through
}

// Target is what Tile depends on of what runs the nest: whether that is machine code, whether its vectors are lines of
// the caches, whether it asks for the lines that it is about to read, and whether blocks may go through memory of the
// worker's own, which is better where vectors are parts of lines.
type Target struct{ Code, Wide, Asks, Through bool }

const (
	cacheLine = 64
	// fewest is the number of steps of the lane loop from which on it is worth it.
	fewest = 8
)

type blocker struct {
	nest *Nest
	// chain is the parallel loops from the root to lanes, each the last node of the one before; front holds what stands
	// in front of it in each.
	chain  []*Loop
	front  []Block
	lanes  *Loop
	short  *Loop // the loop of short steps, number at in the chain
	at     int
	f, g   cut  // of short and lanes
	apart  bool // blocks may not overlap
	target Target
	// wholeGroups: blocks fill all of their groups where they can.
	wholeGroups bool
	// inLines: blocks of lanes are inside of those of short.
	inLines bool
	// through: blocks are turned in memory of the worker's own.
	through bool
	// farFirst: the blocks of lanes are around those of short.
	farFirst bool
}

// cut is what an extent is cut into: so many blocks, each of so many iterations and so many behind the one before, and,
// if it is not 0, a shorter one.
type cut struct{ count, size, step, rest int64 }

func (c cut) overlaps() bool { return c.count > 1 && c.step < c.size }

// blockerOf finds the loops of n that are worth it, or returns nil.
func blockerOf(n *Nest, t Target) *blocker {
	b := &blocker{nest: n, target: t}
	if !b.findChain() || !b.findSteps() {
		return nil
	}
	b.arrange()
	return b
}

// findChain follows the parallel loops down to a lane loop without loops in it.
func (b *blocker) findChain() bool {
	block := b.nest.Root
	for len(block) > 0 {
		l := block[len(block)-1].Loop
		if l == nil || !l.Parallel || l.When != nil || len(l.Carries) > 0 {
			return false
		}
		if len(b.chain) > 0 {
			b.front = append(b.front, block[:len(block)-1])
			if !b.movable(block[:len(block)-1]) {
				return false
			}
		}
		b.chain = append(b.chain, l)
		if l.Lanes {
			b.lanes = l
			return len(b.chain) > 1 && !slices.ContainsFunc(l.Body, func(n Node) bool { return n.Loop != nil })
		}
		block = l.Body
	}
	return false
}

// movable reports whether the instructions of a block may be done again and later.
func (b *blocker) movable(block Block) bool {
	for _, n := range block {
		if n.Loop != nil {
			return false
		}
		i := b.nest.Inst(n.Value)
		if i.Op == Load {
			if buf := b.nest.Buffers[b.nest.Accesses[i.Access].Buffer]; buf.Write || buf.Scratch {
				return false
			}
		} else if !i.Op.Info().Pure {
			return false
		}
	}
	return true
}

// findSteps looks for an access in the lane loop that steps far in it and near in a loop around it.
func (b *blocker) findSteps() bool {
	if b.lanes.Extent < fewest {
		return false
	}
	for _, n := range b.lanes.Body {
		i := b.nest.Inst(n.Value)
		if i.Op != Load && i.Op != Store {
			continue
		}
		a := &b.nest.Accesses[i.Access]
		if a.Index != 0 {
			continue
		}
		for k, l := range b.chain[:len(b.chain)-1] {
			if b.choose(a, l, i.Op == Load) {
				b.short, b.at = l, k
				return true
			}
		}
	}
	return false
}

func abs(x int64) int64 { return max(x, -x) }

// choose sets the size of a block, if access a steps far in the lane loop and near in l: iterations of l that make
// whole lines, and steps of the lane loop that fill vectors. Rows that are shorter than lines, of few elements that lie
// close together, are in a block as a whole.
func (b *blocker) choose(a *Access, l *Loop, reads bool) bool {
	bytes := a.Mem.Bytes()
	far, near := abs(a.Stride(b.lanes.Var))*bytes, abs(a.Stride(l.Var))*bytes
	if near == 0 || near >= cacheLine/2 {
		return false
	}
	b.wholeGroups = b.target.Code && bytes < 4 && b.onlyMoves()
	steps := int64(longest)
	if reads {
		steps = max(min(longest, b.linesInRow(a, far)*cacheLine/bytes), b.longRow(a, far))
	}
	b.g = b.blocks(b.lanes.Extent, cacheLine/near, steps)
	switch {
	case far >= cacheLine && reads && b.goesThrough(a, far, l) && b.throughBlocks(a, l):
	case far >= cacheLine && reads && b.isNear(a, far) && b.fillsNarrow(vectorBytes/near):
		b.inLines = true
		b.g = b.blocks(b.lanes.Extent, vectorBytes/near, vectorBytes/near)
		b.f = b.blocks(l.Extent, cacheLine/near, b.rowsInFirst(l, bytes))
	case far >= cacheLine && reads && b.crowded(a, far, l):
		b.g = b.blocks(b.lanes.Extent, cacheLine/near, cacheLine/near)
		b.f = b.blocks(l.Extent, cacheLine/near, max(longest, l.Extent*b.g.count/enough))
	case far >= cacheLine:
		b.f = b.blocks(l.Extent, cacheLine/near, longest)
	case l.Extent >= leastRow && far == l.Extent*near && b.moves(l):
		b.f = cut{count: 1, size: l.Extent, step: l.Extent}
	default:
		return false
	}
	return b.f.count > 0 && b.g.count > 0
}

// onlyMoves reports whether elements are moved and no more. Narrow ones are turned in whole vectors then, but one by
// one where a block has parts of vectors, which takes four times as long as doing some of them twice.
func (b *blocker) onlyMoves() bool {
	return !slices.ContainsFunc(b.lanes.Body, func(n Node) bool {
		i := b.nest.Inst(n.Value)
		return i.Op != Load && i.Op != Store || i.Op == Load && i.Args[0] != 0 || i.Op == Store && i.Args[1] != 0
	})
}

// linesInRow is how many lines of the result a block writes in a row at most, as a reads steps that are so far apart.
// These are so many rows of memory that are read in turns. Of an array that is in no cache they are few, so that the
// hardware sees how each goes on, unless code asks for that.
func (b *blocker) linesInRow(a *Access, far int64) int64 {
	asked := b.target.Asks && b.target.Wide && a.Mem.Bytes() >= 4
	if far >= page && b.nest.Buffers[a.Buffer].Bytes >= leastFar && !asked {
		return fewLines
	}
	return longest
}

// crowded reports whether a, whose rows are so far apart, is near, and each line of all rows in one of two sets of the
// first cache, but those of all rows of the result that l goes through are in eight or more. Then a line of all of
// these is written before the next: what is read changes its set with each line, and of one the cache keeps what the
// hardware brings for one line of the result and not for more.
func (b *blocker) crowded(a *Access, far int64, l *Loop) bool {
	return b.isNear(a, far) && !slices.ContainsFunc(b.rowsWritten(l), func(step int64) bool { return step%(page/4) == 0 })
}

// isNear reports whether a is near, and each line of all its rows, which are so far apart, in one of two sets of the
// first cache.
func (b *blocker) isNear(a *Access, far int64) bool {
	return b.target.Asks && far%(page/2) == 0 && b.nest.Buffers[a.Buffer].Bytes <= MostNearby
}

// rowsWritten is how far apart, in bytes, the rows are that l goes through in what the lane loop stores.
func (b *blocker) rowsWritten(l *Loop) (steps []int64) {
	for _, n := range b.lanes.Body {
		if i := b.nest.Inst(n.Value); i.Op == Store {
			to := &b.nest.Accesses[i.Access]
			steps = append(steps, to.Stride(l.Var)*to.Mem.Bytes())
		}
	}
	return steps
}

// rowsInFirst is how many rows of the result a block writes where vectors are half of a line: a vector of each row,
// and then the next, which is to find the lines still in the first cache. So lines that are read, of as many rows as
// fill a vector, are read whole one after the other, and what is read and written is each brought there once. Rows so
// far apart that they do not fit are as many as fill a line that is read, unless their elements, being narrow, are
// turned in larger squares.
func (b *blocker) rowsInFirst(l *Loop, bytes int64) int64 {
	if bytes < 4 {
		return longest
	}
	if slices.ContainsFunc(b.rowsWritten(l), func(step int64) bool { return step*longest > firstCache }) {
		return cacheLine / 4
	}
	return longest * 4 / bytes
}

// fillsNarrow reports whether vectors of n elements, which are narrow, are full in the lane loop, some of them twice.
func (b *blocker) fillsNarrow(n int64) bool {
	return !b.target.Wide && (b.wholeGroups || b.lanes.Extent%n == 0)
}

// longRow is how many elements of the result a block writes in a row where who reads a, in steps that are so far apart,
// asks for what comes next. Each of these rows is in a page of its own, and it takes long to find out where in memory a
// page is, if there are more of them than a core keeps in mind: the more is written in one, the better. Where what is
// read begins within lines, these are read twice, so the first cache is to have them. There still are blocks for all
// threads.
func (b *blocker) longRow(a *Access, far int64) int64 {
	if !b.target.Asks || !b.target.Wide || a.Mem.Bytes() < 4 || far < page || b.nest.Buffers[a.Buffer].Bytes < leastFar {
		return 0
	}
	bytes := int64(rowBytes)
	if far%cacheLine != 0 {
		bytes /= 2
	}
	return min(bytes/a.Mem.Bytes(), b.lanes.Extent/fewestBlocks)
}

// moves reports whether the memory matters more to the lane loop than that it is long: it does little, or reads every
// so many elements, more than vectors are made of by turning a few registers.
func (b *blocker) moves(l *Loop) bool {
	return len(b.lanes.Body) <= mostMoving || l.Extent > mostTurned && len(b.lanes.Body) <= mostComputing
}

const (
	mostMoving, mostComputing = 4, 16 // instructions
	mostTurned                = 8     // elements
)

const (
	// longest is how many iterations a block has at most.
	longest = 64
	// fewLines is how many lines of the result a block writes in a row at most, where each step reads another page of an
	// array of leastFar bytes or more.
	fewLines = 2
	// rowBytes is how many bytes of the result a block writes in a row, if that leaves fewestBlocks.
	rowBytes     = 1 << 10
	fewestBlocks = 16
	page         = 4 << 10
	leastFar     = 32 << 20
	firstCache   = 32 << 10
	secondCache  = 256 << 10
	vectorBytes  = 32 // of code that is not for wide vectors
	// MostNearby is the most bytes of an array that is in the last cache, and what is made of it beside it.
	MostNearby = 4 << 20
)

// blocks cuts an extent into blocks, none longer than longest, that fill groups of n best, and of those the longest.
// Where all that follow one another leave half of the groups empty, and iterations may be repeated, blocks overlap, but
// a short extent that loses by this is one block. There is none if nothing fills half of the groups.
func (b *blocker) blocks(extent, n, longest int64) cut {
	c, _ := bestCut(extent, n, longest, func(size int64) int64 { return size })
	if b.wholeGroups && (c.count == 0 || c.size%n != 0) && !b.apart && b.repeatable() {
		whole := func(size int64) int64 {
			if size%n != 0 {
				return 0
			}
			return longestStep(extent-size, size)
		}
		if w, _ := bestCut(extent, n, longest, whole); w.count > 0 {
			return w
		}
	}
	if c.count > 0 || b.apart || !b.repeatable() {
		return c
	}
	c, full := bestCut(extent, n, longest, func(size int64) int64 { return longestStep(extent-size, size) })
	if full < mostRepeated && extent <= mostWhole {
		return cut{count: 1, size: extent, step: extent}
	}
	return c
}

const (
	// mostRepeated is the share of groups that overlapping blocks of an extent of at most mostWhole fill.
	mostRepeated = 0.85
	mostWhole    = 256
)

// bestCut is the best cut into blocks of which those of a size are as many iterations apart as step says, 0 if there
// are to be none, and the share of its groups that is filled: more than half.
func bestCut(extent, n, longest int64, step func(size int64) int64) (best cut, full float64) {
	full = 0.5
	for size := min(extent, longest); size > 1; size-- {
		s := step(size)
		if s == 0 || (extent-size)%s != 0 {
			continue
		}
		c := cut{count: (extent-size)/s + 1, size: size, step: s}
		if share := float64(extent) / float64(c.count*((size+n-1)/n)*n); share > full {
			best, full = c, share
		}
	}
	return best, full
}

// longestStep is the largest divisor of way that is at most longest.
func longestStep(way, longest int64) int64 {
	for way%longest != 0 {
		longest--
	}
	return longest
}

// repeatable reports whether an iteration of the lane loop may run twice: it reads nothing that the nest writes.
func (b *blocker) repeatable() bool {
	return !slices.ContainsFunc(b.lanes.Body, func(n Node) bool {
		i := b.nest.Inst(n.Value)
		return i.Op != Store && !b.movable(Block{n})
	})
}

// split makes l run the iterations of a block inside of a loop over blocks, v, which it returns: everywhere v*step + l
// stands for l. There is none if c cuts nothing.
func (b *blocker) split(l *Loop, v int, c cut) []*Loop {
	if c.count == 1 && c.rest == 0 {
		return nil
	}
	outer := &Loop{Var: v, Extent: c.count, Parallel: true}
	for k := range b.nest.Accesses {
		a := &b.nest.Accesses[k]
		if s := a.Stride(l.Var); s != 0 {
			a.Terms = append(slices.Clone(a.Terms), Term{v, s * c.step})
		}
	}
	for k := range b.front {
		b.front[k] = b.expand(b.front[k], l, outer, c.step)
	}
	b.lanes.Body = b.expand(b.lanes.Body, l, outer, c.step)
	l.Extent = c.size
	return []*Loop{outer}
}

// expand computes the number of an iteration of l where it is asked for.
func (b *blocker) expand(block Block, l, outer *Loop, n int64) Block {
	var out Block
	for _, node := range block {
		i := *b.nest.Inst(node.Value)
		if i.Op == Index && i.Imm == uint64(l.Var) {
			size := b.inst(&out, Inst{Op: Const, Kind: i.Kind, Imm: uint64(n)})
			start := b.inst(&out, Inst{Op: Index, Kind: i.Kind, Imm: uint64(outer.Var)})
			start = b.inst(&out, Inst{Op: Mul, Kind: i.Kind, Args: [3]Value{size, start}})
			rest := b.inst(&out, i)
			*b.nest.Inst(node.Value) = Inst{Op: Add, Kind: i.Kind, Args: [3]Value{start, rest}}
		}
		out = append(out, node)
	}
	return out
}

func (b *blocker) inst(block *Block, i Inst) Value {
	b.nest.Insts = append(b.nest.Insts, i)
	v := Value(len(b.nest.Insts) - 1)
	*block = append(*block, Node{Value: v})
	return v
}

// enough iterations of an outermost loop are so many.
const enough = 8

// arrange sets which blocks are around which, and cuts the outermost so that threads may divide it. Where nothing is
// between the loops, the blocks of lanes come first, so that the next block reads on in the lines behind this one's,
// unless they are too few for threads.
func (b *blocker) arrange() {
	beside := len(b.chain) == b.at+2
	b.farFirst = beside && b.g.count >= min(enough, b.f.count) && !b.inLines
	if b.at > 0 || b.target.Code && b.exact() {
		return
	}
	if beside && !(b.f.overlaps() && b.g.overlaps()) && b.outermost().overlaps() {
		b.farFirst = !b.farFirst
	}
	if c := b.outermost(); c.overlaps() {
		extent := (c.count-1)*c.step + c.size
		c.count, c.step, c.rest = extent/c.size, c.size, extent%c.size
	}
}

// outermost is how the outermost loop is cut, if short is outermost now.
func (b *blocker) outermost() *cut {
	if beside := len(b.chain) == b.at+2; b.g.count > 1 && (b.farFirst || beside && b.f.count == 1) {
		return &b.g
	}
	return &b.f
}

// exact reports whether all code for the lane loop stores the same bits, which that for NaN need not: nothing is
// computed in floats.
func (b *blocker) exact() bool {
	return !slices.ContainsFunc(slices.Concat(append(b.front, b.lanes.Body)...), func(n Node) bool {
		i := b.nest.Inst(n.Value)
		if i.Op == Store {
			m := b.nest.Accesses[i.Access].Mem
			return m == MemF16 || m == MemBF16
		}
		return i.Kind.IsFloat() && !slices.Contains([]Op{Const, Load, Select, Bitcast, Neg, Abs}, i.Op)
	})
}

// nestLoops puts the loops together: those around short, outer, those between short and lanes, far, short, lanes.
func (b *blocker) nestLoops(outer, far []*Loop) {
	last := len(b.chain) - 1
	if b.farFirst {
		outer, far = far, outer
	}
	order := slices.Concat(b.chain[:b.at], outer, b.chain[b.at+1:last], far, []*Loop{b.short, b.lanes})
	moved := slices.Concat(b.front[b.at:]...)
	var turns Block
	if b.through {
		turns = b.turnThrough()
	}
	for k := len(order) - 2; k >= 0; k-- {
		inner := Block{{Loop: order[k+1]}}
		if order[k+1] == b.short {
			inner = append(turns, inner...)
		}
		switch {
		case k < b.at:
			order[k].Body = append(slices.Clone(b.front[k]), inner...)
		case order[k] == b.short:
			order[k].Body = append(slices.Clone(moved), inner...)
		default:
			order[k].Body = inner
		}
	}
	root := b.nest.Root
	root[len(root)-1] = Node{Loop: order[0]}
}
