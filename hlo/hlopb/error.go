package hlopb

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/goxla/xla/op"
)

// Error says what is wrong with a binary program, and where. It reads
// `byte 123: computations[0].instructions[3].shape.element_type: expects ..., got ...`.
type Error struct {
	Offset int    // in the program, in bytes from 0
	Path   string // of the field: "computations[0].instructions[3].shape"; "" for the whole program
	Err    error  // what is wrong: expected, then got

	instr string // the instruction that it is in, if any
	code  op.Code
}

// Error returns place and cause.
func (e *Error) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("byte %d: %v", e.Offset, e.Err)
	}
	return fmt.Sprintf("byte %d: %s: %v", e.Offset, e.Path, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// step is one part of the path of a field.
type step struct {
	name  string
	index int // place in a list; -1 if it is none
}

func pathText(path []step) string {
	var b strings.Builder
	for i, s := range path {
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(s.name)
		if s.index >= 0 {
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
		}
	}
	return b.String()
}

// inFile returns err with the file and the instruction in front.
func inFile(file string, err *Error) error {
	return &op.Error{Pos: op.Pos{File: file}, Instr: err.instr, Op: err.code, Err: err}
}
