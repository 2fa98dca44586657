package npy

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// tensorAlign is what the length of a header is padded to.
const tensorAlign = 8

// WriteSafetensors writes arrays in the safetensors format. The header has them in
// their order; their data are sorted by the width of the element, widest first, so
// that all are aligned. A type that the format lacks is written as unsigned integers
// of its width, c128 as f64 with a last dimension of 2, under a name with the type
// after a colon, which ReadSafetensors strips. The same arrays give the same bytes.
func WriteSafetensors(w io.Writer, arrays []Named) error {
	if err := writeSafetensors(w, arrays); err != nil {
		return fmt.Errorf("safetensors: %w", err)
	}
	return nil
}

func writeSafetensors(w io.Writer, arrays []Named) error {
	tensors := make([]tensor, len(arrays))
	names := map[string]bool{metadataKey: true}
	for i, a := range arrays {
		if err := checkArray(a.Value); err != nil {
			return fmt.Errorf("tensor %q: %w", a.Name, err)
		}
		if !utf8.ValidString(a.Name) {
			return fmt.Errorf("tensor %q: the name is not UTF-8", a.Name)
		}
		tensors[i] = makeTensor(a)
		if key := tensors[i].key; names[key] {
			return fmt.Errorf("tensor %q: the key %q is taken", a.Name, key)
		}
		names[tensors[i].key] = true
	}
	order := placeTensors(tensors)
	if _, err := w.Write(appendTensors(nil, tensors)); err != nil {
		return err
	}
	for _, i := range order {
		if _, err := w.Write(tensorBytes(arrays[i].Value)); err != nil {
			return err
		}
	}
	return nil
}

// makeTensor says how a is stored; its place in the data is not known yet.
func makeTensor(a Named) tensor {
	s := a.Value.Shape()
	t := tensor{dtype: storedType(s.Type), to: s}
	t.key = typedKey(a.Name, s.Type, t.dtype == s.Type)
	n := s.Size()
	if s.Type == shape.C128 {
		n *= 2
	}
	t.end = int64(packedBytes(n, t.dtype.Bits()))
	return t
}

// storedType returns the type that stands for t in a file.
func storedType(t shape.ElementType) shape.ElementType {
	for _, known := range tensorTypes {
		if known.t == t {
			return t
		}
	}
	if t == shape.C128 {
		return shape.F64
	}
	return shape.U8 // all the others take a byte
}

// placeTensors sets the offsets and returns the order of the data.
func placeTensors(tensors []tensor) []int {
	order := make([]int, len(tensors))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(tensors[b].dtype.Bits(), tensors[a].dtype.Bits())
	})
	var at int64
	for _, i := range order {
		t := &tensors[i]
		t.begin, t.end = at, at+t.end
		at = t.end
	}
	return order
}

// appendTensors appends the header with its length.
func appendTensors(dst []byte, tensors []tensor) []byte {
	start := len(dst)
	dst = append(binary.LittleEndian.AppendUint64(dst, 0), '{')
	for i, t := range tensors {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = t.append(dst)
	}
	dst = append(dst, '}')
	for (len(dst)-start)%tensorAlign != 0 {
		dst = append(dst, ' ')
	}
	binary.LittleEndian.PutUint64(dst[start:], uint64(len(dst)-start-8))
	return dst
}

func (t tensor) append(dst []byte) []byte {
	name := ""
	for _, known := range tensorTypes {
		if known.t == t.dtype {
			name = known.name
		}
	}
	key, _ := json.Marshal(t.key) // a string always has a JSON form
	dst = append(dst, key...)
	dst = append(dst, `:{"dtype":"`+name+`","shape":[`...)
	dims := t.to.Dims
	if t.to.Type == shape.C128 {
		dims = append(slices.Clone(dims), 2)
	}
	for i, d := range dims {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(dst, int64(d), 10)
	}
	dst = append(dst, `],"data_offsets":[`...)
	dst = strconv.AppendInt(dst, t.begin, 10)
	dst = append(dst, ',')
	dst = strconv.AppendInt(dst, t.end, 10)
	return append(dst, "]}"...)
}

// tensorBytes returns the elements as they are stored.
func tensorBytes(l literal.Literal) []byte {
	b := rawBytes(l)
	if t := l.Type(); storedType(t) == t && t.Bits() < 8 {
		return pack(b, t.Bits())
	}
	return b
}
