package shape

import "strconv"

// indexCommentInterval is how many elements of a tuple lie between two index
// comments, as in XLA's printer.
const indexCommentInterval = 5

// TextOptions chooses among the text forms of a shape. The zero value is the full
// form, which XLA prints in an instruction.
type TextOptions struct {
	// NoLayout leaves the layouts out, as in the header of a computation.
	NoLayout bool
	// NoIndexComments leaves out the /*index=5*/ before every fifth tuple element.
	NoIndexComments bool
}

// AppendText appends s as XLA prints it, with layouts: "f32[2,3]{1,0}".
func (s Shape) AppendText(dst []byte) []byte { return s.AppendTextWith(dst, TextOptions{}) }

// AppendTextNoLayout appends s as XLA prints it without layouts: "f32[2,3]".
//
//go:noinline
func (s Shape) AppendTextNoLayout(dst []byte) []byte {
	return s.AppendTextWith(dst, TextOptions{NoLayout: true})
}

// String returns s as XLA prints it, layout included.
func (s Shape) String() string { return string(s.AppendText(nil)) }

// StringNoLayout returns s as XLA prints it without layouts.
//
//go:noinline
func (s Shape) StringNoLayout() string { return string(s.AppendTextNoLayout(nil)) }

// AppendTextWith appends s in the form that o chooses. A default layout is printed
// like any other, except that a scalar's empty braces are left out.
func (s Shape) AppendTextWith(dst []byte, o TextOptions) []byte {
	switch s.Type {
	case Tuple:
		return appendTuple(dst, s.Elems, o)
	case Buffer:
		dst = append(dst, "b("...)
		for _, e := range s.Elems {
			dst = e.AppendTextWith(dst, o)
		}
		return append(dst, ')')
	case Invalid:
		return append(dst, "invalid"...)
	}
	dst = append(dst, s.Type.String()...)
	dst = s.appendDims(dst)
	if o.NoLayout || !s.IsArray() {
		return dst
	}
	return s.appendLayout(dst)
}

// appendTuple appends "(a, b, c, d, e, /*index=5*/f)".
func appendTuple(dst []byte, elems []Shape, o TextOptions) []byte {
	dst = append(dst, '(')
	for i, e := range elems {
		dst = appendSeparator(dst, i, o)
		dst = e.AppendTextWith(dst, o)
	}
	return append(dst, ')')
}

// appendSeparator appends what stands before element i of a list of shapes.
func appendSeparator(dst []byte, i int, o TextOptions) []byte {
	if i == 0 {
		return dst
	}
	dst = append(dst, ", "...)
	if i%indexCommentInterval == 0 && !o.NoIndexComments {
		dst = append(dst, "/*index="...)
		dst = strconv.AppendInt(dst, int64(i), 10)
		dst = append(dst, "*/"...)
	}
	return dst
}

// appendDims appends "[2,<=3,?]".
func (s Shape) appendDims(dst []byte) []byte {
	dst = append(dst, '[')
	for i, d := range s.Dims {
		if i > 0 {
			dst = append(dst, ',')
		}
		if d == Unbounded {
			dst = append(dst, '?')
			continue
		}
		if s.IsDynamicDim(i) {
			dst = append(dst, "<="...)
		}
		dst = strconv.AppendInt(dst, int64(d), 10)
	}
	return append(dst, ']')
}

// appendLayout appends the layout of an array; a scalar without layout properties
// has none to print.
func (s Shape) appendLayout(dst []byte) []byte {
	if s.Layout != nil {
		if len(s.Dims) == 0 && !s.Layout.hasProperties() {
			return dst
		}
		return s.Layout.AppendText(dst)
	}
	if len(s.Dims) == 0 {
		return dst
	}
	dst = append(dst, '{')
	for i := len(s.Dims) - 1; i >= 0; i-- {
		dst = strconv.AppendInt(dst, int64(i), 10)
		if i > 0 {
			dst = append(dst, ',')
		}
	}
	return append(dst, '}')
}

