package dense

import (
	"runtime"
	"unsafe"

	"github.com/goxla/xla/cpu/exec"
)

// This file has steps on the rows of matrices: a combination of rows, products of rows with a vector together with an
// update of rank 2, and rotations of neighbours. They are what reductions to matrices of few diagonals are made of.

// Sheet is a matrix row by row. Rows are whole vectors and as many as blocks of registers have: what is added is zero.
type Sheet[T Float] struct {
	Rows, Cols int // Cols is also how far rows are apart
	At         []T
}

// Memory returns so many zeros.
type Memory[T Float] func(n int) []T

func (m Memory[T]) aligned(n int) []T { return Aligned(m(n+Slack), n) }

// Sheet returns a matrix of zeros.
func (k *Kernels[T]) Sheet(from Memory[T], rows, cols int) Sheet[T] {
	var zero T
	s := Sheet[T]{Rows: up(rows, k.Rows), Cols: up(cols, k.Lanes)}
	if s.Cols*int(unsafe.Sizeof(zero))%1024 == 0 { // rows one below the other would meet in the cache
		s.Cols += k.Lanes
	}
	s.At = from.aligned(s.Rows * s.Cols)
	return s
}

// Row returns row i.
func (s Sheet[T]) Row(i int) []T { return s.At[i*s.Cols:][:s.Cols:s.Cols] }

// Vector returns zeros for the rows, or for the columns, of sheets.
func (k *Kernels[T]) Vector(from Memory[T], n int) []T {
	return from.aligned(max(up(n, k.Rows), up(n, k.Lanes)+k.Lanes))
}

const (
	// group is the vectors of rows that are combined at once, rotated those that are rotated at once.
	group   = 4
	rotated = 8
	// nearBytes is what of all rows is rotated at once, to stay in the first cache for all sweeps.
	nearBytes = 24 << 10
	// updated is the rows of an update in a call.
	updated = 32
	// sidewise is the numbers of a matrix from which on several threads work on it.
	sidewise = 1 << 16
)

// rowsArgs is the argument block of the kernels; distances are bytes.
type rowsArgs struct {
	count         int // rows, of an update blocks of rows, or rotations
	at            unsafe.Pointer
	row, width    int            // distance of rows, and their bytes
	left, out     unsafe.Pointer // factors of rows; what is made of the rows
	side          unsafe.Pointer // other factors of rows
	above, beside unsafe.Pointer // what the factors are of
	along         unsafe.Pointer // what rows are multiplied with
}

const (
	argCount = 8 * iota
	argAt
	argRow
	argWidth
	argLeft
	argOut
	argSide
	argAbove
	argBeside
	argAlong
)

// Combine sets w to the sum of the rows of s, each times its number of v, from a row and a column on. In front of those
// v is zero, and numbers of w become anything for less than a vector.
func (k *Kernels[T]) Combine(s Sheet[T], row, col int, v, w []T, each Parallel) bool {
	row, col = row/2*2, col/k.Lanes*k.Lanes
	v, w = v[:s.Rows], w[:s.Cols]
	clear(w[col:])
	if (s.Rows-row)*(s.Cols-col) >= sidewise {
		return k.combineSidewise(s, row, col, v, w, each)
	}
	for at := col; at < s.Cols; at += group * k.Lanes {
		k.combine(s, row, at, v, w)
	}
	return each(0, nil)
}

func (k *Kernels[T]) combineSidewise(s Sheet[T], row, col int, v, w []T, each Parallel) bool {
	part := group * k.Lanes
	return each((s.Cols-col+part-1)/part, func(n int) { k.combine(s, row, col+n*part, v, w) })
}

// combine adds rows to a group of vectors of w.
func (k *Kernels[T]) combine(s Sheet[T], row, at int, v, w []T) {
	nv := min(group, (s.Cols-at)/k.Lanes)
	w = w[at:][:nv*k.Lanes]
	if k.code == nil {
		for i := row; i < s.Rows; i++ {
			x := v[i]
			for j, a := range s.Row(i)[at:][:len(w)] {
				w[j] += T(x * a)
			}
		}
		return
	}
	const most = callWork / group
	for ; row < s.Rows; row += most {
		args := rowsArgs{count: min(most, s.Rows-row), at: pointer(s.At[row*s.Cols+at:]), row: s.Cols * k.size(),
			left: pointer(v[row:]), out: pointer(w)}
		exec.Call(k.combines[nv], unsafe.Pointer(&args))
	}
	runtime.KeepAlive(k)
}

// Change is an update: from each row of a matrix A times B and C times D are subtracted, where A and C have a number
// for each row and B and D one for each column. Then X becomes the products of the rows with U.
type Change[T Float] struct{ A, B, C, D, U, X []T }

// Update does c for s from a row and a column on. In front of those all vectors of c are zero, but X.
func (k *Kernels[T]) Update(s Sheet[T], row, col int, c Change[T], each Parallel) bool {
	row, col = row/k.Rows*k.Rows, col/k.Lanes*k.Lanes
	_, _, _ = c.A[:s.Rows], c.C[:s.Rows], c.X[:s.Rows]
	_, _, _ = c.B[:s.Cols], c.D[:s.Cols], c.U[:s.Cols]
	if (s.Rows-row)*(s.Cols-col) >= sidewise {
		return k.updateSidewise(s, row, col, c, each)
	}
	for at := row; at < s.Rows; at += updated {
		k.update(s, at, col, &c)
	}
	return each(0, nil)
}

