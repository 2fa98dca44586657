package bytecode

import "fmt"

// Error says what is wrong with a file and where.
type Error struct {
	Offset  int    // of the byte in the file
	Section string // "header" before the first section
	Op      string // the operation that is being read, "" if there is none
	Msg     string
}

// Error returns "offset 12 (0xc), section IR, vhlo.add_v1: message".
func (e *Error) Error() string {
	op := ""
	if e.Op != "" {
		op = ", " + e.Op
	}
	return fmt.Sprintf("offset %d (%#x), section %s%s: %s", e.Offset, e.Offset, e.Section, op, e.Msg)
}
