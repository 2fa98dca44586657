package dense

import (
	"fmt"
	"math"
	"runtime"
	"sync"
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/exec"
)

// Triangle says how a triangular system of any form is brought to one: rows r with r L^T = row, of which there are
// Sides, where L is lower triangular with N rows. Only its triangle matters, and its diagonal if it is not of ones.
type Triangle struct {
	N, Sides        int
	Unit, Conjugate bool // the diagonal is of ones; L is the conjugate of what is read
	L, R            Stepping
}

// Stepping is where the elements of a matrix are: row i and column j at First + i*Down + j*Right.
type Stepping struct{ First, Down, Right int }

func (s Stepping) transposed() Stepping { return Stepping{s.First, s.Right, s.Down} }

// reversedRows counts the rows, of which there are n, from the last one on.
func (s Stepping) reversedRows(n int) Stepping {
	return Stepping{s.First + (n-1)*s.Down, -s.Down, s.Right}
}

func (s Stepping) reversedColumns(n int) Stepping {
	return Stepping{s.First + (n-1)*s.Right, s.Down, -s.Right}
}

// NewTriangle is for a matrix of n rows, the named triangle of which is transposed if so: left of the unknown matrix,
// or right of it.
func NewTriangle(n, sides int, left, lower, transposed bool) Triangle {
	t := Triangle{N: n, Sides: sides, L: Stepping{0, n, 1}, R: Stepping{0, n, 1}}
	if left { // a row is a column of x
		t.R = Stepping{0, 1, sides}
	}
	if transposed == left { // x m = b is m^T x^T = b^T
		t.L, lower = t.L.transposed(), !lower
	}
	if !lower { // from the last element of a row to the first
		t.L, t.R = t.L.reversedRows(n).reversedColumns(n), t.R.reversedColumns(n)
	}
	return t
}

// Triangles are the steps that solve triangular systems of complex numbers, of two parts each. They read and write
// these where they are.
type Triangles struct {
	size, lanes int // bytes of a number, and how many a vector has
	wide        int // the most vectors at once
	code        *exec.Code
	rows        [MostVectors + 1]int                   // of a block
	entries     [MostVectors + 1][triangleRows]uintptr // for half a vector, and for 1 to wide
	memory      sync.Pool                              // of *TriangleMemory
}

// newTriangleSteps returns those of a tier for numbers of two parts of so many bytes; nil: it has no machine code.
func newTriangleSteps(tier exec.Tier, part int) (*Triangles, error) {
	if tier == exec.Portable {
		return nil, nil
	}
	k := &Triangles{size: 2 * part, lanes: tier.VectorBytes() / (2 * part), wide: MostVectors}
	if tier < exec.AVX512 { // there are half as many registers
		k.wide = 2
	}
	a := &asm.Assembler{VEXOnly: tier < exec.AVX512}
	s := newTriangles(a, part)
	var at [MostVectors + 1][triangleRows]int
	for nv := range k.wide + 1 {
		s.of(tier, nv)
		k.rows[nv], at[nv] = s.rows, s.emit()
	}
	text, err := a.Finish()
	if err != nil {
		return nil, fmt.Errorf("dense: %w", err)
	}
	if k.code, err = exec.NewCode(text); err != nil {
		return nil, err
	}
	for nv := range k.wide + 1 {
		for head, place := range at[nv] {
			k.entries[nv][head] = k.code.Entry(place)
		}
	}
	return k, nil
}

// TriangleMemory is the inverses of a diagonal, numbers of right sides, and a matrix.
type TriangleMemory struct{ inverse, panel, matrix []byte }

// Borrow returns memory for systems that are solved one after the other. Give it back with Lend.
func (k *Triangles) Borrow() *TriangleMemory {
	m, _ := k.memory.Get().(*TriangleMemory)
	if m == nil {
		m = new(TriangleMemory)
	}
	return m
}

// Lend gives memory back.
func (k *Triangles) Lend(m *TriangleMemory) { k.memory.Put(m) }

