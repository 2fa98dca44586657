package cpu_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
)

// TestRowsExtremes: the largest and the least of rows of bf16 and f16 are found as integers of 16 bits, and agree with
// the evaluator in rows of any bits, in such without NaNs, and in such of numbers near zero and infinities.
func TestRowsExtremes(t *testing.T) {
	pool := exec.NewPool(2)
	defer pool.Close()
	for ty, inf := range map[string]uint16{"bf16": 0x7f80, "f16": 0x7c00} {
		for _, o := range []string{"maximum", "minimum"} {
			m, err := hlotext.Parse(fmt.Sprintf(`HloModule m
by {
  a = %[1]s[] parameter(0)
  b = %[1]s[] parameter(1)
  ROOT m = %[1]s[] %[2]s(a, b)
}
ENTRY e {
  x = %[1]s[40,423] parameter(0)
  first = %[1]s[] parameter(1)
  ROOT y = %[1]s[40] reduce(x, first), dimensions={1}, to_apply=by
}
`, ty, o), hlotext.ParseOptions{})
			if err != nil {
				t.Fatal(err)
			}
			args := []literal.Literal{literal.New(m.Entry().Params()[0].Shape()), literal.New(m.Entry().Params()[1].Shape())}
			fillExtremes(args[0].Bytes(), 423, inf)
			// An infinity, so that the rows say what comes out.
			first := inf
			if o == "maximum" {
				first |= 1 << 15
			}
			binary.LittleEndian.PutUint16(args[1].Bytes(), first)
			want, err := interp.New(t.Context(), interp.Options{}).Computation(m.Entry(), args)
			if err != nil {
				t.Fatal(err)
			}
			for tier, p := range onTiers(t, m, pool) {
				if text := p.Plan().Text(true); tier != "portable" && !strings.Contains(text, "load s16") {
					t.Errorf("%s, %s of %s: not found as integers:\n%v", tier, o, ty, text)
				}
				got, err := p.Run(t.Context(), args, nil)
				if err != nil {
					t.Fatal(err)
				}
				sameNumbers(t, fmt.Sprint(tier, ": ", o, " of ", ty), want, got)
				if ty == "f16" { // of which no denormal is taken for zero
					p, err := cpu.Compile(t.Context(), m, cpu.Options{Pool: pool, Denormals: exec.FlushDenormals})
					if err != nil {
						t.Fatal(err)
					}
					if got, err = p.Run(t.Context(), args, nil); err != nil {
						t.Fatal(err)
					}
					sameNumbers(t, fmt.Sprint(tier, ", flushing: ", o, " of ", ty), want, got)
				}
			}
		}
	}
}

// fillExtremes fills rows of so many elements of two bytes: the first four of any bits, others of numbers and
// infinities, of numbers near zero, or of one sign.
func fillExtremes(bytes []byte, columns int, inf uint16) {
	r := rand.New(rand.NewPCG(uint64(inf), 5))
	for k := range len(bytes) / 2 {
		row, v := k/columns, uint16(r.Uint32())
		magnitude := v &^ (1 << 15)
		switch {
		case row < 4:
		case row%4 == 0:
			v = v&(1<<15) | min(magnitude, inf)
		case row%4 == 1:
			v = v&(1<<15) | magnitude>>9
		default:
			v = uint16(row%2)<<15 | min(magnitude, inf-1)>>(row/8)
		}
		binary.LittleEndian.PutUint16(bytes[2*k:], v)
	}
}
