//go:build linux && (amd64 || arm64)

package main

import (
	"cmp"
	"context"
	"time"

	"github.com/goxla/xla/collective"
	"github.com/goxla/xla/collective/mpi"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// gather brings the results of all devices to process 0, as leaves.
func gather(ctx context.Context, t *mpi.Transport, out [][]literal.Literal, timeout time.Duration) (
	all [][]literal.Literal, err error) {
	local, err := t.Local(len(out))
	if err != nil {
		return nil, err
	}
	// A run with one device for each process, in which each sends its results to device 0.
	s, err := t.Open(ctx, collective.Run{Devices: t.Size(), Timeout: timeout})
	if err != nil {
		return nil, err
	}
	c := s.Communicator(t.Rank())
	err = exchange(ctx, c, t, out, len(local))
	c.Close(err)
	return out, cmp.Or(err, s.Close())
}

// exchange sends the results of the local devices to process 0, which takes those of
// all others in the order of devices. Shapes are not the same on all devices, so sizes go first.
func exchange(ctx context.Context, c collective.Communicator, t *mpi.Transport, out [][]literal.Literal,
	each int) error {
	for d := range out {
		way := collective.Transfer{Channel: d, Source: d / each, Target: 0, Name: "results"}
		if way.Source == 0 {
			continue
		}
		switch t.Rank() {
		case way.Source:
			if err := sendArrays(ctx, c, way, leaves(nil, out[d])); err != nil {
				return err
			}
		case 0:
			var err error
			if out[d], err = recvArrays(ctx, c, way); err != nil {
				return err
			}
		}
	}
	return nil
}

// sendArrays sends the number of arrays, and of each its type, rank and sizes before it.
func sendArrays(ctx context.Context, c collective.Communicator, way collective.Transfer, list []literal.Literal) error {
	if err := c.Send(ctx, way, []literal.Literal{literal.Scalar(int64(len(list)))}); err != nil {
		return err
	}
	for _, x := range list {
		about := []int64{int64(x.Type())}
		for _, d := range x.Dims() {
			about = append(about, int64(d))
		}
		for _, m := range []literal.Literal{literal.Scalar(int64(len(about))), vector(about), x} {
			if err := c.Send(ctx, way, []literal.Literal{m}); err != nil {
				return err
			}
		}
	}
	return nil
}

// recvArrays receives what sendArrays sent.
func recvArrays(ctx context.Context, c collective.Communicator, way collective.Transfer) ([]literal.Literal, error) {
	recv := func(s shape.Shape) (literal.Literal, error) {
		x := literal.New(s)
		return x, c.Recv(ctx, way, []literal.Literal{x})
	}
	n, err := recv(shape.Make(shape.S64))
	if err != nil {
		return nil, err
	}
	list := make([]literal.Literal, literal.Values[int64](n)[0])
	for i := range list {
		rank, err := recv(shape.Make(shape.S64))
		if err != nil {
			return nil, err
		}
		about, err := recv(shape.Make(shape.S64, int(literal.Values[int64](rank)[0])))
		if err != nil {
			return nil, err
		}
		s := shape.Make(shape.ElementType(literal.Values[int64](about)[0]))
		for _, d := range literal.Values[int64](about)[1:] {
			s.Dims = append(s.Dims, int(d))
		}
		if list[i], err = recv(s); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// leaves appends the arrays in list, those of tuples one by one.
func leaves(to, list []literal.Literal) []literal.Literal {
	for _, l := range list {
		switch {
		case l.Shape().IsTuple():
			to = leaves(to, l.Elems())
		case l.Shape().IsArray():
			to = append(to, l)
		}
	}
	return to
}

// vector returns an array of rank 1.
func vector(v []int64) literal.Literal {
	l := literal.New(shape.Make(shape.S64, len(v)))
	copy(literal.Values[int64](l), v)
	return l
}
