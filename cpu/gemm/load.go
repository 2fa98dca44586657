package gemm

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/shape"
)

// loading is how a vector of elements of some type becomes one of sums: a load that may widen, a shift that makes f32
// of bf16, a conversion of integers. The zero loading is none.
type loading struct {
	op      asm.Op
	shift   uint8
	convert asm.Op
}

// plain reports whether the elements are sums already.
func (l loading) plain(k kind) bool { return l.op == move[k] && l.shift == 0 && l.convert == 0 }

var loadings = [numKinds]map[shape.ElementType]loading{
	kindF32: {
		shape.F32:  {op: asm.VMOVUPS},
		shape.BF16: {op: asm.VPMOVZXWD, shift: 16},
		shape.F16:  {op: asm.VCVTPH2PS},
		shape.S8:   {op: asm.VPMOVSXBD, convert: asm.VCVTDQ2PS},
		shape.U8:   {op: asm.VPMOVZXBD, convert: asm.VCVTDQ2PS},
		shape.S16:  {op: asm.VPMOVSXWD, convert: asm.VCVTDQ2PS},
		shape.U16:  {op: asm.VPMOVZXWD, convert: asm.VCVTDQ2PS},
		shape.S32:  {op: asm.VMOVDQU32, convert: asm.VCVTDQ2PS},
	},
	kindF64: {
		shape.F64: {op: asm.VMOVUPD},
		shape.F32: {op: asm.VCVTPS2PD},
	},
	kindS32: {
		shape.S8:  {op: asm.VPMOVSXBD},
		shape.U8:  {op: asm.VPMOVZXBD},
		shape.S16: {op: asm.VPMOVSXWD},
		shape.U16: {op: asm.VPMOVZXWD},
		shape.S32: {op: asm.VMOVDQU32},
		shape.U32: {op: asm.VMOVDQU32},
	},
	kindVNNI:  {shape.S8: {op: asm.VMOVDQU32}, shape.U8: {op: asm.VMOVDQU32}},
	kindBF16:  {shape.BF16: {op: asm.VMOVDQU32}},
	kindWords: {shape.BF16: {op: asm.VMOVDQU32}},
	kindBytes: {shape.S8: {op: asm.VMOVDQU32}, shape.U8: {op: asm.VMOVDQU32}},
	kindPairs: {
		shape.S8:  {op: asm.VPMOVSXBW},
		shape.U8:  {op: asm.VPMOVZXBW},
		shape.S16: {op: asm.VMOVDQU32},
	},
}

// loads reports whether code can load vectors of type t as sums, and a part of a vector if tail is not 0.
func (r registers) loads(k kind, t shape.ElementType, tail int) bool {
	l, ok := loadings[k][t]
	return ok && (tail == 0 || r.wide() || l.plain(k))
}

// loader emits loads of vectors of sums.
type loader struct {
	*asm.Assembler
	kind kind
	vl   asm.Size
	wide bool // the mask of parts of vectors is opmask 1
	mask asm.Vec
}

func newLoader(a *asm.Assembler, k kind, vector int) loader {
	return loader{Assembler: a, kind: k, vl: asm.Size(vector * 8), wide: vector == 64}
}

// load sets v to a vector of elements of type t, or to the part that the mask selects and zeros.
func (l *loader) load(t shape.ElementType, v asm.Vec, from asm.Mem, part bool) {
	how := loadings[l.kind][t]
	switch {
	case !part:
		l.V2M(how.op, l.vl, v, from)
	case l.wide:
		l.V2M(how.op, l.vl, v, from, asm.MaskZ(1))
	default:
		l.V3M(numerics[l.kind].masked, l.vl, v, l.mask, from)
	}
	if how.shift > 0 {
		l.V2I(asm.VPSLLDI, l.vl, v, v, how.shift)
	}
	if how.convert != 0 {
		l.V2(how.convert, l.vl, v, v)
	}
}

// setMask makes the mask of the first n lanes, through register R8.
func (l *loader) setMask(n int) {
	if l.wide {
		l.RI(asm.MOV, asm.W32, asm.R8, 1<<n-1)
		l.KG(asm.KMOVWKR, 1, asm.R8)
		return
	}
	l.V2M(asm.VMOVUPS, l.vl, l.mask, l.laneMask(n))
}

// laneMask is a constant: all bits of the first n lanes.
func (l *loader) laneMask(n int) asm.Mem {
	var lanes [32]byte
	for i := range n * l.kind.size() {
		lanes[i] = 0xFF
	}
	return l.Const(lanes[:])
}
