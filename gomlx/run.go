package gomlx

import (
	"context"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
	"github.com/goxla/xla"
	"github.com/pkg/errors"
)

// run is an execution on one device.
type run struct {
	args, outs []*xla.Buffer
	results    []compute.Buffer
	taken      gifts
}

// runEach runs the computation on each device with its own inputs, into the memory of donated ones or into new buffers.
// donate is nil if there are none.
func (e *Executable) runEach(inputs []*buffer, donate []bool, devices []compute.DeviceNum) ([]compute.Buffer, error) {
	ver, err := e.find(inputs)
	if err != nil {
		return nil, err
	}
	var alone [1]run // the usual case, on the stack
	runs := alone[:]
	if len(devices) > 1 {
		runs = make([]run, len(devices))
	}
	if err := e.prepare(runs, ver, inputs, donate, devices); err != nil {
		for d := range runs {
			runs[d].taken.giveBack()
		}
		return nil, err
	}
	if err := execute(ver.exe, runs); err != nil {
		return nil, err
	}
	return collect(runs)
}

// prepare makes runs ready. After an error they may have taken memory, which is to be given back.
func (e *Executable) prepare(runs []run, ver *version, inputs []*buffer, donate []bool, devices []compute.DeviceNum) (
	err error) {
	n, uses := len(e.main.params), map[*buffer]int(nil)
	if donate != nil {
		uses = usesOf(inputs)
	}
	for d := range runs {
		r, own := &runs[d], inputs[d*n:(d+1)*n]
		arrays := make([]*xla.Buffer, n+len(ver.results))
		r.args, r.outs = arrays[:n], arrays[n:]
		if err := arguments(r.args, own); err != nil {
			return onDevice(err, d, runs)
		}
		if donate != nil {
			if r.taken, err = ver.donors.take(own, donate[d*n:(d+1)*n], uses); err != nil {
				return onDevice(err, d, runs)
			}
		}
		if err := e.outputs(r, ver.results, devices[d]); err != nil {
			return onDevice(err, d, runs)
		}
	}
	return nil
}

// onDevice says on which of several devices an error is.
func onDevice(err error, d int, runs []run) error {
	if len(runs) == 1 {
		return err
	}
	return errors.WithMessagef(err, "device %d", d)
}

// arguments sets args to what buffers are as arguments of a program.
func arguments(args []*xla.Buffer, list []*buffer) error {
	for i, b := range list {
		var err error
		if args[i], err = b.argument(); err != nil {
			return errors.WithMessagef(err, "input %d", i)
		}
	}
	return nil
}

// outputs gives r buffers for results, in the memory that was taken for them or in new memory.
func (e *Executable) outputs(r *run, results []shapes.Shape, device compute.DeviceNum) error {
	r.results = make([]compute.Buffer, len(results))
	for i, s := range results {
		var b *buffer
		var err error
		if r.taken != nil && r.taken[i].from != nil {
			b = e.builder.backend.bufferIn(r.taken[i].mem, device, r.taken[i].from.shape)
		} else {
			b, err = e.builder.backend.newBuffer(device, s)
		}
		if err == nil {
			r.outs[i], err = b.argument()
		}
		if err != nil {
			return errors.WithMessagef(err, "output %d", i)
		}
		r.results[i] = b
	}
	return nil
}

// execute runs exe, on as many devices as it is for.
func execute(exe *xla.Executable, runs []run) error {
	if len(runs) == 1 {
		return exe.RunInto(context.Background(), runs[0].outs, runs[0].args)
	}
	outs, args := make([][]*xla.Buffer, len(runs)), make([][]*xla.Buffer, len(runs))
	for d, r := range runs {
		outs[d], args[d] = r.outs, r.args
	}
	return exe.RunReplicatedInto(context.Background(), outs, args)
}

// collect returns the results, device by device.
func collect(runs []run) ([]compute.Buffer, error) {
	for _, r := range runs {
		for i, b := range r.results {
			if mem := b.(*buffer).mem.Load(); mem.array == nil { // packed elements
				l, err := r.outs[i].Literal()
				if err != nil {
					return nil, err
				}
				copy(mem.data, bytesOfLiteral(l))
			}
		}
	}
	out := runs[0].results
	for _, r := range runs[1:] {
		out = append(out, r.results...)
	}
	return out, nil
}
