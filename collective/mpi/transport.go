//go:build linux && (amd64 || arm64)

package mpi

import (
	"context"
	"errors"
	"fmt"
	"os"
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
}

// Transport is a collective.Transport between the processes of an MPI world.
type Transport struct {
	engine   *engine
	launcher launcher

	mu       sync.Mutex
	sessions map[uint64]*session
	next     uint64 // the first session that was not opened
	failure  error  // of MPI
	closed   bool
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
	t := &Transport{launcher: l, sessions: map[uint64]*session{}}
	t.engine = &engine{arena: &arena{}, chunk: maxChunk, work: queue{bell: make(chan struct{}, 1)},
		deliver: t.deliver, broken: t.broken}
	if err := t.engine.start(l.candidates(o.Library, os.Getenv), l); err != nil {
		return nil, err
	}
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
func (t *Transport) Open(_ context.Context, r collective.Run) (collective.Session, error) {
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
	t.engine.work.add(func() { t.engine.sessions++ })
	s.open(r, local, failure)
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

// end forgets a session.
func (t *Transport) end(id uint64) {
	t.mu.Lock()
	delete(t.sessions, id)
	t.mu.Unlock()
	t.engine.work.add(func() { t.engine.sessions-- })
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
	return t.engine.do(drainTime+abortTime, t.engine.finalize)
}

// Abort ends all processes of the world with an exit status, this one too. It returns
// only if the library fails to do so.
func (t *Transport) Abort(status int) error {
	lib := func() error {
		l := t.engine.lib
		return l.check(fnAbort, l.call(fnAbort, uintptr(l.world), integer(status)))
	}
	return t.engine.do(abortTime, lib)
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
