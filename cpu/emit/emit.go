package emit

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// Target says what instructions a kernel may use beyond AVX2, FMA, F16C, BMI1, BMI2, LZCNT and POPCNT.
type Target struct {
	// AVX512 stands for F, BW, CD, DQ and VL. Without it every instruction has a VEX encoding.
	AVX512 bool
	// VPOPCNT is AVX512_VPOPCNTDQ.
	VPOPCNT bool
	// VBMI is AVX512_VBMI.
	VBMI bool
	// QuickDivision says that a vector is divided as fast as its quotients are made of products.
	QuickDivision bool
	// Split says that units are split, as exec.Features.SplitUnits has it.
	Split bool
	// SlowGather says that a gather takes longer than a load for each element.
	SlowGather bool
	// PairedGather says that it does where the numbers of the lanes come out of a vector by two.
	PairedGather bool
	// FarCache says that a line of the last cache is long in coming, if nothing has asked for it.
	FarCache bool
	// AsksRows says that code asks for the lines of rows that it reads in turns.
	AsksRows bool
	// AskFrom is from how many bytes on what is only read is asked for, as it comes from memory; 0: never.
	AskFrom int64
	// AheadFrom is from how many bytes on the next row of what rows are gone over several times is asked for; 0: from
	// where they are not in the second cache.
	AheadFrom int64
	// Cache is the bytes of the last cache, of all cores that share it.
	Cache int64
}

// ErrRegisters says that a nest needs more registers and spill space than there are.
var ErrRegisters = errors.New("too few registers")

// SpillBytes is how much memory behind RSI a kernel may use.
const SpillBytes = 8 << 10

// Compile appends a kernel for n, which was verified, and returns the offset of its first byte. Several kernels may
// share an assembler; for a target without AVX512 its VEXOnly should be set. A kernel takes
// an argument block ([Args]) in RDI. Ranges of an outermost lane loop begin at a multiple of [loop.RangeUnit], and end
// at one or with the loop. Buffers with Stream begin at a multiple of [StreamAlignment]; for others there is
// [asm.Assembler.AppendCached]. The error wraps [ErrRegisters] where registers do not suffice.
func Compile(a *asm.Assembler, n *loop.Nest, t Target) (entry int, err error) {
	return new(Compiler).Compile(a, n, t)
}

// Compiler makes kernels one after the other in the same memory. The zero Compiler is ready.
type Compiler struct {
	list      []ins // the code that was made last
	room      []ins // the memory that it is in
	entry     []ins
	known     []constant
	regs      []info
	phys      []int8
	frees     []uint64
	intervals []interval
	order     []reg
	uses      []int32
	counters  []int32
	places    []int32
	made, had []bool
	loads     []lastLoad
	open      []reg
	again     []ins
	vals      []reg
	free      []uint64 // memory for more
	expected  int      // instructions, when the memory was taken
}

// mostIns is the most instructions of which the memory counts as that of a usual kernel.
const mostIns = 1 << 13

// Large reports whether m had a kernel so large that its memory is not to be kept for others.
func (m *Compiler) Large() bool { return cap(m.room) > mostIns }

// usualBytes is how long an instruction is, about.
const usualBytes = 9

// Compile is the function Compile.
func (m *Compiler) Compile(a *asm.Assembler, n *loop.Nest, t Target) (entry int, err error) {
	g := newGen(m, a, n, t)
	g.run()
	if g.err != nil {
		return 0, fmt.Errorf("kernel %s: %w", n.Name, g.err)
	}
	err = g.c.allocate()
	m.list, m.entry, m.regs, m.known = g.c.list, g.c.entry, g.c.regs, g.c.known
	if err != nil {
		return 0, fmt.Errorf("kernel %s: %w", n.Name, err)
	}
	a.Align(64)
	entry = a.Len()
	a.Note(n.Name)
	a.Grow(usualBytes * len(g.c.list))
	g.c.write()
	return entry, a.Err()
}

// Offsets in the argument block.
const (
	argLo   = 0
	argHi   = 8
	argBufs = 16
)

// Args is the argument block of a kernel: the range of the outermost parallel loop, where there is one, the
// buffers in the nest's order, and behind them the range of the second loop of a nest that is Divided. It may be used
// again for other calls of the kernel.
type Args struct{ words []unsafe.Pointer }

// NewArgs makes a block for a kernel with n buffers.
func NewArgs(n int) *Args { return &Args{words: make([]unsafe.Pointer, 2+n+2)} }

// SetRange sets the range to [lo, hi); see [Compile].
func (a *Args) SetRange(lo, hi int64) { a.set(0, lo, hi) }

// SetSecond sets the range of the second loop (loop.Nest.Second) of a kernel with n buffers to [lo, hi), which begins
// and ends like that of an outermost loop.
func (a *Args) SetSecond(n int, lo, hi int64) { a.set(2+n, lo, hi) }

func (a *Args) set(at int, lo, hi int64) {
	block := (*[2]int64)(unsafe.Pointer(&a.words[at : at+2][0]))
	block[0], block[1] = lo, hi
}

// SetBuffer sets buffer k.
func (a *Args) SetBuffer(k int, p unsafe.Pointer) { a.words[2+k] = p }

// Buffers returns how many there is room for.
func (a *Args) Buffers() int { return len(a.words) - 4 }

// Clear drops the buffers.
func (a *Args) Clear() { clear(a.words) }

// Pointer is what the kernel is given in RDI.
func (a *Args) Pointer() unsafe.Pointer { return unsafe.Pointer(&a.words[0]) }
