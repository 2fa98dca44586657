package literal_test

import (
	"fmt"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// Text follows the logical order of the elements, memory the layout.
func ExampleParseText() {
	s := shape.Make(shape.F32, 2, 3).WithLayout(shape.MakeLayout(0, 1))
	l, n, err := literal.ParseText(s, "{ {1, 2, 0.1}, {4, -inf, nan} }), metadata={}", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(n, literal.Values[float32](l))
	fmt.Println(string(l.AppendText(nil)))
	fmt.Println(string(l.AppendGolden(nil)))

	_, _, err = literal.ParseText(shape.Make(shape.S4, 2), "{7, 8}", nil)
	fmt.Println(err)
	// Output:
	// 31 [1 4 2 -Inf 0.1 NaN]
	// { { 1, 2, 0.1 }, { 4, -inf, nan } }
	// f32[2,3] {{1, 2, 0.1}, {4, -inf, nan}}
	// value 8 is out of range for literal's primitive type S4 namely [-8, 7]. (at byte 4)
}
