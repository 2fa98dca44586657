package cpu

import (
	"math"
	"slices"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/plan"
)

// How many threads do a kernel depends on whose caches have what it reads and writes. What each thread has made of an
// array takes longer to fetch for one that does all of the next kernel than its part of a short kernel takes; and
// what one thread has made it had better use itself, unless there is much to do. So steps are gone through in their
// order, and it is noted where arrays are.

// place is where an array is.
type place struct {
	home  home
	span  int64 // of parts: how far they are apart from the first to the last, in bytes
	bytes int64 // that are there
}

// home is whose caches have an array.
type home uint8

const (
	anywhere home = iota // in all of them, or in none
	caller               // in those of the thread that runs the program
	parts                // each thread has a part of its own
)

// Times, in picoseconds as the times of kernels are estimated.
const (
	// line is how long a thread waits for a line of another's cache, where it reads one after the other: about 5 ns
	// where they share a cache, 16 where they do not. Kernels are estimated at about four times what they take.
	line = 20_000
	// ownLine is what a line takes that is in its own.
	ownLine = 3_000
	// lineBytes is the size of a line.
	lineBytes = 64
	// handing is what it takes to hand out parts and to wait for them.
	handing = 8_000_000
	// mostAlone is the most that one thread does while others wait.
	mostAlone = 40_000_000
	// mostAhead is how many steps further on is looked for who uses what a kernel writes.
	mostAhead = 8
	// mostNested is how deep loops may be in each other for the steps in them to be gone through as if they came again.
	mostNested = 2
)

// placing goes through the steps of a program.
type placing struct {
	program *Program
	threads int64
	cache   int64 // bytes of a thread's cache
	at      map[int64]place
	touches map[*plan.Kernel][]loop.Touch
	bundles map[plan.Step]*bundle // by the first step of those that may be one
	depth   int
	next    []plan.Step // of the sequence, behind the step
	spent   int64       // the time that kernels of a loop take
	way     way
}

// way is how it is decided whether threads share kernels.
type way uint8

const (
	stepwise way = iota // as is best for each behind those before it
	alone               // not, unless it takes long
	together            // wherever it may pay if every thread has its parts of arrays
	ways
)

// place decides which kernels several threads do.
func (p *Program) place() {
	if p.pool.Threads() < 2 {
		return
	}
	p.bundled = map[*plan.Kernel]*bundle{}
	w := &placing{program: p, bundles: map[plan.Step]*bundle{},
		threads: int64(p.pool.Threads()), cache: int64(exec.Host().L2), at: map[int64]place{},
		touches: map[*plan.Kernel][]loop.Touch{}}
	w.sequence(p.plan.Body)
}

func (w *placing) sequence(s *plan.Sequence) {
	apart := len(spans(w.program.plan, s.Steps)) == 0
	for i := 0; i < len(s.Steps); i++ {
		st := s.Steps[i]
		if i > 0 && w.program.followed(s.Steps[i-1], st) {
			w.forget(st)
			continue
		}
		if b := w.bundle(s.Steps[i:]); apart && b != nil {
			i += len(b.steps) - 1
			w.next = s.Steps[i+1:]
			w.kernels(b)
			continue
		}
		w.next = s.Steps[i+1:]
		w.step(st)
	}
}

// bundle returns what steps begin with, if that may be a bundle.
func (w *placing) bundle(steps []plan.Step) *bundle {
	b, ok := w.bundles[steps[0]]
	if !ok {
		b = w.program.bundleOf(steps)
		w.bundles[steps[0]] = b
	}
	return b
}

