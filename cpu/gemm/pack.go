package gemm

import (
	"unsafe"
)

// order is how a packing kernel goes through an operand.
type order uint8

const (
	gathered order = iota // element by element, in Go
	copied                // what is contiguous stays so
	turned                // blocks are transposed in registers
)

// packDepth is the least depth of what is packed at a time. So much of all panels is packed before more of the first
// one: source and result are few pages then, read and written in long pieces.
const packDepth = 32

// packParts returns in how many parts the depth of B is packed.
func (p *Product) packParts() int {
	if p.runDepthB < p.k {
		return 1
	}
	return max(1, p.k/packDepth)
}

// packPart returns part i of the depth.
func (p *Product) packPart(i int) (k0, k1 int) {
	if i == p.packParts()-1 {
		return i * packDepth, p.k
	}
	return i * packDepth, (i + 1) * packDepth
}

// packPanel writes depths [k0, k1) of panel pn of B to dst: for each a row as wide as the panel, zero behind the last
// column. They are all of the depth, or packDepth of them at least and B is one run.
func (p *Product) packPanel(dst, b unsafe.Pointer, batch int, pn *panel, k0, k1 int) {
	switch f := &p.forms[pn.form]; f.order {
	case copied:
		p.copyPanel(f, dst, b, batch, pn, k0, k1)
	case turned:
		p.turnPanel(f, dst, b, batch, pn, k0, k1)
	default:
		p.gatherPanel(dst, b, batch, pn, k0, k1)
	}
}

func (p *Product) gatherPanel(dst, b unsafe.Pointer, batch int, pn *panel, k0, k1 int) {
	base := p.spec.B.Offset + p.batchB.at(batch)
	size := p.kind.size()
	row := pn.nv * p.regs.vector
	if ones := p.kind.ones(); ones || p.copiesB && pn.cols <= mostColumns {
		gather := gatherElements[float32]
		switch {
		case ones && size == 8:
			gather = gatherVectors[float64]
		case ones:
			gather = gatherVectors[float32]
		case size == 8:
			gather = gatherElements[float64]
		}
		gather(p, dst, unsafe.Add(b, base*size), pn, k0, k1)
		return
	}
	for k := k0; k < k1; k++ {
		to := unsafe.Add(dst, (k-k0)*row)
		at := base + p.depthOfB.at(k)
		for i := 0; i < pn.cols; {
			n := p.freeB.piece(pn.col+i, pn.cols-i)
			p.readB(unsafe.Add(to, i*size), b, at+p.freeB.at(pn.col+i), p.freeB.step, n)
			i += n
		}
		if pad := row - pn.cols*size; pad > 0 {
			clear(unsafe.Slice((*byte)(unsafe.Add(to, pn.cols*size)), pad))
		}
	}
}

// mostColumns is more columns than a panel has.
const mostColumns = 128

// gatherElements is gatherPanel of elements that are sums as they are, of the size of T. Where each column begins is
// found once: neighbours may be few.
func gatherElements[T number](p *Product, dst, b unsafe.Pointer, pn *panel, k0, k1 int) {
	var columns [mostColumns]int
	at := columns[:pn.cols]
	for i := range at {
		at[i] = p.freeB.at(pn.col + i)
	}
	var zero T
	width := pn.nv * p.regs.vector / int(unsafe.Sizeof(zero))
	to := unsafe.Slice((*T)(dst), (k1-k0)*width)
	for k := k0; k < k1; k++ {
		from := unsafe.Add(b, p.depthOfB.at(k)*int(unsafe.Sizeof(zero)))
		for i, x := range at {
			to[i] = *(*T)(unsafe.Add(from, x*int(unsafe.Sizeof(zero))))
		}
		clear(to[pn.cols:width])
		to = to[width:]
	}
}

// packArgs is the argument block of all packing kernels.
type packArgs struct {
	count    int // rows, or blocks of depths
	src, dst unsafe.Pointer
	vectors  int // whole rows: of each, but the last
	lastSrc  int // whole rows: where the last one is, in bytes
	lastDst  int
	list     unsafe.Pointer // of where groups of depths are, in bytes, of A that is turned
}

// Offsets of its fields.
const (
	argCount = 8 * iota
	argSrc
	argDst
	argVectors
	argLastSrc
	argLastDst
	argGroups
)

// packBytesOfCall is the most that one call of a packing kernel writes.
const packBytesOfCall = 512 << 10

// over is how many of the last rows of B have nothing behind them that may be read instead of the lanes that are not
// there, of a vector of so many elements. B is evenly spaced, or all of it has nothing.
func (p *Product) over(tail int) int {
	if row, flat := p.spec.B.Depth.Stride(); flat && row > 0 {
		return parts(p.lanes-tail, row)
	}
	return p.k
}

