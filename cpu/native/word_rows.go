package native

import (
	"github.com/goxla/xla/cpu/order"
)

// wordRows sorts g rows as byWords does, all of them in each step; false, and nothing is done, where that does not pay
// or words do not hold all of a key.
func (s *sorter) wordRows(r *sortRun, in, out [][]byte, g int) bool {
	key := &s.keys[0]
	if s.code == nil || g == 1 || r.crew.Pool != nil || len(s.keys) > 1 || len(s.sizes) == 1 || key.bits() > 32 ||
		narrow(key.bits(), s.n) {
		return false
	}
	src := in[key.operand]
	r.words = resized(r.words, g*s.n)
	if s.surveys(key) {
		if nan, zero := key.surveyBy(s.code, nil, part[byte](r.words, len(src)), src); nan || zero {
			return false
		}
	}
	w := part[int64](r.words, g*s.n)
	s.code.Words(w, src, s.sizes[key.operand], key.images(), 0)
	order.Rows(s.code, w, s.n, s.used)
	used, each := s.used, s.n
	if used == order.All(s.n) {
		used, each = order.All(len(w)), len(w)
	}
	for k, size := range s.sizes {
		switch {
		case s.index[k] && size == 4:
			rowIndices[uint32](out[k], w, s.n, s.used)
			continue
		case s.index[k] && size == 8:
			rowIndices[uint64](out[k], w, s.n, s.used)
			continue
		}
		for first := 0; first < len(w); first += each {
			lo, hi := first+used.Lo, first+used.Hi
			if to := out[k][lo*size : hi*size]; k == key.operand {
				key.elements(to, w[lo:hi])
			} else {
				movers[size].arrange(to, in[k], w[lo:hi])
			}
		}
	}
	return true
}

// rowIndices sets elements u of each row of n of dst to the lower halves of words, counted from the begin of the row.
func rowIndices[U unsigned](dst []byte, words []int64, n int, u order.Span) {
	to := view[U](dst)[:len(words)]
	for first := 0; first < len(words); first += n {
		row := to[first:][u.Lo:u.Hi]
		for i, w := range words[first:][u.Lo:u.Hi] {
			row[i] = U(uint32(w) - uint32(first))
		}
	}
}
