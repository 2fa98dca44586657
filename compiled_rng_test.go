package xla_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/literal"
)

// TestCompiledRng: draws have the same bits as in the evaluator, for every type and limits of all kinds; normal ones
// may be rounded otherwise. What comes behind shows that the counter went on by as much.
func TestCompiledRng(t *testing.T) {
	floats := strings.Fields("f64 f32 f16 bf16 f8e5m2 f8e4m3fn f8e4m3 f8e3m4 f8e4m3b11fnuz f8e4m3fnuz f8e5m2fnuz f4e2m1fn")
	integers := strings.Fields("s64 s32 s16 s8 s4 s2 u64 u32 u16 u8 u4 u2 pred")
	for _, f := range floats {
		for _, limits := range []string{"-1 1", "0 1", "0 -1", "0.5 0.5", "-0.5 0", "1 1.0625", "-inf inf", "0 inf", "nan 1",
			"0 nan", "-3 -2", "0 1e-45", "-1e-45 1e-45"} {
			checkRng(t, f, f, limits, "rng_uniform", literal.Tolerance{})
		}
		normal := literal.ULP(1)
		if f == "f64" {
			normal = literal.Relative(1e-14, 1e-14)
		}
		checkRng(t, f, f, "1 2", "rng_normal", normal)
	}
	checkRng(t, "bf16", "f32", "0.1 0.7", "rng_uniform", literal.Tolerance{})
	checkRng(t, "f16", "f64", "0.1 0.7", "rng_uniform", literal.Tolerance{})
	checkRng(t, "f32", "f64", "0.1 0.7", "rng_uniform", literal.Tolerance{})
	for _, i := range integers {
		checkRng(t, i, i, "0 1", "rng_uniform", literal.Tolerance{})
		checkRng(t, i, i, "1 0", "rng_uniform", literal.Tolerance{})
	}
	for _, i := range strings.Fields("s64 s32 s16 s8") {
		checkRng(t, i, i, "-100 100", "rng_uniform", literal.Tolerance{})
	}
}

func checkRng(t *testing.T, result, limit, limits, distribution string, tolerance literal.Tolerance) {
	t.Helper()
	a, b, _ := strings.Cut(limits, " ")
	if limit == "pred" {
		a, b = fmt.Sprint(a == "1"), fmt.Sprint(b == "1")
	}
	text := fmt.Sprintf(`HloModule m

ENTRY e {
  a = %[2]s[] constant(%[3]s)
  b = %[2]s[] constant(%[4]s)
  x = %[1]s[3,7] rng(a, b), distribution=%[5]s
  s = u64[2] rng-get-and-update-state(), delta=3, control-predecessors={x}
  y = %[1]s[] rng(a, b), distribution=%[5]s, control-predecessors={s}
  ROOT t = (%[1]s[3,7], u64[2], %[1]s[]) tuple(x, s, y)
}`, result, limit, a, b, distribution)
	m, err := hlotext.Parse(text, hlotext.ParseOptions{})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	want, err := runOn(t, xla.Interp(), m, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	got, err := runOn(t, xla.CPU(), m, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for k := range want {
		if err := literal.Compare(got[k], want[k], tolerance); err != nil {
			t.Errorf("%s of %s from %s to %s: %v", result, limit, a, b, err)
		}
	}
}
