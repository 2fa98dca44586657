package stablehlo

import "strconv"

// AppendText appends loc(unknown).
func (l UnknownLoc) AppendText(dst []byte) []byte { return appendLoc(dst, l) }

// AppendText appends loc("file":line:col).
func (l *FileLoc) AppendText(dst []byte) []byte { return appendLoc(dst, l) }

// AppendText appends loc("name"(child)).
func (l *NameLoc) AppendText(dst []byte) []byte { return appendLoc(dst, l) }

// AppendText appends loc(callsite(callee at caller)).
func (l *CallSiteLoc) AppendText(dst []byte) []byte { return appendLoc(dst, l) }

// AppendText appends loc(fused<metadata>[locations]).
func (l *FusedLoc) AppendText(dst []byte) []byte { return appendLoc(dst, l) }

func appendLoc(dst []byte, l Location) []byte {
	return append(AppendLocation(append(dst, "loc("...), l, nil), ')')
}

// AppendLocation appends what stands between the parentheses of loc(...). Where alias
// is not nil it may append another name for a location inside l, and report that it did.
func AppendLocation(dst []byte, l Location, alias func([]byte, Location) ([]byte, bool)) []byte {
	inner := func(dst []byte, l Location) []byte {
		if alias != nil {
			if out, ok := alias(dst, l); ok {
				return out
			}
		}
		return AppendLocation(dst, l, alias)
	}
	switch l := l.(type) {
	case *FileLoc:
		return appendFileLoc(dst, l)
	case *NameLoc:
		dst = AppendQuoted(dst, l.Name)
		if _, unknown := l.Child.(UnknownLoc); l.Child == nil || unknown {
			return dst
		}
		return append(inner(append(dst, '('), l.Child), ')')
	case *CallSiteLoc:
		dst = inner(append(dst, "callsite("...), l.Callee)
		return append(inner(append(dst, " at "...), l.Caller), ')')
	case *FusedLoc:
		dst = append(dst, "fused"...)
		if l.Metadata != nil {
			dst = append(l.Metadata.AppendText(append(dst, '<')), '>')
		}
		dst = append(dst, '[')
		for i, e := range l.Locs {
			dst = inner(appendComma(dst, i), e)
		}
		return append(dst, ']')
	}
	return append(dst, "unknown"...)
}

func appendFileLoc(dst []byte, l *FileLoc) []byte {
	dst = append(AppendQuoted(dst, l.File), ':')
	dst = append(strconv.AppendInt(dst, int64(l.Line), 10), ':')
	dst = strconv.AppendInt(dst, int64(l.Col), 10)
	if !l.Range {
		return dst
	}
	dst = append(dst, " to "...)
	if l.EndLine != l.Line {
		dst = strconv.AppendInt(dst, int64(l.EndLine), 10)
	}
	return strconv.AppendInt(append(dst, ':'), int64(l.EndCol), 10)
}
