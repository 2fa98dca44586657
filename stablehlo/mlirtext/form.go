package mlirtext

import (
	"strings"
	"sync"

	"github.com/goxla/xla/stablehlo"
)

// elementKind says what an element of a form is.
type elementKind uint8

const (
	elemLiteral   elementKind = iota // punctuation or a word
	elemOperand                      // the operands of one slot
	elemAttr                         // an attribute
	elemOperands                     // all operands
	elemAttrs                        // the attributes that the form does not show
	elemFn                           // (types) -> types
	elemTypeIn                       // the types of the operands of one slot
	elemTypeOut                      // the types of the results of one slot
	elemOptional                     // ?{ ... }
	elemDirective                    // a form of its own
)

// element is a part of a form.
type element struct {
	kind      elementKind
	text      string              // of a literal
	slot      int                 // of operands or results
	attr      *stablehlo.AttrSlot // of an attribute, or of a directive about one
	group     []element           // of an optional part
	directive *directive
}

// form is the short form of an operation.
type form struct {
	elements []element
	shown    map[string]bool // the attributes that it shows
}

// forms returns the table, made once. Readers and printers take it when they begin.
var forms = sync.OnceValue(func() formTable {
	all := make(formTable, len(stablehlo.Ops()))
	for i, row := range stablehlo.Ops() {
		if row.Form != "" {
			all[i] = compileForm(row)
		}
	}
	return all
})

// formTable holds the short form of each row, nil where there is none, by the index of
// the row.
type formTable []*form

// of returns the short form of a row, nil if it has none or there is no row.
func (t formTable) of(row *stablehlo.OpInfo) *form {
	if row == nil {
		return nil
	}
	return t[row.Index]
}

// compileForm reads the form of a row. The table is ours: an error in it panics.
func compileForm(row *stablehlo.OpInfo) *form {
	f := &form{shown: map[string]bool{}}
	words := strings.Fields(row.Form)
	f.elements, words = compileGroup(row, f, words)
	if len(words) > 0 {
		panic("mlirtext: form of " + row.Name + ": a } too many")
	}
	return f
}

// compileGroup reads words up to the end or the } of an optional part.
func compileGroup(row *stablehlo.OpInfo, f *form, words []string) ([]element, []string) {
	var list []element
	braces := 0 // literal braces that are open
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		switch {
		case word == "?{":
			e := element{kind: elemOptional}
			e.group, words = compileGroup(row, f, words)
			if len(words) == 0 {
				panic("mlirtext: form of " + row.Name + ": no } for ?{")
			}
			words = words[1:]
			list = append(list, e)
			continue
		case word == "}" && braces == 0:
			return list, append([]string{"}"}, words...)
		case word == "{":
			braces++
		case word == "}":
			braces--
		}
		list = append(list, compileWord(row, f, word))
	}
	return list, nil
}

// plainElements are the words of forms that stand for themselves.
var plainElements = map[string]elementKind{"operands": elemOperands, "attrs": elemAttrs, "fn": elemFn}

// compileWord reads one word of a form.
func compileWord(row *stablehlo.OpInfo, f *form, word string) element {
	if kind, ok := plainElements[word]; ok {
		return element{kind: kind}
	}
	if name, ok := strings.CutPrefix(word, "$"); ok {
		return compileName(row, f, name)
	}
	if name, ok := strings.CutPrefix(word, "type($"); ok {
		return compileType(row, strings.TrimSuffix(name, ")"))
	}
	if literal, ok := strings.CutPrefix(word, "'"); ok {
		return element{kind: elemLiteral, text: strings.TrimSuffix(literal, "'")}
	}
	if !isLetter(word[0]) {
		return element{kind: elemLiteral, text: word}
	}
	name, arg, _ := strings.Cut(strings.TrimSuffix(word, ")"), "($")
	e := element{kind: elemDirective, slot: -1, directive: findDirective(name)}
	if e.directive == nil {
		panic("mlirtext: form of " + row.Name + ": no directive " + name)
	}
	for _, shown := range e.directive.shows {
		f.shown[shown] = true
	}
	if arg != "" {
		e.slot = findSlot(row.Operands, arg)
		if e.attr = row.Attr(arg); e.attr != nil {
			f.shown[arg] = true
		}
	}
	return e
}

// compileName reads $name.
func compileName(row *stablehlo.OpInfo, f *form, name string) element {
	if slot := findSlot(row.Operands, name); slot >= 0 {
		return element{kind: elemOperand, slot: slot}
	}
	if a := row.Attr(name); a != nil {
		f.shown[name] = true
		return element{kind: elemAttr, attr: a}
	}
	panic("mlirtext: form of " + row.Name + ": no operand or attribute " + name)
}

// compileType reads type($name).
func compileType(row *stablehlo.OpInfo, name string) element {
	if slot := findSlot(row.Operands, name); slot >= 0 {
		return element{kind: elemTypeIn, slot: slot}
	}
	if slot := findSlot(row.Results, name); slot >= 0 {
		return element{kind: elemTypeOut, slot: slot}
	}
	panic("mlirtext: form of " + row.Name + ": no operand or result " + name)
}

func findSlot(slots []stablehlo.Slot, name string) int {
	for i, s := range slots {
		if s.Name == name {
			return i
		}
	}
	return -1
}
