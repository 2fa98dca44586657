package stablehlo

import "strconv"

// Error is a fault of a program at one place. Its text is
//
//	file:line:col: op: attribute: what was expected and what was there (label)
//
// with the parts that are known.
type Error struct {
	File string
	Pos  Pos      // zero: not known
	Op   string   // name of the operation, "" outside one
	Attr string   // the operand, attribute or region at fault, "" if it is none of them
	Rule string   // label of the violated constraint in the specification: "reverse_c2"
	Loc  Location // where the user's program has the operation; nil: not known
	Err  error
}

// Error returns the text.
func (e *Error) Error() string {
	var dst []byte
	if e.File != "" {
		dst = append(append(dst, e.File...), ':')
	}
	switch {
	case e.Pos.Line > 0:
		dst = append(strconv.AppendInt(dst, int64(e.Pos.Line), 10), ':')
		dst = append(strconv.AppendInt(dst, int64(e.Pos.Col), 10), ':')
	case e.Pos.Col > 0:
		dst = append(strconv.AppendInt(append(dst, "byte "...), int64(e.Pos.Col), 10), ':')
	}
	if len(dst) > 0 {
		dst = append(dst, ' ')
	}
	for _, part := range []string{e.Op, e.Attr} {
		if part != "" {
			dst = append(append(dst, part...), ": "...)
		}
	}
	dst = append(dst, e.Err.Error()...)
	if e.Rule != "" {
		dst = append(append(append(dst, " ("...), e.Rule...), ')')
	}
	if _, unknown := e.Loc.(UnknownLoc); e.Loc != nil && !unknown {
		dst = AppendLocation(append(dst, " at "...), e.Loc, nil)
	}
	return string(dst)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
