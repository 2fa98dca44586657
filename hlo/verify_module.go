package hlo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goxla/xla/shape"
)

// schedulingName checks that an instruction is still called what the scheduler knew it as; copies
// (.clone, .remat) are not.
func (v *verifier) schedulingName(i *Instruction) error {
	if !v.o.NamesUnchanged || i.Metadata == nil || i.Metadata.SchedulingName == "" {
		return nil
	}
	isCopy := strings.Contains(i.name, ".remat") || strings.Contains(i.name, ".clone")
	if i.Metadata.SchedulingName != i.name && !isCopy {
		return i.errorf("metadata", "", "expects the name %q of scheduling_name, got %q",
			i.Metadata.SchedulingName, i.name)
	}
	return nil
}

// entryLayout checks entry_computation_layout against the entry computation. Tiles
// and memory spaces may differ.
func (v *verifier) entryLayout() error {
	layout := v.m.EntryLayout
	if layout == nil {
		return nil
	}
	entry := v.signature(v.m.entry)
	const attr = "entry_computation_layout"
	if len(layout.Params) != len(entry.Params) {
		return v.headerErrorf(attr, "expects %d parameters, got %d", len(entry.Params), len(layout.Params))
	}
	for k := range layout.Params {
		if !v.sameShape(entry.Params[k], layout.Params[k], true) {
			return v.headerErrorf(attr, "expects %v for parameter %d, got %v", entry.Params[k], k, layout.Params[k])
		}
	}
	if !v.sameShape(entry.Result, layout.Result, true) {
		return v.headerErrorf(attr, "expects the result %v, got %v", entry.Result, layout.Result)
	}
	return nil
}

// aliases checks input_output_alias: the parts exist, are arrays, and each is aliased once.
func (v *verifier) aliases() error {
	const attr = "input_output_alias"
	entry := v.m.EntrySignature()
	outputs, inputs := map[string]bool{}, map[string]bool{}
	for _, a := range v.m.InputOutputAlias {
		output, ok := subshape(entry.Result, a.OutputIndex)
		if !ok || !output.IsArray() {
			return v.headerErrorf(attr, "expects an array in the result %v, got none at %v",
				entry.Result, a.OutputIndex)
		}
		input, err := v.parameterPart(attr, entry, a.Param, a.ParamIndex)
		if err != nil {
			return err
		}
		from, to := fmt.Sprint(a.Param, a.ParamIndex), fmt.Sprint(a.OutputIndex)
		if inputs[from] || outputs[to] {
			return v.headerErrorf(attr, "expects every part once, got %v or parameter %d at %v again",
				a.OutputIndex, a.Param, a.ParamIndex)
		}
		inputs[from], outputs[to] = true, true
		if a.Must && !input.Equal(output) {
			return v.headerErrorf(attr, "expects one shape for parts that must alias, got %v and %v", input, output)
		}
	}
	return nil
}

// parameterPart returns the array at index in parameter param.
func (v *verifier) parameterPart(attr string, entry shape.Program, param int, index []int) (shape.Shape, error) {
	if param < 0 || param >= len(entry.Params) {
		return shape.Shape{}, v.headerErrorf(attr, "parameter %d is not in [0, %d)", param, len(entry.Params))
	}
	part, ok := subshape(entry.Params[param], index)
	if !ok || !part.IsArray() {
		return part, v.headerErrorf(attr, "expects an array in parameter %d, %v, got none at %v",
			param, entry.Params[param], index)
	}
	return part, nil
}

// donors checks buffer_donor: the parts exist and are not aliased besides.
func (v *verifier) donors() error {
	const attr = "buffer_donor"
	entry := v.m.EntrySignature()
	for _, d := range v.m.BufferDonors {
		if _, err := v.parameterPart(attr, entry, d.Param, d.Index); err != nil {
			return err
		}
		aliased := slices.ContainsFunc(v.m.InputOutputAlias, func(a Alias) bool {
			return a.Param == d.Param && slices.Equal(a.ParamIndex, d.Index)
		})
		if aliased {
			return v.headerErrorf(attr, "parameter %d at %v is in input_output_alias already", d.Param, d.Index)
		}
	}
	return nil
}

// debugTables checks that the numbers in the source tables are unique.
func (v *verifier) debugTables() error {
	d := &v.m.Debug
	lists := []struct {
		name string
		ids  []int
	}{
		{"FileNames", numbers(d.FileNames, func(e NumberedString) int { return e.ID })},
		{"FunctionNames", numbers(d.FunctionNames, func(e NumberedString) int { return e.ID })},
		{"FileLocations", numbers(d.FileLocations, func(e FileLocation) int { return e.ID })},
		{"StackFrames", numbers(d.StackFrames, func(e StackFrame) int { return e.ID })},
	}
	for _, l := range lists {
		slices.Sort(l.ids)
		if len(slices.Compact(slices.Clone(l.ids))) != len(l.ids) {
			return v.headerErrorf(l.name, "expects every number once")
		}
	}
	return nil
}

func numbers[E any](list []E, id func(E) int) []int {
	ids := make([]int, len(list))
	for k, e := range list {
		ids[k] = id(e)
	}
	return ids
}

// headerErrorf returns an error about an attribute of the module's header.
func (v *verifier) headerErrorf(attr, format string, args ...any) error {
	return &Error{Pos: Pos{File: v.m.File}, Attr: attr, Err: fmt.Errorf(format, args...)}
}
