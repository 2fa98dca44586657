package xla

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/goxla/xla/collective"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/pass"
)

// grid is how many devices a program runs on. Device replica * partitions + partition
// is that of a replica and a partition.
type grid struct{ replicas, partitions int }

func (g grid) devices() int { return g.replicas * g.partitions }

// device is where in a run a program is.
type device struct {
	replica, partition int
	grid               grid
	comm               collective.Communicator // nil: alone
	severalPrograms    bool
}

// maxDevices bounds the replicas, and the partitions, that a program can ask for.
const maxDevices = 1 << 20

// gridOf returns the devices that m is compiled for: those asked for, which its header may not contradict, save that
// a program for whole arrays alone runs on one partition as well.
func (c *Client) gridOf(m *hlo.Module, asked grid) (grid, error) {
	header := grid{max(1, m.Replicas), max(1, m.Partitions)}
	if asked.partitions == 1 && header.partitions > 1 && pass.Whole(m) {
		header.partitions = 1
	}
	asked.replicas = cmp.Or(asked.replicas, header.replicas)
	asked.partitions = cmp.Or(asked.partitions, header.partitions)
	check := func(what string, asked, header int) error {
		if asked < 1 || asked > maxDevices || header > 1 && asked != header {
			return &Error{Err: fmt.Errorf("%s has %s=%d, got a request for %d", m.Name, what, header, asked)}
		}
		return nil
	}
	if err := check("replica_count", asked.replicas, header.replicas); err != nil {
		return asked, err
	}
	if err := check("num_partitions", asked.partitions, header.partitions); err != nil {
		return asked, err
	}
	if n := c.opts.Devices; n > 0 && asked.devices() > n {
		return asked, &Error{Err: fmt.Errorf("%s needs %d replicas x %d partitions: expects at most %d devices "+
			"(Options.Devices)", m.Name, asked.replicas, asked.partitions, n)}
	}
	return asked, nil
}

// Devices returns the number of devices that the program runs on.
func (e *Executable) Devices() int { return e.grid.devices() }

// Replicas returns the number of replicas.
func (e *Executable) Replicas() int { return e.grid.replicas }

// Partitions returns the number of partitions of each replica.
func (e *Executable) Partitions() int { return e.grid.partitions }

// RunReplicated runs the program on all its devices at once. args has the arguments
// for each device, as for Run, and the result has what each returns; device
// replica * Partitions() + partition is that of a replica and a partition. With a
// transport between processes every process calls it, and only the entries of its own devices are used.
//
// If a device fails the others are stopped, and the error is that of the first
// device in order that did not fail because of another one.
func (e *Executable) RunReplicated(ctx context.Context, args [][]literal.Literal, opts ...RunOption) (
	[][]literal.Literal, error) {
	if len(args) == 0 && e.versions != nil {
		return nil, checkShapes(e.signature, nil)
	}
	if len(args) > 0 {
		var err error
		if e, err = e.forArgs(ctx, args[0]); err != nil {
			return nil, err
		}
	}
	if len(args) != e.Devices() {
		return nil, fmt.Errorf("xla: %s runs on %d devices: expects arguments for each, got them for %d",
			e.module.Name, e.Devices(), len(args))
	}
	parts := make([]Part, len(args))
	for d := range parts {
		parts[d] = Part{Exe: e, Args: args[d]}
	}
	return e.client.runParts(ctx, &gridRun{grid: e.grid, parts: parts}, opts)
}

// RunReplicatedInto is RunReplicated on buffers, into buffers that exist: outs and args have those of each device, as
// RunInto takes them. Those of a result may be of an argument of the same device, not of another one.
func (e *Executable) RunReplicatedInto(ctx context.Context, outs, args [][]*Buffer, opts ...RunOption) error {
	if e.versions != nil {
		return needsShapes(e.signature)
	}
	if n := e.Devices(); len(args) != n || len(outs) != n {
		return fmt.Errorf("xla: %s runs on %d devices: expects buffers of each, got arguments for %d and results for %d",
			e.module.Name, n, len(args), len(outs))
	}
	parts := make([]Part, len(args))
	for d := range parts {
		parts[d].Exe = e
	}
	_, err := e.client.runParts(ctx, &gridRun{grid: e.grid, parts: parts, outs: outs, args: args}, opts)
	return err
}

// Part is what one device does in a run of several programs.
type Part struct {
	Exe  *Executable
	Args []literal.Literal
}

