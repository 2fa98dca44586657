//go:build linux && (amd64 || arm64)

package mpi

import (
	"errors"
	"slices"
	"unsafe"
)

// post sends a message to another process, by the next flush at the latest.
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
		integer(tag), uintptr(e.comm), uintptr(unsafe.Pointer(request)))
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
	flown := e.progressFlights()
	e.progressStranded()
	if err := errors.Join(err1, err2, err3); err != nil {
		e.fail(err)
	}
	return frame || in || out || flown
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
		e.flag = 0
		code := e.lib.call(fnTest, uintptr(unsafe.Pointer(op.requests[0])), uintptr(unsafe.Pointer(&e.flag)),
			e.lib.statusIgnore)
		if err := e.lib.check(fnTest, code); err != nil || e.flag == 0 {
			return false, err
		}
		op.requests = op.requests[1:]
	}
	return true, nil
}
