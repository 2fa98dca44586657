package verify

import (
	"sync"

	"github.com/goxla/xla/stablehlo"
)

// inferences holds how types of results follow from operands, by operation. The
// operations whose results have the type of their operands are not in it: rules.txt
// says that of them.
var inferences = sync.OnceValue(func() map[string]inferFunc {
	return map[string]inferFunc{
		"stablehlo.abs":                  inferReal,
		"stablehlo.add":                  inferFromOperands,
		"stablehlo.after_all":            inferToken,
		"stablehlo.all_reduce":           inferAllReduce,
		"stablehlo.all_to_all":           inferAllToAll,
		"stablehlo.async_done":           inferAsyncDone,
		"stablehlo.async_start":          inferAsyncStart,
		"stablehlo.batch_norm_grad":      inferBatchNorm,
		"stablehlo.batch_norm_inference": inferBatchNorm,
		"stablehlo.batch_norm_training":  inferBatchNorm,
		"stablehlo.broadcast":            inferBroadcast,
		"stablehlo.case":                 inferBranches,
		"stablehlo.clamp":                inferClamp,
		"stablehlo.collective_broadcast": inferFirst,
		"stablehlo.collective_reduce":    inferFirst,
		"stablehlo.compare":              inferCompare,
		"stablehlo.complex":              inferComplex,
		"stablehlo.concatenate":          inferConcatenate,
		"stablehlo.constant":             inferConstant,
		"stablehlo.convert":              inferShape,
		"stablehlo.convolution":          inferConvolution,
		"stablehlo.create_token":         inferToken,
		"stablehlo.dot":                  inferDot,
		"stablehlo.dot_general":          inferDotGeneral,
		"stablehlo.dynamic_conv":         inferDynamicConv,
		"stablehlo.dynamic_gather":       inferGather,
		"stablehlo.dynamic_slice":        inferDynamicSlice,
		"stablehlo.dynamic_update_slice": inferDynamicUpdateSlice,
		"stablehlo.fft":                  inferFFT,
		"stablehlo.gather":               inferGather,
		"stablehlo.get_dimension_size":   inferDimensionSize,
		"stablehlo.get_tuple_element":    inferTupleElement,
		"stablehlo.if":                   inferBranches,
		"stablehlo.imag":                 inferReal,
		"stablehlo.is_finite":            inferPred,
		"stablehlo.map":                  inferMap,
		"stablehlo.optimization_barrier": inferOperandTypes,
		"stablehlo.outfeed":              inferToken,
		"stablehlo.pad":                  inferPad,
		"stablehlo.partition_id":         inferDeviceID,
		"stablehlo.real":                 inferReal,
		"stablehlo.reduce":               inferReduce,
		"stablehlo.reduce_window":        inferReduceWindow,
		"stablehlo.replica_id":           inferDeviceID,
		"stablehlo.rng":                  inferRng,
		"stablehlo.scatter":              inferScatter,
		"stablehlo.select":               inferSelect,
		"stablehlo.select_and_scatter":   inferSelectAndScatter,
		"stablehlo.send":                 inferToken,
		"stablehlo.set_dimension_size":   inferSetDimensionSize,
		"stablehlo.slice":                inferSlice,
		"stablehlo.sort":                 inferOperandTypes,
		"stablehlo.transpose":            inferTranspose,
		"stablehlo.triangular_solve":     inferTriangularSolve,
		"stablehlo.tuple":                inferTuple,
		"stablehlo.uniform_dequantize":   inferDequantize,
		"stablehlo.uniform_quantize":     inferShape,
		"stablehlo.while":                inferOperandTypes,

		"chlo.broadcast_add":                    inferBroadcasting,
		"chlo.broadcast_and":                    inferBroadcasting,
		"chlo.broadcast_atan2":                  inferBroadcasting,
		"chlo.broadcast_compare":                inferBroadcasting,
		"chlo.broadcast_complex":                inferBroadcasting,
		"chlo.broadcast_divide":                 inferBroadcasting,
		"chlo.broadcast_maximum":                inferBroadcasting,
		"chlo.broadcast_minimum":                inferBroadcasting,
		"chlo.broadcast_multiply":               inferBroadcasting,
		"chlo.broadcast_next_after":             inferBroadcasting,
		"chlo.broadcast_or":                     inferBroadcasting,
		"chlo.broadcast_polygamma":              inferBroadcasting,
		"chlo.broadcast_power":                  inferBroadcasting,
		"chlo.broadcast_remainder":              inferBroadcasting,
		"chlo.broadcast_select":                 inferBroadcastSelect,
		"chlo.broadcast_shift_left":             inferBroadcasting,
		"chlo.broadcast_shift_right_arithmetic": inferBroadcasting,
		"chlo.broadcast_shift_right_logical":    inferBroadcasting,
		"chlo.broadcast_subtract":               inferBroadcasting,
		"chlo.broadcast_xor":                    inferBroadcasting,
		"chlo.broadcast_zeta":                   inferBroadcasting,
		"chlo.constant":                         inferConstant,
		"chlo.constant_like":                    inferConstantLike,
		"chlo.is_inf":                           inferPred,
		"chlo.is_neg_inf":                       inferPred,
		"chlo.is_pos_inf":                       inferPred,
		"chlo.ragged_dot":                       inferRaggedDot,
		"chlo.scan":                             inferScan,
		"chlo.top_k":                            inferTopK,
	}
})

// one is the list of one type.
func one(t stablehlo.Type) ([]stablehlo.Type, error) { return []stablehlo.Type{t}, nil }

