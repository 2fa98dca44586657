package hlotext_test

import (
	"fmt"
	"strings"

	"github.com/goxla/xla/hlo/hlotext"
)

func ExampleParse() {
	m, err := hlotext.Parse(`ENTRY main {
		x = f32[4] parameter(0)
		ROOT y = multiply(x, f32[4] negate(x)) // shapes that follow may be left out
	}`, hlotext.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(strings.TrimSpace(hlotext.String(m, hlotext.ShortParsable())), "\n\n")

	_, err = hlotext.Parse("ENTRY main { ROOT x = f32[4] parameter(zero) }", hlotext.ParseOptions{})
	fmt.Println(err)
	// Output:
	// HloModule module_main, entry_computation_layout={(f32[4]{0})->f32[4]{0}}
	//
	// ENTRY main {
	//   x = f32[4]{0} parameter(0)
	//   negate.anon = f32[4]{0} negate(x)
	//   ROOT y = f32[4]{0} multiply(x, negate.anon)
	// }
	//
	// 1:40: %x: parameter: expects an integer, got "zero"
}
