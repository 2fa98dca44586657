package gemm

import "github.com/goxla/xla/cpu/asm"

// Of a product of little depth, half of the time goes to C if that is large: a line is read before it is written, and
// what is asked for fills the queue that B waits in. Whole lines that nothing reads soon go past the caches instead.

// streams reports whether sums are written past the caches: once, when they have all of the depth, and by whole lines.
func (p *Product) streams() bool {
	size := p.kind.size()
	if !p.spec.Stream || !p.direct || p.swapped || p.spec.placed() || p.kc < p.k || p.n*size%line != 0 {
		return false
	}
	switch p.kind {
	case kindF32, kindF64, kindS32, kindPairs, kindBF16, kindVNNI:
	default:
		return false
	}
	for i := range p.panels {
		if p.panels[i].nv*p.regs.vector%line != 0 {
			return false
		}
	}
	return p.routeB != inWindows
}

// storePast writes the sums past the caches.
func (m *micro) storePast() {
	for i := range m.mr {
		for j := range m.nv {
			m.MV(asm.VMOVNTPS, m.vl, asm.M(regC, int32(i*m.ldc+j*m.vector)), m.sum(i, j))
		}
	}
}

// choosePlain finds the kernels for a C that does not begin with a line.
func (p *Product) choosePlain(f *form) {
	for mr, k := range f.micro {
		if k != nil && k.stream {
			plain := *k
			plain.stream = false
			if f.plain == nil {
				f.plain = new(byRows)
			}
			f.plain.key[mr] = &plain
		}
	}
}
