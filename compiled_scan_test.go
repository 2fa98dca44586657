package xla_test

import (
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/literal"
)

// scanText is a scan with two carries and two outputs, over rows of type T and of s32.
func scanText(typ, dims, row, attrs string) string {
	text := `HloModule m

f {
  x = T[ROW] parameter(0)
  y = s32[ROW] parameter(1)
  c = T[ROW] parameter(2)
  n = s32[ROW] parameter(3)
  one = s32[] constant(1)
  ones = s32[ROW] broadcast(one), dimensions={}
  s = T[ROW] add(x, c)
  m = T[ROW] MORE(s, x)
  k = s32[ROW] add(n, ones)
  z = s32[ROW] add(k, y)
  ROOT t = (T[ROW], s32[ROW], T[ROW], s32[ROW]) tuple(m, z, s, k)
}

ENTRY e {
  p0 = T[DIMS] parameter(0)
  p1 = s32[DIMS] parameter(1)
  p2 = T[ROW] parameter(2)
  p3 = s32[ROW] parameter(3)
  ROOT r = (T[DIMS], s32[DIMS], T[ROW], s32[ROW]) scan(p0, p1, p2, p3), ATTRS, num_carries=2, to_apply=f
}
`
	more := "maximum"
	if typ == "c64" {
		more = "multiply"
	}
	return strings.NewReplacer("T[", typ+"[", "DIMS", dims, "ROW", row, "ATTRS", attrs, "MORE", more).Replace(text)
}

// TestCompiledScan compares scans in the compiler, which makes loops of them, with the evaluator.
func TestCompiledScan(t *testing.T) {
	for _, c := range []struct{ types, dims, row, attrs string }{
		{"f32 bf16 u8 s64 c64", "5,3", "3", "dimensions={0}"},
		{"f32 f64", "5,3", "5", "dimensions={1}, is_reverse=true"},
		{"f32 s16", "4,6,5", "4,5", "dimensions={1}"},
		{"f32", "40", "", "dimensions={0}, is_reverse=true"},
		{"f32", "4,40,30", "40,30", "dimensions={0}"},
		{"f32 s32", "1,7", "7", "dimensions={0}"},
	} {
		for _, typ := range strings.Fields(c.types) {
			t.Run(typ+"_"+c.dims+"_"+c.attrs, func(t *testing.T) {
				m, err := hlotext.Parse(scanText(typ, c.dims, c.row, c.attrs), hlotext.ParseOptions{})
				if err != nil {
					t.Fatal(err)
				}
				var args []literal.Literal
				for _, p := range m.Entry().Params() {
					x := literal.New(p.Shape())
					for i := range x.Len() {
						x.SetFloat(i, float64(7*i%11)/2)
					}
					args = append(args, x)
				}
				want, err := runOn(t, xla.Interp(), m, args)
				if err != nil {
					t.Fatal(err)
				}
				got, err := runOn(t, xla.CPU(), m, args)
				if err != nil {
					t.Fatal(err)
				}
				for k := range want {
					if err := literal.Compare(got[k], want[k], literal.Tolerance{}); err != nil {
						t.Errorf("result %d: %v", k, err)
					}
				}
			})
		}
	}
}
