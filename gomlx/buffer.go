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
	mem     atomic.Pointer[memory] // nil: finalized or donated
}

// memory is where the elements of a buffer are.
type memory struct {
	data []byte
	flat any // data as a slice of the Go type
	// array is data as an argument of programs; nil where elements are packed, which programs do not take.
	array *xla.Buffer
}

var _ compute.Buffer = (*buffer)(nil)

// newBuffer returns a buffer whose elements are anything.
func (b *Backend) newBuffer(device compute.DeviceNum, s shapes.Shape) (*buffer, error) {
	n := flatBytes(s)
	if limit := b.config.memoryLimit(); n < 0 || int64(n) > limit {
		return nil, errors.Errorf("expected an array of at most %d bytes, the memory limit, got %d for %s", limit, n, s)
	}
	mem := &memory{data: b.pool.get(n)}
	mem.flat = flatKindOf(s.DType).view(mem.data)
	if !isPacked(s.DType) {
		var err error
		if mem.array, err = b.arrayOf(mem.data, s); err != nil {
			return nil, err
		}
	}
	return b.bufferIn(mem, device, s.Clone()), nil
}

// bufferIn returns a buffer of shape s in given memory.
func (b *Backend) bufferIn(mem *memory, device compute.DeviceNum, s shapes.Shape) *buffer {
	buf := &buffer{backend: b, device: device, shape: s}
	buf.mem.Store(mem)
	return buf
}

// arrayOf returns data as an argument of programs.
func (b *Backend) arrayOf(data []byte, s shapes.Shape) (*xla.Buffer, error) {
	if s.DType == dtypes.Bool { // a literal of bytes, which may not be 0 or 1, would be a copy
		d := shape.Strided{Type: shape.Pred, Sizes: append([]int{}, s.Dimensions...)}
		return b.client.Buffer(boolKind.view(padded(data)), d)
	}
	l, err := literalOf(data, s)
	if err != nil {
		return nil, err
	}
	return b.client.BufferOf(l)
}

// Backend returns the backend of the buffer.
func (b *buffer) Backend() compute.Backend { return b.backend }

// Finalize lets go of the memory. It does nothing for a buffer that was donated.
func (b *buffer) Finalize() error {
	if mem := b.mem.Swap(nil); mem != nil {
		b.backend.pool.Put(mem.data)
	}
	return nil
}

// memory returns where the elements are, or an error if the buffer cannot be used any more.
func (b *buffer) memory() (*memory, error) {
	if b != nil {
		if mem := b.mem.Load(); mem != nil {
			return mem, nil
		}
	}
	return nil, errors.New("expected a buffer in use, got one that was finalized or donated")
}

// check returns an error if the buffer cannot be used any more.
func (b *buffer) check() error {
	_, err := b.memory()
	return err
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
	mem, err := b.memory()
	if err != nil {
		return err
	}
	dst, err := bytesOf(flat, b.shape)
	if err != nil {
		return errors.WithMessage(err, "ToFlatData")
	}
	copy(dst, mem.data)
	return nil
}

// Data returns the slice that is the memory of the buffer.
func (b *buffer) Data() (any, error) {
	mem, err := b.memory()
	if err != nil {
		return nil, err
	}
	return mem.flat, nil
}

// CopyToDevice returns a copy of the buffer on another device.
func (b *buffer) CopyToDevice(device compute.DeviceNum) (compute.Buffer, error) {
	mem, err := b.memory()
	if err != nil {
		return nil, err
	}
	return b.backend.BufferFromFlatData(device, mem.flat, b.shape)
}

// literal returns the array as an argument of a program; it shares the memory where elements are not packed.
func (b *buffer) literal() (literal.Literal, error) {
	mem, err := b.memory()
	if err != nil {
		return literal.Literal{}, err
	}
	return literalOf(mem.data, b.shape)
}

// filled returns a buffer of shape s with what fill makes of zeros.
func (b *Backend) filled(device compute.DeviceNum, s shapes.Shape, fill func(l literal.Literal)) (*buffer, error) {
	buf, err := b.newBuffer(device, s)
	if err != nil {
		return nil, err
	}
	mem := buf.mem.Load()
	clear(mem.data)
	l, err := literalOf(mem.data, s)
	if err != nil {
		return nil, err
	}
	fill(l)
	if isPacked(s.DType) || s.DType == dtypes.Bool { // l is a copy
		copy(mem.data, bytesOfLiteral(l))
	}
	return buf, nil
}

// argument returns the array as an argument of a program.
func (b *buffer) argument() (*xla.Buffer, error) {
	mem, err := b.memory()
	if err != nil {
		return nil, err
	}
	if mem.array != nil {
		return mem.array, nil
	}
	l, err := literalOf(mem.data, b.shape)
	if err != nil {
		return nil, err
	}
	return b.backend.client.BufferOf(l)
}
