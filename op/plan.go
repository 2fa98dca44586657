package op

import "reflect"

// Field is one attribute of an attribute struct, as its tag tells.
type Field struct {
	Name  string // in HLO text
	Index int    // of the struct field
	Type  reflect.Type
	Flags FieldFlags
}

// FieldFlags are the flags of an attribute's tag; see Attrs.
type FieldFlags uint8

// The flags.
const (
	FieldRequired FieldFlags = 1 << iota
	FieldAlways
	FieldAfter
	FieldLate
	FieldSilent
	FieldBare
)
