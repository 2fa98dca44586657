package hlo

import (
	"errors"
	"slices"

	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// hostMemorySpace and fastMemorySpace are the numbers of memory spaces in layouts.
const (
	fastMemorySpace = 1
	hostMemorySpace = 5
)

func (v *verifier) dynamism(i *Instruction) error {
	if v.o.NoUnboundedDynamism && i.shape.HasUnbounded() {
		return i.errorf("", "", "expects dimensions that are bounded, got shape %v", i.shape)
	}
	return nil
}

// resultShape checks i against the shape rule of its operation.
func (v *verifier) resultShape(i *Instruction) error {
	if err := i.shape.Check(); err != nil {
		return i.errorf("", "", "%w", err)
	}
	inferred, err := op.Infer(i.code, v.inputs(i))
	if err != nil {
		return i.at(err)
	}
	if !v.fits(i, inferred) {
		return i.errorf("", "", "expects shape %v, got %v", inferred, i.shape)
	}
	return nil
}

// at returns err, which a shape rule gave, as an error at i.
func (i *Instruction) at(err error) error {
	rule, ok := errors.AsType[*Error](err)
	if !ok {
		return i.errorf("", "", "%w", err)
	}
	e := *rule
	e.Instr, e.Op, e.Pos = i.name, i.code, i.Pos
	if e.Pos.File == "" && i.comp != nil {
		e.Pos.File = i.comp.module.File
	}
	return &e
}

// inputs is Instruction.Inputs with signatures that are made once for the module.
func (v *verifier) inputs(i *Instruction) *op.Inputs {
	in := &op.Inputs{Attrs: i.attrs, Declared: i.shape}
	in.Replicas, in.Partitions = max(v.m.Replicas, 1), max(v.m.Partitions, 1)
	if len(i.operands) > 0 {
		in.Operands = make([]shape.Shape, len(i.operands))
	}
	for k, o := range i.operands {
		in.Operands[k] = o.shape
	}
	for _, c := range i.called {
		in.Called = append(in.Called, *v.signature(c))
	}
	return in
}

// exactShape holds the operations that hand data on as they are: the result has
// the inferred element type, and with LayoutSensitive its layout.
var exactShape = opSet(op.Bitcast, op.Call, op.Conditional, op.Constant, op.CopyDone, op.CopyStart, op.CustomCall,
	op.GetTupleElement, op.Infeed, op.Outfeed, op.OptBarrier, op.Parameter, op.Recv, op.RecvDone, op.Send, op.SendDone,
	op.Tuple, op.While, op.DynamicUpdateSlice, op.Fusion, op.AsyncStart, op.AsyncUpdate, op.AsyncDone)

// minorToMajorOnly holds those of exactShape that may change memory spaces and tiles.
var minorToMajorOnly = opSet(op.Constant, op.CopyStart, op.Infeed, op.Recv, op.Send, op.DynamicUpdateSlice)

func opSet(codes ...op.Code) (set [op.NumCodes]bool) {
	for _, c := range codes {
		set[c] = true
	}
	return set
}

// fits reports whether i's shape may stand for what its operation's rule gives.
func (v *verifier) fits(i *Instruction, inferred shape.Shape) bool {
	switch {
	case exactShape[i.code]:
		return v.sameShape(i.shape, inferred, minorToMajorOnly[i.code])
	case i.code == op.Copy && v.o.LayoutSensitive && !v.hostCopyFits(i.shape, inferred):
		return false
	case v.o.NoMixedPrecision:
		return i.shape.EqualIgnoringLayout(inferred)
	}
	return i.shape.CompatibleIgnoringFloatPrecision(inferred)
}

// sameShape compares shapes that nothing converts between.
func (v *verifier) sameShape(a, b shape.Shape, orderOnly bool) bool {
	if !v.o.LayoutSensitive {
		return a.EqualIgnoringLayout(b)
	}
	if orderOnly {
		a, b = orderOnlyLayout(a), orderOnlyLayout(b)
	}
	return a.Equal(b)
}

// orderOnlyLayout returns s with nothing but the minor-to-major order in its layouts.
func orderOnlyLayout(s shape.Shape) shape.Shape {
	if s.Layout != nil {
		s.Layout = shape.MakeLayout(s.Layout.MinorToMajor...).Normalize()
	}
	if len(s.Elems) > 0 {
		s.Elems = slices.Clone(s.Elems)
		for k := range s.Elems {
			s.Elems[k] = orderOnlyLayout(s.Elems[k])
		}
	}
	return s
}

// hostCopyFits checks a copy to or from host memory, which cannot convert, and on
// the way to the device cannot transpose.
func (v *verifier) hostCopyFits(result, operand shape.Shape) bool {
	to, from := memorySpace(result), memorySpace(operand)
	switch {
	case to == from || to != hostMemorySpace && from != hostMemorySpace:
		return true
	case to == hostMemorySpace:
		return result.Type == operand.Type
	}
	return withMemorySpace(result, 0).Equal(withMemorySpace(operand, 0))
}

func memorySpace(s shape.Shape) int {
	if s.Layout == nil {
		return 0
	}
	return s.Layout.MemorySpace
}

func withMemorySpace(s shape.Shape, space int) shape.Shape {
	if s.Layout != nil {
		l := s.Layout.Clone()
		l.MemorySpace = space
		s.Layout = l.Normalize()
	}
	return s
}

// mixesPrecision holds the operations whose operands may differ in precision.
var mixesPrecision = opSet(op.Call, op.Conditional, op.Constant, op.Convolution, op.Dot, op.AllReduce,
	op.AllReduceStart, op.AllReduceDone, op.AllGather, op.AllGatherStart, op.AllGatherDone, op.AsyncDone,
	op.AsyncUpdate, op.AsyncStart,
	op.CopyDone, op.CopyStart, op.CustomCall, op.Domain, op.Fusion, op.GetTupleElement, op.OptBarrier, op.Infeed,
	op.Outfeed, op.Parameter, op.Recv, op.RecvDone, op.ReducePrecision, op.ReduceWindow, op.Send, op.SendDone, op.Sort,
	op.Tuple, op.While, op.ScaledDot, op.RaggedDot)

// reducers holds the operations whose computation takes parameters of the operands' element types.
var reducers = opSet(op.Reduce, op.Map, op.ReduceWindow)

func (v *verifier) mixedPrecision(i *Instruction) error {
	if !v.o.NoMixedPrecision {
		return nil
	}
	if reducers[i.code] {
		for k, p := range v.signature(i.called[0]).Params {
			if k < len(i.operands) && p.Type != i.operands[k].shape.Type {
				return i.errorf("", "", "expects parameter %d of %s to have element type %v, got %v",
					k, i.called[0].name, i.operands[k].shape.Type, p.Type)
			}
		}
	}
	if t := i.shape.Type; i.code == op.Rng && t != i.operands[0].shape.Type {
		return i.errorf("", "", "expects a result of the operands' type %v, got %v", i.operands[0].shape.Type, t)
	}
	if mixesPrecision[i.code] {
		return nil
	}
	seen := shape.Invalid
	for _, o := range i.operands {
		for s := range leaves(o.shape) {
			if !s.Type.IsFloat() {
				continue
			}
			if seen != shape.Invalid && seen != s.Type {
				return i.errorf("", "", "expects operands of one precision, got %v and %v", seen, s.Type)
			}
			seen = s.Type
		}
	}
	return nil
}

func (v *verifier) hostMemory(i *Instruction) error {
	if v.o.NoHostMemory && i.shape.IsArray() && memorySpace(i.shape) == hostMemorySpace {
		return i.errorf("", "", "expects a memory space of the device, got %v", i.shape)
	}
	return nil
}

// bitcastSize checks that a bitcast keeps the number of bytes.
func (v *verifier) bitcastSize(i *Instruction) error {
	if !v.o.LayoutSensitive || !i.shape.IsArray() || !i.operands[0].shape.IsArray() {
		return nil
	}
	got, err1 := i.shape.ByteSize()
	want, err2 := i.operands[0].shape.ByteSize()
	if err1 == nil && err2 == nil && got != want {
		return i.errorf("", "", "expects a result of %d bytes, the operand's, got %d", want, got)
	}
	return nil
}
