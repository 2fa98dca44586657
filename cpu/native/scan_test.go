package native_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/goxla/xla/literal"
)

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
  m = T[ROW] maximum(s, x)
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
	return strings.NewReplacer("T[", typ+"[", "DIMS", dims, "ROW", row, "ATTRS", attrs).Replace(text)
}

func TestScan(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct{ types, dims, row, attrs string }{
		{"f32 bf16 u8 s64 c64", "5,3", "3", "dimensions={0}"},
		{"f32 f64", "5,3", "5", "dimensions={1}, is_reverse=true"},
		{"f32 s16", "4,6,5", "4,5", "dimensions={1}"},
		{"f32", "40", "", "dimensions={0}, is_reverse=true"},
		{"f32", "4,40,30", "40,30", "dimensions={0}"},
		{"f32 s32", "1,7", "7", "dimensions={0}"},
	} {
		for _, typ := range strings.Fields(c.types) {
			text := scanText(typ, c.dims, c.row, c.attrs)
			if typ == "c64" {
				text = strings.ReplaceAll(text, "maximum(s, x)", "multiply(s, x)")
			}
			i := parse(t, text)
			t.Run(typ+"_"+c.dims+"_"+c.attrs, func(t *testing.T) {
				compare(t, i, randomArgs(r, i, numbers), literal.Tolerance{})
			})
		}
	}
}
