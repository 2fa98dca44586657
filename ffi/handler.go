package ffi

import (
	"context"
	"fmt"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// Handler runs the custom calls of one target. It is called from several goroutines
// at once where a program runs on several devices.
type Handler interface {
	// Call reads c.Operands and sets c.Results. Its error becomes that of the run.
	// It returns soon after ctx is done.
	Call(ctx context.Context, c *Call) error
}

// Func is a function as a Handler.
type Func func(ctx context.Context, c *Call) error

// Call calls f.
func (f Func) Call(ctx context.Context, c *Call) error { return f(ctx, c) }

// RowMajor marks a handler to which the order of elements in memory is nothing: it is given operands and results in the
// default layout, whatever layouts the program has, and sets all elements of the results, which are zero even where
// they share memory with operands.
type RowMajor struct{ Handler }

// Registry finds the handler of a target. It is safe for concurrent use.
type Registry interface {
	// Lookup returns the handler of target; ok is false if there is none.
	Lookup(target string) (h Handler, ok bool)
}

// Handlers is a Registry that is written down. It is not to be changed once a client has it.
type Handlers map[string]Handler

// Lookup implements Registry.
func (h Handlers) Lookup(target string) (Handler, bool) {
	f, ok := h[target]
	return f, ok && f != nil
}

// Chain is a Registry that asks others in turn.
type Chain []Registry

// Lookup implements Registry.
func (c Chain) Lookup(target string) (Handler, bool) {
	for _, r := range c {
		if h, ok := r.Lookup(target); ok {
			return h, true
		}
	}
	return nil, false
}

// Version is the convention by which a program wants its target called (api_version).
// In Go all are called alike; what differs is what comes as configuration.
type Version uint8

// The versions.
const (
	Original               Version = iota // out, ins
	StatusReturning                       // stream or out, ins, opaque text, status
	StatusReturningUnified                // the same for all platforms
	TypedFFI                              // call frame with typed attributes
)

var versionNames = [...]string{"API_VERSION_ORIGINAL", "API_VERSION_STATUS_RETURNING",
	"API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI"}

// String returns the name that HLO text has for v.
func (v Version) String() string { return versionNames[v] }

// ParseVersion returns the version that HLO text calls by name; "" and the
// unspecified version are Original.
func ParseVersion(name string) (Version, error) {
	if name == "" || name == "API_VERSION_UNSPECIFIED" {
		return Original, nil
	}
	for v, n := range versionNames {
		if n == name {
			return Version(v), nil
		}
	}
	return 0, fmt.Errorf("api_version: expects one of %v, got %q", versionNames, name)
}

// Call is one execution of a custom-call.
type Call struct {
	Target  string
	Version Version
	// Operands are arrays or tuples, in the layouts of operand_layout_constraints where
	// given, otherwise in the default layout. They are not to be changed, and hold
	// their values during the call only: what is to be kept is cloned.
	Operands []literal.Literal
	// Results are the arrays of the result, those of a tuple one by one, in the layouts
	// of the result's shape. Each is zero, or what the operand holds that it is
	// aliased to. The handler sets their elements, or puts others in their
	// place; of a bounded dynamic dimension those may have fewer.
	Results []literal.Literal
	// Shape is the shape of the result, of which Results are the arrays.
	Shape shape.Shape
	// Config is backend_config as text, Attributes the same taken apart where it is a
	// dictionary: `{axis = 1 : i32}` or `{"axis": 1}`. All calls of an instruction share it: it is not to be changed.
	Config     string
	Attributes Dict
	// Aliases tells which results share memory with operands.
	Aliases []Alias
	// Literal is the attribute of that name; invalid if there is none.
	Literal literal.Literal
	// Computations run the called computations.
	Computations []func(args ...literal.Literal) (literal.Literal, error)
	// Device is the number of the device in the run, replica * partitions + partition.
	Device int
}

// Alias says that the array Result shares the memory of an operand, or of a part of
// it if that is a tuple.
type Alias struct {
	Result  int // in Call.Results
	Operand int
	Index   []int
}

// HandlerError is the error of a handler with its target.
type HandlerError struct {
	Target string
	Err    error
}

// Error names the target.
func (e *HandlerError) Error() string {
	return fmt.Sprintf("target %q: %v", e.Target, e.Err)
}

// Unwrap returns the error of the handler.
func (e *HandlerError) Unwrap() error { return e.Err }

// Invoke calls h and checks the results that it leaves. A panic becomes an error. Errors
// are of type *HandlerError.
func Invoke(ctx context.Context, h Handler, c *Call) (err error) {
	defer func() { err = handlerError(c.Target, recover(), err) }()
	want := leafShapes(nil, c.Shape)
	if err := h.Call(ctx, c); err != nil {
		return err
	}
	if len(c.Results) != len(want) {
		return fmt.Errorf("expects %d results, got %d", len(want), len(c.Results))
	}
	for i, r := range c.Results {
		if !r.IsValid() {
			return fmt.Errorf("result %d: expects %v, got nothing", i, want[i])
		}
		if !want[i].Accepts(r.Shape()) {
			return fmt.Errorf("result %d: expects %v, got %v", i, want[i], r.Shape())
		}
	}
	return nil
}

// leafShapes appends the shapes of the arrays and tokens in s.
func leafShapes(list []shape.Shape, s shape.Shape) []shape.Shape {
	if !s.IsTuple() {
		return append(list, s)
	}
	for _, e := range s.Elems {
		list = leafShapes(list, e)
	}
	return list
}
