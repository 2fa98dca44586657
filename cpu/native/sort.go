package native

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/order"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/pass/match"
)

// sorter sorts the lines of arrays together. Every sort is stable, so there is one result.
type sorter struct {
	lines
	keys  []sortKey
	by    *comparison // where the order is none of keys, or is not if there is a NaN
	sizes []int       // of the elements of each operand
	index []bool      // by operand: element i of each line is i
	used  order.Span  // what of each line is read
	// picker, if there is one, finds the first ones, which are few and all that is used.
	picker picker
	code   *order.Code // nil: there is none
	runs   *sync.Pool
}

// sortKey is an operand to order by.
type sortKey struct {
	column
	operand int
	isFloat bool
	// loose: zeros are equal to each other; partial: NaN is neither in front of nor behind anything, else
	// NaNs are equal to each other.
	loose, partial bool
}

// surveys reports whether it matters if an operand has zeros of both signs, or a NaN.
func (s *sorter) surveys(k *sortKey) bool { return k.loose || s.by != nil && k.isFloat }

// newSort makes the function of a sort. Spec: OPS.md section 3, Sort.
func newSort(i *hlo.Instruction) *Algorithm {
	x := i.Operand(0).Shape()
	if x.Rank() == 0 {
		return nil
	}
	s := &sorter{lines: linesOf(x.Dims, i.Attrs().(*op.SortAttrs).Dimensions[0])}
	if int64(s.n) > math.MaxUint32 {
		return nil
	}
	for _, o := range i.Operands() {
		s.sizes = append(s.sizes, o.Type().ByteSize())
		s.index = append(s.index, isIndex(o, i.Attrs().(*op.SortAttrs).Dimensions[0]))
	}
	s.used = usedOf(i, i.Attrs().(*op.SortAttrs).Dimensions[0], s.n)
	s.runs = &sync.Pool{New: func() any { return new(sortRun) }}
	if !s.order(i) {
		return nil
	}
	a := newOrder(s.orders(), s.scratch, func(code *order.Code, kernels []Kernel) Interruptible {
		bound := *s
		if len(kernels) > 0 {
			by := *s.by
			by.run, bound.by = kernels[0].Run, &by
		}
		if s.orders() != 0 {
			bound.code = code
		}
		if s.picks() && code != nil {
			k := &s.keys[0]
			bound.picker = newPicker(code, k.column, s.sizes[k.operand])
		}
		return bound.run
	})
	if s.by != nil {
		a.Nests = []*loop.Nest{s.by.nest}
	}
	return a
}

// isIndex reports whether the elements of i are their indices along dimension d.
func isIndex(i *hlo.Instruction, d int) bool {
	a, ok := i.Attrs().(*op.IotaAttrs)
	return ok && a.Dimension == d && i.Type().IsInteger() && i.Type().Bits() >= 32
}

// orders is the code that the sort needs.
func (s *sorter) orders() (set order.Set) {
	byWords := len(s.keys) > 1 || len(s.sizes) > 1
	for i := range s.keys {
		set |= [9]order.Set{1: order.Sort32, 2: order.Sort32, 4: order.Sort32, 8: order.Sort64}[s.keys[i].bits()/8]
		byWords = byWords || s.keys[i].loose
	}
	if byWords && len(s.keys) > 0 {
		set |= order.Sort64 | order.Words
	}
	if s.picks() {
		set |= filterSet(s.sizes[s.keys[0].operand])
	}
	return set
}

// order finds out what the comparator of i does; false if it is beyond this package.
func (s *sorter) order(i *hlo.Instruction) bool {
	keys, ok := match.Comparator(i.Called()[0])
	if !ok {
		if s.by = newComparison(i.Called()[0]); s.by == nil {
			return false
		}
		keys, _ = match.NumberComparator(i.Called()[0])
	}
	for _, k := range keys {
		t := i.Operand(k.Operand).Type()
		key := sortKey{column: newColumn(t, k.Order), operand: k.Operand, isFloat: t.IsFloat()}
		if key.isFloat {
			key.partial = k.Order == match.Less || k.Order == match.Greater
			key.loose = k.Order != match.TotalLess && k.Order != match.TotalGreater
		}
		s.keys = append(s.keys, key)
	}
	return true
}

