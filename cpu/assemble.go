package cpu

import (
	"cmp"
	"errors"
	"slices"
	"sync"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/emit"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/loop"
)

// entry is where the code of a kernel begins: for buffers anywhere, and for those with Stream at whole lines. It is -1
// for a kernel that needs too many registers.
type entry struct{ any, aligned int }

// kernelAlign is what the code of a kernel is aligned to.
const kernelAlign = 64

// assemble appends kernels to a and returns where each begins. They are made side by side; of those that differ in
// their names alone one is made.
func assemble(a *asm.Assembler, nests []*loop.Nest, t emit.Target, pool *exec.Pool) ([]entry, error) {
	first, made := distinct(nests)
	memory := partMemory(pool)
	room, ok := memory.Get().(*partRoom)
	if !ok {
		room = &partRoom{}
	}
	defer memory.Put(room)
	parts, errs := room.take(len(made)), make([]error, len(made))
	compilers, order := pool.Memory(), largestFirst(nests, made)
	exec.Each(pool.Threads(), len(made), func(n int) {
		k := order[n]
		c, ok := compilers.Get().(*emit.Compiler)
		if !ok {
			c = &emit.Compiler{}
		}
		parts[k].VEXOnly, parts[k].Notes = a.VEXOnly, a.Notes
		_, errs[k] = c.Compile(&parts[k], nests[made[k]], t)
		compilers.Put(c)
	})
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

// partKey is the key of what a pool shares of it.
type partKey struct{}

// partMemory is where those who use a pool keep such memory for the next one.
func partMemory(pool *exec.Pool) *sync.Pool {
	if known, ok := pool.Shared().Load(partKey{}); ok {
		return known.(*sync.Pool)
	}
	made, _ := pool.Shared().LoadOrStore(partKey{}, &sync.Pool{}) // another program may have been first
	return made.(*sync.Pool)
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
	for k := range nests {
		if a.Notes && first[k] == n && k != n {
			a.Note(nests[k].Name)
		}
	}
}

// distinct returns for each nest the first that is the same but for names, and the list of those.
func distinct(nests []*loop.Nest) (first, made []int) {
	first = make([]int, len(nests))
	if len(nests) == 1 {
		return first, []int{0}
	}
	seen := map[string]int{}
	var key []byte
	for n, nest := range nests {
		key = nest.AppendKey(key[:0])
		k, ok := seen[string(key)]
		if !ok {
			k = n
			seen[string(key)] = n
			made = append(made, n)
		}
		first[n] = k
	}
	return first, made
}
