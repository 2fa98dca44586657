package mlirtext

import (
	"encoding/binary"
	"math"

	"github.com/goxla/xla/stablehlo"
)

// elementReader reads the numbers of a constant.
type elementReader struct {
	p        *parser
	elem     stablehlo.Type
	size     int   // bytes an element
	capacity int64 // how many elements there should be
	data     []byte
}

// read reads one element that stands for all, or nested lists of the shape dims.
func (e *elementReader) read(dims []int64) (data []byte, splat bool, err error) {
	if e.p.peek() != '[' {
		err = e.element()
		return e.data, true, err
	}
	// An element takes two bytes of text at least, which bounds what is set aside.
	if left := int64(len(e.p.text)-e.p.pos) / 2; e.capacity <= left {
		e.data = make([]byte, 0, e.capacity*int64(e.size))
	}
	shape := listShape{p: e.p, dims: dims}
	if err := shape.read(0, e.element); err != nil {
		return nil, false, err
	}
	if len(e.data) > 0 && repeats(e.data, e.size) {
		return e.data[:e.size:e.size], true, nil
	}
	return e.data, false, nil
}

// infer reads one number or nested lists of any one shape, and returns the shape.
func (e *elementReader) infer() ([]int64, error) {
	if e.p.peek() != '[' {
		return nil, e.element()
	}
	shape := listShape{p: e.p, free: true}
	err := shape.read(0, e.element)
	return shape.dims, err
}

// listShape reads nested lists and checks that their lengths are dims; with free set it
// takes the lengths from the first list of each level.
type listShape struct {
	p    *parser
	dims []int64
	free bool
}

func (l *listShape) read(level int, element func() error) error {
	p := l.p
	pos := p.place()
	if !p.accept("[") {
		if level != len(l.dims) {
			return p.expected("\"[\": lists of the type's rank")
		}
		return element()
	}
	if l.free && level == len(l.dims) {
		l.dims = append(l.dims, -1)
	}
	if level >= len(l.dims) || level > MaxNesting {
		return p.errorAt(pos, "expected lists of the type's rank, %d, got a deeper one", len(l.dims))
	}
	n := int64(0)
	if err := p.list("]", func() error { n++; return l.read(level+1, element) }); err != nil {
		return err
	}
	if l.free && l.dims[level] < 0 {
		l.dims[level] = n
	}
	if l.dims[level] != n {
		return p.errorAt(pos, "expected %d elements in the list for dimension %d, got %d", l.dims[level], level, n)
	}
	return nil
}

// element reads one element.
func (e *elementReader) element() error {
	c, ok := e.elem.(*stablehlo.ComplexType)
	if !ok {
		return e.scalar(e.elem)
	}
	p := e.p
	if err := p.expect("("); err != nil {
		return err
	}
	if err := e.scalar(c.Elem); err != nil {
		return err
	}
	if err := p.expect(","); err != nil {
		return err
	}
	if err := e.scalar(c.Elem); err != nil {
		return err
	}
	return p.expect(")")
}

// scalar reads a number of type t.
func (e *elementReader) scalar(t stablehlo.Type) error {
	p := e.p
	pos := p.place()
	n, ok := p.number()
	if !ok {
		return e.truth(t)
	}
	if f, ok := t.(stablehlo.FloatType); ok {
		bits, err := p.floatBits(pos, n, f)
		e.put(int64(bits), (f.Bits()+7)/8)
		return err
	}
	v, err := p.integerOf(pos, n, t)
	if i, ok := t.(stablehlo.IntegerType); ok && i.Width < 8 {
		v &= 1<<i.Width - 1 // the bits above the width are zero
	}
	size, _ := stablehlo.ElementBytes(t)
	e.put(v, size)
	return err
}

// truth reads true or false, which are integers of type i1.
func (e *elementReader) truth(t stablehlo.Type) error {
	i, isInt := t.(stablehlo.IntegerType)
	switch {
	case isInt && i.Width == 1 && e.p.accept("true"):
		e.data = append(e.data, 1)
	case isInt && i.Width == 1 && e.p.accept("false"):
		e.data = append(e.data, 0)
	default:
		return e.p.expected("an element of type " + t.String())
	}
	return nil
}

// put appends a number in size bytes, at most 8.
func (e *elementReader) put(v int64, size int) {
	e.data = binary.LittleEndian.AppendUint64(e.data, uint64(v))
	e.data = e.data[:len(e.data)-maxNumberBytes+size]
}

// parseWindowPairs reads [[1, 2], [3, 4]] as elements of tensor<Nx2xi64>.
func (p *parser) parseWindowPairs() (*stablehlo.DenseElements, error) {
	e := elementReader{p: p, elem: stablehlo.I64, size: 8, capacity: math.MaxInt64}
	pos := p.place()
	dims, err := e.infer()
	if err != nil {
		return nil, err
	}
	if len(dims) == 1 && dims[0] == 0 {
		dims = []int64{0, 2}
	}
	if len(dims) != 2 || dims[1] != 2 {
		return nil, p.errorAt(pos, "expected a list of pairs, got sizes %v", dims)
	}
	values := make([]int64, len(e.data)/8)
	for i := range values {
		values[i] = int64(binary.LittleEndian.Uint64(e.data[8*i:]))
	}
	return stablehlo.NewDenseInts(stablehlo.I64, dims, values), nil
}
