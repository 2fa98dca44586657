package gemm

import (
	"errors"
	"fmt"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/exec"
)

// microKey is a micro-kernel: two with the same key are the same code.
type microKey struct {
	kind   kind
	vector int // bytes
	mr, nv int
	tail   int // lanes of the last vector, 0: all
	// packedA: the rows of a block of A are one behind the other for each depth.
	packedA, packedB bool
	// Bytes: between rows of A, between its depths, between rows of B and of C.
	lda, stepA, ldb, ldc int
}

// maxRows is the most rows of a block of registers.
const maxRows = 24

// form is the kernels of all panels of one width, by rows.
type form struct {
	nv, tail int
	micro    [maxRows + 1]microKey // mr 0: not needed
	entry    [maxRows + 1]uintptr
	pack     packKey
	packer   uintptr
}

// stepRows is the most rows of a step for panel pn. Packed A has the same steps for all panels.
func (p *Product) stepRows(nv int) int {
	if p.m < fewRows {
		return p.m
	}
	if p.routeA == packed {
		nv = p.panels[0].nv
	}
	return p.regs.rowsFor(nv)
}

// chooseForms finds the kernels that are needed.
func (p *Product) chooseForms() {
	for i := range p.panels {
		pn := &p.panels[i]
		tail := pn.cols % p.lanes
		pn.form = -1
		for k := range p.forms {
			if p.forms[k].nv == pn.nv && p.forms[k].tail == tail {
				pn.form = k
			}
		}
		if pn.form < 0 {
			pn.form = len(p.forms)
			p.forms = append(p.forms, p.newForm(pn.nv, tail))
		}
	}
}

func (p *Product) newForm(nv, tail int) form {
	f := form{nv: nv, tail: tail, pack: p.packKey(nv, tail)}
	last := p.m - (parts(p.m, p.mc)-1)*p.mc
	for _, rows := range []int{p.mc, last} {
		st := stepsOf(rows, p.stepRows(nv))
		f.micro[st.mr] = p.microKey(st.mr, nv, tail)
		if st.small > 0 {
			f.micro[st.mr-1] = p.microKey(st.mr-1, nv, tail)
		}
	}
	return f
}

func (p *Product) microKey(mr, nv, tail int) microKey {
	size := p.kind.size()
	k := microKey{kind: p.kind, vector: p.regs.vector, mr: mr, nv: nv, tail: tail, lda: size, stepA: mr * size,
		ldb: nv * p.regs.vector, ldc: p.n * size, packedA: p.routeA == packed, packedB: p.routeB != inPlace}
	if !k.packedA {
		k.lda, k.stepA = p.rowA, p.depthA
	}
	if !k.packedB {
		k.ldb = p.rowB
	}
	if !p.direct {
		k.ldc = p.sumsWidth() * size
	}
	return k
}

// Compile makes the machine code of products, which were planned for the same tier. Where executable memory is not
// available they keep to the kernels in Go, and Compile returns nil.
func Compile(products ...*Product) error {
	l := linker{micro: map[microKey]int{}, pack: map[packKey]int{}}
	for _, p := range products {
		if p.config.Tier == exec.Portable {
			continue
		}
		l.asm.VEXOnly = p.config.Tier < exec.AVX512
		for i := range p.forms {
			l.add(&p.forms[i])
		}
	}
	if l.asm.Len() == 0 {
		return nil
	}
	text, err := l.asm.Finish()
	if err != nil {
		return fmt.Errorf("gemm: %w", err)
	}
	code, err := exec.NewCode(text)
	if err != nil {
		if errors.Is(err, exec.ErrNoExec) {
			return nil
		}
		return err
	}
	for _, p := range products {
		if p.config.Tier != exec.Portable {
			l.link(p, code)
		}
	}
	return nil
}

// linker collects the kernels of products, each once.
type linker struct {
	asm   asm.Assembler
	micro map[microKey]int // offset in the code
	pack  map[packKey]int
}

func (l *linker) add(f *form) {
	for _, k := range f.micro {
		if _, have := l.micro[k]; k.mr > 0 && !have {
			l.asm.Align(align)
			l.micro[k] = l.asm.Len()
			emitMicro(&l.asm, k)
		}
	}
	if _, have := l.pack[f.pack]; f.pack.nv > 0 && !have {
		l.asm.Align(align)
		l.pack[f.pack] = l.asm.Len()
		emitPack(&l.asm, f.pack)
	}
}

func (l *linker) link(p *Product, code *exec.Code) {
	p.code = code
	for i := range p.forms {
		f := &p.forms[i]
		for mr, k := range f.micro {
			if k.mr > 0 {
				f.entry[mr] = code.Entry(l.micro[k])
			}
		}
		if f.pack.nv > 0 {
			f.packer = code.Entry(l.pack[f.pack])
		}
	}
}
