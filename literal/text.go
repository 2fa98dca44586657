package literal

import "github.com/goxla/xla/shape"

const (
	// elidedText stands for the elements of a constant that are not printed.
	elidedText = "{...}"
	// maxElided is how many elements of an elided constant are printed: what XLA's
	// default form prints of any constant.
	maxElided = 10
	// maxStringElements is how many elements String prints.
	maxStringElements = 1000
	// maxEmptyRows is how many empty braces are printed for an array without elements,
	// beyond it `{...}`, and how many elements for a number that stands for an array,
	// beyond it that number. Both read back to equal literals.
	maxEmptyRows = 1 << 16
)

// AppendText appends l in HLO literal text without its shape, as XLA prints the
// value of a constant: `{ { 1, 2 }, { 3, 4 } }`, `( 1, {2, 3} )`. Elements are
// in row-major order, whatever the layout; floats have the digits that XLA
// gives them; a NaN keeps its sign and payload. An elided literal of more than ten
// elements prints `{...}`.
//
// Negative zero prints as -0, which HLO text reads as the integer 0.
func (l Literal) AppendText(dst []byte) []byte {
	p := textPrinter{dst: dst, style: &hloStyle}
	p.value(l)
	return p.dst
}

// AppendTextWithShape appends l with its shape and layout in front, as XLA prints
// the literal of a custom call: `s32[2]{0} {1, 2}`. In a tuple every element has
// its shape, the tuple itself does not.
func (l Literal) AppendTextWithShape(dst []byte) []byte {
	p := textPrinter{dst: dst, style: &shapedStyle}
	p.value(l)
	return p.dst
}

// String returns the shape and the elements, as in `f32[2]{0} {1, 2}`; after
// the first thousand elements of an array comes "...".
func (l Literal) String() string {
	p := textPrinter{style: &shortStyle}
	p.value(l)
	return string(p.dst)
}

// textStyle is what differs between the text forms.
type textStyle struct {
	rows     *[shape.NumElementTypes]rowFunc
	spaced   bool // blanks inside braces, and index comments
	shapes   bool // shapes before arrays
	layouts  bool // layouts in those shapes
	maxElems int  // elements printed of an array; 0: all
}

var (
	hloStyle    = textStyle{rows: &hloRows, spaced: true}
	shapedStyle = textStyle{rows: &hloRows, spaced: true, shapes: true, layouts: true}
	shortStyle  = textStyle{rows: &hloRows, spaced: true, shapes: true, layouts: true, maxElems: maxStringElements}
	goldenStyle = textStyle{rows: &goldenRows, shapes: true}
)

// textPrinter appends literals to dst.
type textPrinter struct {
	dst   []byte
	style *textStyle
	array Literal // the array being printed
	row   rowFunc
	// strides are the distances, in elements, of neighbours along each dimension.
	strides []int
	left    int // elements that may still be printed
}

func (p *textPrinter) puts(s string) { p.dst = append(p.dst, s...) }

func (p *textPrinter) value(l Literal) {
	if l.shape.IsTuple() {
		p.tuple(l)
		return
	}
	if p.style.shapes {
		s := l.shape
		if !p.style.layouts {
			s.Layout = nil
			p.dst = s.AppendTextNoLayout(p.dst)
		} else {
			p.dst = s.AppendText(p.dst)
		}
	}
	switch {
	case l.IsElided() && l.Len() > maxElided || emptyRows(l.shape) > maxEmptyRows:
		p.gap()
		p.puts(elidedText)
	case l.elided != nil && l.Len() > maxEmptyRows:
		p.gap()
		p.startArray(Literal{shape: shape.Make(l.Type()), data: l.elided.first})
	case l.shape.IsArray():
		p.gap()
		p.startArray(l)
	case !p.style.shapes:
		p.puts(l.shape.Type.String())
	}
}

// gap separates a shape from the elements.
func (p *textPrinter) gap() {
	if p.style.shapes {
		p.puts(" ")
	}
}

func (p *textPrinter) tuple(l Literal) {
	open, end := "(", ")"
	if p.style.spaced {
		open, end = "( ", " )"
	}
	p.puts(open)
	for i, e := range l.elems {
		if i > 0 {
			p.puts(", ")
		}
		p.value(e)
	}
	p.puts(end)
}

func (p *textPrinter) startArray(l Literal) {
	p.array, p.row = l, p.style.rows[l.shape.Type]
	p.strides = strides(l.shape)
	p.left = l.Len()
	if p.style.maxElems > 0 {
		p.left = min(p.left, p.style.maxElems)
	}
	switch {
	case len(l.shape.Dims) > 0:
		p.dim(0, 0, 0)
	case l.shape.Type == shape.Pred:
		p.dst = appendBool(p.dst, Values[bool](l)[0])
	default:
		p.dst = p.row(p.dst, l, 0, 1, 1)
	}
}

// dim prints the sub-array of dimensions d and up that starts at element off and is
// number index of dimension d-1.
func (p *textPrinter) dim(d, off, index int) {
	dims := p.array.shape.Dims
	p.open(d, index)
	if d == len(dims)-1 {
		n := min(dims[d], p.left)
		p.dst = p.row(p.dst, p.array, off, p.strides[d], n)
		p.left -= n
		if n < dims[d] {
			p.puts(", ...")
		}
		p.end(d)
		return
	}
	for i := range dims[d] {
		if i > 0 {
			p.puts(", ")
		}
		if p.left == 0 && p.style.maxElems > 0 {
			p.puts("...")
			break
		}
		p.dim(d+1, off+i*p.strides[d], i)
	}
	p.end(d)
}

// open prints the brace before dimension d. From rank 4 on, the braces between the
// first and the last are followed by the index of their sub-array.
func (p *textPrinter) open(d, index int) {
	p.puts("{")
	dims := p.array.shape.Dims
	switch {
	case !p.style.spaced || len(dims) == 1:
	case d == len(dims)-1:
		if dims[d] > 1 {
			p.puts(" ")
		}
	case d > 0 && len(dims) > 3:
		p.puts(" /*i")
		p.dst = appendSigned(p.dst, d-1)
		p.puts("=")
		p.dst = appendSigned(p.dst, index)
		p.puts("*/")
		if dims[d] > 0 {
			p.puts(" ")
		}
	default:
		p.puts(" ")
	}
}

func (p *textPrinter) end(d int) {
	dims := p.array.shape.Dims
	if p.style.spaced && len(dims) > 1 && (d < len(dims)-1 || dims[d] > 1) {
		p.puts(" ")
	}
	p.puts("}")
}

// emptyRows returns how many pairs of braces the text of s has if s has no
// elements, counting those of the last dimension printed.
func emptyRows(s shape.Shape) int {
	n := 1
	for _, d := range s.Dims {
		if d == 0 {
			return n
		}
		if n > maxEmptyRows {
			continue
		}
		n *= min(d, maxEmptyRows+1)
	}
	return 0
}
