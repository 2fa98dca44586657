package op

import "strconv"

// AppendQuoted appends s in double quotes with C escapes, as XLA prints strings:
// \n \r \t \" \' \\, and three octal digits for other bytes outside printable ASCII.
func AppendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := range len(s) {
		dst = appendEscaped(dst, s[i])
	}
	return append(dst, '"')
}

func appendEscaped(dst []byte, c byte) []byte {
	switch c {
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	case '"', '\'', '\\':
		return append(dst, '\\', c)
	}
	if c < 0x20 || c >= 0x7f {
		return append(dst, '\\', '0'+c>>6, '0'+c>>3&7, '0'+c&7)
	}
	return append(dst, c)
}

// AppendFloat appends f as XLA prints a float attribute: six significant digits, no trailing zeros.
func AppendFloat(dst []byte, f float64) []byte {
	n := len(dst)
	dst = strconv.AppendFloat(dst, f, 'g', 6, 64)
	switch string(dst[n:]) {
	case "NaN":
		return append(dst[:n], "nan"...)
	case "+Inf":
		return append(dst[:n], "inf"...)
	case "-Inf":
		return append(dst[:n], "-inf"...)
	}
	return dst
}

//go:noinline
func appendInt(dst []byte, n int) []byte { return strconv.AppendInt(dst, int64(n), 10) }

// appendJoin appends the elements of list, each by item, with sep between them.
func appendJoin[T any](dst []byte, list []T, sep string, item func([]byte, T) []byte) []byte {
	for i, e := range list {
		if i > 0 {
			dst = append(dst, sep...)
		}
		dst = item(dst, e)
	}
	return dst
}

// appendBraced is appendJoin in braces.
func appendBraced[T any](dst []byte, list []T, sep string, item func([]byte, T) []byte) []byte {
	dst = append(dst, '{')
	dst = appendJoin(dst, list, sep, item)
	return append(dst, '}')
}

func appendInts(dst []byte, list []int) []byte { return appendBraced(dst, list, ",", appendInt) }
