package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
)

// TestWeights: constant operands of products that are packed one behind the other, outside of the Go heap if they are
// large, are those of the products; a program that is closed twice frees them once.
func TestWeights(t *testing.T) {
	pool := exec.NewPool(2)
	defer pool.Close()
	for _, width := range []int{24, 400} {
		r := rand.New(rand.NewPCG(uint64(width), 3))
		matrix := func() string {
			rows := make([]string, width)
			for i := range rows {
				row := make([]string, width)
				for j := range row {
					row[j] = fmt.Sprint(r.IntN(5) - 2)
				}
				rows[i] = "{" + strings.Join(row, ",") + "}"
			}
			return "{" + strings.Join(rows, ",") + "}"
		}
		text := strings.NewReplacer("$W", fmt.Sprintf("f32[%d,%[1]d]", width), "$X", fmt.Sprintf("f32[40,%d]", width),
			"$ONE", matrix(), "$TWO", matrix()).Replace(`HloModule weights

ENTRY e {
  x = $X parameter(0)
  one = $W constant($ONE)
  two = $W constant($TWO)
  y = $X dot(x, one), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  z = $X negate(y)
  ROOT r = $X dot(z, two), lhs_contracting_dims={1}, rhs_contracting_dims={1}
}
`)
		prog, err := xla.Parse("weights.hlo", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		p, err := cpu.Compile(t.Context(), prog.Module(), cpu.Options{Pool: pool})
		if err != nil {
			t.Fatal(err)
		}
		entry, eval := prog.Module().Entry(), interp.New(t.Context(), interp.Options{})
		args := []literal.Literal{literal.New(entry.Params()[0].Shape())}
		for i := range 40 * width {
			args[0].SetFloat(i, float64(r.IntN(5)-2))
		}
		want, err := eval.Computation(entry, args)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			got, err := p.Run(t.Context(), args, eval)
			if err != nil {
				t.Fatal(err)
			}
			if string(got.Bytes()) != string(want.Bytes()) { // sums of small integers
				t.Errorf("width %d: expected %v, got %v", width, want, got)
			}
		}
		p.Close()
		p.Close()
		if _, err := p.Run(t.Context(), args, eval); err == nil {
			t.Errorf("width %d: expected an error of a closed program", width)
		}
	}
}
