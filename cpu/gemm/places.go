package gemm

// C is dense, or its rows are anywhere (Spec.Rows, Spec.Products). Rows of C, and of an A that is read in place, that
// are evenly spaced are a run; a micro-kernel multiplies rows of one run.

// places is where the elements along an axis are: element i is at first[i/size] + i%size*step. There is an entry for a
// run of evenly spaced ones only: an axis can have millions of elements.
type places struct {
	first      []int
	size, step int
}

// placesOf returns the places of an axis whose first element is at start. The zero places is none.
func placesOf(start int, a Axis) places {
	m := a.Merged()
	if len(m) == 0 {
		return places{first: []int{start}, size: 1}
	}
	last := m[len(m)-1]
	p := places{first: []int{start}, size: last.Size, step: last.Stride}
	for _, d := range m[:len(m)-1] {
		next := make([]int, 0, len(p.first)*d.Size)
		for _, o := range p.first {
			for k := range d.Size {
				next = append(next, o+k*d.Stride)
			}
		}
		p.first = next
	}
	return p
}

func (p *places) at(i int) int {
	if len(p.first) == 1 {
		return p.first[0] + i*p.step
	}
	return p.first[i/p.size] + i%p.size*p.step
}

// even reports whether all elements are evenly spaced.
func (p *places) even() bool { return len(p.first) == 1 }

// known reports whether p is not the zero places.
func (p *places) known() bool { return p.first != nil }

// every returns the places of groups of n, which are not in two runs.
func (p places) every(n int) places {
	return places{first: p.first, size: p.size / n, step: p.step * n}
}

// piece returns how many of n elements, from i on, are in the same run.
func (p *places) piece(i, n int) int {
	if len(p.first) == 1 {
		return n
	}
	return min(n, p.size-i%p.size)
}

// choosePlaces finds where C is.
func (p *Product) choosePlaces() {
	products, rows, start := p.spec.Products, p.spec.Rows, p.spec.Start
	if !p.spec.placed() {
		products, rows, start = Axis{{p.batch, p.m * p.n}}, Axis{{p.m, p.n}}, 0
	}
	p.batchC, p.rowsC = placesOf(start, products), placesOf(0, rows)
}

// placeOfRow returns where row i of product n of C is.
func (p *Product) placeOfRow(n, i int) int { return p.batchC.at(n) + p.rowsC.at(i) }

// placed reports whether it is said where rows and products of C are.
func (s *Spec) placed() bool { return s.Rows != nil || s.Products != nil }

// dense reports whether they are where those of a dense C are.
func (s *Spec) dense() bool {
	return s.Start == 0 && s.Rows.evenly(s.N()) && s.Products.evenly(s.M()*s.N())
}

// evenly reports whether elements along a are all so far apart.
func (a Axis) evenly(step int) bool {
	stride, ok := a.Stride()
	return ok && (stride == step || a.Size() == 1)
}

// together returns how many rows from row on, of rows, one call of a micro-kernel may multiply.
func (p *Product) together(row, rows int) int {
	n := p.rowsC.piece(row, rows)
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
	if p.routeA == inPlace && p.freeA.known() {
		at := p.freeA.at(first + i)
		if p.around != nil {
			at -= p.freeA.at(first)
		}
		return at * p.spec.A.Type.ByteSize()
	}
	if p.routeA == inPlace {
		return (first + i) * p.rowA
	}
	return i * p.rowA
}

// depth returns how much of the depth, from k on, goes at once.
func (p *Product) depth(k int) int {
	n := min(p.kc, p.k-k)
	if p.routeA == inPlace && p.runsOfA == nil {
		n = min(n, p.runDepth-k%p.runDepth)
	}
	if p.kind.tiles() && p.runsOfA == nil && n > tileDepth { // then what does not fill a tile
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

// leastRunRows is the least rows of a run of A for which it pays to read it in place; leastRowsOfFew is that where the
// columns are no more than a line, as few as packing takes longer than multiplying.
const (
	leastRunRows   = 4
	leastRowsOfFew = 3
)

// runsA reports whether micro-kernels read A in place, run by run.
func (p *Product) runsA() bool {
	row, depth := p.spec.A.Free.run(), p.spec.A.Depth.run()
	least := leastRunRows
	if p.n*p.kind.size() <= line {
		least = leastRowsOfFew
	}
	if row.Size < min(p.m, least) || p.kind.wide() > 1 && !p.kind.splits() {
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
		p.kc = min(p.runDepth, parts(parts(p.runDepth, parts(p.runDepth, p.kc)), unroll)*unroll)
		return
	}
	depth := placesOf(0, p.spec.A.Depth)
	p.runsOfA = depth.first
	for i := range p.runsOfA {
		p.runsOfA[i] *= p.spec.A.Type.ByteSize()
	}
	runs := parts(len(p.runsOfA), parts(p.k, p.kc))
	if most := p.depthOfLines(true) / p.runDepth; most > 1 {
		runs = min(runs, most)
	}
	p.kc = runs * p.runDepth
}
