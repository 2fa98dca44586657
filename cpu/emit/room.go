package emit

import "unsafe"

// fewestWords is how much memory a compiler takes at once at least.
const fewestWords = 1 << 10

// words returns n zero words, which nobody wrote to, out of memory for many such lists: each on its own would begin new
// pages, and lists of the collector.
//
//go:noinline
func (m *Compiler) words(n int) unsafe.Pointer {
	if n > len(m.free) {
		m.free = make([]uint64, max(n, fewestWords))
	}
	at := unsafe.Pointer(unsafe.SliceData(m.free))
	m.free = m.free[n:]
	return at
}

// roomFor returns an empty slice for n elements of a type without pointers, in the memory of s if that is enough. New
// memory is zero, and not written to.
func roomFor[T any](m *Compiler, s *[]T, n int) []T {
	if cap(*s) < n {
		n += n / 8
		var x T
		*s = unsafe.Slice((*T)(m.words((n*int(unsafe.Sizeof(x))+7)/8)), n)
	}
	return (*s)[:0]
}

// zeroed returns n zero elements in the memory of s, if that is enough.
func zeroed[T any](m *Compiler, s *[]T, n int) []T {
	used := cap(*s) >= n
	*s = roomFor(m, s, n)[:n]
	if used {
		clear(*s)
	}
	return *s
}

// wordsOfList and wordsOfRegs are how many words the lists take for each instruction and register, about.
const (
	wordsOfList = int(unsafe.Sizeof(ins{})+unsafe.Sizeof(uint64(0))) / 8
	wordsOfRegs = int(unsafe.Sizeof(info{})+unsafe.Sizeof(interval{})+4*unsafe.Sizeof(int32(0))) / 8
)

// usualList is the most instructions that stand in the memory of the other lists: those of more have memory of their
// own, of which nothing is kept when they become more than that.
const usualList = 1 << 9

// expect takes memory for all lists of a usual nest of n instructions, if there is none for so many, or much more. It
// lets go of all lists then: one of them would keep all of the memory before.
//
// What counts is how many instructions were expected, not how many there were: kernels that are alike have about as
// many more, so that the one keeps the memory of the other.
func (m *Compiler) expect(n int) (list, regs int) {
	list, regs = usualCopies*min(n, manyInsts)+manyCopies*max(n-manyInsts, 0)+3*entryRoom, usualRegs*n+3*entryRoom
	words := wordsOfList*(list+entryRoom) + wordsOfRegs*regs + maxCopies/2*n
	if cap(m.room) < list && len(m.free) < words || m.expected > 2*max(list, usualList/2) {
		*m = Compiler{known: m.known, expected: list}
		if list > usualList {
			m.room = make([]ins, 0, list)
			words -= int(unsafe.Sizeof(ins{})) / 8 * list
		}
		m.free = make([]uint64, words)
	}
	return list, regs
}
