package hlopb

import (
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/goxla/xla/hlo"
)

// ParseOptions are options of Parse.
type ParseOptions struct {
	// File is the name of the file in errors and in the module; it may be empty.
	File string
}

// Parse reads a program in binary form: an HloModuleProto, or an HloProto, whose
// module it returns. It does not verify the program. An error is an *op.Error with
// the file, around an *Error with the place.
func Parse(data []byte, o ParseOptions) (*hlo.Module, error) {
	r := &reader{data: data, end: len(data), schema: tables()}
	if len(data) > MaxBytes {
		r.fail("expects at most %d bytes, got %d", MaxBytes, len(data))
		return nil, inFile(o.File, r.err)
	}
	var m *hlo.Module
	if isWrapped(data) {
		r.fields(func(num protowire.Number) bool {
			if num != moduleOfHloProto {
				return false
			}
			r.within("hlo_module", func() { r.message(func() { m = r.module() }) })
			return true
		})
	} else {
		m = r.module()
	}
	if r.err != nil {
		return nil, inFile(o.File, r.err)
	}
	m.File = o.File
	return m, nil
}

// moduleOfHloProto is the field of HloProto that holds the module.
const moduleOfHloProto = 1

// fieldsOf calls each for every field of a message; false if data is no message.
func fieldsOf(data []byte, each func(num protowire.Number, typ protowire.Type, value []byte)) bool {
	for len(data) > 0 {
		num, typ, n := protowire.ConsumeTag(data)
		if n < 0 {
			return false
		}
		size := protowire.ConsumeFieldValue(num, typ, data[n:])
		if size < 0 {
			return false
		}
		each(num, typ, data[n:n+size])
		data = data[n+size:]
	}
	return true
}

// isWrapped reports whether data is an HloProto. In both messages field 1 has its length
// in front: there it is a module, which begins with the tag of a field, here a name.
func isWrapped(data []byte) bool {
	wrapped := false
	fieldsOf(data, func(num protowire.Number, typ protowire.Type, value []byte) {
		if num != moduleOfHloProto || typ != protowire.BytesType {
			return
		}
		body, _ := protowire.ConsumeBytes(value)
		hasComputations := false
		whole := fieldsOf(body, func(num protowire.Number, typ protowire.Type, _ []byte) {
			hasComputations = hasComputations || num == computationsOfModule && typ == protowire.BytesType
		})
		wrapped = whole && hasComputations
	})
	return wrapped
}

// Fields of HloModuleProto.
const (
	entryNameOfModule    = 2
	computationsOfModule = 3
)

// IsProgram reports whether data begins like a program in binary form, which text does
// not. It may be cut off.
func IsProgram(data []byte) bool {
	num, typ, n := protowire.ConsumeTag(data)
	if n < 0 || typ != protowire.BytesType {
		return false
	}
	if num != moduleOfHloProto { // the name of a module is missing
		return isAfterName(data)
	}
	length, size := protowire.ConsumeVarint(data[n:])
	if size < 0 {
		return false
	}
	rest := data[n+size:]
	if length > uint64(len(rest)) {
		return IsProgram(rest)
	}
	return isAfterName(rest[length:]) || isWrapped(data)
}

// isAfterName reports whether data begins with a field that follows the name of a module.
func isAfterName(data []byte) bool {
	num, typ, n := protowire.ConsumeTag(data)
	return n > 0 && typ == protowire.BytesType && (num == entryNameOfModule || num == computationsOfModule)
}
