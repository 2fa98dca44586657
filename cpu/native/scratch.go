package native

import (
	"github.com/goxla/xla/cpu/dense"
	"github.com/goxla/xla/cpu/order"
	"github.com/goxla/xla/shape"
)

// scratch is the memory that a sort takes beside its operands and results, on machine code and so many threads. The
// zeros and NaNs that a sort of values puts aside are not counted.
func (s *sorter) scratch(threads int) int64 {
	workers := min(threads, s.count)
	if s.shared(threads) {
		workers = 1
	}
	row, group := 0, min(s.count, max(1, groupBytes/8/max(1, s.n)))
	for _, size := range s.sizes {
		row += s.n * size
	}
	bytes := 0
	if s.inner != 1 {
		bytes = 2 * group * row
	}
	switch {
	case len(s.keys) == 0:
		bytes += 2 * 4 * group * s.n
	case len(s.keys) == 1 && len(s.sizes) == 1 && s.keys[0].bits() < 32:
		bytes += s.keys[0].scratchOf(s.n, group, threads/workers)
	case len(s.keys) > 1 || len(s.sizes) > 1:
		bytes += 8 * s.n
	}
	if len(s.keys) > 1 || len(s.keys) == 1 && len(s.sizes) > 1 && s.keys[0].bits() > 32 {
		bytes += 4 * s.n
	}
	if s.picks() {
		bytes += pickScratch(s.used.Hi, s.sizes[s.keys[0].operand])
	}
	return int64(workers) * int64(bytes)
}

// pickScratch is the memory that picking the first k elements of so many bytes takes.
func pickScratch(k, size int) int {
	return (max(4*firstCandidates, collected*k)+order.Slack)*(8+4*max(4, size)) + 4*k
}

// scratch is that of a top-k.
func (s *topK) scratch(threads int) int64 {
	workers := min(threads, s.count)
	switch {
	case s.large() && s.shared(threads):
		return int64(8*s.n + 4*s.k)
	case s.large():
		return int64(workers) * int64(8*s.n+4*s.k)
	case s.shared(threads):
		workers = chunksPerThread * threads
	}
	return int64(workers) * int64(pickScratch(s.k, s.sizes[0]))
}

// choleskyScratch is that of factoring matrices of n rows, on machine code of the widest vectors.
func choleskyScratch(t shape.ElementType, n, batch int) func(threads int) int64 {
	n, size := realRows(t, n)
	l := widest(size).Layout(n, n)
	return func(threads int) int64 {
		if !t.IsComplex() && n <= smallRows {
			return 0
		}
		workers := min(threads, batch)
		if together(threads, batch, choleskyWork(n)) {
			workers = 1
		}
		return int64(workers) * int64(size) * int64(l.Size()+l.Rows+dense.Slack)
	}
}

// scratch is that of triangular solves: the coefficients of each system, or the inverses of the diagonal if it is
// complex, with the copy of the matrix that there may be on AVX2, and a panel of right sides for each thread.
func (t triangular) scratch(of shape.ElementType) func(threads int) int64 {
	n, size := realRows(of, t.N)
	l := widest(size).Layout(n, t.Sides)
	return func(threads int) int64 {
		if !of.IsComplex() && t.isSmall() {
			return 0
		}
		systems := min(threads, t.batch)
		panels := systems
		if together(threads, t.batch, t.work(n)) {
			systems, panels = 1, min(threads, l.Panels())
		}
		own, panel := l.Rows*l.Rows+l.Rows, l.Rows*l.Width
		if of.IsComplex() {
			own, panel = n, t.N*l.Width
			if t.IsCopied() {
				own += n * t.N
			}
		}
		return int64(size) * int64(systems*(own+dense.Slack)+panels*(panel+dense.Slack))
	}
}

// realRows returns the rows of the real matrix that one of n rows is done as, and the bytes of its numbers.
func realRows(t shape.ElementType, n int) (rows, size int) {
	if t.IsComplex() {
		return 2 * n, t.ByteSize() / 2
	}
	return n, t.ByteSize()
}

// widest is the steps with the largest blocks, of numbers of so many bytes.
func widest(size int) *dense.Kernels[float64] {
	return &dense.Kernels[float64]{Rows: 8, Lanes: 64 / size}
}
