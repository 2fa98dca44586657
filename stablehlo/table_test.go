package stablehlo

import (
	"strings"
	"testing"
)

// TestTable: the rows parse; names in forms are names of the row; counts are those of
// the specification.
func TestTable(t *testing.T) {
	count := map[string]int{}
	for _, row := range Ops() {
		dialect, _, _ := strings.Cut(row.Name, ".")
		count[dialect]++
		for word := range strings.FieldsSeq(row.Form) {
			if _, name, ok := strings.Cut(word, "$"); ok {
				name = strings.TrimRight(name, ")")
				if !row.knows(name) {
					t.Errorf("%s: the form names $%s, which the row does not have", row.Name, name)
				}
			}
		}
	}
	if count["stablehlo"] != 118 {
		t.Errorf("%d stablehlo rows, want 118", count["stablehlo"])
	}
	if Lookup("stablehlo.nothing") != nil || Lookup("stablehlo.add").Name != "stablehlo.add" {
		t.Error("Lookup finds the wrong row")
	}
}

// knows reports whether the row has an operand, result, region or attribute of that name.
func (i *OpInfo) knows(name string) bool {
	for _, slots := range [][]Slot{i.Operands, i.Results, i.Regions} {
		for _, s := range slots {
			if s.Name == name {
				return true
			}
		}
	}
	return i.Attr(name) != nil
}

func TestGroup(t *testing.T) {
	value := func(n int) []*Value { return make([]*Value, n) }
	for _, c := range []struct {
		op   string
		n    int
		want string // lengths of the groups
	}{
		{"stablehlo.scatter", 5, "212"},
		{"stablehlo.scatter", 4, ""},
		{"stablehlo.add", 2, "11"},
		{"stablehlo.add", 3, ""},
		{"stablehlo.outfeed", 1, "01"},
		{"stablehlo.outfeed", 3, "21"},
		{"stablehlo.reduce", 4, "22"},
	} {
		o := NewOp(c.op, value(c.n), nil)
		var got strings.Builder
		for i := range o.Info.Operands {
			if g, ok := o.Group(i); ok {
				got.WriteByte(byte('0' + len(g)))
			}
		}
		if got.String() != c.want {
			t.Errorf("%s with %d operands: groups %q, want %q", c.op, c.n, got.String(), c.want)
		}
	}
}
