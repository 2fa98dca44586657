package native

import (
	"slices"
	"sync/atomic"

	"github.com/goxla/xla/cpu/elem"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/tile"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// scan runs a computation on one row of the inputs after the other, with the carries that it gave for the row before.
// The computation is element-wise, so each thread goes through all rows with elements of its own.
type scan struct {
	program         *tile.Program
	params          []int // by buffer that is read
	paramSizes      []int // bytes of an element of each parameter
	resultSizes     []int
	inputs, outputs int // the others are carries
	length, row     int // rows, and elements of one
	outer           int // pieces that a row lies in
	reverse         bool
}

// newScan makes the function of a scan. Spec: OPS.md section 4, Scan.
func newScan(i *hlo.Instruction) Func {
	a := i.Attrs().(*op.ScanAttrs)
	s := &scan{inputs: len(i.Operands()) - a.NumCarries, reverse: a.IsReverse}
	body := i.Called()[0]
	if s.inputs < 1 || len(body.Params()) != len(i.Operands()) {
		return nil
	}
	d, dims := a.Dimensions[0], i.Operand(0).Shape().Dims
	l := linesOf(dims, d)
	s.length, s.row, s.outer = l.n, l.count, max(1, l.count/max(l.inner, 1))
	if s.row == 0 || s.length == 0 || !s.compile(body, slices.Delete(slices.Clone(dims), d, d+1)) {
		return nil
	}
	s.outputs = len(s.resultSizes) - a.NumCarries
	return s.run
}

// compile makes the program of the computation on rows of the given dimensions; false if it is not element-wise.
func (s *scan) compile(c *hlo.Computation, dims []int) bool {
	row := shape.Make(shape.Pred, dims...)
	for _, p := range c.Params() {
		if p == nil || !p.Shape().IsArray() || !p.Shape().SameDims(row) {
			return false
		}
		s.paramSizes = append(s.paramSizes, p.Shape().Type.ByteSize())
	}
	b, ok := loop.NewBuilder(c.Name()), true
	b.Each(loop.Spec{Extent: int64(s.row), Lanes: true, Parallel: true}, func(v int) {
		at, values := []loop.Term{{Var: v, Stride: 1}}, make([]elem.Value, c.NumIDs())
		for _, i := range c.PostOrder() {
			if i == c.Root() && i.Code() == op.Tuple {
				continue
			}
			if ok = ok && isRow(i, row); !ok {
				return
			}
			if i.Code() == op.Parameter {
				k := i.Attrs().(*op.ParameterAttrs).Number
				s.params = append(s.params, k)
				buf := b.Buffer(loop.Buffer{Name: i.Name(), Bytes: int64(s.row * s.paramSizes[k])})
				values[i.ID()] = elem.Load(b, i.Shape().Type, elem.Address{Buffer: buf, Terms: at}, 0)
				continue
			}
			values[i.ID()], ok = elementStep(b, i, values)
		}
		if ok {
			s.results(b, c, values, at)
		}
	})
	if !ok {
		return false
	}
	var err error
	s.program, err = tile.Compile(b.Nest())
	return err == nil
}

// isRow reports whether i is a row whose elements come from the same elements of its operands, or from scalars.
func isRow(i *hlo.Instruction, row shape.Shape) bool {
	s := i.Shape()
	switch i.Code() {
	case op.Constant:
		return s.IsScalar()
	case op.Broadcast:
		return i.Operand(0).Shape().IsScalar() && s.SameDims(row)
	case op.Reshape, op.Transpose:
		return s.IsScalar()
	}
	return s.IsArray() && (s.IsScalar() || s.SameDims(row))
}

// results adds the buffers of the results.
func (s *scan) results(b *loop.Builder, c *hlo.Computation, values []elem.Value, at []loop.Term) {
	roots := []*hlo.Instruction{c.Root()}
	if c.Root().Code() == op.Tuple {
		roots = c.Root().Operands()
	}
	for _, r := range roots {
		size := r.Shape().Type.ByteSize()
		s.resultSizes = append(s.resultSizes, size)
		buf := b.Buffer(loop.Buffer{Name: r.Name(), Bytes: int64(s.row * size), Write: true})
		elem.Store(b, values[r.ID()], elem.Address{Buffer: buf, Terms: at}, 0)
	}
}

// scanGrain is the least number of elements of a row that are given to a thread.
const scanGrain = tile.Width

func (s *scan) run(pool *exec.Pool, in, out [][]byte) error {
	old, next := s.memory(in)
	var failure atomic.Pointer[error]
	part := func(lo, hi int) {
		if err := s.part(in, out, old, next, int64(lo), int64(hi)); err != nil {
			failure.CompareAndSwap(nil, &err)
		}
	}
	if s.outer > 1 { // rows are copied as a whole
		part(0, s.row)
	} else {
		pool.Run(s.row, max(scanGrain, s.row/(4*pool.Threads())), exec.JobFunc(func(_, lo, hi int) { part(lo, hi) }))
	}
	if err := failure.Load(); err != nil {
		return *err
	}
	if s.length%2 == 1 {
		old = next
	}
	for k := s.outputs; k < len(out); k++ {
		copy(out[k], old[k-s.outputs])
	}
	return nil
}

// memory returns room for the carries of a step, which are those given, and of the step behind it.
func (s *scan) memory(in [][]byte) (old, next [][]byte) {
	for k, size := range s.paramSizes[s.inputs:] {
		words := make([]uint64, 2*((s.row*size+7)/8))
		old = append(old, part[byte](words, s.row*size))
		next = append(next, part[byte](words[len(words)/2:], s.row*size))
		copy(old[k], in[s.inputs+k])
	}
	return old, next
}

// part goes through all rows with elements lo..hi-1 of each.
func (s *scan) part(in, out, old, next [][]byte, lo, hi int64) error {
	rows := s.rowMemory()
	for step := range s.length {
		i := step
		if s.reverse {
			i = s.length - 1 - step
		}
		bufs := make([][]byte, 0, len(s.params)+len(s.resultSizes))
		for n, k := range s.params {
			if k >= s.inputs {
				bufs = append(bufs, old[k-s.inputs])
				continue
			}
			row := s.place(in[k], rows[n], i, s.paramSizes[k])
			if s.outer > 1 {
				s.pieces(in[k], i, s.paramSizes[k], func(piece []byte, at int) { copy(row[at:], piece) })
			}
			bufs = append(bufs, row)
		}
		for k, size := range s.resultSizes[:s.outputs] {
			bufs = append(bufs, s.place(out[k], rows[len(s.params)+k], i, size))
		}
		bufs = append(bufs, next...)
		if err := s.program.Run(bufs, lo, hi); err != nil {
			return err
		}
		for k, size := range s.resultSizes[:s.outputs] {
			if row := bufs[len(s.params)+k]; s.outer > 1 {
				s.pieces(out[k], i, size, func(piece []byte, at int) { copy(piece, row[at:]) })
			}
		}
		old, next = next, old
	}
	return nil
}

// rowMemory returns room for rows that do not lie in one piece, by buffer.
func (s *scan) rowMemory() [][]byte {
	rows := make([][]byte, len(s.params)+len(s.resultSizes))
	if s.outer > 1 {
		for n := range rows {
			rows[n] = part[byte](make([]uint64, s.row*complexSize/8), s.row*complexSize)
		}
	}
	return rows
}

// place returns where row i of array is worked on: in the array, or else in memory.
func (s *scan) place(array, memory []byte, i, size int) []byte {
	if s.outer > 1 {
		return memory[:s.row*size]
	}
	return array[i*s.row*size:][:s.row*size]
}

// pieces calls f for the pieces of row i of array, with where in the row each begins.
func (s *scan) pieces(array []byte, i, size int, f func(piece []byte, at int)) {
	n := s.row / s.outer * size
	for k := range s.outer {
		f(array[(k*s.length+i)*n:][:n], k*n)
	}
}
