package gemm

import (
	"fmt"
	"unsafe"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/shape"
)

// The zeros around an array that the windows of a convolution reach need not be in memory. What a block of rows needs
// of the array, with its zeros, is brought to scratch memory for one panel at a time, just before this is multiplied:
// it stays in the first-level cache. That is for products by diagonals (diagonal.go), whose panels have columns of A of
// their own. In the array a place has all columns, and what one panel needs of places that are so far apart would fall
// on few sets of a cache.

// Margin is a dimension of an array with zeros in front of its elements and behind them.
type Margin struct{ Low, Size, High int }

// around is an array with zeros around it.
type around struct {
	place  int // bytes of a place in memory, with all columns
	places int // in memory
	line   int // places of a line, with its zeros
	blocks [][]brought
	bytes  int // of the largest piece of a panel
}

// brought is lines of so many places each: where the first one of them is in the piece of a panel, and in memory.
type brought struct{ to, from, places, lines int }

// widensAround reports whether A has half floats, and C, that are widened while they are brought.
func (p *Product) widensAround() bool {
	t := p.spec.A.Type
	return (t == shape.BF16 || t == shape.F16) && p.spec.A.Around != nil
}

// TakesAround reports whether products with vectors of so many bytes take A with zeros around it (Operand.Around): by
// diagonals, whose rows follow each other in the array, and need little of it each. B is taken so as windows of planes
// that are each product's own (planes.go).
func (s *Spec) TakesAround(vector int) bool {
	c := Config{Tier: exec.AVX512}
	switch vector {
	case exec.AVX512.VectorBytes():
	case exec.AVX2.VectorBytes():
		c.Tier = exec.AVX2
	default:
		return false
	}
	p := new(Product)
	if err := p.begin(*s, c); err != nil {
		return false
	}
	p.chooseRegisters()
	if s.B.Around != nil {
		_, ok := p.framed()
		return ok && s.A.Around == nil
	}
	return p.canDiagonals() && s.A.Free.rises() && !p.piecesAreLarge()
}

// A piece is large if it is at least one of fewestPieces parts of an array of more than smallAround bytes: each thread
// has one, and much of the array would be brought for each block.
const (
	smallAround  = 2 << 20
	fewestPieces = 8
)

// piecesAreLarge reports whether the piece that a single row needs is large.
func (p *Product) piecesAreLarge() bool {
	all := p.sizeAround()
	return all*p.spec.A.Type.ByteSize() > smallAround && (p.spec.A.Depth.span()+p.n)*fewestPieces > all
}

// sizeAround is how many elements A has with its zeros.
func (p *Product) sizeAround() int {
	all := 1
	for _, m := range p.spec.A.Around {
		all *= m.all()
	}
	return all
}

// rises reports whether no element of a lies in front of the one before it.
func (a Axis) rises() bool {
	behind := 0
	for d := len(a) - 1; d >= 0; d-- {
		if a[d].Size > 1 && a[d].Stride < behind {
			return false
		}
		behind += (a[d].Size - 1) * a[d].Stride
	}
	return true
}

// chooseAround finds the lines of an A with zeros around it, if it has some.
func (p *Product) chooseAround() error {
	dims := p.spec.A.Around
	switch {
	case p.spec.B.Around != nil && p.frame == nil:
		return fmt.Errorf("gemm: no product with zeros around B: %v", &p.spec)
	case dims == nil:
		return nil
	}
	if !p.kind.diagonals() || !p.spec.A.Free.rises() {
		return fmt.Errorf("gemm: no product with zeros around A: %v", &p.spec)
	}
	inner, d := 1, len(dims)-2
	for ; d > 0 && dims[d].Low == 0 && dims[d].High == 0; d-- {
		inner *= dims[d].Size
	}
	m, typ := dims[d], p.asked.A.Type
	line := Margin{m.Low * inner, m.Size * inner, m.High * inner}
	a := &around{place: p.n * typ.ByteSize(), places: line.Size, line: line.all()}
	for _, o := range dims[:d] {
		a.places *= o.Size
	}
	for row := 0; row < p.m; row += p.mc {
		lo, hi := p.placesOfRows(row, min(p.mc, p.m-row))
		a.blocks = append(a.blocks, linesIn(lo, hi, dims[:d], line))
		a.bytes = max(a.bytes, (hi-lo)*p.regs.vector)
	}
	p.around = a
	p.block = packKey{order: copied, block: true, kind: p.kind.sums(), vector: p.regs.vector, typ: typ, ld: a.place,
		to: p.regs.vector, lines: true, gap: (line.Low + line.High) * p.regs.vector}
	return nil
}

