package npy

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// MaxSafetensorsHeader is the longest header that is read, as in the reference
// implementation.
const MaxSafetensorsHeader = 100_000_000

// metadataKey is the one key of a header that is not a tensor.
const metadataKey = "__metadata__"

// tensorTypes lists the dtypes of the format. Types narrower than a byte are packed
// without gaps, the first element in the lowest bits.
var tensorTypes = []struct {
	name string
	t    shape.ElementType
}{
	{"BOOL", shape.Pred}, {"U8", shape.U8}, {"I8", shape.S8}, {"U16", shape.U16}, {"I16", shape.S16},
	{"U32", shape.U32}, {"I32", shape.S32}, {"U64", shape.U64}, {"I64", shape.S64},
	{"F16", shape.F16}, {"BF16", shape.BF16}, {"F32", shape.F32}, {"F64", shape.F64}, {"C64", shape.C64},
	{"F8_E5M2", shape.F8E5M2}, {"F8_E4M3", shape.F8E4M3FN}, {"F8_E8M0", shape.F8E8M0FNU},
	{"F6_E3M2", shape.F6E3M2FN}, {"F6_E2M3", shape.F6E2M3FN}, {"F4", shape.F4E2M1FN},
}

// tensor is one entry of a header.
type tensor struct {
	key        string
	dtype      shape.ElementType // as stored
	to         shape.Shape       // as read
	begin, end int64
}

// ReadSafetensors reads all tensors of a file in the safetensors format, in the order
// of its header; the metadata are left out. A type suffix of a name is stripped and
// gives the type, as in a .npz. Tensors that overlap or leave gaps are an error.
func ReadSafetensors(r io.Reader) ([]Named, error) {
	arrays, err := readSafetensors(newSource(r))
	if err != nil {
		return nil, fmt.Errorf("safetensors: %w", err)
	}
	return arrays, nil
}

// OpenSafetensors reads the file at path as ReadSafetensors does.
func OpenSafetensors(path string) ([]Named, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return openSafetensors(f)
}

func openSafetensors(f *os.File) ([]Named, error) {
	arrays, err := ReadSafetensors(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return arrays, nil
}

func readSafetensors(src *source) ([]Named, error) {
	length := make([]byte, 8)
	if _, err := io.ReadFull(src, length); err != nil {
		return nil, errors.New("expects the length of the header in 8 bytes")
	}
	n := binary.LittleEndian.Uint64(length)
	if n > MaxSafetensorsHeader {
		return nil, fmt.Errorf("header of %d bytes, more than %d", n, MaxSafetensorsHeader)
	}
	text, err := readAll(src, int(n))
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	tensors, err := parseTensors(text)
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	return readTensors(src, tensors)
}

// readTensors reads the data, which lie in the order of their offsets.
func readTensors(src *source, tensors []tensor) ([]Named, error) {
	order := make([]int, len(tensors))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(tensors[a].begin, tensors[b].begin), cmp.Compare(tensors[a].end, tensors[b].end))
	})
	arrays, names := make([]Named, len(tensors)), map[string]bool{}
	var at int64
	for _, i := range order {
		t := tensors[i]
		if t.begin != at {
			return nil, fmt.Errorf("tensor %q: data_offsets begin at %d, but the data before end at %d",
				t.key, t.begin, at)
		}
		at = t.end
		name, _ := splitType(t.key)
		if names[name] {
			return nil, fmt.Errorf("tensor %q: name %q comes twice", t.key, name)
		}
		names[name] = true
		l, err := t.read(src)
		if err != nil {
			return nil, fmt.Errorf("tensor %q: %w", t.key, err)
		}
		arrays[i] = Named{name, l}
	}
	if n, err := io.CopyN(io.Discard, src, 1); n > 0 || err != io.EOF {
		return nil, cmp.Or(err, errors.New("data goes on after the last tensor"))
	}
	return arrays, nil
}

func (t tensor) read(src *source) (literal.Literal, error) {
	if bits := t.dtype.Bits(); bits < 8 {
		packed, err := readAll(src, int(t.end-t.begin))
		if err != nil {
			return literal.Literal{}, err
		}
		return unpack(t.to, packed, bits), nil
	}
	l, err := src.literal(t.to)
	if err != nil {
		return literal.Literal{}, err
	}
	return l, normalize(l)
}

