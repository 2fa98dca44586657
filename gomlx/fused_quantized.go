package gomlx

import (
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	xb "github.com/goxla/xla/builder"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
	"github.com/pkg/errors"
)

// FusedQuantizedDense returns activation(x @ weights + bias) for quantized weights; bias may be nil. They are
// [inputs, outputs], or for the GGML scheme [outputs, bytes].
func (f *Function) FusedQuantizedDense(x, weights, bias compute.Value, q *compute.Quantization,
	activation compute.ActivationType) (compute.Value, error) {
	const what = "FusedQuantizedDense"
	activate, ok := activations[activation]
	if q == nil || !ok {
		return nil, errors.Errorf("%s: expected a quantization and an activation, got %v and %d", what, q, activation)
	}
	if q.Scheme == compute.QuantGGML {
		return f.ggmlDense(what, x, weights, bias, q, activate)
	}
	list := []compute.Value{x, weights, q.Scale}
	for _, v := range []compute.Value{q.ZeroPoint, bias} {
		if v != nil {
			list = append(list, v)
		}
	}
	in, err := f.values(what, list...)
	if err != nil {
		return nil, err
	}
	outputs, err := checkBlocks(what, in, q)
	if err != nil {
		return nil, err
	}
	quantization, hasZero := *q, q.ZeroPoint != nil
	s := denseShape(in[0].shape, []int{outputs})
	return f.add(compute.OpTypeFusedQuantizedDense, s, in, func(l *lowering, in []xb.Op) xb.Op {
		w, rest := in[1], in[3:]
		if quantization.Scheme == compute.QuantNF4 {
			w = lookUp(l.b, compute.NF4LookupTable[:], xb.And(convert(w, shape.S32), l.b.Const(int32(15))))
		}
		var zero xb.Op
		if hasZero {
			zero, rest = convert(rest[0], shape.F32), rest[1:]
		}
		w = dequantized(convert(w, shape.F32), in[2], zero, quantization.BlockSize)
		return activate(dense(in[0], w, 0, rest))
	})
}

// checkBlocks checks the operands of a dense layer with blocks of weights of one scale, and returns its outputs.
func checkBlocks(what string, in []*value, q *compute.Quantization) (int, error) {
	x, w, scale := in[0].shape, in[1].shape, in[2].shape
	switch {
	case q.Scheme != compute.QuantLinear && q.Scheme != compute.QuantNF4:
		return 0, errors.Errorf("%s: expected a quantization scheme, got %d", what, q.Scheme)
	case x.DType != dtypes.Float32 || x.Rank() < 1:
		return 0, errors.Errorf("%s: expected inputs of type Float32, got %s", what, x)
	case w.Rank() != 2 || !w.DType.IsInt() || w.Dimensions[0] != x.Dimensions[x.Rank()-1]:
		return 0, errors.Errorf("%s: expected integer weights [%d, outputs], got %s", what, x.Dimensions[x.Rank()-1], w)
	case q.BlockAxis != 1 || q.BlockSize < 1:
		return 0, errors.Errorf("%s: expected blocks of axis 1, got size %d of axis %d", what, q.BlockSize, q.BlockAxis)
	case q.Scheme == compute.QuantNF4 && q.ZeroPoint != nil:
		return 0, errors.Errorf("%s: expected no zero point for scheme %s", what, q.Scheme)
	}
	blocks := (w.Dimensions[1] + q.BlockSize - 1) / q.BlockSize
	list := []*value{in[2]}
	if q.ZeroPoint != nil {
		list = append(list, in[3])
	}
	for _, v := range list {
		if v.shape.Rank() != 2 || v.shape.Dimensions[0] != w.Dimensions[0] || v.shape.Dimensions[1] != blocks {
			return 0, errors.Errorf("%s: expected scales and zero points [%d, %d], got %s", what, w.Dimensions[0], blocks,
				v.shape)
		}
	}
	if scale.DType != dtypes.Float32 {
		return 0, errors.Errorf("%s: expected scales of type Float32, got %s", what, scale)
	}
	if n := 2 + len(list); len(in) > n && !isBias(in[n], w.Dimensions[1]) {
		return 0, errors.Errorf("%s: expected a bias [%d] of type Float32, got %s", what, w.Dimensions[1], in[n].shape)
	}
	return w.Dimensions[1], nil
}

// isBias reports whether v has a Float32 for each of n outputs.
func isBias(v *value, n int) bool {
	return v.shape.DType == dtypes.Float32 && v.shape.Rank() == 1 && v.shape.Dimensions[0] == n
}

// dequantized returns w, [n, columns], times the scales plus the zero points of its blocks, [n, blocks]; there may be
// no zero points. Blocks that come out even are a dimension of their own on the way, so that no index is divided.
func dequantized(w, scale, zero xb.Op, size int) xb.Op {
	n, columns := w.Dim(0), w.Dim(1)
	spread := func(v xb.Op) xb.Op { return perBlock(v, size, columns) }
	even := scale.Dim(1)*size == columns
	if even {
		blocks := []int{n, scale.Dim(1), size}
		w = xb.Reshape(w, blocks...)
		spread = func(v xb.Op) xb.Op { return xb.BroadcastInDim(v, blocks, []int{0, 1}) }
	}
	w = xb.Mul(w, spread(scale))
	if zero.IsValid() {
		w = xb.Add(w, spread(zero))
	}
	if even {
		w = xb.Reshape(w, n, columns)
	}
	return w
}

