package emit

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/exec/guard"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// randomCases is how many random nests are run.
const randomCases = 300

// TestRandom runs random nests on buffers that end, or begin, at a page that cannot be accessed, and compares with
// package tile.
func TestRandom(t *testing.T) {
	list := tiers()
	for seed := range uint64(randomCases) {
		c := looptest.Random(seed)
		in, want := randomData(c, seed)
		portable(t, c.Nest, want, 0, c.Extent)
		for name, target := range list {
			t.Run(fmt.Sprintf("%d/%s", seed, name), func(t *testing.T) {
				got := guarded(t, c, in, seed)
				mid := int64(seed) % (c.Extent + 1)
				if l := c.Nest.Outermost(); l != nil && l.Lanes {
					mid = mid / loop.RangeUnit * loop.RangeUnit
				}
				native(t, c.Nest, target, got, 0, mid)
				native(t, c.Nest, target, got, mid, c.Extent)
				compare(t, c, got, want)
			})
		}
	}
}

// randomData makes the content of the buffers before a run, twice.
func randomData(c *looptest.Case, seed uint64) (in, want [][]byte) {
	r := rand.New(rand.NewPCG(seed, 5))
	for k, b := range c.Nest.Buffers {
		x, y := aligned(int(b.Bytes)), aligned(int(b.Bytes))
		looptest.Fill(r, c.Mems[k], x)
		copy(y, x)
		in, want = append(in, x), append(want, y)
	}
	return in, want
}

// guarded copies buffers to memory next to pages that cannot be accessed.
func guarded(t *testing.T, c *looptest.Case, in [][]byte, seed uint64) [][]byte {
	got := make([][]byte, len(in))
	for k, b := range in {
		place := guard.After
		if (seed+uint64(k))%3 == 0 {
			place = guard.Before
		}
		got[k] = place(t, len(b))
		copy(got[k], b)
	}
	return got
}

func compare(t *testing.T, c *looptest.Case, got, want [][]byte) {
	for k, b := range c.Nest.Buffers {
		m := c.Mems[k]
		if n := looptest.Diff(m, got[k], want[k]); n >= 0 {
			t.Fatalf("buffer %s [%d]: expected %s, got %s\n%v", b.Name, n, element(m, want[k], n), element(m, got[k], n), c.Nest)
		}
	}
}