func (w *placing) step(st plan.Step) {
	switch st := st.(type) {
	case *plan.Kernel:
		w.kernels(&bundle{steps: []*plan.Kernel{st}, kernels: []*kernel{w.program.kernels[st]}})
	case *plan.While:
		w.loop(st)
	case *plan.Conditional:
		for _, b := range st.Branches {
			w.sequence(b)
		}
		w.forget(st)
	case *plan.Swap:
		from, to := w.key(st.From), w.key(st.To)
		w.at[from], w.at[to] = w.at[to], w.at[from]
	case *plan.Copy:
		w.forget(st)
		if bytes := w.program.plan.Buffers[st.To].Bytes; bytes <= cachedGrain {
			w.put(st.To, place{caller, 0, bytes})
		}
	case *plan.Gemm:
		w.forget(st)
		if st.Product.Alone() {
			w.put(st.C, place{caller, 0, w.program.plan.Buffers[st.C].Bytes})
		}
	default:
		w.forget(st)
	}
}

// loop goes through an iteration as if another one came before it: what that costs, or what it saves, comes each time.
// It is decided in the way in which that costs least: where threads that share short kernels only cost, one thread does
// them all, and where what one thread does costs all of what comes after, they share all.
func (w *placing) loop(st *plan.While) {
	w.depth++
	switch {
	case w.depth > mostNested:
		w.iteration(st)
	case !isInnermost(st):
		w.again(st)
	default:
		best, least := stepwise, int64(math.MaxInt64)
		for w.way = range ways {
			if spent := w.again(st); spent < least {
				best, least = w.way, spent
			}
		}
		w.way = best
		w.again(st)
		w.way = stepwise
	}
	w.depth--
	w.forget(st)
}

// isInnermost reports whether there are no sequences in those of a loop.
func isInnermost(st *plan.While) bool {
	for _, s := range plan.Inner(st) {
		if slices.ContainsFunc(s.Steps, func(st plan.Step) bool { return len(plan.Inner(st)) > 0 }) {
			return false
		}
	}
	return true
}

// again goes through an iteration that comes after another one, and returns what its kernels cost.
func (w *placing) again(st *plan.While) int64 {
	clear(w.at)
	w.iteration(st)
	w.spent = 0
	w.iteration(st)
	return w.spent
}

func (w *placing) iteration(st *plan.While) {
	if st.Cond != nil {
		w.sequence(st.Cond)
	}
	w.sequence(st.Body)
	for _, c := range st.Back {
		w.step(c)
	}
}

// kernels decides whether several threads do a bundle, which may be one kernel only.
func (w *placing) kernels(b *bundle) {
	var time, byOne, shared, whole int64
	for n, st := range b.steps {
		k := b.kernels[n]
		one, each := w.costs(st, k)
		time, byOne = time+k.time, byOne+one
		if whole = max(whole, k.time); k.alone() {
			each = one
		}
		shared += each
	}
	shared += handing
	own := time + w.own(b)
	share := whole > longest || w.way != alone && (own > mostAlone || shared < byOne) || w.way == together && own > handing
	if share = w.cut(b, share); share {
		byOne = shared
	}
	w.spent += byOne
	for n, st := range b.steps {
		for _, t := range w.touchesOf(st) {
			at := st.Buffers[t.Buffer]
			w.put(at, w.at[w.key(at)].after(t, share && !b.kernels[n].alone()))
		}
	}
}

// cut has several threads do a bundle, or one, and returns which.
func (w *placing) cut(b *bundle, share bool) bool {
	able := false
	for n, k := range b.kernels {
		if !k.alone() {
			k.grain, able = k.extent, true
		}
		delete(w.program.bundled, b.steps[n])
	}
	if !share || !able {
		return false
	}
	if k := b.kernels[0]; len(b.kernels) == 1 {
		k.cut(int(w.threads))
		if share = k.grain < k.extent; !share || k.scratch >= 0 || b.steps[0].Rounds > 0 {
			return share
		}
	}
	b.cut(int(w.threads))
	for _, st := range b.steps {
		w.program.bundled[st] = b
	}
	return true
}

// own is how long a thread takes to touch what a bundle does in its own cache.
func (w *placing) own(b *bundle) (time int64) {
	for _, st := range b.steps {
		for _, t := range w.touchesOf(st) {
			time += t.Bytes / lineBytes * ownLine
		}
	}
	return time
}