// perBlock returns v, [n, blocks], with each element repeated for the columns of its block, [n, columns].
func perBlock(v xb.Op, size, columns int) xb.Op {
	n, blocks := v.Dim(0), v.Dim(1)
	v = xb.Reshape(xb.BroadcastInDim(v, []int{n, blocks, size}, []int{0, 1}), n, blocks*size)
	if blocks*size == columns {
		return v
	}
	return xb.Slice(v, []int{0, 0}, []int{n, columns}, nil)
}

// lookUp returns table[i] for each element of indices.
func lookUp(b *xb.Builder, table []float32, indices xb.Op) xb.Op {
	return xb.Gather(b.Const(slices.Clone(table)), addDim(indices), op.GatherAttrs{CollapsedSliceDims: []int{0},
		StartIndexMap: []int{0}, IndexVectorDim: indices.Rank(), SliceSizes: []int{1}})
}

// dense returns the product of x with weights, of which a dimension goes with the last one of x, plus a bias if there
// is one.
func dense(x, weights xb.Op, contracting int, bias []xb.Op) xb.Op {
	y := xb.DotGeneral(x, weights, op.DotAttrs{LHSContracting: []int{x.Rank() - 1}, RHSContracting: []int{contracting}})
	if len(bias) > 0 {
		y = xb.Add(y, trailing(y, bias[0]))
	}
	return y
}

// ggmlDense is FusedQuantizedDense for weights in blocks of GGML.
func (f *Function) ggmlDense(what string, x, weights, bias compute.Value, q *compute.Quantization,
	activate func(xb.Op) xb.Op) (compute.Value, error) {
	list := []compute.Value{x, weights}
	if bias != nil {
		list = append(list, bias)
	}
	in, err := f.values(what, list...)
	if err != nil {
		return nil, err
	}
	format, columns, err := ggmlRows(what, in[1], q)
	if err != nil {
		return nil, err
	}
	xs, n := in[0].shape, in[1].shape.Dimensions[0]
	if xs.DType != dtypes.Float32 || xs.Rank() < 1 || xs.Dimensions[xs.Rank()-1] != columns {
		return nil, errors.Errorf("%s: expected inputs of type Float32 for %d columns, got %s", what, columns, xs)
	}
	if bias != nil && !isBias(in[2], n) {
		return nil, errors.Errorf("%s: expected a bias [%d] of type Float32, got %s", what, n, in[2].shape)
	}
	return f.add(compute.OpTypeFusedQuantizedDense, denseShape(xs, []int{n}), in, func(l *lowering, in []xb.Op) xb.Op {
		return activate(dense(in[0], ggmlValues(l.b, in[1], format), 1, in[2:]))
	})
}

// ggmlRows checks rows of GGML blocks and returns their format and the values in a row.
func ggmlRows(what string, data *value, q *compute.Quantization) (ggmlFormat, int, error) {
	s := data.shape
	format, ok := ggmlFormats[q.GGMLType]
	if !ok || q.ZeroPoint != nil {
		return format, 0, errors.Errorf("%s: expected a GGML type without zero point, got %s", what, q.GGMLType)
	}
	bytes := q.GGMLType.BytesPerBlock()
	if s.DType != dtypes.Uint8 || s.Rank() != 2 || s.Dimensions[1] < 0 || s.Dimensions[1]%bytes != 0 {
		return format, 0, errors.Errorf("%s: expected rows of blocks of %d Uint8, got %s", what, bytes, s)
	}
	format.bytes = bytes
	return format, s.Dimensions[1] / bytes * q.GGMLType.ValuesPerBlock(), nil
}

// QuantizedEmbeddingLookup returns the rows of data, in blocks of GGML, that indices name, as Float32. The last
// dimension of indices is 1. An index out of range means the nearest row.
func (f *Function) QuantizedEmbeddingLookup(data, indices compute.Value, q *compute.Quantization) (
	compute.Value, error) {
	const what = "QuantizedEmbeddingLookup"
	if q == nil {
		return nil, errors.Errorf("%s: expected a quantization, got none", what)
	}
	if q.Scheme != compute.QuantGGML {
		return nil, errors.Wrapf(compute.ErrNotImplemented, "%s: it is for scheme %s only, got %s", what, compute.QuantGGML,
			q.Scheme)
	}
	in, err := f.values(what, data, indices)
	if err != nil {
		return nil, err
	}
	format, columns, err := ggmlRows(what, in[0], q)
	if err != nil {
		return nil, err
	}
	is := in[1].shape
	if !is.DType.IsInt() || is.Rank() < 1 || is.Dimensions[is.Rank()-1] != 1 {
		return nil, errors.Errorf("%s: expected integer indices with a last dimension of 1, got %s", what, is)
	}
	s := denseShape(withDType(is, dtypes.Float32), []int{columns})
	return f.add(compute.OpTypeQuantizedEmbeddingLookup, s, in, func(l *lowering, in []xb.Op) xb.Op {
		n := in[1].Rank() - 1
		rows := xb.Gather(in[0], in[1], op.GatherAttrs{OffsetDims: []int{n}, CollapsedSliceDims: []int{0},
			StartIndexMap: []int{0}, IndexVectorDim: n, SliceSizes: []int{1, in[0].Dim(1)}})
		dims := sizesOf(in[1].Shape(), 1)
		count := 1
		for _, d := range dims {
			count *= d
		}
		values := ggmlValues(l.b, xb.Reshape(rows, count, in[0].Dim(1)), format)
		return xb.Reshape(values, append(dims, columns)...)
	})
}
