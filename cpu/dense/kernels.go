package dense

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/exec"
)

// Float is the type of the numbers.
type Float interface{ float32 | float64 }

// MostVectors is the width of a panel.
const MostVectors = 3

// Kernels are the two steps for a type of numbers. They are not changed by use.
type Kernels[T Float] struct {
	// Rows is how many rows a step has, Lanes how many numbers a vector. Rows divides Lanes.
	Rows, Lanes int
	code        *exec.Code // nil: in Go
	subtract    [MostVectors + 1]uintptr
	solve       [MostVectors + 1]uintptr
	// Steps on rows: combinations and rotations by the vectors of a row.
	combines [group + 1]uintptr
	turns    [rotated + 1]uintptr
	updates  uintptr
	threes   uintptr
}

// InGo returns the steps in Go, for matrices of any sizes: nothing is rounded up.
func InGo[T Float]() *Kernels[T] { return &Kernels[T]{Rows: 1, Lanes: 1} }

// New returns the steps as machine code of a tier; where that is the portable one, or the system refuses memory for
// code, they are in Go.
func New[T Float](tier exec.Tier) (*Kernels[T], error) {
	if tier == exec.Portable {
		return &Kernels[T]{Rows: 4, Lanes: 4}, nil
	}
	var zero T
	s := newStep(tier, int(unsafe.Sizeof(zero)))
	a := &asm.Assembler{VEXOnly: tier < exec.AVX512}
	var at [2][MostVectors + 1]int
	for solves := range at {
		for nv := 1; nv <= MostVectors; nv++ {
			a.Align(align)
			at[solves][nv] = a.Len()
			s.Assembler, s.nv, s.solves = a, nv, solves == 1
			s.emit()
		}
	}
	rows := s.emitRows()
	text, err := a.Finish()
	if err != nil {
		return nil, fmt.Errorf("dense: %w", err)
	}
	code, err := exec.NewCode(text)
	if err != nil {
		return nil, err
	}
	k := &Kernels[T]{Rows: s.mr, Lanes: s.vector / s.size, code: code, updates: code.Entry(rows.update),
		threes: code.Entry(rows.three)}
	for nv := 1; nv <= MostVectors; nv++ {
		k.subtract[nv], k.solve[nv] = code.Entry(at[0][nv]), code.Entry(at[1][nv])
	}
	for nv := range rows.combines {
		k.combines[nv] = code.Entry(rows.combines[nv])
	}
	for nv := range rows.turns {
		k.turns[nv] = code.Entry(rows.turns[nv])
	}
	return k, nil
}

// align is that of machine code and of memory.
const align = 64

// Step is Steps times Rows rows of C, Vectors wide, of which A times B is subtracted. Distances count numbers.
type Step[T Float] struct {
	// A has row r of step s at depth d at s*StepA + d*DepthA + r.
	A             []T
	DepthA, StepA int
	// B has depth d from d*RowB on, C row i from i*RowC on.
	B, C                  []T
	RowB, RowC            int
	Vectors, Steps, Depth int
	// Inverse has, for Solve, the inverse of the diagonal for each row.
	Inverse []T
}

// Subtract sets C to C - A B.
func (k *Kernels[T]) Subtract(s Step[T]) { k.run(&k.subtract, s, false) }

// Solve does steps one after the other: from a block of C A B is subtracted, and the block becomes the solution of
// L X = C, where L is lower triangular; A goes on with its columns, behind the depth. For the next step the depth is
// larger by the rows of this one, of which C is a part of B then.
func (k *Kernels[T]) Solve(s Step[T]) { k.run(&k.solve, s, true) }

// callWork is how many multiplications, of vectors, a call of machine code may have: some 50 microseconds.
const callWork = 1 << 18

