package gomlx

import (
	"math"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	xb "github.com/goxla/xla/builder"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
	"github.com/pkg/errors"
)

// attention is scaled dot-product attention. In HLO, query heads that share a key head are a group: queries are
// [batch, key heads, group, sequence, size], scores [batch, key heads, group, sequence, key sequence].
type attention struct {
	layout compute.AttentionAxesLayout
	causal bool
	scale  float64
	// Of the operands behind query, key and value, which are there.
	mask, lengths, bias bool
}

// FusedScaledDotProductAttention returns softmax(query @ key^T * scale + bias, masked) @ value for each head. A row
// of which nothing is left by boolean masks gives zeros. The bias is [batch, heads, sequence, key sequence] in both
// layouts, a mask of rank 4 has the axes of the layout; both may lack leading axes and stretch others of size 1.
// The state is the softmax.
func (f *Function) FusedScaledDotProductAttention(query, key, value compute.Value, layout compute.AttentionAxesLayout,
	options *compute.ScaledDotProductAttentionConfig) (output compute.Value, states []compute.Value, err error) {
	const what = "FusedScaledDotProductAttention"
	a, in, err := f.attention(what, layout, options, query, key, value)
	if err != nil {
		return nil, nil, err
	}
	q, k := in[0].shape, in[1].shape
	heads, keyHeads := q.Dimensions[layout.HeadsAxis()], k.Dimensions[layout.HeadsAxis()]
	state := shapes.Shape{DType: scoreType(q.DType), Dimensions: []int{q.Dimensions[0], keyHeads, heads / keyHeads,
		q.Dimensions[layout.SeqAxis()], k.Dimensions[layout.SeqAxis()]}}
	if q.IsDynamic() || k.IsDynamic() {
		state.AxisNames = []string{q.AxisName(0), "", "", q.AxisName(layout.SeqAxis()), k.AxisName(layout.SeqAxis())}
	}
	out := f.addMany(compute.OpTypeFusedScaledDotProductAttention, []shapes.Shape{q, state}, in,
		func(l *lowering, in []xb.Op) []xb.Op {
			v := a.byHead(in[2], 1)
			p := a.weights(l.b, in)
			y := dot(p, v, attentionDims([]int{4}, []int{2}), scoreElement(v), p.Type())
			return []xb.Op{convert(a.inLayout(y), in[0].Type()), p}
		})
	return out[0], []compute.Value{out[1]}, nil
}

// FusedScaledDotProductAttentionVJP returns the gradients with respect to query, key and value from that of the
// output and the state of FusedScaledDotProductAttention.
func (f *Function) FusedScaledDotProductAttentionVJP(query, key, value compute.Value,
	layout compute.AttentionAxesLayout, options *compute.ScaledDotProductAttentionConfig, output compute.Value,
	states []compute.Value, dOutput compute.Value) (dQuery, dKey, dValue compute.Value, err error) {
	const what = "FusedScaledDotProductAttentionVJP"
	a, in, err := f.attention(what, layout, options, query, key, value)
	if err != nil {
		return nil, nil, nil, err
	}
	if len(states) != 1 {
		return nil, nil, nil, errors.Errorf("%s: expected the state of the forward operation, got %d values", what,
			len(states))
	}
	more, err := f.values(what, states[0], dOutput)
	if err != nil {
		return nil, nil, nil, err
	}
	if !more[1].shape.EqualDimensions(in[0].shape) {
		return nil, nil, nil, errors.Errorf("%s: expected a gradient of shape %s, got %s", what, in[0].shape, more[1].shape)
	}
	inputs := append(slices.Clone(in[:3]), more...)
	out := f.addMany(compute.OpTypeFusedScaledDotProductAttentionVJP, shapesOf(in[:3]), inputs,
		func(_ *lowering, in []xb.Op) []xb.Op { return a.gradients(in[0], in[1], in[2], in[3], in[4]) })
	return out[0], out[1], out[2], nil
}

// attention checks the operands and returns them with those of options.
func (f *Function) attention(what string, layout compute.AttentionAxesLayout,
	o *compute.ScaledDotProductAttentionConfig, list ...compute.Value) (attention, []*value, error) {
	a := attention{layout: layout}
	if o == nil {
		o = &compute.ScaledDotProductAttentionConfig{}
	}
	if (o.QuerySeqLen != nil) != (o.KeyValueSeqLen != nil) {
		return a, nil, errors.Errorf("%s: expected lengths of both queries and keys, or of none", what)
	}
	a.causal, a.scale, a.mask, a.lengths, a.bias = o.Causal, o.Scale, o.Mask != nil, o.QuerySeqLen != nil, o.Bias != nil
	for _, v := range []compute.Value{o.Mask, o.QuerySeqLen, o.KeyValueSeqLen, o.Bias} {
		if v != nil {
			list = append(list, v)
		}
	}
	in, err := f.values(what, list...)
	if err != nil {
		return a, nil, err
	}
	q, k, v := in[0].shape, in[1].shape, in[2].shape
	if !q.DType.IsFloat() || k.DType != q.DType || v.DType != q.DType || q.Rank() != 4 || k.Rank() != 4 ||
		!v.EqualDimensions(k) || q.Dimensions[0] != k.Dimensions[0] || q.Dimensions[3] != k.Dimensions[3] {
		return a, nil, errors.Errorf("%s: expected query, key and value of rank 4 that go with each other, got %s, %s, %s",
			what, q, k, v)
	}
	heads, keyHeads := q.Dimensions[layout.HeadsAxis()], k.Dimensions[layout.HeadsAxis()]
	if keyHeads <= 0 || heads <= 0 || heads%keyHeads != 0 {
		return a, nil, errors.Errorf("%s: expected query heads in groups for %d key heads, got %d", what, keyHeads, heads)
	}
	if a.scale == 0 {
		a.scale = 1 / math.Sqrt(float64(q.Dimensions[3]))
	}
	return a, in, a.checkOptions(what, in)
}

