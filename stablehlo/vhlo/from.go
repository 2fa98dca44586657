package vhlo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goxla/xla/stablehlo"
	"github.com/goxla/xla/stablehlo/bytecode"
)

// Artifact is what a portable artifact holds.
type Artifact struct {
	Module   *stablehlo.Module // of the dialects builtin, func and stablehlo, and others that the file mixes in
	Producer string            // the program that wrote the file
	Version  Version           // of StableHLO that the producer names; zero if it names none
	Format   int               // version of the bytecode container
}

// options are the dialects of portable artifacts.
func options() bytecode.Options {
	return bytecode.Options{Dialects: []*bytecode.Dialect{Dialect, Shardy}}
}

// plainOptions are the dialects of files that are no portable artifacts.
func plainOptions() bytecode.Options {
	return bytecode.Options{Dialects: []*bytecode.Dialect{bytecode.StableHLO, bytecode.CHLO, Shardy}}
}

// Read reads a portable artifact of any version of StableHLO from [Minimum] to
// [Current], or MLIR bytecode of the dialects stablehlo and chlo themselves, which has no
// versions. Large constants are views of data, which must not be changed. Errors name
// a byte offset and a section: *[bytecode.Error].
func Read(data []byte) (*Artifact, error) {
	o := options()
	o.Dialects = append(o.Dialects, bytecode.StableHLO, bytecode.CHLO)
	f, err := bytecode.Read(data, o)
	if err != nil {
		return nil, err
	}
	if err := fromModule(f.Module); err != nil {
		return nil, err
	}
	a := &Artifact{Module: f.Module, Producer: f.Producer, Format: f.Version}
	a.Version, _ = ProducerVersion(f.Producer)
	return a, nil
}

// fromModule turns the operations of VHLO into those of StableHLO, in place.
func fromModule(m *stablehlo.Module) error {
	for o := range m.Op.Walk() {
		name, ok := strings.CutPrefix(o.Name, "vhlo.")
		if !ok {
			continue
		}
		if err := fromOp(o, name); err != nil {
			return &bytecode.Error{Offset: o.Pos.Col, Section: "IR", Op: o.Name, Msg: err.Error()}
		}
	}
	foldCasts(m)
	return nil
}

// foldCasts takes out the casts between types of VHLO and the same types of other
// dialects, which stand where the file mixes dialects.
func foldCasts(m *stablehlo.Module) {
	source := map[*stablehlo.Value]*stablehlo.Value{}
	for o := range m.Op.Walk() {
		for _, r := range o.Regions {
			for _, b := range r.Blocks {
				b.Ops = slices.DeleteFunc(b.Ops, func(c *stablehlo.Op) bool { return noteCast(c, source) })
			}
		}
	}
	if len(source) == 0 {
		return
	}
	for o := range m.Op.Walk() {
		for i, v := range o.Operands {
			for range len(source) { // a cast of a cast
				if source[v] == nil {
					break
				}
				v = source[v]
			}
			o.Operands[i] = v
		}
	}
}

// noteCast reports whether c is a cast that changes nothing, and notes of what.
func noteCast(c *stablehlo.Op, source map[*stablehlo.Value]*stablehlo.Value) bool {
	if c.Name != castName || len(c.Operands) != 1 || len(c.Results) != 1 ||
		!stablehlo.SameType(c.Operands[0].Type, c.Results[0].Type) || c.Operands[0] == c.Results[0] {
		return false
	}
	source[c.Results[0]] = c.Operands[0]
	return true
}

