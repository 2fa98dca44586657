//go:build darwin || linux

package cabi

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// Library is a shared library as a registry of handlers; it implements ffi.Registry.
type Library struct {
	handle    uintptr
	functions map[string]function
}

// Open loads the shared library at path for the custom-call targets that are named,
// which are functions of it. Programs can call no other function: a program names its
// targets itself, and a library brings others with it. Open fails if the library cannot
// be loaded or lacks one of the functions.
func Open(path string, targets ...string) (*Library, error) {
	handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, fmt.Errorf("cabi: %w", err)
	}
	l := &Library{handle: handle, functions: map[string]function{}}
	for _, name := range targets {
		f, err := purego.Dlsym(handle, name)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("cabi: %s: expects a function %q: %w", path, name, err), l.Close())
		}
		l.functions[name] = function(f)
	}
	return l, nil
}

// Lookup implements ffi.Registry.
func (l *Library) Lookup(target string) (ffi.Handler, bool) {
	f, ok := l.functions[target]
	return f, ok
}

// Close unloads the library. No program may call its functions any more.
func (l *Library) Close() error { return purego.Dlclose(l.handle) }

// function is the address of a C function.
type function uintptr

// statusSize is room for an XlaCustomCallStatus, of whatever C++ library.
const statusSize = 64

// Call implements ffi.Handler. By API version the signature is
//
//	void f(void* out, const void** in)                // original
//	void f(void* out, const void** in, void* status)  // status returning
//	void f(void* out, const void** in, const char* opaque, size_t opaque_len, void* status)  // unified
//
// in has a pointer for each operand, out is the result; an array is a pointer to its
// elements, in the order of its layout, and a tuple a pointer to the pointers of
// its elements. Elements narrower than a byte take a byte. status is zeroed memory: a
// function that leaves anything else there has failed.
func (f function) Call(_ context.Context, c *ffi.Call) error {
	var m memory
	defer m.pins.Unpin()
	in := make([]unsafe.Pointer, len(c.Operands))
	for i, x := range c.Operands {
		in[i] = m.operand(x)
	}
	out, _ := m.result(c.Shape, c.Results)
	args := []uintptr{uintptr(out), uintptr(m.table(in))}
	status := make([]byte, statusSize)
	switch c.Version {
	case ffi.Original:
	case ffi.StatusReturning:
		args = append(args, uintptr(m.bytes(status)))
	case ffi.StatusReturningUnified:
		args = append(args, uintptr(m.bytes([]byte(c.Config))), uintptr(len(c.Config)), uintptr(m.bytes(status)))
	default:
		return fmt.Errorf("api_version: expects a version with a plain C signature, got %v", c.Version)
	}
	purego.SyscallN(uintptr(f), args...)
	runtime.KeepAlive(c)
	if slices.ContainsFunc(status, func(b byte) bool { return b != 0 }) {
		return errors.New("the function reported a failure")
	}
	return nil
}

// memory keeps what C code sees where it is until the pins are taken off.
type memory struct{ pins runtime.Pinner }

// bytes returns the address of b; there is one even if b is empty.
func (m *memory) bytes(b []byte) unsafe.Pointer {
	if len(b) == 0 {
		b = make([]byte, 8)
	}
	m.pins.Pin(&b[0])
	return unsafe.Pointer(&b[0])
}

// table returns the address of a list of addresses.
func (m *memory) table(list []unsafe.Pointer) unsafe.Pointer {
	if len(list) == 0 {
		list = make([]unsafe.Pointer, 1)
	}
	m.pins.Pin(&list[0])
	return unsafe.Pointer(&list[0])
}

// operand returns the address of an array or of a tuple's table.
func (m *memory) operand(l literal.Literal) unsafe.Pointer {
	switch s := l.Shape(); {
	case s.IsTuple():
		var list []unsafe.Pointer
		for _, e := range l.Elems() {
			list = append(list, m.operand(e))
		}
		return m.table(list)
	case s.IsArray():
		return m.bytes(l.Bytes())
	}
	return m.bytes(nil) // a token
}

// result returns the address of the result of shape s made of the arrays at the start
// of leaves, and the rest of them.
func (m *memory) result(s shape.Shape, leaves []literal.Literal) (unsafe.Pointer, []literal.Literal) {
	if !s.IsTuple() {
		return m.operand(leaves[0]), leaves[1:]
	}
	var list []unsafe.Pointer
	for _, e := range s.Elems {
		var p unsafe.Pointer
		p, leaves = m.result(e, leaves)
		list = append(list, p)
	}
	return m.table(list), leaves
}
