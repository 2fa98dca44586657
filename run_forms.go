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

// aliases appends which results are in the memory of which arguments.
func aliases(to []plan.Alias, outs, args []cpu.Array, e *Executable) []plan.Alias {
	for k, o := range outs {
		for n, a := range args {
			if len(o.Bytes) > 0 && len(a.Bytes) > 0 && &o.Bytes[0] == &a.Bytes[0] && o.Strides == nil && a.Strides == nil &&
				e.paramLeaves[n].EqualIgnoringLayout(e.resultLeaves[k]) {
				to = append(to, plan.Alias{Param: n, Result: k})
			}
		}
	}
	return to
}

// maxStrided bounds the versions for arrays with strides.
const maxStrided = 16

// forms are what a program was compiled to for runs of other forms than the plain one.
type forms struct {
	mu   sync.Mutex
	list []*formed
	// met are forms with strides: those that come again are compiled. With the others, and with those that come when
	// there are many, arrays are copied into row-major order.
	met []form
}

type formed struct {
	form
	run runner
}

// version returns the program for runs of form f, nil for the plain one.
func (u *forms) version(ctx context.Context, e *Executable, f *form) (intoRunner, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	packed := form{aliases: f.aliases}
	if f.isStrided() && !u.admit(f) {
		if f = &packed; f.isPlain() {
			return nil, nil
		}
	}
	if v := u.find(f); v != nil {
		return v.run.(intoRunner), nil
	}
	v := &formed{form: f.clone()}
	if err := v.compile(ctx, e); err != nil {
		return nil, err
	}
	u.list = append(u.list, v)
	return v.run.(intoRunner), nil
}

// admit reports whether f, which has strides, was met before; it is kept in mind if there is room.
func (u *forms) admit(f *form) bool {
	for k := range u.met {
		if u.met[k].equal(f) {
			return true
		}
	}
	if len(u.met) < maxStrided {
		u.met = append(u.met, f.clone())
	}
	return false
}

func (u *forms) find(f *form) *formed {
	for _, v := range u.list {
		if v.form.equal(f) {
			return v
		}
	}
	return nil
}

// compile makes the program of v.
func (v *formed) compile(ctx context.Context, e *Executable) (err error) {
	opts := e.client.opts
	opts.aliases, opts.strides = v.aliases, v.strides
	v.run, err = opts.Backend.compile(ctx, e.module, opts)
	return err
}

func (u *forms) close() {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, v := range u.list {
		closeRunner(v.run)
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
