//go:build linux && (amd64 || arm64)

package mpi

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	"github.com/goxla/xla/collective"
	"github.com/goxla/xla/literal"
)

// member is a local device of a session.
type member struct {
	session  *session
	device   int
	ended    bool
	lanes    []*lane // of the groups with this device
	waiter   waiter
	combiner combiner
}

// Device implements collective.Communicator.
func (c *member) Device() int { return c.device }

// gathering is a meeting as one member sees it.
type gathering struct {
	*member
	collective.Meeting
	self int // place in the group
	key  [sha256.Size]byte
}

// join checks the group and returns the meeting.
func (c *member) join(m collective.Meeting) (*gathering, error) {
	seen := map[int]bool{}
	for _, d := range m.Group {
		if d < 0 || d >= c.session.run.Devices {
			return nil, wrap(m, fmt.Errorf("device %d is not in [0, %d)", d, c.session.run.Devices))
		}
		if seen[d] {
			return nil, wrap(m, fmt.Errorf("expects each device once, got %d twice", d))
		}
		seen[d] = true
	}
	if !seen[c.device] {
		return nil, wrap(m, fmt.Errorf("expects device %d in the group, got none", c.device))
	}
	return &gathering{member: c, Meeting: m, self: slices.Index(m.Group, c.device),
		key: sha256.Sum256(fmt.Appendf(nil, "%s %v %q", m.Op, m.Group, m.ID))}, nil
}

func wrap(m collective.Meeting, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s of devices %v: %w", m.Op, m.Group, err)
}

// give sends arrays to the member at a place.
func (g *gathering) give(place int, arrays []literal.Literal) error {
	to := g.Group[place]
	h := header{kind: kindPart, from: int32(g.device), to: int32(to), meeting: g.key}
	return g.member.give(g.session.rankOf(to), h, g.Name, arrays)
}

func (c *member) give(rank int, h header, name string, arrays []literal.Literal) error {
	m, err := newMessage(c.session.transport.engine.arena, c.session.header(h), name, arrays)
	if err != nil {
		return err
	}
	c.session.send(rank, m)
	c.session.transport.engine.flush()
	return nil
}

// take waits for the arrays of the members at the places, in place order, and calls
// use with those of each; own stands for what this member would send to itself.
func (g *gathering) take(ctx context.Context, places []int, own []literal.Literal,
	use func(place int, arrays []block) error) error {
	messages, err := g.collect(ctx, places)
	if err != nil {
		return err
	}
	defer func() {
		for _, m := range messages {
			if m != nil {
				m.release(g.session.transport.engine.arena)
			}
		}
	}()
	for i, place := range places {
		list := blocksOf(own)
		if messages[i] != nil {
			list = messages[i].blocks()
		}
		if err := use(place, list); err != nil {
			return wrap(g.Meeting, err)
		}
	}
	return nil
}

// collect waits for the messages of members; that of this one is nil.
func (g *gathering) collect(ctx context.Context, places []int) ([]*message, error) {
	s, list := g.session, make([]*message, len(places))
	missing := func(ended bool, waited time.Duration) error {
		e := &collective.MissingError{Op: g.Op, Name: g.Name, Group: g.Group, Waited: waited}
		for i, place := range places {
			if d := g.Group[place]; list[i] == nil && place != g.self && (s.ended[d] || !ended) {
				e.Missing = append(e.Missing, collective.Absence{Device: d, Reason: s.excuse(d)})
			}
		}
		return e
	}
	late := func(waited time.Duration) error { return missing(false, waited) }
	err := s.wait(ctx, late, func() (bool, error) {
		all, hopeless := true, false
		for i, place := range places {
			if place == g.self || list[i] != nil {
				continue
			}
			w := way{kind: kindPart, from: int32(g.Group[place]), to: int32(g.device), meeting: g.key}
			if list[i] = s.next(w); list[i] == nil {
				all = false
				hopeless = hopeless || (s.ended[g.Group[place]] && len(s.boxes[w]) == 0)
			}
		}
		switch {
		case all:
			return true, nil
		case s.failure != nil:
			return false, s.failure
		case hopeless:
			return false, missing(true, 0)
		}
		return false, nil
	})
	return list, err
}

