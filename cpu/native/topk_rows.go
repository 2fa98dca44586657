package native

import (
	"slices"

	"github.com/goxla/xla/cpu/order"
)

// To look for candidates in a short line takes longer than to sort it, when many are sorted by one call.

const (
	// fewElements is how many elements such a line has at most.
	fewElements = 64
	// sortedTogether is how many elements of lines are sorted by one call.
	sortedTogether = 1 << 12
)

// short reports whether lines are sorted, several at a time.
func (s *topK) short() bool { return s.picker != nil && s.sizes[0] <= 4 && s.n <= fewElements }

// rows does the lines from lo to hi-1 by sorting words of their elements.
func (s *topK) rows(done <-chan struct{}, in []byte, out [][]byte, lo, hi int) {
	r := s.runs.Get().(*sortRun)
	defer s.runs.Put(r)
	size := s.sizes[0]
	for lo < hi && !interrupted(done) {
		g := min(hi-lo, max(1, sortedTogether/s.n))
		src := in[lo*s.n*size:][:g*s.n*size]
		r.words, r.order = resized(r.words, g*s.n), resized(r.order, g*s.k)
		words := part[int64](r.words, g*s.n)
		s.code.Words(words, src, size, s.keys[0].images(), 0)
		if s.k > 1 {
			order.Rows(s.code, words, s.n, order.All(s.n))
		} else {
			leastFirst(words, s.n)
		}
		places := r.order[:g*s.k]
		firstOfRows(places, words, s.n, s.k)
		movers[size].permute(out[0][lo*s.k*size:], src, places)
		for row := range g {
			for i := range places[row*s.k:][:s.k] {
				places[row*s.k+i] -= uint32(row * s.n)
			}
		}
		s.putIndices(out[1][lo*s.k*s.indexSize:], places)
		lo += g
	}
}

// leastFirst puts the least word of each row of n to its front, over what is there.
func leastFirst(words []int64, n int) {
	for ; len(words) >= n; words = words[n:] {
		words[0] = slices.Min(words[:n])
	}
}

// firstOfRows sets places to the lower halves of the first k words of each row of n.
func firstOfRows(places []uint32, words []int64, n, k int) {
	for ; len(places) >= k; places, words = places[k:], words[n:] {
		for i, w := range words[:k] {
			places[i] = uint32(w)
		}
	}
}
