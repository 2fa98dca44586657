package xla

import (
	"fmt"
	"slices"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// This file cuts whole arrays into the parts that the devices of a partitioned program take, and puts results
// together, by the shardings that the program has for its parameters and results.

// SplitArgs returns the arguments of all devices, for RunReplicated, given one array a parameter: a parameter that the
// program says is split over partitions takes its part of it, the others all of it. It fails if an
// array has not the shape of the parameter, or of the parts of all partitions together.
func (e *Executable) SplitArgs(whole []literal.Literal) ([][]literal.Literal, error) {
	if len(whole) != len(e.signature.Params) {
		return nil, fmt.Errorf("xla: expects %d arguments, got %d", len(e.signature.Params), len(whole))
	}
	args := make([][]literal.Literal, e.Devices())
	for d := range args {
		for i, x := range whole {
			part, err := e.ArgPart(i, d, x)
			if err != nil {
				return nil, fmt.Errorf("xla: argument %d%s: %w", i, e.paramName(i), err)
			}
			args[d] = append(args[d], part)
		}
	}
	return args, nil
}

// ArgPart returns what a device takes of an array that is given for parameter i as a whole. An array of the
// shape of the parameter itself is returned as it is.
func (e *Executable) ArgPart(i, device int, x literal.Literal) (literal.Literal, error) {
	if i < 0 || i >= len(e.signature.Params) {
		return x, fmt.Errorf("xla: parameter %d is not in [0, %d)", i, len(e.signature.Params))
	}
	if part, ok, err := e.partOf(e.signature.Params[i], e.paramSharding(i), device, x); ok {
		return part, err
	}
	return conformArg(x, e.signature.Params[i])
}

// ResultPart returns what a device has of result k, given the result as a whole.
func (e *Executable) ResultPart(k, device int, x literal.Literal) (literal.Literal, error) {
	results := []shape.Shape{e.signature.Result}
	if e.signature.Result.IsTuple() {
		results = e.signature.Result.Elems
	}
	if k < 0 || k >= len(results) {
		return x, fmt.Errorf("xla: result %d is not in [0, %d)", k, len(results))
	}
	if part, ok, err := e.partOf(results[k], e.resultSharding(k), device, x); ok {
		return part, err
	}
	return conformArg(x, results[k])
}

// partOf cuts x if it has the shape of which s gives devices parts; ok is false if it has another.
func (e *Executable) partOf(part shape.Shape, s *op.Sharding, device int, x literal.Literal) (
	_ literal.Literal, ok bool, err error) {
	whole, ok := wholeShape(part, s, e.Partitions())
	if !ok || !x.Shape().EqualIgnoringLayout(whole) {
		return x, false, nil
	}
	offset, limit, err := s.Tile(whole, device%e.Partitions())
	if err != nil {
		return x, true, err
	}
	x, err = x.Slice(offset, limit, ones(len(offset)))
	return x, true, err
}

// WholeParam returns the shape of the array of which the partitions take a part each for parameter i; ok is false if
// each takes an array of its own, or all the same, and if there is no parameter i.
func (e *Executable) WholeParam(i int) (s shape.Shape, ok bool) {
	if i < 0 || i >= len(e.signature.Params) {
		return shape.Shape{}, false
	}
	return wholeShape(e.signature.Params[i], e.paramSharding(i), e.Partitions())
}

func (e *Executable) paramSharding(i int) *op.Sharding {
	if e.module == nil {
		return nil
	}
	return e.module.Entry().Params()[i].Sharding
}

// resultSharding returns how result k is spread over partitions, nil if the program does not say it.
func (e *Executable) resultSharding(k int) *op.Sharding {
	if e.module == nil {
		return nil
	}
	s := e.module.Entry().Root().Sharding
	if s == nil || s.Kind != op.ShardingTuple {
		return s
	}
	if k < len(s.Elems) && len(s.Elems) == len(e.signature.Result.Elems) {
		return &s.Elems[k]
	}
	return nil
}

// wholeShape returns the shape of which s gives each of n devices a part of shape part.
func wholeShape(part shape.Shape, s *op.Sharding, n int) (whole shape.Shape, ok bool) {
	if s == nil || n < 2 || !part.IsArray() {
		return part, false
	}
	t, err := s.Tiled()
	if err != nil || t.Kind != op.ShardingTiled || len(t.Tiles.Dims)-len(t.Last) != part.Rank() || t.Tiles.Len() != n {
		return part, false
	}
	whole = shape.Make(part.Type, slices.Clone(part.Dims)...)
	for i := range whole.Dims {
		whole.Dims[i] *= t.Tiles.Dims[i]
	}
	return whole, true
}

// JoinResults puts the results of the devices of replica 0 together, out being what RunReplicated returned: those that
// the program says are split over partitions as one array, of the others that of device 0. It fails if results
// are missing, as those of other processes are.
func (e *Executable) JoinResults(out [][]literal.Literal) ([]literal.Literal, error) {
	if len(out) != e.Devices() {
		return nil, fmt.Errorf("xla: expects results of %d devices, got %d", e.Devices(), len(out))
	}
	joined := make([]literal.Literal, len(out[0]))
	for k := range joined {
		s := e.resultSharding(k)
		whole, ok := wholeShape(out[0][k].Shape(), s, e.Partitions())
		if !ok {
			joined[k] = out[0][k]
			continue
		}
		joined[k] = literal.New(whole)
		for d := range e.Partitions() {
			if k >= len(out[d]) {
				return nil, fmt.Errorf("xla: result %d: expects that of device %d, got none", k, d)
			}
			offset, limit, err := s.Tile(whole, d)
			if err == nil {
				err = paste(joined[k], out[d][k], offset, limit)
			}
			if err != nil {
				return nil, fmt.Errorf("xla: result %d of device %d: %w", k, d, err)
			}
		}
	}
	return joined, nil
}

// paste writes x into the part of dst from offset up to limit; both are in row-major order.
func paste(dst, x literal.Literal, offset, limit []int) error {
	x = x.RowMajor()
	want := shape.Make(dst.Type(), slices.Clone(x.Dims())...)
	for i := range want.Dims {
		want.Dims[i] = limit[i] - offset[i]
	}
	if !x.Shape().EqualIgnoringLayout(want) {
		return fmt.Errorf("expects %s, got %s", want.StringNoLayout(), x.Shape().StringNoLayout())
	}
	if x.Len() == 0 {
		return nil
	}
	width, row := x.Type().ByteSize(), 1
	if n := len(want.Dims); n > 0 {
		row = want.Dims[n-1]
	}
	at := make([]int, len(want.Dims))
	for i := 0; i < x.Len(); i += row {
		for k, rest := len(at)-1, i; k >= 0; k-- {
			at[k], rest = rest%want.Dims[k]+offset[k], rest/want.Dims[k]
		}
		to := dst.Index(at...)
		copy(dst.Bytes()[to*width:], x.Bytes()[i*width:(i+row)*width])
	}
	return nil
}

func ones(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = 1
	}
	return list
}
