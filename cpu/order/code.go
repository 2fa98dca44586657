package order

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/exec"
)

// Set says what a [Code] is for.
type Set uint32

// What there is code for. Sets combine by |.
const (
	Sort32   Set = 1 << iota // arrays of 4 bytes: [Sort] and [Image]
	Sort64                   // arrays of 8 bytes
	Words                    // [Code.Words] of elements of up to 8 bytes
	Filter32                 // [Code.Filter] of elements of up to 4 bytes
	Filter64                 // [Code.Filter] of elements of 8 bytes
)

// kernel is what a piece of code does.
type kernel uint8

const (
	networkKernel kernel = iota
	partitionKernel
	imageKernel
	wordsKernel
	filterKernel
	numKernels
)

// form is a kernel for lanes and elements of so many bytes.
type form struct {
	kernel        kernel
	size, element int
}

// forms returns the kernels of a set.
func (s Set) forms() (list []form) {
	for _, size := range []int{4, 8} {
		if s&[9]Set{4: Sort32, 8: Sort64}[size] != 0 {
			for _, k := range []kernel{networkKernel, partitionKernel, imageKernel} {
				list = append(list, form{k, size, size})
			}
		}
	}
	for element := 1; element <= 8; element *= 2 {
		if s&Words != 0 {
			list = append(list, form{wordsKernel, 8, element})
		}
		if element < 8 && s&Filter32 != 0 {
			list = append(list, form{filterKernel, 4, element})
		}
	}
	if s&Filter64 != 0 {
		list = append(list, form{filterKernel, 8, 8})
	}
	return list
}

// emit emits a kernel.
func (f form) emit(a *asm.Assembler, wide bool) {
	g := newGen(a, wide, f.size)
	switch f.kernel {
	case networkKernel:
		emitNetwork(g)
	case partitionKernel:
		emitPartition(g)
	case imageKernel:
		emitImage(g)
	case wordsKernel:
		emitWords(g, f.element)
	case filterKernel:
		emitFilter(g, f.element)
	}
}

// Code is machine code for a [Set], safe for concurrent use.
type Code struct {
	code    *exec.Code
	wide    bool
	entries [numKernels][9][9]uintptr // by size and element
}

// New makes the code of a tier, which is not the portable one, for s. The error wraps [exec.ErrNoExec] where executable
// memory is not available.
func New(tier exec.Tier, s Set) (*Code, error) {
	c := &Code{wide: tier >= exec.AVX512}
	a := asm.Assembler{VEXOnly: !c.wide}
	at := map[form]int{}
	for _, f := range s.forms() {
		a.Align(aligned)
		at[f] = a.Len()
		f.emit(&a, c.wide)
	}
	text, err := a.Finish()
	if err != nil {
		return nil, fmt.Errorf("order: %w", err)
	}
	if c.code, err = exec.NewCode(text); err != nil {
		return nil, err
	}
	for f, offset := range at {
		c.entries[f.kernel][f.size][f.element] = c.code.Entry(offset)
	}
	return c, nil
}

// call runs a kernel.
func (c *Code) call(k kernel, size, element int, a *args) {
	exec.Call(c.entries[k][size][element], unsafe.Pointer(a))
	runtime.KeepAlive(c)
}

// lanes is how many lanes of size bytes a vector has.
func (c *Code) lanes(size int) int {
	if c.wide {
		return 64 / size
	}
	return 32 / size
}
