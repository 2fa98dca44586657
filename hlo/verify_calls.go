package hlo

import (
	"strconv"

	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// sameThread holds the operations whose computations run on the thread of the caller.
var sameThread = opSet(op.AllReduce, op.AllReduceStart, op.Call, op.Conditional, op.CustomCall, op.Fusion, op.Map,
	op.Reduce, op.ReduceScatter, op.ReduceWindow, op.Scan, op.Scatter, op.Sort, op.While)

// calledThreads checks the execution threads of what i calls.
func (v *verifier) calledThreads(i *Instruction) error {
	want := i.comp.ExecutionThread
	switch {
	case i.code == op.AsyncStart:
		want = i.attrs.(*op.AsyncAttrs).ExecutionThread
	case !sameThread[i.code]:
		return nil
	}
	for _, c := range i.called {
		if c.ExecutionThread != want {
			return i.errorf("", "", "expects %s to run on thread %q, got %q", c.name, threadName(want),
				threadName(c.ExecutionThread))
		}
	}
	return nil
}

func threadName(thread string) string {
	if thread == "" {
		return "main"
	}
	return thread
}

// fusion checks the computation of a fusion: not the entry, with a root that is nothing but the result.
func (v *verifier) fusion(i *Instruction) error {
	c := i.called[0]
	root := c.Root()
	if c == v.m.entry {
		return i.errorf("calls", "", "cannot call the entry computation %s", c.name)
	}
	if len(root.users) > 0 {
		return i.errorf("calls", "", "expects the root %%%s of %s to have no users", root.name, c.name)
	}
	return nil
}

// compositeCall checks the frontend attributes that tell what a composite call stands for.
func (v *verifier) compositeCall(i *Instruction) error {
	if !i.attrs.(*op.CallAttrs).IsComposite {
		return nil
	}
	values := map[string]string{"composite.attributes": "{}", "composite.version": "0"}
	for _, kv := range i.FrontendAttributes {
		values[kv.Key] = kv.Value
	}
	for _, key := range []string{"composite.name", "composite.attributes"} {
		if values[key] == "" {
			return i.errorf("frontend_attributes", "", "expects %s in a composite call, got none", key)
		}
	}
	if n, err := strconv.Atoi(values["composite.version"]); err != nil || n < 0 {
		return i.errorf("frontend_attributes", "", "expects a number as composite.version, got %q",
			values["composite.version"])
	}
	return nil
}

// aliasing checks output_to_operand_aliasing: the parts that share a buffer exist and have one shape.
func (v *verifier) aliasing(i *Instruction) error {
	pairs, operands := outputAliasing(i), operandShapes(i)
	if i.code == op.AsyncStart { // operands that are still to come alias too
		operands = v.signature(i.called[0]).Params
	}
	for _, a := range pairs {
		if i.code == op.AsyncStart && len(a.OutputIndex) == 0 {
			return i.errorf(aliasingAttr, "", "expects an output index, got {}")
		}
		if a.Operand < 0 || a.Operand >= len(operands) {
			return i.errorf(aliasingAttr, "", "operand %d is not in [0, %d)", a.Operand, len(operands))
		}
		operand, ok := subshape(operands[a.Operand], a.OperandIndex)
		if !ok {
			return i.errorf(aliasingAttr, "", "index %v is not in operand %d, %v",
				a.OperandIndex, a.Operand, operands[a.Operand])
		}
		output, ok := subshape(i.shape, a.OutputIndex)
		if !ok {
			return i.errorf(aliasingAttr, "", "index %v is not in the result %v", a.OutputIndex, i.shape)
		}
		if !v.sameShape(pinned(i, operand), pinned(i, output), i.code == op.Fusion) {
			return i.errorf(aliasingAttr, "", "expects parts of one shape, got %v and %v", operand, output)
		}
	}
	return nil
}

// aliasingAttr is the attribute that outputAliasing returns.
const aliasingAttr = "output_to_operand_aliasing"

func outputAliasing(i *Instruction) []op.OutputAliasing {
	switch a := i.attrs.(type) {
	case *op.CustomCallAttrs:
		return a.Aliasing
	case *op.FusionAttrs:
		return a.Aliasing
	case *op.AsyncAttrs:
		return a.Aliasing
	}
	return nil
}

// pinned returns the array in s if s is a buffer: making a buffer of an array, and
// back, keeps the memory.
func pinned(i *Instruction, s shape.Shape) shape.Shape {
	if s.Type == shape.Buffer && len(s.Elems) == 1 && (isTarget(i, pinTarget) || isTarget(i, unpinTarget)) {
		return s.Elems[0]
	}
	return s
}

func operandShapes(i *Instruction) []shape.Shape {
	shapes := make([]shape.Shape, len(i.operands))
	for k, o := range i.operands {
		shapes[k] = o.shape
	}
	return shapes
}
