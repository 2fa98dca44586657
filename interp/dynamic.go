package interp

import (
	"fmt"
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// This file finds the sizes of this run where an instruction has bounded or
// unbounded dimensions. A value has its real size and no padding, so most
// evaluators need only be told the result's shape. Three things are left:
//
//   - Operands that must be equally long may be declared dynamic here and static
//     there; the static one is cut (align).
//   - Slices and gathers take windows as long as the bound; their operand is
//     filled up with zeros to its bound, and the result is cut (evalAtBound).
//   - Where sizes do not follow from operand shapes there is a rule of its own.

// sizeRule returns the operands as the evaluator needs them and the result's shape.
type sizeRule func(n *hlo.Instruction, args []literal.Literal) ([]literal.Literal, shape.Shape, error)

// sizeRules lists the operations whose sizes are not found by [inferSizes].
var sizeRules = [op.NumCodes]sizeRule{
	op.Bitcast:         reshapeSizes,
	op.BitcastConvert:  bitcastConvertSizes,
	op.Broadcast:       broadcastSizes,
	op.Concatenate:     concatenateSizes,
	op.Dot:             dotSizes,
	op.Iota:            boundSizes,
	op.Map:             elementwiseSizes,
	op.Reduce:          reduceSizes,
	op.ReduceWindow:    reduceSizes,
	op.Reshape:         reshapeSizes,
	op.Rng:             boundSizes,
	op.RngBitGenerator: boundSizes,
	op.Sort:            sortSizes,
}

// isDynamic reports whether the result or an operand of n has a dimension that is not static.
func isDynamic(n *hlo.Instruction) bool {
	for _, o := range n.Operands() {
		if !o.IsStatic() {
			return true
		}
	}
	return !n.IsStatic()
}

// dynamicCall evaluates n, for which isDynamic holds.
func (in *Interp) dynamicCall(n *hlo.Instruction, args []literal.Literal, eval evalFunc) (literal.Literal, error) {
	c := &call{in: in, n: n, args: args, shape: dropLayout(n.Shape())}
	switch code := n.Code(); {
	case ownSizes[code]:
		return eval(c)
	case boundEvals[code] != nil:
		return boundEvals[code](c, eval)
	}
	rule := sizeRules[n.Code()]
	if rule == nil && n.Code().Info().Has(op.Elementwise) {
		rule = elementwiseSizes
	}
	if rule == nil {
		rule = inferSizes
	}
	args, s, err := rule(n, args)
	if err != nil {
		return literal.Literal{}, err
	}
	c.args, c.shape = args, dropLayout(s)
	return c.reserved(eval)
}

// ownSizes marks the operations whose evaluators do not look at call.shape, since
// the result is an operand, is computed elsewhere, or has sizes that are operands.
var ownSizes = [op.NumCodes]bool{
	op.AddDependency: true, op.AfterAll: true, op.AllGather: true, op.AllGatherDone: true, op.AllGatherStart: true,
	op.AllReduce: true, op.AllReduceDone: true, op.AllReduceStart: true, op.AllToAll: true, op.AsyncDone: true,
	op.AsyncStart: true, op.AsyncUpdate: true, op.Call: true, op.CollectiveBroadcast: true,
	op.CollectivePermute: true, op.CollectivePermuteDone: true, op.CollectivePermuteStart: true,
	op.Conditional: true, op.Constant: true, op.Copy: true, op.CopyDone: true, op.CopyStart: true,
	op.CustomCall: true, op.Domain: true, op.DynamicReshape: true, op.Fusion: true, op.GetDimensionSize: true,
	op.GetTupleElement: true, op.Infeed: true, op.OptBarrier: true, op.Outfeed: true, op.RaggedAllToAll: true,
	op.Recv: true, op.RecvDone: true, op.ReduceScatter: true, op.Send: true, op.SendDone: true,
	op.SetDimensionSize: true, op.Tuple: true, op.While: true,
}

// inferSizes applies the shape rule of the operation to the sizes that the operands have.
func inferSizes(n *hlo.Instruction, args []literal.Literal) ([]literal.Literal, shape.Shape, error) {
	in := n.Inputs()
	in.Operands, in.Declared = make([]shape.Shape, len(args)), shape.Shape{}
	for k, a := range args {
		in.Operands[k] = a.Shape()
	}
	s, err := op.Infer(n.Code(), in)
	return args, withTypesOf(s, n.Shape()), err
}

// withTypesOf returns s with the element types of declared, which differ in mixed precision.
func withTypesOf(s, declared shape.Shape) shape.Shape {
	if len(s.Elems) == 0 || len(s.Elems) != len(declared.Elems) {
		s.Type = declared.Type
		return s
	}
	s.Elems = slices.Clone(s.Elems)
	for i := range s.Elems {
		s.Elems[i] = withTypesOf(s.Elems[i], declared.Elems[i])
	}
	return s
}

// boundSizes is for results that nothing but the declared shape describes: all of the bound.
func boundSizes(n *hlo.Instruction, args []literal.Literal) ([]literal.Literal, shape.Shape, error) {
	return args, n.Shape().Static(), checkBounded(n.Shape())
}

func checkBounded(s shape.Shape) error {
	if s.HasUnbounded() {
		return fmt.Errorf("expects a shape with bounds, got %v", s)
	}
	return nil
}

// elementwiseSizes: all arrays but scalars have the result's size.
func elementwiseSizes(n *hlo.Instruction, args []literal.Literal) ([]literal.Literal, shape.Shape, error) {
	args, err := align(n, args, len(args), -1)
	if err != nil {
		return nil, shape.Shape{}, err
	}
	dims := n.Dims()
	for _, a := range args {
		if len(a.Dims()) == len(dims) {
			dims = a.Dims()
		}
	}
	return args, shape.Make(n.Type(), dims...), nil
}

// sortSizes: the operands, and the results like them.
func sortSizes(n *hlo.Instruction, args []literal.Literal) ([]literal.Literal, shape.Shape, error) {
	args, err := align(n, args, len(args), -1)
	if err != nil {
		return nil, shape.Shape{}, err
	}
	return inferSizes(n, args)
}

// reduceSizes: the first half of the operands are equally long.
func reduceSizes(n *hlo.Instruction, args []literal.Literal) ([]literal.Literal, shape.Shape, error) {
	args, err := align(n, args, len(args)/2, -1)
	if err != nil {
		return nil, shape.Shape{}, err
	}
	return inferSizes(n, args)
}

func concatenateSizes(n *hlo.Instruction, args []literal.Literal) ([]literal.Literal, shape.Shape, error) {
	args, err := align(n, args, len(args), n.Attrs().(*op.ConcatenateAttrs).Dimensions[0])
	if err != nil {
		return nil, shape.Shape{}, err
	}
	return inferSizes(n, args)
}

// dotSizes cuts paired dimensions to the shorter one: what a dynamic operand does not have counts as zero.
func dotSizes(n *hlo.Instruction, args []literal.Literal) ([]literal.Literal, shape.Shape, error) {
	a := n.Attrs().(*op.DotAttrs)
	lhs, rhs := slices.Clone(args[0].Dims()), slices.Clone(args[1].Dims())
	cut := func(left, right []int) {
		for i, d := range left {
			size := min(lhs[d], rhs[right[i]])
			lhs[d], rhs[right[i]] = size, size
		}
	}
	cut(a.LHSContracting, a.RHSContracting)
	cut(a.LHSBatch, a.RHSBatch)
	return inferSizes(n, []literal.Literal{resized(args[0], lhs), resized(args[1], rhs)})
}

// align brings the first count operands of n to one size in each dimension but
// skip: that of those that are declared dynamic there. Such a one of size 1 is
// repeated; a static one is cut. Scalars stay.
func align(n *hlo.Instruction, args []literal.Literal, count, skip int) ([]literal.Literal, error) {
	args = slices.Clone(args)
	for d := range slices.MaxFunc(args[:count], byRank).Dims() {
		if d == skip {
			continue
		}
		size, dynamic := 1, false
		for k, a := range args[:count] {
			if declared := n.Operand(k).Shape(); d < declared.Rank() && declared.IsDynamicDim(d) {
				if dynamic = true; size == 1 {
					size = a.Dims()[d]
				}
			}
		}
		if !dynamic {
			continue
		}
		for k, a := range args[:count] {
			if d >= len(a.Dims()) || a.Dims()[d] == size {
				continue
			}
			fitted, err := fit(a, d, size, n.Operand(k).Shape().IsDynamicDim(d))
			if err != nil {
				return nil, fmt.Errorf("operand %d: %w", k, err)
			}
			args[k] = fitted
		}
	}
	return args, nil
}

func byRank(a, b literal.Literal) int { return len(a.Dims()) - len(b.Dims()) }

// fit returns a with the given size in dimension d.
func fit(a literal.Literal, d, size int, dynamic bool) (literal.Literal, error) {
	dims := slices.Clone(a.Dims())
	have := dims[d]
	dims[d] = size
	switch {
	case dynamic && have == 1:
		dst, from := literal.New(shape.Make(a.Type(), dims...)), all(a)
		from.strides[d] = 0
		move(all(dst), from, dims)
		return dst, nil
	case dynamic || have < size:
		return a, fmt.Errorf("expects size %d in dimension %d as of the other operands, got %d", size, d, have)
	}
	return resized(a, dims), nil
}

// resized returns an array of size dims with the elements that a has there, and zeros elsewhere.
func resized(a literal.Literal, dims []int) literal.Literal {
	if slices.Equal(a.Dims(), dims) {
		return a
	}
	common := make([]int, len(dims))
	for d, n := range a.Dims() {
		common[d] = min(n, dims[d])
	}
	dst := literal.New(shape.Make(a.Type(), dims...))
	move(all(dst), all(a), common)
	return dst
}
