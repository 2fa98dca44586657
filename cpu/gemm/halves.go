package gemm

import "github.com/goxla/xla/cpu/asm"

// Places of a window that moves on by two are every other element of a row. Where planes are brought near (planes.go),
// even columns and odd ones are apart there: places are neighbours, and each tap finds all of its elements in one half.

// halved reports whether places are every other element of rows of planes that are brought.
func (p *Product) halved() bool { return p.spec.B.Free.run().Stride == 2 && p.spec.B.byRows() }

// byRows reports whether rows and columns of planes tell where places and taps are, one by one: elements of rows are
// the innermost ones, and all others are rows.
func (o *Operand) byRows() bool {
	outer := len(o.Around) - 2
	if outer < 0 {
		return false
	}
	line := o.Around[outer+1].all()
	plane := line * o.Around[outer].all()
	row, col := o.Offset%plane/line, o.Offset%line
	for _, a := range []Axis{o.Free.Merged(), o.Depth.Merged()} {
		for i, d := range a {
			switch {
			case d.Stride < 0:
				return false
			case d.Stride%plane == 0:
			case d.Stride%line == 0:
				row += d.Stride / line * (d.Size - 1)
			case i < len(a)-1:
				return false
			default:
				col += d.Stride * (d.Size - 1)
			}
		}
	}
	return col < line && row < plane/line
}

// chooseHalves says where taps are in the planes that are brought, of which spec has the places.
func (p *Product) chooseHalves() {
	f, b, size := p.frame, &p.spec.B, p.kind.size()
	b.Free[len(b.Free)-1].Stride = 1
	if taps, last := p.asked.B.Depth.run(), len(b.Depth)-1; last >= 0 && taps.Stride%f.wide.all() != 0 {
		p.windows.half, p.windows.odd = f.half*size, p.asked.B.Offset%f.wide.all()%2 == 1
		b.Depth[last].Stride = taps.Stride
	}
	p.block.nv, p.block.tail = parts(f.wide.Size, 2*p.lanes), f.wide.Size%(2*p.lanes)
	low := f.wide.Low
	p.block.half = (f.place(low+1) - f.place(low)) * size
}

// depthB is where depth d is from that of the registers' places.
func (m *micro) depthB(d int) int {
	if m.half == 0 {
		return d * m.ldb
	}
	size, first := m.microKey.kind.size(), 0
	if m.odd {
		first = 1
	}
	at := func(col int) int { return col/2*size + col%2*m.half }
	return at(first+d*m.ldb/size) - at(first)
}

// copyHalves emits a loop over rows, whose even and odd elements go to two places, of several rows in turn. Behind them
// are zeros, as in copyPlanes.
func (e *packer) copyHalves() {
	top := narrowTop - 2 // but for the mask, or the order of pieces, and what is free
	if e.wide {
		top = wideTop - 2
		e.V2M(asm.VMOVDQU64, e.vl, halfPlaces, e.Const(words64(0, 2, 4, 6, 1, 3, 5, 7)))
	}
	if lanes := e.vector / e.loader.kind.size(); e.tail%lanes > 0 {
		e.setMask(e.tail % lanes)
	}
	rows, pairs := max(1, min(mostHalvedRows, top/2/e.nv)), min(e.nv, top/2)
	e.count(rows, e.ld, e.to, func(rows int) {
		for at := 0; at < 2*e.nv*e.width(); at += line {
			for u := range rows {
				e.Prefetch(asm.PREFETCHT0, asm.M(regB, int32((u+aheadRows)*e.ld+at)))
			}
		}
		for j := 0; j < e.nv; j += pairs {
			e.halveRows(rows, j, min(j+pairs, e.nv))
		}
	})
}

const (
	// halfPlaces is where the order of the pieces of 8 bytes of a half is, on vectors of 64 bytes.
	halfPlaces = asm.Vec(wideTop - 1)
	// mostHalvedRows is how many rows of one half are written before those of the other, at most.
	mostHalvedRows = 4
)

// halveRows emits the pairs of vectors from to to-1 of so many rows.
func (e *packer) halveRows(rows, from, to int) {
	var halves [2][]asm.Vec
	free := asm.Vec(2 * rows * (to - from))
	for u := range rows {
		for j := from; j < to; j++ {
			v := asm.Vec(2 * (u*(to-from) + j - from))
			e.loadPair(v, u*e.ld+2*j*e.width(), j == e.nv-1)
			e.halfOf(free, v, asm.VUNPCKLPD, 0x88)
			e.halfOf(v+1, v, asm.VUNPCKHPD, 0xDD)
			halves[0], halves[1] = append(halves[0], free), append(halves[1], v+1)
			free = v
		}
	}
	for half, list := range halves {
		for n, v := range list {
			u, j := n/(to-from), from+n%(to-from)
			e.store(u*e.to+j*e.vector+half*e.half, v)
		}
	}
}

// loadPair loads two vectors of a row; of the last ones only what is there.
func (e *packer) loadPair(v asm.Vec, at int, last bool) {
	lanes := e.vector / e.loader.kind.size()
	have := 2 * lanes
	if last && e.tail > 0 {
		have = e.tail
	}
	for i := range 2 {
		if left := have - i*lanes; left > 0 {
			e.load(e.typ, v+asm.Vec(i), asm.M(regB, int32(at+i*e.width())), left < lanes)
		} else {
			e.V3(asm.VPXORD, e.vl, v+asm.Vec(i), v+asm.Vec(i), v+asm.Vec(i))
		}
	}
}

// halfOf sets to to the even or the odd lanes of registers v and v+1: pairs of f64, or, of f32, what fours names, are
// pieces of 8 bytes of either register in turn.
func (e *packer) halfOf(to, v asm.Vec, pairs asm.Op, fours uint8) {
	if e.loader.kind.size() == 4 {
		e.V3I(asm.VSHUFPS, e.vl, to, v, v+1, fours)
	} else {
		e.V3(pairs, e.vl, to, v, v+1)
	}
	if e.wide {
		e.V3(asm.VPERMPD, e.vl, to, halfPlaces, to)
	} else {
		e.V2I(asm.VPERMPDI, e.vl, to, to, 0xD8)
	}
}
