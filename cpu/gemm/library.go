package gemm

import (
	"fmt"
	"sync"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/exec"
)

// Library has the machine code of kernels: products of all programs that use it share those that are equal. It is for
// products that are planned for one tier, and may be used by several at once. The zero Library is ready.
type Library struct {
	mu   sync.Mutex
	made *kernels
}

// mostCode is how many bytes of code a library keeps: beyond it begins anew, as programs may have any sizes.
const mostCode = 1 << 20

// kernels are the addresses of kernels by key: a microKey, packKey, dotKey, narrowKey, startKey, sweepKey
// or fewKey. The code
// lives as long as they do.
type kernels struct {
	at    map[any]uintptr
	codes []*exec.Code
	bytes int
}

// Compile makes the machine code of products, as far as the library does not have it. The error wraps [exec.ErrNoExec]
// where executable memory is not available.
func (b *Library) Compile(products ...*Product) error {
	return b.Begin(products...).Finish(new(asm.Assembler))
}

// Batch is the kernels of products that a library does not have.
type Batch struct {
	library  *Library
	products []*Product
	linker
	parts []asm.Assembler // by kernel: its code; nil: Finish makes it
}

// Begin returns the kernels that products want and b does not have. Other batches may be about to make some of them.
func (b *Library) Begin(products ...*Product) *Batch {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.made == nil || b.made.bytes > mostCode {
		b.made = &kernels{at: map[any]uintptr{}}
	}
	batch := &Batch{library: b, products: products, linker: linker{made: b.made}}
	made := map[listing]lists{}
	for _, p := range products {
		if p.native() {
			p.listSources(made)
			batch.vexOnly = p.config.Tier < exec.AVX512
			batch.add(p)
		}
	}
	return batch
}

// Kernels returns how many there are.
func (b *Batch) Kernels() int { return len(b.keys) }

// Apart has the kernels made by Emit, each in memory of its own, in front of Finish. It returns how many there are.
func (b *Batch) Apart() int {
	b.parts = make([]asm.Assembler, len(b.keys))
	return len(b.parts)
}

// Emit makes kernel k in the memory of text, if kernels are Apart. Several may be made at once.
func (b *Batch) Emit(k int, text *asm.Assembler) {
	text.Reset()
	text.VEXOnly, text.Notes = b.vexOnly, false
	emitKernel(text, b.keys[k])
	b.parts[k].Keep(text)
}

// Finish gives the products the code of their kernels, all of which were made if they are Apart. It uses the memory of
// text. The error wraps [exec.ErrNoExec] where executable memory is not available.
func (b *Batch) Finish(text *asm.Assembler) error {
	text.Reset()
	text.VEXOnly, text.Notes = b.vexOnly, false
	var offsets []int
	if b.parts == nil {
		offsets = b.emit(text)
	}
	l := b.library
	l.mu.Lock()
	defer l.mu.Unlock()
	if b.parts != nil {
		offsets = b.assemble(text)
	}
	if err := b.finish(text, offsets); err != nil {
		return err
	}
	for _, p := range b.products {
		if p.native() {
			p.code = b.made
		}
	}
	return nil
}

// usualKernel is how many bytes a kernel takes, about, and usualKernels how many a few products have.
const (
	usualKernel  = 5 << 9
	usualKernels = 16
)

// emit makes the kernels in a, and returns where each begins.
func (b *Batch) emit(a *asm.Assembler) (offsets []int) {
	a.Grow(usualKernel * len(b.keys))
	offsets = make([]int, len(b.keys))
	for k, key := range b.keys {
		a.Align(align)
		offsets[k] = a.Len()
		emitKernel(a, key)
	}
	return offsets
}

// finish makes the kernels of a, at offsets, executable, but for those that the library got meanwhile.
func (b *Batch) finish(a *asm.Assembler, offsets []int) error {
	if a.Len() > 0 {
		if err := b.made.load(a, b.keys, offsets); err != nil {
			return err
		}
	}
	b.link(func(k int) uintptr { return b.made.at[b.keys[k]] })
	return nil
}

// assemble adds to a the kernels that the library does not have, which were made apart, and returns where each begins.
func (b *Batch) assemble(a *asm.Assembler) (offsets []int) {
	a.GrowFor(b.parts, align)
	offsets = make([]int, len(b.parts))
	for k, key := range b.keys {
		if _, ok := b.made.at[key]; !ok {
			a.Align(align)
			offsets[k] = a.Len()
			a.Append(&b.parts[k])
		}
	}
	return offsets
}

