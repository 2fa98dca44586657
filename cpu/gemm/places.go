package gemm

import "unsafe"

// C is dense, or its rows are anywhere (Spec.Rows, Spec.Products). Rows of C, and of an A that is read in place, that
// are evenly spaced are a run; a micro-kernel multiplies rows of one run.

// places is where rows are: row i of product n is at batch[n] + first[i/rows] + i%rows*step, in elements.
type places struct {
	batch, first []int
	rows, step   int
}

func (p *places) at(n, row int) int { return p.batch[n] + p.first[row/p.rows] + row%p.rows*p.step }

// placesOf returns the places of axes.
func placesOf(start int, batch, rows Axis) places {
	run := rows.run()
	all := rows.Offsets()
	if len(all) == 1 {
		run.Stride = 0 // there is no next one
	}
	p := places{batch: batch.Offsets(), rows: run.Size, step: run.Stride}
	for i := 0; i < len(all); i += run.Size {
		p.first = append(p.first, start+all[i])
	}
	return p
}

// choosePlaces finds where C is.
func (p *Product) choosePlaces() {
	products, rows, start := p.spec.Products, p.spec.Rows, p.spec.Start
	if !p.spec.placed() {
		products, rows, start = Axis{{p.batch, p.m * p.n}}, Axis{{p.m, p.n}}, 0
	}
	p.placesC = placesOf(start, products, rows)
}

// placed reports whether C is not dense.
func (s *Spec) placed() bool { return s.Rows != nil || s.Products != nil }

// together returns how many rows from row on, of rows, one call of a micro-kernel may multiply.
func (p *Product) together(row, rows int) int {
	n := min(rows, p.placesC.rows-row%p.placesC.rows)
	if p.routeA == inPlace {
		n = min(n, p.runRows-row%p.runRows)
	}
	return n
}

// lengths returns, in order, the numbers of rows that calls of micro-kernels multiply.
func (p *Product) lengths() []int {
	has := make([]bool, p.mc+1)
	for row := 0; row < p.m; {
		n := p.together(row, min(p.m-row, p.mc-row%p.mc))
		has[n] = true
		row += n
	}
	var list []int
	for n, ok := range has {
		if ok {
			list = append(list, n)
		}
	}
	return list
}

// rowOf returns the distance, in bytes, of row first+i of a block from where rows said that it is.
func (p *Product) rowOf(first, i int) int {
	if p.routeA == inPlace && p.freeA != nil {
		return p.freeA[first+i] * p.spec.A.Type.ByteSize()
	}
	if p.routeA == inPlace {
		return (first + i) * p.rowA
	}
	return i * p.rowA
}

// panelRows multiplies rows of A, a block, with one panel, whose sums are from column col of the area of C on.
func (w *task) panelRows(pn *panel, a, c unsafe.Pointer, n, row, rows, col, ldc int) {
	p := w.p
	size := p.kind.size()
	for i := 0; i < rows; {
		count := p.together(row+i, rows-i)
		at := i * ldc
		if p.direct {
			at = p.placesC.at(n, row+i) * size
		}
		w.column(pn, unsafe.Add(a, p.rowOf(row, i)), unsafe.Add(c, at+col*size), count, ldc)
		i += count
	}
}

// depth returns how much of the depth, from k on, goes at once.
func (p *Product) depth(k int) int {
	n := min(p.kc, p.k-k)
	if p.routeA == inPlace && p.runsOfA == nil {
		n = min(n, p.runDepth-k%p.runDepth)
	}
	if p.kind.tiles() && n > tileDepth { // then what does not fill a tile
		n -= n % tileDepth
	}
	return n
}

// leastPart is the least depth that goes at once.
func (p *Product) leastPart() int {
	least := p.k
	for k := 0; k < p.k; {
		n := p.depth(k)
		least = min(least, n)
		k += n
	}
	return least
}

// leastRunRows is the least rows of a run of A for which it pays to read it in place.
const leastRunRows = 4

// runsA reports whether micro-kernels read A in place, run by run.
func (p *Product) runsA() bool {
	row, depth := p.spec.A.Free.run(), p.spec.A.Depth.run()
	if row.Size < min(p.m, leastRunRows) || p.kind.wide() > 1 && p.kind != kindSplit {
		return false
	}
	p.runRows, p.runDepth = row.Size, depth.Size
	return true
}

// chooseRuns cuts the depth of an A that is read in place: a call of a micro-kernel has a part of a run, or some whole
// ones.
func (p *Product) chooseRuns() {
	if p.runDepth == p.k || p.kc < 2*p.runDepth {
		p.kc = min(p.kc, p.runDepth)
		p.kc = parts(p.runDepth, parts(p.runDepth, p.kc))
		return
	}
	p.runsOfA = p.spec.A.Depth.Offsets()
	for i := range p.k / p.runDepth {
		p.runsOfA[i] = p.runsOfA[i*p.runDepth*p.kind.wide()] * p.spec.A.Type.ByteSize()
	}
	p.runsOfA = p.runsOfA[:p.k/p.runDepth]
	count := parts(p.k, p.kc)
	p.kc = parts(len(p.runsOfA), count) * p.runDepth
}
