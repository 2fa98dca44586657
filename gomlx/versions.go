package gomlx

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/gomlx/compute/shapes"
	"github.com/goxla/xla"
	"github.com/goxla/xla/literal"
)

// versions are what a computation was compiled to: one executable for each combination of the shapes of its
// parameters, and of the values that it uses as sizes. The latter are found out one after the other: a version
// either runs, or computes a value on which it depends what is next.
type versions struct {
	mu     sync.Mutex
	byKey  map[string]*version
	closed bool
	// recent is what was used last; always if there is only one, since all shapes are known.
	recent atomic.Pointer[version]
}

type version struct {
	mu sync.Mutex
	// exe is the executable of the computation, or of the scalar size.
	exe  *xla.Executable
	size *value
	next map[int]*version // by the value of size
	// chosen: the version is for values of sizes.
	chosen bool
	// results are the shapes of the results.
	results []shapes.Shape
	donors  donors
}

// latest returns the executable that was used last.
func (v *versions) latest() *xla.Executable {
	if ver := v.recent.Load(); ver != nil {
		return ver.exe
	}
	return nil
}

// close frees everything. No version is found afterwards.
func (v *versions) close() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.closed = true
	for _, ver := range v.byKey {
		ver.close()
	}
	v.byKey = nil
	v.recent.Store(nil)
}

func (v *version) close() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.exe != nil {
		v.exe.Close()
	}
	for _, next := range v.next {
		next.close()
	}
}

// find returns the version for parameters of given shapes. inputs are the values of the parameters on one device;
// nil for none, where an executable that depends on them is not compiled yet, and nil is returned.
func (v *versions) find(e *Executable, params []shapes.Shape, inputs []*buffer) (*version, error) {
	ver, err := v.first(params)
	if err != nil {
		return nil, err
	}
	sizes := map[*value]int{}
	for {
		if err := ver.compile(e, params, sizes); err != nil {
			return nil, err
		}
		if ver.size == nil {
			v.recent.Store(ver)
			return ver, nil
		}
		if inputs == nil && len(params) > 0 {
			return nil, nil
		}
		args, err := literals(inputs)
		if err != nil {
			return nil, err
		}
		out, err := ver.exe.Run(context.Background(), args...)
		if err != nil {
			return nil, err
		}
		n := int(out[0].IntAt(0))
		if n < 0 {
			return nil, fmt.Errorf("expected a size of 0 or more, got %d", n)
		}
		sizes[ver.size] = n
		ver = ver.after(n)
	}
}

// first returns the version for shapes of parameters before any value is known.
func (v *versions) first(params []shapes.Shape) (*version, error) {
	key := fmt.Sprint(params)
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.closed {
		return nil, errors.New("the executable was finalized")
	}
	if v.byKey == nil {
		v.byKey = map[string]*version{}
	}
	if v.byKey[key] == nil {
		v.byKey[key] = &version{}
	}
	return v.byKey[key], nil
}

// after returns the version for a value of size.
func (v *version) after(n int) *version {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.next == nil {
		v.next = map[int]*version{}
	}
	if v.next[n] == nil {
		v.next[n] = &version{chosen: true}
	}
	return v.next[n]
}

// compile compiles the version if it is new: the computation, or the first size that it lacks.
func (v *version) compile(e *Executable, params []shapes.Shape, sizes map[*value]int) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.exe != nil {
		return nil
	}
	exe, err := e.compile(e.main.results, params, sizes, e.builder.replicas)
	var size *value
	for missing := (*needSize)(nil); errors.As(err, &missing) && missing.v.fn == e.main; {
		size = missing.v
		exe, err = e.compile([]*value{size}, params, sizes, 0)
	}
	if err != nil {
		return err
	}
	v.exe, v.size = exe, size
	for _, s := range exe.Signature().Result.Elems {
		v.results = append(v.results, shapeOf(s))
	}
	if size == nil {
		v.donors = donorsOf(e.main, params, v.results)
	}
	return nil
}

// literals returns the arrays of buffers, in their memory where elements are not packed.
func literals(list []*buffer) ([]literal.Literal, error) {
	out := make([]literal.Literal, len(list))
	for i, b := range list {
		var err error
		if out[i], err = b.literal(); err != nil {
			return nil, fmt.Errorf("input %d: %w", i, err)
		}
	}
	return out, nil
}
