package shape

import (
	"fmt"
	"iter"
	"slices"
)

// Strided describes a buffer by element type, sizes and strides, as DirectML's
// buffer tensor description does: the element at an index lies Dot(index, strides)
// elements from the start. A stride of 0 repeats elements (a broadcast), a stride
// above the packed one leaves padding. Spec: SHAPES.md, Strided buffers.
type Strided struct {
	// Type is the type of one element, which takes Type.ByteSize bytes.
	Type ElementType
	// Sizes holds the size of each dimension, in logical order (N C H W for rank 4,
	// N C D H W for rank 5, whatever the order in memory).
	Sizes []int
	// Strides holds the distance in elements between neighbours along each dimension;
	// nil means packed row-major. Other orders, broadcasts and padding need it.
	Strides []int
}

// bufferUnit is what the size of a buffer is rounded up to, in bytes.
const bufferUnit = 4

// String returns d for messages: "f32 sizes [2 3] strides [5 1]".
func (d Strided) String() string {
	if d.Strides == nil {
		return fmt.Sprintf("%v sizes %v packed", d.Type, d.Sizes)
	}
	return fmt.Sprintf("%v sizes %v strides %v", d.Type, d.Sizes, d.Strides)
}

// Check returns an error if d is not a valid description: its type is no array
// type, a size or a stride is negative, their numbers differ, or the offset of the
// last element does not fit an int.
func (d Strided) Check() error {
	_, err := d.MinBytes()
	return err
}

func (d Strided) checkNumbers() error {
	if !d.Type.IsArray() {
		return fmt.Errorf("strided buffer: expected an element type, got %v", d.Type)
	}
	if d.Strides != nil && len(d.Strides) != len(d.Sizes) {
		return fmt.Errorf("%v: expected %d strides, got %d", d, len(d.Sizes), len(d.Strides))
	}
	for i, size := range d.Sizes {
		if size < 0 {
			return fmt.Errorf("%v: expected sizes of at least 0, got %d in dimension %d", d, size, i)
		}
		if d.Strides != nil && d.Strides[i] < 0 {
			return fmt.Errorf("%v: expected strides of at least 0, got %d in dimension %d", d, d.Strides[i], i)
		}
	}
	return nil
}

// Rank returns the number of dimensions.
func (d Strided) Rank() int { return len(d.Sizes) }

// Elements returns the logical number of elements, the product of the sizes.
func (d Strided) Elements() (int, error) { return Make(d.Type, d.Sizes...).Elements() }

// ElementStrides returns the strides of d, those of the packed row-major order
// where none are given. The slice is not to be changed.
func (d Strided) ElementStrides() []int {
	if d.Strides == nil {
		return RowMajorStrides(d.Sizes)
	}
	return d.Strides
}

// Explicit returns d with its strides written out.
func (d Strided) Explicit() Strided {
	d.Strides = d.ElementStrides()
	return d
}

// Offset returns the place of the element at index, in elements from the start of
// the buffer. The index must be inside the sizes.
func (d Strided) Offset(index ...int) int { return Dot(index, d.ElementStrides()) }

// Offsets yields the offset of every element in logical (row-major) order.
func (d Strided) Offsets() iter.Seq[int] {
	return func(yield func(int) bool) {
		if slices.Contains(d.Sizes, 0) {
			return
		}
		strides := d.ElementStrides()
		index := make([]int, len(d.Sizes))
		offset := 0
		for ok := true; ok; offset, ok = NextOffset(index, d.Sizes, strides, offset) {
			if !yield(offset) {
				return
			}
		}
	}
}

// MinElements returns how many elements the smallest buffer for d has:
// 1 + sum((size-1) * stride), or 0 if a size is 0. It fails where Check does.
func (d Strided) MinElements() (int, error) {
	if err := d.checkNumbers(); err != nil {
		return 0, err
	}
	n, err := d.Elements()
	if err != nil || n == 0 || d.Strides == nil {
		return n, err
	}
	last := 0
	for i, size := range d.Sizes {
		step, ok := multiply(size-1, d.Strides[i])
		if last += step; !ok || last < 0 {
			return 0, fmt.Errorf("%v: the offset of the last element is above 2^63-1", d)
		}
	}
	if last+1 < 0 {
		return 0, fmt.Errorf("%v: expected at most 2^63-1 elements", d)
	}
	return last + 1, nil
}

