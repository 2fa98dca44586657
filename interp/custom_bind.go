package interp

import (
	"context"

	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Direct does a custom call on the memory of its operands and results, tuples flattened, in row-major order.
type Direct func(ctx context.Context, in, out [][]byte) error

// Bind returns what does custom call n without an evaluator, or nil where that cannot be: its handler is not an
// [ffi.Binder], or has to tell what is wrong with the call; or not all is arrays of known sizes.
func Bind(n *hlo.Instruction, handlers ffi.Registry) Direct {
	a, ok := n.Attrs().(*op.CustomCallAttrs)
	if !ok || handlers == nil || len(n.Called()) > 0 {
		return nil
	}
	s := &ffi.Signature{Target: a.Target}
	for _, o := range n.Operands() {
		s.Operands = resultLeaves(s.Operands, dropLayout(o.Shape()))
	}
	s.Results = resultLeaves(nil, dropLayout(n.Shape()))
	if !areArrays(s.Operands) || !areArrays(s.Results) {
		return nil
	}
	h, _ := handlers.Lookup(a.Target)
	rows, _ := h.(ffi.RowMajor)
	b, ok := rows.Handler.(ffi.Binder)
	if !ok {
		return nil
	}
	form, err := new(CustomCalls).formOf(n, a, true)
	if err != nil {
		return nil
	}
	s.Attributes = form.attributes
	call, err := b.Bind(s)
	if err != nil {
		return nil
	}
	return func(ctx context.Context, in, out [][]byte) error {
		if err := call.Run(ctx, s.Target, in, out); err != nil {
			return at(n, err)
		}
		return nil
	}
}

func areArrays(list []shape.Shape) bool {
	for _, s := range list {
		if !s.IsArray() || !s.IsStatic() {
			return false
		}
	}
	return true
}
