//go:build linux && (amd64 || arm64)

package mpi

import (
	"errors"
	"runtime"
	"slices"
	"sync"
	"time"
	"unsafe"
)

// engine owns MPI: one goroutine, locked to its thread, makes all calls. It starts
// sends and receives and looks after them, and never waits inside of MPI, so that a
// process that does not answer stops nobody here.
type engine struct {
	lib        *library
	comm       handle
	rank, size int
	arena      *arena
	chunk      int // the most bytes of one MPI message
	work       queue
	// deliver is given a message when its frame has come, and again, with ready, when
	// its body has; once if both have.
	deliver func(m *message, ready bool)
	broken  func(error) // is told of the error after which nothing works any more

	// What follows belongs to the goroutine.
	inbox    []*operation // receives of frames, in the order in which they match
	incoming []*operation // receives of bodies
	outgoing []*operation
	sessions int // that are open
	failed   error
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
	// drainTime is how long a process at its end waits until all it sent has gone out.
	drainTime = 10 * time.Second
)

// start loads and initializes MPI and begins the goroutine.
func (e *engine) start(candidates []string, l launcher) error {
	begun := make(chan error)
	go func() {
		runtime.LockOSThread() // for good: the thread ends with the goroutine
		err := e.open(candidates, l)
		begun <- err
		if err == nil {
			e.loop()
		}
	}()
	return <-begun
}

func (e *engine) open(candidates []string, l launcher) (err error) {
	restore := saveSignals()
	defer restore()
	if e.lib, err = load(candidates); err != nil {
		return err
	}
	if e.comm, err = e.lib.init(); err != nil {
		return err
	}
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

// loop runs until the engine is stopped.
func (e *engine) loop() {
	idle := 0
	for {
		some := e.work.run()
		if e.stop {
			return
		}
		if !some && e.sessions == 0 && len(e.outgoing) == 0 && len(e.incoming) == 0 {
			e.progress() // what was sent may still be in the library
			e.rest(idleTime)
			continue
		}
		if e.progress() || some {
			idle = 0
			continue
		}
		if idle++; idle < busyLooks {
			runtime.Gosched()
			continue
		}
		e.rest(restTime)
	}
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

// queue is the work that other goroutines have for the engine. Adding to it never waits.
type queue struct {
	mu   sync.Mutex
	list []func()
	bell chan struct{} // rings when there is something new
}

func (q *queue) add(f func()) {
	q.mu.Lock()
	q.list = append(q.list, f)
	q.mu.Unlock()
	ring(q.bell)
}

// ring lets one who waits for the bell, or the next one, go on.
func ring(bell chan struct{}) {
	select {
	case bell <- struct{}{}:
	default:
	}
}

// run does the work and reports whether there was any.
func (q *queue) run() bool {
	q.mu.Lock()
	list := q.list
	q.list = nil
	q.mu.Unlock()
	for _, f := range list {
		f()
	}
	return len(list) > 0
}

// do has f run by the engine and waits until it has, or for the time given.
func (e *engine) do(limit time.Duration, f func() error) error {
	result := make(chan error, 1)
	t := time.NewTimer(limit)
	defer t.Stop()
	e.work.add(func() { result <- f() })
	select {
	case err := <-result:
		return err
	case <-t.C:
		return errBusy
	}
}

var errBusy = errors.New("mpi: the MPI library does not return")

// post sends a message to another process.
func (e *engine) post(rank int, m *message) {
	e.work.add(func() {
		if err := e.send(rank, m); err != nil {
			e.fail(err)
		}
	})
}

func (e *engine) send(rank int, m *message) error {
	if e.failed != nil {
		m.release(e.arena)
		return nil
	}
	op := &operation{message: m}
	e.outgoing = append(e.outgoing, op)
	if err := e.begin(op, fnIsend, m.frame, int32(rank), tagFrame); err != nil || m.fits() {
		return err
	}
	return e.beginBody(op, fnIsend, int32(rank))
}

// begin starts a send or a receive of b.
func (e *engine) begin(op *operation, f function, b []byte, rank int32, tag int) error {
	request := new(uint64)
	code := e.lib.call(f, uintptr(unsafe.Pointer(&b[0])), integer(len(b)), uintptr(e.lib.bytes), integer(rank),
		integer(tag), uintptr(e.comm), address(request))
	if err := e.lib.check(f, code); err != nil {
		return err
	}
	op.requests = append(op.requests, request)
	return nil
}

// beginBody starts to send or receive the chunks of a body. Both sides do it in the
// order of the frames, in which MPI matches them.
func (e *engine) beginBody(op *operation, f function, rank int32) error {
	for chunk := range slices.Chunk(op.message.body, e.chunk) {
		if err := e.begin(op, f, chunk, rank, tagBody); err != nil {
			return err
		}
	}
	return nil
}

// listen starts to receive a frame.
func (e *engine) listen() error {
	frame, err := e.arena.get(frameSize)
	if err != nil {
		return err
	}
	op := &operation{message: &message{frame: frame}}
	e.inbox = append(e.inbox, op)
	return e.begin(op, fnIrecv, frame, e.lib.anySource, tagFrame)
}

// progress looks after everything under way and reports whether anything came about.
func (e *engine) progress() bool {
	if e.failed != nil {
		return false
	}
	frame, err1 := e.progressInbox()
	in, err2 := e.finish(&e.incoming, func(m *message) { e.deliver(m, true) })
	out, err3 := e.finish(&e.outgoing, func(m *message) { m.release(e.arena) })
	if err := errors.Join(err1, err2, err3); err != nil {
		e.fail(err)
	}
	return frame || in || out
}

// progressInbox takes the frames that have come.
func (e *engine) progressInbox() (some bool, err error) {
	for {
		op := e.inbox[0]
		if over, err := e.over(op); err != nil || !over {
			return some, err
		}
		some = true
		e.inbox = e.inbox[1:]
		if err := e.take(op.message); err != nil {
			return some, err
		}
		if err := e.listen(); err != nil {
			return some, err
		}
	}
}

// take hands on a message whose frame has come, and has its body come.
func (e *engine) take(m *message) error {
	m.decode(m.frame)
	if err := m.room(e.arena); err != nil {
		return err
	}
	if !m.fits() {
		op := &operation{message: m}
		e.incoming = append(e.incoming, op)
		if err := e.beginBody(op, fnIrecv, m.rank); err != nil {
			return err
		}
	}
	e.deliver(m, m.fits())
	return nil
}

// finish takes the operations that are over out of a list.
func (e *engine) finish(list *[]*operation, then func(*message)) (some bool, err error) {
	left := (*list)[:0]
	for _, op := range *list {
		over, failure := e.over(op)
		err = errors.Join(err, failure)
		if !over {
			left = append(left, op)
			continue
		}
		some = true
		then(op.message)
	}
	clear((*list)[len(left):])
	*list = left
	return some, err
}

// over reports whether all requests of op are over.
func (e *engine) over(op *operation) (bool, error) {
	for len(op.requests) > 0 {
		flag := new(int32)
		code := e.lib.call(fnTest, address(op.requests[0]), address(flag), e.lib.statusIgnore)
		if err := e.lib.check(fnTest, code); err != nil || *flag == 0 {
			return false, err
		}
		op.requests = op.requests[1:]
	}
	return true, nil
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
			e.lib.call(fnCancel, address(r))
			if err := e.lib.check(fnWait, e.lib.call(fnWait, address(r), e.lib.statusIgnore)); err != nil {
				return err
			}
		}
	}
	e.stop = true
	return e.lib.check(fnFinalize, e.lib.call(fnFinalize))
}
