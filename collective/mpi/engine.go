//go:build linux && (amd64 || arm64)

package mpi

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"time"
	"unsafe"
)

// engine owns MPI. No call waits inside of MPI, so that a process that does not answer stops nobody here.
//
// Where MPI may be called by several threads, all goroutines do, one at a time: whoever waits for something looks
// after all that is under way. Otherwise one goroutine, locked to its thread, makes all calls, and the others wait
// for it.
type engine struct {
	lib        *library
	comm       handle
	rank, size int
	arena      *arena
	chunk      int  // the most bytes of one MPI message
	stage      int  // the most bytes of an array that are copied at a time
	window     int  // the most bytes that a member combines at a time
	direct     bool // all goroutines may call MPI
	work       queue
	// deliver is given a message when its frame has come, and again, with ready, when
	// its body has; once if both have.
	deliver func(m *message, ready bool)
	broken  func(error) // is told of the error after which nothing works any more

	// mu is held by whoever calls MPI, and covers what follows.
	mu       sync.Mutex
	inbox    []*operation // receives of frames, in the order in which they match
	incoming []*operation // receives of bodies
	outgoing []*operation
	flights  []*flight // that the engine's goroutine looks after
	stranded []*lane   // with requests that nobody waits for any more
	sessions int       // that are open
	failed   error
	flag     int32 // set by tests
	stop     bool
}

// operation is a message under way in one or several MPI requests.
type operation struct {
	requests []*uint64 // not over yet
	message  *message
}

const (
	tagFrame = 1
	tagBody  = 2
	// inboxSize is how many frames can come before the engine looks again.
	inboxSize = 16
	// maxChunk keeps counts far below 2^31.
	maxChunk = 1 << 30
	// busyLooks is how often the engine looks for something new before it begins to rest
	// in between, restTime how long then, and idleTime how long between runs.
	busyLooks = 2000
	restTime  = 50 * time.Microsecond
	idleTime  = 2 * time.Millisecond
	// watchTime is how long it rests during a run where those who wait look for themselves.
	watchTime = time.Millisecond
	// drainTime is how long a process at its end waits until all it sent has gone out.
	drainTime = 10 * time.Second
)

// start loads and initializes MPI and begins the goroutine, which makes all calls if oneThread is set.
func (e *engine) start(candidates []string, l launcher, oneThread bool) error {
	begun := make(chan error)
	go func() {
		runtime.LockOSThread() // for good: the thread ends with the goroutine
		err := e.open(candidates, l, oneThread)
		begun <- err
		if err == nil {
			e.loop()
		}
	}()
	return <-begun
}

func (e *engine) open(candidates []string, l launcher, oneThread bool) (err error) {
	restore := saveSignals()
	defer restore()
	if e.lib, err = load(candidates); err != nil {
		return err
	}
	wanted := e.lib.multiple
	if oneThread {
		wanted = e.lib.funneled
	}
	granted, comm, err := e.lib.init(wanted)
	if err != nil {
		return err
	}
	e.comm, e.direct = comm, granted >= e.lib.multiple && !oneThread
	if e.rank, e.size, err = e.lib.place(); err != nil {
		return err
	}
	if err := l.check(e.lib, e.size); err != nil {
		return errors.Join(err, e.lib.check(fnFinalize, e.lib.call(fnFinalize)))
	}
	for range inboxSize {
		if err := e.listen(); err != nil {
			return err
		}
	}
	return nil
}

// loop runs until the engine is stopped. Where others look after what they wait for, it does so now and then.
func (e *engine) loop() {
	for idle := 0; ; {
		e.mu.Lock()
		some := e.step()
		stop, active := e.stop, len(e.outgoing)+len(e.incoming)+len(e.flights) > 0
		running := active || e.sessions > 0
		e.mu.Unlock()
		switch {
		case stop:
			return
		case some && !e.direct:
			idle = 0
		case !running:
			e.rest(idleTime)
		case e.direct && !active:
			e.rest(watchTime)
		case e.direct || idle >= busyLooks:
			e.rest(restTime)
		default:
			idle++
			runtime.Gosched()
		}
	}
}

// step does what others have added and looks after everything under way. It reports whether anything came about.
func (e *engine) step() bool {
	did := e.work.run()
	return !e.stop && e.progress() || did
}

// poll is a step by a goroutine that waits. It does nothing where only the engine's own goroutine calls MPI, or if
// another one is just doing it.
func (e *engine) poll() (some bool) {
	if !e.direct {
		return false
	}
	for e.mu.TryLock() {
		some = e.step() || some
		e.mu.Unlock()
		if !e.work.waiting() { // what was added meanwhile is not seen by those who added it
			break
		}
	}
	return some
}

// rest waits a moment for work.
func (e *engine) rest(d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-e.work.bell:
	case <-t.C:
	}
}

// add has f run by the engine's goroutine, in order, without waiting for it.
func (e *engine) add(f func()) {
	e.work.add(f)
	ring(e.work.bell)
}

// flush has what was added done now, if that is possible, otherwise by the engine's goroutine.
func (e *engine) flush() {
	if e.poll(); e.work.waiting() {
		ring(e.work.bell)
	}
}

// do has f run by the engine's goroutine and waits until it has, for the time given or the end of the context.
func (e *engine) do(ctx context.Context, limit time.Duration, f func() error) error {
	result := make(chan error, 1)
	e.add(func() { result <- f() })
	for range pauses { // of which a stop of the machine is one
		select {
		case err := <-result:
			return err
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(limit / pauses):
		}
	}
	return errBusy
}

var errBusy = errors.New("mpi: the MPI library does not return")

// abort ends all processes of the world.
func (e *engine) abort(status int) error {
	lib := func() error { return e.lib.check(fnAbort, e.lib.call(fnAbort, uintptr(e.lib.world), integer(status))) }
	if !e.direct {
		return e.do(context.Background(), abortTime, lib)
	}
	result := make(chan error, 1) // at once, even if a call does not return
	go func() { result <- lib() }()
	select {
	case err := <-result:
		return err
	case <-time.After(abortTime):
		return errBusy
	}
}

// fail notes the error after which nothing works any more.
func (e *engine) fail(err error) {
	if e.failed == nil {
		e.failed = err
		e.broken(err)
	}
}

// finalize ends MPI once everything has gone out, in the goroutine of the engine.
func (e *engine) finalize() error {
	for end := time.Now().Add(drainTime); len(e.outgoing) > 0 && time.Now().Before(end); {
		if !e.progress() {
			runtime.Gosched()
		}
	}
	if e.failed == nil && len(e.outgoing) > 0 {
		e.failed = errors.New("mpi: messages that nobody takes are left at the end")
	}
	if e.failed != nil {
		return e.failed
	}
	for _, op := range e.inbox {
		for _, r := range op.requests {
			e.lib.call(fnCancel, uintptr(unsafe.Pointer(r)))
			if err := e.lib.check(fnWait, e.lib.call(fnWait, uintptr(unsafe.Pointer(r)), e.lib.statusIgnore)); err != nil {
				return err
			}
		}
	}
	e.stop = true
	return e.lib.check(fnFinalize, e.lib.call(fnFinalize))
}
