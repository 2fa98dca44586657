package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// dimsText writes dimensions.
func dimsText(dims []int) (text string) {
	for d, n := range dims {
		if d > 0 {
			text += ","
		}
		text += fmt.Sprint(n)
	}
	return text
}

// TestUnmerged: reshapes that join dimensions which a transpose has brought together, in any order, of all sizes.
func TestUnmerged(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for n := range 150 {
		kind := []string{"f32", "u8", "bf16", "f64", "s32", "c64"}[n%6]
		dims := make([]int, 3+r.IntN(4))
		for d := range dims {
			dims[d] = []int{1, 2, 3, 4, 7, 8, 16, 5, 33}[r.IntN(9-len(dims)/6)]
		}
		order := r.Perm(len(dims))
		var turned, joined []int
		for _, d := range order {
			if turned = append(turned, dims[d]); len(joined) > 0 && r.IntN(2) == 0 {
				joined[len(joined)-1] *= dims[d]
			} else {
				joined = append(joined, dims[d])
			}
		}
		size := 1
		for _, n := range dims {
			size *= n
		}
		text := fmt.Sprintf(`HloModule m
ENTRY e {
  x = %[1]s[%[2]d] parameter(0)
  y = %[1]s[%[2]d] %[7]s
  r = %[1]s[%[3]s] reshape(y)
  t = %[1]s[%[4]s] transpose(r), dimensions={%[5]s}
  ROOT o = %[1]s[%[6]s] reshape(t)
}`, kind, size, dimsText(dims), dimsText(turned), dimsText(order), dimsText(joined),
			[]string{"copy(x)", "add(x, x)", "reverse(x), dimensions={0}"}[n/6%3])
		compareWithEvaluator(t, text, []byte(text))
	}
}
