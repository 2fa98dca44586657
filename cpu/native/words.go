package native

import (
	"slices"
	"sort"
	"sync/atomic"
	"unsafe"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/order"
)

// This file sorts by machine code.

func (c ordered[U]) images() order.Map {
	return order.Map{Bits: c.shift + 1, Negative: uint64(c.negative), Flip: uint64(c.flip ^ 1<<c.shift)}
}

func (c ordered[U]) marks() order.Marks {
	return order.Marks{Magnitude: uint64(c.magnitude), Infinity: uint64(c.infinity), NegativeZero: 1 << c.shift}
}

func (c ordered[U]) sortRows(code *order.Code, r *radixRun, dst, src []byte, n int, u order.Span, survey bool) bool {
	var marks order.Marks
	if survey {
		marks = c.marks()
	}
	switch {
	case c.counted(n):
		row := n * int(sizeOf[U]())
		for ; len(src) > 0; dst, src = dst[row:], src[row:] {
			if !c.sortCounted(r, dst[:row], src[:row], survey) {
				return false
			}
		}
		return true
	case code == nil || r.crew.Pool != nil && c.bits() < 32:
		return false
	case c.bits() < 32:
		return c.sortWidened(code, r, dst, src, n, u, survey)
	case c.bits() == 32:
		return sortRows[int32](code, r.crew, dst, src, n, u, c.images(), marks)
	default:
		return sortRows[int64](code, r.crew, dst, src, n, u, c.images(), marks)
	}
}

func (c ordered[U]) sortRow(code *order.Code, r *radixRun, dst, src []byte, u order.Span) {
	if !c.sortRows(code, r, dst, src, len(src)/int(sizeOf[U]()), u, false) {
		c.sortValues(r, dst, src)
	}
}

// sortLoose sorts with one zero and one NaN, and then puts those that there were in their places, in their order.
func (c ordered[U]) sortLoose(code *order.Code, r *radixRun, dst, src []byte) {
	to := view[U](dst)
	var zeros, nans []U
	for i, x := range view[U](src) {
		switch y := c.canonical(x); {
		case y == 0:
			zeros = append(zeros, x)
			to[i] = y
		case y == c.magnitude:
			nans = append(nans, x)
			to[i] = y
		default:
			to[i] = x
		}
	}
	c.sortRow(code, r, dst, dst, order.All(len(to)))
	at := func(x U) []U {
		k := c.key(x)
		return to[sort.Search(len(to), func(i int) bool { return c.key(to[i]) >= k }):]
	}
	copy(at(0), zeros)
	copy(at(c.magnitude), nans)
}

// sortRows sorts rows of n elements for u, unless there are some of those marked.
func sortRows[T order.Word](code *order.Code, crew order.Crew, dst, src []byte, n int, u order.Span, m order.Map,
	marks order.Marks) bool {
	to, from := view[T](dst), view[T](src)
	if nan, zero := imagesBy(code, crew.Pool, to, from, m, marks, len(from)); marks.Magnitude != 0 && (nan || zero) {
		return false
	}
	if crew.Pool == nil && len(to) > n {
		order.Rows(code, to, n, u)
		order.Elements(code, to, m)
		return true
	}
	for ; len(to) > 0; to = to[n:] {
		order.Sort(code, crew, to[:n], m, u)
	}
	return true
}

// byWords sorts r.in into r.out, as far as that is used, by words of 32 bits of a key in front of the place of the
// element. Where several elements have the same bits, they are sorted by the next ones, and so on.
func (s *sorter) byWords(r *sortRun) {
	w, first := s.orderWords(r)[:s.used.Hi], s.used.Lo
	if r.crew.Ended() {
		return
	}
	key := &s.keys[0]
	holds := len(s.keys) == 1 && key.bits() <= 32 && !r.canonical[0] // the words hold the elements of the key
	for k, size := range s.sizes {
		ranges(r.crew.Pool, len(w)-first, func(lo, hi int) {
			lo, hi = first+lo, first+hi
			switch to := r.out[k][lo*size : hi*size]; {
			case s.index[k] && size == 4:
				indices[uint32](to, w[lo:hi])
			case s.index[k] && size == 8:
				indices[uint64](to, w[lo:hi])
			case holds && k == key.operand:
				key.elements(to, w[lo:hi])
			default:
				movers[size].arrange(to, r.in[k], w[lo:hi])
			}
		})
	}
}

// indices sets dst to the lower halves of words.
func indices[U unsigned](dst []byte, words []int64) {
	to := view[U](dst)[:len(words)]
	for i, w := range words {
		to[i] = U(uint32(w))
	}
}

func (c ordered[U]) elements(dst []byte, words []int64) {
	to, m := view[U](dst)[:len(words)], c.images()
	shift := (64 - m.Bits) & 63
	flip, negative := m.Flip<<shift, m.Negative<<shift
	for i, w := range words {
		x := int64(uint64(w) ^ flip)
		to[i] = U(uint64(x^x>>63&int64(negative)) >> shift)
	}
}

