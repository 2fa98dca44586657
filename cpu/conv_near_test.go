package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/cpu/exec"
)

// TestNearRows: the input of short windows over rows of half floats is brought near where these do not fill vectors.
func TestNearRows(t *testing.T) {
	pool := exec.NewPool(2)
	defer pool.Close()
	for _, test := range []struct {
		ty      string
		columns int
		eps     float64
		near    bool
	}{{"bf16", 14, 1.0 / 128, true}, {"f16", 28, 1e-3, true}, {"f16", 7, 1e-3, true}, {"bf16", 32, 1.0 / 128, false},
		{"f32", 28, 1e-6, false}} {
		text := fmt.Sprintf(`HloModule c

ENTRY e {
  x = %[1]s[2,48,30,%[2]d] parameter(0)
  k = %[1]s[48,1,3,3] parameter(1)
  ROOT y = %[1]s[2,48,30,%[2]d] convolution(x, k), window={size=3x3 pad=1_1x1_1}, dim_labels=bf01_oi01->bf01,
    feature_group_count=48
}
`, test.ty, test.columns)
		prog, err := xla.Parse("conv.hlo", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range onTiers(t, prog.Module(), pool) {
			if near := strings.Contains(p.Plan().Text(true), "scratch"); near != test.near {
				t.Errorf("rows of %d %s: brought near: %t, want %t", test.columns, test.ty, near, test.near)
			}
			compareDot(t, rand.New(rand.NewPCG(1, 17)), prog.Module(), p, test.eps)
		}
	}
}
