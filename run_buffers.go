package xla

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// intoRunner is a runner that computes in memory that it is given.
type intoRunner interface {
	runInto(ctx context.Context, outs, args []cpu.Array, opts *runOptions) error
}

// Donate gives the memory of these arguments, counted as those of RunBuffers are, to the run, which may put results
// there. Their buffers cannot be used again.
func Donate(args ...int) RunOption {
	return func(o *runOptions) { o.donated = append(o.donated, args...) }
}

// RunBuffers runs the program on buffers: one for each array of the parameters, those in tuples one by one. It returns
// buffers with the arrays of the result, in the same way, none of which shares memory with another or with an argument
// that was not donated. A result is in the memory of a donated argument of its shape if there is one, else in memory
// that Release gave back, else in new memory.
func (e *Executable) RunBuffers(ctx context.Context, args []*Buffer, opts ...RunOption) (outs []*Buffer, err error) {
	o := e.options(opts)
	if err := e.forOne(); err != nil {
		return nil, err
	}
	if err := e.checkBuffers("argument", args, e.paramLeaves); err != nil {
		return nil, err
	}
	outs = make([]*Buffer, len(e.resultLeaves))
	taken, err := e.donations(args, o.donated)
	if err != nil {
		return nil, err
	}
	for k, s := range e.resultLeaves {
		outs[k] = taken.take(e.donor(k), s)
	}
	for k, s := range e.resultLeaves {
		if outs[k] != nil {
			continue
		}
		if outs[k], err = taken.or(s, e.client); err != nil {
			return nil, err
		}
	}
	if err := claim(args, o.donated); err != nil {
		return nil, err
	}
	if err := e.runInto(ctx, outs, args, &o); err != nil {
		unclaim(args, o.donated)
		return nil, err
	}
	return outs, nil
}

// claim takes the arguments to donate from all others, such as runs that are given them at the same time.
func claim(args []*Buffer, list []int) error {
	for k, n := range list {
		if !isAmong(args, list[:k], n) && args[n].gone.Swap(true) {
			unclaim(args, list[:k])
			return fmt.Errorf("xla: Donate: argument %d was donated or released meanwhile", n)
		}
	}
	return nil
}

// unclaim gives back what claim took.
func unclaim(args []*Buffer, list []int) {
	for _, n := range list {
		args[n].gone.Store(false)
	}
}

// isAmong reports whether argument n is the buffer of an argument of the list.
func isAmong(args []*Buffer, list []int, n int) bool {
	return slices.ContainsFunc(list, func(other int) bool { return args[other] == args[n] })
}

// donated are arguments whose memory the run may use, by number.
type donated map[int]*Buffer

// donations checks the arguments to donate.
func (e *Executable) donations(args []*Buffer, list []int) (donated, error) {
	d := donated{}
	for k, n := range list {
		if n < 0 || n >= len(args) {
			return nil, fmt.Errorf("xla: Donate: expects an argument in [0, %d), got %d", len(args), n)
		}
		for _, other := range list[:k] {
			if n != other && cpu.Overlap(args[n].array, args[other].array) {
				return nil, fmt.Errorf("xla: Donate: expects arrays apart from one another, got arguments %d and %d"+
					" in one memory", other, n)
			}
		}
		if args[n].array.Strides == nil {
			d[n] = args[n]
		}
	}
	return d, nil
}

// take returns a buffer of shape s in the memory of argument n, or nil. It is not given out again.
func (d donated) take(n int, s shape.Shape) *Buffer {
	b := d[n]
	if b == nil || !b.shape.EqualIgnoringLayout(s) {
		return nil
	}
	delete(d, n)
	return &Buffer{shape: b.shape, array: b.array, owner: b.owner, free: b.free}
}

// or returns a buffer of shape s: in memory that was donated, or new. The run writes all of it.
func (d donated) or(s shape.Shape, c *Client) (*Buffer, error) {
	for _, n := range slices.Sorted(maps.Keys(d)) {
		if b := d.take(n, s); b != nil {
			return b, nil
		}
	}
	b, _, err := c.newBuffer(s, literal.NewUnset)
	return b, err
}

// RunInto is RunBuffers into buffers that exist, which may be those of arguments too: an update in place. No two
// results may be in one memory. After the first time it allocates nothing, with these exceptions, in each run. A top-k
// or Fourier transform makes a few small lists, a sort of long lines some tens, and so does a factorisation or
// triangular system, a few for each block of columns of each matrix; without machine code it is a few for each line.
// What runs in the evaluator allocates its results.
// Arrays with strides are copied in the first run; for strides that come again a program of their own is compiled,
// which reads and writes the elements where they are, if each dimension is a whole step of the next outer one and no
// argument is in the memory of a result. The backend is the compiler: with another one results are copied.
func (e *Executable) RunInto(ctx context.Context, outs, args []*Buffer, opts ...RunOption) error {
	if err := e.forOne(); err != nil {
		return err
	}
	if err := e.checkInto(outs, args); err != nil {
		return err
	}
	if len(opts) == 0 {
		return e.runInto(ctx, outs, args, &e.plain)
	}
	o := e.options(opts)
	return e.runInto(ctx, outs, args, &o)
}

// runInto runs on buffers that were checked.
func (e *Executable) runInto(ctx context.Context, outs, args []*Buffer, o *runOptions) (err error) {
	ctx = contextOf(ctx)
	defer recoverError(&err, e.module)
	run, ok := e.run.(intoRunner)
	if !ok {
		return e.runCopying(ctx, outs, args, *o)
	}
	l := e.lists.get()
	defer e.lists.put(l)
	l.set(outs, args)
	l.form.set(e, outs, args, l)
	if !l.form.isPlain() {
		version, err := e.forms.version(ctx, e, &l.form)
		if err != nil {
			return err
		}
		if version != nil {
			run = version
		}
	}
	return run.runInto(ctx, l.outs, l.args, o)
}

