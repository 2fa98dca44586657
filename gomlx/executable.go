package gomlx

import (
	"context"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
	"github.com/goxla/xla"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
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
	var out []compute.Buffer
	switch {
	case len(e.builder.meshes) > 0:
		out, err = e.runSharded(list, devices)
	case len(devices) == 1:
		out, err = e.runOne(list, donate, devices[0])
	default:
		out, err = e.runEach(list, devices)
	}
	if err != nil {
		return nil, err
	}
	for i, in := range list {
		if donate != nil && donate[i] {
			if err := in.Finalize(); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
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

// literals returns the arrays of buffers, in their memory where elements are not packed.
func literals(list []*buffer) ([]literal.Literal, error) {
	out := make([]literal.Literal, len(list))
	for i, b := range list {
		var err error
		if out[i], err = b.literal(); err != nil {
			return nil, errors.WithMessagef(err, "input %d", i)
		}
	}
	return out, nil
}

// find returns the version for inputs, those of the first device.
func (e *Executable) find(inputs []*buffer) (*version, error) {
	for i, p := range e.main.params {
		if err := matches(p.shape, inputs[i].shape); err != nil {
			return nil, errors.WithMessagef(err, "input %d %q", i, e.main.names[i])
		}
	}
	if ver := e.versions.recent.Load(); ver != nil && !e.dynamic && !ver.chosen {
		return ver, nil
	}
	params := make([]shapes.Shape, len(e.main.params))
	for i := range params {
		params[i] = inputs[i].shape
	}
	return e.versions.find(e, params, inputs[:len(params)])
}

// runOne runs the computation on one device, into the memory of donated inputs or into new buffers.
func (e *Executable) runOne(inputs []*buffer, donate []bool, device compute.DeviceNum) ([]compute.Buffer, error) {
	ver, err := e.find(inputs)
	if err != nil {
		return nil, err
	}
	args := make([]*xla.Buffer, len(inputs))
	for i, b := range inputs {
		if args[i], err = b.argument(); err != nil {
			return nil, errors.WithMessagef(err, "input %d", i)
		}
	}
	taken, err := ver.donors.take(inputs, donate)
	if err != nil {
		return nil, err
	}
	out, arrays, err := e.outputs(ver.results, taken, device)
	if err != nil {
		taken.giveBack()
		return nil, err
	}
	if err := ver.exe.RunInto(context.Background(), arrays, args); err != nil {
		return nil, err
	}
	for i, b := range out {
		if mem := b.(*buffer).mem.Load(); mem.array == nil { // packed elements
			l, err := arrays[i].Literal()
			if err != nil {
				return nil, err
			}
			copy(mem.data, bytesOfLiteral(l))
		}
	}
	return out, nil
}

// outputs returns buffers for results, in the memory that was taken for them or in new memory, also as what a program
// writes to.
func (e *Executable) outputs(results []shapes.Shape, taken gifts, device compute.DeviceNum) (
	[]compute.Buffer, []*xla.Buffer, error) {
	out, arrays := make([]compute.Buffer, len(results)), make([]*xla.Buffer, len(results))
	for i, s := range results {
		var b *buffer
		var err error
		if taken != nil && taken[i].from != nil {
			b = e.builder.backend.bufferIn(taken[i].mem, device, taken[i].from.shape)
		} else {
			b, err = e.builder.backend.newBuffer(device, s)
		}
		if err == nil {
			arrays[i], err = b.argument()
		}
		if err != nil {
			return nil, nil, errors.WithMessagef(err, "output %d", i)
		}
		out[i] = b
	}
	return out, arrays, nil
}

// runEach runs the computation on each device with its own inputs.
func (e *Executable) runEach(inputs []*buffer, devices []compute.DeviceNum) ([]compute.Buffer, error) {
	ver, err := e.find(inputs)
	if err != nil {
		return nil, err
	}
	args, err := literals(inputs)
	if err != nil {
		return nil, err
	}
	n := len(e.main.params)
	byDevice := make([][]literal.Literal, len(devices))
	for d := range byDevice {
		byDevice[d] = args[d*n : (d+1)*n]
	}
	results, err := ver.exe.RunReplicated(context.Background(), byDevice)
	if err != nil {
		return nil, err
	}
	return e.buffers(results, devices)
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

// buffers returns copies of results as buffers, device by device.
func (e *Executable) buffers(results [][]literal.Literal, devices []compute.DeviceNum) ([]compute.Buffer, error) {
	var out []compute.Buffer
	for d, list := range results {
		for _, l := range list {
			b, err := e.builder.backend.bufferOf(devices[d], l)
			if err != nil {
				return nil, err
			}
			out = append(out, b)
		}
	}
	return out, nil
}
