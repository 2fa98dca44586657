package cpu

import (
	"errors"
	"slices"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/emit"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/loop"
)

// version is a kernel to be made: a nest, for a target.
type version struct {
	nest   *loop.Nest
	target emit.Target
}

// versionsOf lists what is made of nests: each as it is and then, of those that stream, the ones for buffers that are
// aligned, whose numbers aligned gives by nest.
func versionsOf(nests []*loop.Nest, t emit.Target) (list []version, aligned []int) {
	for _, n := range nests {
		list = append(list, version{n, t})
	}
	t.Aligned = true
	for k, n := range nests {
		aligned = append(aligned, k)
		if streams(n) {
			aligned[k] = len(list)
			list = append(list, version{n, t})
		}
	}
	return list, aligned
}

// streams reports whether n has buffers whose alignment matters.
func streams(n *loop.Nest) bool {
	return slices.ContainsFunc(n.Buffers, func(b loop.Buffer) bool { return b.Stream })
}

// kernelAlign is what the code of a kernel is aligned to.
const kernelAlign = 64

// assemble appends kernels to a and returns where each begins, -1 for one that needs too many registers. They are made
// side by side; of those that differ in their names alone one is made.
func assemble(a *asm.Assembler, list []version, pool *exec.Pool) ([]int, error) {
	first, made := distinct(list)
	parts, errs := make([]asm.Assembler, len(made)), make([]error, len(made))
	compilers := pool.Memory()
	exec.Each(pool.Threads(), len(made), func(k int) {
		c, ok := compilers.Get().(*emit.Compiler)
		if !ok {
			c = &emit.Compiler{}
		}
		parts[k].VEXOnly, parts[k].Notes = a.VEXOnly, a.Notes
		_, errs[k] = c.Compile(&parts[k], list[made[k]].nest, list[made[k]].target)
		compilers.Put(c)
	})
	entries := make([]int, len(list))
	for k, n := range made {
		if errors.Is(errs[k], emit.ErrRegisters) {
			entries[n] = -1
			continue
		}
		if errs[k] != nil {
			return nil, errs[k]
		}
		a.Align(kernelAlign)
		entries[n] = a.Len()
		noteOthers(a, list, first, n)
		a.Append(&parts[k])
	}
	for n := range entries {
		entries[n] = entries[first[n]]
	}
	return entries, nil
}

// noteOthers notes the names of the kernels that kernel n stands for, besides its own.
func noteOthers(a *asm.Assembler, list []version, first []int, n int) {
	for k := range list {
		if a.Notes && first[k] == n && k != n {
			a.Note(list[k].nest.Name)
		}
	}
}

// distinct returns for each version the first that is the same but for names, and the list of those.
func distinct(list []version) (first, made []int) {
	first = make([]int, len(list))
	seen := map[string]int{}
	var key []byte
	for n, v := range list {
		key = v.nest.AppendKey(key[:0])
		if v.target.Aligned {
			key = append(key, 'a')
		}
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
