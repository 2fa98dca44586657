package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/literal"
)

// starts matches what tells where an operand begins.
var starts = regexp.MustCompile(`b\d+\[b\d+\*`)

// startedPrograms have products that read parts of arrays at computed places: how many operands do so, and the program.
var startedPrograms = map[string]struct {
	in   int
	body string
}{
	"columns": {1, `  w = f32[5,37,53] parameter(0)
  x = f32[7,37] parameter(1)
  i = s32[] parameter(2)
  z = s32[] constant(0)
  s = f32[1,37,53] dynamic-slice(w, i, z, z), dynamic_slice_sizes={1,37,53}
  r = f32[37,53] reshape(s)
  ROOT y = f32[7,53] dot(x, r), lhs_contracting_dims={1}, rhs_contracting_dims={0}`},
	"rows, and an index of 64 bits": {1, `  w = f32[5,53,37] parameter(0)
  x = f32[7,37] parameter(1)
  i = s64[] parameter(2)
  z = s64[] constant(0)
  s = f32[1,53,37] dynamic-slice(w, i, z, z), dynamic_slice_sizes={1,53,37}
  r = f32[53,37] reshape(s)
  ROOT y = f32[7,53] dot(x, r), lhs_contracting_dims={1}, rhs_contracting_dims={1}`},
	"parts of two dimensions": {2, `  w = f32[3,5,41,53] parameter(0)
  x = f32[9,2,41] parameter(1)
  i = u32[] parameter(2)
  j = s32[] parameter(3)
  z = s32[] constant(0)
  o = u32[] constant(0)
  s = f32[1,1,40,53] dynamic-slice(w, i, i, i, o), dynamic_slice_sizes={1,1,40,53}
  r = f32[40,53] reshape(s)
  a = f32[9,1,40] dynamic-slice(x, z, j, z), dynamic_slice_sizes={9,1,40}
  b = f32[9,40] reshape(a)
  ROOT y = f32[9,53] dot(b, r), lhs_contracting_dims={1}, rhs_contracting_dims={0}`},
	"neighbours that are none in the array": {0, `  w = f32[37,53,5] parameter(0)
  x = f32[7,37] parameter(1)
  i = s32[] parameter(2)
  z = s32[] constant(0)
  s = f32[37,53,1] dynamic-slice(w, z, z, i), dynamic_slice_sizes={37,53,1}
  r = f32[37,53] reshape(s)
  ROOT y = f32[7,53] dot(x, r), lhs_contracting_dims={1}, rhs_contracting_dims={0}`},
	"words": {1, `  w = bf16[5,40,64] parameter(0)
  x = bf16[16,40] parameter(1)
  i = s32[] parameter(2)
  z = s32[] constant(0)
  s = bf16[1,40,64] dynamic-slice(w, i, z, z), dynamic_slice_sizes={1,40,64}
  r = bf16[40,64] reshape(s)
  ROOT y = f32[16,64] dot(x, r), lhs_contracting_dims={1}, rhs_contracting_dims={0}`},
	"a batch": {1, `  w = f32[5,3,37,49] parameter(0)
  x = f32[3,19,37] parameter(1)
  i = s32[] parameter(2)
  z = s32[] constant(0)
  s = f32[1,3,37,49] dynamic-slice(w, i, z, z, z), dynamic_slice_sizes={1,3,37,49}
  r = f32[3,37,49] reshape(s)
  ROOT y = f32[3,19,49] dot(x, r), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2},
     rhs_contracting_dims={1}`},
	"a constant": {1, `  w = f32[3,37,49] constant({...})
  x = f32[9,37] parameter(0)
  i = s32[] parameter(1)
  z = s32[] constant(0)
  s = f32[1,37,49] dynamic-slice(w, i, z, z), dynamic_slice_sizes={1,37,49}
  r = f32[37,49] reshape(s)
  ROOT y = f32[9,49] dot(x, r), lhs_contracting_dims={1}, rhs_contracting_dims={0}`},
	"a filter": {1, `  w = f32[4,3,3,16,24] parameter(0)
  x = f32[1,9,11,16] parameter(1)
  i = s32[] parameter(2)
  z = s32[] constant(0)
  s = f32[1,3,3,16,24] dynamic-slice(w, i, z, z, z, z), dynamic_slice_sizes={1,3,3,16,24}
  r = f32[3,3,16,24] reshape(s)
  ROOT y = f32[1,9,11,24] convolution(x, r), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f`},
}

// TestStartedProducts: products read parts of arrays where they lie, from places on that may be out of range.
func TestStartedProducts(t *testing.T) {
	for name, c := range startedPrograms {
		t.Run(name, func(t *testing.T) {
			onPools(t, "HloModule m\nENTRY e {\n"+c.body+"\n}\n", 1e-5, func(tier string, p *cpu.Program) {
				text := p.Plan().Text(false)
				if n := len(starts.FindAllString(text, -1)); n != c.in {
					t.Errorf("%s: expected %d operands in the place where they are:\n%s", tier, c.in, text)
				}
			})
		})
	}
}

// TestStartedBits: a product has the same bits, whether its operand is a part of an array or an array, and for all
// places.
func TestStartedBits(t *testing.T) {
	const whole = `HloModule m
ENTRY e {
  w = f32[4,61,48] parameter(0)
  x = f32[%[1]d,61] parameter(1)
  i = s32[] parameter(2)
  z = s32[] constant(0)
  s = f32[1,61,48] dynamic-slice(w, i, z, z), dynamic_slice_sizes={1,61,48}
  r = f32[61,48] reshape(s)
  ROOT y = f32[%[1]d,48] dot(x, r), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
`
	const part = `HloModule m
ENTRY e {
  r = f32[61,48] parameter(0)
  x = f32[%[1]d,61] parameter(1)
  ROOT y = f32[%[1]d,48] dot(x, r), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
`
	pool := exec.NewPool(2)
	defer pool.Close()
	for _, rows := range []int{1, 3, 8, 17, 64} {
		parse := func(text string) *xla.Program {
			prog, err := xla.Parse("m.hlo", fmt.Appendf(nil, text, rows))
			if err != nil {
				t.Fatal(err)
			}
			return prog
		}
		wholes, parts := parse(whole), parse(part)
		args := argumentsOf(rand.New(rand.NewPCG(7, 9)), wholes.Module())
		values := literal.Values[float32](args[0])
		for tier, p := range onTiers(t, parts.Module(), pool) {
			t.Setenv(exec.TierEnv, tier)
			q, err := cpu.Compile(t.Context(), wholes.Module(), cpu.Options{Pool: pool})
			if err != nil {
				t.Fatal(err)
			}
			for at, k := range map[int]int{-1 << 31: 0, -1: 0, 0: 0, 2: 2, 3: 3, 4: 3, 1<<31 - 1: 3} {
				index := literal.Scalar(int32(at))
				got, err := q.Run(t.Context(), []literal.Literal{args[0], args[1], index}, nil)
				if err != nil {
					t.Fatal(err)
				}
				one, err := literal.FromSlice(parts.Module().Entry().Params()[0].Shape(), values[k*61*48:][:61*48])
				if err != nil {
					t.Fatal(err)
				}
				want, err := p.Run(t.Context(), []literal.Literal{one, args[1]}, nil)
				if err != nil {
					t.Fatal(err)
				}
				sameBits(t, want, got)
			}
		}
	}
}
