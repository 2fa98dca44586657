package builder

import (
	"slices"

	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// AsyncStart starts f, which holds one operation and its parameters, on operands, on the
// given thread ("" is the main one), and goes on at once. The result is the state
// ((operands...), result), for AsyncUpdate or AsyncDone. Operands at the end may be left to
// AsyncUpdate. It fails if the operands are not f's parameters. Spec: HLO async-start.
func AsyncStart(thread string, f Computation, operands ...Op) Op {
	return builderOf(operands).AsyncStart(thread, f, operands...)
}

// AsyncStart is the function AsyncStart for any number of operands.
func (b *Builder) AsyncStart(thread string, f Computation, operands ...Op) Op {
	x := b.callComputation(op.AsyncStart, f, operands, &op.AsyncAttrs{ExecutionThread: thread})
	if x.IsValid() {
		f.comp.ExecutionThread = thread
	}
	return x
}

// AsyncUpdate returns the state x, of AsyncStart or AsyncUpdate, with further operands bound.
// Spec: HLO async-update.
func AsyncUpdate(x Op, operands ...Op) Op { return asyncLink(op.AsyncUpdate, x, operands) }

// AsyncDone waits for what x, of AsyncStart or AsyncUpdate, stands for, and returns its
// result. Spec: HLO async-done.
func AsyncDone(x Op) Op { return asyncLink(op.AsyncDone, x, nil) }

func asyncLink(code op.Code, x Op, operands []Op) Op {
	b, ok := enter(code, append([]Op{x}, operands...)...)
	if !ok {
		return b.invalid()
	}
	a, ok := x.instr.Attrs().(*op.AsyncAttrs)
	if !ok {
		b.errorf(code, "operand 0", "", "expected the result of AsyncStart or AsyncUpdate, got %%%s, a %v",
			x.instr.Name(), x.code())
		return b.invalid()
	}
	return b.add(code, append([]Op{x}, operands...), a, shape.Shape{})
}

// CopyStart starts a copy of x and returns its state (destination, source, context), for
// CopyDone. Spec: HLO copy-start.
func CopyStart(x Op) Op { return apply(op.CopyStart, &op.CopyStartAttrs{}, x) }

// CopyDone waits for the copy x, of CopyStart, and returns it. Spec: HLO copy-done.
func CopyDone(x Op) Op { return done(op.CopyDone, op.CopyStart, x) }

// done adds the operation that waits for its start x.
func done(code, start op.Code, x Op) Op {
	b, ok := enter(code, x)
	if !ok {
		return b.invalid()
	}
	if !slices.Contains([]op.Code{start, op.GetTupleElement, op.Parameter}, x.code()) {
		b.errorf(code, "operand 0", "", "expected the result of %v, got %%%s, a %v", start, x.instr.Name(), x.code())
		return b.invalid()
	}
	return apply(code, op.NewAttrs(code), x)
}
