package xla

import (
	"context"
	"slices"
	"sync"

	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/plan"
	"github.com/goxla/xla/shape"
)

// form is what a run asks of the program besides the computation: that results are in the memory of arguments, that
// arrays with strides are read and written where they are.
type form struct {
	aliases []plan.Alias
	strides cpu.Strides // of the arrays that can stay where they are
}

// set makes f the form of a run on outs and args, whose arrays l has. What it has of them is shared.
func (f *form) set(e *Executable, outs, args []*Buffer, l *arrayList) {
	f.aliases = aliases(f.aliases[:0], l.outs, l.args, e)
	for k, b := range args {
		if b.inPlace && e.views[k] && !meets(b, l.outs) {
			f.strides.Args = put(f.strides.Args, k, b.array.Strides)
		}
	}
	for k, b := range outs {
		if b.inPlace && !meets(b, l.args) {
			f.strides.Results = put(f.strides.Results, k, b.array.Strides)
		}
	}
}

// meets reports whether b has memory in common with one of list.
func meets(b *Buffer, list []cpu.Array) bool {
	for _, a := range list {
		if cpu.Overlap(a, b.array) {
			return true
		}
	}
	return false
}

// meetsBut reports whether o has memory in common with one of list other than number n.
func meetsBut(o cpu.Array, list []cpu.Array, n int) bool {
	for k, a := range list {
		if k != n && cpu.Overlap(o, a) {
			return true
		}
	}
	return false
}

// put sets entry k of a list that grows to it.
func put(list [][]int, k int, strides []int) [][]int {
	for len(list) <= k {
		list = append(list, nil)
	}
	list[k] = strides
	return list
}

func (f *form) clear() {
	clear(f.strides.Args)
	clear(f.strides.Results)
	f.strides = cpu.Strides{Args: f.strides.Args[:0], Results: f.strides.Results[:0]}
}

// isPlain reports whether the program as it was compiled first serves f.
func (f *form) isPlain() bool { return len(f.aliases) == 0 && !f.isStrided() }

func (f *form) isStrided() bool { return len(f.strides.Args)+len(f.strides.Results) > 0 }

func (f *form) equal(o *form) bool {
	return slices.Equal(f.aliases, o.aliases) && slices.EqualFunc(f.strides.Args, o.strides.Args, slices.Equal) &&
		slices.EqualFunc(f.strides.Results, o.strides.Results, slices.Equal)
}

func (f *form) clone() form {
	deep := func(list [][]int) (out [][]int) {
		for _, s := range list {
			out = append(out, slices.Clone(s))
		}
		return out
	}
	return form{slices.Clone(f.aliases), cpu.Strides{Args: deep(f.strides.Args), Results: deep(f.strides.Results)}}
}

// aliases appends which results are in the memory of which arguments, and of no others: where two arguments have memory
// in common the program, which writes to one of them, would read results in the other.
func aliases(to []plan.Alias, outs, args []cpu.Array, e *Executable) []plan.Alias {
	for k, o := range outs {
		for n, a := range args {
			if len(o.Bytes) > 0 && len(a.Bytes) > 0 && &o.Bytes[0] == &a.Bytes[0] && o.Strides == nil && a.Strides == nil &&
				e.paramLeaves[n].EqualIgnoringLayout(e.resultLeaves[k]) && !meetsBut(o, args, n) {
				to = append(to, plan.Alias{Param: n, Result: k})
			}
		}
	}
	return to
}

// maxVersions bounds the versions for arrays with strides, and those for results in the memory of arguments alone.
const maxVersions = 16

// forms are what a program was compiled to for runs of other forms than the plain one.
type forms struct {
	mu   sync.Mutex
	list []*formed
	// met are forms with strides: those that come again are compiled. With the others, and with those that come when
	// there are many, arrays are copied into row-major order.
	met []form
}

// formed is a form and what its compilation came to, which is there when ready is closed.
type formed struct {
	form
	ready       chan struct{}
	run         runner // nil if there is none
	interrupted bool   // the compilation did not come to its end
}

