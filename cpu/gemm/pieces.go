package gemm

import (
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
)

// Where the depth of A is short runs, as the taps of a convolution of few features, a packed block is many short
// pieces. Of those that tiles multiply each length has its own code, without a loop over its vectors.

const (
	mostPieceVectors = 8
	mostPieces       = 8
)

// piece is how rows of so many lanes are packed.
type piece struct {
	lanes  int
	key    packKey
	copier uintptr
}

// choosePieces finds the lengths.
func (p *Product) choosePieces() {
	if !p.kind.tiles() || p.routeA != packed || p.orderA != copied || p.depthMajor || p.runDepth >= p.k ||
		p.runDepth > mostPieceVectors*p.lanes {
		return
	}
	for k := 0; k < p.k; {
		end := k + p.depth(k)
		for k < end {
			n := min(p.runDepth-k%p.runDepth, end-k)
			if p.pieceOf(n) == nil && len(p.pieces) < mostPieces {
				p.pieces = append(p.pieces, piece{lanes: n, key: packKey{order: copied, block: true, kind: p.kind,
					vector: p.regs.vector, typ: p.spec.A.Type, nv: parts(n, p.lanes), tail: n % p.lanes,
					ld: p.sourceA, to: p.rowA}})
			}
			k += n
		}
	}
}

// pieceOf returns how rows of n lanes are packed; nil: in the general way.
func (p *Product) pieceOf(n int) *piece {
	for i := range p.pieces {
		if p.pieces[i].lanes == n {
			return &p.pieces[i]
		}
	}
	return nil
}

// packPiece packs so many rows, the first of which begins at src.
func (p *Product) packPiece(of *piece, dst, src unsafe.Pointer, rows int) {
	args := packArgs{count: rows, src: src, dst: dst}
	invoke(p, of.copier, &args)
}

// copyPieces emits a loop over rows of nv vectors, of the last of which only the tail is read and written.
func (e *packer) copyPieces() {
	if e.tail > 0 {
		e.setMask(e.tail)
	}
	n := max(1, mostPieceVectors/e.nv)
	e.count(n, e.ld, e.to, func(n int) {
		for i := range n * e.nv {
			u, j := i/e.nv, i%e.nv
			e.load(e.typ, asm.Vec(i), asm.M(regB, int32(u*e.ld+j*e.width())), e.tail > 0 && j == e.nv-1)
		}
		for i := range n * e.nv {
			at := asm.M(regC, int32(i/e.nv*e.to+i%e.nv*e.vector))
			if e.tail > 0 && i%e.nv == e.nv-1 {
				e.MV(move[e.loader.kind], e.vl, at, asm.Vec(i), asm.Mask(1))
				continue
			}
			e.MV(move[e.loader.kind], e.vl, at, asm.Vec(i))
		}
	})
}