// checkOptions checks the operands behind query, key and value.
func (a attention) checkOptions(what string, in []*value) error {
	q, k := in[0].shape, in[1].shape
	scores := []int{q.Dimensions[0], q.Dimensions[a.layout.HeadsAxis()], q.Dimensions[a.layout.SeqAxis()],
		k.Dimensions[a.layout.SeqAxis()]}
	rest := in[3:]
	if a.mask {
		want := scores
		if a.layout == compute.AttentionAxesLayoutBSHD && rest[0].shape.Rank() == 4 {
			want = []int{scores[0], scores[2], scores[1], scores[3]}
		}
		if !stretches(rest[0].shape.Dimensions, want) {
			return errors.Errorf("%s: expected a mask for scores %v, got %s", what, want, rest[0].shape)
		}
		rest = rest[1:]
	}
	if a.lengths {
		for _, v := range rest[:2] {
			if s := v.shape; !s.DType.IsInt() || s.Rank() != 1 || s.Dimensions[0] != scores[0] {
				return errors.Errorf("%s: expected a length for each of %d sequences, got %s", what, scores[0], s)
			}
		}
		rest = rest[2:]
	}
	if a.bias && (!rest[0].shape.DType.IsFloat() || !stretches(rest[0].shape.Dimensions, scores)) {
		return errors.Errorf("%s: expected a bias for scores %v, got %s", what, scores, rest[0].shape)
	}
	return nil
}

// stretches reports whether an array of sizes dims can be stretched to sizes to, as its last dimensions.
func stretches(dims, to []int) bool {
	if len(dims) > len(to) {
		return false
	}
	for i, d := range dims {
		if want := to[len(to)-len(dims)+i]; d != want && d != 1 {
			return false
		}
	}
	return true
}

// scoreType is the type of scores for queries of type t.
func scoreType(t dtypes.DType) dtypes.DType {
	if t == dtypes.Float64 {
		return t
	}
	return dtypes.Float32
}

// scoreElement is scoreType in HLO, for an operand.
func scoreElement(x xb.Op) shape.ElementType {
	if x.Type() == shape.F64 {
		return shape.F64
	}
	return shape.F32
}

// byHead returns x as [batch, heads, sequence, size], the heads in groups if there is more than one a group.
func (a attention) byHead(x xb.Op, group int) xb.Op {
	if a.layout == compute.AttentionAxesLayoutBSHD {
		x = xb.Transpose(x, 0, 2, 1, 3)
	}
	return inGroups(x, 1, group)
}

// inGroups returns x with its heads, dimension dim, split into groups; x itself for 1.
func inGroups(x xb.Op, dim, group int) xb.Op {
	if group == 1 {
		return x
	}
	d := x.Shape().Dims
	dims := append(append([]int{}, d[:dim]...), d[dim]/group, group)
	return xb.Reshape(x, append(dims, d[dim+1:]...)...)
}

// query returns the queries as [batch, key heads, group, sequence, size].
func (a attention) query(q, k xb.Op) xb.Op {
	h := a.layout.HeadsAxis()
	q = a.byHead(q, 1)
	d := q.Shape().Dims
	return xb.Reshape(q, d[0], k.Dim(h), d[1]/k.Dim(h), d[2], d[3])
}

// inLayout returns x, [batch, key heads, group, sequence, size], with the axes of the layout.
func (a attention) inLayout(x xb.Op) xb.Op {
	d := x.Shape().Dims
	return a.headsInLayout(xb.Reshape(x, d[0], d[1]*d[2], d[3], d[4]))
}

// headsInLayout is inLayout for [batch, heads, sequence, size].
func (a attention) headsInLayout(x xb.Op) xb.Op {
	if a.layout == compute.AttentionAxesLayoutBSHD {
		return xb.Transpose(x, 0, 2, 1, 3)
	}
	return x
}

