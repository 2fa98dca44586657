package lower

import (
	"fmt"

	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
)

// Limits of what is computed while a program is lowered.
const (
	// maxKnownElements is how many elements a value may have that is computed.
	maxKnownElements = 1 << 12
	// maxSmallElements is how many elements a computed constant may have that is made anew in
	// regions; constants of the program itself may be of any size.
	maxSmallElements = 1 << 8
)

// constant is a value that is the same wherever it is made.
type constant struct{ value literal.Literal }

// in makes the constant in the computation of b.
func (k constant) in(b *builder.Builder) builder.Op { return b.Constant(k.value) }

// constant returns the value of x if it is a constant, or a small one that can be computed.
func (l *lowerer) constant(x builder.Op) (constant, bool) {
	i := x.Instruction()
	if i == nil {
		return constant{}, false
	}
	if a, ok := i.Attrs().(*op.ConstantAttrs); ok {
		return constant{a.Value}, true
	}
	if n, err := i.Shape().Elements(); !i.IsArray() || err != nil || n > maxSmallElements {
		return constant{}, false
	}
	v := l.value(i)
	if v == nil {
		return constant{}, false
	}
	return constant{*v}, true
}

// value computes i if it depends on constants only, without recursion; nil if not.
// Every instruction is looked at once.
func (l *lowerer) value(i *hlo.Instruction) *literal.Literal {
	stack := []*hlo.Instruction{i}
	for len(stack) > 0 {
		top := stack[len(stack)-1]
		if _, seen := l.known[top]; seen {
			stack = stack[:len(stack)-1]
			continue
		}
		if !l.computable(top) {
			l.known[top] = nil
			continue
		}
		waiting := len(stack)
		for _, o := range top.Operands() {
			if v, seen := l.known[o]; !seen {
				stack = append(stack, o)
			} else if v == nil {
				l.known[top] = nil
			}
		}
		if _, unknown := l.known[top]; !unknown && len(stack) == waiting {
			l.known[top] = l.compute(top)
		}
	}
	return l.known[i]
}

// impure are operations whose result depends on more than their operands.
var impure = map[op.Code]bool{
	op.Parameter: true, op.CustomCall: true, op.Rng: true, op.RngGetAndUpdateState: true, op.Infeed: true,
	op.Outfeed: true, op.Send: true, op.SendDone: true, op.Recv: true, op.RecvDone: true, op.AllReduce: true,
	op.AllGather: true, op.AllToAll: true, op.ReduceScatter: true, op.CollectivePermute: true,
	op.CollectiveBroadcast: true, op.PartitionId: true, op.ReplicaId: true, op.AfterAll: true,
	op.Call: true, op.While: true, op.Conditional: true, op.AsyncStart: true,
}

// computable reports whether i may be computed now, given its operands.
func (l *lowerer) computable(i *hlo.Instruction) bool {
	if impure[i.Code()] {
		return false
	}
	n, err := i.Shape().Elements()
	return i.IsArray() && i.IsStatic() && err == nil && n <= maxKnownElements
}

// compute evaluates i, whose operands are known; nil if that fails.
func (l *lowerer) compute(i *hlo.Instruction) *literal.Literal {
	if a, ok := i.Attrs().(*op.ConstantAttrs); ok {
		return &a.Value
	}
	if l.opts.Eval == nil {
		return nil
	}
	operands := make([]literal.Literal, len(i.Operands()))
	for k, o := range i.Operands() {
		operands[k] = *l.known[o]
	}
	v, err := l.opts.Eval(i, operands)
	if err != nil {
		return nil
	}
	return &v
}

// cause says what i, which could not be computed, depends on.
func (l *lowerer) cause(i *hlo.Instruction) string {
	for l.computable(i) {
		var unknown *hlo.Instruction
		for _, o := range i.Operands() {
			if l.known[o] == nil {
				unknown = o
				break
			}
		}
		if unknown == nil {
			break
		}
		i = unknown
	}
	if p, ok := i.Attrs().(*op.ParameterAttrs); ok {
		return fmt.Sprintf(" that depends on the values of parameter %d (%s)", p.Number, i.Name())
	}
	return fmt.Sprintf(" that depends on %s", i.Name())
}

// sizesOr is sizes for an operand that says the shape of the result, which the type of
// that may tell too.
func (c *call) sizesOr(name string, x builder.Op) []int {
	if s := c.result(0); !c.failed() && s.IsArray() && s.IsStatic() && x.IsValid() && c.s.l.value(x.Instruction()) == nil {
		return s.Dims
	}
	return c.sizes(name, x)
}

// sizes returns the integers that x holds, which must be known now: operand name of
// the operation, which says a shape.
func (c *call) sizes(name string, x builder.Op) []int {
	if c.failed() || !x.IsValid() {
		return nil
	}
	return c.integersOf(name, x.Instruction())
}

// integersOf is sizes for an instruction.
func (c *call) integersOf(name string, i *hlo.Instruction) []int {
	v := c.s.l.value(i)
	if v == nil || !v.Type().IsInteger() {
		c.fail(name, "", "expected integers that follow from constants and the shapes of parameters, got %v%s",
			i.Shape(), c.s.l.cause(i))
		return nil
	}
	values := make([]int64, v.Len())
	for i := range values {
		values[i] = v.IntAt(i)
	}
	return c.toInts(name, values)
}
