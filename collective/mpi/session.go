//go:build linux && (amd64 || arm64)

package mpi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/goxla/xla/collective"
	"github.com/goxla/xla/literal"
)

// session is a run. The lock covers everything but what open sets, which is set before
// anything else is used.
type session struct {
	transport *Transport
	id        uint64
	run       collective.Run
	members   map[int]*member
	local     []int

	mu      sync.Mutex
	bells   []chan struct{} // of those who wait
	boxes   map[way][]*message
	asks    map[way][]int32 // at the home of channels: devices that wait for a message
	ended   map[int]bool
	seats   map[int32]seat    // of the processes that have opened the session
	counts  map[counter]int64 // operations on lanes, as far as others have told
	digests map[counter]int64 // of the lanes of processes that have closed the session
	closed  int               // processes that have closed the session, without this one
	failure error             // after which no operation succeeds
	over    bool

	done     atomic.Pointer[map[*lane]work] // what was done on lanes, at the end
	turn     atomic.Bool                    // lanes are for this session
	troubled atomic.Bool                    // there is a failure, or a device has ended
	lost     atomic.Bool                    // an operation on a lane has failed, after which it cannot be used
}

// way is where messages come in order: from a device to one, in meetings with one key
// or on one channel.
type way struct {
	kind     kind
	from, to int32
	channel  int64
	meeting  [32]byte
}

func (m *message) way() way { return way{m.kind, m.from, m.to, m.channel, m.meeting} }

func newSession(t *Transport, id uint64) *session {
	return &session{transport: t, id: id, boxes: map[way][]*message{}, asks: map[way][]int32{}, ended: map[int]bool{},
		seats: map[int32]seat{}, counts: map[counter]int64{}, digests: map[counter]int64{}}
}

// open begins the part of this process.
func (s *session) open(r collective.Run, local []int, failure error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.run, s.local, s.members = r, local, map[int]*member{}
	s.run.Timeout = cmp.Or(r.Timeout, collective.DefaultTimeout)
	for _, d := range local {
		s.members[d] = &member{session: s, device: d}
	}
	s.failure = cmp.Or(s.failure, failure)
	s.troubled.Store(s.failure != nil || len(s.ended) > 0)
	for w := range s.asks { // that came before
		s.forward(w)
	}
}

// Communicator implements collective.Session.
func (s *session) Communicator(device int) collective.Communicator { return s.members[device] }

// rankOf returns the process of a device.
func (s *session) rankOf(device int) int { return device / len(s.local) }

// fail notes the first error after which no operation succeeds.
func (s *session) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failure == nil {
		s.failure = err
	}
	s.wake()
}

// wake lets all who wait look again. The lock is held.
func (s *session) wake() {
	s.troubled.Store(s.failure != nil || len(s.ended) > 0)
	for _, b := range s.bells {
		ring(b)
	}
}

// wait waits until done, which is called with the lock, says so or fails.
func (s *session) wait(ctx context.Context, late func(time.Duration) error, done func() (bool, error)) error {
	bell := make(chan struct{}, 1)
	timer := time.NewTimer(s.run.Timeout)
	defer timer.Stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bells = append(s.bells, bell)
	defer func() { s.bells = slices.DeleteFunc(s.bells, func(b chan struct{}) bool { return b == bell }) }()
	for looks := 0; ; looks++ {
		if over, err := done(); over || err != nil {
			return err
		}
		s.mu.Unlock()
		err := s.rest(ctx, looks, bell, timer.C)
		s.mu.Lock()
		if err == errLate {
			return late(s.run.Timeout)
		}
		if err != nil {
			return err
		}
	}
}

// rest waits for a bell, the time-out or the end of the context. Where it may call MPI it looks for what has come
// instead, and after a while now and then.
func (s *session) rest(ctx context.Context, looks int, bell <-chan struct{}, timeout <-chan time.Time) error {
	var again <-chan time.Time
	if e := s.transport.engine; e.direct {
		e.flush()
		if looks < politeLooks {
			yield(looks)
			again = expired()
		} else {
			t := time.NewTimer(restTime)
			defer t.Stop()
			again = t.C
		}
	}
	select {
	case <-bell:
	case <-timeout:
		return errLate
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-again:
	}
	return nil
}

var errLate = errors.New("mpi: late")

// deliver takes a message that has come, or whose body has come.
func (s *session) deliver(m *message, ready bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		if ready {
			m.release(s.transport.engine.arena)
		}
		return
	}
	if !m.queued {
		m.queued = true
		s.enqueue(m)
	}
	m.ready = ready
	if ready && m.kind == kindAny {
		s.forward(m.way())
	}
	if ready && m.kind > kindAny {
		s.control(m)
		m.release(s.transport.engine.arena)
	}
	s.wake()
}

// enqueue puts arrays that come, or are to come, into their box. The lock is held.
func (s *session) enqueue(m *message) {
	if m.kind <= kindAny {
		w := m.way()
		s.boxes[w] = append(s.boxes[w], m)
	}
}

// control does what a message without arrays for a device asks for. The lock is held.
func (s *session) control(m *message) {
	switch m.kind {
	case kindAsk:
		w := m.way()
		w.kind, w.to = kindAny, collective.AnyDevice
		s.asks[w] = append(s.asks[w], m.to)
		s.forward(w)
	case kindEnded:
		s.noteCounts(m)
		s.noteEnd(int(m.from), m.name())
	case kindClosed:
		s.noteCounts(m)
		s.closed++
	case kindOpened:
		s.noteSeat(m)
	case kindCounts:
		s.noteCounts(m)
	case kindWhere:
		if err := s.tell(int(m.rank), header{kind: kindCounts}, "", s.report()); err != nil {
			s.failure = cmp.Or(s.failure, err)
		}
	}
}

