package fuse

import (
	"slices"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Sums over rows, as of a gradient for each feature, have a loop over columns around the one over rows where they are
// all that is wanted: sums then stay in registers. But each row is at another page of memory, so few lines of it are
// touched in a turn, less than the hardware needs to see what comes next, and what is stored of each element needs a
// pass of its own. Where elements are stored as well, much is computed for each, or rows that are long, or do not end
// with a line, come from further away than the first cache, rows are gone through once, a block of columns at a time,
// and the sums of the block are in memory of the worker's own.

const (
	// A block has at least and at most so many bytes of a row.
	leastWide, mostWide = 256, 2048
	// fewestSummed and mostSummed are how many rows there are.
	fewestSummed, mostSummed = 16, 1 << 16
	// mostSums is how many reductions there are at most.
	mostSums = 8
)

// Of sums that are all that is wanted.
const (
	// leastFar is from how many bytes on what is summed is not in the first cache.
	leastFar = 256 << 10
	// A block has at least and at most so many bytes of a row: a page, which the hardware asks for as a whole.
	leastAlone, mostAlone = 1 << 10, 4 << 10
	// leastUneven is leastAlone for rows that do not end with a line: what is left of them would go through memory alone.
	// Blocks for more threads have as many bytes at least.
	leastUneven = 256
	// rowsBeside is how many rows are added at a time, so that the sums are read and written less often; farBeside is as
	// many of what comes from memory and is asked for.
	rowsBeside, farBeside = 4, 8
)

// columns is how reductions over rows of a Spec are computed.
type columns struct {
	lanes int // the dimension of columns
	width int // so many columns are a block
	rest  int // columns of a shorter one at the end, if any
	// beside are the dimensions in front of lanes whose columns are in a block, too, each with how many of its indices.
	beside []besideDim
	inner  []int
	rows   []int // the extents of the dimensions inner
	long   bool  // sums are sums of parts
	over   []*hlo.Instruction
	by     reducer
	kinds  []sumKind // of the sums
	whole  []Root
	alone  bool             // the sums are all that is wanted, and little is computed for each element
	first  *hlo.Instruction // of the roots
	memory int
	slots  int // of sums that are in memory before these
}

// besideDim is count neighbours of a dimension.
type besideDim struct{ dim, count int }

// columnsOf returns how the reductions of s over rows are computed, nil if they are not such.
func columnsOf(s Spec, lanes int) *columns {
	c := overRows(s, lanes)
	if c == nil || !c.find(s) || c.alone && !c.share(s) || !c.alone && !c.cut(s, s.Dims[lanes]) {
		return nil
	}
	c.lengthen()
	return c
}

// overRows returns the rows of s, nil if there are none, or too few or too many, or lanes are no columns.
func overRows(s Spec, lanes int) *columns {
	if lanes < 0 || s.Inner[lanes] || lastDim(s, func(d int) bool { return s.Dims[d] > 1 }) != lanes {
		return nil
	}
	c := &columns{lanes: lanes, first: s.Roots[0].Inst}
	for d, n := range s.Dims {
		if s.Inner[d] && n > 1 {
			c.inner, c.rows = append(c.inner, d), append(c.rows, n)
		}
	}
	if n := product(c.rows); n < fewestSummed || n > mostSummed {
		return nil
	}
	return c
}

// lengthen notes whether sums are long.
func (c *columns) lengthen() {
	for k, o := range c.by.lanes {
		c.long = c.long || o == loop.Add && c.kinds[k].in.IsFloat() && product(c.rows) > longChain
	}
}

// find looks for the reductions, which all are to be over all rows, and made from what is no sum itself.
func (c *columns) find(s Spec) bool {
	d, idx, kept := discover(s)
	for _, r := range s.Roots {
		switch {
		case r.Spread || r.Update != nil:
			return false
		case !s.isFull(r):
			d.walk(r.Inst, kept)
		case d.walk(r.Inst, idx) > 0:
			return false
		default:
			c.whole = append(c.whole, r)
		}
	}
	for _, r := range d.found {
		if !c.take(s, r, d.g.places.of(r.idx) == d.g.places.of(kept) && r.level == 1) {
			return false
		}
	}
	c.alone = len(c.whole) == 0 && len(d.stages) == 0
	for k, i := range c.over {
		inMemory := s.InMemory(i.Operand(0)) && !isRoot(s, i.Operand(0))
		c.kinds = append(c.kinds, sumKindOf(i.Type(), c.by.lanes[k], s.Code && c.alone && inMemory))
	}
	return len(c.over) > 0 && len(c.over) <= mostSums && c.haveKinds()
}

// haveKinds reports whether all sums can be kept.
func (c *columns) haveKinds() bool {
	return !slices.ContainsFunc(c.kinds, func(k sumKind) bool { return k.in == shape.Invalid })
}

// take adds r to the sums, if it is over rows; here tells whether it is wanted where the nest is.
func (c *columns) take(s Spec, r reduction, here bool) bool {
	dims, of := sorted(r.inst.Attrs().(*op.ReduceAttrs).Dimensions), r.inst.Operand(0).Shape()
	rows := 1
	for _, d := range dims {
		rows *= of.Dims[d]
	}
	if rows == 1 { // it is computed where it is wanted
		return true
	}
	for d := range s.Dims {
		if s.Inner[d] != slices.Contains(dims, d) {
			return false
		}
	}
	by := reducerOf(r.inst.Called()[0], len(r.inst.Operands())/2)
	if !here || len(r.inst.Operands()) != 2 || by.lanes == nil || !slices.Equal(of.Dims, s.Dims) {
		return false
	}
	c.over, c.by.lanes = append(c.over, r.inst), append(c.by.lanes, by.lanes...)
	return true
}

// sumKind is how sums are kept until they are complete: as elements of a type, Invalid if they cannot be, or as keys of
// that type.
type sumKind struct {
	in   shape.ElementType
	keys bool
}

// sumKindOf is how sums of type t are kept that are combined by o. Integers that are narrow are if no step makes them
// wider; narrow tells that lanes would be as narrow.
func sumKindOf(t shape.ElementType, o loop.Op, narrow bool) sumKind {
	extreme := o == loop.Min || o == loop.Max
	switch t {
	case shape.F32, shape.F64, shape.S32, shape.U32, shape.S64, shape.U64:
		return sumKind{in: t}
	case shape.BF16, shape.F16:
		if extreme && narrow {
			return sumKind{in: shape.S16, keys: true}
		}
		return sumKind{in: shape.F32}
	case shape.Pred, shape.S8, shape.U8, shape.S16, shape.U16:
		if extreme || o == loop.UMin || o == loop.UMax || o == loop.And || o == loop.Or || o == loop.Xor {
			return sumKind{in: t}
		}
	}
	return sumKind{}
}

// size is the most bytes of a sum.
func (c *columns) size() int {
	size := 1
	for _, k := range c.kinds {
		size = max(size, k.in.ByteSize())
	}
	return size
}

// share chooses blocks where there is nothing but sums: as many for each thread, but for others where the kept
// dimensions are enough for all threads, or blocks would be short. It reports whether sums in memory are worth it,
// which does not depend on the threads: other loops may round otherwise.
func (c *columns) share(s Spec) bool {
	of, size := c.over[0].Operand(0).Shape(), c.size()
	n, line := s.Dims[c.lanes], memoryLine/size
	width := func(blocks int) int { return min(n, ((n-1)/blocks/line+1)*line) }
	least := leastAlone
	if n%line != 0 {
		least = leastUneven
	}
	count := (n*size-1)/mostAlone + 1
	c.width = width(count)
	if product(of.Dims)*of.Type.ByteSize() < leastFar {
		return false
	}
	if c.width == n && n%line == 0 && n*size < least {
		return c.widen(s, size)
	}
	if c.width*size < least {
		return false
	}
	threads := max(1, s.Threads)
	shared := width((count + threads - 1) / threads * threads)
	if product(of.Dims)/product(c.rows)/n < threads && shared*size >= leastUneven {
		c.width = shared
	}
	c.rest = n % c.width
	return true
}

// widen takes neighbours of the dimensions in front of lanes into a block: as many as lie together for each row. It
// reports whether that is enough, and then takes fewer if there are not enough blocks for all threads.
func (c *columns) widen(s Spec, size int) bool {
	total := s.Dims[c.lanes]
	for d := c.lanes - 1; d > c.inner[len(c.inner)-1]; d-- {
		n := s.Dims[d]
		if n == 1 {
			continue
		}
		count := n
		for n%count != 0 || count > 1 && total*count*size > mostAlone {
			count--
		}
		c.beside = append(c.beside, besideDim{d, count})
		if total *= count; count < n {
			break
		}
	}
	if total*size < leastAlone || !c.divides(s, size, total) {
		return false
	}
	c.narrow(s, size, total)
	return true
}

// divides reports whether there are two blocks at least, if not of total columns, of fewer that are still enough.
func (c *columns) divides(s Spec, size, total int) bool {
	if product(s.Dims)/product(c.rows) > total {
		return true
	}
	for _, b := range c.beside {
		for count := 1; count < b.count; count++ {
			if s.Dims[b.dim]%count == 0 && total/b.count*count*size >= leastAlone {
				return true
			}
		}
	}
	return false
}

// narrow takes fewer neighbours into blocks of so many columns, the outermost ones first, until there is one for each
// thread, or they are short.
func (c *columns) narrow(s Spec, size, total int) {
	all := product(s.Dims) / product(c.rows)
	few := func() bool { return all/total < s.Threads && total*size >= 2*leastAlone }
	for k := len(c.beside) - 1; k >= 0; k-- {
		b, inside := &c.beside[k], total/c.beside[k].count
		for count := b.count - 1; count > 0 && few(); count-- {
			if s.Dims[b.dim]%count == 0 && inside*count*size >= leastUneven {
				b.count, total = count, inside*count
			}
		}
	}
}

// cut chooses blocks of n columns: all of one size, a multiple of a line if that can be, and not just one, unless rows
// of them would begin within lines and there are enough others for all threads.
func (c *columns) cut(s Spec, n int) bool {
	size := c.size()
	best := 0
	for b := leastWide / size; b <= mostWide/size && b < n; b++ {
		if n%b == 0 && c.better(n, b, best, memoryLine/size) {
			best = b
		}
	}
	c.width = best
	others := product(s.Dims) / product(c.rows) / n
	if best*size%memoryLine != 0 && n*size <= mostAlone && others >= s.Threads {
		c.width = n
	}
	return best > 0
}

// better reports whether blocks of b columns of n are better than smaller ones of a.
func (c *columns) better(n, b, a, line int) bool {
	if a == 0 {
		return true
	}
	if b%line == 0 != (a%line == 0) {
		return b%line == 0
	}
	even := func(b int) bool { return n/b%2 == 0 || n/b > 8 }
	return even(b) || !even(a)
}

// levels is how many sums there are for each column: one, and one for each kind of part.
func (c *columns) levels() int {
	if c.long {
		return 1 + len(c.rows)
	}
	return 1
}

// slot is the distance between the sums of two reductions, in bytes.
func (c *columns) slot() int64 {
	n := c.width
	for _, b := range c.beside {
		n *= b.count
	}
	return int64(n*8+memoryLine-1) / memoryLine * memoryLine
}

func (c *columns) named() Ref { return Ref{c.first, scratchLeaf} }

func (c *columns) bytes() int64 { return int64(c.levels()*len(c.over)) * c.slot() }
