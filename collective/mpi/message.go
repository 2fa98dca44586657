//go:build linux && (amd64 || arm64)

package mpi

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// kind is what a message is for.
type kind uint8

const (
	// kindPart has arrays for a member of a meeting, kindMail those of a transfer.
	kindPart kind = iota
	kindMail
	// kindAny has arrays for whoever asks on the channel, kindAsk is such a question;
	// both go to the home of channels.
	kindAny
	kindAsk
	// kindEnded says that a device has ended, and how far it is on its lanes; the name is its error.
	kindEnded
	// kindClosed says that a process has closed the session, and what it did on its lanes.
	kindClosed
	// kindOpened says that a process has opened the session; the name is its machine, the array its cores.
	kindOpened
	// kindWhere asks a process how far it is on its lanes, kindCounts is the answer.
	kindWhere
	kindCounts
)

// header is the start of a message. It has a fixed size.
type header struct {
	session  uint64
	kind     kind
	from, to int32 // devices
	rank     int32 // the process that sends
	channel  int64
	meeting  [sha256.Size]byte
	size     uint64 // of the body
}

const (
	headerSize = 80
	frameSize  = 32 << 10 // a header and a body that fits
	bodyAlign  = 16
)

func (h *header) encode(b []byte) {
	e := binary.LittleEndian
	e.PutUint64(b[0:], h.session)
	e.PutUint64(b[8:], h.size)
	e.PutUint64(b[16:], uint64(h.channel))
	e.PutUint32(b[24:], uint32(h.from))
	e.PutUint32(b[28:], uint32(h.to))
	e.PutUint32(b[32:], uint32(h.rank))
	b[36] = byte(h.kind)
	copy(b[40:], h.meeting[:])
}

func (h *header) decode(b []byte) {
	e := binary.LittleEndian
	*h = header{session: e.Uint64(b[0:]), size: e.Uint64(b[8:]), channel: int64(e.Uint64(b[16:])),
		from: int32(e.Uint32(b[24:])), to: int32(e.Uint32(b[28:])), rank: int32(e.Uint32(b[32:])),
		kind: kind(b[36]), meeting: [sha256.Size]byte(b[40:72])}
}

// message is a header with a body: a name and arrays. A body that does not fit in the
// frame has a buffer of its own, which follows in chunks.
type message struct {
	header
	frame, body []byte
	queued      bool // the frame was delivered
	ready       bool // the body is there
}

// fits reports whether the body is in the frame.
func (h *header) fits() bool { return h.size <= frameSize-headerSize }

// newMessage encodes a message in memory of the arena.
func newMessage(a *arena, h header, name string, arrays []literal.Literal) (*message, error) {
	h.size = uint64(bodySize(name, arrays))
	frame := headerSize
	if h.fits() {
		frame += int(h.size)
	}
	m := &message{header: h, ready: true}
	var err error
	if m.frame, err = a.get(frame); err != nil {
		return nil, err
	}
	if err := m.room(a); err != nil {
		a.put(m.frame)
		return nil, err
	}
	h.encode(m.frame)
	encodeBody(m.body, name, arrays)
	return m, nil
}

// room sets the body, in the frame or in memory of its own.
func (m *message) room(a *arena) (err error) {
	if m.fits() {
		m.body = m.frame[headerSize : headerSize+int(m.size)]
		return nil
	}
	m.body, err = a.get(int(m.size))
	return err
}

// release gives the memory back to the arena.
func (m *message) release(a *arena) {
	if !m.fits() {
		a.put(m.body)
	}
	a.put(m.frame)
	m.frame, m.body = nil, nil
}

func roundUp(n int) int { return (n + bodyAlign - 1) / bodyAlign * bodyAlign }

func preambleSize(name string, arrays []literal.Literal) int {
	n := 8 + len(name)
	for _, x := range arrays {
		n += 2 + 8*len(x.Dims())
	}
	return n
}

func bodySize(name string, arrays []literal.Literal) int {
	n := roundUp(preambleSize(name, arrays))
	for _, x := range arrays {
		n += roundUp(len(x.Bytes()))
	}
	return n
}

func encodeBody(b []byte, name string, arrays []literal.Literal) {
	e := binary.LittleEndian
	e.PutUint32(b, uint32(len(name)))
	e.PutUint32(b[4:], uint32(len(arrays)))
	at := 8 + copy(b[8:], name)
	for _, x := range arrays {
		b[at], b[at+1] = byte(x.Type()), byte(len(x.Dims()))
		at += 2
		for _, d := range x.Dims() {
			e.PutUint64(b[at:], uint64(d))
			at += 8
		}
	}
	at = roundUp(at)
	for _, x := range arrays {
		at += roundUp(copy(b[at:], x.Bytes()))
	}
}

// name returns the name in the body.
func (m *message) name() string {
	n := binary.LittleEndian.Uint32(m.body)
	return string(m.body[8 : 8+n])
}

// block is an array in a body.
type block struct {
	shape shape.Shape
	bytes []byte
}

// blocks returns the arrays, which share the memory of the body.
func (m *message) blocks() []block {
	e := binary.LittleEndian
	at, list := 8+int(e.Uint32(m.body)), make([]block, e.Uint32(m.body[4:]))
	for i := range list {
		dims := make([]int, m.body[at+1])
		t := shape.ElementType(m.body[at])
		at += 2
		for d := range dims {
			dims[d] = int(e.Uint64(m.body[at:]))
			at += 8
		}
		list[i].shape = shape.Make(t, dims...)
	}
	at = roundUp(at)
	for i := range list {
		n := list[i].shape.Size() * list[i].shape.Type.ByteSize()
		list[i].bytes = m.body[at : at+n]
		at += roundUp(n)
	}
	return list
}

// blocksOf returns arrays of this process as if they had come in a message.
func blocksOf(arrays []literal.Literal) []block {
	list := make([]block, len(arrays))
	for i, x := range arrays {
		list[i] = block{shape.Make(x.Type(), x.Dims()...), x.Bytes()}
	}
	return list
}

// sameShapes checks that arrays given by a device have the shapes of those wanted.
func sameShapes(want []literal.Literal, got []block, from int) error {
	if len(want) != len(got) {
		return fmt.Errorf("expects %d arrays of device %d, got %d", len(want), from, len(got))
	}
	for i, w := range want {
		if w.Type() != got[i].shape.Type || !slices.Equal(w.Dims(), got[i].shape.Dims) {
			return fmt.Errorf("expects %s of device %d, got %s", w.Shape().StringNoLayout(), from,
				got[i].shape.StringNoLayout())
		}
	}
	return nil
}

// copyAll copies arrays given by a device.
func copyAll(recv []literal.Literal, got []block, from int) error {
	if err := sameShapes(recv, got, from); err != nil {
		return err
	}
	for i := range recv {
		copy(recv[i].Bytes(), got[i].bytes)
	}
	return nil
}
