package bytecode

import (
	"encoding/binary"
	"math/bits"

	"github.com/goxla/xla/stablehlo"
)

// tokenKind says what a token stands for.
type tokenKind byte

const (
	tokenNumber   tokenKind = iota // a varint
	tokenByte                      // a raw byte
	tokenBlob                      // length and bytes
	tokenText                      // the bytes of a string and a zero
	tokenString                    // index of a string
	tokenAttr                      // index of an attribute
	tokenOptional                  // the same, shifted, and a flag
	tokenType                      // index of a type
	tokenResource                  // index of a resource
)

// token is a piece of an encoded attribute or type: indices get their final values
// when all of the tables is known.
type token struct {
	kind  tokenKind
	value uint64
	blob  []byte
}

// Encoder takes down one attribute or type.
type Encoder struct {
	w      *writer
	tokens []token
	// dialect is preferred for the attributes and types inside.
	dialect *Dialect
}

// Varint writes an unsigned number.
func (e *Encoder) Varint(v uint64) { e.tokens = append(e.tokens, token{kind: tokenNumber, value: v}) }

// Signed writes a signed number.
func (e *Encoder) Signed(v int64) { e.Varint(uint64(v)<<1 ^ uint64(v>>63)) }

// Byte writes a byte.
func (e *Encoder) Byte(b byte) { e.tokens = append(e.tokens, token{kind: tokenByte, value: uint64(b)}) }

// Bool writes a byte that is 0 or 1.
func (e *Encoder) Bool(b bool) {
	if b {
		e.Byte(1)
	} else {
		e.Byte(0)
	}
}

// Text writes the index of a string.
func (e *Encoder) Text(s string) {
	e.tokens = append(e.tokens, token{kind: tokenString, value: uint64(e.w.str(s))})
}

// Blob writes a length and the bytes.
func (e *Encoder) Blob(data []byte) { e.tokens = append(e.tokens, token{kind: tokenBlob, blob: data}) }

// Attr writes the index of an attribute.
func (e *Encoder) Attr(a stablehlo.Attribute) {
	e.tokens = append(e.tokens, token{kind: tokenAttr, value: uint64(e.w.attr(a, e.dialect))})
}

// BuiltinAttr writes the index of an attribute in the form of the builtin dialect.
func (e *Encoder) BuiltinAttr(a stablehlo.Attribute) {
	e.tokens = append(e.tokens, token{kind: tokenAttr, value: uint64(e.w.attr(a, e.w.builtin()))})
}

// OptionalAttr writes a flag, and the index of an attribute unless it is nil.
func (e *Encoder) OptionalAttr(a stablehlo.Attribute) {
	if a == nil {
		e.Varint(0)
		return
	}
	e.tokens = append(e.tokens, token{kind: tokenOptional, value: uint64(e.w.attr(a, e.dialect))})
}

// Type writes the index of a type.
func (e *Encoder) Type(t stablehlo.Type) {
	e.tokens = append(e.tokens, token{kind: tokenType, value: uint64(e.w.typ(t, e.dialect))})
}

// Attrs writes a count and as many attributes.
func (e *Encoder) Attrs(list []stablehlo.Attribute) {
	e.Varint(uint64(len(list)))
	for _, a := range list {
		e.Attr(a)
	}
}

// Types writes a count and as many types.
func (e *Encoder) Types(list []stablehlo.Type) {
	e.Varint(uint64(len(list)))
	for _, t := range list {
		e.Type(t)
	}
}

// Int64s writes a count and as many signed numbers.
func (e *Encoder) Int64s(list []int64) {
	e.Varint(uint64(len(list)))
	for _, v := range list {
		e.Signed(v)
	}
}

// Integer writes the bits of an integer of a width of up to 64 bits, or a wider one
// with a value that fits into 64.
func (e *Encoder) Integer(v int64, width int) {
	switch {
	case width <= 8:
		e.Byte(byte(v))
	case width <= 64:
		e.Signed(v)
	default:
		e.Varint(1)
		e.Signed(v)
	}
}

// Dense writes the blob of a constant.
func (e *Encoder) Dense(a *stablehlo.DenseElements) {
	if a.Elem() == stablehlo.I1 && len(a.Data) > 0 {
		e.Blob(packBools(a.Data, a.Splat))
		return
	}
	e.Blob(a.Data)
}

// key returns what tells the tokens of one entry from those of another. Long blobs
// count as equal if they are one and the same memory.
func (e *Encoder) key(dialect int) string {
	key := binary.AppendUvarint(nil, uint64(dialect))
	for _, t := range e.tokens {
		key = append(key, byte(t.kind))
		if t.kind == tokenBlob || t.kind == tokenText {
			key = e.w.appendBlobKey(key, t.blob)
			continue
		}
		key = binary.AppendUvarint(key, t.value)
	}
	return string(key)
}

// appendVarint appends a number in the form of the container.
//
//go:noinline
func appendVarint(dst []byte, v uint64) []byte {
	n := (bits.Len64(v|1) + 6) / 7 // bytes of seven bits each
	if n >= 9 {
		return binary.LittleEndian.AppendUint64(append(dst, 0), v)
	}
	v = v<<n | 1<<(n-1)
	for range n {
		dst = append(dst, byte(v))
		v >>= 8
	}
	return dst
}

// Reset takes back all that was written.
func (e *Encoder) Reset() { e.tokens = e.tokens[:0] }
