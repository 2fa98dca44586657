package xla_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/literal"
)

// scalarLoops are loops on scalars: the type of the state after s32[] n, which counts down, and what the body makes
// of its elements x and y.
var scalarLoops = []struct{ name, state, body, next string }{
	{"exchange", "s64[], s64[]", "z = s64[] add(x, y)", "y, z"},
	{"swap", "f32[], f32[]", "", "y, x"},
	{"bytes", "u8[], s8[]", "a = u8[] convert(y)\nu = u8[] add(x, a)\nv = s8[] multiply(y, y)", "u, v"},
	{"truth values", "pred[], f32[]", "q = pred[] not(x)\nd = f32[] add(y, y)\nv = f32[] select(x, y, d)", "q, v"},
	{"complex", "c64[], c64[]", "u = c64[] multiply(x, y)\nv = c64[] add(x, y)", "u, v"},
	{"narrow", "bf16[], f16[]", "u = bf16[] multiply(x, x)\na = f16[] convert(u)\nv = f16[] add(y, a)", "u, v"},
	{"bytes of floats", "f8e4m3fn[], f64[]",
		"u = f8e4m3fn[] add(x, x)\na = f64[] convert(u)\nv = f64[] add(y, a)", "u, v"},
	{"unused", "f32[], f32[]", "v = f32[] add(y, y)", "x, v"},
}

// TestScalarLoops: as many iterations as there are in one call of a kernel and more, in machine code and without.
func TestScalarLoops(t *testing.T) {
	for _, test := range scalarLoops {
		shapes := strings.Split(test.state, ", ")
		text := fmt.Sprintf(`HloModule m
cond {
  p = (s32[], %[1]s) parameter(0)
  n = s32[] get-tuple-element(p), index=0
  z = s32[] constant(0)
  ROOT c = pred[] compare(n, z), direction=GT
}
body {
  p = (s32[], %[1]s) parameter(0)
  n = s32[] get-tuple-element(p), index=0
  x = %[2]s get-tuple-element(p), index=1
  y = %[3]s get-tuple-element(p), index=2
  one = s32[] constant(1)
  m = s32[] subtract(n, one)
  %[4]s
  ROOT t = (s32[], %[1]s) tuple(m, %[5]s)
}
ENTRY e {
  s = (s32[], %[1]s) parameter(0)
  w = (s32[], %[1]s) while(s), condition=cond, body=body
  one = s32[] constant(1)
  n = s32[] get-tuple-element(s), index=0
  m = s32[] add(n, one)
  ROOT r = ((s32[], %[1]s), s32[]) tuple(w, m)
}`, test.state, shapes[0], shapes[1], test.body, test.next)
		for _, tier := range []string{"portable", "avx2", "avx512"} {
			if want, err := exec.ParseTier(tier); err != nil || want > exec.Host().Tier() {
				continue
			}
			t.Setenv(exec.TierEnv, tier)
			exe, err := newClient(t, xla.Options{Backend: xla.CPU()}).Compile(t.Context(), parse(t, text))
			if err != nil {
				t.Fatalf("%s: %v", test.name, err)
			}
			if !strings.Contains(exe.Plan(false), "in one kernel") {
				t.Errorf("%s: expects a loop in one kernel, got %s", test.name, exe.Plan(false))
			}
			checkLoop(t, test.name+" on "+tier, text, exe)
		}
	}
}

func checkLoop(t *testing.T, name, text string, exe *xla.Executable) {
	t.Helper()
	truth, err := newClient(t, xla.Options{Backend: xla.Interp()}).Compile(t.Context(), parse(t, text))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int32{0, 1, 2, 7, 12345} {
		arg := literal.New(exe.Signature().Params[0])
		arg.Elems()[0].SetInt(0, int64(n))
		for _, e := range arg.Elems()[1:] {
			copy(e.Bytes(), literal.One(e.Type()).Bytes())
		}
		got, want := run(t, exe, arg), run(t, truth, arg)
		for k := range want {
			if err := literal.Compare(got[k], want[k], literal.ULP(0)); err != nil {
				t.Errorf("%s, %d iterations: %v", name, n, err)
			}
		}
	}
}
