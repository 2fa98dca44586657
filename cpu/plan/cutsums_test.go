package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu/plan"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
)

// TestCutSums: into which parts sums over rows are cut, whose elements are stored, and that they keep what is known of
// them.
func TestCutSums(t *testing.T) {
	for _, test := range []struct{ typ, x, zero, dims, by, stored, parts string }{
		{"f32", "32,28,28,16", "0", "0,1,2", "add", "n", "32,16"},
		{"f64", "8,28,28,32", "0", "0,1,2", "add", "n", "8,32"},
		{"f32", "2,16,112,64", "-0", "0,1,2", "add", "n", "2,16,64"},
		{"f32", "16,300,64", "0", "0,1", "add", "n", "16,64"},
		{"f32", "8,128,128,16", "0", "0,1,2", "add", "n", "8,128,16"}, // an image is large
		{"f32", "32,28,28,16", "0", "0,1,2", "add", "x", ""},          // the sums are all that is stored
		{"f32", "32,28,28,16", "1", "0,1,2", "add", "n", ""},
		{"f32", "32,28,28,16", "0", "0,1,2", "maximum", "n", ""},
		{"f32", "32,28,28,16", "0", "0,1", "add", "n", ""},
		{"f32", "32,28,28,16", "0", "1,2,3", "add", "n", ""},
		{"f32", "32,28,28,8", "0", "0,1,2", "add", "n", ""},
		{"f32", "32,28,28,65", "0", "0,1,2", "add", "n", ""},
		{"f32", "4,28,28,16", "0", "0,1,2", "add", "n", ""},
		{"f32", "32000,16", "0", "0", "add", "n", ""},
		{"f32", "1000,32,16", "0", "0,1", "add", "n", ""}, // parts of few rows
		{"bf16", "32,28,28,32", "0", "0,1,2", "add", "n", ""},
	} {
		kept := strings.Split(test.x, ",")
		result := kept[len(kept)-1]
		if test.dims == "0,1" && len(kept) == 4 {
			result = "28,16"
		} else if test.dims == "1,2,3" {
			result = kept[0]
		}
		m, err := hlotext.Parse(fmt.Sprintf(`HloModule m
by {
  a = %[1]s[] parameter(0)
  b = %[1]s[] parameter(1)
  ROOT c = %[1]s[] %[5]s(a, b)
}
ENTRY e {
  x = %[1]s[%[2]s] parameter(0)
  n = %[1]s[%[2]s] negate(x)
  z = %[1]s[] constant(%[3]s)
  r = %[1]s[%[7]s] reduce(n, z), dimensions={%[4]s}, to_apply=by, metadata={op_name="kept"}
  ROOT t = (%[1]s[%[7]s], %[1]s[%[2]s]) tuple(r, %[6]s)
}
`, test.typ, test.x, test.zero, test.dims, test.by, test.stored, result), hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if changed := plan.CutSums(m); changed != (test.parts != "") {
			t.Errorf("%+v: changed: %v", test, changed)
		}
		if err := hlo.Verify(m, hlo.VerifyOptions{}); err != nil {
			t.Fatal(err)
		}
		text := hlotext.String(m, hlotext.Default())
		if test.parts != "" && !strings.Contains(text, fmt.Sprintf("= %s[%s]{", test.typ, test.parts)) ||
			!strings.Contains(text, `op_name="kept"`) {
			t.Errorf("%+v: got\n%s", test, text)
		}
	}
}
