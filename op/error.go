package op

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// Error is the error type of the whole project. It reads
// `model.hlo:12:5: %reverse.3: reverse: dimensions[1]: 4 is not in [0, 2) [reverse_c3]`:
// place, instruction, operation, attribute, what was expected and got, and the
// label of the constraint in the specification. Parts that are not known are left out.
type Error struct {
	Pos   Pos    // place in the program text
	Instr string // instruction name without "%"
	Op    Code   // Invalid when not about one operation
	Attr  string // attribute, with an index where it helps: "dimensions[1]"
	Label string // constraint label, for example "reverse_c3"
	Err   error  // what is wrong: expected, then got
}

// Pos is a place in a program's text, or in the Go file that built it, which has no column.
// The zero Pos is unknown. Columns count bytes from 1.
type Pos struct {
	File         string
	Line, Column int
}

// IsValid reports whether the line is known.
func (p Pos) IsValid() bool { return p.Line > 0 }

// String returns "file:line:column", without the file or the column where it has none.
func (p Pos) String() string {
	if p.Column == 0 && p.File != "" && p.IsValid() {
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	if p.File == "" {
		return fmt.Sprintf("%d:%d", p.Line, p.Column)
	}
	if !p.IsValid() {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// Error returns the parts that are known, separated by colons.
func (e *Error) Error() string {
	var parts []string
	if e.Pos.IsValid() || e.Pos.File != "" {
		parts = append(parts, e.Pos.String())
	}
	if e.Instr != "" {
		parts = append(parts, "%"+e.Instr)
	}
	if e.Op != Invalid {
		parts = append(parts, e.Op.String())
	}
	if e.Attr != "" {
		parts = append(parts, e.Attr)
	}
	if e.Err != nil {
		parts = append(parts, e.Err.Error())
	}
	s := strings.Join(parts, ": ")
	if e.Label != "" {
		s += " [" + e.Label + "]"
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// errf is fmt.Errorf, short because shape rules are full of it.
func errf(format string, args ...any) error { return fmt.Errorf(format, args...) }

// attrErr returns an *Error about attribute attr.
//
//go:noinline
func attrErr(attr, label, format string, args ...any) error {
	return &Error{Attr: attr, Label: label, Err: errf(format, args...)}
}

// labelErr returns an *Error about constraint label.
//
//go:noinline
func labelErr(label, format string, args ...any) error {
	return &Error{Label: label, Err: errf(format, args...)}
}

// withOp returns err as an *Error that names the operation. A label of a rule that
// serves several operations has no name in front of its underscore and gets that of c.
func withOp(err error, c Code) error {
	if e, ok := errors.AsType[*Error](err); ok {
		if e.Op == Invalid {
			e.Op = c
		}
		if strings.HasPrefix(e.Label, "_") {
			e.Label = strings.ReplaceAll(c.String(), "-", "_") + e.Label
		}
		return e
	}
	return &Error{Op: c, Err: err}
}

func checkAttrsType(info *Info, a Attrs) error {
	want, got := reflect.TypeOf(info.Attrs), reflect.TypeOf(a)
	switch {
	case want == nil && got == nil:
		return nil
	case want == nil:
		return errf("expects no attributes, got %v", got)
	case got == nil || reflect.ValueOf(a).IsNil():
		return errf("expects attributes of type %v, got none", want)
	case want != got:
		return errf("expects attributes of type %v, got %v", want, got)
	}
	return nil
}

// ErrorOf returns err as an *Error of operation c, with the name of c in a label
// that has none: errors of BroadcastShapes, WindowShape and the like go through it.
func ErrorOf(c Code, err error) error { return withOp(err, c) }
