//go:build linux && (amd64 || arm64)

package mpi

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/goxla/xla/collective"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// failureText returns the text of an error that a device failed with by itself.
func failureText(err error) string {
	if _, second := errors.AsType[*collective.PeerError](err); err == nil || second {
		return ""
	}
	return err.Error()
}

// places returns all places of the group.
func (g *gathering) places() []int {
	list := make([]int, len(g.Group))
	for k := range list {
		list[k] = k
	}
	return list
}

// giveAll sends each other member what arrays returns for it. It begins with the
// next one, so that not all send to the same one at a time.
func (g *gathering) giveAll(arrays func(place int) []literal.Literal) error {
	for i := 1; i < len(g.Group); i++ {
		k := (g.self + i) % len(g.Group)
		if err := g.give(k, arrays(k)); err != nil {
			return err
		}
	}
	return nil
}

// AllGather implements collective.Communicator.
func (c *member) AllGather(ctx context.Context, m collective.Meeting, recv [][]literal.Literal,
	send []literal.Literal) error {
	if len(recv) != len(m.Group) {
		return wrap(m, fmt.Errorf("expects arrays for %d members, got %d", len(m.Group), len(recv)))
	}
	if w, err := c.enter(ctx, &m, uint64(len(send))); err != nil {
		return err
	} else if w != nil {
		return w.leave(w.allGather(recv, send))
	}
	g, err := c.join(m)
	if err != nil {
		return err
	}
	if err := g.giveAll(func(int) []literal.Literal { return send }); err != nil {
		return err
	}
	return g.take(ctx, g.places(), send, func(k int, arrays []block) error {
		return copyAll(recv[k], arrays, m.Group[k])
	})
}

// AllToAll implements collective.Communicator.
func (c *member) AllToAll(ctx context.Context, m collective.Meeting, recv, send [][]literal.Literal) error {
	if n := len(m.Group); len(recv) != n || len(send) != n {
		return wrap(m, fmt.Errorf("expects arrays for %d members, got %d to send and %d to receive",
			n, len(send), len(recv)))
	}
	if strings.HasPrefix(m.Op, ragged) { // sizes that do not fit together are found by messages
		return c.exchange(ctx, m, recv, send)
	}
	if w, err := c.enter(ctx, &m, 0); err != nil {
		return err
	} else if w != nil {
		return w.leave(w.allToAll(recv, send))
	}
	return c.exchange(ctx, m, recv, send)
}

// ragged is how operations begin whose arrays have sizes that are computed.
const ragged = "ragged"

// exchange is AllToAll by messages.
func (c *member) exchange(ctx context.Context, m collective.Meeting, recv, send [][]literal.Literal) error {
	g, err := c.join(m)
	if err != nil {
		return err
	}
	if err := g.giveAll(func(k int) []literal.Literal { return send[k] }); err != nil {
		return err
	}
	return g.take(ctx, g.places(), send[g.self], func(k int, arrays []block) error {
		return copyAll(recv[k], arrays, m.Group[k])
	})
}

// Broadcast implements collective.Communicator.
func (c *member) Broadcast(ctx context.Context, m collective.Meeting, root int, recv, send []literal.Literal) error {
	if root < 0 || root >= len(m.Group) {
		return wrap(m, fmt.Errorf("root: %d is not in [0, %d)", root, len(m.Group)))
	}
	if w, err := c.enter(ctx, &m, uint64(root)); err != nil {
		return err
	} else if w != nil {
		return w.leave(w.broadcast(root, recv, send))
	}
	g, err := c.join(m)
	if err != nil {
		return err
	}
	if root == g.self {
		if err := g.giveAll(func(int) []literal.Literal { return send }); err != nil {
			return err
		}
	}
	return g.take(ctx, []int{root}, send, func(_ int, arrays []block) error {
		return copyAll(recv, arrays, m.Group[root])
	})
}

// ReduceScatter implements collective.Communicator.
func (c *member) ReduceScatter(ctx context.Context, m collective.Meeting, recv []literal.Literal,
	send [][]literal.Literal, r collective.Reducer) error {
	if len(send) != len(m.Group) {
		return wrap(m, fmt.Errorf("expects arrays for %d members, got %d", len(m.Group), len(send)))
	}
	if w, err := c.enter(ctx, &m, about(recv, r)); err != nil {
		return err
	} else if w != nil {
		return w.leave(w.reduceScatter(recv, send, r))
	}
	g, err := c.join(m)
	if err != nil {
		return err
	}
	if err := g.giveAll(func(k int) []literal.Literal { return send[k] }); err != nil {
		return err
	}
	f := newFold(r, recv)
	if err := g.take(ctx, g.places(), send[g.self], func(k int, arrays []block) error {
		if err := sameShapes(recv, arrays, m.Group[k]); err != nil {
			return err
		}
		return f.add(arrays)
	}); err != nil {
		return err
	}
	return copyFlat(recv, f.acc)
}

