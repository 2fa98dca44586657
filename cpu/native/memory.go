package native

import (
	"unsafe"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/order"
)

// view returns b as elements of type T. Buffers are aligned for every element type.
func view[T any](b []byte) []T {
	var zero T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(zero)))
}

// part returns the first n elements of type T, of at most 8 bytes, in the memory of words.
func part[T any](words []uint64, n int) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(words))), n)
}

// resized returns a slice of n elements, of unknown content, in the memory of s if that is enough.
func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// parallelLength is the number of elements from which on a single row is worth several threads.
const parallelLength = 1 << 16

// ranges does f on parts of [0, n): on the threads of the pool, or at once where there is none or n is small.
func ranges(pool *exec.Pool, n int, f func(lo, hi int)) {
	if pool == nil || pool.Threads() == 1 || n < parallelLength {
		f(0, n)
		return
	}
	pool.Run(n, 0, exec.JobFunc(func(_, lo, hi int) { f(lo, hi) }))
}

// complexSize is how many bytes the largest element takes.
const complexSize = 16

// mover moves elements of one size.
type mover struct {
	// gather copies g neighbouring lines of n elements, whose first elements lie at base of src and whose next
	// ones lie stride further, to rows of dst; scatter is the way back, of elements u of each line.
	gather  func(dst, src []byte, base, stride, n, g int)
	scatter func(dst, src []byte, base, stride, n, g int, u order.Span)
	// permute sets element i of dst to element order[i] of src.
	permute func(dst, src []byte, order []uint32)
	// arrange is the same for the lower halves of words.
	arrange func(dst, src []byte, words []int64)
}

// movers are those of each element size.
var movers = [complexSize + 1]mover{
	1:  {gather[uint8], scatter[uint8], permute[uint8], arrange[uint8]},
	2:  {gather[uint16], scatter[uint16], permute[uint16], arrange[uint16]},
	4:  {gather[uint32], scatter[uint32], permute[uint32], arrange[uint32]},
	8:  {gather[uint64], scatter[uint64], permute[uint64], arrange[uint64]},
	16: {gather[[2]uint64], scatter[[2]uint64], permute[[2]uint64], arrange[[2]uint64]},
}

func gather[T any](dst, src []byte, base, stride, n, g int) {
	to, from := view[T](dst), view[T](src)
	for i := range n {
		for k, v := range from[base+i*stride:][:g] {
			to[k*n+i] = v
		}
	}
}

func scatter[T any](dst, src []byte, base, stride, n, g int, u order.Span) {
	to, from := view[T](dst), view[T](src)
	for i := u.Lo; i < u.Hi; i++ {
		row := to[base+i*stride:][:g]
		for k := range row {
			row[k] = from[k*n+i]
		}
	}
}

func permute[T any](dst, src []byte, order []uint32) {
	to, from := view[T](dst)[:len(order)], view[T](src)
	for i, k := range order {
		to[i] = from[k]
	}
}

func arrange[T any](dst, src []byte, words []int64) {
	to, from := view[T](dst)[:len(words)], view[T](src)
	for i, w := range words {
		to[i] = from[uint32(w)]
	}
}

// lines are the lines of an array along one dimension: n elements each, inner apart.
type lines struct{ count, n, inner int }

func linesOf(dims []int, d int) lines {
	l := lines{count: 1, n: dims[d], inner: 1}
	for k, size := range dims {
		if k != d {
			l.count *= size
		}
		if k > d {
			l.inner *= size
		}
	}
	return l
}

// base is where the first element of line k is.
func (l lines) base(k int) int { return k/l.inner*l.inner*l.n + k%l.inner }

// group is how many of the lines from k to hi lie side by side, most at the most.
func (l lines) group(k, hi, most int) int { return min(hi-k, l.inner-k%l.inner, most) }
