package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/cpu/plan"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/op"
)

// TestFillDepths: by how much depths are filled up, and that products keep what is known of them.
func TestFillDepths(t *testing.T) {
	avx2, tiles := gemm.Config{Tier: exec.AVX2}, gemm.Config{Tier: exec.AVX512, TileBF16: true}
	pairs := gemm.Config{Tier: exec.AVX512, BF16: true}
	for _, test := range []struct {
		x, y, z string
		depth   int
		machine gemm.Config
		fill    int
	}{
		{"s8", "s8", "s32", 65, avx2, 3},
		{"u8", "s8", "s32", 67, avx2, 1},
		{"s8", "s16", "s32", 65, avx2, 1},
		{"bf16", "bf16", "f32", 65, tiles, 1},
		{"bf16", "bf16", "f32", 65, pairs, 1},
		{"bf16", "bf16", "f32", 65, avx2, 0},
		{"bf16", "bf16", "f64", 65, pairs, 0},
		{"s8", "s8", "s32", 68, avx2, 0},
		{"s8", "s8", "s32", 63, avx2, 0},
		{"f32", "f32", "f32", 65, tiles, 0},
		{"s8", "s8", "s32", 65, gemm.Config{}, 0},
	} {
		m, err := hlotext.Parse(fmt.Sprintf(`HloModule m
ENTRY e {
  x = %s[32,%d] parameter(0)
  y = %s[%[2]d,32] parameter(1)
  ROOT z = %[4]s[32,32] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}, metadata={op_name="kept"}
}
`, test.x, test.depth, test.y, test.z), hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if changed := plan.FillDepths(m, test.machine); changed != (test.fill > 0) {
			t.Errorf("%+v: changed: %v", test, changed)
		}
		if err := hlo.Verify(m, hlo.VerifyOptions{}); err != nil {
			t.Fatal(err)
		}
		text := hlotext.String(m, hlotext.Default())
		if test.fill > 0 && !strings.Contains(text, fmt.Sprintf("padding=0_0x0_%d", test.fill)) ||
			!strings.Contains(text, `op_name="kept"`) {
			t.Errorf("%+v: got\n%s", test, text)
		}
	}
}

// TestFillDepthsOfConstants: a constant operand stays one, with zeros behind each of its rows, or behind all of them.
func TestFillDepthsOfConstants(t *testing.T) {
	for _, c := range []struct {
		dims    string
		dim     int
		padding func(row, column int) bool
	}{
		{"[65,20]", 0, func(row, _ int) bool { return row >= 65 }},
		{"[20,65]", 1, func(_, column int) bool { return column >= 65 }},
	} {
		m, err := hlotext.Parse(fmt.Sprintf(`HloModule m
ENTRY e {
  x = s8[40,65] parameter(0)
  y = s8%s constant({...})
  ROOT z = s32[40,20] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={%d}
}
`, c.dims, c.dim), hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range m.Entry().Instructions() {
			if a, ok := i.Attrs().(*op.ConstantAttrs); ok {
				for k := range a.Value.Len() {
					a.Value.SetInt(k, int64(k%100)+1)
				}
			}
		}
		if !plan.FillDepths(m, gemm.Config{Tier: exec.AVX2}) {
			t.Fatal("nothing is filled up")
		}
		y := m.Entry().Root().Operand(1)
		a, ok := y.Attrs().(*op.ConstantAttrs)
		if !ok {
			t.Fatalf("%s: got %v, want a constant", c.dims, y)
		}
		from, width := 0, y.Shape().Dims[1]
		for k := range a.Value.Len() {
			want := int64(0)
			if !c.padding(k/width, k%width) {
				want, from = int64(from%100)+1, from+1
			}
			if got := a.Value.IntAt(k); got != want {
				t.Fatalf("%s: element %d: got %d, want %d", c.dims, k, got, want)
			}
		}
	}
}
