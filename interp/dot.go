package interp

import (
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// evalDot multiplies and sums over the contracting dimensions; the result has the
// batch dimensions, then the free ones of lhs, then those of rhs. As in XLA's evaluator
// sums run in the order of the elements, of f32 and c64 in f32, of narrower floats in
// a wider type that is rounded once; integers wrap. An algorithm says what of the
// operands is multiplied; operand_precision asks for no more than is done anyway.
// Spec: OPS.md section 6.
func evalDot(c *call) (literal.Literal, error) {
	a := attrs[*op.DotAttrs](c)
	dst := c.new()
	return dst, dotInto(dst, c.args[0], c.args[1], a)
}

// dotInto sets dst to the product of lhs and rhs.
func dotInto(dst, lhs, rhs literal.Literal, a *op.DotAttrs) error {
	x := newMatrices(lhs, a.LHSBatch, a.LHSContracting, free(lhs.Shape().Rank(), a.LHSBatch, a.LHSContracting))
	y := newMatrices(rhs, a.RHSBatch, a.RHSContracting, free(rhs.Shape().Rank(), a.RHSBatch, a.RHSContracting))
	return multiply(dst, x, y, dotAlgorithms[a.Algorithm])
}

// free returns the dimensions below rank that are in neither list.
func free(rank int, lists ...[]int) []int {
	taken := make([]bool, rank)
	for _, list := range lists {
		for _, d := range list {
			taken[d] = true
		}
	}
	var dims []int
	for d, t := range taken {
		if !t {
			dims = append(dims, d)
		}
	}
	return dims
}

// matrices is an array seen as a batch of matrices: data has been brought to the
// order [batch, rows, depth], row-major.
type matrices struct {
	data               literal.Literal
	batch, rows, depth int
}

// newMatrices transposes l so that its batch dimensions come first and its
// contracting dimensions last.
func newMatrices(l literal.Literal, batch, contracting, free []int) matrices {
	var m matrices
	var dims, strides []int
	all := rowMajor(l.Dims())
	collect := func(list []int) int {
		n := 1
		for _, d := range list {
			dims, strides = append(dims, l.Dims()[d]), append(strides, all[d])
			n *= l.Dims()[d]
		}
		return n
	}
	m.batch, m.rows, m.depth = collect(batch), collect(free), collect(contracting)
	m.data = literal.New(shape.Make(l.Type(), dims...))
	move(walkOf{data: m.data, strides: rowMajor(dims)}, walkOf{data: l, strides: strides}, dims)
	return m
}

// multiply sets dst, [batch, x.rows, y.rows], to the products of x and y transposed.
func multiply(dst literal.Literal, x, y matrices, how dotAlgorithm) error {
	switch t := dst.Type(); {
	case t == shape.C64:
		complexProduct(dst, x, y)
	case t.IsComplex():
		n := x.batch * x.rows * y.rows
		complexSums(dst, n, toComplex(x.data), toComplex(y.data), func(xs, ys []float64, set func(int, float64)) {
			product(x, y, xs, ys, set)
		})
	case t.IsFloat():
		multiplyFloats(dst, x, y, how)
	case t == shape.Pred:
		product(x, y, toInts(x.data), toInts(y.data), func(i int, v int64) { dst.SetBool(i, v != 0) })
	case t.IsInteger():
		product(x, y, toInts(x.data), toInts(y.data), func(i int, v int64) { dst.SetBits(i, uint64(v)) })
	default:
		return noKernel(t)
	}
	return nil
}

// product computes the dot product of each row of x with each row of y.
func product[T int64 | float32 | float64](x, y matrices, xs, ys []T, set func(i int, v T)) {
	parallel(x.batch*x.rows*y.rows, x.depth, func(lo, hi int) {
		for at := lo; at < hi; {
			row, j := at/y.rows, at%y.rows
			n := min(y.rows-j, hi-at)
			cols := ys[(row/x.rows*y.rows+j)*x.depth:]
			rowProducts(xs[row*x.depth:][:x.depth], cols, n, at, set)
			at += n
		}
	})
}

// rowProducts sets elements at, at+1, ... to the products of row with the first n
// rows of cols. Four are computed side by side; each sums in the order of row.
func rowProducts[T int64 | float32 | float64](row, cols []T, n, at int, set func(i int, v T)) {
	depth, j := len(row), 0
	for ; j+4 <= n; j += 4 {
		c0, c1 := cols[j*depth:][:depth], cols[(j+1)*depth:][:depth]
		c2, c3 := cols[(j+2)*depth:][:depth], cols[(j+3)*depth:][:depth]
		var s0, s1, s2, s3 T
		for k, v := range row {
			s0 += T(v * c0[k])
			s1 += T(v * c1[k])
			s2 += T(v * c2[k])
			s3 += T(v * c3[k])
		}
		set(at+j, s0)
		set(at+j+1, s1)
		set(at+j+2, s2)
		set(at+j+3, s3)
	}
	for ; j < n; j++ {
		var sum T
		for k, v := range cols[j*depth:][:depth] {
			sum += T(row[k] * v)
		}
		set(at+j, sum)
	}
}

// complexProduct is product for c64: each operation is rounded to f32, one by one.
func complexProduct(dst literal.Literal, x, y matrices) {
	xs, ys := toComplex(x.data), toComplex(y.data)
	xr, xi := narrowed(realAndImag(xs))
	yr, yi := narrowed(realAndImag(ys))
	parallel(x.batch*x.rows*y.rows, x.depth, func(lo, hi int) {
		for at := lo; at < hi; at++ {
			row := at / y.rows
			i, j := row*x.depth, (row/x.rows*y.rows+at%y.rows)*x.depth
			var re, im float32
			for k := range x.depth {
				re += float32(float32(xr[i+k]*yr[j+k]) - float32(xi[i+k]*yi[j+k]))
				im += float32(float32(xr[i+k]*yi[j+k]) + float32(xi[i+k]*yr[j+k]))
			}
			dst.SetComplex(at, complex(float64(re), float64(im)))
		}
	})
}

// narrowed rounds real and imaginary parts.
func narrowed(re, im []float64) (re32, im32 []float32) { return toFloat32s(re), toFloat32s(im) }

func toFloat32s(v []float64) []float32 {
	list := make([]float32, len(v))
	for i, x := range v {
		list[i] = float32(x)
	}
	return list
}

// complexSums sets the n elements of dst to sums of products of complex numbers, made
// from four sums of products of their parts, which sums computes. Written as complex
// products the sums could be fused on some machines.
func complexSums(dst literal.Literal, n int, xs, ys []complex128,
	sums func(xs, ys []float64, set func(i int, v float64))) {
	xr, xi := realAndImag(xs)
	yr, yi := realAndImag(ys)
	re, im := make([]float64, n), make([]float64, n)
	sums(xr, yr, func(i int, v float64) { re[i] = v })
	sums(xi, yi, func(i int, v float64) { re[i] -= v })
	sums(xr, yi, func(i int, v float64) { im[i] = v })
	sums(xi, yr, func(i int, v float64) { im[i] += v })
	for i := range n {
		dst.SetComplex(i, complex(re[i], im[i]))
	}
}

// realAndImag returns the real and the imaginary parts.
func realAndImag(v []complex128) (re, im []float64) {
	re, im = make([]float64, len(v)), make([]float64, len(v))
	for i, x := range v {
		re[i], im[i] = real(x), imag(x)
	}
	return re, im
}

// toFloats returns the elements as float64; an integer operand of a dot of mixed types counts as a float.
func toFloats(l literal.Literal) []float64 {
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

func toInts(l literal.Literal) []int64 {
	v := make([]int64, l.Len())
	for i := range v {
		v[i] = l.IntAt(i)
	}
	return v
}

func toComplex(l literal.Literal) []complex128 {
	v := make([]complex128, l.Len())
	for i := range v {
		v[i] = l.ComplexAt(i)
	}
	return v
}
