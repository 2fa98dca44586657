package loop

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestReadsLeft: loads that are left of iterations side by side are as many as the places that all of them read.
func TestReadsLeft(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		steps := [3]int64{0, r.Int64N(7) - 3, r.Int64N(40) - 20}
		places := make([]place, r.IntN(12))
		for k := range places {
			what := r.IntN(len(steps))
			places[k] = place{what, r.Int64N(30) - 15, steps[what]}
		}
		given := slices.Clone(places)
		got := reads{own: r.IntN(3), until: untilAgain(places)}
		for f := 1; f <= mostOverlapped; f++ {
			read := map[place]bool{}
			for _, p := range given {
				for k := range f {
					read[place{what: p.what, offset: p.offset + int64(k)*p.step}] = true
				}
			}
			if want := f*got.own + len(read); got.left(f) != want {
				t.Fatalf("%v, %d side by side: got %d loads, want %d", given, f, got.left(f), want)
			}
		}
	}
}
