package xla

import (
	"fmt"
	"reflect"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/internal/blocks"
	"github.com/goxla/xla/internal/huge"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// Buffer is an array in memory that programs read and write where it is: a view of Go memory, or memory of the
// client. It may be an argument of several runs at the same time; while a run writes to it nobody else may use it.
type Buffer struct {
	shape shape.Shape
	array cpu.Array
	// owner keeps what the bytes are part of.
	owner any
	gone  atomic.Bool // it was donated to a run, or released
	// free is where the memory goes that nobody needs any more; nil: it is somebody else's.
	free *blocks.Pool
	// repeats: elements share a place, so it cannot be a result. inPlace: a program can be compiled for its strides.
	repeats, inPlace bool
}

// Buffer returns a view of data, a slice of numbers or bools, which is not copied: d tells where in it the elements
// are. Without Type in d it is that of data, without Sizes the view is all of data. The strides may leave gaps, as
// padding does, be in any order, and be 0 to repeat an element. It fails if the elements are not all in data.
//
// Programs read and write memory on huge pages faster. What NewBuffer and runs make lies on such where the system has
// them, and so does a large slice that nobody has written to before it is given to Buffer.
func (c *Client) Buffer(data any, d shape.Strided) (*Buffer, error) {
	v := reflect.ValueOf(data)
	if v.Kind() != reflect.Slice {
		return nil, fmt.Errorf("xla: Buffer: expects a slice of numbers, got %T", data)
	}
	l, err := literal.FromAny(reflect.MakeSlice(v.Type(), 0, 0).Interface())
	if err != nil || l.Shape().Rank() != 1 {
		return nil, fmt.Errorf("xla: Buffer: expects a slice of numbers, got %T", data)
	}
	if d.Type == shape.Invalid {
		d.Type = l.Type()
	}
	if d.Type != l.Type() {
		return nil, fmt.Errorf("xla: Buffer: expects data of type %v, got %T", d.Type, data)
	}
	if d.Sizes == nil {
		d.Sizes = []int{v.Len()}
	}
	if err := d.Check(); err != nil {
		return nil, fmt.Errorf("xla: Buffer: %w", err)
	}
	bytes := unsafe.Slice((*byte)(v.UnsafePointer()), v.Len()*d.Type.ByteSize())
	need, err := d.ExtentBytes()
	if err == nil && len(bytes) < need {
		err = fmt.Errorf("%v: the buffer has %d bytes, %d are needed", d, len(bytes), need)
	}
	if err != nil {
		return nil, fmt.Errorf("xla: Buffer: %w", err)
	}
	huge.Advise(bytes[:need])
	b := &Buffer{shape: shape.Make(d.Type, d.Sizes...), array: cpu.Array{Bytes: bytes[:need]}, owner: data}
	if !isRowMajor(d) {
		b.array.Strides, b.repeats = slices.Clone(d.ElementStrides()), d.CheckResult() != nil
		b.inPlace = cpu.InPlace(d.Sizes, b.array.Strides)
	}
	return b, nil
}

// isRowMajor reports whether the elements of d stand one behind the other in row-major order.
func isRowMajor(d shape.Strided) bool {
	packed, strides := shape.RowMajorStrides(d.Sizes), d.ElementStrides()
	for k, n := range d.Sizes {
		if n > 1 && strides[k] != packed[k] {
			return slices.Contains(d.Sizes, 0)
		}
	}
	return true
}

// NewBuffer returns a buffer of zeros, for the results of RunInto.
func (c *Client) NewBuffer(s shape.Shape) (*Buffer, error) {
	b, used, err := c.newBuffer(s, literal.New)
	if used {
		clear(b.array.Bytes)
	}
	return b, err
}

// newBuffer is NewBuffer in memory that was used before, which is not cleared, or else in new memory.
func (c *Client) newBuffer(s shape.Shape, memory func(shape.Shape) literal.Literal) (b *Buffer, used bool, err error) {
	if err := literal.CheckSize(s); err != nil {
		return nil, false, fmt.Errorf("xla: NewBuffer: %w", err)
	}
	if !s.IsArray() || !s.IsStatic() {
		return nil, false, fmt.Errorf("xla: NewBuffer: expects an array of constant size, got %v", s)
	}
	s = s.WithDefaultLayouts()
	bytes := c.free.Get(s.Size() * s.Type.ByteSize())
	if used = bytes != nil; !used {
		bytes = memory(s).Bytes()
	}
	return &Buffer{shape: s, array: cpu.Array{Bytes: bytes}, owner: bytes, free: c.free}, used, nil
}

// BufferOf returns a buffer of the elements of l, an array, which it shares.
func (c *Client) BufferOf(l literal.Literal) (*Buffer, error) {
	if !l.IsValid() || !l.Shape().IsArray() {
		return nil, fmt.Errorf("xla: BufferOf: expects an array, got %v", l.Shape())
	}
	return bufferOf(l.RowMajor()), nil
}

func bufferOf(l literal.Literal) *Buffer {
	return &Buffer{shape: l.Shape(), array: cpu.Array{Bytes: l.Bytes()}, owner: l}
}

// Shape returns the shape.
func (b *Buffer) Shape() shape.Shape { return b.shape }

// Release says that nobody uses the buffer any more, nor a literal that Literal made of it. It cannot be used again.
// Memory of the client, which has the results of RunBuffers and what NewBuffer made, is then for results of later runs,
// so that runs over and over get by with the same memory, which is mapped and perhaps in the caches. A buffer that is
// not released is garbage once it cannot be reached. Release does nothing to a buffer that was donated or released.
func (b *Buffer) Release() {
	if !b.gone.Swap(true) && b.free != nil {
		b.free.Put(b.array.Bytes)
	}
}

// Literal returns the array: in the memory of the buffer if that is in row-major order, else a copy. It fails for a
// buffer that was donated or released.
func (b *Buffer) Literal() (literal.Literal, error) {
	if b.gone.Load() {
		return literal.Literal{}, fmt.Errorf("xla: the buffer %v was donated to a run or released", b.shape)
	}
	return b.elements()
}

// elements is Literal of a buffer that may have been donated to the run that asks.
func (b *Buffer) elements() (literal.Literal, error) {
	if b.array.Strides == nil {
		return literal.FromBytes(b.shape, b.array.Bytes[:b.shape.Size()*b.shape.Type.ByteSize()])
	}
	l := literal.New(b.shape)
	cpu.Pack(l.Bytes(), b.array, b.shape)
	return l, nil
}
