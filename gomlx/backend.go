package gomlx

import (
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
	"github.com/goxla/xla"
	"github.com/pkg/errors"
)

// Name is what the backend is registered as.
const Name = "goxla"

// GoMLX finds backends by what their packages register when they are imported.
func init() { compute.Register(Name, New) }

// Backend runs the graphs of GoMLX. It is safe for concurrent use.
type Backend struct {
	config    Config
	client    *xla.Client
	pool      pool
	compiled  executables
	finalized atomic.Bool
}

var _ compute.Backend = (*Backend)(nil)

// New returns a backend with a configuration as ParseConfig reads it; "" is one device and all threads.
func New(config string) (compute.Backend, error) {
	c, err := ParseConfig(config)
	if err != nil {
		return nil, err
	}
	client, err := xla.NewClient(c.options())
	if err != nil {
		return nil, errors.WithMessage(err, Name)
	}
	return &Backend{config: c, client: client}, nil
}

// Name returns "goxla".
func (b *Backend) Name() string { return Name }

// String returns the name.
func (b *Backend) String() string { return Name }

// Description returns what the backend is and how it is configured, for people.
func (b *Backend) Description() string {
	return fmt.Sprintf("XLA in pure Go, for %s/%s, %d device(s)", runtime.GOOS, runtime.GOARCH, b.config.Devices)
}

// NumDevices returns the number of logical devices.
func (b *Backend) NumDevices() int { return b.config.Devices }

// DeviceDescription returns a description of a device for people.
func (b *Backend) DeviceDescription(device compute.DeviceNum) string {
	return fmt.Sprintf("%s logical device %d of %d", runtime.GOARCH, device, b.config.Devices)
}

// Builder returns a builder for a computation called name.
func (b *Backend) Builder(name string) compute.Builder { return newBuilder(b, name) }

// Finalize makes the backend invalid: nothing can be compiled or executed any more, and what was compiled is freed.
// Buffers can still be read.
func (b *Backend) Finalize() {
	if b.finalized.Swap(true) {
		return
	}
	for _, e := range b.compiled.all() {
		e.Finalize()
	}
	b.client.Close()
	b.pool.Clear()
}

// IsFinalized reports whether Finalize was called.
func (b *Backend) IsFinalized() bool { return b.finalized.Load() }

// BufferFromFlatData returns a buffer with a copy of the elements in flat.
func (b *Backend) BufferFromFlatData(device compute.DeviceNum, flat any, s shapes.Shape) (compute.Buffer, error) {
	if err := b.checkBuffer(device, s); err != nil {
		return nil, errors.WithMessage(err, "BufferFromFlatData")
	}
	src, err := bytesOf(flat, s)
	if err != nil {
		return nil, errors.WithMessage(err, "BufferFromFlatData")
	}
	buf, err := b.newBuffer(device, s)
	if err != nil {
		return nil, errors.WithMessage(err, "BufferFromFlatData")
	}
	copy(buf.mem.Load().data, src)
	return buf, nil
}

// HasSharedBuffers returns true: every buffer is memory of this process.
func (b *Backend) HasSharedBuffers() bool { return true }

// NewSharedBuffer returns a buffer of zeros and the slice that is its memory.
func (b *Backend) NewSharedBuffer(device compute.DeviceNum, s shapes.Shape) (compute.Buffer, any, error) {
	if err := b.checkBuffer(device, s); err != nil {
		return nil, nil, errors.WithMessage(err, "NewSharedBuffer")
	}
	buf, err := b.newBuffer(device, s)
	if err != nil {
		return nil, nil, errors.WithMessage(err, "NewSharedBuffer")
	}
	mem := buf.mem.Load()
	clear(mem.data)
	return buf, mem.flat, nil
}

// checkDevice returns an error unless the backend is in use and has the device.
func (b *Backend) checkDevice(device compute.DeviceNum) error {
	if b.IsFinalized() {
		return errors.Errorf("backend %s was finalized", Name)
	}
	if device < 0 || int(device) >= b.config.Devices {
		return errors.Errorf("expected a device below %d, got %d", b.config.Devices, device)
	}
	return nil
}

func (b *Backend) checkBuffer(device compute.DeviceNum, s shapes.Shape) error {
	if err := b.checkDevice(device); err != nil {
		return err
	}
	if s.IsDynamic() {
		return errors.Errorf("expected a shape of known sizes, got %s", s)
	}
	return checkShape(s)
}
