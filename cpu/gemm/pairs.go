package gemm

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/shape"
)

// Integers of at most 16 bits are multiplied in pairs: what is one depth to the micro-kernel are two of the operands,
// side by side in a lane as 16-bit words, and one instruction makes both products and their sum. That is exact, as the
// products have less than 32 bits and sums wrap anyway.

// pairable reports whether elements of type t are 16-bit words.
func pairable(t shape.ElementType) bool { return t == shape.S8 || t == shape.U8 || t == shape.S16 }

// canPair reports whether the product, of integers, can go in pairs: A along the depth, in runs of whole pairs, B in
// one of the orders that kernels pack.
func (p *Product) canPair() bool {
	a, b := &p.spec.A, &p.spec.B
	run := a.Depth.run()
	col, flatN := b.Free.Stride()
	row, flatB := b.Depth.Stride()
	size := b.Type.ByteSize()
	if !p.native() || p.m < fewRows || !pairable(a.Type) || !pairable(b.Type) || p.k%2 != 0 || p.k < 2*p.lanes {
		return false
	}
	if !flatN || !flatB || run.Stride != 1 || run.Size%2 != 0 || !fits(a.Free.run().Stride*a.Type.ByteSize()) {
		return false
	}
	return row == 1 && fits(col*size) || p.pairsRows(col, row*size)
}

// pairsRows reports whether kernels can pair rows of B so many bytes apart.
func (p *Product) pairsRows(col, row int) bool {
	tail := p.n % p.lanes
	loads := p.regs.loads(kindS32, p.spec.B.Type, tail) || p.regs.loads(kindS32, p.spec.B.Type, 0) && p.over(tail) < p.k/2
	return (col == 1 || p.n == 1) && fits(2*row) && loads
}

// choosePairs goes over to pairs.
func (p *Product) choosePairs() {
	p.kind = kindPairs
	p.k /= 2
	b := &p.spec.B
	col, _ := b.Free.Stride()
	row, _ := b.Depth.Stride()
	size := b.Type.ByteSize()
	p.orderB, p.rowB, p.runDepthB = turned, col*size, p.k
	if p.pairsRows(col, row*size) && row != 1 {
		p.orderB, p.rowB = copied, 2*row*size
	}
	p.packedRoute()
}

// instructions returns those of the micro-kernel.
func (k *microKey) instructions() numeric {
	n := numerics[k.kind]
	if k.vnni {
		n.fma = asm.VPDPWSSD
	}
	return n
}

// hasVNNI reports whether this machine adds pairs of products to sums in one instruction.
func hasVNNI(tier exec.Tier) bool { return tier >= exec.AVX512 && exec.Host().AVX512VNNI }

// hasBF16 reports whether this machine has the instructions of AVX-512 for bf16.
func hasBF16(tier exec.Tier) bool { return tier >= exec.AVX512 && exec.Host().AVX512BF16 }

// copyPairs packs rows of elements that are neighbours, two and two.
func (e *packer) copyPairs() {
	words, typ := e.loader, e.typ
	words.kind = kindS32
	if typ == shape.BF16 {
		typ = shape.U16
	}
	if e.tail > 0 {
		words.setMask(e.tail)
	}
	width := e.width() / 2
	e.count(1, e.ld, e.to, func(int) {
		for at := 0; at < e.nv*width; at += 64 {
			e.Prefetch(asm.PREFETCHT0, asm.M(regB, int32(aheadRows*e.ld+at)))
			e.Prefetch(asm.PREFETCHT0, asm.M(regB, int32(aheadRows*e.ld+e.ld/2+at)))
		}
		for j := range e.nv {
			lo, hi, part := asm.Vec(2*j), asm.Vec(2*j+1), e.tail > 0 && j == e.nv-1
			words.load(typ, lo, asm.M(regB, int32(j*width)), part && !e.over)
			words.load(typ, hi, asm.M(regB, int32(e.ld/2+j*width)), part && !e.over)
			e.V3M(asm.VPANDD, e.vl, lo, lo, e.Splat32(e.vl, 0xFFFF))
			e.V2I(asm.VPSLLDI, e.vl, hi, hi, 16)
			e.V3(asm.VPORD, e.vl, lo, lo, hi)
			if part && e.over {
				e.V3(asm.VPANDD, e.vl, lo, lo, words.mask)
			}
			e.store(j*e.vector, lo)
		}
	})
}
