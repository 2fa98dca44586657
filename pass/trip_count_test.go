package pass

import (
	"math"
	"testing"

	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// TestTrips compares with loops that are run, in all directions, at both ends of a type of 8 bits and in its middle.
func TestTrips(t *testing.T) {
	for _, typ := range []shape.ElementType{shape.S8, shape.U8} {
		low, limit := integerRange(typ)
		high := int64(limit)
		var values []int64
		for _, v := range []int64{low, (low + high) / 2, high - 9} {
			for k := range int64(10) {
				values = append(values, v+k)
			}
		}
		for direction := range op.Direction(len(turned)) {
			for _, init := range values {
				for _, limit := range values {
					for _, step := range []int64{-128, -7, -2, -1, 0, 1, 2, 3, 8, 127} {
						want, ok := run(init, step, limit, direction, low, high)
						if n, okTrips := trips(init, step, limit, direction, typ); n != want || okTrips != ok {
							t.Fatalf("%v: from %d by %d to %v %d: got %d, %v, want %d, %v", typ, init, step, direction,
								limit, n, okTrips, want, ok)
						}
					}
				}
			}
		}
	}
}

// run counts; ok is false where i leaves the range, or stays where it is.
func run(i, step, limit int64, direction op.Direction, low, high int64) (n int64, ok bool) {
	for ; holds(i, limit, direction); n++ {
		if i += step; i < low || i > high || step == 0 {
			return 0, false
		}
	}
	return n, true
}

// TestTripsOfWords: what needs more than 64 bits on the way.
func TestTripsOfWords(t *testing.T) {
	const least, most = math.MinInt64, math.MaxInt64
	for _, c := range []struct {
		init, step, limit int64
		direction         op.Direction
		typ               shape.ElementType
		n                 int64
		ok                bool
	}{
		{least, most, most, op.LT, shape.S64, 0, false},
		{least, 1, most, op.LT, shape.S64, 0, false},
		{least, 1, most, op.LE, shape.S64, 0, false},
		{least, 1, -1, op.LT, shape.S64, most, true},
		{least, 1, -1, op.LE, shape.S64, 0, false},
		{least, 2, most, op.LT, shape.S64, 0, false},
		{least, 3, most, op.LT, shape.S64, 6148914691236517205, true},
		{most, -3, least, op.NE, shape.S64, 6148914691236517205, true},
		{most, -2, least, op.NE, shape.S64, 0, false},
		{0, least, -1, op.GT, shape.S64, 1, true},
		{0, least, -1, op.GE, shape.S64, 1, true},
		{0, most, most, op.LE, shape.S64, 0, false},
		{0, most, most, op.LE, shape.U64, 2, true},
		{0, 1, most, op.LE, shape.U64, 0, false},
		{most, -1, 0, op.GE, shape.U64, 0, false},
		{most, -1, 0, op.GT, shape.U64, most, true},
	} {
		if n, ok := trips(c.init, c.step, c.limit, c.direction, c.typ); n != c.n || ok != c.ok {
			t.Errorf("%+v: got %d, %v", c, n, ok)
		}
	}
}