// inferFromOperands: the result has the type of the operands, with all that is known of them.
func inferFromOperands(c *check) ([]stablehlo.Type, error) {
	operands := valueTypes(c.op.Operands)
	t, ok := merge(operands, narrow)
	if !ok {
		return nil, c.errorf("", "", "expected operands of compatible shapes, got %s", list(operands))
	}
	return one(t)
}

// inferOperandTypes: there is a result of its type for each operand.
func inferOperandTypes(c *check) ([]stablehlo.Type, error) { return valueTypes(c.op.Operands), nil }

// inferScatter: there is a result of its shape for each input, with the elements that
// the computation returns. scatter_c24, scatter_c25.
func inferScatter(c *check) ([]stablehlo.Type, error) { return c.reduced(valueTypes(c.group(0))) }

// inferShape: the result has the shape of the operand.
func inferShape(c *check) ([]stablehlo.Type, error) {
	return one(like(c.op.Operands[0].Type, elementOf(c.op.Results[0].Type)))
}

// inferPred: the result has a truth value for each element.
func inferPred(c *check) ([]stablehlo.Type, error) {
	return one(like(c.op.Operands[0].Type, stablehlo.I1))
}

// inferCompare: compare_c1, compare_c2, with the shape of lhs, not its bounds.
func inferCompare(c *check) ([]stablehlo.Type, error) {
	return one(tensor(c.operand(0).Dims, stablehlo.I1, nil))
}

// inferReal: the result has real elements where the operand has complex ones.
// abs_c2, imag_c2, real_c2.
func inferReal(c *check) ([]stablehlo.Type, error) {
	elem := c.operand(0).Elem
	if e, ok := elem.(*stablehlo.ComplexType); ok {
		elem = e.Elem
	}
	return one(like(c.operand(0), elem))
}

// inferComplex: complex_c2, complex_c3.
func inferComplex(c *check) ([]stablehlo.Type, error) {
	return one(like(c.operand(0), &stablehlo.ComplexType{Elem: c.operand(0).Elem}))
}

// inferDequantize: uniform_dequantize_c1, uniform_dequantize_c2.
func inferDequantize(c *check) ([]stablehlo.Type, error) {
	return one(like(c.operand(0), quantized(c.operand(0).Elem).Expressed))
}

func inferToken(*check) ([]stablehlo.Type, error) { return one(stablehlo.TokenType{}) }

func inferDeviceID(*check) ([]stablehlo.Type, error) { return one(tensor(nil, stablehlo.UI32, nil)) }

func inferTuple(c *check) ([]stablehlo.Type, error) {
	return one(&stablehlo.TupleType{Types: valueTypes(c.op.Operands)})
}

// inferTupleElement: get_tuple_element_c1, get_tuple_element_c2.
func inferTupleElement(c *check) ([]stablehlo.Type, error) {
	t, _ := c.op.Operands[0].Type.(*stablehlo.TupleType)
	i := c.integer("index")
	if i < 0 || i >= int64(len(t.Types)) {
		return nil, c.errorf("index", "c1", "expected an index in [0, %d), got %d", len(t.Types), i)
	}
	return one(t.Types[i])
}

// inferConstant: constant_c1.
func inferConstant(c *check) ([]stablehlo.Type, error) {
	switch a := c.op.Attr("value").(type) {
	case *stablehlo.DenseElements:
		return c.constantType(a.Type)
	case *stablehlo.DenseResource:
		return c.constantType(a.Type)
	case *stablehlo.DenseStrings:
		return c.constantType(a.Type)
	case *stablehlo.SparseElements:
		return c.constantType(a.Type)
	}
	return valueTypes(c.op.Results), nil
}

// constantType returns the type of a constant whose elements have type t. The elements
// of a quantized constant are integers of the storage type.
func (c *check) constantType(t stablehlo.Type) ([]stablehlo.Type, error) {
	written := c.op.Results[0].Type
	if q := quantized(elementOf(written)); q != nil && elementOf(t) == stablehlo.Type(q.Storage) {
		return one(like(t, q))
	}
	return one(t)
}

// inferClamp: clamp_c1, clamp_c2, clamp_c4.
func inferClamp(c *check) ([]stablehlo.Type, error) {
	operand := c.operand(1)
	for _, i := range []int{0, 2} {
		name, label := c.op.Info.Operands[i].Name, map[int]string{0: "c1", 2: "c2"}[i]
		if t := c.operand(i); t.Rank() != 0 && !compatibleDims(t.Dims, operand.Dims) {
			return nil, c.errorf(name, label, "expected a scalar or the shape of operand, %s, got %s",
				sizes(operand.Dims), sizes(t.Dims))
		}
	}
	return one(operand)
}

// inferSelect: select_c1, select_c2.
func inferSelect(c *check) ([]stablehlo.Type, error) {
	pred, yes, no := c.operand(0), c.operand(1), c.operand(2)
	if !compatibleShape(yes, no) || !sameElem(false, yes, no) {
		return nil, c.errorf("on_false", "c2", "expected the type of on_true, %v, got %v", yes, no)
	}
	if pred.Rank() != 0 && !compatibleDims(pred.Dims, yes.Dims) {
		return nil, c.errorf("pred", "c1", "expected a scalar or the shape of on_true, %s, got %s",
			sizes(yes.Dims), sizes(pred.Dims))
	}
	t, ok := merge([]stablehlo.Type{yes, no}, narrow)
	if !ok {
		return nil, c.errorf("on_false", "c2", "expected the type of on_true, %v, got %v", yes, no)
	}
	return one(t)
}
