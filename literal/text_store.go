package literal

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/goxla/xla/shape"
)

// elementStore keeps the elements of one array as they are read. The put methods
// return what is wrong with a value, or "".
type elementStore struct {
	shape  shape.Shape
	kind   storeKind
	size   int // bytes an element
	format *Format
	data   []byte
}

type storeKind uint8

const (
	storeInteger storeKind = iota
	storeFloat32
	storeFloat
	storePred
	storeComplex
)

func newElementStore(s shape.Shape) elementStore {
	e := elementStore{shape: s, size: s.Type.ByteSize()}
	switch component := s.Type.Component(); {
	case s.Type == shape.Pred:
		e.kind = storePred
	case s.Type == shape.F32:
		e.kind, e.format = storeFloat32, &formats[component]
	case s.Type.IsComplex():
		e.kind, e.format = storeComplex, &formats[component]
	case s.Type.IsFloat():
		e.kind, e.format = storeFloat, &formats[component]
	}
	return e
}

func (e *elementStore) grow(n int) { e.data = alignedBytes(n * e.size) }

// put stores a number or boolean as element i.
func (e *elementStore) put(i int, n number) (msg string) {
	switch {
	case e.kind == storeComplex:
		return "unsupported primitive type " + e.typeName()
	case n.kind == boolNumber && e.kind != storePred:
		return "unexpected boolean for primitive type " + e.typeName()
	case e.kind == storeFloat32 || e.kind == storeFloat:
		if n.overflows {
			return fmt.Sprintf(unparsable, math.MaxFloat64)
		}
		return e.putFloat(i, n.float())
	case n.kind == floatNumber:
		return "expects integer"
	case e.kind == storePred:
		e.data[i] = 0
		if n.i != 0 {
			e.data[i] = 1
		}
		return ""
	}
	return e.putInteger(i, n.i)
}

func (e *elementStore) putInteger(i int, v int64) (msg string) {
	unused := 64 - e.shape.Type.Bits()
	if e.shape.Type.IsSigned() {
		if v<<unused>>unused != v {
			return fmt.Sprintf("value %d is out of range for literal's primitive type %s namely [%d, %d].",
				v, e.typeName(), int64(math.MinInt64)>>unused, int64(math.MaxInt64)>>unused)
		}
	} else if uint64(v)<<unused>>unused != uint64(v) {
		return fmt.Sprintf("value %d is out of range for literal's primitive type %s namely [0, %d].",
			v, e.typeName(), uint64(math.MaxUint64)>>unused)
	}
	e.putBits(i, e.size, uint64(v))
	return ""
}

// putFloat stores v rounded to the type. What is finite must stay finite.
func (e *elementStore) putFloat(i int, v float64) (msg string) {
	if e.kind == storeFloat32 {
		if f := float32(v); f-f == 0 {
			binary.LittleEndian.PutUint32(e.data[i*4:], math.Float32bits(f))
			return ""
		}
	}
	code := e.format.Encode(v)
	switch back := e.format.Decode(code); {
	case v != v:
		if code, msg = e.nanCode(i, v); msg != "" {
			return msg
		}
	case v-v == 0 && back-back != 0:
		return fmt.Sprintf("value %.6g is out of range for literal's primitive type %s namely [%.6g, %.6g].",
			v, e.typeName(), e.lowest(), e.format.MaxFinite)
	}
	e.putBits(i, e.size, code)
	return ""
}

// putComplex stores re + im*i. If spread is set, a NaN as real part becomes the
// imaginary part too, as in XLA.
func (e *elementStore) putComplex(i int, re, im float64, spread bool) (msg string) {
	parts := [2]uint64{e.format.Encode(re), e.format.Encode(im)}
	for k, v := range [2]float64{re, im} {
		if back := e.format.Decode(parts[k]); v-v == 0 && back-back != 0 {
			return fmt.Sprintf("%s part %.6g is out of range for literal's primitive type %s, namely [%.6g, %.6g].",
				[2]string{"real", "imaginary"}[k], v, e.typeName(), e.lowest(), e.format.MaxFinite)
		}
	}
	if re != re {
		code, msg := e.nanCode(i, re)
		if msg != "" {
			return msg
		}
		parts[0] = code
		if spread {
			parts[1] = code
		}
	}
	e.putBits(2*i, e.size/2, parts[0])
	e.putBits(2*i+1, e.size/2, parts[1])
	return ""
}

// nanCode returns the code of a NaN that has the sign and the payload of v, where
// the payload of the default NaN becomes that of the type's.
func (e *elementStore) nanCode(i int, v float64) (code uint64, msg string) {
	payload := math.Float64bits(v) & (1<<52 - 1)
	if !e.format.HasInf { // one NaN, or one of either sign
		if payload != quietNaN {
			return 0, e.nanError(i, payload, e.shape.Type.String()+" does not support payloads")
		}
		if !e.format.HasNaN && math.Signbit(v) {
			return 0, "" // NaN is read as -0, so -NaN as 0
		}
		return e.format.Encode(v), ""
	}
	most := uint64(1)<<e.format.MantissaBits - 1
	if payload == quietNaN {
		payload = (most + 1) / 2
	}
	if payload > most {
		return 0, e.nanError(i, payload, fmt.Sprintf("the NaN payload is out of range (0x%x)", most))
	}
	code = e.format.overCode | payload
	if math.Signbit(v) {
		code |= e.format.signBit
	}
	return code, ""
}

func (e *elementStore) nanError(i int, payload uint64, why string) string {
	return fmt.Sprintf("tries to set NaN payload 0x%x to a literal in shape %s at linear index %d, but %s",
		payload, e.shape.StringNoLayout(), i, why)
}

func (e *elementStore) lowest() float64 {
	if !e.format.HasSign {
		return e.format.MinPositive
	}
	return -e.format.MaxFinite
}

func (e *elementStore) typeName() string { return strings.ToUpper(e.shape.Type.String()) }

// putBits stores bits as element i of so many bytes.
func (e *elementStore) putBits(i, size int, bits uint64) {
	switch b := e.data[i*size:]; size {
	case 1:
		b[0] = byte(bits)
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(bits))
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(bits))
	case 8:
		binary.LittleEndian.PutUint64(b, bits)
	}
}
