package native

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/order"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/pass/match"
)

// topK finds the first k elements of each line of the last dimension, and where they are. Equal elements come by index.
type topK struct {
	sorter     // of one operand: the memory, and the way for a large k
	k          int
	picker     picker // nil: there is no machine code
	indexSize  int
	putIndices func(dst []byte, order []uint32)
}

// newTopK makes the function of topk. Floats are in total order. Spec: OPS.md section 3, TopK.
func newTopK(i *hlo.Instruction) *Algorithm {
	x, values, indices := i.Operand(0).Shape(), i.Shape().Elems[0], i.Shape().Elems[1]
	last := x.Rank() - 1
	if last < 0 || int64(x.Dims[last]) > math.MaxUint32 || !indices.Type.IsInteger() {
		return nil
	}
	by := match.TotalLess
	if i.Attrs().(*op.TopKAttrs).Largest != op.False {
		by = match.TotalGreater
	}
	c := newColumn(x.Type, by)
	if x.Type.IsComplex() || c == nil {
		return nil
	}
	s := &topK{k: values.Dims[last], indexSize: indices.Type.ByteSize()}
	s.lines, s.sizes, s.used = linesOf(x.Dims, last), []int{x.Type.ByteSize()}, order.Span{Hi: s.k}
	s.keys = []sortKey{{column: c}}
	s.putIndices = indexPutters[s.indexSize]
	s.runs = &sync.Pool{New: func() any { return new(sortRun) }}
	return newOrder(filterSet(s.sizes[0])|order.Words, s.scratch, func(code *order.Code, _ []Kernel) Interruptible {
		bound := *s
		if bound.code = code; code != nil {
			bound.picker = newPicker(code, c, s.sizes[0])
		}
		return bound.run
	})
}

// indexPutters convert indices to integers of each size.
var indexPutters = [9]func(dst []byte, order []uint32){
	1: putIndices[uint8], 2: putIndices[uint16], 4: putIndices[uint32], 8: putIndices[uint64]}

func putIndices[U unsigned](dst []byte, order []uint32) {
	to := view[U](dst)
	for i, k := range order {
		to[i] = U(k)
	}
}

// candidate is an element that may be among the first, with a key of 64 bits. Shorter ones are in
// one word: the key in front of the index.
type candidate struct {
	key   uint64
	index uint32
}

func (c candidate) compare(d candidate) int { return cmp.Compare(c.key, d.key) }

// How the first k are found: by sorting the whole line where k is a large share of it, by insertion in the list so far
// for a small k, else by collecting what is in front of the last of k others until it is several times k.
const (
	sortShare     = 16
	insertionMost = 24
	collected     = 4
)

// run does line by line; a few long lines one after the other, their parts on all threads.
func (s *topK) run(done <-chan struct{}, pool *exec.Pool, in, out [][]byte) error {
	if s.n == 0 || s.k == 0 {
		return nil
	}
	if s.shared(pool.Threads()) {
		for line := 0; line < s.count && !interrupted(done); line++ {
			s.line(done, pool, in[0], out, line)
		}
		return nil
	}
	grain := min(max(1, parallelLength/4/s.n), (s.count-1)/pool.Threads()+1)
	pool.Run(s.count, grain, exec.JobFunc(func(_, lo, hi int) {
		if s.short() {
			s.rows(done, in[0], out, lo, hi)
			return
		}
		for line := lo; line < hi && !interrupted(done); line++ {
			s.line(done, nil, in[0], out, line)
		}
	}))
	return nil
}

// large reports whether k is such a share of a line that this is sorted.
func (s *topK) large() bool { return s.k > s.n/sortShare && s.k > insertionMost }

// line does one line.
func (s *topK) line(done <-chan struct{}, pool *exec.Pool, in []byte, out [][]byte, line int) {
	r := s.runs.Get().(*sortRun)
	defer s.runs.Put(r)
	r.crew = order.Crew{Pool: pool, Done: done}
	size := s.sizes[0]
	row := in[line*s.n*size : (line+1)*s.n*size]
	switch {
	case s.large():
		r.in, r.canonical = append(r.in[:0], row), append(r.canonical[:0], false)
		s.sortLine(r)
		clear(r.in)
	case s.picker != nil:
		r.order = resized(r.order, s.k)
		s.picker.pick(pool, row, s.n, r.order)
	default:
		s.keep(r, row)
	}
	if places := r.order; !r.crew.Ended() {
		movers[size].permute(out[0][line*s.k*size:], row, places[:s.k])
		s.putIndices(out[1][line*s.k*s.indexSize:], places[:s.k])
	}
	r.crew = order.Crew{}
}

