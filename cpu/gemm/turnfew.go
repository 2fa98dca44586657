package gemm

import (
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/shape"
)

// Few rows of A that are neighbours at each depth are turned for products along the depth: squares of eight depths and
// eight rows, some of which may not be there, become vectors of depths, of which what is sums, or pairs of words, is
// stored.

// fewKey is a kernel that turns them. The zero fewKey is none.
type fewKey struct {
	kind   kind // of the product
	typ    shape.ElementType
	rows   int
	ld, to int // bytes between depths of the source, and between rows of the result
}

const (
	squareRows = 8 // of a square, and depths
	// turnedFor is how many columns make turning A, which takes as long for any few rows, little beside multiplying.
	turnedFor = 128
)

// turnsFew reports whether rows of o can be turned.
func (p *Product) turnsFew(o *Operand) bool {
	row, flat := o.Free.Stride()
	depth, flatK := o.Depth.Stride()
	n := o.Free.Size()
	return flat && flatK && (row == 1 || n == 1) && depth >= n && n <= squareRows && p.kind.size() == 4 &&
		fits(squareRows*depth*o.Type.ByteSize())
}

// loaded is the type of elements that are loaded as they are.
func (k kind) loaded() shape.ElementType {
	switch k {
	case kindPairs:
		return shape.S16
	case kindBF16:
		return shape.BF16
	}
	return k.elementType()
}

// planTurning finds out how rows of A are turned, if they do not lie along the depth, and how much of the depth goes at
// once then.
func (p *Product) planTurning() {
	a := &p.spec.A
	step, _ := a.Depth.Stride()
	if step == 1 {
		return
	}
	unit := 2 * p.lanes
	p.kc = min(p.kc, max(unit, p.config.l2()/4/(p.m*p.kind.size())/unit*unit))
	p.few = fewKey{kind: p.kind, typ: a.Type, rows: p.m, ld: step * a.Type.ByteSize(),
		to: aligned((min(p.kc, p.k)+p.lanes)*p.kind.size()) + skew}
}

// turnFew turns depths [k, k+depth), of lanes, of the rows of product n to dst. Code reads whole squares: what would be
// read behind the end of the operand, and what is left, goes one by one.
func (p *Product) turnFew(dst, a unsafe.Pointer, n, k, depth int) {
	wide, size, step := p.kind.wide(), p.spec.A.Type.ByteSize(), p.few.ld/p.spec.A.Type.ByteSize()
	base, first, count := p.spec.A.Offset+p.batchA.at(n), k*wide, depth*wide
	whole := count
	if last := ((p.spec.K()-1)*step + p.m - squareRows) / step; first+whole > last+1 {
		whole = max(0, last+1-first)
	}
	blocks, unit := whole/squareRows, p.kind.size()/wide
	for at := 0; at < blocks; {
		args := packArgs{count: min(blocks-at, packBytesOfCall/(squareRows*p.m*unit)),
			src: unsafe.Add(a, (base+(first+at*squareRows)*step)*size), dst: unsafe.Add(dst, at*squareRows*unit)}
		invoke(p, p.fewTurner, &args)
		at += args.count
	}
	read := p.readA
	if wide > 1 {
		read = wordsOf(p.spec.A.Type)
	}
	for i := range p.m {
		at := blocks * squareRows
		read(unsafe.Add(dst, i*p.few.to+at*unit), a, base+(first+at)*step+i, step, count-at)
	}
}

// wordsOf is the gather of words of 16 bits.
func wordsOf(t shape.ElementType) gather {
	switch t {
	case shape.S8:
		return wordsFrom(func(v int8) uint16 { return uint16(v) })
	case shape.U8:
		return wordsFrom(func(v uint8) uint16 { return uint16(v) })
	}
	return wordsFrom(func(v uint16) uint16 { return v })
}

func wordsFrom[E any](word func(E) uint16) gather {
	return func(dst, src unsafe.Pointer, base, step, n int) {
		to := unsafe.Slice((*uint16)(dst), n)
		var zero E
		for i := range to {
			to[i] = word(*(*E)(unsafe.Add(src, (base+i*step)*int(unsafe.Sizeof(zero)))))
		}
	}
}

// emitFew emits a kernel that turns squares.
func emitFew(a *asm.Assembler, k fewKey) {
	of, typ := k.kind.sums(), k.typ
	words := k.kind.wide() > 1
	if words {
		if of = kindS32; typ == shape.BF16 {
			typ = shape.S16
		}
	}
	e := &packer{loader: newLoader(a, of, 32), packKey: packKey{kind: of, vector: 32, typ: typ, ld: k.ld, to: k.to}}
	e.arguments()
	out := squareRows * k.kind.size() / k.kind.wide()
	e.count(1, squareRows*k.ld, out, func(int) {
		for i := range squareRows {
			e.load(typ, asm.Vec(i), asm.M(regB, int32(i*k.ld)), false)
		}
		turned := e.transposed(squareRows)
		free := (turned[0] + squareRows) % (2 * squareRows)
		for i, v := range turned[:k.rows] {
			at := asm.M(regC, int32(i*k.to))
			if !words {
				e.MV(asm.VMOVUPS, e.vl, at, v)
				continue
			}
			e.V2I(asm.VEXTRACTF32X4, e.vl, free, v, 1)
			e.V3(asm.VPACKSSDW, asm.VL128, v, v, free)
			e.MV(asm.VMOVUPS, asm.VL128, at, v)
		}
	})
	e.Zero0(asm.VZEROUPPER)
	e.Ret()
}