// MinBytes returns how many bytes a buffer for d must have: MinElements times the
// element size, rounded up to 4 bytes (the rule of DMLCalcBufferTensorSize). It
// fails where Check does.
func (d Strided) MinBytes() (int, error) {
	n, err := d.ExtentBytes()
	if err != nil {
		return 0, err
	}
	n, ok := roundUp(n, bufferUnit)
	if !ok {
		return 0, fmt.Errorf("%v: expected at most 2^63-1 bytes", d)
	}
	return n, nil
}

// ExtentBytes returns the bytes from the start of the buffer to the end of the last
// element: MinBytes before it is rounded up. It fails where Check does.
func (d Strided) ExtentBytes() (int, error) {
	n, err := d.MinElements()
	if err != nil {
		return 0, err
	}
	n, ok := multiply(n, d.Type.ByteSize())
	if !ok {
		return 0, fmt.Errorf("%v: expected at most 2^63-1 bytes", d)
	}
	return n, nil
}

// CheckBuffer returns an error if a buffer of the given size in bytes is too small
// for d, or if d is not valid.
func (d Strided) CheckBuffer(bytes int) error {
	need, err := d.MinBytes()
	if err != nil {
		return err
	}
	if bytes < need {
		return fmt.Errorf("%v: the buffer has %d bytes, %d are needed", d, bytes, need)
	}
	return nil
}

// IsBroadcast reports whether a dimension of more than one element has stride 0,
// so that its elements are one and the same.
func (d Strided) IsBroadcast() bool { return d.broadcastDim() >= 0 }

func (d Strided) broadcastDim() int {
	for i, stride := range d.Strides {
		if stride == 0 && d.Sizes[i] > 1 {
			return i
		}
	}
	return -1
}

// IsPacked reports whether the elements fill their buffer: no two share an offset,
// and as many elements are there as the smallest buffer has. The order does not
// matter. An invalid description is not packed.
func (d Strided) IsPacked() bool {
	least, err := d.MinElements()
	if err != nil {
		return false
	}
	n, err := d.Elements()
	return err == nil && n == least && !d.Overlaps()
}

// NeedsStrides reports whether d would mean something else without its strides:
// its order is not row-major, or it has a broadcast or padding. The stride of a
// dimension of one element does not matter.
func (d Strided) NeedsStrides() bool {
	if d.Strides == nil || slices.Contains(d.Sizes, 0) {
		return false
	}
	packed := RowMajorStrides(d.Sizes)
	for i, stride := range d.Strides {
		if d.Sizes[i] > 1 && stride != packed[i] {
			return true
		}
	}
	return false
}

// LeftPad returns d with dimensions of size 1 put in front until it has the given
// rank: HW becomes {1, 1, H, W} in rank 4. Given strides stay; each new one is what
// a packed dimension in that place would have. It fails if d has a higher rank.
func (d Strided) LeftPad(rank int) (Strided, error) {
	n := rank - len(d.Sizes)
	if n < 0 {
		return Strided{}, fmt.Errorf("%v: expected at most rank %d, got %d", d, rank, len(d.Sizes))
	}
	if err := d.Check(); err != nil {
		return Strided{}, err
	}
	padded := Strided{Type: d.Type, Sizes: append(slices.Repeat([]int{1}, n), d.Sizes...)}
	if d.Strides == nil {
		return padded, nil
	}
	extent := 1
	for i, size := range d.Sizes {
		if reach, ok := multiply(size, d.Strides[i]); ok {
			extent = max(extent, reach)
		}
	}
	padded.Strides = append(slices.Repeat([]int{extent}, n), d.Strides...)
	return padded, nil
}