func (k *Kernels[T]) run(entry *[MostVectors + 1]uintptr, s Step[T], solves bool) {
	if s.Steps == 0 {
		return
	}
	s.check(k.Rows, k.Lanes, solves)
	if k.code == nil {
		k.inGo(s, solves)
		return
	}
	for s.Steps > 0 {
		deepest := s.Depth
		if solves {
			deepest += s.Steps * k.Rows
		}
		n := min(s.Steps, max(1, callWork/(k.Rows*s.Vectors*(deepest+k.Rows))))
		part := s
		part.Steps = n
		k.call(entry[s.Vectors], k.shallow(part))
		if s.Steps -= n; s.Steps == 0 {
			break
		}
		s.A, s.C = s.A[n*s.StepA:], s.C[n*k.Rows*s.RowC:]
		if solves {
			s.Inverse, s.Depth = s.Inverse[n*k.Rows:], s.Depth+n*k.Rows
		}
	}
}

// shallow subtracts the products of the first depths of s until what is left is not too much for a call, and returns
// that. Only a single step is so deep; each number of C is subtracted from in the same order.
func (k *Kernels[T]) shallow(s Step[T]) Step[T] {
	most := callWork / (k.Rows * s.Vectors)
	for s.Depth > most {
		first := s
		first.Depth = most
		k.call(k.subtract[s.Vectors], first)
		s.A, s.B, s.Depth = s.A[most*s.DepthA:], s.B[most*s.RowB:], s.Depth-most
	}
	return s
}

// call runs machine code.
func (k *Kernels[T]) call(entry uintptr, s Step[T]) {
	var zero T
	size := int(unsafe.Sizeof(zero))
	args := stepArgs{depth: s.Depth, steps: s.Steps, a: pointer(s.A), b: pointer(s.B), c: pointer(s.C),
		inverse: pointer(s.Inverse), depthA: s.DepthA * size, stepA: s.StepA * size, rowB: s.RowB * size,
		rowC: s.RowC * size}
	exec.Call(entry, unsafe.Pointer(&args))
	runtime.KeepAlive(k)
}

func pointer[T any](s []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s)) }

// check panics if a step would leave its slices: machine code has no bounds.
func (s *Step[T]) check(rows, lanes int, solves bool) {
	width, depth := s.Vectors*lanes, s.Depth
	if solves {
		depth += s.Steps * rows
		_ = s.Inverse[:s.Steps*rows]
	}
	if depth > 0 {
		_ = s.A[:(s.Steps-1)*s.StepA+(depth-1)*s.DepthA+rows]
	}
	if s.Depth > 0 {
		_ = s.B[:(s.Depth-1)*s.RowB+width]
	}
	_ = s.C[:(s.Steps*rows-1)*s.RowC+width]
}

// inGo does what the machine code does, with one rounding more for each product.
func (k *Kernels[T]) inGo(s Step[T], solves bool) {
	width := s.Vectors * k.Lanes
	for step := range s.Steps {
		a, depth := s.A[step*s.StepA:], s.Depth
		if solves {
			depth += step * k.Rows
		}
		for i := range k.Rows {
			row := s.C[(step*k.Rows+i)*s.RowC:][:width]
			for d := range depth {
				subtractRow(row, a[d*s.DepthA+i], s.B[d*s.RowB:])
			}
		}
		if solves {
			k.triangle(s.C[step*k.Rows*s.RowC:], s.RowC, width, a[depth*s.DepthA:], s.DepthA, s.Inverse[step*k.Rows:])
		}
	}
}

// triangle solves L X = C for a block.
func (k *Kernels[T]) triangle(c []T, rowC, width int, l []T, depthL int, inverse []T) {
	for i := range k.Rows {
		row := c[i*rowC:][:width]
		for j := range row {
			row[j] *= inverse[i]
		}
		for r := i + 1; r < k.Rows; r++ {
			subtractRow(c[r*rowC:][:width], l[i*depthL+r], row)
		}
	}
}

func subtractRow[T Float](row []T, x T, other []T) {
	for j, y := range other[:len(row)] {
		row[j] -= T(x * y)
	}
}
