package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu/plan"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
)

// TestCutDepths: into how many parts depths are cut, and that products keep what is known of them.
func TestCutDepths(t *testing.T) {
	for _, test := range []struct {
		typ, a, b, result, attrs string
		parts                    string
	}{
		{"f32", "16384,32", "16384,48", "32,48", "lhs_contracting_dims={0}, rhs_contracting_dims={0}", "8,32,48"},
		{"f64", "32,16384", "16384,48", "32,48", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", "8,32,48"},
		{"f32", "16,2,8192", "64,8192", "16,2,64", "lhs_contracting_dims={2}, rhs_contracting_dims={1}", "8,16,2,64"},
		{"f32", "2050,32", "2050,48", "32,48", "lhs_contracting_dims={0}, rhs_contracting_dims={0}", "2,32,48"},
		{"f32", "4,16388", "16388,64", "4,64", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", "4,4,64"},
		{"f32", "16383,32", "16383,48", "32,48", "lhs_contracting_dims={0}, rhs_contracting_dims={0}", ""},
		{"f32", "1024,32", "1024,48", "32,48", "lhs_contracting_dims={0}, rhs_contracting_dims={0}", ""},
		{"f32", "16384,128", "16384,48", "128,48", "lhs_contracting_dims={0}, rhs_contracting_dims={0}", ""},
		{"f32", "16384,2", "16384,512", "2,512", "lhs_contracting_dims={0}, rhs_contracting_dims={0}", ""},
		{"f32", "8192,8", "8192,8", "8,8", "lhs_contracting_dims={0}, rhs_contracting_dims={0}", ""},
		{"bf16", "16384,32", "16384,48", "32,48", "lhs_contracting_dims={0}, rhs_contracting_dims={0}", ""},
		{"f32", "2,16384,32", "2,16384,48", "2,32,48", "lhs_batch_dims={0}, lhs_contracting_dims={1}, " +
			"rhs_batch_dims={0}, rhs_contracting_dims={1}", ""},
	} {
		m, err := hlotext.Parse(fmt.Sprintf(`HloModule m
ENTRY e {
  x = %[1]s[%[2]s] parameter(0)
  y = %[1]s[%[3]s] parameter(1)
  ROOT z = %[1]s[%[4]s] dot(x, y), %[5]s, metadata={op_name="kept"}
}
`, test.typ, test.a, test.b, test.result, test.attrs), hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if changed := plan.CutDepths(m); changed != (test.parts != "") {
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
