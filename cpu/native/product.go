package native

import (
	"slices"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// number is what products are summed in: float32 for results of f32, float64 for other floats, of which each is rounded
// once, int64 for integers, which wrap.
type number interface{ float32 | float64 | int64 }

// numbers is how the elements of a type are read and written as numbers.
type numbers[T number] struct {
	read  func(l literal.Literal) []T
	write func(l literal.Literal, at int, v T)
}

var (
	f32Numbers = numbers[float32]{readFloat32s, func(l literal.Literal, at int, v float32) {
		view[float32](l.Bytes())[at] = v
	}}
	floatNumbers = numbers[float64]{readFloat64s, literal.Literal.SetFloat}
	intNumbers   = numbers[int64]{readInts, func(l literal.Literal, at int, v int64) { l.SetBits(at, uint64(v)) }}
)

func readFloat64s(l literal.Literal) []float64 {
	v := make([]float64, l.Len())
	if l.Type().IsFloat() {
		literal.ToFloat64s(v, l)
		return v
	}
	for i := range v {
		v[i] = l.FloatAt(i)
	}
	return v
}

func readFloat32s(l literal.Literal) []float32 {
	v := make([]float32, l.Len())
	for i, x := range readFloat64s(l) {
		v[i] = float32(x)
	}
	return v
}

func readInts(l literal.Literal) []int64 {
	v := make([]int64, l.Len())
	for i := range v {
		v[i] = l.IntAt(i)
	}
	return v
}

// matrices is a batch of matrices in row-major order.
type matrices[T number] struct {
	data               []T
	batch, rows, depth int
}

// newMatrices brings elements of the given dimensions to the order [batch, rows, depth], each of which is a list of
// dimensions.
func newMatrices[T number](v []T, dims []int, batch, rows, depth []int) matrices[T] {
	m := matrices[T]{batch: product(dims, batch), rows: product(dims, rows), depth: product(dims, depth)}
	m.data = arranged(v, dims, slices.Concat(batch, rows, depth))
	return m
}

// product is the number of elements of the listed dimensions.
func product(dims, list []int) int {
	n := 1
	for _, d := range list {
		n *= dims[d]
	}
	return n
}

// arranged returns the elements v, of the given dimensions, with the dimensions in another order.
func arranged[T number](v []T, dims, order []int) []T {
	out := make([]T, 0, len(v))
	if len(v) == 0 || len(order) == 0 {
		return append(out, v...)
	}
	all := shape.RowMajorStrides(dims)
	sizes, strides := make([]int, len(order)), make([]int, len(order))
	for i, d := range order {
		sizes[i], strides[i] = dims[d], all[d]
	}
	last := len(order) - 1
	index, n, step := make([]int, last), sizes[last], strides[last]
	for at, more := 0, true; more; at, more = shape.NextOffset(index, sizes[:last], strides[:last], at) {
		for k := range n {
			out = append(out, v[at+k*step])
		}
	}
	return out
}

// remaining returns the dimensions below rank that are in none of the lists.
func remaining(rank int, lists ...[]int) (dims []int) {
	for d := range rank {
		if !slices.ContainsFunc(lists, func(l []int) bool { return slices.Contains(l, d) }) {
			dims = append(dims, d)
		}
	}
	return dims
}

// rowProducts gives set the sums of products of row with n rows of columns that are as long. Four are computed side
// by side; each is summed in the order of row.
func rowProducts[T number](row, columns []T, n int, set func(j int, v T)) {
	depth, j := len(row), 0
	for ; j+4 <= n; j += 4 {
		a, b := columns[j*depth:][:depth], columns[(j+1)*depth:][:depth]
		c, d := columns[(j+2)*depth:][:depth], columns[(j+3)*depth:][:depth]
		var s, t, u, w T
		for k, v := range row {
			s, t, u, w = s+T(v*a[k]), t+T(v*b[k]), u+T(v*c[k]), w+T(v*d[k])
		}
		set(j, s)
		set(j+1, t)
		set(j+2, u)
		set(j+3, w)
	}
	for ; j < n; j++ {
		var sum T
		for k, v := range columns[j*depth:][:depth] {
			sum += T(row[k] * v)
		}
		set(j, sum)
	}
}

// multiply sets dst, [batch, x.rows, y.rows] from element at on, to the products of x and y transposed.
func multiply[T number](pool *exec.Pool, to numbers[T], dst literal.Literal, at int, x, y matrices[T]) {
	rowsOf(pool, x.batch*x.rows, func(lo, hi int) {
		for r := lo; r < hi; r++ {
			columns := y.data[r/x.rows*y.rows*y.depth:]
			rowProducts(x.data[r*x.depth:][:x.depth], columns, y.rows, func(j int, v T) {
				to.write(dst, at+r*y.rows+j, v)
			})
		}
	})
}

// dotDims are the dimensions of an operand of a dot by what they are.
type dotDims struct{ batch, free, contracting []int }

func lhsDims(rank int, a *op.DotAttrs) dotDims {
	return dotDims{a.LHSBatch, remaining(rank, a.LHSBatch, a.LHSContracting), a.LHSContracting}
}

func rhsDims(rank int, a *op.DotAttrs) dotDims {
	return dotDims{a.RHSBatch, remaining(rank, a.RHSBatch, a.RHSContracting), a.RHSContracting}
}

// literals returns the arrays as literals that share their memory.
func literals(shapes []shape.Shape, bytes [][]byte) ([]literal.Literal, error) {
	list := make([]literal.Literal, len(shapes))
	for k, s := range shapes {
		var err error
		s.Layout = nil
		if list[k], err = literal.FromBytes(s, bytes[k]); err != nil {
			return nil, err
		}
	}
	return list, nil
}
