package ffi

import (
	"context"
	"errors"
	"sync"

	"github.com/goxla/xla/literal"
)

// ErrClosed is the error of taking from a queue that is closed and empty, and of
// putting into one that is closed.
var ErrClosed = errors.New("the queue is closed")

// Queue is a first-in first-out queue of values without a bound. It is safe for
// concurrent use. The zero Queue is empty.
type Queue struct {
	mu      sync.Mutex
	values  []literal.Literal
	closed  bool
	changed chan struct{} // closed at the next Put or Close; nil: nobody waits
}

// Put appends a value, which is not to be changed any more.
func (q *Queue) Put(v literal.Literal) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return ErrClosed
	}
	q.values = append(q.values, v)
	q.wake()
	return nil
}

// Close says that nothing is put any more. What is in the queue can still be taken.
func (q *Queue) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.wake()
}

// wake wakes those who wait. The lock is held.
func (q *Queue) wake() {
	if q.changed != nil {
		close(q.changed)
		q.changed = nil
	}
}

// Take removes the first value and returns it. It waits for one until ctx is done or
// the queue is closed.
func (q *Queue) Take(ctx context.Context) (literal.Literal, error) {
	for {
		v, changed, err := q.take()
		if changed == nil {
			return v, err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return literal.Literal{}, context.Cause(ctx)
		}
	}
}

// take removes the first value, or returns what to wait for.
func (q *Queue) take() (v literal.Literal, changed <-chan struct{}, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.values) > 0 {
		v, q.values = q.values[0], q.values[1:]
		return v, nil, nil
	}
	if q.closed {
		return v, nil, ErrClosed
	}
	if q.changed == nil {
		q.changed = make(chan struct{})
	}
	return v, q.changed, nil
}

// Drain removes all values and returns them.
func (q *Queue) Drain() []literal.Literal {
	q.mu.Lock()
	defer q.mu.Unlock()
	values := q.values
	q.values = nil
	return values
}

// Host is the host's side of what programs exchange with it. Queues come into being
// when they are first asked for. It is safe for concurrent use.
type Host struct {
	mu     sync.Mutex
	queues map[port]*Queue
	closed bool
}

// port is an end of a connection between a device and the host.
type port struct {
	kind            portKind
	device, channel int
}

type portKind uint8

const (
	infeedPort portKind = iota
	outfeedPort
	toHostPort
	fromHostPort
)

// NewHost returns a Host with empty queues.
func NewHost() *Host { return &Host{queues: map[port]*Queue{}} }

// Infeed returns the queue that infeed of a device reads.
func (h *Host) Infeed(device int) *Queue { return h.queue(port{infeedPort, device, 0}) }

// Outfeed returns the queue that outfeed of a device writes.
func (h *Host) Outfeed(device int) *Queue { return h.queue(port{outfeedPort, device, 0}) }

// ToHost returns the queue that a device's send with is_host_transfer=true writes.
func (h *Host) ToHost(device, channel int) *Queue { return h.queue(port{toHostPort, device, channel}) }

// FromHost returns the queue that a device's recv with is_host_transfer=true reads.
func (h *Host) FromHost(device, channel int) *Queue {
	return h.queue(port{fromHostPort, device, channel})
}

func (h *Host) queue(p port) *Queue {
	h.mu.Lock()
	defer h.mu.Unlock()
	q := h.queues[p]
	if q == nil {
		q = &Queue{closed: h.closed && p.fromHost()}
		h.queues[p] = q
	}
	return q
}

// fromHost reports whether the host writes and the device reads.
func (p port) fromHost() bool { return p.kind == infeedPort || p.kind == fromHostPort }

// Close says that the host puts nothing any more: it closes all queues that devices
// read, also those that nobody has asked for yet.
func (h *Host) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for p, q := range h.queues {
		if p.fromHost() {
			q.Close()
		}
	}
}