// runCopying runs on literals and copies the results.
func (e *Executable) runCopying(ctx context.Context, outs, args []*Buffer, o runOptions) error {
	var list []literal.Literal
	for _, p := range e.signature.Params {
		l, rest, err := gather(p, args)
		if err != nil {
			return err
		}
		list, args = append(list, l), rest
	}
	results, err := e.runDevice(ctx, list, o)
	if err != nil {
		return err
	}
	for k, r := range results {
		results[k] = r.Clone() // it may be an argument, which is written over
	}
	for _, r := range results {
		outs = scatter(r, outs)
	}
	return nil
}

// gather makes the literal of shape s of the first of the buffers.
func gather(s shape.Shape, from []*Buffer) (literal.Literal, []*Buffer, error) {
	if !s.IsTuple() {
		l, err := from[0].elements()
		return l, from[1:], err
	}
	elems := make([]literal.Literal, len(s.Elems))
	for k, e := range s.Elems {
		var err error
		if elems[k], from, err = gather(e, from); err != nil {
			return literal.Literal{}, nil, err
		}
	}
	return literal.MakeTuple(elems...), from, nil
}

// scatter copies the arrays of l to the first of the buffers.
func scatter(l literal.Literal, to []*Buffer) []*Buffer {
	if l.Shape().IsTuple() {
		for _, e := range l.Elems() {
			to = scatter(e, to)
		}
		return to
	}
	cpu.Unpack(to[0].array, l.RowMajor().Bytes(), to[0].shape)
	return to[1:]
}

// forOne returns an error unless the program is for one device and of known sizes.
func (e *Executable) forOne() error {
	if e.versions != nil {
		return needsShapes(e.signature)
	}
	if e.Devices() != 1 {
		return fmt.Errorf("xla: %s is for %d devices: expects RunReplicatedInto, got buffers of one", e.module.Name,
			e.Devices())
	}
	return nil
}

// checkInto checks the buffers of a device.
func (e *Executable) checkInto(outs, args []*Buffer) error {
	if err := e.checkBuffers("argument", args, e.paramLeaves); err != nil {
		return err
	}
	if err := e.checkBuffers("result", outs, e.resultLeaves); err != nil {
		return err
	}
	return e.checkApart(outs)
}

// checkApart checks that no two results are in one memory. Those with strides may lie between one another.
func (e *Executable) checkApart(outs []*Buffer) error {
	for k, b := range outs {
		for j, other := range outs[:k] {
			if b.array.Strides == nil && other.array.Strides == nil && cpu.Overlap(b.array, other.array) {
				return fmt.Errorf("xla: results of %s: expects arrays apart from one another, got results %d and %d in one memory",
					e.module.Name, j, k)
			}
		}
	}
	return nil
}

// checkBuffers checks that the buffers can be those of arrays of the given shapes.
func (e *Executable) checkBuffers(what string, list []*Buffer, want []shape.Shape) error {
	if len(list) != len(want) {
		return fmt.Errorf("xla: %s has %d %ss, as arrays, got %d", e.module.Name, len(want), what, len(list))
	}
	for k, b := range list {
		switch {
		case b == nil || b.gone.Load():
			return fmt.Errorf("xla: %s %d of %s: expects %s, got a buffer that was donated or released, or none", what, k,
				e.module.Name, want[k].StringNoLayout())
		case want[k].IsArray() && !want[k].IsStatic():
			return fmt.Errorf("xla: %s %d of %s is %s: expects arrays of constant size for buffers; Run takes it", what, k,
				e.module.Name, want[k].StringNoLayout())
		case !want[k].IsArray() || !b.shape.EqualIgnoringLayout(want[k]):
			return fmt.Errorf("xla: %s %d of %s: expects %s, got %s", what, k, e.module.Name, want[k].StringNoLayout(),
				b.shape.StringNoLayout())
		case what == "result" && b.repeats:
			return fmt.Errorf("xla: result %d of %s: expects a buffer with a place for each element, got strides %v",
				k, e.module.Name, b.array.Strides)
		}
	}
	return nil
}

// arrayLists are lists of arguments and results that are not in use.
type arrayLists struct {
	mu   sync.Mutex
	free []*arrayList
}

type arrayList struct {
	args, outs []cpu.Array
	form       form
}

func (l *arrayList) set(outs, args []*Buffer) {
	for _, b := range args {
		l.args = append(l.args, b.array)
	}
	for _, b := range outs {
		l.outs = append(l.outs, b.array)
	}
}

func (l *arrayLists) get() *arrayList {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(l.free)
	if n == 0 {
		return &arrayList{}
	}
	a := l.free[n-1]
	l.free = l.free[:n-1]
	return a
}

func (l *arrayLists) put(a *arrayList) {
	clear(a.args)
	clear(a.outs)
	a.form.clear()
	a.args, a.outs = a.args[:0], a.outs[:0]
	l.mu.Lock()
	defer l.mu.Unlock()
	l.free = append(l.free, a)
}

// leavesOf lists the arrays of shapes, those in tuples one by one.
func leavesOf(list ...shape.Shape) []shape.Shape {
	var out []shape.Shape
	for _, s := range list {
		if s.IsTuple() {
			out = append(out, leavesOf(s.Elems...)...)
			continue
		}
		out = append(out, s)
	}
	return out
}
