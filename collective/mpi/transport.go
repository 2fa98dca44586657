//go:build linux && (amd64 || arm64)

package mpi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/ebitengine/purego"

	"github.com/goxla/xla/collective"
)

// Options say how MPI is used. The zero value is good.
type Options struct {
	// Library is the MPI library: a path, or a name that the system looks up. Empty means
	// what the environment variable XLA_MPI_LIB says, otherwise the one of the
	// launcher that started this process.
	Library string
	// AllowReorder lets MPI add and multiply floating-point numbers, in whatever order it does. The results
	// may differ in their last bits from those of one process, and from run to run.
	AllowReorder bool
	// OneThread has one thread make all MPI calls even where MPI allows more, for libraries in which that has errors.
	OneThread bool
	// Direct is the size of group up to which members send bytes to each other, instead of by the
	// collectives of MPI, which are made for larger ones. 0 means DefaultDirect, a negative number none.
	// Groups of more than 16 do so by messages of MPI alone, without memory in common, which would grow
	// with the square of their size.
	Direct int

	staged bool // copy all bytes, as between machines
	apart  bool // the last member of a group has no memory in common with the others
}

// DefaultDirect is the size of group up to which members send to each other where Options does not say.
const DefaultDirect = 8

// Transport is a collective.Transport between the processes of an MPI world.
type Transport struct {
	engine   *engine
	launcher launcher
	options  Options
	native   map[reductionKey]*reduction
	turns    turns

	mu       sync.Mutex
	sessions map[uint64]*session
	next     uint64 // the first session that was not opened
	// lanes by group; nil for those of other processes. laneCount is how many were made.
	lanes     map[string]*lane
	laneCount int
	failure   error // of MPI
	closed    bool
}

// New loads the MPI library, initializes MPI and makes the transport. A process can have
// one, once. It fails if there is no library, if it cannot be used from several threads
// in turn, and if the world has another size than the launcher said, which is
// what a library that is not the launcher's looks like.
func New(o Options) (*Transport, error) {
	l, err := findLauncher(os.Getenv)
	if err != nil {
		return nil, err
	}
	t := &Transport{launcher: l, options: o, sessions: map[uint64]*session{}, lanes: map[string]*lane{}}
	t.options.Direct = cmp.Or(o.Direct, DefaultDirect)
	t.engine = &engine{arena: &arena{}, chunk: maxChunk, stage: stageSize, window: windowSize,
		work:    queue{bell: make(chan struct{}, 1)},
		deliver: t.deliver, broken: t.broken}
	if err := t.engine.start(l.candidates(o.Library, os.Getenv), l, o.OneThread); err != nil {
		return nil, err
	}
	t.native = nativeReductions(&t.engine.lib.constants, o.AllowReorder)
	return t, nil
}

// Rank returns the number of this process in the world.
func (t *Transport) Rank() int { return t.engine.rank }

// Size returns the number of processes.
func (t *Transport) Size() int { return t.engine.size }

// Library returns the path of the MPI library and what it says of itself.
func (t *Transport) Library() (path, version string) { return t.engine.lib.path, t.engine.lib.version }

// Local implements collective.Transport: each process has the same number of
// devices, process 0 the first ones.
func (t *Transport) Local(devices int) ([]int, error) {
	if devices < 1 || devices > collective.MaxDevices || devices%t.Size() != 0 {
		return nil, fmt.Errorf("mpi: expects a multiple of %d devices, as many as processes, up to %d, got %d",
			t.Size(), collective.MaxDevices, devices)
	}
	each := devices / t.Size()
	list := make([]int, each)
	for i := range list {
		list[i] = t.Rank()*each + i
	}
	return list, nil
}

// Open implements collective.Transport. All processes open the same runs in the same order.
func (t *Transport) Open(ctx context.Context, r collective.Run) (collective.Session, error) {
	local, err := t.Local(r.Devices)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	if t.closed {
		t.mu.Unlock()
		return nil, errClosed
	}
	s := t.session(t.next)
	t.next++
	failure := t.failure
	t.mu.Unlock()
	t.engine.add(func() { t.engine.sessions++ })
	t.turns.enter(s.id)
	s.open(r, local, failure)
	lanes, err := t.lanesOf(ctx, s, s.run)
	if err != nil {
		t.turns.leave(s.id)
		t.end(s)
		return nil, err
	}
	for d, list := range lanes {
		s.members[d].lanes = list
	}
	return s, nil
}

var errClosed = errors.New("mpi: the transport is closed")

// session returns a session, which messages can ask for before this process has opened
// it; nil if it is over. The lock is held.
func (t *Transport) session(id uint64) *session {
	s := t.sessions[id]
	if s == nil && id >= t.next {
		s = newSession(t, id)
		t.sessions[id] = s
	}
	return s
}

// end forgets a session. One that failed may have left operations on its lanes under way, so the next ones
// make others: all processes know of the failure.
func (t *Transport) end(s *session) {
	s.mu.Lock()
	failed := s.failure != nil || s.lost.Load()
	s.mu.Unlock()
	t.mu.Lock()
	delete(t.sessions, s.id)
	if failed {
		clear(t.lanes)
	}
	t.mu.Unlock()
	t.engine.add(func() { t.engine.sessions-- })
}

// wakeAll lets all who wait look again.
func (t *Transport) wakeAll() {
	t.mu.Lock()
	list := slices.Collect(maps.Values(t.sessions))
	t.mu.Unlock()
	for _, s := range list {
		s.mu.Lock()
		s.wake()
		s.mu.Unlock()
	}
}

// deliver gives a message to its session.
func (t *Transport) deliver(m *message, ready bool) {
	t.mu.Lock()
	s := t.session(m.session)
	t.mu.Unlock()
	if s != nil {
		s.deliver(m, ready)
	} else if ready {
		m.release(t.engine.arena)
	}
}

// broken tells all sessions of an error of MPI.
func (t *Transport) broken(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.failure = err
	for _, s := range t.sessions {
		s.fail(err)
	}
}

// abortTime is how long Abort waits for the library.
const abortTime = 5 * time.Second

// Close ends MPI, after all sessions. All processes call it, once, if no run failed;
// otherwise Abort is right, because the others may not come to the end.
func (t *Transport) Close() error {
	t.mu.Lock()
	closed, open := t.closed, len(t.sessions)
	t.closed = true
	t.mu.Unlock()
	if closed {
		return errClosed
	}
	if open > 0 {
		return fmt.Errorf("mpi: expects all runs to be over, got %d that are not", open)
	}
	return t.engine.do(context.Background(), drainTime+abortTime, t.engine.finalize)
}

// Abort ends all processes of the world with an exit status, this one too. It returns
// only if the library fails to do so.
func (t *Transport) Abort(status int) error {
	return t.engine.abort(status)
}

// Exit ends this process with an exit status, after Close, as a C program ends. Some
// libraries, MPICH 5 among them, tell the launcher only then that the process ended
// well, and a process that goes by os.Exit can cost the others their lives.
func (t *Transport) Exit(status int) {
	if exit, err := purego.Dlsym(purego.RTLD_DEFAULT, "exit"); err == nil {
		purego.SyscallN(exit, integer(status))
	}
	os.Exit(status)
}
