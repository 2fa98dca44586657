package gomlx

import (
	"sync/atomic"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/goxla/xla"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
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
	// array is data as an argument of programs; nil where elements are packed, which programs do not take.
	array *xla.Buffer
}

var _ compute.Buffer = (*buffer)(nil)

// newBuffer returns a buffer whose elements are anything.
func (b *Backend) newBuffer(device compute.DeviceNum, s shapes.Shape) (*buffer, error) {
	buf := &buffer{backend: b, device: device, shape: s.Clone(), data: b.pool.get(flatBytes(s))}
	buf.flat = flatKindOf(s.DType).view(buf.data)
	if isPacked(s.DType) {
		return buf, nil
	}
	if s.DType == dtypes.Bool { // a literal of bytes, which may not be 0 or 1, would be a copy
		d := shape.Strided{Type: shape.Pred, Sizes: append([]int{}, s.Dimensions...)}
		var err error
		buf.array, err = b.client.Buffer(boolKind.view(padded(buf.data)), d)
		return buf, err
	}
	l, err := literalOf(buf.data, s)
	if err != nil {
		return nil, err
	}
	buf.array, err = b.client.BufferOf(l)
	return buf, err
}

// Backend returns the backend of the buffer.
func (b *buffer) Backend() compute.Backend { return b.backend }

// Finalize lets go of the memory. It does nothing for a buffer that was donated.
func (b *buffer) Finalize() error {
	if !b.gone.Swap(true) {
		b.backend.pool.put(b.data)
		b.data, b.flat, b.array = nil, nil, nil
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

// bufferOf returns a buffer with a copy of the elements of l.
func (b *Backend) bufferOf(device compute.DeviceNum, l literal.Literal) (*buffer, error) {
	buf, err := b.newBuffer(device, shapeOf(l.Shape()))
	if err == nil {
		copy(buf.data, bytesOfLiteral(l))
	}
	return buf, err
}

// argument returns the array as an argument of a program.
func (b *buffer) argument() (*xla.Buffer, error) {
	if err := b.check(); err != nil {
		return nil, err
	}
	if b.array != nil {
		return b.array, nil
	}
	l, err := literalOf(b.data, b.shape)
	if err != nil {
		return nil, err
	}
	return b.backend.client.BufferOf(l)
}
