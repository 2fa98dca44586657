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

// kernels are the addresses of kernels by key: a microKey, packKey, dotKey, narrowKey, startKey or sweepKey. The code
// lives as long as they do.
type kernels struct {
	at    map[any]uintptr
	codes []*exec.Code
	bytes int
}

// Compile makes the machine code of products, as far as the library does not have it. The error wraps [exec.ErrNoExec]
// where executable memory is not available.
func (b *Library) Compile(products ...*Product) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.made == nil || b.made.bytes > mostCode {
		b.made = &kernels{at: map[any]uintptr{}}
	}
	l := linker{have: b.made.at}
	for _, p := range products {
		if p.native() {
			l.asm.VEXOnly = p.config.Tier < exec.AVX512
			l.add(p)
		}
	}
	if err := b.made.finish(&l); err != nil {
		return err
	}
	for _, p := range products {
		if p.native() {
			p.code = b.made
		}
	}
	return nil
}

// finish makes what l has collected executable.
func (k *kernels) finish(l *linker) error {
	if len(l.fresh) == 0 {
		return nil
	}
	text, err := l.asm.Finish()
	if err != nil {
		return fmt.Errorf("gemm: %w", err)
	}
	code, err := exec.NewCode(text)
	if err != nil {
		return err
	}
	k.codes, k.bytes = append(k.codes, code), k.bytes+len(text)
	l.link(code.Entry)
	for key, offset := range l.fresh {
		k.at[key] = code.Entry(offset)
	}
	return nil
}

// linker collects the kernels of products, each once.
type linker struct {
	asm   asm.Assembler
	have  map[any]uintptr // the addresses of those that were made before
	fresh map[any]int     // the offsets of the others in asm
	open  []waiting       // to these
}

// waiting is where the address of the kernel at an offset goes.
type waiting struct {
	to     *uintptr
	offset int
}

// link writes the addresses of the new kernels, which at returns, to where they go.
func (l *linker) link(at func(offset int) uintptr) {
	for _, r := range l.open {
		*r.to = at(r.offset)
	}
}

// need has the address of the kernel of key written to to.
func (l *linker) need(to *uintptr, key any) {
	if at, ok := l.have[key]; ok {
		*to = at
		return
	}
	offset, ok := l.fresh[key]
	if !ok {
		if l.fresh == nil {
			l.fresh = map[any]int{}
		}
		l.asm.Align(align)
		offset = l.asm.Len()
		l.fresh[key] = offset
		emitKernel(&l.asm, key)
	}
	l.open = append(l.open, waiting{to, offset})
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
	}
}

// micros is need for micro-kernels; nil is none.
func (l *linker) micros(to []uintptr, keys []*microKey) {
	for i, k := range keys {
		if k != nil {
			l.need(&to[i], *k)
		}
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
		l.micros(f.lastEntry[:], f.last[:])
		l.micros(f.plainEntry[:], f.plain[:])
		if f.lay != nil {
			l.need(&f.layEntry, *f.lay)
		}
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
	for i, k := range p.dotKeys {
		if k != (dotKey{}) {
			l.need(&p.dots[i], k)
		}
	}
}