// Solve solves system number i of those that are one behind the other, of matrices a and right sides b; x may be b. It
// reports false, and does nothing, if the diagonal has a number without a good inverse. With each parts of the right
// sides are done side by side.
func (k *Triangles) Solve(t *Triangle, i int, a, b, x []byte, m *TriangleMemory, each Parallel) bool {
	matrix, right := t.N*t.N*k.size, t.N*t.Sides*k.size
	a, b, x = a[i*matrix:][:matrix], b[i*right:][:right], x[i*right:][:right]
	m.inverse = atLeast(m.inverse, t.N*k.size)
	if !t.Unit && !k.invert(m.inverse, t, a) {
		return false
	}
	t, a = k.straight(t, a, m)
	width := k.wide * k.lanes
	if each == nil || t.Sides <= width {
		for first := 0; first < t.Sides; first += width {
			k.sides(t, a, b, x, first, m.inverse, m)
		}
		return true
	}
	each((t.Sides+width-1)/width, func(p int) {
		own := k.Borrow()
		defer k.Lend(own)
		k.sides(t, a, b, x, p*width, m.inverse, own)
	})
	return true
}

// IsCopied reports whether narrow panels solve a system of a copy of its matrix: this is transposed and large, and a
// line of the cache would be read for each few numbers, again and again.
func (t *Triangle) IsCopied() bool { return t.L.Right*t.L.Right != 1 && t.N >= 256 && t.Sides >= 32 }

// copiedColumns are the columns of a matrix that are copied at once.
const copiedColumns = 32

// straight returns the system of a copy of a, in the memory of m, if panels are narrow and it is better.
func (k *Triangles) straight(t *Triangle, a []byte, m *TriangleMemory) (*Triangle, []byte) {
	if k.wide == MostVectors || !t.IsCopied() {
		return t, a
	}
	m.matrix = atLeast(m.matrix, t.N*t.N*k.size)
	c := *t
	c.L = Stepping{0, t.N, 1}
	for j := 0; j < t.N; j += copiedColumns { // few enough pages to read from, and the triangle only
		from := Stepping{t.L.First + j*(t.L.Down+t.L.Right), t.L.Down, t.L.Right}
		k.move(m.matrix, Stepping{j*t.N + j, t.N, 1}, a, from, t.N-j, min(copiedColumns, t.N-j))
	}
	return &c, m.matrix
}

// atLeast returns n bytes of unknown content, in the memory of v if it has so many.
func atLeast(v []byte, n int) []byte {
	if len(v) < n {
		words := Aligned(make([]float64, n/8+1+Slack), n/8+1)
		v = unsafe.Slice((*byte)(pointer(words)), n)
	}
	return v
}

// invert sets to the inverses of the diagonal, and reports whether they are good.
func (k *Triangles) invert(to []byte, t *Triangle, a []byte) bool {
	if k.size == 8 {
		return inverses(numbersAs[float32](to), t, numbersAs[float32](a))
	}
	return inverses(numbersAs[float64](to), t, numbersAs[float64](a))
}

func inverses[T Float](to []T, t *Triangle, a []T) bool {
	for i := range t.N {
		at := 2 * (t.L.First + i*(t.L.Down+t.L.Right))
		x, y := float64(a[at]), float64(a[at+1])
		if !Invertible[T](max(math.Abs(x), math.Abs(y))) {
			return false
		}
		if !t.Conjugate {
			y = -y
		}
		square := float64(x*x) + float64(y*y)
		to[2*i], to[2*i+1] = T(x/square), T(y/square)
	}
	return true
}

// Invertible reports whether x is far from where its inverse, or the square, is not a normal number.
func Invertible[T Float](x float64) bool {
	limit := 0x1p-60
	var zero T
	if unsafe.Sizeof(zero) == 8 {
		limit = 0x1p-500
	}
	return x > limit && x < 1/limit
}

// sides solves for as many right sides from first on as go at once.
func (k *Triangles) sides(t *Triangle, a, b, x []byte, first int, inverse []byte, m *TriangleMemory) {
	count := min(k.wide*k.lanes, t.Sides-first)
	for count > 0 {
		part := count
		if rest := count % k.lanes; rest < count && k.inPlace(t) {
			part -= rest
		}
		k.some(t, a, b, x, first, part, inverse, m)
		first, count = first+part, count-part
	}
}

