package native_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/goxla/xla/literal"
)

func topkText(typ, dims string, k int, largest bool) string {
	out := fmt.Sprint(k)
	if at := strings.LastIndex(dims, ","); at >= 0 {
		out = dims[:at+1] + out
	}
	return fmt.Sprintf("HloModule m\n\nENTRY e {\n  p = %s[%s] parameter(0)\n  "+
		"ROOT r = (%s[%s], s32[%s]) topk(p), k=%d, largest=%v\n}\n", typ, dims, typ, out, out, k, largest)
}

func TestTopK(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	types := "pred s4 u4 s8 u8 s16 u16 s32 u32 s64 u64 f16 bf16 f32 f64 f8e5m2 f8e4m3fn f8e8m0fnu f6e3m2fn f4e2m1fn"
	for _, typ := range strings.Fields(types) {
		for _, v := range []variety{anyBits, few, special} {
			for _, s := range []struct {
				dims string
				k    int
			}{{"1", 1}, {"70,9", 1}, {"70,9", 3}, {"200,64", 5}, {"9", 0},
				{"9", 9}, {"4,300", 1}, {"4,300", 7}, {"2,300", 200}, {"2,3,2000", 100}, {"0,4", 2}} {
				for _, largest := range []bool{true, false} {
					i := parse(t, topkText(typ, s.dims, s.k, largest))
					t.Run(fmt.Sprintf("%s_%d_%s_%d_%v", typ, v, s.dims, s.k, largest), func(t *testing.T) {
						compare(t, i, randomArgs(r, i, v), literal.Tolerance{})
					})
				}
			}
		}
	}
}

// TestTopKLong: rows that several threads work on, and one in an order that makes every element a candidate.
func TestTopKLong(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, k := range []int{1, 50, 30000} {
		for _, v := range []variety{anyBits, few} {
			i := parse(t, topkText("f32", "2,140000", k, true))
			compare(t, i, randomArgs(r, i, v), literal.Tolerance{})
		}
	}
	i := parse(t, topkText("s64", "1,5000", 10, true))
	l := literal.New(i.Operand(0).Shape())
	for k := range l.Len() {
		l.SetInt(k, int64(k))
	}
	compare(t, i, []literal.Literal{l}, literal.Tolerance{})
}

func BenchmarkTopK(b *testing.B) {
	for _, s := range []struct {
		dims string
		k    int
	}{{"1048576", 10}, {"1048576", 1000}, {"1000,1000", 10}, {"1000,1000", 500}, {"32,50000", 50}} {
		b.Run(fmt.Sprintf("f32_%s_of_%s", fmt.Sprint(s.k), s.dims), func(b *testing.B) {
			benchmark(b, topkText("f32", s.dims, s.k, true), numbers)
		})
	}
}