// sortRun is the memory of one worker.
type sortRun struct {
	radixRun
	compareRun
	in, out   [][]byte // rows of the operands and results
	src, dst  [][]byte // of a block of lines
	from, to  [][]uint64
	canonical []bool // by key: some of its elements are not
	wide      [][]uint64
	nans      []uint64
}

// groupBytes bounds the lines that are copied together from where they do not lie in one piece.
const groupBytes = 1 << 18

// run sorts line by line; a few long lines one after the other on all threads.
func (s *sorter) run(done <-chan struct{}, pool *exec.Pool, in, out [][]byte) error {
	if s.n == 0 || s.count == 0 {
		return nil
	}
	if s.shared(pool.Threads()) && len(s.keys) > 0 {
		return s.part(done, pool, in, out, 0, s.count)
	}
	grain := min(max(1, parallelLength/4/s.n), (s.count-1)/pool.Threads()+1)
	var failure atomic.Pointer[error]
	pool.Run(s.count, grain, exec.JobFunc(func(_, lo, hi int) {
		if err := s.part(done, nil, in, out, lo, hi); err != nil {
			first := err // a variable of its own, so that there is none where all is well
			failure.CompareAndSwap(nil, &first)
		}
	}))
	if err := failure.Load(); err != nil {
		return *err
	}
	return nil
}

// shared reports whether all of the threads work on one line.
func (s *sorter) shared(threads int) bool { return s.n >= parallelLength && s.count < 2*threads }

// part sorts lines lo..hi-1, in blocks of lines that lie side by side, until done is closed.
func (s *sorter) part(done <-chan struct{}, pool *exec.Pool, in, out [][]byte, lo, hi int) error {
	r := s.runs.Get().(*sortRun)
	defer s.runs.Put(r)
	r.crew = order.Crew{Pool: pool, Done: done}
	r.src, r.dst = resized(r.src, len(in)), resized(r.dst, len(in))
	most := max(1, groupBytes/8/s.n)
	for lo < hi && !interrupted(done) {
		g := min(hi-lo, most)
		block, result := r.src, r.dst
		if s.inner == 1 {
			for k, size := range s.sizes {
				row := s.n * size
				block[k], result[k] = in[k][lo*row:(lo+g)*row], out[k][lo*row:(lo+g)*row]
			}
		} else {
			g = s.group(lo, hi, most)
			r.from, r.to = resized(r.from, len(in)), resized(r.to, len(in))
			for k, size := range s.sizes {
				bytes := g * s.n * size
				r.from[k], r.to[k] = resized(r.from[k], bytes/8+1), resized(r.to[k], bytes/8+1)
				block[k], result[k] = part[byte](r.from[k], bytes), part[byte](r.to[k], bytes)
				movers[size].gather(block[k], in[k], s.base(lo), s.inner, s.n, g)
			}
		}
		if err := s.block(r, block, result, g); err != nil {
			return err
		}
		if s.inner != 1 {
			for k, size := range s.sizes {
				movers[size].scatter(out[k], result[k], s.base(lo), s.inner, s.n, g, s.used)
			}
		}
		lo += g
	}
	r.crew = order.Crew{}
	clear(r.src)
	clear(r.dst)
	return nil
}

// block sorts g rows that lie one behind the other.
func (s *sorter) block(r *sortRun, in, out [][]byte, g int) error {
	if len(s.keys) == 0 {
		return s.compare(r, in, out, g)
	}
	if k := &s.keys[0]; s.picker == nil && len(s.keys) == 1 && len(s.sizes) == 1 &&
		k.sortRows(s.code, &r.radixRun, out[0], in[0], s.n, s.used, s.surveys(k)) {
		return nil
	}
	if s.picker == nil && s.wordRows(r, in, out, g) {
		return nil
	}
	r.in, r.out = resized(r.in, len(in)), resized(r.out, len(in))
	for line := range g {
		for k, size := range s.sizes {
			row := s.n * size
			r.in[k], r.out[k] = in[k][line*row:(line+1)*row], out[k][line*row:(line+1)*row]
		}
		if err := s.row(r); err != nil {
			return err
		}
	}
	clear(r.in)
	clear(r.out)
	return nil
}

