package collective

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sort"
	"sync"
	"time"
)

// InProcess returns the transport between goroutines of this process. Besides the
// time-out it knows at once when an operation cannot take place any more: when a
// device of its group has ended, and when every device waits for another one.
func InProcess() Transport { return inProcess{} }

// MaxDevices is the most devices that a run in one process can have.
const MaxDevices = 1 << 16

type inProcess struct{}

func (inProcess) Local(devices int) ([]int, error) {
	if devices < 1 || devices > MaxDevices {
		return nil, fmt.Errorf("collective: expects 1 to %d devices, got %d", MaxDevices, devices)
	}
	list := make([]int, devices)
	for d := range list {
		list[d] = d
	}
	return list, nil
}

func (t inProcess) Open(_ context.Context, r Run) (Session, error) {
	list, err := t.Local(r.Devices)
	if err != nil {
		return nil, err
	}
	h := &hub{timeout: cmp.Or(r.Timeout, DefaultTimeout), running: r.Devices,
		open: map[string]*meeting{}, boxes: map[Transfer]*box{}}
	for _, d := range list {
		h.members = append(h.members, &member{hub: h, device: d})
	}
	return h, nil
}

// hub is a run of one process. The lock covers everything in it and in its members,
// meetings and boxes; it is never held while arrays are copied or combined.
type hub struct {
	mu      sync.Mutex
	timeout time.Duration
	members []*member
	running int   // members that have not ended
	waiting int   // members among them that wait
	failure error // a *PeerError once a device has failed
	open    map[string]*meeting
	boxes   map[Transfer]*box
	sent    []*message // not received yet, in the order of sending
}

// member is a device of a hub.
type member struct {
	hub    *hub
	device int
	ended  bool
	wait   *wait // what it waits for; nil while it runs
}

// wait is a stay of a member in a meeting or in front of a box.
type wait struct {
	member   *member
	op, name string
	group    []int
	// missing returns the devices that are waited for. The lock is held.
	missing func() []int
	// abandon takes the wait out of its meeting or box. The lock is held.
	abandon func()
	over    chan struct{} // closed at the end
	err     error         // set before that
}

func (h *hub) Communicator(device int) Communicator { return h.members[device] }

func (c *member) Device() int { return c.device }

// stay makes the member wait until w is over; the lock is held and let go. Whoever
// ends the wait says so in w.err.
func (c *member) stay(ctx context.Context, w *wait) error {
	h := c.hub
	w.member, w.over, c.wait = c, make(chan struct{}), w
	h.waiting++
	if err := h.hopeless(w); err != nil {
		h.end([]ending{{w, err}})
	}
	h.endDeadlock()
	h.mu.Unlock()
	timer := time.NewTimer(h.timeout)
	defer timer.Stop()
	select {
	case <-w.over:
	case <-timer.C:
		h.giveUp(w, func() error { return w.missed(h.timeout) })
	case <-ctx.Done():
		h.giveUp(w, func() error { return context.Cause(ctx) })
	}
	return w.err
}

// giveUp ends w with an error, unless it has just ended.
func (h *hub) giveUp(w *wait, err func() error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if w.member.wait == w {
		h.end([]ending{{w, err()}})
	}
}

// ending is a wait with the error that ends it.
type ending struct {
	wait *wait
	err  error
}

// end ends waits. The lock is held. The errors were made before, so that each tells
// what the others wait for.
func (h *hub) end(list []ending) {
	for _, e := range list {
		h.release(e.wait, e.err)
		e.wait.abandon()
	}
}

// release ends w. The lock is held. A member counts as running from here on, not from
// when its goroutine wakes up, so that a deadlock is never seen where there is none.
func (h *hub) release(w *wait, err error) {
	w.err = err
	w.member.wait = nil
	h.waiting--
	close(w.over)
}

// missed returns the error of w, which has waited so long; 0 stands for a wait that
// is over because some cannot come any more, and only those are named then.
func (w *wait) missed(waited time.Duration) error {
	e := &MissingError{Op: w.op, Name: w.name, Group: w.group, Waited: waited}
	for _, d := range w.missing() {
		if excuse := w.member.hub.members[d].excuse(); excuse != "" || waited > 0 {
			e.Missing = append(e.Missing, Absence{Device: d, Reason: excuse})
		}
	}
	return e
}

// excuse says what the member does instead of coming; "" if it is busy.
func (c *member) excuse() string {
	switch {
	case c.ended:
		return "has ended"
	case c.wait == nil:
		return ""
	case c.wait.name == "":
		return "waits in " + c.wait.op
	}
	return "waits in " + c.wait.op + " %" + c.wait.name
}

// hopeless returns the error of a wait that nobody can fulfil any more: after a
// failure, or for a device that has ended; otherwise nil. The lock is held.
func (h *hub) hopeless(w *wait) error {
	if h.failure != nil {
		return h.failure
	}
	if h.anyEnded(w.missing()) {
		return w.missed(0)
	}
	return nil
}

// endDeadlock ends all waits if every device that has not ended waits. The lock is held.
func (h *hub) endDeadlock() {
	if h.waiting < h.running {
		return
	}
	h.endWaits(func(w *wait) error { return w.missed(0) })
}

// endWaits ends the waits for which there is an error. The lock is held.
func (h *hub) endWaits(failing func(*wait) error) {
	var list []ending
	for _, c := range h.members {
		if c.wait == nil {
			continue
		}
		if err := failing(c.wait); err != nil {
			list = append(list, ending{c.wait, err})
		}
	}
	h.end(list)
}

func (h *hub) anyEnded(devices []int) bool {
	for _, d := range devices {
		if h.members[d].ended {
			return true
		}
	}
	return false
}

// Close implements Communicator.
func (c *member) Close(err error) {
	h := c.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	if c.ended {
		return
	}
	c.ended = true
	h.running--
	if _, second := errors.AsType[*PeerError](err); err != nil && !second && h.failure == nil {
		h.failure = &PeerError{Device: c.device, Err: err}
	}
	h.endWaits(h.hopeless)
	h.endDeadlock()
}

// Close implements Session.
func (h *hub) Close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.sent) == 0 || h.failure != nil {
		return nil
	}
	e := &LostError{}
	for _, m := range h.sent {
		e.Transfers = append(e.Transfers, m.transfer)
	}
	sort.SliceStable(e.Transfers, func(i, j int) bool {
		a, b := &e.Transfers[i], &e.Transfers[j]
		return cmp.Or(a.Channel-b.Channel, a.Source-b.Source, a.Target-b.Target) < 0
	})
	return e
}
