package tile

import (
	"unsafe"

	"github.com/goxla/xla/cpu/loop"
)

// frame is the state of one run on one goroutine: registers, loop variables, buffers.
type frame struct {
	f32  [][]float32
	f64  [][]float64
	i32  [][]uint32
	i64  [][]uint64
	mask [][]bool
	vars []int64
	bufs []view
	// ranges are those of the outermost parallel loop, and of the second one of a nest that is Divided.
	ranges [2]span
}

// span is iterations [lo, hi) of a loop.
type span struct{ lo, hi int64 }

// view is a buffer as arrays of each memory type: whole elements only, so indexing one past
// the end panics, as with any slice.
type view struct {
	u8  []uint8
	u16 []uint16
	u32 []uint32
	u64 []uint64
	f32 []float32
	f64 []float64
}

// viewOf makes the views of a buffer. The memory must be aligned for its elements; it is
// kept alive by the slices.
func viewOf(b []byte) view {
	return view{u8: b, u16: elements[uint16](b), u32: elements[uint32](b), u64: elements[uint64](b),
		f32: elements[float32](b), f64: elements[float64](b)}
}

// elements is b as whole elements of type T.
func elements[T uint16 | uint32 | uint64 | float32 | float64](b []byte) []T {
	var zero T
	n := len(b) / int(unsafe.Sizeof(zero))
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), n)
}

// slots is how many registers of each kind there are.
type slots [5]int

func slotKind(k loop.Kind) int { return int(k) - int(loop.Mask) }

func newFrame(s slots, vars, bufs int) *frame {
	return &frame{
		mask: registers[bool](s[slotKind(loop.Mask)]),
		i32:  registers[uint32](s[slotKind(loop.I32)]),
		i64:  registers[uint64](s[slotKind(loop.I64)]),
		f32:  registers[float32](s[slotKind(loop.F32)]),
		f64:  registers[float64](s[slotKind(loop.F64)]),
		vars: make([]int64, vars),
		bufs: make([]view, bufs),
	}
}

func registers[T any](n int) [][]T {
	all := make([]T, n*Width)
	out := make([][]T, n)
	for i := range out {
		out[i] = all[i*Width : (i+1)*Width : (i+1)*Width]
	}
	return out
}

// number is what a register lane is in Go.
type number interface {
	bool | uint32 | uint64 | float32 | float64
}

// file returns the registers of the type T.
func file[T number](f *frame) [][]T {
	var zero T
	switch any(zero).(type) {
	case bool:
		return *(*[][]T)(unsafe.Pointer(&f.mask))
	case uint32:
		return *(*[][]T)(unsafe.Pointer(&f.i32))
	case uint64:
		return *(*[][]T)(unsafe.Pointer(&f.i64))
	case float32:
		return *(*[][]T)(unsafe.Pointer(&f.f32))
	}
	return *(*[][]T)(unsafe.Pointer(&f.f64))
}
