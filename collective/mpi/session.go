//go:build linux && (amd64 || arm64)

package mpi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/goxla/xla/collective"
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
	closed  int   // processes that have closed the session, without this one
	failure error // after which no operation succeeds
	over    bool
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
	return &session{transport: t, id: id, boxes: map[way][]*message{}, asks: map[way][]int32{}, ended: map[int]bool{}}
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
	for {
		if over, err := done(); over || err != nil {
			return err
		}
		s.mu.Unlock()
		var err error
		select {
		case <-bell:
		case <-timer.C:
			err = errLate
		case <-ctx.Done():
			err = context.Cause(ctx)
		}
		s.mu.Lock()
		if err == errLate {
			return late(s.run.Timeout)
		}
		if err != nil {
			return err
		}
	}
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
		s.enqueue(m, ready)
	}
	m.ready = ready
	if ready && m.kind == kindAny {
		s.forward(m.way())
	}
	if ready && m.kind == kindEnded {
		s.noteEnd(int(m.from), m.name())
		m.release(s.transport.engine.arena)
	}
	s.wake()
}

// enqueue does what the frame of a message asks for. The lock is held.
func (s *session) enqueue(m *message, ready bool) {
	w := m.way()
	switch m.kind {
	case kindPart, kindMail, kindAny:
		s.boxes[w] = append(s.boxes[w], m)
		return
	case kindAsk:
		w.kind, w.to = kindAny, collective.AnyDevice
		s.asks[w] = append(s.asks[w], m.to)
		s.forward(w)
	case kindClosed:
		s.closed++
	default:
		return
	}
	if ready {
		m.release(s.transport.engine.arena)
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

// tellAll sends a message without arrays to all other processes.
func (s *session) tellAll(h header, name string) error {
	for r := range s.transport.Size() {
		if r == s.transport.Rank() {
			continue
		}
		m, err := newMessage(s.transport.engine.arena, s.header(h), name, nil)
		if err != nil {
			return err
		}
		s.transport.engine.post(r, m)
	}
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
	defer s.transport.end(s.id)
	err := s.tellAll(header{kind: kindClosed}, "")
	if err == nil {
		err = s.wait(context.Background(), s.notClosed, func() (bool, error) {
			return s.failure != nil || (s.closed == s.transport.Size()-1 && s.settled()), nil
		})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
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
	s.over = true
	if err != nil || s.failure != nil || len(lost.Transfers) == 0 {
		return err
	}
	slices.SortFunc(lost.Transfers, func(a, b collective.Transfer) int {
		return cmp.Or(a.Channel-b.Channel, a.Source-b.Source, a.Target-b.Target)
	})
	return lost
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
