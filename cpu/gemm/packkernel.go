package gemm

import (
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/exec"
)

// packKey is a packing kernel: rows of contiguous elements become rows of a panel. nv 0: there is none.
type packKey struct {
	kind     kind
	vector   int
	nv, tail int
	ldb      int // bytes between the rows
}

// packArgs is the argument block of a packing kernel.
type packArgs struct {
	depth    int
	src, dst unsafe.Pointer
}

// packRowsAtOnce is how many rows are loaded before they are stored.
const packRowsAtOnce = 4

// packKey returns the kernel that packs panels of nv vectors, if there is one.
func (p *Product) packKey(nv, tail int) packKey {
	size := p.kind.size()
	col, _ := p.spec.B.Free.Stride()
	row, flat := p.spec.B.Depth.Stride()
	if p.routeB == inPlace || !p.kind.sameBits(p.spec.B.Type) || !flat || col != 1 || !fits(row*size) || nv > maxPackNV {
		return packKey{}
	}
	if _, flat := p.spec.B.Free.Stride(); !flat {
		return packKey{}
	}
	return packKey{p.kind, p.regs.vector, nv, tail, row * size}
}

// maxPackNV is the widest panel of packing kernels.
const maxPackNV = 8

func (p *Product) packKernel(pn *panel) uintptr { return p.forms[pn.form].packer }

// packNative runs the kernel in parts that are short enough.
func (p *Product) packNative(fn uintptr, dst, b unsafe.Pointer, batch int, pn *panel) {
	size := p.kind.size()
	key := &p.forms[pn.form].pack
	from := (p.spec.B.Offset + p.batchB[batch] + p.freeB[pn.col]) * size
	row := pn.nv * p.regs.vector
	rows := max(1, callWork/8/row)
	for k := 0; k < p.k; k += rows {
		args := packArgs{min(rows, p.k-k), unsafe.Add(b, from+k*key.ldb), unsafe.Add(dst, k*row)}
		exec.Call(fn, unsafe.Pointer(&args))
	}
}

func emitPack(a *asm.Assembler, k packKey) {
	e := &packer{micro{Assembler: a, microKey: microKey{kind: k.kind, vector: k.vector, nv: k.nv, tail: k.tail,
		ldb: k.ldb}, vl: asm.Size(k.vector * 8), wide: k.vector == 64, ins: numerics[k.kind], mask: 15}}
	e.masks()
	e.RM(asm.MOV, asm.W64, regDepth, asm.M(asm.RDI, 0))
	e.RM(asm.MOV, asm.W64, regB, asm.M(asm.RDI, 8))
	e.RM(asm.MOV, asm.W64, regC, asm.M(asm.RDI, 16))
	e.rows()
	e.Zero0(asm.VZEROUPPER)
	e.Ret()
}

// packer emits a packing kernel with the loads of a micro-kernel.
type packer struct{ micro }

func (e *packer) rows() {
	n := packRowsAtOnce
	if e.nv > 3 && !e.wide {
		n = 1
	}
	row := e.nv * e.vector
	turn, rest, one, done := e.NewLabel(), e.NewLabel(), e.NewLabel(), e.NewLabel()
	e.RI(asm.SUB, asm.W64, regDepth, int64(n))
	e.Jcc(asm.L, rest)
	e.Bind(turn)
	e.copy(n)
	e.RI(asm.ADD, asm.W64, regB, int64(n*e.ldb))
	e.RI(asm.ADD, asm.W64, regC, int64(n*row))
	e.RI(asm.SUB, asm.W64, regDepth, int64(n))
	e.Jcc(asm.GE, turn)
	e.Bind(rest)
	e.RI(asm.ADD, asm.W64, regDepth, int64(n))
	e.Jcc(asm.E, done)
	e.Bind(one)
	e.copy(1)
	e.RI(asm.ADD, asm.W64, regB, int64(e.ldb))
	e.RI(asm.ADD, asm.W64, regC, int64(row))
	e.RI(asm.SUB, asm.W64, regDepth, 1)
	e.Jcc(asm.NE, one)
	e.Bind(done)
}

// copy moves n rows, and asks for those that come 8 rows later.
func (e *packer) copy(n int) {
	e.countB = e.nv
	for u := range n {
		for j := 0; j < e.nv; j += 128 / e.vector {
			e.Prefetch(asm.PREFETCHT0, asm.M(regB, int32((u+8)*e.ldb+j*e.vector)))
		}
		e.firstB = u * e.nv
		for j := range e.nv {
			e.loadB(j, u*e.ldb)
		}
	}
	for v := range n * e.nv {
		e.MV(move[e.kind], e.vl, asm.M(regC, int32(v*e.vector)), asm.Vec(v))
	}
}
