package stablehlo

import (
	"fmt"
	"strconv"
	"strings"
)

// This file reads the table of operations, ops.txt, which explains its own form. The
// table is part of the program: an error in it is ours, and panics.

// traitNames are the traits as the table spells them.
var traitNames = map[string]Traits{
	"terminator": Terminator, "symboltable": SymbolTable, "isolated": Isolated,
	"samevariadic": SameVariadic, "segments": Segments, "commutative": Commutative,
}

// parseTable reads the text of the table.
func parseTable(text string) *opTable {
	t := &opTable{byName: map[string]*OpInfo{}}
	var group []*OpInfo // the rows of the last head
	var field string    // the field that a line without a name goes on with
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		body := strings.TrimSpace(line)
		switch {
		case body == "" || body[0] == '#':
			continue
		case line[0] != ' ':
			group, field = parseHead(line), ""
			t.add(group)
			continue
		}
		first, rest, _ := strings.Cut(body, " ")
		if first == "attrs" || first == "regions" || first == "form" {
			field, body = first, strings.TrimSpace(rest)
		}
		for _, row := range group {
			row.addField(field, body)
		}
	}
	return t
}

// add puts rows at the end of the table.
func (t *opTable) add(group []*OpInfo) {
	for _, row := range group {
		if t.byName[row.Name] != nil {
			panic("stablehlo: two rows for " + row.Name)
		}
		row.Index = len(t.list)
		t.byName[row.Name] = row
		t.list = append(t.list, row)
	}
}

// parseHead reads "dialect.{a,b}(operands) -> results traits".
func parseHead(line string) []*OpInfo {
	names, rest, ok1 := strings.Cut(line, "(")
	operands, rest, ok2 := strings.Cut(rest, ")")
	rest, ok3 := strings.CutPrefix(rest, " ->")
	if !ok1 || !ok2 || !ok3 {
		panic(fmt.Sprintf("stablehlo: table: %q is no head of a row", line))
	}
	row := OpInfo{Operands: parseSlots(operands)}
	var results []string
	for word := range strings.FieldsSeq(rest) {
		if trait, ok := traitNames[word]; ok {
			row.Traits |= trait
		} else {
			results = append(results, word)
		}
	}
	row.Results = parseSlots(strings.Join(results, " "))
	var group []*OpInfo
	for _, name := range expandBraces(names) {
		r := row
		r.Name = name
		group = append(group, &r)
	}
	return group
}

// expandBraces turns "a.{b,c}" into "a.b" and "a.c".
func expandBraces(names string) []string {
	prefix, list, ok := strings.Cut(names, "{")
	if !ok {
		return []string{names}
	}
	var all []string
	for name := range strings.SplitSeq(strings.TrimSuffix(list, "}"), ",") {
		all = append(all, prefix+name)
	}
	return all
}

// parseSlots reads "a, b*, c?"; commas are optional.
func parseSlots(text string) []Slot {
	var slots []Slot
	for word := range strings.FieldsSeq(strings.ReplaceAll(text, ",", " ")) {
		s := Slot{Name: strings.TrimRight(word, "*?")}
		switch word[len(word)-1] {
		case '*':
			s.Arity = Variadic
		case '?':
			s.Arity = Optional
		}
		slots = append(slots, s)
	}
	return slots
}

// addField reads a field of the row.
func (i *OpInfo) addField(field, body string) {
	switch field {
	case "attrs":
		for word := range strings.FieldsSeq(body) {
			i.Attrs = append(i.Attrs, parseAttrSlot(word))
		}
	case "regions":
		i.Regions = append(i.Regions, parseSlots(body)...)
	case "form":
		i.Form = strings.TrimSpace(i.Form + " " + body)
	default:
		panic("stablehlo: table: " + i.Name + " has an unknown field: " + body)
	}
}

// parseAttrSlot reads "name:kind", "name:kind?" or "name:kind=default".
func parseAttrSlot(word string) AttrSlot {
	name, kind, _ := strings.Cut(word, ":")
	kind, def, hasDefault := strings.Cut(kind, "=")
	kind, optional := strings.CutSuffix(kind, "?")
	s := AttrSlot{Name: name, Kind: findKind(kind), Optional: optional || hasDefault}
	if s.Kind == nil {
		panic(fmt.Sprintf("stablehlo: table: unknown kind of attribute in %q", word))
	}
	if hasDefault {
		s.Default = parseDefault(s.Kind, def)
	}
	return s
}

// parseDefault reads the default value of an attribute.
func parseDefault(kind *AttrKind, text string) Attribute {
	if kind.Type != nil {
		v, err := strconv.ParseInt(text, 10, 64)
		if err == nil {
			return IntegerAttr{Value: v, Type: kind.Type}
		}
	}
	a, ok := map[string]Attribute{
		"true": Bool(true), "false": Bool(false), `""`: StringAttr{}, "[]": &ArrayAttr{}, "{}": &DictAttr{},
		"DEFAULT": &ResultAccuracy{Mode: EnumAttr{Kind: ResultAccuracyMode}},
	}[text]
	if !ok || !kind.Check(a) {
		panic(fmt.Sprintf("stablehlo: table: %q is no default of a %s", text, kind.Name))
	}
	return a
}
