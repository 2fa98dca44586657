package native

import (
	"math"
	"sync"
	"unsafe"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/order"
)

// picker finds the places of the first elements of a row.
type picker interface {
	// pick sets places to those of the first ones of the n elements of row, as many as places is long.
	pick(pool *exec.Pool, row []byte, n int, places []uint32)
}

// newPicker returns the picker of elements of size bytes by machine code.
func newPicker(code *order.Code, c column, size int) picker {
	if size == 8 {
		return &filtered[int64]{code: code, images: c.images(), size: size}
	}
	return &filtered[int32]{code: code, images: c.images(), size: size}
}

// filterSet is the code that newPicker needs.
func filterSet(size int) order.Set {
	if size == 8 {
		return order.Filter64 | order.Sort64
	}
	return order.Filter32 | order.Sort64
}

// filtered picks by filters: what is at most the bound, which is in front of the last of some candidates, is one more;
// when there are many, the first of them stay, and give the next bound.
type filtered[T order.Word] struct {
	code   *order.Code
	images order.Map
	size   int
	runs   sync.Pool // of *candidateRun[T]
}

// candidateRun is candidates, and the memory to sort them.
type candidateRun[T order.Word] struct {
	order.Candidates[T]
	words []int64
	spare order.Candidates[T]
}

// firstCandidates is how many candidates the first bound is made of, at least.
const firstCandidates = 64

func (f *filtered[T]) pick(pool *exec.Pool, row []byte, n int, places []uint32) {
	parts, k := 1, len(places)
	if pool != nil && pool.Threads() > 1 && k <= parallelLength/sortShare {
		parts = min(pool.Threads()*chunksPerThread, (n+parallelLength-1)/parallelLength)
	}
	var all *candidateRun[T]
	if parts > 1 {
		all = f.parts(pool, parts, row, n, k)
	} else {
		all = f.part(row[:n*f.size], 0, k)
	}
	all.shorten(f.code, k)
	for i, at := range all.Indices {
		places[i] = uint32(at)
	}
	f.runs.Put(all)
}

// parts returns the first k of the elements of row, or a few more of each of its parts, which threads share.
func (f *filtered[T]) parts(pool *exec.Pool, parts int, row []byte, n, k int) *candidateRun[T] {
	found, size := make([]*candidateRun[T], parts), (n+parts-1)/parts
	pool.Run(parts, 1, exec.JobFunc(func(_, lo, hi int) {
		for p := lo; p < hi; p++ {
			found[p] = f.part(row[:min((p+1)*size, n)*f.size], p*size, k)
		}
	}))
	all := found[0]
	for _, r := range found[1:] {
		all.Keys, all.Indices = append(all.Keys, r.Keys...), append(all.Indices, r.Indices...)
		f.runs.Put(r)
	}
	return all
}

// part returns the first k of the elements of row from first on, or a few more.
func (f *filtered[T]) part(row []byte, first, k int) *candidateRun[T] {
	r, ok := f.runs.Get().(*candidateRun[T])
	if !ok {
		r = new(candidateRun[T])
	}
	limit := max(firstCandidates, 2*k)
	most := max(4*firstCandidates, collected*k)
	r.Keys, r.Indices = resized(r.Keys, most+order.Slack)[:0], resized(r.Indices, most+order.Slack)[:0]
	least := T(1) << (8*unsafe.Sizeof(T(0)) - 1)
	for bound := ^least; ; limit = most {
		first = order.Filter(f.code, &r.Candidates, row, f.size, f.images, bound, first, limit)
		if len(r.Keys) < limit {
			return r
		}
		r.shorten(f.code, k)
		if r.Keys[k-1] == least {
			return r
		}
		bound = r.Keys[k-1] - 1
	}
}

// shorten keeps the first k candidates, in order. Equal ones are in the order of their places already.
func (r *candidateRun[T]) shorten(code *order.Code, k int) {
	n := len(r.Keys)
	if k == 1 && n > 0 {
		first := 0
		for i, key := range r.Keys {
			if key < r.Keys[first] {
				first = i
			}
		}
		r.Keys[0], r.Indices[0] = r.Keys[first], r.Indices[first]
		r.Keys, r.Indices = r.Keys[:1], r.Indices[:1]
		return
	}
	r.words = resized(r.words, n)
	shift := 8*unsafe.Sizeof(T(0)) - 32
	for i, key := range r.Keys {
		r.words[i] = int64(key>>shift)<<32 | int64(i)
	}
	if shift == 0 {
		order.Sort(code, order.Crew{}, r.words, order.Map{}, order.Span{Hi: min(n, k)})
	} else {
		order.Sort(code, order.Crew{}, r.words, order.Map{}, order.All(n))
		r.byLower(code)
	}
	k = min(n, k)
	r.spare.Keys, r.spare.Indices = resized(r.spare.Keys, cap(r.Keys))[:k], resized(r.spare.Indices, cap(r.Indices))[:k]
	for i, w := range r.words[:k] {
		r.spare.Keys[i], r.spare.Indices[i] = r.Keys[uint32(w)], r.Indices[uint32(w)]
	}
	r.Candidates, r.spare = r.spare, r.Candidates
}

// byLower orders words that are equal in the upper half of the key by the lower one.
func (r *candidateRun[T]) byLower(code *order.Code) {
	w := r.words
	for lo := 0; lo < len(w); {
		hi := lo + 1
		for hi < len(w) && w[hi]>>32 == w[lo]>>32 {
			hi++
		}
		if hi-lo > 1 {
			for i, x := range w[lo:hi] {
				w[lo+i] = (int64(r.Keys[uint32(x)])<<32 ^ math.MinInt64) | int64(uint32(x))
			}
			order.Sort(code, order.Crew{}, w[lo:hi], order.Map{}, order.All(hi-lo))
		}
		lo = hi
	}
}