// noteCounts notes what a process says of its lanes. The lock is held.
func (s *session) noteCounts(m *message) {
	v, err := literal.FromBytes(m.blocks()[0].shape, m.blocks()[0].bytes)
	if err != nil {
		s.failure = cmp.Or(s.failure, err)
		return
	}
	list := literal.Values[int64](v)
	for i := 0; i+2 < len(list); i += 3 {
		c := counter{int(m.rank), int(list[i])}
		s.counts[c], s.digests[c] = list[i+1], list[i+2]
	}
}

// noteEnd notes that a device has ended, with the text of its error. The lock is held.
func (s *session) noteEnd(device int, text string) {
	s.ended[device] = true
	if text != "" && s.failure == nil {
		s.failure = &collective.PeerError{Device: device, Err: errors.New(text)}
	}
}

// forward gives messages of a channel to those who asked. The lock is held.
func (s *session) forward(w way) {
	if s.local == nil {
		return // until open
	}
	for len(s.boxes[w]) > 0 && s.boxes[w][0].ready && len(s.asks[w]) > 0 {
		m, to := s.boxes[w][0], s.asks[w][0]
		s.boxes[w], s.asks[w] = s.boxes[w][1:], s.asks[w][1:]
		m.kind, m.to, m.queued = kindMail, to, false
		m.rank = int32(s.transport.Rank())
		m.header.encode(m.frame)
		if r := s.rankOf(int(to)); r != s.transport.Rank() {
			s.transport.engine.post(r, m)
			ring(s.transport.engine.work.bell)
			continue
		}
		m.queued = true
		s.boxes[m.way()] = append(s.boxes[m.way()], m)
	}
}

// send gives a message to a process.
func (s *session) send(rank int, m *message) {
	if rank != s.transport.Rank() {
		s.transport.engine.post(rank, m)
		return
	}
	s.deliver(m, true)
}

// tellAll sends a message to all other processes.
func (s *session) tellAll(h header, name string, arrays []literal.Literal) error {
	for r := range s.transport.Size() {
		if r == s.transport.Rank() {
			continue
		}
		if err := s.tell(r, h, name, arrays); err != nil {
			return err
		}
	}
	return nil
}

// tell sends a message to another process, soon.
func (s *session) tell(rank int, h header, name string, arrays []literal.Literal) error {
	m, err := newMessage(s.transport.engine.arena, s.header(h), name, arrays)
	if err != nil {
		return err
	}
	s.transport.engine.post(rank, m)
	ring(s.transport.engine.work.bell)
	return nil
}

// header completes a header.
func (s *session) header(h header) header {
	h.session, h.rank = s.id, int32(s.transport.Rank())
	return h
}

// Close implements collective.Session. It waits until the other processes close the
// session too, so that what they sent has come.
func (s *session) Close() error {
	defer s.transport.end(s)
	s.finish()
	err := s.tellAll(header{kind: kindClosed}, "", s.report())
	if err == nil {
		err = s.wait(context.Background(), s.notClosed, func() (bool, error) {
			return s.failure != nil || (s.closed == s.transport.Size()-1 && s.settled()), nil
		})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	lost := s.empty()
	s.over = true
	if err != nil || s.failure != nil {
		return err
	}
	if err := s.compare(); err != nil {
		return err
	}
	if len(lost.Transfers) == 0 {
		return nil
	}
	slices.SortFunc(lost.Transfers, func(a, b collective.Transfer) int {
		return cmp.Or(a.Channel-b.Channel, a.Source-b.Source, a.Target-b.Target)
	})
	return lost
}

// empty releases the messages that nobody has taken, and lists the transfers among them. The lock is held.
func (s *session) empty() *collective.LostError {
	lost := &collective.LostError{}
	for _, box := range s.boxes {
		for _, m := range box {
			if m.kind != kindPart {
				lost.Transfers = append(lost.Transfers, m.transfer())
			}
			if m.ready {
				m.release(s.transport.engine.arena)
			}
		}
	}
	return lost
}

// compare compares what the members of each lane did on it, in all of which MPI has taken part in the order in which
// they came, whatever they were. The lock is held.
func (s *session) compare() error {
	for _, d := range s.local {
		for _, l := range s.members[d].lanes {
			did := s.did(l)
			for _, other := range l.group {
				c := counter{s.rankOf(other), l.index}
				if other != d && (did != (work{s.counts[c], s.digests[c]})) {
					return fmt.Errorf("collectives of devices %v: expects devices %d and %d to execute the same ones in the same "+
						"order, got %d and %d that differ", l.group, d, other, did.count, s.counts[c])
				}
			}
		}
	}
	return nil
}

// settled reports whether the bodies of all messages have come. The lock is held.
func (s *session) settled() bool {
	for _, box := range s.boxes {
		if slices.ContainsFunc(box, func(m *message) bool { return !m.ready }) {
			return false
		}
	}
	return true
}

// transfer returns the way of mail, with its name if that has come.
func (m *message) transfer() collective.Transfer {
	t := collective.Transfer{Channel: int(m.channel), Source: int(m.from), Target: int(m.to)}
	if m.from == collective.AnyDevice {
		t.Target = collective.AnyDevice
	}
	if m.ready {
		t.Name = m.name()
	}
	return t
}

// notClosed is the error of processes that do not end the session.
func (s *session) notClosed(waited time.Duration) error {
	return fmt.Errorf("mpi: end of the run: expects %d processes, got %d (gave up after %v)",
		s.transport.Size(), s.closed+1, waited)
}