func (k *Kernels[T]) updateSidewise(s Sheet[T], row, col int, c Change[T], each Parallel) bool {
	return each((s.Rows-row+updated-1)/updated, func(n int) { k.update(s, row+n*updated, col, &c) })
}

// update is Update for some rows.
func (k *Kernels[T]) update(s Sheet[T], row, col int, c *Change[T]) {
	count := min(updated, s.Rows-row)
	if k.code == nil {
		for i := row; i < row+count; i++ {
			v, f, g, sum := s.Row(i), c.A[i], c.C[i], T(0)
			b, d, u := c.B[:len(v)], c.D[:len(v)], c.U[:len(v)]
			for j := col; j < len(v); j++ {
				x := v[j] - T(f*b[j]) - T(g*d[j])
				v[j] = x
				sum += T(x * u[j])
			}
			c.X[i] = sum
		}
		return
	}
	args := rowsArgs{count: count / k.Rows, at: pointer(s.At[row*s.Cols+col:]), row: s.Cols * k.size(),
		width: (s.Cols - col) * k.size(), left: pointer(c.A[row:]), side: pointer(c.C[row:]), above: pointer(c.B[col:]),
		beside: pointer(c.D[col:]), along: pointer(c.U[col:]), out: pointer(c.X[row:])}
	exec.Call(k.updates, unsafe.Pointer(&args))
	runtime.KeepAlive(k)
}

// Sweep is rotations of neighbouring rows: of a row and the next one, then of that and the one behind, and so on; or,
// falling, of a row and the one in front, and so on. Rotation n is of the numbers c and s at 2n of Turns: what was
// done first, x, and the other row, y, become c x + s y and c y - s x.
type Sweep[T Float] struct {
	First   int // the row that is rotated first
	Falling bool
	Turns   []T
}

// Rotate does sweeps, one after the other. Machine code takes denormal numbers for zeros: rotations of the identity
// make many, which are nothing beside the others of their row.
func (k *Kernels[T]) Rotate(m Sheet[T], sweeps []Sweep[T], each Parallel) bool {
	total, most := 0, 1
	for _, s := range sweeps {
		total += len(s.Turns) / 2
		most = max(most, 1+len(s.Turns)/2)
		last := s.First + len(s.Turns)/2
		if s.Falling {
			last = s.First - len(s.Turns)/2
		}
		_, _ = m.Row(s.First), m.Row(last)
	}
	part := k.Lanes * min(rotated, max(2, nearBytes/(most*k.Lanes*k.size())))
	if total*m.Cols >= sidewise {
		return each((m.Cols+part-1)/part, func(n int) { k.turnAll(m, sweeps, n*part, part) })
	}
	for at := 0; at < m.Cols; at += part {
		k.turnAll(m, sweeps, at, part)
	}
	return each(0, nil)
}

func (k *Kernels[T]) turnAll(m Sheet[T], sweeps []Sweep[T], at, part int) {
	for _, s := range sweeps {
		if len(s.Turns) > 0 {
			k.turn(m, s, at, part)
		}
	}
}

// turn does a sweep on some vectors of the rows.
func (k *Kernels[T]) turn(m Sheet[T], s Sweep[T], at, part int) {
	nv := min(part, m.Cols-at) / k.Lanes
	step := m.Cols
	if s.Falling {
		step = -step
	}
	at += s.First * m.Cols
	if k.code == nil {
		for n := 0; n < len(s.Turns); n += 2 {
			c, f := s.Turns[n], s.Turns[n+1]
			x, y := m.At[at:][:nv*k.Lanes], m.At[at+step:][:nv*k.Lanes]
			for i, a := range x {
				b := y[i]
				x[i], y[i] = T(c*a)+T(f*b), T(c*b)-T(f*a)
			}
			at += step
		}
		return
	}
	args := rowsArgs{count: len(s.Turns) / 2, at: pointer(m.At[at:]), row: step * k.size(), left: pointer(s.Turns)}
	exec.FlushDenormals.Call(k.turns[nv], unsafe.Pointer(&args))
	runtime.KeepAlive(k)
}

// Three is a reflector of three numbers: 1, A and B; T, U and V are what it is multiplied by times each.
type Three[T Float] struct{ A, B, T, U, V T }

// ReflectThree replaces rows row to row+2 of m, columns first up to end, by their reflections.
func (k *Kernels[T]) ReflectThree(m Sheet[T], row, first, end int, by *Three[T]) {
	_ = m.Row(row + 2)[first:end]
	at, n := row*m.Cols+first, end-first
	if vectors := n / k.Lanes; k.code != nil && vectors > 0 {
		args := rowsArgs{count: vectors, at: pointer(m.At[at:]), row: m.Cols * k.size(), left: unsafe.Pointer(by)}
		exec.Call(k.threes, unsafe.Pointer(&args))
		runtime.KeepAlive(k)
		runtime.KeepAlive(by)
		at, n = at+vectors*k.Lanes, n-vectors*k.Lanes
	}
	x, y, z := m.At[at:][:n], m.At[at+m.Cols:][:n], m.At[at+2*m.Cols:][:n]
	for j, p := range x {
		q, o := y[j], z[j]
		s := p + T(by.A*q) + T(by.B*o)
		x[j], y[j], z[j] = p-T(s*by.T), q-T(s*by.U), o-T(s*by.V)
	}
}

// size is the bytes of a number.
func (k *Kernels[T]) size() int {
	var zero T
	return int(unsafe.Sizeof(zero))
}
