package npy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

const (
	// firstChunk is how many bytes are taken before any data has come; each further
	// chunk is as large as all before it, up to maxChunk.
	firstChunk = 1 << 16
	maxChunk   = 1 << 26
)

// source is where array data comes from. At least known bytes are there to be read.
type source struct {
	r     io.Reader
	known int64
}

// newSource finds out how much r holds, where it can tell.
func newSource(r io.Reader) *source {
	s := &source{r: r}
	switch r := r.(type) {
	case *os.File:
		info, err := r.Stat()
		at, seekErr := r.Seek(0, io.SeekCurrent)
		if err == nil && seekErr == nil && info.Mode().IsRegular() {
			s.known = info.Size() - at
		}
	case interface{ Len() int }: // bytes.Reader, bytes.Buffer, strings.Reader
		s.known = int64(r.Len())
	}
	return s
}

// Read makes a source an io.Reader.
func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	s.known = max(0, s.known-int64(n))
	return n, err
}

// literal reads the elements of s, little-endian, in the order of its layout.
func (s *source) literal(to shape.Shape) (literal.Literal, error) {
	if err := literal.CheckSize(to); err != nil {
		return literal.Literal{}, err
	}
	size := to.Size() * to.Type.ByteSize()
	var chunks [][]byte
	got := 0
	for next := firstChunk; got < size && int64(size-got) > max(s.known, firstChunk); next = min(2*next, maxChunk) {
		chunk := make([]byte, min(next, size-got))
		n, err := io.ReadFull(s, chunk)
		if got += n; err != nil {
			return literal.Literal{}, dataError(err, got, size)
		}
		chunks = append(chunks, chunk)
	}
	l := literal.New(to)
	data := l.Bytes()
	for i, chunk := range chunks {
		data = data[copy(data, chunk):]
		chunks[i] = nil
	}
	n, err := io.ReadFull(s, data)
	if err != nil && len(data) > 0 {
		return literal.Literal{}, dataError(err, got+n, size)
	}
	return l, nil
}

// readAll reads n bytes, which a header claims, as they come.
func readAll(r io.Reader, n int) ([]byte, error) {
	var out []byte
	for next := firstChunk; len(out) < n; next *= 2 {
		at := len(out)
		out = append(out, make([]byte, min(next, n-at))...)
		if m, err := io.ReadFull(r, out[at:]); err != nil {
			return nil, dataError(err, at+m, n)
		}
	}
	return out, nil
}

func dataError(err error, got, want int) error {
	if err = unexpectedEOF(err); errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("data ends after %d of %d bytes", got, want)
	}
	return err
}

// unexpectedEOF makes of the end of a file in the wrong place what it is.
func unexpectedEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// swapBytes turns big-endian elements round. The parts of a complex number are
// turned on their own.
func swapBytes(l literal.Literal) {
	b := l.Bytes()
	switch l.Type().Component().ByteSize() {
	case 2:
		for ; len(b) >= 2; b = b[2:] {
			b[0], b[1] = b[1], b[0]
		}
	case 4:
		for ; len(b) >= 4; b = b[4:] {
			binary.LittleEndian.PutUint32(b, binary.BigEndian.Uint32(b))
		}
	case 8:
		for ; len(b) >= 8; b = b[8:] {
			binary.LittleEndian.PutUint64(b, binary.BigEndian.Uint64(b))
		}
	}
}

// normalize brings bytes that hold a pred or a type narrower than a byte into the
// form that a literal has: 0 or 1 for pred, sign-extended for a signed integer.
func normalize(l literal.Literal) error {
	t := l.Type()
	bits := t.Bits()
	if t != shape.Pred && bits >= 8 {
		return nil
	}
	signed := t.IsSigned()
	for i, b := range l.Bytes() {
		switch v := int8(b) << (8 - bits) >> (8 - bits); {
		case t == shape.Pred:
			if b > 1 {
				l.Bytes()[i] = 1
			}
		case signed && (byte(v) == b || b>>bits == 0):
			l.Bytes()[i] = byte(v)
		case signed || b>>bits != 0:
			return fmt.Errorf("element %d: byte %#x is no %v", i, b, t)
		}
	}
	return nil
}

// rawBytes returns the elements of l, row-major, as they are stored: signed integers
// narrower than a byte without the copies of the sign.
func rawBytes(l literal.Literal) []byte {
	l = l.RowMajor()
	bits := l.Type().Bits()
	if bits >= 8 || !l.Type().IsSigned() {
		return l.Bytes()
	}
	out := make([]byte, len(l.Bytes()))
	for i, b := range l.Bytes() {
		out[i] = b & (1<<bits - 1)
	}
	return out
}

// checkArray returns an error if l cannot be stored.
func checkArray(l literal.Literal) error {
	if !l.Shape().IsArray() {
		return fmt.Errorf("expects an array, but got %v", l.Shape())
	}
	return literal.CheckSize(l.Shape())
}
