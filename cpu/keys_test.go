package cpu_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/literal"
)

// rowsOfBF16 has a row of columns for each number of 16 bits: that in the middle, and else fill.
func rowsOfBF16(columns int, fill uint16) []byte {
	x := make([]byte, 0, 2*columns<<16)
	for n := range 1 << 16 {
		for k := range columns {
			v := fill
			if k == columns/2+n%3 {
				v = uint16(n)
			}
			x = binary.LittleEndian.AppendUint16(x, v)
		}
	}
	return x
}

func ofBF16(bits uint16) float32 { return math.Float32frombits(uint32(bits) << 16) }

// TestExtremesOfBF16: the largest and the least of rows of bf16 are right for every number beside an infinity, another
// number and zeros, and begin with what they are to begin with.
func TestExtremesOfBF16(t *testing.T) {
	pool := exec.NewPool(1)
	defer pool.Close()
	const columns = 77
	for _, o := range []string{"maximum", "minimum"} {
		m, err := hlotext.Parse(fmt.Sprintf(`HloModule m
by {
  a = bf16[] parameter(0)
  b = bf16[] parameter(1)
  ROOT m = bf16[] %s(a, b)
}
ENTRY e {
  x = bf16[65536,%d] parameter(0)
  first = bf16[] parameter(1)
  ROOT y = bf16[65536] reduce(x, first), dimensions={1}, to_apply=by
}
`, o, columns), hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		most := func(x, y float32) float32 { return max(x, y) }
		if o == "minimum" {
			most = func(x, y float32) float32 { return min(x, y) }
		}
		params := m.Entry().Params()
		for tier, p := range onTiers(t, m, pool) {
			if text := p.Plan().Text(true); tier != "portable" && !strings.Contains(text, "load s16") {
				t.Errorf("%s, %s: the bits are not compared:\n%v", tier, o, text)
			}
			for _, fill := range [][2]uint16{{0xFF80, 0xFF80}, {0x7F80, 0x7F80}, {0x3F80, 0xBF80}, {0x8000, 0x8000},
				{0, 0x8000}, {0x0001, 0x4000}} {
				x, _ := literal.FromBytes(params[0].Shape(), rowsOfBF16(columns, fill[0]))
				first, _ := literal.FromBytes(params[1].Shape(), binary.LittleEndian.AppendUint16(nil, fill[1]))
				y, err := p.Run(t.Context(), []literal.Literal{x, first}, nil)
				if err != nil {
					t.Fatal(err)
				}
				beside := most(ofBF16(fill[0]), ofBF16(fill[1]))
				for n := range 1 << 16 {
					want, got := most(ofBF16(uint16(n)), beside), ofBF16(binary.LittleEndian.Uint16(y.Bytes()[2*n:]))
					if math.Float32bits(got) != math.Float32bits(want) && (got == got || want == want) {
						t.Fatalf("%s: %s of %#x and %v: expected %v, got %v", tier, o, n, beside, want, got)
					}
				}
			}
		}
	}
}
