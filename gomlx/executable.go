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
	versions versions
}

var _ compute.Executable = (*Executable)(nil)

// newExecutable compiles what b has built, at once if all shapes are known.
func newExecutable(b *Builder) (*Executable, error) {
	e := &Executable{builder: b, main: b.main}
	if slices.ContainsFunc(b.main.params, func(p *value) bool { return p.shape.IsDynamic() }) {
		return e, nil
	}
	_, err := e.versions.find(e, shapesOf(b.main.params), nil)
	return e, errors.WithMessagef(err, "computation %q", b.name)
}

// compile compiles main for parameters of given shapes.
func (e *Executable) compile(roots []*value, params []shapes.Shape, sizes map[*value]int) (*xla.Executable, error) {
	m, err := lowerMain(e.main, roots, params, sizes)
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

// Finalize lets go of what was compiled.
func (e *Executable) Finalize() { e.versions.drop() }

// Inputs returns the names and shapes of the parameters.
func (e *Executable) Inputs() ([]string, []shapes.Shape) {
	return slices.Clone(e.main.names), shapesOf(e.main.params)
}

// Outputs returns the shapes of the results.
func (e *Executable) Outputs() []shapes.Shape { return shapesOf(e.main.results) }

// Execute runs the computation. Inputs of several devices come device by device, and so do the results.
// Donated inputs cannot be used afterwards; their memory may become that of results.
func (e *Executable) Execute(inputs []compute.Buffer, donate []bool, device compute.DeviceNum) (
	[]compute.Buffer, error) {
	out, err := e.execute(inputs, donate, device)
	return out, errors.WithMessagef(err, "executing %q", e.builder.name)
}

func (e *Executable) execute(inputs []compute.Buffer, donate []bool, device compute.DeviceNum) (
	[]compute.Buffer, error) {
	n, devices := len(e.main.params), e.devices(device)
	if len(inputs) != n*len(devices) {
		return nil, errors.Errorf("expected %d inputs for each of %d devices, got %d", n, len(devices), len(inputs))
	}
	if donate != nil && len(donate) != len(inputs) {
		return nil, errors.Errorf("expected to be told of %d inputs whether they are donated, got %d", len(inputs),
			len(donate))
	}
	args, owned, err := e.arguments(inputs, donate)
	if err != nil {
		return nil, err
	}
	var results [][]literal.Literal
	if len(e.builder.meshes) > 0 {
		results, err = e.runSharded(args, len(devices))
	} else {
		results, err = e.runEach(args, len(devices))
	}
	if err != nil {
		return nil, err
	}
	for i, in := range inputs {
		if donate != nil && donate[i] {
			if err := in.Finalize(); err != nil {
				return nil, err
			}
		}
	}
	return e.buffers(results, devices, owned), nil
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

// arguments returns the inputs as literals, and the memory that results may not have: that of inputs which are not
// donated, and of constants.
func (e *Executable) arguments(inputs []compute.Buffer, donate []bool) ([]literal.Literal, *memory, error) {
	owned := &memory{}
	args := make([]literal.Literal, len(inputs))
	for i, in := range inputs {
		b, ok := in.(*buffer)
		if !ok || b == nil || b.backend != e.builder.backend {
			return nil, nil, errors.Errorf("input %d: expected a buffer of this backend, got %T", i, in)
		}
		l, err := b.literal()
		if err != nil {
			return nil, nil, errors.WithMessagef(err, "input %d", i)
		}
		args[i] = l
		if donate == nil || !donate[i] {
			owned.take(b.data)
		}
	}
	return args, owned, nil
}

// runEach runs the computation on each device with its own arguments.
func (e *Executable) runEach(args []literal.Literal, devices int) ([][]literal.Literal, error) {
	n := len(e.main.params)
	params := make([]shapes.Shape, n)
	for i := range params {
		params[i] = shapeOf(args[i].Shape())
		if err := matches(e.main.params[i].shape, params[i]); err != nil {
			return nil, errors.WithMessagef(err, "input %d %q", i, e.main.names[i])
		}
	}
	exe, err := e.versions.find(e, params, args[:n])
	if err != nil {
		return nil, err
	}
	if devices == 1 {
		out, err := exe.Run(context.Background(), args...)
		return [][]literal.Literal{out}, err
	}
	return exe.RunReplicated(context.Background(), slices.Collect(slices.Chunk(args, max(1, n))))
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

// buffers returns the results as buffers, device by device.
func (e *Executable) buffers(results [][]literal.Literal, devices []compute.DeviceNum, owned *memory) []compute.Buffer {
	var out []compute.Buffer
	for d, list := range results {
		for _, l := range list {
			out = append(out, e.builder.backend.bufferOf(devices[d], l, shapeOf(l.Shape()), owned))
		}
	}
	return out
}
