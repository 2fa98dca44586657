package gomlx

import (
	"sync/atomic"
	"unsafe"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
	"github.com/goxla/xla/literal"
	"github.com/pkg/errors"
)

// buffer is an array in the memory of this process.
type buffer struct {
	backend *Backend
	device  compute.DeviceNum
	shape   shapes.Shape
	data    []byte
	flat    any // data as a slice of the Go type
	gone    atomic.Bool
}

var _ compute.Buffer = (*buffer)(nil)

func (b *Backend) newBuffer(device compute.DeviceNum, s shapes.Shape) *buffer {
	data, flat := newFlat(s)
	return &buffer{backend: b, device: device, shape: s.Clone(), data: data, flat: flat}
}

// Backend returns the backend of the buffer.
func (b *buffer) Backend() compute.Backend { return b.backend }

// Finalize lets go of the memory. It does nothing for a buffer that was donated.
func (b *buffer) Finalize() error {
	if !b.gone.Swap(true) {
		b.data, b.flat = nil, nil
	}
	return nil
}

// check returns an error if the buffer cannot be used any more.
func (b *buffer) check() error {
	if b == nil || b.gone.Load() {
		return errors.New("expected a buffer in use, got one that was finalized or donated")
	}
	return nil
}

// Shape returns the shape of the array.
func (b *buffer) Shape() (shapes.Shape, error) {
	if err := b.check(); err != nil {
		return shapes.Invalid(), err
	}
	return b.shape, nil
}

// DeviceNum returns the device that the buffer is on.
func (b *buffer) DeviceNum() (compute.DeviceNum, error) { return b.device, b.check() }

// ToFlatData copies the elements to flat.
func (b *buffer) ToFlatData(flat any) error {
	if err := b.check(); err != nil {
		return err
	}
	dst, err := bytesOf(flat, b.shape)
	if err != nil {
		return errors.WithMessage(err, "ToFlatData")
	}
	copy(dst, b.data)
	return nil
}

// Data returns the slice that is the memory of the buffer.
func (b *buffer) Data() (any, error) {
	if err := b.check(); err != nil {
		return nil, err
	}
	return b.flat, nil
}

// CopyToDevice returns a copy of the buffer on another device.
func (b *buffer) CopyToDevice(device compute.DeviceNum) (compute.Buffer, error) {
	if err := b.check(); err != nil {
		return nil, err
	}
	return b.backend.BufferFromFlatData(device, b.flat, b.shape)
}

// literal returns the array as an argument of a program; it shares the memory where elements are not packed.
func (b *buffer) literal() (literal.Literal, error) {
	if err := b.check(); err != nil {
		return literal.Literal{}, err
	}
	return literalOf(b.data, b.shape)
}

// bufferOf returns a buffer with the elements of l, in the memory of l where it can be used by others.
func (b *Backend) bufferOf(device compute.DeviceNum, l literal.Literal, s shapes.Shape, taken *memory) *buffer {
	data, flat := flatOf(l)
	buf := &buffer{backend: b, device: device, shape: s, data: data, flat: flat}
	if !taken.take(data) {
		buf.data, buf.flat = newFlat(s)
		copy(buf.data, data)
	}
	return buf
}

// memory are blocks of bytes that have an owner.
type memory struct{ blocks [][2]uintptr }

// take reports whether nobody owns a part of data yet, and makes it owned.
func (m *memory) take(data []byte) bool {
	if len(data) == 0 {
		return true
	}
	start := uintptr(unsafe.Pointer(unsafe.SliceData(data)))
	end := start + uintptr(len(data))
	for _, b := range m.blocks {
		if start < b[1] && b[0] < end {
			return false
		}
	}
	m.blocks = append(m.blocks, [2]uintptr{start, end})
	return true
}
