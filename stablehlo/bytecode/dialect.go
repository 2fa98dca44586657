package bytecode

import "github.com/goxla/xla/stablehlo"

// Dialect says how the attributes and types of one dialect stand in a file.
type Dialect struct {
	Name string
	// Attrs and Types read what follows the code that is their index. An entry may be
	// nil: no such code.
	Attrs []func(*Decoder) stablehlo.Attribute
	Types []func(*Decoder) stablehlo.Type
	// Props returns the inherent attributes of an operation, its name without the
	// dialect, in the order in which they are stored; ok is false for an operation that
	// the dialect does not know. It may be nil.
	Props func(op string) (list []Prop, ok bool)
	// EncodeAttr and EncodeType write the code and what follows it; false means that the
	// dialect has no form for it, and nothing has been written.
	EncodeAttr func(*Encoder, stablehlo.Attribute) bool
	EncodeType func(*Encoder, stablehlo.Type) bool
}

// Prop is one of the attributes in the properties of an operation.
type Prop struct {
	Name     string
	Optional bool // a flag says whether it is there
	// Segments: the lengths of runs of operands or results. They stand behind the other
	// attributes, as numbers.
	Segments bool
}

// dialects is a list of them by name.
type dialects []*Dialect

func (l dialects) find(name string) *Dialect {
	for _, d := range l {
		if d.Name == name {
			return d
		}
	}
	return nil
}

// props returns the stored order of an operation's inherent attributes: that of its
// dialect, or of the table of operations, which MLIR stores by name.
func (l dialects) props(dialect, op string) ([]Prop, bool) {
	if d := l.find(dialect); d != nil && d.Props != nil {
		return d.Props(op)
	}
	return TableProps(dialect + "." + op)
}

// TableProps returns the inherent attributes that the row of an operation names as the
// properties of that operation are stored: by name, then the lengths of runs.
func TableProps(name string) (list []Prop, ok bool) {
	info := stablehlo.Lookup(name)
	if info == nil {
		return nil, false
	}
	for _, a := range info.Attrs {
		if a.Name != stablehlo.OperandSegments && a.Name != stablehlo.ResultSegments {
			list = append(list, Prop{Name: a.Name, Optional: a.Optional})
		}
	}
	sortProps(list)
	if info.Has(stablehlo.Segments) {
		for _, name := range []string{stablehlo.OperandSegments, stablehlo.ResultSegments} {
			if info.Attr(name) != nil {
				list = append(list, Prop{Name: name, Segments: true})
			}
		}
	}
	return list, true
}
