package hlo

import (
	"slices"

	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Instruction is one operation of a computation.
type Instruction struct {
	// Sharding, FrontendAttributes, Metadata, BackendConfig, Statistics and Origin are what any
	// instruction may carry; passes keep them. What the pointers point to is never changed in place.
	Sharding           *op.Sharding
	FrontendAttributes []KeyValue // sorted by key
	Metadata           *Metadata
	BackendConfig      string // JSON object or opaque text
	Statistics         *Statistics
	Origin             *Origin
	// Pos is where the text has the instruction.
	Pos Pos

	label
	code     op.Code
	id       int
	edited   int // the number of the last edit: see Edited
	shape    shape.Shape
	operands []*Instruction
	users    []*Instruction // each once, in the order of first use
	attrs    op.Attrs
	called   []*Computation
	comp     *Computation

	seldom *seldom // nil for most
	// fewOperands and fewUsers hold those of most instructions.
	fewOperands, fewUsers [2]*Instruction
}

// seldom is what few instructions have.
type seldom struct {
	ctrlPreds, ctrlSuccs []*Instruction
	unknown              string
}

// rare returns what few instructions have, for a change of it.
func (i *Instruction) rare() *seldom {
	if i.seldom == nil {
		i.seldom = &seldom{}
	}
	return i.seldom
}

// Unknown returns the fields of the binary form that have no place in an instruction; see Module.Unknown. A clone has
// them, which is an instruction of the same operation.
func (i *Instruction) Unknown() string {
	if i.seldom == nil {
		return ""
	}
	return i.seldom.unknown
}

// SetUnknown changes what Unknown returns.
func (i *Instruction) SetUnknown(fields string) {
	if fields != i.Unknown() {
		i.rare().unknown = fields
	}
}

// Code returns the opcode.
func (i *Instruction) Code() op.Code { return i.code }

// ID returns the dense number of i in its computation, from 0 below NumIDs.
func (i *Instruction) ID() int { return i.id }

// Name returns the name without "%".
func (i *Instruction) Name() string { return i.name }

// SetName renames i; a name that is taken in the module gets a suffix.
func (i *Instruction) SetName(name string) {
	i.release()
	i.label = i.comp.module.names.take(name)
}

// Shape returns the shape of the result.
func (i *Instruction) Shape() shape.Shape { return i.shape }

// Dims returns the sizes of the dimensions of the result, not to be changed: this and those below are what
// [shape.Shape] says of the shape, which is not copied for that.
func (i *Instruction) Dims() []int { return i.shape.Dims }

// Type returns the element type of the result, or Tuple, Token and so on.
func (i *Instruction) Type() shape.ElementType { return i.shape.Type }

// Rank returns the number of dimensions of the result.
func (i *Instruction) Rank() int { return len(i.shape.Dims) }

// Size returns the number of elements of the result, an array.
//
//go:noinline
func (i *Instruction) Size() int { return i.shape.Size() }

// IsTuple reports whether the result is a tuple.
func (i *Instruction) IsTuple() bool { return i.shape.Type == shape.Tuple }

// IsArray reports whether the result is an array.
//
//go:noinline
func (i *Instruction) IsArray() bool { return i.shape.IsArray() }

// IsScalar reports whether the result is an array of rank 0.
//
//go:noinline
func (i *Instruction) IsScalar() bool { return i.shape.IsScalar() }

// IsStatic reports whether no dimension of the result is dynamic.
//
//go:noinline
func (i *Instruction) IsStatic() bool { return i.shape.IsStatic() }

// SetShape changes the shape of the result.
func (i *Instruction) SetShape(s shape.Shape) {
	i.edit()
	i.shape = s
}

// Computation returns the computation that i is part of; nil after its removal.
func (i *Instruction) Computation() *Computation { return i.comp }

// Operands returns the operands; the slice is not to be changed.
func (i *Instruction) Operands() []*Instruction { return i.operands }

// Operand returns operand k.
func (i *Instruction) Operand(k int) *Instruction { return i.operands[k] }

// Users returns the instructions that have i as an operand, each once, in the
// order of first use; the slice is not to be changed.
func (i *Instruction) Users() []*Instruction { return i.users }

// Attrs returns the attributes, nil for an operation without any.
func (i *Instruction) Attrs() op.Attrs { return i.attrs }

// SetAttrs replaces the attributes.
func (i *Instruction) SetAttrs(a op.Attrs) {
	i.edit()
	i.attrs = a
}

// Called returns the called computations in the order of the table's row (Info.Calls).
func (i *Instruction) Called() []*Computation { return i.called }

// SetCalled replaces called computation k.
func (i *Instruction) SetCalled(k int, c *Computation) {
	i.edit()
	i.countFusions(-1)
	i.called[k] = c
	i.countFusions(1)
}

// countFusions adds n to the count of fusions of what i calls, if i is one.
func (i *Instruction) countFusions(n int) {
	if i.code != op.Fusion {
		return
	}
	for _, c := range i.called {
		c.fusions += n
	}
}

// IsRoot reports whether i is the root of its computation.
//
//go:noinline
func (i *Instruction) IsRoot() bool { return i.comp != nil && i.comp.Root() == i }

// SetOperand replaces operand k.
func (i *Instruction) SetOperand(k int, o *Instruction) {
	i.comp.changed()
	i.edit()
	old := i.operands[k]
	if !slices.Contains(i.operands, o) {
		o.users = append(o.users, i)
		o.edit()
	}
	i.operands[k] = o
	if !slices.Contains(i.operands, old) {
		old.dropUser(i)
	}
}

// AppendOperand adds o behind the operands.
func (i *Instruction) AppendOperand(o *Instruction) {
	i.comp.changed()
	i.edit()
	if !slices.Contains(i.operands, o) {
		o.users = append(o.users, i)
		o.edit()
	}
	i.operands = append(i.operands, o)
}

// ReplaceAllUsesWith makes every user of i, and the root if i is it, use o. Where o
// itself uses i it goes on doing so, so that o may be wrapped around i.
func (i *Instruction) ReplaceAllUsesWith(o *Instruction) {
	if i == o {
		return
	}
	i.comp.changed()
	i.edit()
	o.edit()
	var rest []*Instruction
	for _, u := range i.users {
		if u == o {
			rest = append(rest, u)
			continue
		}
		u.edit()
		uses := slices.Contains(u.operands, o)
		for k, x := range u.operands {
			if x == i {
				u.operands[k] = o
			}
		}
		if !uses {
			o.users = append(o.users, u)
		}
	}
	i.users = rest
	if i.comp.Root() == i {
		i.comp.root = o
	}
}

// CopyAnnotations gives i the sharding, frontend attributes, metadata, backend
// config, statistics and origin of from.
func (i *Instruction) CopyAnnotations(from *Instruction) {
	i.Sharding, i.FrontendAttributes = from.Sharding, slices.Clone(from.FrontendAttributes)
	i.Metadata, i.BackendConfig = from.Metadata, from.BackendConfig
	i.Statistics, i.Origin, i.Pos = from.Statistics, from.Origin, from.Pos
}

// ControlPredecessors returns the instructions that must run before i.
func (i *Instruction) ControlPredecessors() []*Instruction {
	if i.seldom == nil {
		return nil
	}
	return i.seldom.ctrlPreds
}

// ControlSuccessors returns the instructions that must run after i.
func (i *Instruction) ControlSuccessors() []*Instruction {
	if i.seldom == nil {
		return nil
	}
	return i.seldom.ctrlSuccs
}

// AddControlPredecessor makes i run after p, once however often it is called.
func (i *Instruction) AddControlPredecessor(p *Instruction) {
	if slices.Contains(i.ControlPredecessors(), p) {
		return
	}
	i.comp.changed()
	i.edit()
	p.edit()
	before, after := i.rare(), p.rare()
	before.ctrlPreds = append(before.ctrlPreds, p)
	after.ctrlSuccs = append(after.ctrlSuccs, i)
}

// RemoveControlPredecessor undoes AddControlPredecessor.
func (i *Instruction) RemoveControlPredecessor(p *Instruction) {
	i.comp.changed()
	i.edit()
	p.edit()
	before, after := i.rare(), p.rare()
	before.ctrlPreds = slices.DeleteFunc(before.ctrlPreds, func(x *Instruction) bool { return x == p })
	after.ctrlSuccs = slices.DeleteFunc(after.ctrlSuccs, func(x *Instruction) bool { return x == i })
}

// Inputs returns what the shape rule of i sees.
func (i *Instruction) Inputs() *op.Inputs {
	in := &op.Inputs{Attrs: i.attrs, Declared: i.shape}
	if i.comp != nil {
		in.Replicas, in.Partitions = max(i.comp.module.Replicas, 1), max(i.comp.module.Partitions, 1)
	}
	for _, o := range i.operands {
		in.Operands = append(in.Operands, o.shape)
	}
	for _, c := range i.called {
		in.Called = append(in.Called, c.Signature())
	}
	return in
}

// Errorf returns an error at i; attr and label may be empty.
//
//go:noinline
func (i *Instruction) Errorf(attr, label, format string, args ...any) error {
	return i.errorf(attr, label, format, args...)
}

func (i *Instruction) dropUser(u *Instruction) {
	if k := slices.Index(i.users, u); k >= 0 {
		i.users = slices.Delete(i.users, k, k+1)
		i.edit()
	}
}
