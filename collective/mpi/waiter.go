//go:build linux && (amd64 || arm64)

package mpi

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"syscall"
	"time"

	"github.com/goxla/xla/collective"
)

// waiter waits for the flights of one operation of a lane.
type waiter struct {
	ctx    context.Context
	member *member
	lane   *lane
	collective.Meeting
	patience
	asked bool // the other members, how far they are
}

// patience is how long one waits.
type patience struct {
	limit  time.Duration
	last   time.Time     // when one looked; zero before that
	waited time.Duration // so far
}

// look adds the time since the last look, as much as pauses let it, and reports whether the limit is reached.
func (p *patience) look() bool {
	now := time.Now()
	if !p.last.IsZero() {
		p.waited += min(now.Sub(p.last), p.limit/pauses)
	}
	p.last = now
	return p.waited >= p.limit
}

const (
	// eagerLooks is how often one who waits looks again at once, and politeLooks after having let others run; then
	// it rests.
	eagerLooks  = 4
	politeLooks = 2000
	// askAt is the part of the time-out, in quarters, after which the others are asked.
	askAt = 3
	// pauses is how many looks take the time-out at least: while the machine was stopped, or busy with other things,
	// nobody could come or answer.
	pauses = 8
)

// land waits until a flight is over.
func (w *waiter) land(f *flight) error {
	for looks := 0; ; looks++ {
		over, err := f.test()
		if over || err != nil {
			return err
		}
		if err := w.look(); err != nil {
			return err
		}
		w.rest(f, looks)
	}
}

// look looks after the rest of the world, and returns the error for which there is no use in waiting.
func (w *waiter) look() error {
	s := w.member.session
	s.transport.engine.poll()
	if s.troubled.Load() {
		if err := w.hopeless(); err != nil {
			return err
		}
	}
	if w.ctx.Err() != nil {
		return context.Cause(w.ctx)
	}
	if w.patience.look() {
		return w.late(s.run.Timeout)
	}
	if !w.asked && w.waited >= s.run.Timeout/4*askAt {
		w.asked = true
		return s.tellAll(header{kind: kindWhere}, "", nil)
	}
	return nil
}

// rest lets others run: goroutines of this process, and other processes on the same core. f is the flight that is
// waited for, nil if it is something else.
func (w *waiter) rest(f *flight, looks int) {
	switch {
	case f != nil && !f.engine.direct:
		t := time.NewTimer(idleTime)
		defer t.Stop()
		select {
		case <-f.bell:
		case <-t.C:
		}
	case looks < politeLooks:
		yield(looks)
	default:
		time.Sleep(restTime)
	}
}

// yield lets others run, but for the first looks.
func yield(looks int) {
	if looks >= eagerLooks {
		runtime.Gosched()
		syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0)
	}
}

// expired returns a channel from which there is something to receive.
func expired() <-chan time.Time {
	c := make(chan time.Time)
	close(c)
	return c
}

// hopeless returns the error of a run that has failed, and of members that have ended before this operation.
func (w *waiter) hopeless() error {
	s := w.member.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failure != nil {
		return s.failure
	}
	e := w.missing(0)
	for _, d := range w.lane.group {
		if s.ended[d] && s.counts[w.place(d)] < w.lane.count.Load() {
			e.Missing = append(e.Missing, collective.Absence{Device: d, Reason: s.excuse(d)})
		}
	}
	if len(e.Missing) > 0 {
		return e
	}
	return nil
}

// place is what the members say of how far they are is found by.
func (w *waiter) place(device int) counter {
	return counter{rank: w.member.session.rankOf(device), lane: w.lane.index}
}

func (w *waiter) missing(waited time.Duration) *collective.MissingError {
	return &collective.MissingError{Op: w.Op, Name: w.Name, Group: w.Group, Waited: waited}
}

// late returns the error after the time-out. Those are missing that have begun fewer operations, or do not answer; if
// there are none they are in another one, or on the other side of a network that is down.
func (w *waiter) late(waited time.Duration) error {
	s, e := w.member.session, w.missing(waited)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failure != nil {
		return s.failure
	}
	var here []collective.Absence
	for k, d := range w.lane.group {
		count, answered := s.counts[w.place(d)]
		switch {
		case k == w.lane.self:
		case s.ended[d] || answered && count < w.lane.count.Load():
			e.Missing = append(e.Missing, collective.Absence{Device: d, Reason: s.excuse(d)})
		case !answered:
			e.Missing = append(e.Missing, collective.Absence{Device: d, Reason: "does not answer"})
		default:
			here = append(here, collective.Absence{Device: d, Reason: "came, but what it sent did not"})
		}
	}
	if len(e.Missing) == 0 {
		e.Missing = here
	}
	return e
}

// enter begins an operation on the lane of a meeting; nil if the group has none.
func (c *member) enter(ctx context.Context, m *collective.Meeting, about uint64) (*waiter, error) {
	l := c.laneOf(m.Group)
	if l == nil {
		return nil, nil
	}
	w := &c.waiter
	w.ctx, w.member, w.lane, w.Meeting = ctx, c, l, *m
	w.patience, w.asked = patience{limit: c.session.run.Timeout}, false
	if s := c.session; !s.turn.Load() {
		if err := s.takeTurn(ctx); err != nil {
			return w, wrap(*m, err)
		}
	}
	if l.lost != nil {
		return w, wrap(*m, fmt.Errorf("an operation of the group before it failed: %w", l.lost))
	}
	l.note(m, about)
	return w, nil
}

// leave ends the operation with an error, to which it adds where that is.
func (w *waiter) leave(err error) error {
	if err == nil {
		return nil
	}
	w.member.session.lost.Store(true)
	w.lane.lost = err
	w.lane.engine.strand(w.lane)
	_, missing := errors.AsType[*collective.MissingError](err)
	_, peer := errors.AsType[*collective.PeerError](err)
	if missing || peer || w.ctx.Err() != nil {
		return err
	}
	return wrap(w.Meeting, err)
}

// laneOf returns the lane of a group, nil if it has none.
func (c *member) laneOf(group []int) *lane {
	for _, l := range c.lanes {
		if equal(l.group, group) {
			return l
		}
	}
	return nil
}

func equal(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
