package cpu

import (
	"cmp"
	"errors"
	"runtime"
	"slices"
	"sync"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/emit"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/cpu/loop"
)

// entry is where the code of a kernel begins: for buffers anywhere, and for those with Stream at whole lines. It is -1
// for a kernel that needs too many registers.
type entry struct{ any, aligned int }

// kernelAlign is what the code of a kernel is aligned to.
const kernelAlign = 64

// assemble appends kernels to a and returns where each begins. Where several threads help they are made side by side,
// those of products beside them; of those that differ in their names alone one is made.
func assemble(a *asm.Assembler, nests []*loop.Nest, products *gemm.Batch, t emit.Target, pool *exec.Pool) (
	[]entry, error) {
	first, made := distinct(nests)
	memory := stockOf(pool)
	room := memory.rooms.take()
	parts, errs := room.take(len(made)), make([]error, len(made))
	order := largestFirst(nests, made)
	threads, apart := startProducts(pool, nests, made, products)
	exec.Each(threads, len(made)+apart, func(n int) {
		if n >= len(made) {
			emitProduct(products, n-len(made), memory)
			return
		}
		k, c := order[n], memory.compilers.take()
		c.text.Reset()
		c.text.VEXOnly, c.text.Notes = a.VEXOnly, a.Notes
		_, errs[k] = c.Compile(&c.text, nests[made[k]], t)
		if len(made) == 1 { // the memory that it was made in waits for no other
			parts[k], c.text = c.text, parts[k]
		} else {
			parts[k].Keep(&c.text)
		}
		memory.compilers.give(c, !c.Large())
	})
	defer func() { memory.rooms.give(room, len(made) <= maxParts && a.Len() <= maxKept) }()
	a.GrowFor(parts, kernelAlign)
	entries := make([]entry, len(nests))
	for k, n := range made {
		if errors.Is(errs[k], emit.ErrRegisters) {
			entries[n] = entry{-1, -1}
			continue
		}
		if errs[k] != nil {
			return nil, errs[k]
		}
		entries[n] = appendKernel(a, &parts[k], func() { noteOthers(a, nests, first, n) })
	}
	for n := range entries {
		entries[n] = entries[first[n]]
	}
	return entries, nil
}

// startProducts returns on how many threads of pool kernels are made, and how many of products are a part of that,
// which begins here: none where one thread does all.
func startProducts(pool *exec.Pool, nests []*loop.Nest, made []int, products *gemm.Batch) (threads, apart int) {
	if threads = helped(pool, nests, made, products); threads > 1 {
		apart = products.Apart()
	}
	return threads, apart
}

// productWork is how many microseconds a kernel of products takes to make, about.
const productWork = 20

// helped returns on how many threads of pool kernels are made: those of nests, about an instruction in a microsecond,
// and those of products.
func helped(pool *exec.Pool, nests []*loop.Nest, made []int, products *gemm.Batch) int {
	work := slices.Repeat([]int{productWork}, len(made)+products.Kernels())
	for k, n := range made {
		work[k] = len(nests[n].Insts)
	}
	return exec.Helped(pool.Threads(), work)
}

// emitProduct makes a kernel of products.
func emitProduct(products *gemm.Batch, k int, memory *stock) {
	c := memory.compilers.take()
	products.Emit(k, &c.text)
	memory.compilers.give(c, true)
}

// partRoom is memory for the kernels of a program one by one, before they are appended to each other.
type partRoom struct{ list []asm.Assembler }

// take returns n assemblers that are empty.
func (r *partRoom) take(n int) []asm.Assembler {
	if n > len(r.list) {
		r.list = append(r.list, make([]asm.Assembler, n-len(r.list))...)
	}
	for k := range n {
		r.list[k].Reset()
	}
	return r.list[:n]
}

// Memory of no more kernels, and of no more code, is kept for the next program.
const (
	maxParts = 1 << 8
	maxKept  = 1 << 20
)

// stock is memory that programs of a pool use one after the other. It is not the collector's, which would take it away
// while small programs are compiled one after the other.
type stock struct {
	rooms     spares[partRoom]
	texts     spares[asm.Assembler] // for all kernels of a program
	compilers spares[compiler]
}

// compiler makes kernels one after the other in the same memory, and their code in text.
type compiler struct {
	emit.Compiler
	text asm.Assembler
}

// spares is memory that nobody uses now.
type spares[T any] struct {
	mu   sync.Mutex
	list []*T
}

// take returns some of s, which is then the caller's, or new memory.
func (s *spares[T]) take() *T {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.list)
	if n == 0 {
		return new(T)
	}
	x := s.list[n-1]
	s.list = s.list[:n-1]
	return x
}

// give adds x to s if it is to be kept and there is not enough for all threads.
func (s *spares[T]) give(x *T, keep bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if keep && len(s.list) < runtime.GOMAXPROCS(0) {
		s.list = append(s.list, x)
	}
}

// stockKey is the key of what a pool shares of it.
type stockKey struct{}

// stockOf returns the stock of those who use a pool.
func stockOf(pool *exec.Pool) *stock {
	known, ok := pool.Shared().Load(stockKey{})
	if !ok {
		known, _ = pool.Shared().LoadOrStore(stockKey{}, &stock{}) // another program may have been first
	}
	return known.(*stock)
}

// largestFirst returns the order in which the kernels of made, numbers of nests, are made: none that takes long is left
// to the end, when others have nothing to do.
func largestFirst(nests []*loop.Nest, made []int) []int {
	order := make([]int, len(made))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(len(nests[made[b]].Insts), len(nests[made[a]].Insts))
	})
	return order
}

// appendKernel appends a kernel, whose names note notes: once if it does not care where its buffers are, else twice.
func appendKernel(a, kernel *asm.Assembler, note func()) (e entry) {
	begin := func() int {
		a.Align(kernelAlign)
		note()
		return a.Len()
	}
	e.aligned = begin()
	a.Append(kernel)
	if !kernel.Streams() {
		e.any = e.aligned
		return e
	}
	e.any = begin()
	a.AppendCached(kernel)
	return e
}

// noteOthers notes the names of the kernels that kernel n stands for, besides its own.
func noteOthers(a *asm.Assembler, nests []*loop.Nest, first []int, n int) {
	if !a.Notes {
		return
	}
	for k := range nests {
		if first[k] == n && k != n {
			a.Note(nests[k].Name)
		}
	}
}

// distinct returns for each nest the first that is the same but for names, and the list of those.
func distinct(nests []*loop.Nest) (first, made []int) {
	first = make([]int, len(nests))
	made = make([]int, 0, len(nests))
	alone := lone(nests) // most are, and need no key
	var seen map[string]int
	var key []byte
	for n, nest := range nests {
		first[n] = n
		if !alone[n] {
			if seen == nil {
				seen = map[string]int{}
			}
			key = nest.AppendKey(key[:0])
			if k, ok := seen[string(key)]; ok {
				first[n] = k
				continue
			}
			seen[string(key)] = n
		}
		made = append(made, n)
	}
	return first, made
}

// lone tells the nests whose outline no other has: they are the same as none.
func lone(nests []*loop.Nest) []bool {
	alone := make([]bool, len(nests))
	of := make(map[uint64]int, len(nests))
	for n, nest := range nests {
		outline := nest.Outline()
		k, ok := of[outline]
		if alone[n] = !ok; ok {
			alone[k] = false
			continue
		}
		of[outline] = n
	}
	return alone
}
