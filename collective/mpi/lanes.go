//go:build linux && (amd64 || arm64)

package mpi

import (
	"context"
	"fmt"
	"slices"
	"unsafe"

	"github.com/goxla/xla/collective"
	"github.com/goxla/xla/literal"
)

// This file makes the lanes of the groups of a run. Making a communicator takes all its members, so all processes make
// them when a run is opened, in the order of its programs.

// maxLanes is how many lanes a transport has: libraries have some thousand communicators. Other groups do without.
const maxLanes = 500

// lanes returns the lanes that this process takes part in, by device, and makes those that there are not yet.
func (t *Transport) lanesOf(ctx context.Context, s *session, r collective.Run) (map[int][]*lane, error) {
	if r.Groups == nil || t.Size() == 1 {
		return nil, nil
	}
	var missing [][]int
	var list []*lane
	seen := map[string]bool{}
	t.mu.Lock()
	for _, group := range r.Groups() {
		key := fmt.Sprint(group)
		if seen[key] || !s.apart(group) {
			continue
		}
		seen[key] = true
		if l, ok := t.lanes[key]; ok {
			list = append(list, l)
		} else if len(t.lanes)+len(missing) < maxLanes {
			missing = append(missing, group)
		}
	}
	t.mu.Unlock()
	if len(missing) > 0 {
		made, err := t.makeLanes(ctx, s, missing)
		if err != nil {
			return nil, err
		}
		list = append(list, made...)
	}
	byDevice := map[int][]*lane{}
	for _, l := range list {
		if l != nil {
			d := l.group[l.self]
			byDevice[d] = append(byDevice[d], l)
		}
	}
	return byDevice, nil
}

// apart reports whether the members of a group are in different processes, two at least.
func (s *session) apart(group []int) bool {
	ranks := map[int]bool{}
	for _, d := range group {
		if d < 0 || d >= s.run.Devices {
			return false
		}
		ranks[s.rankOf(d)] = true
	}
	return len(ranks) == len(group) && len(group) > 1
}

// makeLanes makes the lanes of groups: nil for those without this process.
func (t *Transport) makeLanes(ctx context.Context, s *session, groups [][]int) ([]*lane, error) {
	seats, err := s.gatherSeats(ctx)
	if err != nil {
		return nil, err
	}
	made := make([]*lane, len(groups))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // for what goes on after the time-out
	err = t.engine.do(ctx, s.run.Timeout, func() error {
		for first := 0; first < len(groups); {
			end := first + s.disjoint(groups[first:])
			if err := t.splitWorld(ctx, s, seats, groups, made, first, end); err != nil {
				return fmt.Errorf("communicators of devices %v: %w", groups[first:end], err)
			}
			first = end
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, group := range groups {
		t.lanes[fmt.Sprint(group)] = made[i]
	}
	t.laneCount += len(groups)
	return made, nil
}

// disjoint returns how many of the groups, from the first on, have no process in common.
func (s *session) disjoint(groups [][]int) int {
	seen := map[int]bool{}
	for n, group := range groups {
		for _, d := range group {
			if seen[s.rankOf(d)] {
				return n
			}
		}
		for _, d := range group {
			seen[s.rankOf(d)] = true
		}
	}
	return len(groups)
}

// splitWorld makes the lanes [first, end), whose groups have no process in common, in one operation of all processes.
func (t *Transport) splitWorld(ctx context.Context, s *session, seats map[int32]seat, groups [][]int, made []*lane,
	first, end int) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	color, key := undefined, 0
	for i := first; i < end; i++ {
		if k := s.placeIn(groups[i]); k >= 0 {
			color, key = i, k
		}
	}
	comm, err := t.engine.lib.split(t.engine.comm, color, key)
	if err != nil || color == undefined {
		return err
	}
	group := groups[color]
	near := !t.options.staged
	for _, d := range group {
		near = near && seats[int32(s.rankOf(d))].host == seats[int32(t.Rank())].host
	}
	l := newLane(t.engine, t.laneCount+color, comm, group, key, near)
	made[color] = l
	if near && len(group) <= t.options.piped() {
		apart := t.options.apart && key == len(group)-1
		return l.connect(ctx, s.run.Timeout, !apart, roomy(seats, int32(t.Rank())))
	}
	return nil
}

// placeIn returns the place of this process in a group, -1 if it is not in it.
func (s *session) placeIn(group []int) int {
	return slices.IndexFunc(group, func(d int) bool { return s.rankOf(d) == s.transport.Rank() })
}

// split divides a communicator by color, in the order of the keys.
func (l *library) split(of handle, color, key int) (handle, error) {
	comm := new(uintptr)
	code := l.call(fnCommSplit, uintptr(of), integer(color), integer(key), uintptr(unsafe.Pointer(comm)))
	if err := l.check(fnCommSplit, code); err != nil || color == undefined {
		return 0, err
	}
	return handle(*comm), l.returnErrors(handle(*comm))
}

// counter is found by a process and one of its lanes.
type counter struct{ rank, lane int }

// report returns index, count and digest of the lanes of this process, for others.
func (s *session) report() []literal.Literal {
	list := []int64{}
	for _, d := range s.local {
		for _, l := range s.members[d].lanes {
			did := s.did(l)
			list = append(list, int64(l.index), did.count, did.digest)
		}
	}
	return []literal.Literal{literal.Of(list)}
}

// work is what was done on a lane in a session: the number of operations, and their digest.
type work struct{ count, digest int64 }

// did returns what was done on a lane in this session, so far or at its end.
func (s *session) did(l *lane) work {
	if done := s.done.Load(); done != nil {
		return (*done)[l]
	}
	if !s.turn.Load() {
		return work{}
	}
	return work{l.count.Load(), int64(l.digest.Load())}
}

// finish notes what was done on all lanes, which are those of the next session then.
func (s *session) finish() {
	done := map[*lane]work{}
	for _, c := range s.members {
		for _, l := range c.lanes {
			done[l] = s.did(l)
		}
	}
	s.done.Store(&done)
	s.transport.turns.leave(s.id)
	s.transport.wakeAll()
}
