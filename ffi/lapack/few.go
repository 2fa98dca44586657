package lapack

import (
	"context"
	"unsafe"

	"github.com/goxla/xla/cpu/dense"
	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/shape"
)

// A single problem of a few real numbers, as loops of solvers and filters have them, takes less time than to set up
// what larger ones need. It is solved where its arrays are, by the loops of smallOf.

// fewer returns what runs c in this way, or nil if that is none of these.
func (c *call) fewer() ffi.Bound {
	if c.problems != 1 || c.factor || c.few == nil {
		return nil
	}
	for _, x := range c.reads {
		if max(x.rows, x.cols) > mostSmall || x.n == 0 || x.elem != c.elem {
			return nil
		}
	}
	for k, y := range c.sets {
		if y.n != c.usual(k) || c.out[k] != 's' && k != c.pivots() && y.elem != c.elem {
			return nil
		}
		if (c.out[k] == 's' || k == c.pivots()) && y.elem != shape.S32 {
			return nil
		}
	}
	f := c.few(c)
	if f == nil {
		return nil
	}
	return func(ctx context.Context, in, out [][]byte) error {
		if len(in) != len(c.reads) || len(out) != len(c.sets) || !c.fits(in, out) || !areAligned(in) || !areAligned(out) {
			return c.onMemory(ctx, in, out)
		}
		f(in, out)
		return nil
	}
}

// pivots is the number of the result that has rows of pivots, -1 if there is none.
func (c *call) pivots() int {
	if c.out == "mvs" {
		return 1
	}
	return -1
}

func areAligned(list [][]byte) bool {
	for _, data := range list {
		if !isAligned(data) {
			return false
		}
	}
	return true
}

// few is a call of few numbers: of its operands and results in memory.
type few func(in, out [][]byte)

// fewOf chooses between the types of a call.
func fewOf(double, single func(c *call) few) func(c *call) few {
	return func(c *call) few {
		switch c.elem {
		case shape.F64:
			return double(c)
		case shape.F32:
			return single(c)
		}
		return nil
	}
}

// in is numbers in memory.
func in[E any](data []byte) []E {
	return unsafe.Slice((*E)(unsafe.Pointer(unsafe.SliceData(data))), uintptr(len(data))/unsafe.Sizeof(*new(E)))
}

// first is result 0 as a matrix of the sizes of operand k, of which it becomes a copy.
func first[F dense.Float](c *call, k int, from, to [][]byte) matrix[F] {
	copy(to[0], from[k])
	return matrix[F]{c.reads[k].rows, c.reads[k].cols, in[F](to[0])}
}

func getrfFew[F dense.Float](c *call) few {
	return func(from, to [][]byte) {
		var pivots [mostSmall]int
		a, rows := first[F](c, 0, from, to), in[int32](to[1])
		in[int32](to[2])[0] = int32(luReal(a, pivots[:len(rows)]))
		for k := range rows {
			rows[k] = int32(pivots[k])
		}
	}
}

func potrfFew[F dense.Float](c *call) few {
	if c.attr.get("uplo") != 'L' {
		return nil
	}
	return func(from, to [][]byte) {
		in[int32](to[1])[0] = int32(choleskyReal(first[F](c, 0, from, to)))
	}
}

func trsmFew[F dense.Float](c *call) few {
	n, left := c.reads[0].rows, c.attr.get("side") == 'L'
	if b := &c.reads[1]; left && b.rows != n || !left && b.cols != n {
		return nil
	}
	s := systemOf(c.attr, matrix[F]{n, n, nil})
	if !left {
		s.transposed, s.lower = !s.transposed, !s.lower
	}
	return func(from, to [][]byte) {
		own, x := s, first[F](c, 1, from, to)
		if own.m.at = in[F](from[0]); left {
			own.solveHere(x)
		} else {
			own.solveRows(x)
		}
	}
}

func geqrfFew[F dense.Float](c *call) few {
	return func(from, to [][]byte) { reflectors(first[F](c, 0, from, to), in[F](to[1])) }
}

func orgqrFew[F dense.Float](c *call) few {
	return func(from, to [][]byte) { reflected(first[F](c, 0, from, to), in[F](from[1])) }
}