// version returns the program for runs of form f. What need not, or cannot, be compiled for itself is run as the next
// simpler form, by the plain program in the end, which copies arrays where it must: nil stands for it. Runs of the same
// form wait for its compilation, those of others do not.
func (u *forms) version(ctx context.Context, e *Executable, f *form) (intoRunner, error) {
	if f.isStrided() {
		if run, err := u.compiled(ctx, e, f); run != nil || err != nil {
			return run, err
		}
	}
	if len(f.aliases) == 0 {
		return nil, nil
	}
	return u.compiled(ctx, e, &form{aliases: f.aliases})
}

// compiled returns the program for form f, nil if it has none. The error is that of a context that has ended.
func (u *forms) compiled(ctx context.Context, e *Executable, f *form) (intoRunner, error) {
	for {
		v, isNew := u.enter(f)
		switch {
		case v == nil:
			return nil, nil
		case isNew:
			v.compile(ctx, e, u)
		}
		select {
		case <-v.ready:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		if !v.interrupted {
			run, _ := v.run.(intoRunner)
			return run, nil
		}
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
	}
}

// enter returns the version of form f, new if the caller is to compile it; nil if f has none.
func (u *forms) enter(f *form) (v *formed, isNew bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if v := u.find(f); v != nil {
		return v, false
	}
	if f.isStrided() && !u.admit(f) || !f.isStrided() && u.aliasOnly() >= maxVersions {
		return nil, false
	}
	v = &formed{form: f.clone(), ready: make(chan struct{})}
	u.list = append(u.list, v)
	return v, true
}

// admit reports whether f, which has strides, was met before; it is kept in mind if there is room.
func (u *forms) admit(f *form) bool {
	for k := range u.met {
		if u.met[k].equal(f) {
			return true
		}
	}
	if len(u.met) < maxVersions {
		u.met = append(u.met, f.clone())
	}
	return false
}

// aliasOnly counts the versions without strides.
func (u *forms) aliasOnly() (n int) {
	for _, v := range u.list {
		if !v.isStrided() {
			n++
		}
	}
	return n
}

func (u *forms) find(f *form) *formed {
	for _, v := range u.list {
		if v.form.equal(f) {
			return v
		}
	}
	return nil
}

// forget takes out v, which a later run tries again.
func (u *forms) forget(v *formed) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.list = slices.DeleteFunc(u.list, func(o *formed) bool { return o == v })
}

// compile makes the program of v, which is one of u; not if the context ends first, or the compiler panics.
func (v *formed) compile(ctx context.Context, e *Executable, u *forms) {
	v.interrupted = true
	defer func() {
		if v.interrupted {
			u.forget(v)
		}
		close(v.ready)
	}()
	opts := e.client.opts
	opts.aliases, opts.strides = v.aliases, v.strides
	run, err := opts.Backend.compile(ctx, e.module, opts)
	if err == nil {
		v.run = run
	}
	v.interrupted = err != nil && ctx.Err() != nil
}

func (u *forms) close() {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, v := range u.list {
		select {
		case <-v.ready:
			closeRunner(v.run)
		default: // who compiles it keeps it alive
		}
	}
}

// donor returns the argument that the program itself names for result k (input_output_alias), or -1.
func (e *Executable) donor(k int) int {
	for _, a := range e.module.InputOutputAlias {
		if leafNumber(e.signature.Result, a.OutputIndex) == k {
			return leafNumber(shape.MakeTuple(e.signature.Params...), slices.Concat([]int{a.Param}, a.ParamIndex))
		}
	}
	return -1
}

// leafNumber is the number, among the arrays of s, of the one at a place, -1 if there is none.
func leafNumber(s shape.Shape, at []int) int {
	n := 0
	for _, i := range at {
		if !s.IsTuple() || i >= len(s.Elems) {
			return -1
		}
		n += len(leavesOf(s.Elems[:i]...))
		s = s.Elems[i]
	}
	if s.IsTuple() {
		return -1
	}
	return n
}
