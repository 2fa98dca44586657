package native_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/native"
	"github.com/goxla/xla/literal"
)

// TestOrderEnds: sorts and top-k write nothing once done is closed, on one thread or more, lines side by side or one
// after the other.
func TestOrderEnds(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	done := make(chan struct{})
	close(done)
	for _, text := range []string{topkText("f32", "40,100", 5, true), topkText("f32", "2,140000", 5, true),
		sortText(totalLess, "40,100", 1, "f32"), sortText(totalLess, "100,40", 0, "f32"),
		sortText(totalLess, "2,140000", 1, "f32")} {
		i := parse(t, text)
		args := randomArgs(r, i, anyBits)
		for _, threads := range []int{1, 3} {
			pool := exec.NewPool(threads)
			defer pool.Close()
			out := leaves(literal.New(i.Shape()))
			if err := native.For(i, false).Order(nil, nil)(done, pool, bytesOf(args), bytesOf(out)); err != nil {
				t.Fatal(err)
			}
			for k, l := range out {
				if !bytes.Equal(l.Bytes(), make([]byte, len(l.Bytes()))) {
					t.Errorf("%s%d threads: result %d is written", text, threads, k)
				}
			}
		}
	}
}
