package emu

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
)

// This file runs code where it lies, on the memory of the process itself: what a kernel does to memory it does.
//
// What makes its use of unsafe right: an address that code computes is one that the same code would touch on a CPU
// that has its instructions. Whoever calls it keeps that memory alive and in its place, as for the CPU: it is off the
// heap, or in heap objects, which do not move. Run lets its argument escape, so that nothing that it leads to is on a
// stack, which would move. Code stores no pointers, so the garbage collector has to know of no store. An access that
// is wrong is a fault of the process, which is a panic of the calling goroutine under debug.SetPanicOnFault.

// Program is code at its place in memory. Any number of machines may run it at once.
type Program struct {
	// Plain leaves out what is quick, and has each instruction done by its functions of a lane.
	Plain bool

	base    uint64
	code    []byte
	decoded []atomic.Pointer[inst]
	refuses func(in *asm.Inst) bool
}

// NewProgram returns the program whose bytes are code, which stay as they are while it is in use. An instruction that
// refuses reports is one that the processor lacks: it fails when it is reached. A nil function refuses none.
func NewProgram(code []byte, refuses func(in *asm.Inst) bool) *Program {
	return &Program{base: uint64(uintptr(unsafe.Pointer(unsafe.SliceData(code)))), code: code,
		decoded: make([]atomic.Pointer[inst], len(code)), refuses: refuses}
}

// Base is the address of the first byte.
func (p *Program) Base() uintptr { return uintptr(p.base) }

// at returns the decoded instruction at byte pc.
func (p *Program) at(pc int) (*inst, error) {
	if pc < 0 || pc >= len(p.code) {
		return nil, fmt.Errorf("emu: jump to %#x: %w", pc, errOutside)
	}
	if in := p.decoded[pc].Load(); in != nil {
		return in, nil
	}
	in, err := decode(p.code, pc, p.Plain)
	if err != nil {
		return nil, err
	}
	if p.refuses != nil && p.refuses(&in.Inst) {
		return nil, fmt.Errorf("emu: %s at %#x: the processor lacks it", in.String(), pc)
	}
	p.decoded[pc].Store(in)
	return in, nil
}

// Run runs p from the instruction at entry on until it returns, with RDI = args, on the memory of the process.
// With flush, numbers below the least normal one are taken for zeros, as the flags FZ and DAZ of MXCSR make it.
func (m *Machine) Run(p *Program, entry uintptr, args unsafe.Pointer, flush bool) error {
	m.args, m.live, m.origin, m.flush = args, true, p.base, flush
	m.reset(uint64(uintptr(args)))
	m.gp[asm.RSI] = m.fenced()
	m.pc = int(uint64(entry) - p.base)
	defer runtime.KeepAlive(m)
	for m.Steps = 0; ; m.Steps++ {
		in, err := p.at(m.pc)
		if err != nil {
			return err
		}
		if in.Op == asm.RET {
			m.args = nil
			return m.checkReturn()
		}
		m.at, m.pc = in, in.next
		if in.run(m, in); m.err != nil {
			return m.err
		}
	}
}

// fence is a line of memory beside that for scratch.
var fence = [8]uint64{0xFE4CE, 1, 2, 3, 4, 5, 6, 7}

// fenced returns the address of the scratch memory, with a fence at either end.
func (m *Machine) fenced() uint64 {
	at := (uint64(uintptr(unsafe.Pointer(&m.scratch))) + 127) &^ 63
	*(*[8]uint64)(pointer(at - 64)), *(*[8]uint64)(pointer(at + scratchSize)) = fence, fence
	return at
}

// checkScratch reports a store beside the scratch memory.
func (m *Machine) checkScratch() error {
	at := (uint64(uintptr(unsafe.Pointer(&m.scratch))) + 127) &^ 63
	if *(*[8]uint64)(pointer(at - 64)) != fence || *(*[8]uint64)(pointer(at + scratchSize)) != fence {
		return fmt.Errorf("emu: return at %#x: a store beside the %d bytes of scratch memory", m.pc, scratchSize)
	}
	return nil
}

// liveBytes returns n bytes of the process's memory at addr.
func liveBytes(addr uint64, n int) []byte {
	return unsafe.Slice((*byte)(pointer(addr)), n)
}

// pointer is what the compiler's check of unsafe.Pointer(uintptr) does not look at: addr comes from a register of the
// machine, see above.
func pointer(addr uint64) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&addr)) }

func loadLive(addr uint64, w int) uint64 {
	p := pointer(addr)
	switch w {
	case 1:
		return uint64(*(*uint8)(p))
	case 2:
		return uint64(*(*uint16)(p))
	case 4:
		return uint64(*(*uint32)(p))
	}
	return *(*uint64)(p)
}

func storeLive(addr uint64, w int, x uint64) {
	p := pointer(addr)
	switch w {
	case 1:
		*(*uint8)(p) = uint8(x)
	case 2:
		*(*uint16)(p) = uint16(x)
	case 4:
		*(*uint32)(p) = uint32(x)
	default:
		*(*uint64)(p) = x
	}
}

// loadVecLive and storeVecLive move n bytes: whole words, then what is left.
func loadVecLive(v *vec, addr uint64, n int) {
	i := 0
	for ; i < n>>3; i++ {
		v[i] = *(*uint64)(pointer(addr + uint64(8*i)))
	}
	for j := range n & 7 {
		v[i] |= uint64(*(*uint8)(pointer(addr + uint64(8*i+j)))) << (8 * j)
	}
}

func storeVecLive(v *vec, addr uint64, n int) {
	i := 0
	for ; i < n>>3; i++ {
		*(*uint64)(pointer(addr + uint64(8*i))) = v[i]
	}
	for j := range n & 7 {
		*(*uint8)(pointer(addr + uint64(8*i+j))) = uint8(v[i] >> (8 * j))
	}
}
