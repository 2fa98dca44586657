package collective

import (
	"context"
	"fmt"
	"slices"

	"github.com/goxla/xla/literal"
)

// meeting is an operation for which members have come, and then all of them.
type meeting struct {
	key   string
	group []int
	parts []part  // by place in the group
	waits []*wait // by place; nil: has not come
	came  int
	left  int
	empty chan struct{} // closed when all have left
}

// part is what a member brings: the arrays for each member, or for all, and
// those where the others may leave results for it.
type part struct{ send, recv [][]literal.Literal }

// key identifies meetings that are one.
func (m *Meeting) key() string { return fmt.Sprintf("%s %v %q", m.Op, m.Group, m.ID) }

// meet waits until all members of the group have come with their parts, does work
// with them, and waits until all have done theirs. The arrays may be used again after that.
func (c *member) meet(ctx context.Context, m Meeting, mine part, work func(all []part, self int) error) error {
	self, err := c.place(m.Group)
	if err != nil {
		return m.wrap(err)
	}
	mt, err := c.arrive(ctx, m, mine, self)
	if err != nil {
		return err
	}
	err = func() error {
		defer c.leave(mt) // also if work panics: the others wait for it
		return work(mt.parts, self)
	}()
	<-mt.empty
	if err != nil {
		return m.wrap(err)
	}
	return nil
}

func (m *Meeting) wrap(err error) error {
	return fmt.Errorf("%s of devices %v: %w", m.Op, m.Group, err)
}

// place returns the place of the member in a group, which it checks.
func (c *member) place(group []int) (int, error) {
	seen := make([]bool, len(c.hub.members))
	for _, d := range group {
		if d < 0 || d >= len(seen) {
			return 0, fmt.Errorf("device %d is not in [0, %d)", d, len(seen))
		}
		if seen[d] {
			return 0, fmt.Errorf("expects each device once, got %d twice", d)
		}
		seen[d] = true
	}
	if !seen[c.device] {
		return 0, fmt.Errorf("expects device %d in the group, got none", c.device)
	}
	return slices.Index(group, c.device), nil
}

// arrive adds the part of a member to the meeting and waits for the others.
func (c *member) arrive(ctx context.Context, m Meeting, mine part, self int) (*meeting, error) {
	h, key := c.hub, m.key()
	h.mu.Lock()
	mt := h.open[key]
	if mt == nil {
		mt = &meeting{key: key, group: m.Group, parts: make([]part, len(m.Group)),
			waits: make([]*wait, len(m.Group)), empty: make(chan struct{})}
		h.open[key] = mt
	}
	w := &wait{op: m.Op, name: m.Name, group: m.Group, missing: mt.missing, abandon: func() { h.forget(mt) }}
	mt.parts[self], mt.waits[self] = mine, w
	if mt.came++; mt.came < len(mt.group) {
		return mt, c.stay(ctx, w)
	}
	defer h.mu.Unlock()
	delete(h.open, key)
	for _, other := range mt.waits {
		if other != w {
			h.release(other, nil)
		}
	}
	return mt, nil
}

// missing returns the members that have not come.
func (mt *meeting) missing() []int {
	var list []int
	for place, w := range mt.waits {
		if w == nil {
			list = append(list, mt.group[place])
		}
	}
	return list
}

// forget closes a meeting that a member has given up to those who are still to come.
// The lock is held.
func (h *hub) forget(mt *meeting) {
	if h.open[mt.key] == mt {
		delete(h.open, mt.key)
	}
}

// leave counts a member out.
func (c *member) leave(mt *meeting) {
	c.hub.mu.Lock()
	defer c.hub.mu.Unlock()
	if mt.left++; mt.left == len(mt.group) {
		close(mt.empty)
	}
}
