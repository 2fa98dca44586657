package asm

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Label is a place in the code; it may be used before it is bound. The zero Label is none.
type Label int32

// Assembler appends instructions to a buffer. The zero value is ready; Reset keeps its memory.
// The first error stays, later calls still run, Finish returns it.
type Assembler struct {
	// VEXOnly makes every instruction that only EVEX can express an error: the AVX2 tier.
	VEXOnly bool
	// Notes records the texts of Note for List.
	Notes bool

	cur    Inst // being emitted; here so that none is allocated
	code   []byte
	labels []int32 // place of label i+1, -1 while unbound
	fixes  []fix
	past   []int32 // places of the opcodes of stores that go past the caches
	pool   []constant
	laid   int     // constants of the pool that are laid
	places []int32 // by hash: 1 more than a place in the pool, 0 where there is none; see Const
	data   []data
	notes  []note
	text   int // bytes of instructions, set by Finish
	err    error
}

// fix is a 32-bit displacement at byte at, relative to end, the end of its instruction.
type fix struct {
	at, end int32
	disp    int32
	label   Label
}

// constant is one of n bytes.
type constant struct {
	bytes [64]byte
	n     uint8
	label Label
}

type data struct {
	bytes []byte
	label Label
}

type note struct {
	at   int32
	text string
}

// Reset forgets the code, labels, constants and the error, and keeps the options and the memory.
func (a *Assembler) Reset() {
	a.code, a.labels, a.fixes, a.pool, a.notes = a.code[:0], a.labels[:0], a.fixes[:0], a.pool[:0], a.notes[:0]
	a.data, a.past = a.data[:0], a.past[:0]
	clear(a.places)
	a.text, a.laid, a.err = 0, 0, nil
}

// Err returns the first error so far.
func (a *Assembler) Err() error { return a.err }

// Grow makes room for n bytes of code.
func (a *Assembler) Grow(n int) { a.code = slices.Grow(a.code, n) }

// Len returns the bytes emitted so far.
func (a *Assembler) Len() int { return len(a.code) }

// TextLen returns the bytes of instructions, without the constants behind them; it is valid after Finish.
func (a *Assembler) TextLen() int { return a.text }

func (a *Assembler) fail(in *Inst, format string, args ...any) {
	if a.err != nil {
		return
	}
	a.err = fmt.Errorf("asm: %s at byte %d: %w", in.Op, len(a.code), fmt.Errorf(format, args...))
}

// NewLabel returns a label that is not bound yet.
func (a *Assembler) NewLabel() Label {
	a.labels = append(a.labels, -1)
	return Label(len(a.labels))
}

// Bind puts l here. Each label is bound once.
//
//go:noinline
func (a *Assembler) Bind(l Label) {
	if l <= 0 || int(l) > len(a.labels) || a.labels[l-1] >= 0 {
		if a.err == nil {
			a.err = fmt.Errorf("asm: label %d at byte %d: expected a label that is not bound", l, len(a.code))
		}
		return
	}
	a.labels[l-1] = int32(len(a.code))
}

// Here returns a new label bound to this place.
//
//go:noinline
func (a *Assembler) Here() Label {
	l := a.NewLabel()
	a.Bind(l)
	return l
}

// Offset returns the byte at which l is bound, -1 if it is not.
func (a *Assembler) Offset(l Label) int {
	if l <= 0 || int(l) > len(a.labels) {
		return -1
	}
	return int(a.labels[l-1])
}

// Note marks this place with a text for List, if Notes is set.
func (a *Assembler) Note(text string) {
	if a.Notes {
		a.notes = append(a.notes, note{int32(len(a.code)), text})
	}
}

// nops are the recommended instructions that do nothing, of 1 to 8 bytes.
var nops = [...]string{"\x90", "\x66\x90", "\x0F\x1F\x00", "\x0F\x1F\x40\x00", "\x0F\x1F\x44\x00\x00",
	"\x66\x0F\x1F\x44\x00\x00", "\x0F\x1F\x80\x00\x00\x00\x00", "\x0F\x1F\x84\x00\x00\x00\x00\x00"}

// Align appends instructions that do nothing until the length is a multiple of n, a power of two.
func (a *Assembler) Align(n int) {
	for pad := -len(a.code) & (n - 1); pad > 0; {
		k := min(pad, len(nops))
		a.code = append(a.code, nops[k-1]...)
		pad -= k
	}
}

