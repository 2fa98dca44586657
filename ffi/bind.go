package ffi

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/goxla/xla/shape"
)

// Binder is a handler that works on the memory of arrays: it finds out once what does not change from one call of an
// instruction to the next. It takes arrays in row-major order only, so it stands in a [RowMajor].
type Binder interface {
	Handler
	// Bind returns what does the calls of s. Where there is an error, Call gives that.
	Bind(s *Signature) (Bound, error)
}

// Signature is what is known of calls before they have elements.
type Signature struct {
	Target string
	// Operands and Results are the shapes of arrays, of known sizes and in the default layout.
	Operands, Results []shape.Shape
	Attributes        Dict
}

// Bound does calls: out, of which it sets all elements, are the arrays of the results, in are those of the operands,
// which it does not change. They have no memory in common. It is called from several goroutines at once where a program
// runs on several devices.
type Bound func(ctx context.Context, in, out [][]byte) error

// Run calls b for a target. A panic becomes an error. Errors are of type *HandlerError.
func (b Bound) Run(ctx context.Context, target string, in, out [][]byte) (err error) {
	defer func() { err = handlerError(target, recover(), err) }()
	return b(ctx, in, out)
}

// handlerError is the error of a handler that panicked with r, if that is not nil, or returned err.
func handlerError(target string, r any, err error) error {
	if r != nil {
		err = fmt.Errorf("the handler panicked: %v\n%s", r, debug.Stack())
	}
	if err != nil {
		err = &HandlerError{Target: target, Err: err}
	}
	return err
}