// AppendText appends l as XLA prints it: "{1,0:T(8,128)S(1)}". As a nil layout
// knows no rank, it prints as "{}".
func (l *Layout) AppendText(dst []byte) []byte {
	if l == nil {
		return append(dst, "{}"...)
	}
	dst = append(dst, '{')
	dst = appendInts(dst, l.MinorToMajor)
	if l.hasProperties() {
		dst = append(dst, ':')
		dst = l.appendTiles(dst)
		dst = l.appendSizes(dst)
		dst = l.appendSplits(dst)
	}
	return append(dst, '}')
}

// String returns l as XLA prints it.
func (l *Layout) String() string { return string(l.AppendText(nil)) }

// hasProperties reports whether anything is printed after the dimension order.
func (l *Layout) hasProperties() bool {
	return len(l.Tiles) > 0 || l.TailPadding > 1 || l.IndexType != Invalid || l.PointerType != Invalid ||
		l.ElementBits != 0 || l.MemorySpace != 0 || len(l.SplitConfigs) > 0 || l.Physical != nil ||
		l.DynamicMetadataPrefix > 0
}

func (l *Layout) appendTiles(dst []byte) []byte {
	if len(l.Tiles) == 0 {
		return dst
	}
	dst = append(dst, 'T')
	for _, t := range l.Tiles {
		dst = t.AppendText(dst)
	}
	return dst
}

// appendSizes appends the properties between the tiles and the split configs.
func (l *Layout) appendSizes(dst []byte) []byte {
	if l.TailPadding > 1 {
		dst = appendProperty(dst, "L", l.TailPadding)
	}
	if l.IndexType != Invalid {
		dst = append(append(append(dst, "#("...), l.IndexType.String()...), ')')
	}
	if l.PointerType != Invalid {
		dst = append(append(append(dst, "*("...), l.PointerType.String()...), ')')
	}
	if l.ElementBits != 0 {
		dst = appendProperty(dst, "E", l.ElementBits)
	}
	if l.MemorySpace != 0 {
		dst = appendProperty(dst, "S", l.MemorySpace)
	}
	return dst
}

// appendSplits appends the split configs and what follows them.
func (l *Layout) appendSplits(dst []byte) []byte {
	if len(l.SplitConfigs) > 0 {
		dst = append(dst, "SC"...)
		for _, c := range l.SplitConfigs {
			dst = append(dst, '(')
			dst = strconv.AppendInt(dst, int64(c.Dim), 10)
			dst = append(dst, ':')
			dst = appendInts(dst, c.Indices)
			dst = append(dst, ')')
		}
	}
	if l.Physical != nil {
		dst = append(dst, "P("...)
		dst = l.Physical.AppendText(dst)
		dst = append(dst, ')')
	}
	if l.DynamicMetadataPrefix > 0 {
		dst = appendProperty(dst, "M", l.DynamicMetadataPrefix)
	}
	return dst
}

// AppendText appends t as XLA prints it: "(8,128)", with "*" for Combine.
func (t Tile) AppendText(dst []byte) []byte {
	dst = append(dst, '(')
	for i, d := range t.Dims {
		if i > 0 {
			dst = append(dst, ',')
		}
		if d == Combine {
			dst = append(dst, '*')
			continue
		}
		dst = strconv.AppendInt(dst, int64(d), 10)
	}
	return append(dst, ')')
}

// String returns t as XLA prints it.
func (t Tile) String() string { return string(t.AppendText(nil)) }

// appendProperty appends "L(8)".
func appendProperty(dst []byte, name string, value int) []byte {
	dst = append(append(dst, name...), '(')
	dst = strconv.AppendInt(dst, int64(value), 10)
	return append(dst, ')')
}

// appendInts appends "1,2,3".
func appendInts(dst []byte, values []int) []byte {
	for i, v := range values {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(dst, int64(v), 10)
	}
	return dst
}
