package plan

import (
	"slices"

	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// Where neighbours in memory are of different products of a batch, as the channels of the einsum "ikc,jkc->ijc", every
// product reads a line of memory for each of its elements. Large operands are transposed before: each line is read
// once.

const (
	// leastBatch is how many products are worth that.
	leastBatch = 4
	// leastAlone is how many bytes an operand has at least, leastTogether each of two that are both such.
	leastAlone, leastTogether = 1 << 18, 1 << 14
)

// TurnBatches transposes the operands of products of m that are such, and reports whether there were any.
func TurnBatches(m *hlo.Module) (changed bool) {
	for _, c := range m.Computations() {
		for _, i := range slices.Clone(c.Instructions()) {
			if isPlainDot(i) && (turnsBatch(i) || turnsColumns(i)) {
				changed = true
			}
		}
	}
	return changed
}

// turnsBatch puts the batch of product i in front where that is worth it.
func turnsBatch(i *hlo.Instruction) bool {
	a := i.Attrs().(*op.DotAttrs)
	packed := i.Operand(1).Code() != op.Parameter && !isFresh(i.Operand(1)) // once for all runs, or iterations
	turns := turning(i, isLast(i.Operand(0), a.LHSBatch), !packed && isLast(i.Operand(1), a.RHSBatch))
	if !turns[0] && !turns[1] {
		return false
	}
	a = op.CloneAttrs(a).(*op.DotAttrs)
	for _, dims := range []*[]int{&a.LHSBatch, &a.LHSContracting, &a.RHSBatch, &a.RHSContracting} {
		*dims = slices.Clone(*dims)
	}
	if turns[0] {
		i.SetOperand(0, batchFirst(i.Operand(0), a.LHSBatch, a.LHSContracting))
	}
	if turns[1] {
		i.SetOperand(1, batchFirst(i.Operand(1), a.RHSBatch, a.RHSContracting))
	}
	i.SetAttrs(a)
	return true
}

// turnsColumns transposes operand 1 of product i, which is loops of a kernel with columns in lanes, where these are far
// apart and several rows read them.
func turnsColumns(i *hlo.Instruction) bool {
	a, y := i.Attrs().(*op.DotAttrs), i.Operand(1)
	last := y.Rank() - 1
	if !isUnblocked(i) || !slices.Contains(a.RHSContracting, last) || y.Dims()[last] < minProductDepth ||
		rowsIn(y, others(y, a.RHSContracting, a.RHSBatch)) < leastBatch || rowsOf(i) < leastBatch {
		return false
	}
	order := slices.Concat(a.RHSBatch, a.RHSContracting, others(y, a.RHSContracting, a.RHSBatch))
	a = op.CloneAttrs(a).(*op.DotAttrs)
	a.RHSBatch, a.RHSContracting = placesOf(order, a.RHSBatch), placesOf(order, a.RHSContracting)
	i.SetOperand(1, transposed(y, order))
	i.SetAttrs(a)
	return true
}

// placesOf returns where each of dims is in order.
func placesOf(order, dims []int) []int {
	places := make([]int, len(dims))
	for n, d := range dims {
		places[n] = slices.Index(order, d)
	}
	return places
}

// turning says which operands of product i are worth a transposition, given which have neighbours of different
// products.
func turning(i *hlo.Instruction, neighbours ...bool) (turns [2]bool) {
	least := leastTogether
	bytes := func(k int) int { return i.Operand(k).Size() * i.Operand(k).Type().ByteSize() }
	for k, n := range neighbours {
		if !n || bytes(k) < leastTogether {
			least = leastAlone
		}
	}
	for k, n := range neighbours {
		turns[k] = n && bytes(k) >= least
	}
	return turns
}

// isLast reports whether neighbours in x are of different products of a batch.
func isLast(x *hlo.Instruction, batch []int) bool {
	last := x.Rank() - 1
	return slices.Contains(batch, last) && x.Dims()[last] >= leastBatch
}

// isNeighbours reports whether neighbours in memory are of different products of a batch.
func isNeighbours(batch gemm.Axis) bool {
	return slices.ContainsFunc(batch, func(d gemm.Dim) bool { return d.Stride == 1 && d.Size >= leastBatch })
}

// batchFirst returns x with the dimensions of the batch in front, and changes the numbers of dimensions to those there.
func batchFirst(x *hlo.Instruction, batch, contracting []int) *hlo.Instruction {
	order := slices.Clone(batch)
	for d := range x.Dims() {
		if !slices.Contains(batch, d) {
			order = append(order, d)
		}
	}
	for n := range batch {
		batch[n] = n
	}
	for n, d := range contracting {
		contracting[n] = slices.Index(order, d)
	}
	return transposed(x, order)
}

// turned reads operands of r, the product i, by themselves where their elements would be found in an array in which
// they are worth a transposition.
func (p *placement) turned(i *hlo.Instruction, r *product) {
	a, spec := i.Attrs().(*op.DotAttrs), &r.specs[0]
	turns := turning(i, isNeighbours(spec.A.Batch), isNeighbours(spec.B.Batch))
	if x := i.Operand(0); turns[0] && r.a != x {
		r.a, r.startsA, spec.A = x, nil, wholeView(x.Shape()).operand(x, a.LHSBatch, a.LHSContracting)
	}
	if y := i.Operand(1); turns[1] && r.b != y {
		r.b, r.startsB, spec.B = y, nil, wholeView(y.Shape()).operand(y, a.RHSBatch, a.RHSContracting)
	}
}