// sortLine sets r.order to the places of the first k elements of r.in by sorting it.
func (s *topK) sortLine(r *sortRun) {
	if s.code == nil {
		s.radix(r)
		return
	}
	words := s.orderWords(r)
	if r.crew.Ended() {
		return
	}
	r.order = resized(r.order, s.k)
	for i, w := range words[:s.k] {
		r.order[i] = uint32(w)
	}
}

// keep sets r.order to the places of the first k elements. Parts of the line are searched each by itself.
func (s *topK) keep(r *sortRun, row []byte) {
	parts := 1
	if r.crew.Pool != nil && s.k <= parallelLength/sortShare {
		parts = (s.n + parallelLength - 1) / parallelLength
	}
	c, found, size := s.keys[0].column, make([]candidates, parts), (s.n+parts-1)/parts
	search := func(_, lo, hi int) {
		for p := lo; p < hi; p++ {
			found[p] = c.first(row, min(p*size, s.n), min((p+1)*size, s.n), s.k)
		}
	}
	if parts == 1 {
		search(0, 0, 1)
	} else {
		r.crew.Pool.Run(parts, 1, exec.JobFunc(search))
	}
	all := found[0]
	for _, f := range found[1:] {
		all.long, all.short = append(all.long, f.long...), append(all.short, f.short...)
	}
	all.sort(s.k)
	r.order = resized(r.order, s.n)
	for i, c := range all.long {
		r.order[i] = c.index
	}
	for i, w := range all.short {
		r.order[i] = uint32(w)
	}
}

// candidates are those of a part of a line; equal ones lie in the order of the line. One list is empty.
type candidates struct {
	long  []candidate
	short []uint64
}

// sort keeps the first k, in order.
func (l *candidates) sort(k int) {
	slices.SortStableFunc(l.long, candidate.compare)
	l.short = radixSort(&radixRun{}, l.short, make([]uint64, len(l.short)), 32, 64)
	l.long, l.short = l.long[:min(k, len(l.long))], l.short[:min(k, len(l.short))]
}

// first returns the k first elements from lo to hi-1.
func (c ordered[U]) first(src []byte, lo, hi, k int) candidates {
	switch from := view[U](src)[lo:hi]; {
	case c.bits() > 32:
		return candidates{long: c.collectLong(from, lo, k)}
	case k <= insertionMost:
		return candidates{short: c.insert(from, lo, k)}
	default:
		return candidates{short: c.collect(from, lo, k)}
	}
}

// insert keeps the k first elements so far in order.
func (c ordered[U]) insert(src []U, at, k int) []uint64 {
	list := make([]uint64, 0, k)
	for i, x := range src {
		key := uint64(c.key(x))
		if len(list) == k {
			if key >= list[k-1]>>32 {
				continue
			}
			list = list[:k-1]
		}
		p := len(list)
		list = append(list, 0)
		for ; p > 0 && list[p-1]>>32 > key; p-- {
			list[p] = list[p-1]
		}
		list[p] = key<<32 | uint64(at+i)
	}
	return list
}

// collect sorts the candidates whenever there are collected times k.
func (c ordered[U]) collect(src []U, at, k int) []uint64 {
	list, spare := make([]uint64, 0, collected*k), make([]uint64, collected*k)
	bound := uint64(math.MaxUint64) // no key
	for i, x := range src {
		key := uint64(c.key(x))
		if key >= bound {
			continue
		}
		if list = append(list, key<<32|uint64(at+i)); len(list) == cap(list) {
			if sorted := radixSerial(list, spare, 32, 64); &sorted[0] != &list[0] {
				copy(list, sorted[:k])
			}
			list = list[:k]
			bound = list[k-1] >> 32
		}
	}
	return list
}

// collectLong is collect for keys of 64 bits.
func (c ordered[U]) collectLong(src []U, at, k int) []candidate {
	list := make([]candidate, 0, collected*k)
	bound, open := uint64(0), true // open: there is no bound yet
	for i, x := range src {
		key := uint64(c.key(x))
		if key >= bound && !open {
			continue
		}
		if list = append(list, candidate{key, uint32(at + i)}); len(list) == cap(list) {
			slices.SortStableFunc(list, candidate.compare)
			list = list[:k]
			bound, open = list[k-1].key, false
		}
	}
	return list
}
