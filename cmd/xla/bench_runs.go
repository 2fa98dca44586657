package main

import (
	"context"

	"github.com/goxla/xla"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// results are buffers that a run returned.
type results []*xla.Buffer

// release lets later runs have their memory.
func (r results) release() {
	for _, b := range r {
		b.Release()
	}
}

// runs returns what runs a program once on args: a compiled one on buffers, as a service does that runs it over and
// over. There are no buffers for tokens and for arrays whose sizes are bounds.
func (b *bencher) runs(ctx context.Context, exe *xla.Executable, args []literal.Literal) (
	func() (results, error), error) {
	sig := exe.Signature()
	if exe.Tier() == "" || !allStatic(sig.Params...) || !allStatic(sig.Result) {
		return func() (results, error) {
			_, err := exe.Run(ctx, args...)
			return nil, err
		}, nil
	}
	list, err := buffersOf(b.client, nil, args)
	return func() (results, error) { return exe.RunBuffers(ctx, list) }, err
}

// allStatic reports whether shapes consist of arrays of constant sizes.
func allStatic(list ...shape.Shape) bool {
	for _, s := range list {
		if s.IsTuple() && allStatic(s.Elems...) {
			continue
		}
		if !s.IsArray() || !s.IsStatic() {
			return false
		}
	}
	return true
}

// buffersOf appends buffers of the arrays of values, those in tuples one by one.
func buffersOf(client *xla.Client, list []*xla.Buffer, values []literal.Literal) ([]*xla.Buffer, error) {
	for _, v := range values {
		if v.Shape().IsTuple() {
			var err error
			if list, err = buffersOf(client, list, v.Elems()); err != nil {
				return nil, err
			}
			continue
		}
		b, err := client.BufferOf(v)
		if err != nil {
			return nil, err
		}
		list = append(list, b)
	}
	return list, nil
}
