package ffi_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// call returns a call with a result of shape s.
func call(s shape.Shape) *ffi.Call {
	c := &ffi.Call{Target: "t", Shape: s, Results: []literal.Literal{literal.New(s)}}
	if s.IsTuple() {
		c.Results = literal.New(s).Elems()
	}
	return c
}

func TestInvoke(t *testing.T) {
	pair := shape.MakeTuple(shape.Make(shape.F32, 2), shape.Make(shape.S32))
	broken := errors.New("broken")
	tests := []struct {
		name string
		f    ffi.Func
		want string // of the error
	}{
		{"sets", func(_ context.Context, c *ffi.Call) error { c.Results[1].SetInt(0, 7); return nil }, ""},
		{"replaces", func(_ context.Context, c *ffi.Call) error {
			c.Results[0] = literal.Of([]float32{1, 2})
			return nil
		}, ""},
		{"fails", func(context.Context, *ffi.Call) error { return broken }, `target "t": broken`},
		{"panics", func(context.Context, *ffi.Call) error { panic("oh") }, "the handler panicked: oh"},
		{"wrong shape", func(_ context.Context, c *ffi.Call) error {
			c.Results[0] = literal.Of([]float32{1})
			return nil
		}, "result 0: expects f32[2]{0}, got f32[1]{0}"},
		{"none", func(_ context.Context, c *ffi.Call) error { c.Results = nil; return nil }, "expects 2 results, got 0"},
		{"invalid", func(_ context.Context, c *ffi.Call) error {
			c.Results[1] = literal.Literal{}
			return nil
		}, "result 1: expects s32[], got nothing"},
	}
	for _, test := range tests {
		err := ffi.Invoke(t.Context(), test.f, call(pair))
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.want)
		}
		if e, ok := errors.AsType[*ffi.HandlerError](err); err != nil && (!ok || e.Target != "t") {
			t.Errorf("%s: got an error of type %T", test.name, err)
		}
	}
	if err := ffi.Invoke(t.Context(), tests[2].f, call(pair)); !errors.Is(err, broken) {
		t.Errorf("got %v, want %v inside", err, broken)
	}
}

func TestRegistries(t *testing.T) {
	mark := func(n int) ffi.Func {
		return func(context.Context, *ffi.Call) error { return errors.New(string(rune('0' + n))) }
	}
	r := ffi.Chain{ffi.Handlers{"a": mark(1), "nil": nil}, ffi.Handlers{"a": mark(2), "b": mark(3)}}
	for target, want := range map[string]string{"a": "1", "b": "3"} {
		h, ok := r.Lookup(target)
		if !ok || h.Call(t.Context(), nil).Error() != want {
			t.Errorf("%s: want handler %s", target, want)
		}
	}
	for _, target := range []string{"nil", "c"} {
		if _, ok := r.Lookup(target); ok {
			t.Errorf("%s: expects no handler", target)
		}
	}
}

func TestVersions(t *testing.T) {
	for v := ffi.Original; v <= ffi.TypedFFI; v++ {
		if got, err := ffi.ParseVersion(v.String()); err != nil || got != v {
			t.Errorf("ParseVersion(%v) = %v, %v", v, got, err)
		}
	}
	if v, err := ffi.ParseVersion(""); err != nil || v != ffi.Original {
		t.Errorf("ParseVersion of nothing = %v, %v", v, err)
	}
	if _, err := ffi.ParseVersion("API_VERSION_9"); err == nil {
		t.Error("API_VERSION_9: expects an error")
	}
}