// linesIn returns what is in memory of places lo to hi of an array of such lines.
func linesIn(lo, hi int, outer []Margin, line Margin) (list []brought) {
	for at := lo; at < hi; {
		from := at % line.all()
		n := min(line.all()-from, hi-at)
		first, end := min(max(line.Low-from, 0), n), min(max(line.Low+line.Size-from, 0), n)
		if i, ok := lineOf(at/line.all(), outer); ok && first < end {
			b := brought{at - lo + first, i*line.Size + from + first - line.Low, end - first, 1}
			if k := len(list) - 1; k >= 0 && b.places == line.Size && list[k].places == line.Size &&
				list[k].to+list[k].lines*line.all() == b.to {
				list[k].lines++
			} else {
				list = append(list, b)
			}
		}
		at += n
	}
	return list
}

// lineOf returns which line in memory is line i of the array; false if that is zeros.
func lineOf(i int, outer []Margin) (at int, ok bool) {
	size := 1
	for d := len(outer) - 1; d >= 0; d-- {
		m := &outer[d]
		k := i%m.all() - m.Low
		if k < 0 || k >= m.Size {
			return 0, false
		}
		at, size, i = at+k*size, size*m.Size, i/m.all()
	}
	return at, true
}

// byPlaces has the rows and depths of an A with zeros around it as the vectors of one panel are in scratch memory.
func (p *Product) byPlaces() {
	a, lanes := &p.spec.A, p.regs.vector/p.kind.size()
	a.Offset = a.Offset / p.n * lanes
	a.Free, a.Depth = a.Free.Merged(), a.Depth.Merged()
	for _, axis := range []Axis{a.Free, a.Depth} {
		for d := range axis {
			axis[d].Stride = axis[d].Stride / p.n * lanes
		}
	}
}

// wholePlaces reports whether rows and depths, besides the features of a group, are so many places of the array, which
// has all columns in each, apart.
func (p *Product) wholePlaces() bool {
	a, columns := &p.spec.A, p.batch*p.n
	whole := a.Offset%columns == 0 && a.Around[len(a.Around)-1] == Margin{Size: columns}
	for _, d := range append(a.Free.Merged(), p.taps()...) {
		whole = whole && d.Stride%columns == 0
	}
	return whole
}

// placesOfRows returns which places of the array with its zeros so many rows of A, from row on, need: from lo to hi.
func (p *Product) placesOfRows(row, rows int) (lo, hi int) {
	a, lanes := &p.spec.A, p.regs.vector/p.kind.size()
	lo = a.Offset + p.freeA.at(row)
	return lo / lanes, (a.Offset+p.freeA.at(row+rows-1)+a.Depth.span())/lanes + 1
}

// asksAround reports whether what the next block needs is asked for while one is multiplied.
func (p *Product) asksAround() bool { return p.around != nil && p.rowBlocks() > 1 }

// askAround says that the places in memory are needed next that block n+1 brings and block n has not brought, if this
// thread is to make it.
func (w *task) askAround(n int) {
	a := w.p.around
	w.ahead = ahead{}
	if !w.following || n+1 >= len(a.blocks) {
		return
	}
	place := uintptr(a.place)
	w.ahead.next = uintptr(w.a) + uintptr(endOf(a.blocks[n]))*place
	w.ahead.end = uintptr(w.a) + uintptr(endOf(a.blocks[n+1]))*place
}

// endOf returns which place in memory is behind the last one that is brought.
func endOf(list []brought) int {
	if len(list) == 0 {
		return 0
	}
	b := &list[len(list)-1]
	return b.from + b.places*b.lines
}

// clearAround makes those places of a piece zero that nothing is brought to: rows of A have them in the same places for
// all panels.
func (w *task) clearAround(row, rows int) {
	p, at := w.p, 0
	zeros := func(to int) {
		if at < to {
			clear(unsafe.Slice((*byte)(unsafe.Add(w.own, at*p.regs.vector)), (to-at)*p.regs.vector))
		}
	}
	for _, b := range p.around.blocks[row/p.mc] {
		for i := range b.lines {
			zeros(b.to + i*p.around.line)
			at = b.to + i*p.around.line + b.places
		}
	}
	lo, hi := p.placesOfRows(row, rows)
	zeros(hi - lo)
}

// bring writes the piece that block n needs of panel i to this thread's scratch memory.
func (w *task) bring(n, i int) {
	p, a := w.p, w.p.around
	column := unsafe.Add(w.a, i*(a.place/len(p.panels)))
	for _, b := range a.blocks[n] {
		lines := max(1, packBytesOfCall/(b.places*p.regs.vector))
		places := min(b.places, packBytesOfCall/p.regs.vector)
		for line := 0; line < b.lines; line += lines {
			for at := 0; at < b.places; at += places {
				args := packArgs{count: min(places, b.places-at), vectors: min(lines, b.lines-line),
					src: unsafe.Add(column, (b.from+line*b.places+at)*a.place),
					dst: unsafe.Add(w.own, (b.to+line*a.line+at)*p.regs.vector)}
				invoke(p, p.blockCopier, &args)
			}
		}
	}
}
