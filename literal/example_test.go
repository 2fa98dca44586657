package literal_test

import (
	"fmt"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

func ExampleOf() {
	l := literal.Of([][]float32{{1, 2, 3}, {4, 5, 6}})
	fmt.Println(l.Shape(), literal.At[float32](l, 1, 0), literal.Values[float32](l))
	// Output: f32[2,3]{1,0} 4 [1 2 3 4 5 6]
}

func ExampleConvert() {
	l, err := literal.Convert(literal.Of([]float32{1.5, 1000, -3e9}), shape.S8)
	fmt.Println(literal.Values[int8](l), err)
	// Output: [1 127 -128] <nil>
}

func ExampleCompare() {
	got, want := literal.Of([]float32{1, 2, 3.5}), literal.Of([]float32{1, 2, 3})
	fmt.Println(literal.Compare(got, want, literal.Relative(1e-3, 0)))
	// Output: f32[3]{0}: 1 of 3 elements differ (tolerance rel=0.001 abs=0): [2] want 3, got 3.5 (off by 0.5)
}

func ExampleEncodeFloat() {
	code := literal.EncodeFloat(shape.F8E4M3FN, 3.3)
	fmt.Printf("%#x %v\n", code, literal.DecodeFloat(shape.F8E4M3FN, code))
	// Output: 0x45 3.25
}