// attentionDims are the dimension numbers of a product of scores or queries with keys or values.
func attentionDims(lhs, rhs []int) op.DotAttrs {
	return op.DotAttrs{LHSBatch: []int{0, 1}, RHSBatch: []int{0, 1}, LHSContracting: lhs, RHSContracting: rhs}
}

// weights returns the softmax of the scores.
func (a attention) weights(b *xb.Builder, in []xb.Op) xb.Op {
	q, k := a.query(in[0], in[1]), a.byHead(in[1], 1)
	t := scoreElement(q)
	s := times(dot(q, k, attentionDims([]int{4}, []int{3}), t, t), a.scale)
	rest := in[3:]
	var mask xb.Op
	if a.mask {
		mask, rest = rest[0], rest[1:]
	}
	allowed := a.allowed(b, s, &rest)
	if a.bias {
		s = xb.Add(s, convert(toScores(s, rest[0]), t))
	}
	if a.mask {
		if a.layout == compute.AttentionAxesLayoutBSHD && mask.Rank() == 4 {
			mask = xb.Transpose(mask, 0, 2, 1, 3)
		}
		mask = toScores(s, mask)
		if mask.Type() == shape.Pred {
			allowed = both(allowed, mask)
		} else {
			s = xb.Add(s, convert(mask, t))
		}
	}
	return maskedSoftmax(b, s, allowed)
}

// allowed returns which scores count by causality and by lengths, which it takes from rest; invalid for all.
func (a attention) allowed(b *xb.Builder, s xb.Op, rest *[]xb.Op) xb.Op {
	const rows, columns = 3, 4
	index := func(dim int) xb.Op { return b.Iota(shape.Make(shape.S32, s.Shape().Dims...), dim) }
	var allowed xb.Op
	if a.causal {
		allowed = xb.Le(index(columns), index(rows))
	}
	if a.lengths {
		for i, dim := range []int{rows, columns} {
			length := xb.BroadcastInDim(convert((*rest)[i], shape.S32), s.Shape().Dims, []int{0})
			allowed = both(allowed, xb.Lt(index(dim), length))
		}
		*rest = (*rest)[2:]
	}
	return allowed
}

// both is the "and" of two conditions, of which the first may be invalid.
func both(x, y xb.Op) xb.Op {
	if !x.IsValid() {
		return y
	}
	return xb.And(x, y)
}

// toScores stretches x, of up to 4 dimensions, to the sizes of scores s.
func toScores(s, x xb.Op) xb.Op {
	dims := x.Shape().Dims
	for len(dims) < 4 {
		dims = append([]int{1}, dims...)
	}
	group := s.Dim(2)
	heads, inner := dims[1], 1
	if heads != 1 {
		heads, inner = heads/group, group
	}
	x = xb.Reshape(x, dims[0], heads, inner, dims[2], dims[3])
	return xb.BroadcastInDim(x, s.Shape().Dims, []int{0, 1, 2, 3, 4})
}

// maskedSoftmax is the softmax of what is allowed of s along its last dimension; zero elsewhere. allowed may be
// invalid, for all.
func maskedSoftmax(b *xb.Builder, s, allowed xb.Op) xb.Op {
	last := s.Rank() - 1
	if !allowed.IsValid() {
		return softmax(s, last)
	}
	zero := xb.FullLike(s, 0)
	s = xb.Select(allowed, s, xb.Broadcast(b.MinValue(s.Type()), s.Shape().Dims...))
	top := xb.ReduceMax(s, last)
	top = xb.Select(xb.IsFinite(top), top, xb.FullLike(top, 0)) // nothing is allowed, or a score is infinite
	e := xb.Select(allowed, xb.Exp(xb.Sub(s, along(s, top, last))), zero)
	sum := xb.ReduceSum(e, last)
	sum = xb.Select(xb.Eq(sum, xb.FullLike(sum, 0)), xb.FullLike(sum, 1), sum)
	return xb.Div(e, along(s, sum, last))
}

// gradients returns those of query, key and value: p is the softmax, d the gradient of the output.
func (a attention) gradients(query, key, value, p, d xb.Op) []xb.Op {
	t := p.Type()
	q := convert(a.query(query, key), t)
	k, v := convert(a.byHead(key, 1), t), convert(a.byHead(value, 1), t)
	d = convert(a.query(d, key), t)
	dV := xb.DotGeneral(p, d, attentionDims([]int{2, 3}, []int{2, 3}))
	dP := xb.DotGeneral(d, v, attentionDims([]int{4}, []int{3}))
	dS := xb.Mul(p, xb.Sub(dP, along(dP, xb.ReduceSum(xb.Mul(dP, p), 4), 4)))
	dS = times(dS, a.scale)
	dQ := xb.DotGeneral(dS, k, attentionDims([]int{4}, []int{2}))
	dK := xb.DotGeneral(dS, q, attentionDims([]int{2, 3}, []int{2, 3}))
	return []xb.Op{convert(a.inLayout(dQ), query.Type()), convert(a.headsInLayout(dK), key.Type()),
		convert(a.headsInLayout(dV), value.Type())}
}
