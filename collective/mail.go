package collective

import (
	"context"
	"fmt"
	"slices"

	"github.com/goxla/xla/literal"
)

// box holds what was sent on a transfer and who waits for more.
type box struct {
	mail  []*message
	waits []*pickup
}

// message is arrays on their way.
type message struct {
	transfer Transfer
	arrays   []literal.Literal
	from     int
}

// pickup is a wait for a message.
type pickup struct {
	wait
	got *message
}

// box returns the box of t. The lock is held.
func (h *hub) box(t Transfer) *box {
	t.Name = ""
	b := h.boxes[t]
	if b == nil {
		b = &box{}
		h.boxes[t] = b
	}
	return b
}

// check checks that the ends of t exist and that this device is one of them.
func (c *member) check(t Transfer, here int) error {
	if t.Source == AnyDevice && t.Target == AnyDevice {
		return nil
	}
	for _, d := range []int{t.Source, t.Target} {
		if d < 0 || d >= len(c.hub.members) {
			return fmt.Errorf("%v: device %d is not in [0, %d)", t, d, len(c.hub.members))
		}
	}
	if here != c.device {
		return fmt.Errorf("%v: expects device %d at this end, got %d", t, c.device, here)
	}
	return nil
}

// Send implements Communicator.
func (c *member) Send(_ context.Context, t Transfer, send []literal.Literal) error {
	if err := c.check(t, t.Source); err != nil {
		return err
	}
	msg := &message{transfer: t, from: c.device}
	for _, x := range send {
		msg.arrays = append(msg.arrays, x.Clone())
	}
	h := c.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.failure != nil {
		return h.failure
	}
	b := h.box(t)
	if len(b.waits) > 0 {
		p := b.waits[0]
		b.waits = b.waits[1:]
		p.got = msg
		h.release(&p.wait, nil)
		return nil
	}
	b.mail = append(b.mail, msg)
	h.sent = append(h.sent, msg)
	return nil
}

// Recv implements Communicator.
func (c *member) Recv(ctx context.Context, t Transfer, recv []literal.Literal) error {
	if err := c.check(t, t.Target); err != nil {
		return err
	}
	msg, err := c.pickUp(ctx, t)
	if err != nil {
		return err
	}
	if err := copyAll(recv, msg.arrays, msg.from); err != nil {
		return fmt.Errorf("%v: %w", t, err)
	}
	return nil
}

// pickUp returns the next message of t.
func (c *member) pickUp(ctx context.Context, t Transfer) (*message, error) {
	h := c.hub
	h.mu.Lock()
	b := h.box(t)
	if len(b.mail) > 0 {
		defer h.mu.Unlock()
		msg := b.mail[0]
		b.mail = b.mail[1:]
		h.sent = slices.DeleteFunc(h.sent, func(m *message) bool { return m == msg })
		return msg, nil
	}
	p := &pickup{}
	p.op, p.name = fmt.Sprintf("recv on %v", t), t.Name
	p.missing = func() []int {
		if t.Source == AnyDevice {
			return nil
		}
		return []int{t.Source}
	}
	p.abandon = func() {
		b.waits = slices.DeleteFunc(b.waits, func(q *pickup) bool { return q == p })
	}
	b.waits = append(b.waits, p)
	err := c.stay(ctx, &p.wait)
	return p.got, err
}
