package main

import (
	"context"
	"fmt"

	"github.com/goxla/xla"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// check refuses programs that are no language model.
func check(sig shape.Program) error {
	tokens := func(s shape.Shape) bool {
		return s.Type == shape.S32 && s.Rank() == 2 && s.Dims[0] == shape.Unbounded && s.Dims[1] > 0
	}
	logits := func(s shape.Shape, length int) bool {
		return s.Type == shape.F32 && s.Rank() == 3 && s.Dims[1] == length && s.Dims[2] > 0
	}
	if len(sig.Params) == 1 && tokens(sig.Params[0]) && logits(sig.Result, sig.Params[0].Dims[1]) {
		return nil
	}
	return fmt.Errorf("expects a program from tokens s32[?,length] to logits f32[?,length,vocabulary], got %v", sig)
}

// predict runs the model on rows of tokens, each so many from the one before, and returns them and the likeliest token
// behind each row.
func predict(ctx context.Context, exe *xla.Executable, batch int) (rows [][]int32, next []int, err error) {
	length, vocabulary := exe.Signature().Params[0].Dims[1], exe.Signature().Result.Dims[2]
	for b := range batch {
		row := make([]int32, length)
		for i := range row {
			row[i] = int32((3 + b + i*(2+b)) % vocabulary)
		}
		rows = append(rows, row)
	}
	out, err := exe.Run(ctx, literal.Of(rows))
	if err != nil {
		return nil, nil, err
	}
	for b := range rows {
		best := 0
		for k := range vocabulary {
			if literal.At[float32](out[0], b, length-1, k) > literal.At[float32](out[0], b, length-1, best) {
				best = k
			}
		}
		next = append(next, best)
	}
	return rows, next, nil
}
