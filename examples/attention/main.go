// Command attention builds scaled dot-product attention with the builder, runs it,
// and prints the program as HLO text.
//
//	go run ./examples/attention
package main

import (
	"context"
	"fmt"
	"log"
	"math"

	"github.com/goxla/xla"
	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// attention builds softmax(q kᵀ / sqrt(depth)) v for heads of n rows each.
func attention(heads, n, depth int) (*hlo.Module, error) {
	b := builder.New("attention")
	rows := shape.Make(shape.F32, heads, n, depth)
	q := b.Parameter(0, rows, "q")
	k := b.Parameter(1, rows, "k")
	v := b.Parameter(2, rows, "v")

	scores := builder.DotGeneral(q, k, op.DotAttrs{ // [heads, n, n]
		LHSBatch: []int{0}, RHSBatch: []int{0}, LHSContracting: []int{2}, RHSContracting: []int{2}})
	scores = builder.Mul(scores, b.Const(float32(1/math.Sqrt(float64(depth)))))

	highest := builder.Reduce(scores, b.MinValue(shape.F32), []int{2}, builder.Max) // [heads, n]
	weights := builder.Exp(builder.Sub(scores, highest, 0, 1))
	total := builder.Reduce(weights, b.Zero(shape.F32), []int{2}, builder.Add)
	weights = builder.Div(weights, total, 0, 1)

	return b.Build(builder.DotGeneral(weights, v, op.DotAttrs{ // [heads, n, depth]
		LHSBatch: []int{0}, RHSBatch: []int{0}, LHSContracting: []int{2}, RHSContracting: []int{1}}))
}

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	module, err := attention(1, 2, 2)
	if err != nil {
		return err
	}
	fmt.Print(hlotext.String(module, hlotext.Default()))
	client, err := xla.NewClient(xla.Options{})
	if err != nil {
		return err
	}
	exe, err := client.Compile(ctx, module)
	if err != nil {
		return err
	}
	out, err := exe.Run(ctx, literal.Of([]float32{1, 0, 0, 1}), literal.Of([]float32{1, 0, 0, 1}),
		literal.Of([]float32{10, 20, 30, 40}))
	if err != nil {
		return err
	}
	fmt.Println(literal.Values[float32](out[0]))
	return nil
}
