package builder

import (
	"sort"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Op is a value of the program: the result of one instruction. It is small and is passed
// by value. The zero Op, and what functions return after an error, is invalid.
type Op struct {
	b     *Builder
	instr *hlo.Instruction
}

// IsValid reports whether x is the result of an instruction.
func (x Op) IsValid() bool { return x.instr != nil }

// Builder returns the builder of the computation that x belongs to: in a Go function
// that is called for a computation, the one to make constants with.
func (x Op) Builder() *Builder { return x.b }

// Instruction returns the instruction whose result x is; nil if x is invalid.
func (x Op) Instruction() *hlo.Instruction { return x.instr }

// Shape returns the shape of x, or the zero Shape if x is invalid.
func (x Op) Shape() shape.Shape {
	if x.instr == nil {
		return shape.Shape{}
	}
	return x.instr.Shape()
}

// Type returns the element type of x; Tuple or Token for those.
func (x Op) Type() shape.ElementType { return x.Shape().Type }

// Rank returns the number of dimensions of x.
func (x Op) Rank() int { return x.Shape().Rank() }

// Dim returns the size of dimension i of x, where -1 is the last. It is 0 if x is
// invalid, and if there is no such dimension, which is an error.
func (x Op) Dim(i int) int {
	if x.instr == nil {
		return 0
	}
	n, err := x.Shape().Dimension(i)
	if err != nil {
		x.b.fail(err)
		return 0
	}
	return n
}

// Named gives the instruction of x a name, or a variant of it where it is taken.
func (x Op) Named(name string) Op {
	if x.instr != nil {
		x.instr.SetName(name)
	}
	return x
}

// Sharded says how the value of x is spread over devices.
func (x Op) Sharded(s op.Sharding) Op {
	if x.instr != nil {
		x.instr.Sharding = &s
	}
	return x
}

// WithFrontendAttribute sets a frontend attribute of the instruction of x.
func (x Op) WithFrontendAttribute(key, value string) Op {
	if x.instr == nil {
		return x
	}
	attrs := []hlo.KeyValue{{Key: key, Value: value}}
	for _, kv := range x.instr.FrontendAttributes {
		if kv.Key != key {
			attrs = append(attrs, kv)
		}
	}
	sort.SliceStable(attrs, func(a, b int) bool { return attrs[a].Key < attrs[b].Key })
	x.instr.FrontendAttributes = attrs
	return x
}

// WithMetadata sets op_type and op_name in the metadata of x, which tell what part of a
// larger program the instruction comes from.
func (x Op) WithMetadata(opType, opName string) Op {
	if x.instr == nil {
		return x
	}
	m := hlo.Metadata{}
	if old := x.instr.Metadata; old != nil {
		m = *old
	}
	m.OpType, m.OpName = opType, opName
	x.instr.Metadata = &m
	return x
}

// WithBackendConfig sets the backend config, a JSON object or opaque text, of x.
func (x Op) WithBackendConfig(config string) Op {
	if x.instr != nil {
		x.instr.BackendConfig = config
	}
	return x
}

// After makes the instruction of x run after those of others: a control dependence. For an
// element of a tuple it is the instruction that made the tuple. It fails if they are not of
// one computation; Build fails if one of others needs x.
func (x Op) After(others ...Op) Op {
	if _, ok := enter(x.code(), append([]Op{x}, others...)...); !ok {
		return x
	}
	for _, o := range others {
		maker(x.instr).AddControlPredecessor(maker(o.instr))
	}
	return x
}

// maker returns the instruction that made the tuple of which i is an element; i itself if it
// is none, or one of a parameter.
func maker(i *hlo.Instruction) *hlo.Instruction {
	from := i
	for from.Code() == op.GetTupleElement {
		from = from.Operand(0)
	}
	if from.Code() == op.Parameter {
		return i
	}
	return from
}

func (x Op) code() op.Code {
	if x.instr == nil {
		return op.Invalid
	}
	return x.instr.Code()
}

// shapesOf returns the shapes of values.
func shapesOf(ops []Op) []shape.Shape {
	shapes := make([]shape.Shape, len(ops))
	for i, x := range ops {
		shapes[i] = x.Shape()
	}
	return shapes
}
