package hlopb

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

// writer appends the wire form.
type writer struct {
	dst    []byte
	base   int // length of dst before the program
	schema *schema
	err    error
}

func (w *writer) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
}

// room reports whether n more bytes are within the limit.
func (w *writer) room(n int) bool {
	if n > MaxBytes-(len(w.dst)-w.base) {
		w.fail("expects a program of at most %d bytes in binary form, got more", MaxBytes)
	}
	return w.err == nil
}

// message appends a message; one with nothing in it is left out.
func (w *writer) message(num protowire.Number, body func()) {
	start := len(w.dst)
	w.present(num, body)
	if empty := protowire.SizeTag(num) + 1; len(w.dst) == start+empty {
		w.dst = w.dst[:start]
	}
}

// present appends a message, be it empty.
func (w *writer) present(num protowire.Number, body func()) {
	w.dst = protowire.AppendTag(w.dst, num, protowire.BytesType)
	at := len(w.dst)
	body()
	var prefix [binary.MaxVarintLen64]byte
	n := binary.PutUvarint(prefix[:], uint64(len(w.dst)-at))
	w.dst = slices.Insert(w.dst, at, prefix[:n]...)
}

func (w *writer) varint(num protowire.Number, v uint64) {
	w.dst = protowire.AppendVarint(protowire.AppendTag(w.dst, num, protowire.VarintType), v)
}

// packed appends a list of numbers, nothing if it is empty.
func (w *writer) packed(num protowire.Number, n int, number func(i int) uint64) {
	if n > 0 && w.room(n) {
		w.present(num, func() {
			for i := range n {
				w.dst = protowire.AppendVarint(w.dst, number(i))
			}
		})
	}
}

func (w *writer) float32(num protowire.Number, v float32) {
	w.dst = protowire.AppendFixed32(protowire.AppendTag(w.dst, num, protowire.Fixed32Type), math.Float32bits(v))
}

func (w *writer) float64(num protowire.Number, v float64) {
	w.dst = protowire.AppendFixed64(protowire.AppendTag(w.dst, num, protowire.Fixed64Type), math.Float64bits(v))
}

// raw appends bytes with their length in front.
func (w *writer) raw(num protowire.Number, s string) {
	if w.room(len(s)) {
		w.dst = protowire.AppendString(protowire.AppendTag(w.dst, num, protowire.BytesType), s)
	}
}

// text appends a string.
func (w *writer) text(num protowire.Number, s string) {
	if !utf8.ValidString(s) {
		w.fail("expects UTF-8 text, got %.40q", s)
	}
	w.raw(num, s)
}
