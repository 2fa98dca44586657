package collective

import (
	"context"
	"fmt"

	"github.com/goxla/xla/literal"
)

// AllGather implements Communicator.
func (c *member) AllGather(ctx context.Context, m Meeting, recv [][]literal.Literal, send []literal.Literal) error {
	if len(recv) != len(m.Group) {
		return m.wrap(fmt.Errorf("expects arrays for %d members, got %d", len(m.Group), len(recv)))
	}
	return c.meet(ctx, m, part{send: [][]literal.Literal{send}}, func(all []part, _ int) error {
		for k := range all {
			if err := copyAll(recv[k], all[k].send[0], m.Group[k]); err != nil {
				return err
			}
		}
		return nil
	})
}

// AllToAll implements Communicator.
func (c *member) AllToAll(ctx context.Context, m Meeting, recv, send [][]literal.Literal) error {
	if n := len(m.Group); len(recv) != n || len(send) != n {
		return m.wrap(fmt.Errorf("expects arrays for %d members, got %d to send and %d to receive",
			n, len(send), len(recv)))
	}
	return c.meet(ctx, m, part{send: send}, func(all []part, self int) error {
		for k := range all {
			if err := copyAll(recv[k], all[k].send[self], m.Group[k]); err != nil {
				return err
			}
		}
		return nil
	})
}

// Broadcast implements Communicator.
func (c *member) Broadcast(ctx context.Context, m Meeting, root int, recv, send []literal.Literal) error {
	if root < 0 || root >= len(m.Group) {
		return m.wrap(fmt.Errorf("root: %d is not in [0, %d)", root, len(m.Group)))
	}
	return c.meet(ctx, m, part{send: [][]literal.Literal{send}}, func(all []part, _ int) error {
		return copyAll(recv, all[root].send[0], m.Group[root])
	})
}

// ReduceScatter implements Communicator.
func (c *member) ReduceScatter(ctx context.Context, m Meeting, recv []literal.Literal,
	send [][]literal.Literal, r Reducer) error {
	if len(send) != len(m.Group) {
		return m.wrap(fmt.Errorf("expects arrays for %d members, got %d", len(m.Group), len(send)))
	}
	return c.meet(ctx, m, part{send: send}, func(all []part, self int) error {
		for k := range all {
			if err := sameShapes(recv, all[k].send[self], m.Group[k]); err != nil {
				return err
			}
		}
		for i, acc := range recv {
			x := Flat(acc, 0, acc.Len())
			if err := fold(x, r, all, func(p part) literal.Literal {
				return Flat(p.send[self][i], 0, acc.Len())
			}); err != nil {
				return err
			}
		}
		return nil
	})
}

// AllReduce implements Communicator. Each member combines one stretch of the elements
// for all of them, straight into their arrays: no two touch the same element.
func (c *member) AllReduce(ctx context.Context, m Meeting, recv, send []literal.Literal, r Reducer) error {
	if err := sameShapes(recv, send, c.device); err != nil {
		return m.wrap(err)
	}
	mine := part{send: [][]literal.Literal{send}, recv: [][]literal.Literal{recv}}
	return c.meet(ctx, m, mine, func(all []part, self int) error {
		for k := range all {
			if err := sameShapes(recv, all[k].send[0], m.Group[k]); err != nil {
				return err
			}
		}
		for i := range recv {
			n := recv[i].Len()
			if err := reduceStretch(all, self, i, n*self/len(all), n*(self+1)/len(all), r); err != nil {
				return err
			}
		}
		return nil
	})
}

// reduceStretch combines the elements [first, end) of array i of all members.
func reduceStretch(all []part, self, i, first, end int, r Reducer) error {
	if first == end {
		return nil
	}
	acc := Flat(all[self].send[0][i], first, end).Clone()
	err := fold(acc, r, all, func(p part) literal.Literal { return Flat(p.send[0][i], first, end) })
	if err != nil {
		return err
	}
	for _, p := range all {
		copy(Flat(p.recv[0][i], first, end).Bytes(), acc.Bytes())
	}
	return nil
}

// fold sets acc to the arrays of all members, combined in their order.
func fold(acc literal.Literal, r Reducer, all []part, array func(part) literal.Literal) error {
	copy(acc.Bytes(), array(all[0]).Bytes())
	for _, p := range all[1:] {
		if err := r.Combine(acc, array(p)); err != nil {
			return err
		}
	}
	return nil
}

// sameShapes checks that arrays given by a device have the shapes of those wanted.
func sameShapes(want, got []literal.Literal, from int) error {
	if len(want) != len(got) {
		return fmt.Errorf("expects %d arrays of device %d, got %d", len(want), from, len(got))
	}
	for i := range want {
		if !got[i].Shape().EqualIgnoringLayout(want[i].Shape()) {
			return fmt.Errorf("expects %v of device %d, got %v", want[i].Shape(), from, got[i].Shape())
		}
	}
	return nil
}

// copyAll copies arrays given by a device.
func copyAll(recv, send []literal.Literal, from int) error {
	if err := sameShapes(recv, send, from); err != nil {
		return err
	}
	for i := range recv {
		if err := literal.Copy(recv[i], send[i]); err != nil {
			return err
		}
	}
	return nil
}
