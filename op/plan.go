package op

import (
	"fmt"
	"reflect"
	"strings"
)

// Field is one attribute of an attribute struct, as its tag tells.
type Field struct {
	Name  string // in HLO text
	Index int    // of the struct field
	Type  reflect.Type
	Flags FieldFlags
	ops   *fieldOps
}

// FieldFlags are the flags of an attribute's tag; see Attrs.
type FieldFlags uint16

// The flags.
const (
	FieldRequired FieldFlags = 1 << iota
	FieldAlways
	FieldAfter
	FieldLate
	FieldSilent
	FieldBare
	FieldCount
	FieldTrue
)

// flagNames are the spellings in tags, in the order of the constants.
var flagNames = [...]string{"required", "always", "after", "late", "silent", "bare", "count", "true"}

// Has reports whether all flags of g are set.
func (f FieldFlags) Has(g FieldFlags) bool { return f&g == g }

// plan is what the package knows of one attribute struct.
type plan struct {
	fields []Field
	typ    reflect.Type // the struct type, without the pointer
}

// plansByType holds a plan for each attribute struct of the table, keyed by pointer type.
var plansByType = makePlans()

func makePlans() map[reflect.Type]*plan {
	plans := make(map[reflect.Type]*plan)
	for i := range table {
		if a := table[i].Attrs; a != nil {
			t := reflect.TypeOf(a)
			if plans[t] == nil {
				plans[t] = makePlan(t.Elem())
			}
		}
	}
	return plans
}

func makePlan(t reflect.Type) *plan {
	p := &plan{typ: t}
	for i := range t.NumField() {
		sf := t.Field(i)
		name, flags := parseTag(sf.Tag.Get("hlo"))
		ops := opsByType[sf.Type]
		if name == "" || ops == nil {
			panic(fmt.Sprintf("op: field %v.%s has no hlo tag or a type without a printer", t, sf.Name))
		}
		p.fields = append(p.fields, Field{Name: name, Index: i, Type: sf.Type, Flags: flags, ops: ops})
	}
	return p
}

func parseTag(tag string) (name string, flags FieldFlags) {
	parts := strings.Split(tag, ",")
	for _, part := range parts[1:] {
		flags |= parseFlag(part)
	}
	return parts[0], flags
}

func parseFlag(s string) FieldFlags {
	for i, name := range flagNames {
		if s == name {
			return 1 << i
		}
	}
	panic("op: unknown flag in hlo tag: " + s)
}

// planOf returns the plan of a, nil for no attributes.
func planOf(a Attrs) *plan {
	if a == nil {
		return nil
	}
	return plansByType[reflect.TypeOf(a)]
}

// Plan returns the attributes of a in print order; a may be a typed nil as in the
// table, or nil, which has none. The slice is not to be changed.
func Plan(a Attrs) []Field {
	if p := planOf(a); p != nil {
		return p.fields
	}
	return nil
}

// NewAttrs returns a new zero attribute struct for c, or nil if c has no attributes.
func NewAttrs(c Code) Attrs {
	p := planOf(c.Info().Attrs)
	if p == nil {
		return nil
	}
	return reflect.New(p.typ).Interface().(Attrs)
}

// FieldByName returns the attribute called name in HLO text.
func FieldByName(a Attrs, name string) (Field, bool) {
	for _, f := range Plan(a) {
		if f.Name == name {
			return f, true
		}
	}
	return Field{}, false
}

// Value returns the settable field of a, which must be a non-nil pointer of the struct type
// that f comes from.
func (f Field) Value(a Attrs) reflect.Value { return reflect.ValueOf(a).Elem().Field(f.Index) }

// Pointer returns the address of the field of a as *T, where T is f.Type.
func (f Field) Pointer(a Attrs) any { return f.Value(a).Addr().Interface() }

// IsZero reports whether the field of a holds its default, which text leaves out.
func (f Field) IsZero(a Attrs) bool { return f.isZero(f.Pointer(a)) }

func (f *Field) isZero(p any) bool {
	if f.Flags.Has(FieldCount) {
		return *p.(*int) <= 1
	}
	return f.ops.zero(p)
}