// fromOp turns an operation of VHLO into one of StableHLO.
func fromOp(o *stablehlo.Op, name string) error {
	row := ops().byName[name]
	if row == nil {
		return fmt.Errorf("unknown operation: VHLO %s has no such one", Current)
	}
	inherent, err := flatAttrs(o, row)
	if err != nil {
		return err
	}
	o.Name = dialectOf(o, row.base) + "." + row.base
	o.Info = stablehlo.Lookup(o.Name)
	if o.Info == nil {
		return fmt.Errorf("operation %s is not known", o.Name)
	}
	o.Props = nil
	for i := range o.Info.Attrs {
		slot := &o.Info.Attrs[i]
		a, err := fromSlot(slot, row.base, inherent)
		if err != nil {
			return fmt.Errorf("%s: %w", slot.Name, err)
		}
		if a != nil {
			o.SetAttr(slot.Name, a)
		}
	}
	return nil
}

// dialectOf returns the dialect of the operation that VHLO calls base.
func dialectOf(o *stablehlo.Op, base string) string {
	switch base {
	case "func", "call":
		return "func"
	case "return":
		if p := o.Parent(); p != nil && p.Name == "func.func" {
			return "func"
		}
	}
	return "stablehlo"
}

// flatAttrs takes the attributes that the row names out of an operation, without those
// that stand for an absent one.
func flatAttrs(o *stablehlo.Op, row *opInfo) (map[string]stablehlo.Attribute, error) {
	inherent := map[string]stablehlo.Attribute{}
	for _, a := range o.Props {
		inherent[a.Name] = a.Value
	}
	attrs := o.Attrs[:0:0]
	for _, a := range o.Attrs {
		if row.has(a.Name) && inherent[a.Name] == nil {
			inherent[a.Name] = a.Value
		} else {
			attrs = append(attrs, a)
		}
	}
	o.Attrs = attrs
	isAbsent := func(name string) bool {
		def, ok := defaults()[row.base][name]
		return ok && !def.keep && inherent[name] != nil && def.value.is(inherent[name])
	}
	var drop []string
	for _, name := range row.attrs {
		if inherent[name] == nil {
			return nil, fmt.Errorf("expected an attribute %s, got none", name)
		}
		if other := together[name]; isAbsent(name) && (other == "" || isAbsent(other)) {
			drop = append(drop, name)
		}
	}
	for _, name := range drop {
		delete(inherent, name)
	}
	return inherent, nil
}

// together are attributes of custom_call that are absent only together.
var together = map[string]string{"operand_layouts": "result_layouts", "result_layouts": "operand_layouts"}

// fromSlot returns the attribute of StableHLO that a slot of the table names, made from
// the attributes of VHLO; nil if it is absent.
func fromSlot(slot *stablehlo.AttrSlot, base string, flat map[string]stablehlo.Attribute) (stablehlo.Attribute, error) {
	if isFlat(slot.Kind.Struct) {
		return fromParts(slot, flat)
	}
	a := flat[slot.Name]
	if a == nil {
		return nil, nil
	}
	if f, ok := forms[formName(slot, base)]; ok {
		return f.from(a)
	}
	return a, nil
}

// formName returns the name under which forms has the attribute of a slot.
func formName(slot *stablehlo.AttrSlot, base string) string {
	switch base + " " + slot.Name {
	case "custom_call api_version":
		return "api"
	case "composite version":
		return "version"
	}
	return slot.Kind.Name
}

// fromParts puts a struct attribute together; nil if all its parts are absent and it
// may be.
func fromParts(slot *stablehlo.AttrSlot, flat map[string]stablehlo.Attribute) (stablehlo.Attribute, error) {
	s := newStruct(slot.Kind.Struct)
	found := false
	for _, p := range parts(s) {
		a := flat[p.name]
		if a == nil {
			continue
		}
		found = true
		if err := p.set(a); err != nil {
			return nil, err
		}
	}
	if !found && slot.Optional {
		return nil, nil
	}
	if d, ok := s.(*stablehlo.DotAlgorithm); ok && (d.LHSPrecisionType == nil || d.RHSPrecisionType == nil ||
		d.AccumulationType == nil) {
		return nil, fmt.Errorf("expected all parts or none")
	}
	return s, nil
}
