package native

import "github.com/goxla/xla/cpu/exec"

// split is a transform of n1*n2 elements, seen as a matrix of n1 rows: its columns are transformed, multiplied by
// roots, and then its rows are, whose results are the columns of the result. Lines are taken
// together a few at a time, so that what lies side by side in memory is read and written together.
type split struct {
	n1, n2 int
	f1, f2 transform
	// Two tables give every root: e^(-2πi k/n) is coarse[k/step] * fine[k%step].
	step         int
	coarse, fine []complex128
	memory       lineMemory
}

func newSplit(n1, n2 int) *split {
	n := n1 * n2
	f := &split{n1: n1, n2: n2, f1: newTransform(n1), f2: newTransform(n2), step: n1}
	for k := range f.step {
		f.fine = append(f.fine, root(k, n))
	}
	for k := 0; k < n; k += f.step {
		f.coarse = append(f.coarse, root(k, n))
	}
	return f
}

// bundle is how many lines are taken together.
const bundle = 8

// bundles does f for all bundles of count lines, lo..hi-1 each.
func bundles(h crew, count int, f func(lo, hi int)) {
	job := exec.JobFunc(func(_, lo, hi int) {
		for k := lo; k < hi && !interrupted(h.done); k++ {
			f(k*bundle, min((k+1)*bundle, count))
		}
	})
	if n := (count + bundle - 1) / bundle; h.pool == nil {
		job(0, 0, n)
	} else {
		h.pool.Run(n, 0, job)
	}
}

func (f *split) forward(h crew, x, y []complex128) []complex128 {
	bundles(h, f.n2, func(lo, hi int) { f.columns(x, y, lo, hi) })
	bundles(h, f.n1, func(lo, hi int) { f.rows(y, x, lo, hi) })
	return x
}

// columns transforms columns lo..hi-1 of x to those of y.
func (f *split) columns(x, y []complex128, lo, hi int) {
	memory := f.memory.get((bundle + 1) * f.n1)
	defer f.memory.put(memory)
	lines, spare := *memory, (*memory)[bundle*f.n1:]
	for j := range f.n1 {
		for c, v := range x[j*f.n2+lo : j*f.n2+hi] {
			lines[c*f.n1+j] = v
		}
	}
	var results [bundle][]complex128
	for c := range hi - lo {
		line := lines[c*f.n1:][:f.n1]
		result := f.f1.forward(crew{}, line, spare)
		if &result[0] != &line[0] {
			copy(line, result)
		}
		f.twiddle(line, lo+c)
		results[c] = line
	}
	for k := range f.n1 {
		to := y[k*f.n2+lo : k*f.n2+hi]
		for c := range to {
			to[c] = results[c][k]
		}
	}
}

// twiddle multiplies element k of a column by root k*column.
func (f *split) twiddle(line []complex128, column int) {
	at, n := 0, f.n1*f.n2
	for k, v := range line {
		line[k] = v * (f.coarse[at/f.step] * f.fine[at%f.step])
		if at += column; at >= n {
			at -= n
		}
	}
}

// rows transforms rows lo..hi-1 of y to the columns of x.
func (f *split) rows(y, x []complex128, lo, hi int) {
	memory := f.memory.get(f.n2)
	defer f.memory.put(memory)
	spare := *memory
	var results [bundle][]complex128
	for k := lo; k < hi; k++ {
		row := y[k*f.n2:][:f.n2]
		result := f.f2.forward(crew{}, row, spare)
		if &result[0] != &row[0] {
			copy(row, result)
		}
		results[k-lo] = row
	}
	for k := range f.n2 {
		to := x[k*f.n1+lo : k*f.n1+hi]
		for c := range to {
			to[c] = results[c][k]
		}
	}
}