// parseTensors reads the JSON object of the header; keys keep their order.
func parseTensors(text []byte) ([]tensor, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, fmt.Errorf("expects a JSON object, but sees %q", text[:min(20, len(text))])
	}
	var tensors []tensor
	seen := map[string]bool{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		key := token.(string) // what the decoder gives between values of an object
		if seen[key] {
			return nil, fmt.Errorf("key %q comes twice", key)
		}
		seen[key] = true
		if key == metadataKey {
			err = d.Decode(new(map[string]string))
		} else {
			var t tensor
			t, err = parseTensor(d, key)
			tensors = append(tensors, t)
		}
		if err != nil {
			return nil, fmt.Errorf("%q: %w", key, err)
		}
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("expects nothing after the JSON object")
	}
	return tensors, nil
}

func parseTensor(d *json.Decoder, key string) (tensor, error) {
	var entry struct {
		Dtype   string  `json:"dtype"`
		Shape   []int   `json:"shape"`
		Offsets []int64 `json:"data_offsets"`
	}
	if err := d.Decode(&entry); err != nil {
		return tensor{}, err
	}
	if len(entry.Offsets) != 2 || entry.Offsets[0] < 0 || entry.Offsets[1] < entry.Offsets[0] {
		return tensor{}, fmt.Errorf("data_offsets %v are not a begin and an end", entry.Offsets)
	}
	if entry.Shape == nil {
		return tensor{}, errors.New("shape is missing")
	}
	if len(entry.Shape) > MaxRank {
		return tensor{}, fmt.Errorf("shape has more than %d dimensions", MaxRank)
	}
	t := tensor{key: key, begin: entry.Offsets[0], end: entry.Offsets[1]}
	for _, known := range tensorTypes {
		if known.name == entry.Dtype {
			t.dtype = known.t
		}
	}
	if t.dtype == shape.Invalid {
		return tensor{}, fmt.Errorf("dtype %q is not known", entry.Dtype)
	}
	stored := shape.Make(t.dtype, entry.Shape...)
	if err := literal.CheckSize(stored); err != nil {
		return tensor{}, err
	}
	if want := packedBytes(stored.Size(), t.dtype.Bits()); t.end-t.begin != int64(want) {
		return tensor{}, fmt.Errorf("data_offsets %v hold %d bytes, but %v has %d",
			entry.Offsets, t.end-t.begin, stored, want)
	}
	var err error
	t.to, err = retype(stored, key)
	return t, err
}

// retype returns the shape that the suffix of key makes of the stored one.
func retype(stored shape.Shape, key string) (shape.Shape, error) {
	_, as := splitType(key)
	last := stored.Rank() - 1
	switch {
	case as == shape.Invalid || as == stored.Type:
		return stored, nil
	case as == shape.C128 && stored.Type == shape.F64 && last >= 0 && stored.Dims[last] == 2:
		return shape.Make(as, stored.Dims[:last]...), nil
	case stored.Type.IsInteger() && stored.Type.ByteSize() == as.ByteSize() && !as.IsComplex():
		return stored.WithType(as), nil
	}
	return shape.Shape{}, fmt.Errorf("elements of %v are not the bits of %v", stored, as)
}

// packedBytes returns how many bytes n elements of so many bits take.
func packedBytes(n, bits int) int {
	if bits >= 8 {
		return n * (bits / 8)
	}
	return n/8*bits + (n%8*bits+7)/8
}

// unpack spreads packed elements to a byte each.
func unpack(to shape.Shape, packed []byte, bits int) literal.Literal {
	l := literal.New(to)
	out := l.Bytes()
	for i := range out {
		at := i * bits
		v := uint16(packed[at/8])
		if at/8+1 < len(packed) {
			v |= uint16(packed[at/8+1]) << 8
		}
		out[i] = byte(v>>(at%8)) & (1<<bits - 1)
	}
	return l
}

// pack is the reverse of unpack.
func pack(elements []byte, bits int) []byte {
	packed := make([]byte, packedBytes(len(elements), bits)+1)
	for i, b := range elements {
		at := i * bits
		v := uint16(b) << (at % 8)
		packed[at/8] |= byte(v)
		packed[at/8+1] |= byte(v >> 8)
	}
	return packed[:len(packed)-1]
}
