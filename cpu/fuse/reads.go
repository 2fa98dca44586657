package fuse

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// Space is an iteration space as in Spec.
type Space struct {
	Dims  []int
	Inner []bool
}

// Kept returns the dimensions that are not inner.
func (s Space) Kept() []int {
	var kept []int
	for d, n := range s.Dims {
		if !s.Inner[d] {
			kept = append(kept, n)
		}
	}
	return kept
}

// Use is how a region reads an instruction that is in memory.
type Use struct {
	Inst *hlo.Instruction
	// Same: at the same position of the space, or of its kept dimensions, at which the root is computed.
	Same bool
}

// Reader finds what regions read from memory. It keeps its own memory from one to the next.
type Reader struct {
	g          gen
	seen       visits
	full, kept place
	uses       []Use
}

// NewReader returns a reader of regions that read what inMemory tells from memory.
func NewReader(inMemory func(*hlo.Instruction) bool) *Reader {
	return &Reader{g: gen{inMemory: inMemory}}
}

// Uses returns what the computation of i, which is of all dimensions of s, of its kept ones, or a
// reduction over its inner ones, reads from memory. An instruction may occur more than once.
func (u *Reader) Uses(i *hlo.Instruction, s Space) []Use {
	u.seen.cut(0)
	u.g.forget()
	u.uses = nil
	full := make([]Expr, 0, len(s.Dims))
	for _, n := range s.Dims {
		full = append(full, u.g.later(n))
	}
	kept := keptOf(Spec{Dims: s.Dims, Inner: s.Inner}, full)
	u.full, u.kept = u.g.places.of(full), u.g.places.of(kept)
	at := full
	if i.Code() != op.Reduce && !slices.Equal(i.Dims(), s.Dims) {
		at = kept
	}
	u.operands(i, at)
	return u.uses
}

// forget makes g one that knows no index.
func (g *gen) forget() {
	g.pending, g.atoms = g.pending[:0], g.atoms[:0]
	clear(g.numbers)
	g.places.forget()
}

// operands visits the operands of i, which is computed at idx; nil: nobody knows where.
func (u *Reader) operands(i *hlo.Instruction, idx []Expr) {
	code := i.Code()
	for k, o := range i.Operands() {
		at, known := idx, idx != nil
		if code == op.Gather && k == 1 && known && overlaps(i) {
			u.starts(i, idx)
			continue
		}
		switch {
		case code == op.Reduce && k < len(i.Operands())/2:
			at = u.under(i, idx)
		case code == op.GetTupleElement, code == op.Tuple, code == op.Map:
		case isElementwise(i):
		case indexMaps[code] != nil && known:
			at = indexMaps[code](&u.g, i, idx)
		default:
			known = false
		}
		if o.IsArray() && o.Rank() == 0 {
			at, known = []Expr{}, true
		}
		if !known {
			at = nil
		}
		u.visit(o, at)
	}
}

// longRow is how many elements of a row are enough for vectors of it to wait side by side.
const longRow = 64

// overlaps reports whether gather i computes places while it waits for elements of others: its rows are long. Rows of
// a kernel need not be joined to longer ones, as those of a copy of the indices are.
func overlaps(i *hlo.Instruction) bool {
	row := 1
	for _, n := range i.Dims() {
		if n > 1 {
			row = n
		}
	}
	return row >= longRow
}

// starts visits the indices of gather i, which is computed at idx, component by component.
func (u *Reader) starts(i *hlo.Instruction, idx []Expr) {
	a, indices := i.Attrs().(*op.GatherAttrs), i.Operand(1)
	for k := range a.StartIndexMap {
		u.visit(indices, indexVector(indices.Shape(), batchIndex(idx, a.OffsetDims), a.IndexVectorDim, k))
	}
}

// under is where the operands of a reduction that is computed at idx are read: idx itself has all dimensions where
// the reduction is the root.
func (u *Reader) under(i *hlo.Instruction, idx []Expr) []Expr {
	all := i.Operand(0).Dims()
	if idx == nil || len(idx) == len(all) {
		return idx
	}
	dims := sorted(i.Attrs().(*op.ReduceAttrs).Dimensions)
	pos := u.g.exprs.take(len(dims))
	for k, d := range dims {
		pos[k] = u.g.later(all[d])
	}
	return u.g.merge(idx, pos, dims, len(all))
}

func (u *Reader) visit(i *hlo.Instruction, idx []Expr) {
	at := nowhere
	if idx != nil {
		at = u.g.places.of(idx)
	}
	if !u.seen.first(visit{inst: i, at: at}) {
		return
	}
	if u.g.inMemory(i) {
		u.uses = append(u.uses, Use{i, at == u.full || at == u.kept})
		return
	}
	u.operands(i, idx)
}

// Join returns the space in which both a kernel of space s and a value whose own space is v, by a
// reduction or not, are computed; ok is false where there is none.
func (s Space) Join(v Space, reduction bool) (joint Space, ok bool) {
	hasInner := slices.Contains(s.Inner, true)
	switch {
	case reduction:
		if !slices.Equal(s.Dims, v.Dims) || hasInner && !slices.Equal(s.Inner, v.Inner) {
			return s, false
		}
		return v, true
	case slices.Equal(v.Dims, s.Dims), hasInner && slices.Equal(v.Dims, s.Kept()):
		return s, true
	}
	return s, false
}