// AllReduce implements collective.Communicator. Members combine a stretch of the
// elements each, from all members, and give the result to all. Whoever combines an
// element does it in the order of the group, so how it is shared out does not show.
func (c *member) AllReduce(ctx context.Context, m collective.Meeting, recv, send []literal.Literal,
	r collective.Reducer) error {
	if err := same(recv, send, c.device); err != nil {
		return wrap(m, err)
	}
	if w, err := c.enter(ctx, &m, about(send, r)); err != nil {
		return err
	} else if w != nil {
		return w.leave(w.allReduce(recv, send, r))
	}
	g, err := c.join(m)
	if err != nil {
		return err
	}
	if size(send)*len(m.Group) <= wholeLimit {
		return g.reduceWhole(ctx, recv, send, r)
	}
	stretches := func(arrays []literal.Literal, k int) []literal.Literal {
		list := make([]literal.Literal, len(arrays))
		for i, x := range arrays {
			n := x.Len()
			list[i] = collective.Flat(x, n*k/len(m.Group), n*(k+1)/len(m.Group))
		}
		return list
	}
	f, err := g.reduceStretch(ctx, func(k int) []literal.Literal { return stretches(send, k) }, r)
	if err != nil {
		return err
	}
	if err := g.giveAll(func(int) []literal.Literal { return f.acc }); err != nil {
		return err
	}
	return g.take(ctx, g.places(), f.acc, func(k int, arrays []block) error {
		return copyAll(stretches(recv, k), arrays, m.Group[k])
	})
}

// reduceStretch combines the stretch of this member.
func (g *gathering) reduceStretch(ctx context.Context, stretch func(int) []literal.Literal, r collective.Reducer) (
	*fold, error) {
	if err := g.giveAll(stretch); err != nil {
		return nil, err
	}
	mine := stretch(g.self)
	f := newFold(r, mine)
	return f, g.take(ctx, g.places(), mine, func(k int, arrays []block) error {
		if err := sameShapes(mine, arrays, g.Group[k]); err != nil {
			return err
		}
		return f.add(arrays)
	})
}

// reduceWhole combines all of the arrays.
func (g *gathering) reduceWhole(ctx context.Context, recv, send []literal.Literal, r collective.Reducer) error {
	if err := g.giveAll(func(int) []literal.Literal { return send }); err != nil {
		return err
	}
	f := newFold(r, send)
	if err := g.take(ctx, g.places(), send, func(k int, arrays []block) error {
		if err := sameShapes(send, arrays, g.Group[k]); err != nil {
			return err
		}
		return f.add(arrays)
	}); err != nil {
		return err
	}
	return copyFlat(recv, f.acc)
}

// fold combines arrays in the order in which they are added.
type fold struct {
	reducer collective.Reducer
	acc     []literal.Literal // of rank 1
	some    bool
}

// newFold returns a fold of arrays like those given.
func newFold(r collective.Reducer, like []literal.Literal) *fold {
	f := &fold{reducer: r}
	for _, x := range like {
		f.acc = append(f.acc, literal.New(shape.Make(x.Type(), x.Len())))
	}
	return f
}

func (f *fold) add(arrays []block) error {
	for i, acc := range f.acc {
		if !f.some {
			copy(acc.Bytes(), arrays[i].bytes)
			continue
		}
		if acc.Len() == 0 {
			continue
		}
		x, err := literal.FromBytes(acc.Shape(), arrays[i].bytes)
		if err != nil {
			return err
		}
		if err := f.reducer.Combine(acc, x); err != nil {
			return err
		}
	}
	f.some = true
	return nil
}

// copyFlat copies arrays of rank 1 into those of any shape with as many elements.
func copyFlat(recv, flat []literal.Literal) error {
	for i := range recv {
		if len(recv[i].Bytes()) != len(flat[i].Bytes()) {
			return fmt.Errorf("expects %d bytes, got %d", len(recv[i].Bytes()), len(flat[i].Bytes()))
		}
		copy(recv[i].Bytes(), flat[i].Bytes())
	}
	return nil
}
