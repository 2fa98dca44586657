package gemm

import (
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/shape"
)

// An A whose rows are neighbours, as in the product that is a gradient of weights, is transposed when it is packed for
// tiles: groups of neighbours along the depth are put together from several of its lines, for as many rows as a vector
// has lanes, and blocks of them are turned in registers.

// turnsRows reports whether tiles can have such an A.
func (p *Product) turnsRows() bool {
	a := &p.spec.A
	row, flatM := a.Free.Stride()
	depth, flatK := a.Depth.Stride()
	return flatM && flatK && row == 1 && depth > 1 && fits(tileDepth*4*depth) && !p.spec.placed()
}

// turning is the kernels that pack such an A: of all rows of a block or of the last ones, for whole tiles or for the
// depths that do not fill one.
type turning struct {
	keys    [2][2]packKey
	entries [2][2]uintptr
}

// chooseTurning finds them.
func (p *Product) chooseTurning() {
	if !p.kind.tiles() || p.routeA != packed || p.orderA != turned {
		return
	}
	k := packKey{order: turned, block: true, kind: p.kind, vector: p.regs.vector, typ: p.spec.A.Type, ld: p.sourceA,
		to: p.rowA}
	for last := range 2 {
		k.tail = last * (p.m % p.lanes)
		for part := range 2 {
			if k.rest = part * (p.k % tileDepth); (last == 0 || k.tail > 0) && (part == 0 || k.rest > 0) {
				p.turning.keys[last][part] = k
			}
		}
	}
}

// turnRows packs rows [row, row+rows) in depths [k0, k1), which are whole tiles or less than one.
func (p *Product) turnRows(dst, a unsafe.Pointer, base, row, rows, k0, k1 int) {
	step, _ := p.spec.A.Depth.Stride()
	part, count := 0, (k1-k0)/tileDepth
	if count == 0 {
		part, count = 1, 1
	}
	for i := 0; i < rows; i += p.lanes {
		last := 0
		if rows-i < p.lanes {
			last = 1
		}
		at := base + row + i + k0*p.kind.wide()*step
		args := packArgs{count: count, src: unsafe.Add(a, at*p.spec.A.Type.ByteSize()), dst: unsafe.Add(dst, i*p.rowA)}
		invoke(p, p.turning.entries[last][part], &args)
	}
}

// turnBlock emits a loop over tiles along the depth, each of as many rows as a vector has lanes.
func (e *packer) turnBlock() {
	if e.tail > 0 {
		e.setMask(e.tail)
	}
	lanes := e.vector / e.loader.kind.size()
	groups, rows := lanes, lanes
	if e.rest > 0 {
		groups = e.rest
	}
	if e.tail > 0 {
		rows = e.tail
	}
	wide := e.loader.kind.wide()
	e.count(1, lanes*wide*e.ld, e.vector, func(int) {
		for g := range lanes {
			if g < groups {
				e.group(asm.Vec(g), asm.Vec(lanes), g*wide*e.ld)
				continue
			}
			e.V3(asm.VPXORD, e.vl, asm.Vec(g), asm.Vec(g), asm.Vec(g))
		}
		for i, v := range e.transposed(lanes)[:rows] {
			e.store(i*e.to, v)
		}
	})
}

// group sets v to the group of neighbours along the depth that begins with the line at so many bytes, of each row.
func (e *packer) group(v, temp asm.Vec, at int) {
	wide := e.loader.kind.wide()
	ints := e.loader
	ints.kind = kindS32
	typ := shape.U16
	if wide == 4 {
		typ = shape.U8
	}
	for i := range wide {
		to := temp
		if i == 0 {
			to = v
		}
		ints.load(typ, to, asm.M(regB, int32(at+i*e.ld)), e.tail > 0)
		if i > 0 {
			e.V2I(asm.VPSLLDI, e.vl, to, to, uint8(i*32/wide))
			e.V3(asm.VPORD, e.vl, v, v, to)
		}
	}
}
