package gemm

import (
	"math"
	"unsafe"
)

// Blocks of registers go down the rows in steps. Where rows are runs, as those of places of windows, a call of a
// micro-kernel takes steps of several: a table says where each step is in A and in C.

// steps are big steps of mr rows, then small ones of less rows.
type steps struct{ mr, big, less, small int }

// steps cuts rows into steps for panels of nv vectors, as equal as can be. Tiles are filled first.
func (p *Product) steps(rows, nv int) steps {
	mr := p.stepRows(nv)
	if p.kind.tiles() {
		if rows < mr {
			return steps{mr: rows, big: 1}
		}
		return steps{mr, rows / mr, rows % mr, min(1, rows%mr)}
	}
	n := parts(rows, mr)
	size := parts(rows, n)
	small := n*size - rows
	return steps{size, n - small, size - 1, small}
}

// mostPlaced is the most runs of rows whose steps are in tables.
const mostPlaced = 1 << 12

// place is where a step is, in bytes: in A and in C, from where those of a block are.
type place struct{ a, c int32 }

// placedSteps are steps of mr rows of a block.
type placedSteps struct {
	mr     int
	places []place
}

// runOfRows is how many rows of a block are evenly spaced.
func (p *Product) runOfRows() int {
	if p.routeA == inPlace {
		return min(p.mc, p.rowsC.size, p.runRows)
	}
	return min(p.mc, p.rowsC.size)
}

// tabled reports whether the steps of blocks are in tables.
func (p *Product) tabled() bool {
	run := p.runOfRows()
	return run < p.mc && p.m <= run*mostPlaced && !p.kind.tiles() && p.routeB != inWindows && p.routeB != dotted &&
		p.routeB != swept && p.near()
}

// near reports whether a place is enough for the rows of A and C.
func (p *Product) near() bool {
	rows := p.m * p.n
	if p.spec.placed() {
		rows = p.spec.Rows.span()
	}
	return p.spec.A.Free.span()*p.spec.A.Type.ByteSize() <= math.MaxInt32 && rows*p.kind.size() <= math.MaxInt32
}

// placeSteps returns the steps of each block of rows for panels of nv vectors: those of as many rows together. Forms
// whose steps have as many rows have the same.
func (p *Product) placeSteps(nv int) [][]placedSteps {
	for i := range p.forms {
		if f := &p.forms[i]; f.placed != nil && p.stepRows(f.nv) == p.stepRows(nv) {
			return f.placed
		}
	}
	list := make([][]placedSteps, 0, parts(p.m, p.mc))
	for row := 0; row < p.m; row += p.mc {
		list = append(list, p.placeBlock(row, nv))
	}
	return list
}

// placeBlock returns the steps of the block that begins with row.
func (p *Product) placeBlock(row, nv int) (block []placedSteps) {
	var count [maxRows + 1]int
	p.eachStep(row, nv, func(mr, _ int) { count[mr]++ })
	var of [maxRows + 1][]place
	for mr, n := range count {
		if n > 0 {
			of[mr] = make([]place, 0, n)
		}
	}
	p.eachStep(row, nv, func(mr, i int) { of[mr] = append(of[mr], p.placeOfStep(row, i)) })
	for mr, places := range of {
		if len(places) > 0 {
			block = append(block, placedSteps{mr, p.inStrips(places, mr, nv)})
		}
	}
	return block
}

// inStrips returns steps in an order in which those of neighbouring runs follow each other, if what a step reads is in
// the first-level cache for the next one then, and is not if all of a run is multiplied before. Of one column each
// element of A is read for one sum only, and waited for.
func (p *Product) inStrips(list []place, mr, nv int) []place {
	run, st := p.runOfRows(), p.steps(p.runOfRows(), nv)
	each := st.big
	if mr != st.mr {
		each = st.small
	}
	row := len(p.runsOfA) * p.rowA // of all runs of the depth
	if !p.kind.ones() || each < 2 || len(list)%each > 0 || row*run <= p.config.l1() || row*mr > p.config.l1()*3/4 {
		return list
	}
	strips := make([]place, 0, len(list))
	for first := range each {
		for at := first; at < len(list); at += each {
			strips = append(strips, list[at])
		}
	}
	return strips
}

// eachStep calls f for the steps of the block that begins with row: how many rows, and from which of the block on.
func (p *Product) eachStep(row, nv int, f func(mr, i int)) {
	rows := min(p.mc, p.m-row)
	for i := 0; i < rows; {
		n := p.together(row+i, rows-i)
		st := p.steps(n, nv)
		for k := range st.big + st.small {
			mr := st.mr
			if k >= st.big {
				mr = st.less
			}
			f(mr, i)
			i += mr
		}
	}
}

// placeOfStep returns where the step is that begins with row first+i, of the block that begins with first.
func (p *Product) placeOfStep(first, i int) place {
	c := i * p.sumsWidth()
	if p.direct {
		c = p.rowsC.at(first + i)
	}
	return place{int32(p.rowOf(first, i)), int32(c * p.kind.size())}
}

// placedRows multiplies the rows of a block with one panel, whose sums are from column col of the area of C on.
func (w *task) placedRows(pn *panel, block []placedSteps, a, c unsafe.Pointer, n, col int) {
	if w.p.direct {
		col += w.p.batchC.at(n)
	}
	c = unsafe.Add(c, col*w.p.kind.size())
	for i := range block {
		s := &block[i]
		most := w.mostSteps(pn, s.mr, len(s.places))
		for left := s.places; len(left) > 0; {
			n := min(len(left), most)
			w.args.a, w.args.c, w.args.places = a, c, unsafe.Pointer(&left[0])
			w.call(&w.p.forms[pn.form], s.mr, n)
			left = left[n:]
		}
	}
}

// mostSteps is how many of so many steps a call makes at most.
func (w *task) mostSteps(pn *panel, mr, steps int) int {
	p := w.p
	most, work := callWork*p.kind.wide(), w.args.depth*mr*pn.nv*p.lanes
	if steps*work <= most {
		most = steps // a division takes as long as a few steps of the loop
	} else {
		most = max(1, most/work)
	}
	if p.listed {
		most = min(most, p.sources.steps)
	}
	return most
}

// call makes n steps of mr rows.
func (w *task) call(f *form, mr, n int) {
	p := w.p
	w.args.steps = n
	lines := f.micro[mr].ahead
	if lines > 0 {
		lines *= n * p.turns(w.args.depth)
	}
	switch {
	case p.listed && w.args.lay != nil:
		w.rest()
	case p.listed && p.lays:
		w.askOn(lines)
	case p.listed:
		w.proceed()
	case p.later > 0:
		w.askLater(mr)
	default:
		w.args.next = w.ahead.take(w.idle(), lines*line)
	}
	w.multiply(f, mr)
}
