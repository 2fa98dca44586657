package native

import (
	"slices"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// raggedDot is a dot of which one lhs dimension falls into groups, whose sizes are the third operand. What lies
// behind the last group counts as zero. What the groups mean follows from what the dimension is:
//
//	free:        each group of lhs rows has an rhs of its own
//	contracting: each group is summed by itself; the groups are a new dimension in front
//	batch:       a group is a run of batch elements
type raggedDot struct {
	shapes   []shape.Shape // of the operands and the result
	lhs, rhs dotDims
	ragged   int // dimension of lhs
	group    int // dimension of rhs, where the ragged one is free
}

// newRaggedDot makes the function of a ragged dot. Spec: OPS.md section 6, RaggedDot.
func newRaggedDot(i *hlo.Instruction) Func {
	a, t := i.Attrs().(*op.RaggedDotAttrs), i.Type()
	if a.Algorithm != "" || len(a.LHSRagged) != 1 || len(i.Operands()) != 3 {
		return nil
	}
	d := &op.DotAttrs{LHSBatch: a.LHSBatch, LHSContracting: a.LHSContracting, RHSBatch: a.RHSBatch,
		RHSContracting: a.RHSContracting}
	r := &raggedDot{shapes: append(operandShapes(i), i.Shape()), ragged: a.LHSRagged[0], group: -1}
	r.lhs, r.rhs = lhsDims(r.shapes[0].Rank(), d), rhsDims(r.shapes[1].Rank(), d)
	if slices.Contains(r.lhs.free, r.ragged) {
		if len(a.RHSGroup) != 1 {
			return nil
		}
		r.group = a.RHSGroup[0]
		r.rhs.free = slices.DeleteFunc(r.rhs.free, func(d int) bool { return d == r.group })
	}
	switch {
	case t == shape.F32:
		return func(pool *exec.Pool, in, out [][]byte) error { return raggedOf(r, pool, f32Numbers, in, out) }
	case t.IsFloat():
		return func(pool *exec.Pool, in, out [][]byte) error { return raggedOf(r, pool, floatNumbers, in, out) }
	case t.IsInteger():
		return func(pool *exec.Pool, in, out [][]byte) error { return raggedOf(r, pool, intNumbers, in, out) }
	}
	return nil
}

// raggedOf computes r in the numbers of the result.
func raggedOf[T number](r *raggedDot, pool *exec.Pool, to numbers[T], in, out [][]byte) error {
	all, err := literals(r.shapes, append(in[:3:3], out[0]))
	if err != nil {
		return err
	}
	lhs, rhs, sizes, dst := all[0], all[1], all[2], all[3]
	x := newMatrices(to.read(lhs), lhs.Dims(), r.lhs.batch, r.lhs.free, r.lhs.contracting)
	batch := r.rhs.batch
	if r.group >= 0 {
		batch = append([]int{r.group}, batch...)
	}
	y := newMatrices(to.read(rhs), rhs.Dims(), batch, r.rhs.free, r.rhs.contracting)
	g := newGroups(sizes)
	switch {
	case r.group >= 0:
		raggedRows(pool, to, dst, x, y, g.of(lhs.Dims(), slices.Concat(r.lhs.batch, r.lhs.free), r.ragged))
	case slices.Contains(r.lhs.batch, r.ragged):
		of := g.of(lhs.Dims(), r.lhs.batch, r.ragged)
		raggedBatch(pool, to, dst, x, y, of)
	default:
		of := g.of(lhs.Dims(), slices.Concat(r.lhs.batch, r.lhs.contracting), r.ragged)
		raggedSums(pool, to, dst, x, y, of, g.count)
	}
	return nil
}

// raggedRows multiplies each row of x by the matrix of y that its group has; of tells the group of a row, -1 for none.
// The matrices of y are group by group.
func raggedRows[T number](pool *exec.Pool, to numbers[T], dst literal.Literal, x, y matrices[T], of []int) {
	perGroup := x.batch * y.rows * y.depth
	rowsOf(pool, x.batch*x.rows, func(lo, hi int) {
		for r := lo; r < hi; r++ {
			if of[r] < 0 {
				zero(to, dst, r*y.rows, y.rows)
				continue
			}
			columns := y.data[of[r]*perGroup+r/x.rows*y.rows*y.depth:]
			rowProducts(x.data[r*x.depth:][:x.depth], columns, y.rows, func(j int, v T) { to.write(dst, r*y.rows+j, v) })
		}
	})
}

// raggedBatch multiplies the matrices that are in a group.
func raggedBatch[T number](pool *exec.Pool, to numbers[T], dst literal.Literal, x, y matrices[T], of []int) {
	multiply(pool, to, dst, 0, x, y)
	for b, g := range of {
		if g < 0 {
			zero(to, dst, b*x.rows*y.rows, x.rows*y.rows)
		}
	}
}

func zero[T number](to numbers[T], dst literal.Literal, at, n int) {
	for k := range n {
		to.write(dst, at+k, 0)
	}
}

// raggedSums multiplies, for each group, the columns of x and y that are in it: of has the groups of the columns of
// each matrix.
func raggedSums[T number](pool *exec.Pool, to numbers[T], dst literal.Literal, x, y matrices[T], of []int,
	groups int) {
	for g := range groups {
		for b := range x.batch {
			var in []int
			for k, group := range of[b*x.depth : (b+1)*x.depth] {
				if group == g {
					in = append(in, k)
				}
			}
			multiply(pool, to, dst, (g*x.batch+b)*x.rows*y.rows, x.columns(b, in), y.columns(b, in))
		}
	}
}

// columns returns some columns of matrix b.
func (m matrices[T]) columns(b int, list []int) matrices[T] {
	out := matrices[T]{batch: 1, rows: m.rows, depth: len(list), data: make([]T, 0, m.rows*len(list))}
	for r := range m.rows {
		row := m.data[(b*m.rows+r)*m.depth:][:m.depth]
		for _, k := range list {
			out.data = append(out.data, row[k])
		}
	}
	return out
}

// groups are the ends of the groups: a list, or one for each index of some dimensions.
type groups struct {
	ends  []int64
	count int
	shape []int
}

func newGroups(sizes literal.Literal) groups {
	g := groups{ends: make([]int64, sizes.Len()), shape: sizes.Dims()}
	g.count = g.shape[len(g.shape)-1]
	end := int64(0)
	for i := range g.ends {
		if i%g.count == 0 {
			end = 0
		}
		end += sizes.IntAt(i)
		g.ends[i] = end
	}
	return g
}

// of returns, for each index of the listed dimensions, the group that its index along dimension ragged is in; -1:
// none. Where there is more than one list of sizes, the dimensions in front of the ragged one choose it.
func (g groups) of(dims, list []int, ragged int) []int {
	place := slices.Index(list, ragged)
	inner, n := product(dims, list[place+1:]), dims[ragged]
	of := make([]int, product(dims, list))
	for i := range of {
		ends := g.ends[:g.count]
		if len(g.shape) > 1 {
			ends = g.ends[i/inner/n*g.count:][:g.count]
		}
		x := int64(i / inner % n)
		of[i] = slices.IndexFunc(ends, func(end int64) bool { return x < end })
	}
	return of
}
