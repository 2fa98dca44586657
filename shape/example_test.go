package shape_test

import (
	"fmt"

	"github.com/goxla/xla/shape"
)

func ExampleParse() {
	s, err := shape.Parse("(f32[2, 3], s32[<=8]{0:S(5)}, token[])")
	fmt.Println(s, err)
	fmt.Println(s.StringNoLayout())
	_, err = shape.Parse("f32[2,3]{1}")
	fmt.Println(err)
	// Output:
	// (f32[2,3]{1,0}, s32[<=8]{0:S(5)}, token[]) <nil>
	// (f32[2,3], s32[<=8], token[])
	// offset 8: expected a layout of 2 dimensions, got {1}
}

func ExampleParsePrefix() {
	text := "f32[2,3]{0,1} transpose(p), dimensions={1,0}"
	s, n, err := shape.ParsePrefix(text)
	fmt.Println(s, err)
	fmt.Printf("%q\n", text[n:])
	// Output:
	// f32[2,3]{0,1} <nil>
	// " transpose(p), dimensions={1,0}"
}

func ExampleIndexing() {
	s, err := shape.Parse("f32[3,5]{1,0:T(2,2)}")
	if err != nil {
		fmt.Println(err)
		return
	}
	x, err := shape.NewIndexing(s)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(x.Linear([]int{2, 3}), "of", x.Len())

	index := make([]int, 2)
	fmt.Println(x.Index(index, 17), index)
	fmt.Println(x.Index(index, 23)) // padding
	// Output:
	// 17 of 24
	// true [2 3]
	// false
}

func ExampleNextOffset() {
	dims, strides := []int{2, 3}, []int{1, 2} // column-major
	index, offset := make([]int, 2), 0
	for ok := true; ok; offset, ok = shape.NextOffset(index, dims, strides, offset) {
		fmt.Print(index, " at ", offset, "; ")
	}
	// Output:
	// [0 0] at 0; [0 1] at 2; [0 2] at 4; [1 0] at 1; [1 1] at 3; [1 2] at 5;
}

func ExampleStrided() {
	// Two rows that are one and the same.
	d := shape.Strided{Type: shape.F16, Sizes: []int{2, 3}, Strides: []int{0, 1}}
	fmt.Println(d.MinBytes())
	fmt.Println(d.CheckBuffer(4))
	fmt.Println(d.CheckResult())
	// Output:
	// 8 <nil>
	// f16 sizes [2 3] strides [0 1]: the buffer has 4 bytes, 8 are needed
	// f16 sizes [2 3] strides [0 1]: expected a result buffer without overlap, got stride 0 in dimension 0 of size 2
}

func ExampleStrided_Shape() {
	channelsLast, err := shape.MakeStrided(shape.F32, []int{2, 4, 3, 5}, "NHWC")
	fmt.Println(channelsLast, err)
	fmt.Println(channelsLast.Shape())

	padded := shape.Strided{Type: shape.F32, Sizes: []int{2, 3}, Strides: []int{5, 1}}
	fmt.Println(padded.Shape())
	// Output:
	// f32 sizes [2 4 3 5] strides [60 1 20 4] <nil>
	// f32[2,4,3,5]{1,3,2,0} <nil>
	// f32[2,3]{1,0:T(5)} <nil>
}

func ExampleProgram() {
	p, err := shape.ParseProgram("(x: f32[4]{0}, n: s32[]) -> (f32[4]{0}, s32[])")
	fmt.Println(p, err)
	fmt.Println(string(p.AppendLayoutText(nil)))
	// Output:
	// (x: f32[4], n: s32[]) -> (f32[4], s32[]) <nil>
	// {(f32[4]{0}, s32[])->(f32[4]{0}, s32[])}
}