// costs is how long one thread takes for a kernel, and how long each takes for its part.
func (w *placing) costs(st *plan.Kernel, k *kernel) (one, each int64) {
	touches := w.touchesOf(st)
	time := k.time
	for _, t := range touches {
		time += t.Bytes / lineBytes * ownLine
	}
	one, each = time, time/w.threads
	for _, t := range touches {
		byOne, byEach := w.waits(w.at[w.key(st.Buffers[t.Buffer])], t)
		wait := int64(line)
		if t.Write {
			wait /= 2 // nobody waits for a store
			each += w.fetches(st.Buffers[t.Buffer], t)
		}
		one, each = one+byOne*wait, each+byEach*wait
	}
	return one, each
}

// fetches is how long the next one to use what a kernel writes, if that is one thread in any case, waits for what
// others have written of it.
func (w *placing) fetches(buffer int, t loop.Touch) int64 {
	for _, st := range w.next[:min(len(w.next), mostAhead)] {
		reads, writes := st.Uses()
		if !slices.Contains(reads, buffer) && !slices.Contains(writes, buffer) {
			continue
		}
		if next, ok := st.(*plan.Kernel); !ok || !w.program.kernels[next].alone() {
			return 0
		}
		lines := min(t.Bytes, w.cache) / lineBytes
		return lines * (w.threads - 1) / w.threads * line
	}
	return 0
}

// touchesOf returns what a kernel touches of its buffers.
func (w *placing) touchesOf(st *plan.Kernel) []loop.Touch {
	if list, ok := w.touches[st]; ok {
		return list
	}
	l := st.Nest.Outermost()
	if l == nil {
		l = &loop.Loop{Var: -1}
	}
	list := st.Nest.Touches(l)
	w.touches[st] = list
	return list
}

// waits is for how many lines of an array at p a thread waits if one does all of the kernel, and if each does its part.
func (w *placing) waits(p place, t loop.Touch) (one, each int64) {
	lines := min(t.Bytes, p.bytes) / lineBytes
	others := lines * (w.threads - 1) / w.threads
	switch {
	case p.home == caller && t.Span == 0:
		return 0, lines
	case p.home == caller:
		return 0, lines / w.threads
	case p.home == parts && t.Span == 0:
		return others, others
	case p.home == parts && alike(p.span, t.Span):
		return others, 0
	case p.home == parts:
		return others, others / w.threads
	}
	return 0, 0
}

// alike reports whether parts of arrays that are so far apart are about the same.
func alike(a, b int64) bool { return max(a-b, b-a) <= max(a, b)/8 }

// after is where an array at p is after a kernel that several threads share, or not.
func (p place) after(t loop.Touch, share bool) place {
	to := place{anywhere, 0, t.Bytes}
	switch {
	case share && t.Span > 0 && (t.Write || p.home == anywhere):
		to = place{parts, t.Span, t.Bytes}
	case !share && (t.Write || p.home == anywhere):
		to.home = caller
	case !share && p.home == caller || share && p.home == parts && alike(p.span, t.Span):
		return p
	}
	if to.home == p.home && alike(p.span, to.span) {
		to.bytes += p.bytes
	} else if to.bytes < p.bytes {
		return p
	}
	return to
}

// put notes where an array is; what does not fit into caches is in none.
func (w *placing) put(buffer int, p place) {
	p.bytes = min(p.bytes, w.program.plan.Buffers[buffer].Bytes)
	if p.bytes > w.cache {
		p = place{}
	}
	w.at[w.key(buffer)] = p
}

// forget notes that what a step writes may be anywhere.
func (w *placing) forget(st plan.Step) {
	_, writes := st.Uses()
	for _, b := range writes {
		delete(w.at, w.key(b))
	}
}

// key is a number of the memory that a buffer has.
func (w *placing) key(buffer int) int64 {
	if b := &w.program.plan.Buffers[buffer]; b.Kind == plan.Temp {
		return b.Offset
	}
	return -1 - int64(buffer)
}
