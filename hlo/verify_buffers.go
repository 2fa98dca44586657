package hlo

import (
	"fmt"
	"slices"

	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// This file checks values of buffer type, b(f32[4]): memory that operations change
// in place. The custom calls Pin and CreateBuffer make buffers, Unpin gives back the
// array. A custom call writes a buffer by aliasing a result with it. Every buffer
// value has at most one writer, so that the order of writes is that of data.

// The custom calls that make buffers and end them.
const (
	pinTarget    = "Pin"
	createTarget = "CreateBuffer"
	unpinTarget  = "Unpin"
)

func isTarget(i *Instruction, target string) bool {
	a, ok := i.attrs.(*op.CustomCallAttrs)
	return ok && a.Target == target
}

// bufferAliasing checks that each buffer in the result of a custom call is one of
// the operands', and that Pin and Unpin keep the memory.
func (v *verifier) bufferAliasing(i *Instruction) error {
	pairs := outputAliasing(i)
	switch {
	case isTarget(i, pinTarget), isTarget(i, unpinTarget):
		if len(i.operands) == 1 && len(pairs) == 1 && len(pairs[0].OutputIndex)+len(pairs[0].OperandIndex) == 0 {
			return nil
		}
		return i.errorf(aliasingAttr, "", "expects one operand, aliased with the result, got %d aliases", len(pairs))
	case isTarget(i, createTarget):
		return nil
	}
	for _, index := range bufferIndices(i.shape) {
		if !slices.ContainsFunc(pairs, func(a op.OutputAliasing) bool { return slices.Equal(a.OutputIndex, index) }) {
			return i.errorf(aliasingAttr, "", "expects the buffer at %v of the result to alias an operand's", index)
		}
	}
	used := map[string]bool{}
	for _, a := range pairs {
		key := fmt.Sprint(a.Operand, a.OperandIndex)
		part, _ := subshape(i.operands[a.Operand].shape, a.OperandIndex)
		if part.Type == shape.Buffer && used[key] {
			return i.errorf(aliasingAttr, "", "expects the buffer at %v of operand %d once, got it again",
				a.OperandIndex, a.Operand)
		}
		used[key] = true
	}
	return nil
}

// bufferIndices returns the indices of the buffers in s.
func bufferIndices(s shape.Shape) [][]int {
	if s.Type == shape.Buffer {
		return [][]int{{}}
	}
	var indices [][]int
	for k, e := range s.Elems {
		for _, rest := range bufferIndices(e) {
			indices = append(indices, append([]int{k}, rest...))
		}
	}
	return indices
}

// bufferValue names a buffer: the instruction that made it and its place in the result.
type bufferValue struct {
	maker *Instruction
	index string
}

// buffers checks that each buffer value has at most one writer.
func (v *verifier) buffers() error {
	writers := map[bufferValue]*Instruction{}
	return v.each(func(i *Instruction) error {
		for _, w := range v.written(i) {
			value := origin(i.operands[w.operand], w.index)
			if first := writers[value]; first != nil {
				return i.errorf("", "", "writes a buffer of %%%s that %%%s writes already",
					value.maker.name, first.name)
			}
			writers[value] = i
		}
		if i.IsRoot() && i.comp != v.m.entry {
			return v.returned(i, writers)
		}
		return nil
	})
}

// returned counts the caller as writer of what the root i hands back.
func (v *verifier) returned(i *Instruction, writers map[bufferValue]*Instruction) error {
	for _, index := range bufferIndices(i.shape) {
		value := origin(i, index)
		if first := writers[value]; first != nil {
			return first.errorf("", "", "writes a buffer of %%%s that computation %s returns",
				value.maker.name, i.comp.name)
		}
		writers[value] = i
	}
	return nil
}

// bufferUse is a buffer in an operand.
type bufferUse struct {
	operand int
	index   []int
}

// written returns the buffers that i writes: those it aliases and, for loops and
// calls, all that it is given.
func (v *verifier) written(i *Instruction) []bufferUse {
	var uses []bufferUse
	switch i.code {
	case op.CustomCall:
		for _, a := range outputAliasing(i) {
			if part, _ := subshape(i.operands[a.Operand].shape, a.OperandIndex); part.Type == shape.Buffer {
				uses = append(uses, bufferUse{a.Operand, a.OperandIndex})
			}
		}
	case op.While, op.Call, op.Conditional, op.AsyncStart:
		for k, o := range i.operands {
			for _, index := range bufferIndices(o.shape) {
				uses = append(uses, bufferUse{k, index})
			}
		}
	}
	return uses
}

// origin follows the buffer at index of i through tuples to what made it.
func origin(i *Instruction, index []int) bufferValue {
	for {
		switch {
		case i.code == op.GetTupleElement:
			index = append([]int{i.attrs.(*op.GetTupleElementAttrs).Index}, index...)
			i = i.operands[0]
		case i.code == op.Tuple && len(index) > 0 && index[0] < len(i.operands):
			i, index = i.operands[index[0]], index[1:]
		default:
			return bufferValue{i, fmt.Sprint(index)}
		}
	}
}
