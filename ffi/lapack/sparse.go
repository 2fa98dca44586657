package lapack

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// sparse is the product of a matrix in compressed rows, BCSR of JAX, with a matrix or vector. Its operands are the
// elements, where each row begins in them and where the last ends, their columns, and the other factor.
type sparse struct{}

// Call implements ffi.Handler.
func (s sparse) Call(ctx context.Context, c *ffi.Call) error {
	var sig ffi.Signature
	var in, out [][]byte
	sig.Operands, in = parts(c.Operands)
	sig.Results, out = parts(c.Results)
	call, err := s.Bind(&sig)
	if err != nil {
		return err
	}
	return call(ctx, in, out)
}

// parts are the shapes and the memory of arrays.
func parts(list []literal.Literal) ([]shape.Shape, [][]byte) {
	shapes, data := make([]shape.Shape, len(list)), make([][]byte, len(list))
	for k, l := range list {
		shapes[k], data[k] = l.Shape(), l.Bytes()
	}
	return shapes, data
}

// Bind implements ffi.Binder.
func (sparse) Bind(s *ffi.Signature) (ffi.Bound, error) {
	if !isCompressed(s.Operands, s.Results) {
		return nil, fmt.Errorf("expects t[n], i[rows+1], i[n] and t[k] or t[k,m] for t[rows] or t[rows,m], of f32 or f64 "+
			"and s32 or s64, got %v for %v", s.Operands, s.Results)
	}
	rhs, result, wide := s.Operands[3], s.Results[0], s.Operands[1].Type == shape.S64
	return func(ctx context.Context, in, out [][]byte) error {
		rows, inner := result.Dims[0], rhs.Dims[0]
		c := compressed{rows: rows, inner: inner, width: result.Size() / max(rows, 1), wide: wide}
		for k := range c.in {
			c.in[k] = array{n: s.Operands[k].Size(), data: aligned(in[k])}
		}
		c.out = array{n: result.Size(), data: aligned(out[0])}
		if !isAligned(out[0]) {
			defer copy(out[0], c.out.data)
		}
		if rhs.Type == shape.F32 {
			return c.multiply(ctx, adding[float32](&c))
		}
		return c.multiply(ctx, adding[float64](&c))
	}, nil
}

// isCompressed reports whether a call has the shapes of one.
func isCompressed(in, out []shape.Shape) bool {
	if len(in) != 4 || len(out) != 1 {
		return false
	}
	t, i, rank := in[0].Type, in[1].Type, len(out[0].Dims)
	if t != shape.F32 && t != shape.F64 || in[3].Type != t || out[0].Type != t || in[2].Type != i ||
		i != shape.S32 && i != shape.S64 {
		return false
	}
	return len(in[0].Dims) == 1 && len(in[1].Dims) == 1 && slices.Equal(in[2].Dims, in[0].Dims) &&
		(rank == 1 || rank == 2) && len(in[3].Dims) == rank && in[1].Dims[0] == out[0].Dims[0]+1 &&
		slices.Equal(in[3].Dims[1:], out[0].Dims[1:])
}

// compressed is a product of compressed rows. wide tells that indices have 8 bytes.
type compressed struct {
	in                 [4]array
	out                array
	rows, inner, width int
	wide               bool
}

// index is number k of an array of indices.
//
//go:noinline
func (c *compressed) index(a *array, k int) int {
	if c.wide {
		return int(valuesOf[int64](a)[k])
	}
	return int(valuesOf[int32](a)[k])
}

// rowsAsked is how many rows are done before the context is asked.
const rowsAsked = 256

// multiply calls add for one element of each row after the other, or for four where there are as many.
func (c *compressed) multiply(ctx context.Context, add func(row, element int, at []int)) error {
	var at [4]int
	for r, k := 0, c.index(&c.in[1], 0); r < c.rows; r++ {
		if r%rowsAsked == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		end := c.index(&c.in[1], r+1)
		if k < 0 || end < k || end > c.in[0].n {
			return errors.New("operand 1: expects numbers of elements that do not fall")
		}
		for k < end {
			n := 1
			if k+4 <= end {
				n = 4
			}
			for u := range at[:n] {
				j := c.index(&c.in[2], k+u)
				if j < 0 || j >= c.inner {
					return errors.New("operand 2: expects columns of the matrix")
				}
				at[u] = j * c.width
			}
			add(r*c.width, k, at[:n])
			k += n
		}
	}
	return nil
}

// adding returns what adds multiples of the rows that begin at at of the other factor to the one at row of the result,
// in the order of the elements: four in a pass over it.
func adding[T float32 | float64](c *compressed) func(row, element int, at []int) {
	data, rhs, out, n := valuesOf[T](&c.in[0]), valuesOf[T](&c.in[3]), valuesOf[T](&c.out), c.width
	clear(out)
	return func(row, k int, at []int) {
		to, x0, y0 := out[row:][:n], data[k], rhs[at[0]:][:n]
		if len(at) < 4 {
			for m, y := range y0 {
				to[m] += T(x0 * y)
			}
			return
		}
		x1, x2, x3 := data[k+1], data[k+2], data[k+3]
		y1, y2, y3 := rhs[at[1]:][:n], rhs[at[2]:][:n], rhs[at[3]:][:n]
		for m, y := range y0 {
			to[m] = to[m] + T(x0*y) + T(x1*y1[m]) + T(x2*y2[m]) + T(x3*y3[m])
		}
	}
}