// compare sorts g rows by running the comparator.
func (s *sorter) compare(r *sortRun, in, out [][]byte, g int) error {
	r.order, r.next = resized(r.order, g*s.n), resized(r.next, g*s.n)
	if err := s.by.sort(&r.compareRun, r.crew, in, s.n, r.order, r.next); err != nil {
		return err
	}
	if !r.crew.Ended() {
		s.permute(r, in, out)
	}
	return nil
}

// permute puts the elements of all operands in the order found.
func (s *sorter) permute(r *sortRun, in, out [][]byte) {
	for k, size := range s.sizes {
		ranges(r.crew.Pool, len(r.order), func(lo, hi int) {
			movers[size].permute(out[k][lo*size:], in[k], r.order[lo:hi])
		})
	}
}

// row sorts r.in into r.out.
func (s *sorter) row(r *sortRun) error {
	if s.picker != nil && s.pick(r) {
		return nil
	}
	r.canonical = resized(r.canonical, len(s.keys))
	clear(r.canonical)
	merge := false
	for i := range s.keys {
		if k := &s.keys[i]; s.surveys(k) {
			nan, zero := s.survey(r, k)
			merge = merge || nan && (k.partial || s.by != nil)
			r.canonical[i] = k.loose && (nan || zero)
		}
	}
	switch {
	case merge && s.by != nil:
		return s.compare(r, r.in, r.out, 1)
	case merge:
		s.merge(r)
	case len(s.keys) == 1 && len(s.sizes) == 1 && r.canonical[0]:
		s.keys[0].sortLoose(s.code, &r.radixRun, r.out[0], r.in[0])
		return nil
	case len(s.keys) == 1 && len(s.sizes) == 1:
		s.keys[0].sortRow(s.code, &r.radixRun, r.out[0], r.in[0], s.used)
		return nil
	case len(s.keys) == 1 && narrow(s.keys[0].bits(), s.n):
		s.byDigits(r)
		return nil
	case s.code != nil:
		s.byWords(r)
		return nil
	default:
		s.radix(r)
	}
	if !r.crew.Ended() {
		s.permute(r, r.in, r.out)
	}
	return nil
}

// survey tells what elements of a key there are.
func (s *sorter) survey(r *sortRun, k *sortKey) (nan, negativeZero bool) {
	src := r.in[k.operand]
	if s.code == nil {
		return k.survey(src)
	}
	r.words = resized(r.words, len(src)/8+1)
	return k.surveyBy(s.code, r.crew.Pool, part[byte](r.words, len(src)), src)
}

// radix sets r.order to that of the keys, unless it is to end. From the last 32 bits of the last key to the first ones
// of the first, the order so far is sorted by these: each word has them in front of the place of its element.
func (s *sorter) radix(r *sortRun) {
	r.words, r.spare = resized(r.words, s.n), resized(r.spare, s.n)
	r.next = resized(r.next, s.n)
	var order []uint32
	for i := len(s.keys) - 1; i >= 0; i-- {
		k := s.keys[i]
		for half := uint(0); half*32 < k.bits(); half++ {
			a, from := r.words, r.in[k.operand]
			ranges(r.crew.Pool, s.n, func(lo, hi int) { k.words(a, from, order, half, r.canonical[i], lo, hi) })
			sorted := radixSort(&r.radixRun, a, r.spare, 32, 32+min(32, k.bits()))
			if r.crew.Ended() {
				return
			}
			to := r.next
			ranges(r.crew.Pool, s.n, func(lo, hi int) {
				for i, w := range sorted[lo:hi] {
					to[lo+i] = uint32(w)
				}
			})
			order, r.next, r.order = to, resized(r.order, s.n), to
		}
	}
}