// Const returns the operand for a constant of 4, 8, 16, 32 or 64 bytes that Finish lays, aligned to its size, behind
// the code. Equal constants share a place.
func (a *Assembler) Const(b []byte) Mem {
	if n := len(b); n > 64 || n < 4 || n&(n-1) != 0 {
		if a.err == nil {
			a.err = fmt.Errorf("asm: constant: expected 4, 8, 16, 32 or 64 bytes, got %d", n)
		}
		return M(RAX, 0)
	}
	c := constant{n: uint8(len(b))}
	copy(c.bytes[:], b)
	if 2*len(a.pool) >= len(a.places) {
		a.places = make([]int32, max(2*len(a.places), fewestPlaces))
		a.pool = slices.Grow(a.pool, len(a.places)/2-len(a.pool))
		for k := range a.pool {
			a.places[a.placeOf(&a.pool[k])] = int32(k + 1)
		}
	}
	at := a.placeOf(&c)
	if a.places[at] == 0 {
		c.label = a.NewLabel()
		a.pool = append(a.pool, c)
		a.places[at] = int32(len(a.pool))
	}
	return At(a.pool[a.places[at]-1].label, 0)
}

// fewestPlaces is how many places there are for constants at first.
const fewestPlaces = 16

// placeOf returns where the bytes of c are in places, or the free place where they belong. There are always free ones.
func (a *Assembler) placeOf(c *constant) int {
	h := uint64(c.n)
	for k := 0; k < int(c.n); k += 8 { // behind the bytes of shorter ones are zeros
		h = (h ^ binary.LittleEndian.Uint64(c.bytes[k:])) * 0x9E3779B97F4A7C15
		h ^= h >> 29
	}
	last := len(a.places) - 1
	for at := int(h>>32) & last; ; at = (at + 1) & last {
		k := a.places[at]
		if k == 0 || a.pool[k-1].n == c.n && a.pool[k-1].bytes == c.bytes {
			return at
		}
	}
}

// Data returns the operand for constant bytes of any number that Finish lays, aligned to 64 bytes, behind the code.
// Equal bytes share a place.
func (a *Assembler) Data(b []byte) Mem {
	for _, d := range a.data {
		if bytes.Equal(d.bytes, b) {
			return At(d.label, 0)
		}
	}
	l := a.NewLabel()
	a.data = append(a.data, data{bytes.Clone(b), l})
	return At(l, 0)
}

// Const32 is Const of a doubleword: what a broadcast from memory reads.
func (a *Assembler) Const32(v uint32) Mem {
	var b [4]byte
	binary.LittleEndian.PutUint32(b[:], v)
	return a.Const(b[:])
}

// Const64 is Const of a quadword.
func (a *Assembler) Const64(v uint64) Mem {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], v)
	return a.Const(b[:])
}

// Splat32 is Const of a whole vector whose doublewords are all v.
func (a *Assembler) Splat32(vl Size, v uint32) Mem { return a.Splat64(vl, uint64(v)<<32|uint64(v)) }

// Splat64 is Const of a whole vector whose quadwords are all v.
func (a *Assembler) Splat64(vl Size, v uint64) Mem {
	var b [64]byte
	for i := 0; i < 64; i += 8 {
		binary.LittleEndian.PutUint64(b[i:], v)
	}
	return a.Const(b[:min(int(vl)/8, 64)])
}

// Finish lays out the constants, fills in the displacements and returns the code, which stays the assembler's until
// Reset. It must be placed at a multiple of 64 bytes. It fails with the first error, or if a label is not bound.
func (a *Assembler) Finish() ([]byte, error) {
	if a.err != nil {
		return nil, a.err
	}
	a.text = len(a.code)
	a.layConstants()
	for _, f := range a.fixes {
		to := a.Offset(f.label)
		if to < 0 {
			a.err = fmt.Errorf("asm: displacement at byte %d: label %d is not bound", f.at, f.label)
			return nil, a.err
		}
		d := int64(to) - int64(f.end) + int64(f.disp)
		if d != int64(int32(d)) {
			a.err = errors.New("asm: displacement does not fit 32 bits")
			return nil, a.err
		}
		binary.LittleEndian.PutUint32(a.code[f.at:], uint32(d))
	}
	a.fixes = a.fixes[:0]
	return a.code, nil
}

// layConstants appends the pool, the largest first so that each is aligned without padding between.
func (a *Assembler) layConstants() {
	for _, d := range a.data {
		a.pad()
		a.labels[d.label-1] = int32(len(a.code))
		a.code = append(a.code, d.bytes...)
	}
	a.data = a.data[:0]
	pool := a.pool[a.laid:]
	if len(pool) > 0 {
		a.pad()
	}
	for size := uint8(64); size >= 4; size /= 2 {
		for k := range pool {
			if c := &pool[k]; c.n == size {
				a.labels[c.label-1] = int32(len(a.code))
				a.code = append(a.code, c.bytes[:size]...)
			}
		}
	}
	a.laid = len(a.pool)
	if len(a.code) > math.MaxInt32 && a.err == nil {
		a.err = fmt.Errorf("asm: code of %d bytes is larger than 2 GiB", len(a.code))
	}
}

// pad appends traps up to a multiple of 64 bytes.
func (a *Assembler) pad() {
	for len(a.code)%64 != 0 {
		a.code = append(a.code, 0xCC)
	}
}

func (a *Assembler) u32(v uint32) { a.code = binary.LittleEndian.AppendUint32(a.code, v) }
