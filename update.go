package xla

import (
	"context"
	"slices"
	"sync"

	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/plan"
	"github.com/goxla/xla/shape"
)

// updates are what a program was compiled to for runs in which results are in the memory of arguments: one version for
// each choice of these.
type updates struct {
	mu   sync.Mutex
	list []update
}

type update struct {
	aliases []plan.Alias
	run     runner
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

// updating returns the program for runs with these aliases. It is compiled at the first one.
func (e *Executable) updating(ctx context.Context, list []plan.Alias) (intoRunner, error) {
	u := &e.updates
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, v := range u.list {
		if slices.Equal(v.aliases, list) {
			return v.run.(intoRunner), nil
		}
	}
	opts := e.client.opts
	opts.aliases = slices.Clone(list)
	run, err := opts.Backend.compile(ctx, e.module, opts)
	if err != nil {
		return nil, err
	}
	u.list = append(u.list, update{opts.aliases, run})
	return run.(intoRunner), nil
}

func (u *updates) close() {
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