// some solves for count right sides. Those that fill vectors are read and written where they are, others in the memory
// of m.
func (k *Triangles) some(t *Triangle, a, b, x []byte, first, count int, inverse []byte, m *TriangleMemory) {
	nv, width := (count+k.lanes-1)/k.lanes, up(count, k.lanes)
	if 2*count <= k.lanes {
		nv, width = 0, k.lanes/2
	}
	args := triangleArgs{a: unsafe.Pointer(&a[t.L.First*k.size]), rowA: t.L.Down * k.size, colA: t.L.Right * k.size,
		inverse: unsafe.Pointer(&inverse[0])}
	if t.Conjugate {
		args.conjugate = 1
	}
	if t.Unit {
		args.isOne = 1
	}
	from := Stepping{t.R.First + first*t.R.Down, t.R.Down, t.R.Right}
	if width == count && k.inPlace(t) {
		args.in, args.b = unsafe.Pointer(&b[from.First*k.size]), unsafe.Pointer(&x[from.First*k.size])
		args.rowIn, args.rowB = t.R.Right*k.size, t.R.Right*k.size
		k.run(&args, nv, t.N)
		return
	}
	m.panel = atLeast(m.panel, t.N*width*k.size)
	p := m.panel[:t.N*width*k.size]
	if width > count {
		clear(p)
	}
	args.in, args.b, args.rowIn, args.rowB = unsafe.Pointer(&p[0]), unsafe.Pointer(&p[0]), width*k.size, width*k.size
	panel := Stepping{0, 1, width}
	k.move(p, panel, b, from, count, t.N)
	k.run(&args, nv, t.N)
	k.move(x, from, p, panel, count, t.N)
}

// move copies so many rows of n columns.
func (k *Triangles) move(to []byte, put Stepping, from []byte, get Stepping, rows, n int) {
	if k.size == 8 {
		moveRows(numbersAs[uint64](to), put, numbersAs[uint64](from), get, rows, n)
	} else {
		moveRows(numbersAs[[2]uint64](to), put, numbersAs[[2]uint64](from), get, rows, n)
	}
}

// inPlace reports whether rows of right sides that are one behind the other in memory are best used where they are.
// Rows that are a multiple of a page apart meet in few places of a cache. Panels of three vectors go through the rows
// so seldom that a copy takes longer than what it saves.
func (k *Triangles) inPlace(t *Triangle) bool {
	apart := t.R.Right * k.size
	return t.R.Down == 1 && (k.wide == MostVectors || t.N <= 512<<10/min(apart&-apart, 4096))
}

// numbersAs is v as numbers.
func numbersAs[E any](v []byte) []E {
	var e E
	return unsafe.Slice((*E)(unsafe.Pointer(unsafe.SliceData(v))), len(v)/int(unsafe.Sizeof(e)))
}

// moveRows is move, four rows at a time.
func moveRows[E any](to []E, put Stepping, from []E, get Stepping, rows, n int) {
	r := 0
	if put.Down == 1 && get.Down == 1 && rows >= 4 {
		for i, at := put.First, get.First; r < n; r++ {
			copy(to[i:i+rows], from[at:at+rows])
			i, at = i+put.Right, at+get.Right
		}
		return
	}
	for ; r+4 <= rows; r += 4 {
		i, at := put.First+r*put.Down, get.First+r*get.Down
		for range n {
			to[i], to[i+put.Down] = from[at], from[at+get.Down]
			to[i+2*put.Down], to[i+3*put.Down] = from[at+2*get.Down], from[at+3*get.Down]
			i, at = i+put.Right, at+get.Right
		}
	}
	for ; r < rows; r++ {
		i, at := put.First+r*put.Down, get.First+r*get.Down
		for range n {
			to[i] = from[at]
			i, at = i+put.Right, at+get.Right
		}
	}
}

// run solves for all rows, of which those come first that are no whole block; a call is not too long.
func (k *Triangles) run(args *triangleArgs, nv, n int) {
	rows := k.rows[nv]
	head, blocks := n%rows, n/rows
	for head > 0 || blocks > 0 {
		deepest := args.depth + head + blocks*rows
		args.blocks = min(blocks, max(1, callWork/(2*rows*max(nv, 1)*deepest)))
		exec.Call(k.entries[nv][head], unsafe.Pointer(args))
		done := head + args.blocks*rows
		if blocks -= args.blocks; blocks == 0 {
			break
		}
		head, args.depth = 0, args.depth+done
		args.a, args.in = unsafe.Add(args.a, done*args.rowA), unsafe.Add(args.in, done*args.rowIn)
		args.inverse = unsafe.Add(args.inverse, done*k.size)
	}
	runtime.KeepAlive(k)
}