// load makes the code of a executable, where the kernels of keys that k does not have are at offsets.
func (k *kernels) load(a *asm.Assembler, keys []any, offsets []int) error {
	text, err := a.Finish()
	if err != nil {
		return fmt.Errorf("gemm: %w", err)
	}
	code, err := exec.NewCode(text)
	if err != nil {
		return err
	}
	k.codes, k.bytes = append(k.codes, code), k.bytes+len(text)
	if len(k.at) == 0 {
		k.at = make(map[any]uintptr, len(keys))
	}
	for n, key := range keys {
		if _, ok := k.at[key]; !ok {
			k.at[key] = code.Entry(offsets[n])
		}
	}
	return nil
}

// linker collects the kernels of products, each once.
type linker struct {
	vexOnly bool
	made    *kernels    // those that were made before
	keys    []any       // of the others
	fresh   map[any]int // the places of these in keys
	open    []waiting   // to these
}

// waiting is where the address of the kernel of a key, by its place in keys, goes.
type waiting struct {
	to  *uintptr
	key int
}

// link writes the addresses of the new kernels, which at returns, to where they go.
func (l *linker) link(at func(k int) uintptr) {
	for _, w := range l.open {
		*w.to = at(w.key)
	}
}

// need has the address of the kernel of key written to to. Its code is not copied to all that need some.
//
//go:noinline
func (l *linker) need(to *uintptr, key any) {
	if at, ok := l.made.at[key]; ok {
		*to = at
		return
	}
	k, ok := l.fresh[key]
	if !ok {
		if l.fresh == nil {
			l.fresh = make(map[any]int, usualKernels)
		}
		k = len(l.keys)
		l.fresh[key] = k
		l.keys = append(l.keys, key)
	}
	l.open = append(l.open, waiting{to, k})
}

func emitKernel(a *asm.Assembler, key any) {
	switch k := key.(type) {
	case microKey:
		emitMicro(a, k)
	case packKey:
		emitPack(a, k)
	case dotKey:
		emitDot(a, k)
	case narrowKey:
		emitNarrow(a, k)
	case startKey:
		emitStart(a, k)
	case sweepKey:
		emitSweep(a, k)
	case fewKey:
		emitFew(a, k)
	}
}

// micros is need for micro-kernels; nil is none.
func (l *linker) micros(to []uintptr, keys []*microKey) {
	for i, k := range keys {
		l.micro(&to[i], k)
	}
}

// micro is need for a micro-kernel; nil is none.
func (l *linker) micro(to *uintptr, key *microKey) {
	if key != nil {
		l.need(to, *key)
	}
}

// packer is need for code that packs; the zero key is none.
func (l *linker) packer(to *uintptr, k packKey) {
	if k != (packKey{}) {
		l.need(to, k)
	}
}

// add collects the kernels of p.
func (l *linker) add(p *Product) {
	for i := range p.forms {
		f := &p.forms[i]
		l.micros(f.entry[:], f.micro[:])
		for _, b := range []*byRows{f.last, f.plain, f.rows} {
			if b != nil {
				l.micros(b.entry[:], b.key[:])
			}
		}
		l.micro(&f.layEntry, f.lay)
		l.micro(&f.layBothEntry, f.layBoth)
		l.packer(&f.packer, f.pack)
		l.packer(&f.alongPacker, f.along)
		l.packer(&f.lastPacker, f.lastPack)
		if f.start != (startKey{}) {
			l.need(&f.starter, f.start)
		}
	}
	l.packer(&p.blockCopier, p.block)
	for i := range p.pieces {
		l.packer(&p.pieces[i].copier, p.pieces[i].key)
	}
	for i := range p.turning.ways {
		w := &p.turning.ways[i]
		l.packer(&w.entries[0], w.keys[0])
		l.packer(&w.entries[1], w.keys[1])
	}
	if p.narrowKey != (narrowKey{}) {
		l.need(&p.narrower, p.narrowKey)
	}
	if p.sweepKey != (sweepKey{}) {
		l.need(&p.sweeper, p.sweepKey)
	}
	if p.few.rows > 0 {
		l.need(&p.fewTurner, p.few)
	}
	for i, k := range p.dotKeys {
		if k != (dotKey{}) {
			l.need(&p.dots[i], k)
		}
	}
}
