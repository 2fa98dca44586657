package gemm

import (
	"fmt"
	"unsafe"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/shape"
)

// The zeros around an array that the windows of a convolution reach need not be in memory. A block of rows needs a
// piece of the array with its zeros, which is made in scratch memory just before: it stays in the second-level cache
// while all panels go by. That is for products by diagonals (diagonal.go), which have all panels for each block.

// Margin is a dimension of an array with zeros in front of its elements and behind them.
type Margin struct{ Low, Size, High int }

// around is the lines of an array with zeros: all of the innermost dimension that has some, and what is in it.
type around struct {
	outer []Margin
	// elements: of a line, from where on they are in memory, and how many.
	line, from, have int
	typ              shape.ElementType // of what is in memory
	read             gather            // widens it, if it is not of the type of sums; else nil
}

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
	all := 1
	for _, m := range p.spec.A.Around {
		all *= m.Low + m.Size + m.High
	}
	return all*p.spec.A.Type.ByteSize() > smallAround && (p.spec.A.Depth.span()+p.n)*fewestPieces > all
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
	inner, d := 1, len(dims)-1
	for ; d > 0 && dims[d].Low == 0 && dims[d].High == 0; d-- {
		inner *= dims[d].Size
	}
	m := dims[d]
	p.around = &around{outer: dims[:d], line: (m.Low + m.Size + m.High) * inner, from: m.Low * inner,
		have: m.Size * inner, typ: p.asked.A.Type}
	if p.around.typ != p.spec.A.Type {
		p.around.read = reader(p.kind.sums(), p.around.typ)
		p.block = packKey{order: copied, block: true, kind: p.kind.sums(), vector: p.regs.vector, typ: p.around.typ}
	}
	return nil
}

// lineOf returns which line in memory is line i of the array; false if that is zeros.
func (a *around) lineOf(i int) (at int, ok bool) {
	size := 1
	for d := len(a.outer) - 1; d >= 0; d-- {
		m := &a.outer[d]
		all := m.Low + m.Size + m.High
		k := i%all - m.Low
		if k < 0 || k >= m.Size {
			return 0, false
		}
		at, size, i = at+k*size, size*m.Size, i/all
	}
	return at, true
}

// pieceOfRows returns which elements of the array with its zeros so many rows of A, from row on, need: from lo to hi.
func (p *Product) pieceOfRows(row, rows int) (lo, hi int) {
	lo = p.spec.A.Offset + p.freeA.at(row)
	return lo, p.spec.A.Offset + p.freeA.at(row+rows-1) + p.spec.A.Depth.span() + p.n
}

// aroundBytes is the size of the largest piece that a block needs.
func (p *Product) aroundBytes() int {
	most := 0
	for row := 0; p.around != nil && row < p.m; row += p.mc {
		lo, hi := p.pieceOfRows(row, min(p.mc, p.m-row))
		most = max(most, hi-lo)
	}
	return most * p.kind.size()
}

// bring writes the piece that rows of A need to this thread's scratch memory.
func (w *task) bring(row, rows int) {
	p, a := w.p, w.p.around
	size := p.kind.size()
	lo, hi := p.pieceOfRows(row, rows)
	to := unsafe.Slice((*byte)(w.own), (hi-lo)*size)
	for at := lo; at < hi; {
		from := at % a.line
		n := min(a.line-from, hi-at)
		piece := to[(at-lo)*size:][:n*size]
		first, end := min(max(a.from-from, 0), n), min(max(a.from+a.have-from, 0), n)
		if line, ok := a.lineOf(at / a.line); ok && first < end {
			clear(piece[:first*size])
			src := unsafe.Add(w.a, (line*a.have+from+first-a.from)*a.typ.ByteSize())
			if a.read != nil {
				w.widen(unsafe.Pointer(&piece[first*size]), src, end-first)
			} else {
				copy(piece[first*size:end*size], unsafe.Slice((*byte)(src), (end-first)*size))
			}
			clear(piece[end*size:])
		} else {
			clear(piece)
		}
		at += n
	}
}

// widen writes n elements of memory as sums have them.
func (w *task) widen(to, src unsafe.Pointer, n int) {
	p := w.p
	lanes, size, from := p.regs.vector/p.kind.size(), p.kind.size(), p.around.typ.ByteSize()
	if n < lanes {
		p.around.read(to, src, 0, 1, n)
		return
	}
	args := packArgs{count: 1, src: src, dst: to, vectors: (n - 1) / lanes, lastSrc: (n - lanes) * from,
		lastDst: (n - lanes) * size}
	invoke(p, p.blockCopier, &args)
}
