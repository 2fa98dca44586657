package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/literal"
)

// TestRecordedRows: loops in a loop of lanes that repeat elements read these from where the loops around are.
func TestRecordedRows(t *testing.T) {
	pool := exec.NewPool(2)
	defer pool.Close()
	r := rand.New(rand.NewPCG(1, 2))
	for _, typ := range []string{"s8", "s16", "bf16", "s32", "u64"} {
		text := fmt.Sprintf(`HloModule m
largest {
  a = %[1]s[] parameter(0)
  b = %[1]s[] parameter(1)
  ROOT c = %[1]s[] maximum(a, b)
}
ENTRY e {
  x = %[1]s[2,16,8,2] parameter(0)
  y = %[1]s[2,16,8,5,2] broadcast(x), dimensions={0,1,2,4}
  z = %[1]s[2,2,8,8,10] reshape(y)
  init = %[1]s[] constant(2)
  ROOT s = %[1]s[2,10] reduce(z, init), dimensions={0,2,3}, to_apply=largest
}
`, typ)
		m, err := hlotext.Parse(text, hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		args := []literal.Literal{someOf(r, m.Entry().Params()[0].Shape())}
		for tier, p := range onTiers(t, m, pool) {
			got, err := p.Run(t.Context(), args, nil)
			if err != nil {
				t.Fatalf("%s, %s: %v", typ, tier, err)
			}
			agree(t, m, args, got)
		}
	}
}
