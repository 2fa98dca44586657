package literal

import (
	"math"
	"sync"

	"github.com/goxla/xla/shape"
)

// encodeTables holds, for every float type of at most 8 bits, its codes by the upper
// half of a float32 whose last bit is also set where the lower half is not zero.
// That keeps 6 bits of the significand and whether there are more, which is enough
// to round to the 4 bits or fewer of these types. A table is computed when it is
// first used.
var encodeTables = func() (all [shape.NumElementTypes]func() *[1 << 16]uint8) {
	for i := range formats {
		if f := &formats[i]; f.MaxFinite > 0 && f.mask <= 0xff {
			all[i] = sync.OnceValue(f.encodeTable)
		}
	}
	return all
}()

func (f *Format) encodeTable() *[1 << 16]uint8 {
	t := new([1 << 16]uint8)
	for upper := range t {
		t[upper] = uint8(f.Encode(float64(math.Float32frombits(uint32(upper) << 16))))
	}
	return t
}

// worthTable is the number of elements from which computing a table pays off.
const worthTable = 1 << 13

// encode32s writes the codes of src in f, a type of at most 8 bits, to dst.
func (f *Format) encode32s(dst []uint8, src []float32) {
	dst = dst[:len(src)]
	if len(src) < worthTable {
		for i, v := range src {
			dst[i] = uint8(f.Encode(float64(v)))
		}
		return
	}
	table := encodeTables[f.Type]()
	for i, v := range src {
		bits := math.Float32bits(v)
		more := (bits&0xffff + 0xffff) >> 16
		dst[i] = table[uint16(bits>>16|more)]
	}
}
