package xla_test

import (
	"context"
	"fmt"

	"github.com/goxla/xla"
	"github.com/goxla/xla/literal"
)

// A program runs on two replicas, which sum their parameters.
func ExampleExecutable_RunReplicated() {
	const text = `HloModule sum, replica_count=2

add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}

ENTRY e {
  x = f32[2] parameter(0)
  ROOT r = f32[2] all-reduce(x), replica_groups={}, to_apply=add
}
`
	ctx := context.Background()
	client, err := xla.NewClient(xla.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	prog, err := xla.Parse("sum.hlo", []byte(text))
	if err != nil {
		fmt.Println(err)
		return
	}
	exe, err := client.Compile(ctx, prog)
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := exe.RunReplicated(ctx, [][]literal.Literal{
		{literal.Of([]float32{1, 2.5})},
		{literal.Of([]float32{3, 5.25})},
	})
	fmt.Println(out, err)
	// Output: [[f32[2]{0} {4, 7.75}] [f32[2]{0} {4, 7.75}]] <nil>
}
