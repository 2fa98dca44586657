// Package opsdoc writes docs/OPS.md, what there is for each operation and how it is written;
// its test fails where the file is not what the code says.
package opsdoc

import (
	"fmt"
	"strings"

	"github.com/goxla/xla/op"
)

// head is the part of the page in front of the attributes.
const head = `
## Text

One section an operation, as HLO text spells it: operands and called computations, what holds for
every instruction with it, and its attributes in print order. An attribute with * must be given; one
in parentheses is read and not printed. "Shape given" means that the result shape does not follow from
the rest, so text must state it.

`

// Attributes returns the part of docs/OPS.md about the text of each operation.
func Attributes() string {
	var b strings.Builder
	b.WriteString(head)
	for _, c := range op.Codes() {
		section(&b, c)
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

func section(b *strings.Builder, c op.Code) {
	info := c.Info()
	fmt.Fprintf(b, "### %s\n\n`%s`", c, signature(c))
	for _, remark := range remarks(c) {
		fmt.Fprintf(b, " · %s", remark)
	}
	b.WriteString("\n\n")
	fields := op.Plan(info.Attrs)
	if len(fields) == 0 {
		return
	}
	b.WriteString("| attribute | form |\n|---|---|\n")
	for _, f := range fields {
		fmt.Fprintf(b, "| %s | `%s` |\n", title(f), f.Form())
	}
	b.WriteString("\n")
}

// signature returns how an instruction is written, without attributes.
func signature(c op.Code) string {
	info := c.Info()
	var operands []string
	for i := range max(info.Arity, 0) {
		operands = append(operands, string(rune('a'+i)))
	}
	if info.Arity == op.Variadic {
		operands = []string{"..."}
	}
	s := c.String() + "(" + strings.Join(operands, ", ") + ")"
	if info.Calls == nil {
		return s
	}
	for _, name := range info.Calls.Names {
		value := "f"
		if info.Calls.List {
			value = "{f, ...}"
		}
		s += ", " + name + "=" + value
	}
	return s
}

// traitRemarks are the traits that a reader wants to know, with their words.
var traitRemarks = []struct {
	trait op.Traits
	text  string
}{
	{op.Elementwise, "element-wise"},
	{op.Commutative, "commutative"},
	{op.SideEffect, "side effect"},
	{op.Collective, "collective"},
	{op.NeedsShape, "shape given"},
}

func remarks(c op.Code) []string {
	var list []string
	for _, r := range traitRemarks {
		if c.Info().Has(r.trait) {
			list = append(list, r.text)
		}
	}
	if calls := c.Info().Calls; calls != nil && calls.Optional {
		list = append(list, "computations may be absent")
	}
	return list
}

// title returns the attribute's name with its marks.
func title(f op.Field) string {
	switch {
	case f.Flags.Has(op.FieldSilent):
		return "(" + f.Name + ")"
	case f.Flags.Has(op.FieldBare):
		return f.Name + ", the argument"
	case f.Flags.Has(op.FieldRequired):
		return f.Name + " *"
	}
	return f.Name
}
