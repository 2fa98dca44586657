package gomlx

import (
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/notimplemented"
	"github.com/gomlx/compute/shapes"
	"github.com/pkg/errors"
)

// Builder makes one computation. It is not safe for concurrent use.
type Builder struct {
	backend  *Backend
	name     string
	main     *Function
	names    map[string]bool // of functions
	nodes    int             // how many there are, of all functions
	compiled bool

	// replicas is the number of devices that each run the computation; 0 is one.
	replicas int
	meshes   []compute.Mesh
	assigned []compute.DeviceNum
}

var _ compute.Builder = (*Builder)(nil)

func newBuilder(b *Backend, name string) *Builder {
	builder := &Builder{backend: b, name: name, names: map[string]bool{compute.MainName: true}}
	builder.main = builder.newFunction(compute.MainName, nil)
	return builder
}

func (b *Builder) newFunction(name string, parent *Function) *Function {
	return &Function{Function: notimplemented.Function{ErrFn: notImplemented}, builder: b, name: name, parent: parent}
}

// notImplemented is the error of operations that a later version of GoMLX may add.
func notImplemented(op compute.OpType) error {
	return errors.Wrapf(compute.ErrNotImplemented, "backend %q, operation %s", Name, op)
}

// Name returns the name of the computation.
func (b *Builder) Name() string { return b.name }

// Main returns the function that Compile makes executable.
func (b *Builder) Main() compute.Function { return b.main }

// NewFunction returns a new function that others can call. It fails if the name is taken.
func (b *Builder) NewFunction(name string) (compute.Function, error) {
	if err := b.open(); err != nil {
		return nil, err
	}
	if name == "" || b.names[name] {
		return nil, errors.Errorf("NewFunction: expected a new name, got %q", name)
	}
	b.names[name] = true
	return b.newFunction(name, nil), nil
}

// OpShape returns the shape of a value.
func (b *Builder) OpShape(v compute.Value) (shapes.Shape, error) {
	x, ok := v.(*value)
	if !ok || x == nil || x.fn.builder != b {
		return shapes.Invalid(), errors.Errorf("expected a value of computation %q, got %T", b.name, v)
	}
	return x.shape, nil
}

// DistributedSPMD makes a computation that n devices run, each on its own inputs.
func (b *Builder) DistributedSPMD(n int) error {
	if err := b.open(); err != nil {
		return err
	}
	if n < 1 || n > b.backend.config.Devices {
		return errors.Errorf("DistributedSPMD: expected 1 to %d devices, got %d", b.backend.config.Devices, n)
	}
	b.replicas, b.meshes = n, nil
	return nil
}

// DeviceAssignment sets the devices that run the computation, as many as it is distributed over.
func (b *Builder) DeviceAssignment(devices ...compute.DeviceNum) error {
	if err := b.open(); err != nil {
		return err
	}
	if len(devices) != b.devices() {
		return errors.Errorf("DeviceAssignment: expected %d devices, got %d", b.devices(), len(devices))
	}
	for i, d := range devices {
		if d < 0 || int(d) >= b.backend.config.Devices || slices.Contains(devices[:i], d) {
			return errors.Errorf("DeviceAssignment: expected different devices below %d, got %v", b.backend.config.Devices,
				devices)
		}
	}
	b.assigned = slices.Clone(devices)
	return nil
}

// devices is the number of devices that the computation is for.
func (b *Builder) devices() int {
	n := max(1, b.replicas)
	for _, m := range b.meshes {
		n = max(n, meshSize(m))
	}
	return n
}

// open returns an error if nothing can be added any more.
func (b *Builder) open() error {
	if b.compiled {
		return errors.Errorf("computation %q was compiled: nothing can be added", b.name)
	}
	if b.backend.IsFinalized() {
		return errors.Errorf("backend %s was finalized", Name)
	}
	return nil
}

// Compile makes the main function executable. The builder cannot be used afterwards.
func (b *Builder) Compile() (compute.Executable, error) {
	if err := b.open(); err != nil {
		return nil, err
	}
	if !b.main.returned {
		return nil, errors.Errorf("Compile: expected Return to be called for the main function of %q", b.name)
	}
	if n := b.devices(); b.assigned != nil && len(b.assigned) != n {
		return nil, errors.Errorf("Compile: expected %d devices to be assigned to %q, got %d", n, b.name, len(b.assigned))
	}
	b.compiled = true
	e, err := newExecutable(b)
	if err != nil {
		return nil, err
	}
	b.backend.compiled.add(e)
	return e, nil
}