// orderWords returns words, those that are used in order.
func (s *sorter) orderWords(r *sortRun) []int64 {
	r.words = resized(r.words, s.n)
	w := part[int64](r.words, s.n)
	k := &s.keys[0]
	ranges(r.crew.Pool, s.n, func(lo, hi int) {
		if size := s.sizes[k.operand]; !r.canonical[0] {
			s.code.Words(w[lo:hi], r.in[k.operand][lo*size:hi*size], size, k.images(), uint32(lo))
		} else {
			s.stageWords(r, w, nil, bitsOf{0, k.upper()}, lo, hi)
		}
	})
	s.sortWords(r, w, r.crew, bitsOf{0, k.upper()})
	return w
}

// bitsOf names 32 bits of a key.
type bitsOf struct {
	key  int
	half uint
}

// upper is the number of the first 32 bits.
func (k *sortKey) upper() uint { return (k.bits() - 1) / 32 }

// next returns the bits behind st; false if these are the last ones.
func (s *sorter) next(st bitsOf) (bitsOf, bool) {
	if st.half > 0 {
		return bitsOf{st.key, st.half - 1}, true
	}
	if st.key++; st.key == len(s.keys) {
		return st, false
	}
	return bitsOf{st.key, s.keys[st.key].upper()}, true
}

// sortWords sorts w, which is made of the bits of st, and what is equal in them by the next ones.
func (s *sorter) sortWords(r *sortRun, w []int64, crew order.Crew, st bitsOf) {
	u := order.All(len(w))
	if len(s.keys) == 1 && s.keys[0].upper() == 0 {
		u = s.used // there are no next ones
	}
	if !slices.IsSorted(w) {
		order.Sort(s.code, crew, w, order.Map{}, u)
	}
	st, ok := s.next(st)
	if !ok {
		return
	}
	_, more := s.next(st)
	for lo := 0; lo < len(w) && !crew.Ended(); {
		hi := lo + 1
		for hi < len(w) && w[hi]>>32 == w[lo]>>32 {
			hi++
		}
		if hi-lo > 1 {
			r.next = resized(r.next, len(w))
			for i, x := range w[lo:hi] {
				r.next[i] = uint32(x)
			}
			s.stageWords(r, w[lo:hi], r.next, st, 0, hi-lo)
			if !more && hi-lo <= insertionLength {
				insertWords(w[lo:hi])
				lo = hi
				continue
			}
			some := crew
			if hi-lo < parallelLength {
				some.Pool = nil
			}
			s.sortWords(r, w[lo:hi], some, st)
		}
		lo = hi
	}
}

// insertWords sorts a few words.
func insertWords(w []int64) {
	for i := 1; i < len(w); i++ {
		x, k := w[i], i
		for ; k > 0 && w[k-1] > x; k-- {
			w[k] = w[k-1]
		}
		w[k] = x
	}
}

// stageWords sets w[lo:hi] to words of the bits of st of the elements that places names, nil for those in their order.
func (s *sorter) stageWords(r *sortRun, w []int64, places []uint32, st bitsOf, lo, hi int) {
	k := &s.keys[st.key]
	a := unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(w))), len(w))
	k.words(a, r.in[k.operand], places, st.half, r.canonical[st.key], lo, hi)
	for i := lo; i < hi; i++ {
		a[i] ^= 1 << 63
	}
}

// surveyBy is survey by machine code, which overwrites scratch, as many bytes as src has.
func (c ordered[U]) surveyBy(code *order.Code, pool *exec.Pool, scratch, src []byte) (nan, negativeZero bool) {
	switch c.bits() {
	case 32:
		return imagesBy(code, pool, view[int32](scratch), view[int32](src), order.Map{}, c.marks(), surveyed)
	case 64:
		return imagesBy(code, pool, view[int64](scratch), view[int64](src), order.Map{}, c.marks(), surveyed)
	}
	return c.survey(src)
}

// surveyed is how many images a survey makes in the same place, which so stays in the first cache.
const surveyed = 1 << 11

// imagesBy makes images, as many at a time as said, in the same place if these are not all, and reports whether there
// are some of the elements marked.
func imagesBy[T order.Word](code *order.Code, pool *exec.Pool, dst, src []T, m order.Map, marks order.Marks,
	some int) (nan, zero bool) {
	if pool == nil {
		return imagesOf(code, dst, src, m, marks, some)
	}
	var nans, zeros atomic.Bool
	ranges(pool, len(src), func(lo, hi int) {
		nan, zero := imagesOf(code, dst[lo:hi], src[lo:hi], m, marks, some)
		if nan {
			nans.Store(true)
		}
		if zero {
			zeros.Store(true)
		}
	})
	return nans.Load(), zeros.Load()
}

// imagesOf is imagesBy on one thread.
func imagesOf[T order.Word](code *order.Code, dst, src []T, m order.Map, marks order.Marks,
	some int) (nan, zero bool) {
	for len(src) > 0 {
		n := min(len(src), some)
		f := order.Images(code, dst[:n], src[:n], m, marks)
		nan, zero, src = nan || f.NaN, zero || f.NegativeZero, src[n:]
	}
	return nan, zero
}
