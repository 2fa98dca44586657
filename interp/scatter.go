package interp

import (
	"slices"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// evalScatter combines windows of the updates into the operands, window after
// window in row-major order of the indices. A window with any part outside is
// skipped whole, as XLA does. Spec: OPS.md section 3, Scatter.
func evalScatter(c *call) (literal.Literal, error) {
	a, n := attrs[*op.ScatterAttrs](c), len(c.args)/2
	operands, indices, updates := c.args[:n], c.args[n], c.args[n+1:]
	combine, err := c.in.scalarProgram(c.n.Called()[0])
	if err != nil {
		return literal.Literal{}, err
	}
	outs := make([]literal.Literal, n)
	for k := range operands {
		outs[k] = c.target(k)
	}
	s := newScatter(a, operands[0].Dims(), updates[0].Dims())
	v := newIndexVectors(indices, a.IndexVectorDim, a.ScatterDimsToOperandDims, a.InputBatchingDims,
		a.ScatterIndicesBatchingDims)
	step := 0
	for position := range v.positions() {
		if err := c.in.poll(step); err != nil {
			return literal.Literal{}, err
		}
		step++
		start, inside := s.start(v, position)
		if !inside {
			continue
		}
		if err := s.window(combine, outs, updates, start, position); err != nil {
			return literal.Literal{}, err
		}
	}
	return c.pack(outs), nil
}

// scatterPlan is where the elements of a window of updates lie and go.
type scatterPlan struct {
	dims, sizes      []int // of an operand, and of a window in its dimensions
	strides          []int // of an operand
	from, to         []int // offsets of the window's elements in updates and operand
	updateBatchSteps []int // strides of the updates' dimensions that are not window dimensions
}

func newScatter(a *op.ScatterAttrs, dims, updateDims []int) *scatterPlan {
	s := &scatterPlan{dims: dims, sizes: make([]int, len(dims)), strides: rowMajor(dims)}
	missing := slices.Concat(a.InsertedWindowDims, a.InputBatchingDims)
	k := 0
	for d := range dims {
		if s.sizes[d] = 1; !slices.Contains(missing, d) {
			s.sizes[d] = updateDims[a.UpdateWindowDims[k]]
			k++
		}
	}
	updateStrides := rowMajor(updateDims)
	s.from = offsets(s.sizes, sliceWalk(updateStrides, a.UpdateWindowDims, s.sizes, missing))
	s.to = offsets(s.sizes, s.strides)
	for d, stride := range updateStrides {
		if !slices.Contains(a.UpdateWindowDims, d) {
			s.updateBatchSteps = append(s.updateBatchSteps, stride)
		}
	}
	return s
}

// start returns the start of the window for the index vector at position, and
// whether the window lies wholly inside the operand.
func (s *scatterPlan) start(v *indexVectors, position []int) (start []int, inside bool) {
	start = make([]int, len(s.dims))
	for k, d := range v.dims {
		at := v.element(position, k)
		i := v.indices.IntAt(at)
		beyond := i < 0 && v.indices.Type() == shape.U64
		if i < 0 || beyond || i > int64(s.dims[d]-s.sizes[d]) {
			return nil, false
		}
		start[d] = int(i)
	}
	v.addBatch(start, position)
	for d, i := range start {
		if i+s.sizes[d] > s.dims[d] {
			return nil, false
		}
	}
	return start, true
}

// window combines one window of the updates into outs.
func (s *scatterPlan) window(combine *scalarProgram, outs, updates []literal.Literal, start, position []int) error {
	base, update := 0, 0
	for d, i := range start {
		base += i * s.strides[d]
	}
	for i, step := range s.updateBatchSteps {
		update += position[i] * step
	}
	for e, to := range s.to {
		for k := range outs {
			combine.setParam(k, outs[k], base+to)
			combine.setParam(len(outs)+k, updates[k], update+s.from[e])
		}
		if err := combine.run(); err != nil {
			return err
		}
		for k := range outs {
			combine.result(k, outs[k], base+to)
		}
	}
	return nil
}
