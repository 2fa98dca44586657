package plan_test

import (
	"strings"
	"testing"

	"github.com/goxla/xla/cpu/plan"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
)

// TestSumComputed: which products of vectors and a computed matrix are sums in the kernel that computes it.
func TestSumComputed(t *testing.T) {
	const groups = `  w = s8[512,128] parameter(0)
  s = f32[16,128] parameter(1)
  c = f32[512,128] convert(w)
  g = f32[16,32,128] reshape(c)
  b = f32[16,32,128] broadcast(s), dimensions={0,2}
  p = f32[16,32,128] multiply(g, b)
  y = f32[512,128] reshape(p)
`
	const large = `  w = s8[2048,128] parameter(0)
  s = f32[] parameter(1)
  c = f32[2048,128] convert(w)
  b = f32[2048,128] broadcast(s), dimensions={}
  y = f32[2048,128] multiply(c, b)
`
	const tanh = `  w = s8[512,128] parameter(0)
  s = f32[] parameter(1)
  c = f32[512,128] convert(w)
  y = f32[512,128] tanh(c)
`
	cast := strings.NewReplacer("  c = f32[512,128] convert(w)\n", "", "s8[", "f32[", "reshape(c)", "reshape(w)")
	product := func(x, result, contracting string) string {
		return "  x = f32[" + x + "] parameter(2)\n  ROOT z = f32[" + result + "] dot(x, y), " + contracting + "\n"
	}
	const rows = "lhs_contracting_dims={1}, rhs_contracting_dims={0}"
	apart := func(typ, y, product string) string {
		y = "  y = f32[" + y + "] parameter(0)\n  s = f32[] parameter(1)\n"
		return strings.ReplaceAll(y+product, "f32[", typ+"[")
	}
	const batch = "lhs_batch_dims={0}, rhs_batch_dims={0}"
	const columns = "lhs_contracting_dims={1}, rhs_contracting_dims={1}"
	const far = "lhs_contracting_dims={0}, rhs_contracting_dims={1}"
	for name, test := range map[string]struct {
		body string
		sums bool
	}{
		"groups of weights": {groups + product("1,512", "1,128", rows), true},
		"of a vector":       {groups + product("512", "128", "lhs_contracting_dims={0}, rhs_contracting_dims={0}"), true},
		"along columns":     {groups + product("1,128", "1,512", "lhs_contracting_dims={1}, rhs_contracting_dims={1}"), true},
		"matrix first": {groups + `  x = f32[128,1] parameter(2)
  ROOT z = f32[512,1] dot(y, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
`, true},
		"transposed": {groups + `  t = f32[128,512] transpose(y), dimensions={1,0}
  x = f32[1,512] parameter(2)
  ROOT z = f32[1,128] dot(x, t), lhs_contracting_dims={1}, rhs_contracting_dims={1}
`, true},
		"words":              {cast.Replace(groups) + product("1,512", "1,128", rows), true},
		"rows of bytes":      {large + product("4,2048", "4,128", rows), true},
		"too many rows":      {large + product("5,2048", "5,128", rows), false},
		"rows, small matrix": {groups + product("2,512", "2,128", rows), false},
		"two readers": {`  w = s8[512,128] parameter(0)
  s = f32[] parameter(1)
  c = f32[512,128] convert(w)
  e = f32[512,128] tanh(c)
  y = f32[512,128] add(c, e)
` + product("1,512", "1,128", rows), false},
		"functions":               {tanh + product("1,512", "1,128", rows), true},
		"functions, several rows": {strings.ReplaceAll(tanh, "512", "4096") + product("2,4096", "2,128", rows), false},
		"functions, narrow":       {strings.ReplaceAll(tanh, "512,128", "16384,8") + product("1,16384", "1,8", rows), false},
		"in memory": {`  y = f32[512,128] parameter(0)
  s = f32[] parameter(1)
` + product("1,512", "1,128", rows), false},
		"read again": {groups + `  x = f32[1,512] parameter(2)
  d = f32[1,128] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  n = f32[512,128] negate(y)
  ROOT z = (f32[1,128], f32[512,128]) tuple(d, n)
`, false},
		"of a product": {`  u = f32[512,64] parameter(0)
  v = f32[64,128] parameter(1)
  d = f32[512,128] dot(u, v), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  y = f32[512,128] tanh(d)
` + product("1,512", "1,128", rows), false},
		"complex, neighbours":    {apart("c64", "90,30", product("4,30", "4,90", columns)), true},
		"complex, matrix first":  {apart("c128", "30", product("90,30", "90", rows)), true},
		"long integers":          {apart("s64", "30", product("90,30", "90", rows)), true},
		"complex, no sums":       {apart("c64", "90,30", product("90", "90,30", batch)), true},
		"complex, outer":         {apart("c64", "90,30", product("90,5", "90,5,30", batch)), true},
		"complex, vectors apart": {apart("c64", "90,30", product("30,2", "2,90", far)), true},
		"complex, more apart":    {apart("c64", "90,30", product("30,3", "3,90", far)), false},
		"complex, many rows":     {apart("c64", "90,30", product("5,30", "5,90", columns)), false},
		"complex, no neighbours": {apart("c64", "30,90", product("4,30", "4,90", rows)), false},
		"complex, short":         {apart("c64", "90,4", product("4,4", "4,90", columns)), false},
		"integers":               {apart("s32", "90,30", product("4,30", "4,90", columns)), false},
		"small": {`  w = f32[32,128] parameter(0)
  s = f32[] parameter(1)
  y = f32[32,128] negate(w)
` + product("1,32", "1,128", rows), false},
	} {
		m, err := hlotext.Parse("HloModule m\nENTRY e {\n"+test.body+"}\n", hlotext.ParseOptions{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if changed := plan.SumComputed(m); changed != test.sums {
			t.Errorf("%s: changed: %v\n%s", name, changed, hlotext.String(m, hlotext.Default()))
		}
		if err := hlo.Verify(m, hlo.VerifyOptions{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
