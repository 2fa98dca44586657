//go:build linux && (amd64 || arm64)

package mpi

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// turns gives the lanes to one session after another, in the order in which they were opened, which is that of all
// processes: the operations of two runs may not mix.
type turns struct {
	mu   sync.Mutex
	open []uint64 // in rising order
}

func (t *turns) enter(id uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open = append(t.open, id)
	slices.Sort(t.open)
}

// leave lets the next session have the lanes. A session may leave again.
func (t *turns) leave(id uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open = slices.DeleteFunc(t.open, func(other uint64) bool { return other == id })
}

// first reports whether the lanes are for a session.
func (t *turns) first(id uint64) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.open) > 0 && t.open[0] == id
}

// takeTurn waits until the runs opened before this one have ended in this process, and begins with the lanes.
func (s *session) takeTurn(ctx context.Context) error {
	late := func(waited time.Duration) error {
		return fmt.Errorf("expects runs that were opened before to end first (gave up after %v)", waited)
	}
	err := s.wait(ctx, late, func() (bool, error) {
		if s.failure != nil || s.turn.Load() || !s.transport.turns.first(s.id) {
			return s.turn.Load(), s.failure
		}
		for _, c := range s.members {
			for _, l := range c.lanes {
				l.begin(s.id)
			}
		}
		s.turn.Store(true)
		return true, nil
	})
	return err
}
