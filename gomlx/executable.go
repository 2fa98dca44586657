package gomlx

import (
	"context"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
	"github.com/goxla/xla"
	"github.com/goxla/xla/hlo"
	"github.com/pkg/errors"
)

// Executable is a compiled computation. It is safe for concurrent use.
type Executable struct {
	builder  *Builder
	main     *Function
	dynamic  bool // a parameter has dynamic dimensions
	versions versions
}

var _ compute.Executable = (*Executable)(nil)

// newExecutable compiles what b has built, at once if all shapes are known.
func newExecutable(b *Builder) (*Executable, error) {
	e := &Executable{builder: b, main: b.main}
	e.dynamic = slices.ContainsFunc(b.main.params, func(p *value) bool { return p.shape.IsDynamic() })
	if e.dynamic {
		return e, nil
	}
	_, err := e.versions.find(e, shapesOf(b.main.params), nil)
	return e, errors.WithMessagef(err, "computation %q", b.name)
}

// compile compiles main for parameters of given shapes.
func (e *Executable) compile(roots []*value, params []shapes.Shape, sizes map[*value]int, replicas int) (
	*xla.Executable, error) {
	m, err := lowerMain(e.main, roots, params, sizes, replicas)
	if err != nil {
		return nil, err
	}
	return e.builder.backend.client.Compile(context.Background(), m)
}

// Module returns the HLO module of the computation: what it was compiled from, for the shapes of its last
// execution if it has dynamic ones, before any of which there is none.
func (e *Executable) Module() (*hlo.Module, error) {
	if exe := e.versions.latest(); exe != nil {
		return exe.Module(), nil
	}
	return nil, errors.Errorf("computation %q has dynamic shapes: expected it to be executed first", e.builder.name)
}

// Finalize lets go of what was compiled. The executable cannot be executed any more; executions in progress end well.
func (e *Executable) Finalize() { e.versions.close() }

// Inputs returns the names and shapes of the parameters.
func (e *Executable) Inputs() ([]string, []shapes.Shape) {
	return slices.Clone(e.main.names), shapesOf(e.main.params)
}

// Outputs returns the shapes of the results.
func (e *Executable) Outputs() []shapes.Shape { return shapesOf(e.main.results) }

// Execute runs the computation. Inputs of several devices come device by device, and so do the results.
// Donated inputs cannot be used afterwards; their memory may become that of results. After an error they are what they
// were, save those in whose memory results were to be if the run itself failed: part of these may be written.
func (e *Executable) Execute(inputs []compute.Buffer, donate []bool, device compute.DeviceNum) (
	[]compute.Buffer, error) {
	out, err := e.execute(inputs, donate, device)
	return out, errors.WithMessagef(err, "executing %q", e.builder.name)
}

func (e *Executable) execute(inputs []compute.Buffer, donate []bool, device compute.DeviceNum) (
	[]compute.Buffer, error) {
	n, devices := len(e.main.params), e.devices(device)
	if err := e.builder.backend.checkDevice(devices[0]); err != nil { // those that were assigned are right
		return nil, err
	}
	if len(inputs) != n*len(devices) {
		return nil, errors.Errorf("expected %d inputs for each of %d devices, got %d", n, len(devices), len(inputs))
	}
	if donate != nil && len(donate) != len(inputs) {
		return nil, errors.Errorf("expected to be told of %d inputs whether they are donated, got %d", len(inputs),
			len(donate))
	}
	list, err := e.inputs(inputs)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(donate, true) {
		donate = nil
	}
	var out []compute.Buffer
	if len(e.builder.meshes) > 0 {
		out, err = e.runSharded(list, donate, devices)
	} else {
		out, err = e.runEach(list, donate, devices)
	}
	if err != nil {
		return nil, err
	}
	return out, letGo(list, donate)
}

// letGo makes an end of donated inputs; donate is nil for none.
func letGo(inputs []*buffer, donate []bool) error {
	for i, d := range donate {
		if d {
			if err := inputs[i].Finalize(); err != nil {
				return err
			}
		}
	}
	return nil
}

// devices returns the devices that run the computation.
func (e *Executable) devices(portable compute.DeviceNum) []compute.DeviceNum {
	if e.builder.assigned != nil {
		return e.builder.assigned
	}
	n := e.builder.devices()
	if n == 1 {
		return []compute.DeviceNum{portable}
	}
	list := make([]compute.DeviceNum, n)
	for i := range list {
		list[i] = compute.DeviceNum(i)
	}
	return list
}

// inputs checks that inputs are buffers of the backend.
func (e *Executable) inputs(inputs []compute.Buffer) ([]*buffer, error) {
	list := make([]*buffer, len(inputs))
	for i, in := range inputs {
		b, ok := in.(*buffer)
		if !ok || b == nil {
			return nil, errors.Errorf("input %d: expected a buffer of backend %q, got %T", i, Name, in)
		}
		if b.backend != e.builder.backend {
			return nil, errors.Errorf("input %d: expected a buffer of the backend that compiled the computation, "+
				"got one of another %q", i, Name)
		}
		if err := b.check(); err != nil {
			return nil, errors.WithMessagef(err, "input %d", i)
		}
		list[i] = b
	}
	return list, nil
}

// find returns the version for inputs, which are of the same shapes on all devices.
func (e *Executable) find(inputs []*buffer) (*version, error) {
	n := len(e.main.params)
	for i, b := range inputs {
		want := e.main.params[i%n].shape
		if i >= n {
			want = inputs[i%n].shape
		}
		if err := matches(want, b.shape); err != nil {
			return nil, errors.WithMessagef(err, "input %d %q", i, e.main.names[i%n])
		}
	}
	if ver := e.versions.recent.Load(); ver != nil && !e.dynamic && !ver.chosen {
		return ver, nil
	}
	params := make([]shapes.Shape, n)
	for i := range params {
		params[i] = inputs[i].shape
	}
	return e.versions.find(e, params, inputs[:n])
}

// matches returns an error unless a value of shape got can be a parameter of shape want.
func matches(want, got shapes.Shape) error {
	ok := want.DType == got.DType && want.Rank() == got.Rank()
	for i := 0; ok && i < want.Rank(); i++ {
		ok = want.Dimensions[i] == shapes.DynamicDim || want.Dimensions[i] == got.Dimensions[i]
	}
	if !ok {
		return errors.Errorf("expected an array of shape %s, got %s", want, got)
	}
	return nil
}
