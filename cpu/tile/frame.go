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
	// lo and hi are the range of the outermost parallel loop.
	lo, hi int64
}

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
	if len(b) == 0 {
		return view{}
	}
	p := unsafe.Pointer(unsafe.SliceData(b))
	return view{
		u8:  b,
		u16: unsafe.Slice((*uint16)(p), len(b)/2),
		u32: unsafe.Slice((*uint32)(p), len(b)/4),
		u64: unsafe.Slice((*uint64)(p), len(b)/8),
		f32: unsafe.Slice((*float32)(p), len(b)/4),
		f64: unsafe.Slice((*float64)(p), len(b)/8),
	}
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
