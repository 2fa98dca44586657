package native_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/goxla/xla/literal"
)

// TestDots compares dots with groups or scales with the evaluator, which sums in the same order.
func TestDots(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct{ name, types, text string }{
		{"free", "f32 bf16 f64 s32 u8", `x = T[7,5] parameter(0)
  y = T[3,5,6] parameter(1)
  s = s32[3] parameter(2)
  ROOT r = T[7,6] ragged-dot(x, y, s), lhs_contracting_dims={1}, rhs_contracting_dims={1},
    lhs_ragged_dims={0}, rhs_group_dims={0}`},
		{"free_batch", "f32 f16 s64", `x = T[5,2,7] parameter(0)
  y = T[2,5,3,4] parameter(1)
  s = s64[2,3] parameter(2)
  ROOT r = T[2,7,4] ragged-dot(x, y, s), lhs_batch_dims={1}, rhs_batch_dims={0},
    lhs_contracting_dims={0}, rhs_contracting_dims={1}, lhs_ragged_dims={2}, rhs_group_dims={2}`},
		{"contracting", "f32 bf16 s16", `x = T[4,9] parameter(0)
  y = T[9,6] parameter(1)
  s = s32[3] parameter(2)
  ROOT r = T[3,4,6] ragged-dot(x, y, s), lhs_contracting_dims={1}, rhs_contracting_dims={0},
    lhs_ragged_dims={1}`},
		{"contracting_batch", "f32 f64", `x = T[2,4,3,9] parameter(0)
  y = T[9,2,3,6] parameter(1)
  s = s32[2,3,4] parameter(2)
  ROOT r = T[4,2,4,6] ragged-dot(x, y, s), lhs_batch_dims={0}, rhs_batch_dims={1},
    lhs_contracting_dims={2,3}, rhs_contracting_dims={2,0}, lhs_ragged_dims={3}`},
		{"batch", "f32 s32", `x = T[8,4,5] parameter(0)
  y = T[8,5,6] parameter(1)
  s = s32[3] parameter(2)
  ROOT r = T[8,4,6] ragged-dot(x, y, s), lhs_batch_dims={0}, rhs_batch_dims={0},
    lhs_contracting_dims={2}, rhs_contracting_dims={1}, lhs_ragged_dims={0}`},
		{"scaled", "f8e4m3fn bf16", `x = T[3,8] parameter(0)
  y = T[8,5] parameter(1)
  a = bf16[3,2] parameter(2)
  b = bf16[4,5] parameter(3)
  ROOT r = f32[3,5] scaled-dot(x, y, a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}`},
		{"scaled_to_bf16", "f8e5m2 f32", `x = T[2,3,8] parameter(0)
  y = T[2,5,8] parameter(1)
  a = f32[2,3,8] parameter(2)
  b = f32[2,5,1] parameter(3)
  ROOT r = bf16[2,3,5] scaled-dot(x, y, a, b), lhs_batch_dims={0}, rhs_batch_dims={0},
    lhs_contracting_dims={2}, rhs_contracting_dims={2}`},
	} {
		for _, typ := range strings.Fields(c.types) {
			i := parse(t, "HloModule m\n\nENTRY e {\n  "+strings.ReplaceAll(c.text, "T[", typ+"[")+"\n}\n")
			t.Run(c.name+"_"+typ, func(t *testing.T) {
				for range 5 {
					args := randomArgs(r, i, numbers)
					if len(args) == 3 {
						sizes := random(r, args[2].Shape(), few)
						args[2] = sizes
					}
					compare(t, i, args, literal.Tolerance{})
				}
			})
		}
	}
}
