package native

import (
	"unsafe"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/order"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/pass/match"
	"github.com/goxla/xla/shape"
)

// unsigned is the type of the bits of a key.
type unsigned interface {
	uint8 | uint16 | uint32 | uint64
}

// keyMap makes unsigned integers of elements, so that their order is that of the elements: the sign bit of
// signed integers and floats is flipped, negative floats have all other bits flipped as well, and
// where the order is descending all bits are.
type keyMap[U unsigned] struct {
	shift     uint // of the sign bit
	negative  U    // what is flipped if it is set
	flip      U    // what is flipped always
	magnitude U    // all bits but the sign
	infinity  U    // the largest magnitude that is a number, 0 for integers
}

// newKeyMap returns the map of elements of type t.
func newKeyMap[U unsigned](t shape.ElementType, descending bool) *keyMap[U] {
	bits := max(t.Bits(), 8)
	format, isFloat := literal.FloatFormat(t)
	if isFloat {
		bits = t.Bits()
	}
	all := ^U(0) >> (8*sizeOf[U]() - uint(bits))
	m := &keyMap[U]{shift: uint(bits - 1), magnitude: all >> 1}
	switch {
	case isFloat && format.HasSign:
		m.negative, m.flip = all>>1, all>>1+1
	case t.IsSigned():
		m.flip = all>>1 + 1
	}
	if isFloat && format.HasInf {
		m.infinity = (U(1)<<format.ExponentBits - 1) << format.MantissaBits
	}
	if descending {
		m.flip ^= all
	}
	return m
}

func sizeOf[U unsigned]() uint { return uint(unsafe.Sizeof(U(0))) }

// key is the key of the element with bits x.
func (m *keyMap[U]) key(x U) U { return x ^ (-(x >> m.shift) & m.negative) ^ m.flip }

// restore is the inverse of key.
func (m *keyMap[U]) restore(k U) U {
	x := k ^ m.flip // with the sign bit of the element
	return x ^ (-(x >> m.shift) & m.negative)
}

// canonical makes all zeros and all NaNs one.
func (m *keyMap[U]) canonical(x U) U {
	switch mag := x & m.magnitude; {
	case mag == 0:
		return 0
	case mag > m.infinity:
		return m.magnitude
	}
	return x
}

// column is what a sort does with the elements of a key operand, given as bytes.
type column interface {
	// survey tells which values there are that the order may not tell apart.
	survey(src []byte) (nan, negativeZero bool)
	surveyBy(code *order.Code, pool *exec.Pool, scratch, src []byte) (nan, negativeZero bool)
	// words sets dst[i] to 32 bits of the key of element order[i], in front of order[i] itself: bits from
	// half*32 on. A nil order is that of the elements.
	words(dst []uint64, src []byte, order []uint32, half uint, canonical bool, lo, hi int)
	// wide sets dst to keys and returns the canonical one of NaN.
	wide(dst []uint64, src []byte, canonical bool) (nan uint64)
	// sortRow sets elements u of dst to those of src, which may be the same array, in order. code may be nil.
	sortRow(code *order.Code, r *radixRun, dst, src []byte, u order.Span)
	// sortLoose is the same for all elements where all zeros are equal, and all NaNs are.
	sortLoose(code *order.Code, r *radixRun, dst, src []byte)
	// sortRows sets elements u of each row of n of dst to those of src in order; false if there is a number that is looked
	// for, a NaN or a negative zero, or there is no code for the type: then dst is not sorted.
	sortRows(code *order.Code, r *radixRun, dst, src []byte, n int, u order.Span, survey bool) bool
	// scratchOf is the memory that sortRow and sortRows take for g rows of n elements on so many threads, of columns with
	// less than 32 bits.
	scratchOf(n, g, threads int) int
	// digits sets r.order to the order of the elements, which are narrow and few enough; see [narrow].
	digits(r *radixRun, src []byte, canonical bool)
	// elements sets dst to the elements of words that hold all bits of their images.
	elements(dst []byte, words []int64)
	// images is the map of the elements to integers that are ordered by machine code.
	images() order.Map
	// first is that of topK.
	first(src []byte, lo, hi, k int) candidates
	// bits is the number of bits of a key.
	bits() uint
}

// ordered is a column whose elements have as many bits as U.
type ordered[U unsigned] struct{ *keyMap[U] }

// newColumn returns the column of elements of type t in order o; nil for types whose order is not that of their bits.
func newColumn(t shape.ElementType, o match.Order) column {
	d := o.Descending()
	switch t.ByteSize() {
	case 1:
		return ordered[uint8]{newKeyMap[uint8](t, d)}
	case 2:
		return ordered[uint16]{newKeyMap[uint16](t, d)}
	case 4:
		return ordered[uint32]{newKeyMap[uint32](t, d)}
	case 8:
		return ordered[uint64]{newKeyMap[uint64](t, d)}
	}
	return nil
}

func (c ordered[U]) bits() uint { return 8 * sizeOf[U]() }

func (c ordered[U]) survey(src []byte) (nan, negativeZero bool) {
	top := U(1) << c.shift
	for _, x := range view[U](src) {
		if mag := x & c.magnitude; mag-1 >= c.infinity {
			nan = nan || mag > c.infinity
			negativeZero = negativeZero || x == top
		}
	}
	return nan, negativeZero
}

func (c ordered[U]) words(dst []uint64, src []byte, order []uint32, half uint, canonical bool, lo, hi int) {
	from := view[U](src)
	if order == nil && !canonical {
		for i := lo; i < hi; i++ {
			dst[i] = uint64(c.key(from[i]))>>(32*half)<<32 | uint64(uint32(i))
		}
		return
	}
	for i := lo; i < hi; i++ {
		k := uint32(i)
		if order != nil {
			k = order[i]
		}
		x := from[k]
		if canonical {
			x = c.canonical(x)
		}
		dst[i] = uint64(c.key(x))>>(32*half)<<32 | uint64(k)
	}
}

func (c ordered[U]) wide(dst []uint64, src []byte, canonical bool) (nan uint64) {
	for i, x := range view[U](src) {
		if canonical && c.infinity != 0 {
			x = c.canonical(x)
		}
		dst[i] = uint64(c.key(x))
	}
	return uint64(c.key(c.magnitude))
}

func (c ordered[U]) sortValues(r *radixRun, dst, src []byte) {
	from, keys := view[U](src), view[U](dst)
	ranges(r.crew.Pool, len(from), func(lo, hi int) {
		for i, x := range from[lo:hi] {
			keys[lo+i] = c.key(x)
		}
	})
	r.words = resized(r.words, len(src)/8+1)
	sorted := radixSort(r, keys, part[U](r.words, len(keys)), 0, c.bits())
	ranges(r.crew.Pool, len(from), func(lo, hi int) {
		for i, k := range sorted[lo:hi] {
			keys[lo+i] = c.restore(k)
		}
	})
}