// RunGrid runs several programs at once, which may communicate: parts[r][p] is what
// replica r does as partition p. The result is by device, as that of RunReplicated. Collectives
// of different programs meet where operation, group and channel are equal.
func (c *Client) RunGrid(ctx context.Context, parts [][]Part, opts ...RunOption) ([][]literal.Literal, error) {
	if len(parts) == 0 || len(parts[0]) == 0 {
		return nil, errors.New("xla: RunGrid: expects a part for one device at least, got none")
	}
	g := grid{len(parts), len(parts[0])}
	var list []Part
	for r, row := range parts {
		if len(row) != g.partitions {
			return nil, fmt.Errorf("xla: RunGrid: expects %d partitions in replica %d, got %d", g.partitions, r, len(row))
		}
		list = append(list, row...)
	}
	return c.runParts(ctx, &gridRun{grid: g, parts: list, several: true}, opts)
}

// gridRun is a run on several devices.
type gridRun struct {
	grid    grid
	parts   []Part // by device
	several bool   // not all devices run the same module
	// outs and args are by device what results are to be in and the arguments, in place of those of parts; nil: literals.
	outs, args [][]*Buffer
	session    collective.Session
	cancel     context.CancelCauseFunc
	out        [][]literal.Literal
	errs       []error
}

func (c *Client) runParts(ctx context.Context, r *gridRun, opts []RunOption) ([][]literal.Literal, error) {
	ctx = contextOf(ctx)
	local, err := c.opts.Transport.Local(len(r.parts))
	if err != nil {
		return nil, err
	}
	r.out, r.errs = make([][]literal.Literal, len(r.parts)), make([]error, len(r.parts))
	for _, d := range local {
		if err := r.check(ctx, d); err != nil {
			return nil, fmt.Errorf("device %d: %w", d, err)
		}
	}
	ctx, r.cancel = context.WithCancelCause(ctx)
	defer r.cancel(nil)
	r.session, err = c.opts.Transport.Open(ctx, collective.Run{Devices: len(r.parts),
		Timeout: c.opts.CollectiveTimeout, Groups: r.groups})
	if err != nil {
		return nil, err
	}
	var wg sync.WaitGroup
	for _, d := range local {
		wg.Go(func() { r.run(ctx, d, opts) })
	}
	wg.Wait()
	lost := r.session.Close()
	if err := r.cause(); err != nil {
		return nil, err
	}
	return r.out, lost
}

// check checks the part of a local device and brings its arguments into form.
func (r *gridRun) check(ctx context.Context, d int) (err error) {
	p := &r.parts[d]
	if p.Exe == nil {
		return errors.New("xla: expects a program, got none")
	}
	if r.args != nil {
		return p.Exe.checkInto(r.outs[d], r.args[d])
	}
	if p.Exe, err = p.Exe.forArgs(ctx, p.Args); err != nil {
		return err
	}
	if p.Exe.Devices() > 1 && p.Exe.grid != r.grid {
		return fmt.Errorf("xla: %s is for %d replicas x %d partitions, got a run of %d x %d", p.Exe.module.Name,
			p.Exe.grid.replicas, p.Exe.grid.partitions, r.grid.replicas, r.grid.partitions)
	}
	args, err := p.Exe.conform(p.Args)
	p.Args = args
	return err
}

// groups returns the groups in which the programs meet, each once.
func (r *gridRun) groups() [][]int {
	var list [][]int
	seen := map[*hlo.Module]bool{}
	for _, p := range r.parts {
		if p.Exe != nil && p.Exe.module != nil && !seen[p.Exe.module] {
			seen[p.Exe.module] = true
			list = append(list, interp.Groups(p.Exe.module, r.grid.replicas, r.grid.partitions)...)
		}
	}
	return list
}

// run runs the part of device d.
func (r *gridRun) run(ctx context.Context, d int, opts []RunOption) {
	comm := r.session.Communicator(d)
	o := r.parts[d].Exe.options(opts)
	o.device = device{replica: d / r.grid.partitions, partition: d % r.grid.partitions, grid: r.grid, comm: comm,
		severalPrograms: r.several}
	if r.args != nil {
		r.errs[d] = r.parts[d].Exe.runInto(ctx, r.outs[d], r.args[d], &o)
	} else {
		r.out[d], r.errs[d] = r.parts[d].Exe.runDevice(ctx, r.parts[d].Args, o)
	}
	comm.Close(r.errs[d])
	if r.errs[d] != nil { // those who wait for anything else, such as a host, need not go on
		r.cancel(&collective.PeerError{Device: d, Err: r.errs[d]})
	}
}

// cause returns the error that ended the run: that of the first device that failed by itself.
func (r *gridRun) cause() error {
	var first error
	for d, err := range r.errs {
		if err == nil {
			continue
		}
		named := fmt.Errorf("device %d: %w", d, err)
		_, second := errors.AsType[*collective.PeerError](err)
		if !second && !errors.Is(err, context.Canceled) {
			return named
		}
		if first == nil {
			first = named
		}
	}
	return first
}