// excuse says what a device does instead of coming, as far as this process knows.
func (s *session) excuse(device int) string {
	if s.ended[device] {
		return "has ended"
	}
	return ""
}

// next takes the next message of a way out of its box; nil if it is not there. The lock is held.
func (s *session) next(w way) *message {
	box := s.boxes[w]
	if len(box) == 0 || !box[0].ready {
		return nil
	}
	if len(box) == 1 {
		delete(s.boxes, w)
	} else {
		s.boxes[w] = box[1:]
	}
	return box[0]
}

// check checks that the ends of t exist and that this device is one of them.
func (c *member) check(t collective.Transfer, here int) error {
	if t.Source == collective.AnyDevice && t.Target == collective.AnyDevice {
		return nil
	}
	for _, d := range []int{t.Source, t.Target} {
		if d < 0 || d >= c.session.run.Devices {
			return fmt.Errorf("%v: device %d is not in [0, %d)", t, d, c.session.run.Devices)
		}
	}
	if here != c.device {
		return fmt.Errorf("%v: expects device %d at this end, got %d", t, c.device, here)
	}
	return nil
}

// homeOfChannels is the process where messages wait that any device may receive.
const homeOfChannels = 0

// Send implements collective.Communicator.
func (c *member) Send(_ context.Context, t collective.Transfer, send []literal.Literal) error {
	if err := c.check(t, t.Source); err != nil {
		return err
	}
	c.session.mu.Lock()
	failure := c.session.failure
	c.session.mu.Unlock()
	if failure != nil {
		return failure
	}
	h := header{kind: kindMail, from: int32(t.Source), to: int32(t.Target), channel: int64(t.Channel)}
	if t.Target == collective.AnyDevice {
		h.kind = kindAny
		return c.give(homeOfChannels, h, t.Name, send)
	}
	return c.give(c.session.rankOf(t.Target), h, t.Name, send)
}

// Recv implements collective.Communicator.
func (c *member) Recv(ctx context.Context, t collective.Transfer, recv []literal.Literal) error {
	if err := c.check(t, t.Target); err != nil {
		return err
	}
	w := way{kind: kindMail, from: int32(t.Source), to: int32(c.device), channel: int64(t.Channel)}
	if t.Source == collective.AnyDevice {
		h := header{kind: kindAsk, from: w.from, to: w.to, channel: w.channel}
		if err := c.give(homeOfChannels, h, t.Name, nil); err != nil {
			return err
		}
	}
	m, err := c.receive(ctx, t, w)
	if err != nil {
		return err
	}
	defer m.release(c.session.transport.engine.arena)
	if err := copyAll(recv, m.blocks(), t.Source); err != nil {
		return fmt.Errorf("%v: %w", t, err)
	}
	return nil
}

// receive waits for the next message of a transfer.
func (c *member) receive(ctx context.Context, t collective.Transfer, w way) (m *message, err error) {
	s := c.session
	late := func(waited time.Duration) error {
		e := &collective.MissingError{Op: fmt.Sprintf("recv on %v", t), Name: t.Name, Waited: waited}
		if t.Source != collective.AnyDevice {
			e.Missing = []collective.Absence{{Device: t.Source, Reason: s.excuse(t.Source)}}
		}
		return e
	}
	err = s.wait(ctx, late, func() (bool, error) {
		if m = s.next(w); m != nil {
			return true, nil
		}
		if s.failure == nil && t.Source != collective.AnyDevice && s.ended[t.Source] && len(s.boxes[w]) == 0 {
			return false, late(0)
		}
		return false, s.failure
	})
	return m, err
}

// Close implements collective.Communicator.
func (c *member) Close(err error) {
	if c.ended {
		return
	}
	c.ended = true
	text := failureText(err)
	c.session.mu.Lock()
	c.session.ended[c.device] = true
	if text != "" && c.session.failure == nil {
		c.session.failure = &collective.PeerError{Device: c.device, Err: err}
	}
	c.session.wake()
	c.session.mu.Unlock()
	if err := c.session.tellAll(header{kind: kindEnded, from: int32(c.device)}, text, c.session.report()); err != nil {
		c.session.fail(err)
	}
}
