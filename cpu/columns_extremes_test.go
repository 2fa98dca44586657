package cpu_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
)

// TestColumnsExtremes: the largest and the least of columns of narrow numbers, and what their bits have in common, are
// kept in memory as narrow, those of bf16 as keys, and agree with the evaluator for any bits: NaNs, infinities and
// zeros of both signs among them.
func TestColumnsExtremes(t *testing.T) {
	pool := exec.NewPool(2)
	defer pool.Close()
	for ty, ops := range map[string][]string{
		"bf16": {"maximum", "minimum"}, "f16": {"maximum", "minimum"},
		"s8": {"maximum", "minimum", "and"}, "u8": {"maximum", "minimum", "or"},
		"s16": {"maximum", "minimum", "xor"}, "u16": {"maximum", "minimum", "and"},
	} {
		for _, o := range ops {
			for _, rows := range []string{"61", "9,7"} {
				dims := map[string]string{"61": "0", "9,7": "0,1"}[rows]
				m, err := hlotext.Parse(fmt.Sprintf(`HloModule m
by {
  a = %[1]s[] parameter(0)
  b = %[1]s[] parameter(1)
  ROOT m = %[1]s[] %[2]s(a, b)
}
ENTRY e {
  x = %[1]s[%[3]s,4423] parameter(0)
  first = %[1]s[] parameter(1)
  ROOT y = %[1]s[4423] reduce(x, first), dimensions={%[4]s}, to_apply=by
}
`, ty, o, rows, dims), hlotext.ParseOptions{})
				if err != nil {
					t.Fatal(err)
				}
				params := m.Entry().Params()
				x := literal.New(params[0].Shape())
				r := rand.New(rand.NewPCG(uint64(len(o)), 5))
				bytes := x.Bytes()
				for k := range len(bytes) / 2 { // a zero, an infinity or a NaN in some columns only
					binary.LittleEndian.PutUint16(bytes[2*k:], uint16(r.Uint32()))
				}
				args := []literal.Literal{x, literal.New(params[1].Shape())}
				args[1].SetFloat(0, 1)
				want, err := interp.New(t.Context(), interp.Options{}).Computation(m.Entry(), args)
				if err != nil {
					t.Fatal(err)
				}
				for tier, p := range onTiers(t, m, pool) {
					if text := p.Plan().Text(true); !strings.Contains(text, "buffer sums") {
						t.Errorf("%s, %s of %s: the sums are not in memory:\n%v", tier, o, ty, text)
					}
					got, err := p.Run(t.Context(), args, nil)
					if err != nil {
						t.Fatal(err)
					}
					sameNumbers(t, fmt.Sprint(tier, ": ", o, " of ", ty), want, got)
				}
			}
		}
	}
}

// sameNumbers compares two arrays of numbers bit by bit, but for those of NaNs.
func sameNumbers(t *testing.T, what string, want, got literal.Literal) {
	t.Helper()
	for k := range want.Len() {
		w, g := want.FloatAt(k), got.FloatAt(k)
		if math.Float64bits(w) != math.Float64bits(g) && (w == w || g == g) {
			t.Fatalf("%s, element %d: expected %v, got %v", what, k, w, g)
		}
	}
}

// TestColumnsOfTruths: what holds in a row, in all rows, or in an odd number of them, of many columns is kept in memory
// as bytes; of few columns in registers.
func TestColumnsOfTruths(t *testing.T) {
	for _, o := range []string{"and", "or", "xor"} {
		for _, columns := range []int{2000, 2048, 100} {
			onPools(t, fmt.Sprintf(`HloModule m
by {
  a = pred[] parameter(0)
  b = pred[] parameter(1)
  ROOT m = pred[] %s(a, b)
}
ENTRY e {
  x = f32[203,%[2]d] parameter(0)
  y = f32[203,%[2]d] parameter(1)
  first = pred[] parameter(2)
  less = pred[203,%[2]d] compare(x, y), direction=LT
  ROOT z = pred[%[2]d] reduce(less, first), dimensions={0}, to_apply=by
}
`, o, columns), 0, func(tier string, p *cpu.Program) {
				text := p.Plan().Text(true)
				if strings.Contains(text, "buffer sums") != (columns >= 2000) {
					t.Errorf("%s: %s of %d columns: sums in memory: expected %v\n%s", tier, o, columns, columns >= 2000, text)
				}
			})
		}
	}
}
