package xla_test

import (
	"context"
	"fmt"
	"log"

	"github.com/goxla/xla"
	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// A program from the builder, compiled and run. README.md shows this function.
func Example() {
	b := builder.New("axpy")
	x := b.Parameter(0, shape.Make(shape.F32, 4), "x")
	y := b.Parameter(1, shape.Make(shape.F32, 4), "y")
	module, err := b.Build(builder.Add(builder.Mul(b.Const(float32(2)), x), y))
	if err != nil {
		log.Fatal(err)
	}
	client, err := xla.NewClient(xla.Options{})
	if err != nil {
		log.Fatal(err)
	}
	exe, err := client.Compile(context.Background(), module)
	if err != nil {
		log.Fatal(err)
	}
	out, err := exe.Run(context.Background(), literal.Of([]float32{1, 2, 3, 4}), literal.Of([]float32{10, 20, 30, 40}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(literal.Values[float32](out[0]))
	// Output: [12 24 36 48]
}

// A program as HLO text, here in memory; Load reads a file.
func ExampleParse() {
	const text = `
HloModule scale

sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = add(a, b)
}

ENTRY main {
  x = f32[2,3] parameter(0)
  zero = f32[] constant(0)
  total = f32[2] reduce(x, zero), dimensions={1}, to_apply=sum
  spread = f32[2,3] broadcast(total), dimensions={0}
  ROOT y = divide(x, spread)
}`
	prog, err := xla.Parse("scale.hlo", []byte(text))
	if err != nil {
		log.Fatal(err)
	}
	client, err := xla.NewClient(xla.Options{})
	if err != nil {
		log.Fatal(err)
	}
	exe, err := client.Compile(context.Background(), prog)
	if err != nil {
		log.Fatal(err)
	}
	out, err := exe.Run(context.Background(), literal.Of([][]float32{{1, 2, 3}, {4, 5, 6}}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", out[0].AppendGolden(nil))
	// Output: f32[2,3] {{0.16666667, 0.33333334, 0.5}, {0.26666668, 0.33333334, 0.4}}
}
