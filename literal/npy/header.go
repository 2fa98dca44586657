package npy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

const (
	magic = "\x93NUMPY"
	// MaxHeaderBytes is the longest .npy header that is read.
	MaxHeaderBytes = 1 << 20
	// MaxRank is the highest rank that is read.
	MaxRank = 64

	headerAlign = 64 // the data starts at a multiple of it
)

// header is what the dictionary in front of the data says.
type header struct {
	dtype        dtype
	fortranOrder bool
	dims         []int
}

// readHeader reads from the magic string to the data.
func readHeader(r io.Reader) (header, error) {
	start := make([]byte, len(magic)+2)
	if _, err := io.ReadFull(r, start); err != nil || string(start[:len(magic)]) != magic {
		return header{}, errors.New("expects a .npy file, which starts with \"\\x93NUMPY\"")
	}
	major, minor := start[len(magic)], start[len(magic)+1]
	if major < 1 || major > 3 || minor != 0 {
		return header{}, fmt.Errorf("version %d.%d of .npy is not known, only 1.0, 2.0 and 3.0", major, minor)
	}
	length := make([]byte, 4)
	width := 4
	if major == 1 {
		width = 2
	}
	if _, err := io.ReadFull(r, length[:width]); err != nil {
		return header{}, fmt.Errorf("header: %w", unexpectedEOF(err))
	}
	n := binary.LittleEndian.Uint32(length)
	if n > MaxHeaderBytes {
		return header{}, fmt.Errorf("header of %d bytes, more than %d", n, MaxHeaderBytes)
	}
	text, err := readAll(r, int(n))
	if err != nil {
		return header{}, fmt.Errorf("header: %w", err)
	}
	h, err := parseHeader(string(text))
	if err != nil {
		return header{}, fmt.Errorf("header: %w", err)
	}
	return h, nil
}

// appendHeader appends magic, version and dictionary, padded as NumPy does: the same
// array gives the same bytes.
func appendHeader(dst []byte, descr string, dims []int) []byte {
	const growth = 21 // NumPy leaves room for the first dimension to grow
	text := []byte("{'descr': '" + descr + "', 'fortran_order': False, 'shape': (")
	for i, d := range dims {
		if i > 0 {
			text = append(text, ' ')
		}
		text = strconv.AppendInt(text, int64(d), 10)
		if i < len(dims)-1 || len(dims) == 1 {
			text = append(text, ',')
		}
	}
	text = append(text, "), }"...)
	if len(dims) > 0 {
		text = appendSpaces(text, growth-len(strconv.Itoa(dims[0])))
	}
	major, width := byte(1), 2
	if len(text)+headerAlign > math.MaxUint16 {
		major, width = 2, 4
	}
	start := len(magic) + 2 + width
	text = appendSpaces(text, headerAlign-(start+len(text)+1)%headerAlign)
	text = append(text, '\n')
	dst = append(dst, magic...)
	dst = append(dst, major, 0)
	if major == 1 {
		dst = binary.LittleEndian.AppendUint16(dst, uint16(len(text)))
	} else {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(len(text)))
	}
	return append(dst, text...)
}

func appendSpaces(dst []byte, n int) []byte {
	return append(dst, strings.Repeat(" ", max(n, 0))...)
}

// parseHeader reads the dictionary, a Python literal with the keys descr,
// fortran_order and shape.
func parseHeader(text string) (h header, err error) {
	p := headerParser{rest: text}
	seen := map[string]bool{}
	if err := p.expect('{'); err != nil {
		return header{}, err
	}
	for !p.accept('}') {
		key, err := p.quoted()
		if err != nil {
			return header{}, err
		}
		if seen[key] {
			return header{}, fmt.Errorf("key %q comes twice", key)
		}
		seen[key] = true
		if err := p.expect(':'); err != nil {
			return header{}, err
		}
		if err := p.value(&h, key); err != nil {
			return header{}, err
		}
		if !p.accept(',') && !p.at('}') {
			return header{}, p.wants("',' or '}'")
		}
	}
	if p.skip(); p.rest != "" {
		return header{}, p.wants("nothing after the dictionary")
	}
	for _, key := range []string{"descr", "fortran_order", "shape"} {
		if !seen[key] {
			return header{}, fmt.Errorf("key %q is missing", key)
		}
	}
	return h, nil
}

// headerParser reads the few forms of Python literals that a header has.
type headerParser struct{ rest string }

func (p *headerParser) skip() { p.rest = strings.TrimLeft(p.rest, " \t\r\n") }

func (p *headerParser) at(c byte) bool {
	p.skip()
	return p.rest != "" && p.rest[0] == c
}

func (p *headerParser) accept(c byte) bool {
	if !p.at(c) {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

func (p *headerParser) expect(c byte) error {
	if !p.accept(c) {
		return p.wants(strconv.QuoteRune(rune(c)))
	}
	return nil
}

func (p *headerParser) wants(what string) error {
	const most = 20
	return fmt.Errorf("expects %s, but sees %q", what, p.rest[:min(most, len(p.rest))])
}

func (p *headerParser) value(h *header, key string) (err error) {
	switch key {
	case "descr":
		if p.at('[') || p.at('(') {
			return errStructured
		}
		descr, err := p.quoted()
		if err != nil {
			return err
		}
		h.dtype, err = parseDescr(descr)
		return err
	case "fortran_order":
		h.fortranOrder, err = p.boolean()
		return err
	case "shape":
		h.dims, err = p.tuple()
		return err
	}
	return fmt.Errorf("key %q is not known", key)
}

func (p *headerParser) quoted() (string, error) {
	p.skip()
	if p.rest == "" || p.rest[0] != '\'' && p.rest[0] != '"' {
		return "", p.wants("a string")
	}
	end := strings.IndexByte(p.rest[1:], p.rest[0])
	if end < 0 || strings.Contains(p.rest[1:1+end], `\`) {
		return "", p.wants("a plain string")
	}
	s := p.rest[1 : 1+end]
	p.rest = p.rest[end+2:]
	return s, nil
}

func (p *headerParser) boolean() (bool, error) {
	p.skip()
	for _, word := range []string{"True", "False"} {
		if rest, ok := strings.CutPrefix(p.rest, word); ok {
			p.rest = rest
			return word == "True", nil
		}
	}
	return false, p.wants("True or False")
}

// tuple reads `(2, 3)`; Python 2 wrote sizes with an L behind them.
func (p *headerParser) tuple() (dims []int, err error) {
	if err := p.expect('('); err != nil {
		return nil, err
	}
	for !p.accept(')') {
		p.skip()
		n := 0
		for n < len(p.rest) && p.rest[n]-'0' <= 9 {
			n++
		}
		d, err := strconv.ParseInt(p.rest[:n], 10, strconv.IntSize)
		if err != nil {
			return nil, p.wants("a dimension size")
		}
		p.rest = strings.TrimPrefix(p.rest[n:], "L")
		if dims = append(dims, int(d)); len(dims) > MaxRank {
			return nil, fmt.Errorf("shape has more than %d dimensions", MaxRank)
		}
		if !p.accept(',') && !p.at(')') {
			return nil, p.wants("',' or ')'")
		}
	}
	return dims, nil
}