// copyPanel packs rows whose elements are neighbours.
func (p *Product) copyPanel(f *form, dst, b unsafe.Pointer, batch int, pn *panel, k0, k1 int) {
	if whole := max(k0, p.k-f.over); f.over > 0 && k1 > whole {
		p.gatherPanel(unsafe.Add(dst, (whole-k0)*pn.nv*p.regs.vector), b, batch, pn, whole, k1)
		k1 = whole
	}
	size := p.spec.B.Type.ByteSize()
	from := p.spec.B.Offset + p.batchB.at(batch) + p.freeB.at(pn.col)
	row := pn.nv * p.regs.vector
	rows := max(1, packBytesOfCall/row)
	for k := k0; k < k1; {
		args := packArgs{count: min(rows, p.runDepthB-k%p.runDepthB, k1-k),
			src: unsafe.Add(b, (from+p.depthOfB.at(k))*size), dst: unsafe.Add(dst, (k-k0)*row)}
		invoke(p, f.packer, &args)
		k += args.count
	}
}

// turnPanel packs columns whose elements are neighbours: blocks as long as wide, the last of which, in each
// run, overlaps the one before it. No run of those depths is shorter than a block.
func (p *Product) turnPanel(f *form, dst, b unsafe.Pointer, batch int, pn *panel, k0, k1 int) {
	size := p.spec.B.Type.ByteSize()
	base := (p.spec.B.Offset + p.batchB.at(batch)) * size
	row := pn.nv * p.regs.vector
	blocks := max(1, packBytesOfCall/(p.regs.vector*p.lanes))
	for v := range pn.nv {
		fn := f.packer
		if v == pn.nv-1 && f.tail > 0 {
			fn = f.lastPacker
		}
		from := base + p.freeB.at(pn.col+v*p.lanes)*size
		turn := func(k, count int) {
			args := packArgs{count: count, src: unsafe.Add(b, from+p.depthOfB.at(k)*size),
				dst: unsafe.Add(dst, (k-k0)*row+v*p.regs.vector)}
			invoke(p, fn, &args)
		}
		length := min(p.runDepthB, k1-k0)
		whole := length / p.lanes
		for run := k0; run < k1; run += length {
			for at := 0; at < whole; at += blocks {
				turn(run+at*p.lanes, min(blocks, whole-at))
			}
			if whole*p.lanes < length {
				turn(run+length-p.lanes, 1)
			}
		}
	}
}

// packRows writes rows [row, row+rows) of A in depths [k0, k1) to dst, in the order in which they are neighbours.
func (p *Product) packRows(dst, a unsafe.Pointer, batch, row, rows, k0, k1 int) {
	base := p.spec.A.Offset + p.batchA.at(batch)
	if p.orderA == turned && p.kind.tiles() {
		p.turnRows(dst, a, base, row, rows, k0, k1)
		return
	}
	for i := row; i < row+rows; {
		n := min(p.runRows-i%p.runRows, row+rows-i)
		for k := k0; k < k1; {
			depth := min(p.runDepth-k%p.runDepth, k1-k)
			p.packRun(unsafe.Add(dst, (i-row)*p.rowA+(k-k0)*p.depthA), a, base, i, n, k, depth)
			k += depth
		}
		i += n
	}
}

// packRun packs rows and depths that are evenly spaced.
func (p *Product) packRun(dst, a unsafe.Pointer, base, row, rows, k, depth int) {
	count, length := rows, depth
	if p.depthMajor {
		count, length = length, rows
	}
	if p.depthMajor && p.denseDepths() {
		count, length = 1, count*length
	}
	base += p.freeA.at(row) + p.depthOfA.at(k)
	if of := p.pieceOf(length); of != nil {
		p.packPiece(of, dst, unsafe.Add(a, base*p.spec.A.Type.ByteSize()), count)
		return
	}
	if p.orderA == turned && rows >= p.lanes && depth >= p.lanes {
		p.turnRun(dst, unsafe.Add(a, base*p.spec.A.Type.ByteSize()), rows, depth)
		return
	}
	if p.orderA == copied && p.blockCopier != 0 && (length >= p.lanes || length == p.block.tail) {
		size := p.spec.A.Type.ByteSize()
		lane := size
		if !p.depthMajor {
			lane *= p.kind.wide()
		}
		args := packArgs{count: count, src: unsafe.Add(a, base*size), dst: dst,
			vectors: (length - 1) / p.lanes, lastSrc: (length - p.lanes) * lane,
			lastDst: (length - p.lanes) * p.kind.size()}
		invoke(p, p.blockCopier, &args)
		return
	}
	if p.depthMajor {
		for n := range depth {
			p.readA(unsafe.Add(dst, n*p.depthA), a, base+n*p.depthOfA.step, p.freeA.step, rows)
		}
		return
	}
	for i := range rows {
		p.readA(unsafe.Add(dst, i*p.rowA), a, base+i*p.freeA.step, p.depthOfA.step, depth)
	}
}
