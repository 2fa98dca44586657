//go:build linux && (amd64 || arm64)

package mpi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goxla/xla/collective"
	"github.com/goxla/xla/literal"
)

// This file holds the operations of groups that have a lane.

// same checks that arrays of this process given by a device have the shapes of those wanted.
func same(want, got []literal.Literal, from int) error {
	if len(want) == len(got) {
		equal := true
		for i := range want {
			equal = equal && want[i].Type() == got[i].Type() && slices.Equal(want[i].Dims(), got[i].Dims())
		}
		if equal {
			return nil
		}
	}
	return sameShapes(want, blocksOf(got), from)
}

// about is what members of a reduction have in common.
func about(list []literal.Literal, r collective.Reducer) uint64 {
	h := uint64(r.Kind)
	for _, x := range list {
		h = mix(mix(h, uint64(x.Type())), uint64(x.Len()))
	}
	return h
}

// small reports whether members of the group send bytes to each other instead of by MPI's collectives.
func (w *waiter) small() bool { return len(w.lane.group) <= w.member.session.transport.options.Direct }

func (w *waiter) allGather(recv [][]literal.Literal, send []literal.Literal) error {
	l := w.lane
	if err := same(recv[l.self], send, w.member.device); err != nil {
		return err
	}
	uniform := true
	for k := range recv {
		if len(recv[k]) != len(send) {
			return fmt.Errorf("expects %d arrays of device %d, got %d", len(recv[k]), l.group[k], len(send))
		}
		uniform = uniform && same(recv[k], send, 0) == nil
	}
	for i, x := range send {
		copy(recv[l.self][i].Bytes(), x.Bytes())
		if uniform && !w.small() {
			if err := l.gather(w, bytesOf(recv, i), x.Bytes()); err != nil {
				return err
			}
			continue
		}
		for k := range recv {
			l.give(k, x.Bytes(), x.Type())
			l.take(k, recv[k][i].Bytes(), x.Type())
		}
	}
	return l.exchange(w)
}

// bytesOf returns array i of each list.
func bytesOf(lists [][]literal.Literal, i int) [][]byte {
	list := make([][]byte, len(lists))
	for k := range lists {
		list[k] = lists[k][i].Bytes()
	}
	return list
}

// allToAll is the operation in which each member sends as much to each; in others, that are done in the same way, not.
const allToAll = "all-to-all"

func (w *waiter) allToAll(recv, send [][]literal.Literal) error {
	l := w.lane
	if err := same(recv[l.self], send[l.self], w.member.device); err != nil {
		return err
	}
	if strings.HasPrefix(w.Op, allToAll) && !w.small() {
		return w.tradeAll(recv, send)
	}
	for k := range recv {
		for _, x := range send[k] {
			l.give(k, x.Bytes(), x.Type())
		}
		for _, x := range recv[k] {
			l.take(k, x.Bytes(), x.Type())
		}
	}
	for i, x := range send[l.self] {
		copy(recv[l.self][i].Bytes(), x.Bytes())
	}
	return l.exchange(w)
}

// tradeAll is an exchange of as many arrays, of the same shapes, by MPI.
func (w *waiter) tradeAll(recv, send [][]literal.Literal) error {
	l := w.lane
	for k := range recv {
		for _, list := range [][]literal.Literal{recv[k], send[k]} {
			if err := same(send[l.self], list, l.group[k]); err != nil {
				return err
			}
		}
	}
	for i := range send[l.self] {
		if err := l.trade(w, bytesOf(recv, i), bytesOf(send, i)); err != nil {
			return err
		}
	}
	return nil
}

func (w *waiter) broadcast(root int, recv, send []literal.Literal) error {
	l := w.lane
	if root == l.self {
		if err := same(recv, send, w.member.device); err != nil {
			return err
		}
	}
	for i, x := range recv {
		if root == l.self {
			copy(x.Bytes(), send[i].Bytes())
		}
		switch {
		case !w.small():
			if err := l.spread(w, root, x.Bytes()); err != nil {
				return err
			}
		case root != l.self:
			l.take(root, x.Bytes(), x.Type())
		default:
			for k := range l.group {
				l.give(k, send[i].Bytes(), x.Type())
			}
		}
	}
	return l.exchange(w)
}

func (w *waiter) reduceScatter(recv []literal.Literal, send [][]literal.Literal,
	r collective.Reducer) error {
	l := w.lane
	for k := range send {
		if err := same(recv, send[k], w.member.device); err != nil {
			return err
		}
	}
	for i, x := range recv {
		with, from := w.member.combinerOf(x.Type(), r), bytesOf(send, i)
		var err error
		if with.native != nil && !w.small() {
			err = l.reduceScatterNative(w, x.Bytes(), from, with.native)
		} else {
			err = l.reduceScatter(w, x.Bytes(), from, with)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *waiter) allReduce(recv, send []literal.Literal, r collective.Reducer) error {
	l := w.lane
	for i, x := range send {
		with := w.member.combinerOf(x.Type(), r)
		var err error
		if with.native != nil && !w.small() {
			err = l.reducePieces(w, recv[i].Bytes(), x.Bytes(), with.native)
		} else {
			err = l.allReduce(w, recv[i].Bytes(), x.Bytes(), with)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
