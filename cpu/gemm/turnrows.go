package gemm

import (
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/shape"
)

// An A whose rows are neighbours, as in the product that is a gradient of weights, is transposed when it is packed for
// tiles: groups of neighbours along the depth are put together from several of its lines, for as many rows as a vector
// has lanes, and blocks of them are turned in registers.

// leastTurned is the least rows of a run of A that are turned, mostTurned the most distances of a list.
const (
	leastTurned = 12
	mostTurned  = 1 << 16
)

// turnsRows reports whether tiles can have such an A, in groups of wide depths: runs of rows that are neighbours, and
// no group in two runs of the depth.
func (p *Product) turnsRows(wide int) bool {
	a := &p.spec.A
	row, depth := a.Free.run(), a.Depth.run()
	return row.Stride == 1 && row.Size >= min(p.m, leastTurned) && depth.Stride > 1 && depth.Size%wide == 0 &&
		fits(tileDepth*4*depth.Stride) && !p.spec.placed() &&
		turnPeriod(a.Depth, wide) <= max(mostTurned, depth.Size/wide)
}

// turnPeriod returns how many groups of wide depths there are in the innermost dimensions of an axis that are whole
// tiles, or in all of them.
func turnPeriod(depth Axis, wide int) int {
	n, m := 1, depth.Merged()
	for d := len(m) - 1; d >= 0; d-- {
		if n *= m[d].Size; n%(wide*tileDepth) == 0 {
			break
		}
	}
	return n / wide
}

// turning is how such an A is packed. The depth is periods of whole tiles; if one has several runs, a list has the
// distance of each group in it.
type turning struct {
	period int
	list   []int
	ways   []turnWay
}

// turnWay is the kernels for so many rows: for whole tiles, and for the depths that do not fill one.
type turnWay struct {
	rows    int
	keys    [2]packKey
	entries [2]uintptr
}

// chooseTurning finds them.
func (p *Product) chooseTurning() {
	if !p.kind.tiles() || p.routeA != packed || p.orderA != turned {
		return
	}
	t := &p.turning
	if t.period = turnPeriod(p.spec.A.Depth, p.kind.wide()); t.period > p.runDepth {
		for k := range t.period {
			t.list = append(t.list, p.depthOfA.at(k)*p.spec.A.Type.ByteSize())
		}
	}
	for row := 0; row < p.m; row += p.mc {
		p.turnPieces(row, min(p.mc, p.m-row), func(_, rows int) { t.add(p, rows) })
	}
}

// add adds the kernels for so many rows.
func (t *turning) add(p *Product, rows int) {
	if t.way(rows) != nil {
		return
	}
	w := turnWay{rows: rows}
	for part := range w.keys {
		if rest := part * (p.k % tileDepth); part == 0 || rest > 0 {
			w.keys[part] = packKey{order: turned, block: true, kind: p.kind, vector: p.regs.vector, typ: p.spec.A.Type,
				nv: parts(rows, p.lanes), tail: rows % p.lanes, rest: rest, ld: p.sourceA, to: p.rowA, listed: t.list != nil}
		}
	}
	t.ways = append(t.ways, w)
}

// way returns the kernels for so many rows, nil if there are none.
func (t *turning) way(rows int) *turnWay {
	for i := range t.ways {
		if t.ways[i].rows == rows {
			return &t.ways[i]
		}
	}
	return nil
}

// turnPieces calls do for what is turned at once of rows [row, row+rows), each in one run: as many as a vector has
// lanes, or of words twice as many, a line of the cache.
func (p *Product) turnPieces(row, rows int, do func(row, rows int)) {
	for i := row; i < row+rows; {
		n := min(p.runRows-i%p.runRows, row+rows-i)
		if most := 2 * p.lanes; p.kind == kindWords && n >= most {
			n = most
		} else {
			n = min(n, p.lanes)
		}
		do(i, n)
		i += n
	}
}

// turnRows packs rows [row, row+rows) in depths [k0, k1), which are whole tiles or less than one.
func (p *Product) turnRows(dst, a unsafe.Pointer, base, row, rows, k0, k1 int) {
	t := &p.turning
	p.turnPieces(row, rows, func(i, n int) {
		w := t.way(n)
		for k := k0; k < k1; {
			at, part, count := k%t.period, 0, min(t.period-k%t.period, k1-k)
			from, depths := base+p.freeA.at(i)+p.depthOfA.at(k), count
			args := packArgs{count: count / tileDepth, dst: unsafe.Add(dst, (i-row)*p.rowA+(k-k0)*p.kind.size())}
			if args.count == 0 {
				part, args.count = 1, 1
			}
			if t.list != nil {
				from, args.list = base+p.freeA.at(i)+p.depthOfA.at(k-at), unsafe.Pointer(&t.list[at])
			}
			args.src = unsafe.Add(a, from*p.spec.A.Type.ByteSize())
			invoke(p, w.entries[part], &args)
			k += depths
		}
	})
}

// turnBlock emits a loop over tiles along the depth, each of as many rows as a vector has lanes.
func (e *packer) turnBlock() {
	switch {
	case e.turnsWords():
		e.laneMasks()
	case e.tail > 0:
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
	wide, next := e.loader.kind.wide(), lanes*e.loader.kind.wide()*e.ld
	if e.listed {
		e.RM(asm.MOV, asm.W64, regAt, asm.M(asm.RDI, argGroups))
		next = 0
	}
	at := func(g int) (asm.Reg, int) {
		if !e.listed {
			return regB, g * wide * e.ld
		}
		e.RM(asm.MOV, asm.W64, regRuns, asm.M(regAt, int32(8*g)))
		e.RR(asm.ADD, asm.W64, regRuns, regB)
		return regRuns, 0
	}
	e.count(1, next, e.vector, func(int) {
		if e.turnsWords() {
			e.turnSquares(groups, at)
		} else {
			e.turnGroups(groups, rows, at)
		}
		if e.listed {
			e.RI(asm.ADD, asm.W64, regAt, int64(8*lanes))
		}
	})
}

// turnGroups packs so many groups of a tile, and zeros behind them, of which at gives the places.
func (e *packer) turnGroups(groups, rows int, at func(group int) (asm.Reg, int)) {
	lanes := e.vector / e.loader.kind.size()
	for g := range lanes {
		if g >= groups {
			e.V3(asm.VPXORD, e.vl, asm.Vec(g), asm.Vec(g), asm.Vec(g))
			continue
		}
		from, place := at(g)
		e.group(asm.Vec(g), asm.Vec(lanes), from, place)
	}
	for i, v := range e.transposed(lanes)[:rows] {
		e.store(i*e.to, v)
	}
}

// group sets v to the group of neighbours along the depth that begins with the line so many bytes from a register, of
// each row.
func (e *packer) group(v, temp asm.Vec, from asm.Reg, at int) {
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
		ints.load(typ, to, asm.M(from, int32(at+i*e.ld)), e.tail > 0)
		if i > 0 {
			e.V2I(asm.VPSLLDI, e.vl, to, to, uint8(i*32/wide))
			e.V3(asm.VPORD, e.vl, v, v, to)
		}
	}
}
