package hlotext

import (
	"slices"

	"github.com/goxla/xla/hlo"
)

// numberFrames gives m the source tables in XLA's order: a stack frame is numbered when
// the first instruction names it, its callers before it; what the instructions do not
// need is dropped, and equal entries become one. A frame that the text does not have,
// or that stands at no place, is no frame.
func numberFrames(m *hlo.Module, tables *hlo.DebugTables) {
	t := frameTable{
		frames:    byID(tables.StackFrames, func(f hlo.StackFrame) int { return f.ID }),
		locations: byID(tables.FileLocations, func(l hlo.FileLocation) int { return l.ID }),
		files:     byID(tables.FileNames, func(s hlo.NumberedString) int { return s.ID }),
		functions: byID(tables.FunctionNames, func(s hlo.NumberedString) int { return s.ID }),
		numbers:   map[int]int{},
		made:      map[any]int{},
	}
	for _, c := range m.Computations() {
		for _, i := range c.Instructions() {
			if i.Metadata != nil && i.Metadata.StackFrameID != 0 {
				i.Metadata.StackFrameID = t.number(i.Metadata.StackFrameID)
			}
		}
	}
	m.Debug = t.out
}

// frameTable holds the tables of the text by number, and those that are made.
type frameTable struct {
	frames           map[int]hlo.StackFrame
	locations        map[int]hlo.FileLocation
	files, functions map[int]hlo.NumberedString
	numbers          map[int]int // of frames: from the text's to the new
	made             map[any]int // entries of out, less their own number
	out              hlo.DebugTables
}

func byID[T any](list []T, id func(T) int) map[int]T {
	m := make(map[int]T, len(list))
	for _, e := range list {
		m[id(e)] = e
	}
	return m
}

// number returns the new number of a frame, 0 if there is none.
func (t *frameTable) number(id int) int {
	var chain []int // the frame and its callers that have no number yet
	for t.numbers[id] == 0 && t.isFrame(id) && len(chain) < len(t.frames) {
		chain = append(chain, id)
		id = t.frames[id].ParentFrameID - 1
	}
	caller := t.numbers[id]
	for _, k := range slices.Backward(chain) {
		f := hlo.StackFrame{FileLocationID: t.location(t.frames[k].FileLocationID), ParentFrameID: caller + 1}
		caller = intern(t, &t.out.StackFrames, f, func(f *hlo.StackFrame) *int { return &f.ID })
		t.numbers[k] = caller
	}
	return caller
}

func (t *frameTable) isFrame(id int) bool {
	f, ok := t.frames[id]
	_, isPlace := t.locations[f.FileLocationID]
	return ok && isPlace
}

func (t *frameTable) location(id int) int {
	l := t.locations[id]
	l.ID = 0
	l.FileNameID = internName(t, &t.out.FileNames, t.files[l.FileNameID].Text, "file")
	l.FunctionNameID = internName(t, &t.out.FunctionNames, t.functions[l.FunctionNameID].Text, "function")
	return intern(t, &t.out.FileLocations, l, func(l *hlo.FileLocation) *int { return &l.ID })
}

// intern returns the number of e, whose ID is 0, in list, and adds it if it is new.
func intern[T comparable](t *frameTable, list *[]T, e T, id func(*T) *int) int {
	n := t.made[e]
	if n == 0 {
		n = len(*list) + 1
		t.made[e] = n
		*id(&e) = n
		*list = append(*list, e)
	}
	return n
}

// internName is intern for a name of a kind.
func internName(t *frameTable, list *[]hlo.NumberedString, name, kind string) int {
	key := [2]string{kind, name}
	n := t.made[key]
	if n == 0 {
		n = len(*list) + 1
		t.made[key] = n
		*list = append(*list, hlo.NumberedString{ID: n, Text: name})
	}
	return n
}
