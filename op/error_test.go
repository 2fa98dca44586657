package op

import (
	"errors"
	"fmt"
	"testing"
)

func TestErrorText(t *testing.T) {
	cause := errors.New("4 is not in [0, 2)")
	tests := []struct {
		err  *Error
		want string
	}{
		{&Error{Err: cause}, "4 is not in [0, 2)"},
		{&Error{Pos: Pos{"model.hlo", 12, 5}, Instr: "reverse.3", Op: Reverse, Attr: "dimensions[1]",
			Label: "reverse_c3", Err: cause},
			"model.hlo:12:5: %reverse.3: reverse: dimensions[1]: 4 is not in [0, 2) [reverse_c3]"},
		{&Error{Pos: Pos{Line: 2, Column: 1}, Err: cause}, "2:1: 4 is not in [0, 2)"},
		{&Error{Pos: Pos{File: "axpy.go", Line: 2}, Err: cause}, "axpy.go:2: 4 is not in [0, 2)"},
		{&Error{Pos: Pos{File: "a.hlo"}, Err: cause}, "a.hlo: 4 is not in [0, 2)"},
		{&Error{Op: Add}, "add"},
	}
	for _, test := range tests {
		if got := test.err.Error(); got != test.want {
			t.Errorf("got %s\nwant %s", got, test.want)
		}
		if test.err.Err != nil && !errors.Is(fmt.Errorf("wrapped: %w", test.err), cause) {
			t.Errorf("%v hides its cause", test.err)
		}
	}
}

func TestInferChecks(t *testing.T) {
	tests := []struct {
		code Code
		in   Inputs
		want string
	}{
		{Add, Inputs{}, "add: expects 2 operands, got 0"},
		{Rng, Inputs{}, "rng: expects attributes of type *op.RngAttrs, got none"},
		{Rng, Inputs{Attrs: &CallAttrs{}}, "rng: expects attributes of type *op.RngAttrs, got *op.CallAttrs"},
		{Tuple, Inputs{Attrs: &CallAttrs{}}, "tuple: expects no attributes, got *op.CallAttrs"},
		{Invalid, Inputs{}, "not an operation"},
		{NumCodes, Inputs{}, "invalid: not an operation"},
		{Rng, Inputs{Attrs: (*RngAttrs)(nil)}, "rng: expects attributes of type *op.RngAttrs, got none"},
	}
	for _, test := range tests {
		if _, err := Infer(test.code, &test.in); err == nil || err.Error() != test.want {
			t.Errorf("%v: got error %v, want %s", test.code, err, test.want)
		}
	}
}
