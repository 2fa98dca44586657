package bytecode

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/goxla/xla/stablehlo"
)

// TestVarint: numbers come back, in as few bytes as their bits need.
func TestVarint(t *testing.T) {
	for _, v := range []uint64{
		0, 1, 127, 128, 1<<14 - 1, 1 << 14, 1<<35 + 5, 1<<56 - 1, 1 << 56, 1 << 63, math.MaxUint64,
	} {
		data := appendVarint(nil, v)
		c := cursor{data: data, end: len(data)}
		if got := c.varint(); got != v || c.err != nil || c.left() != 0 {
			t.Errorf("%d: got %d from %x (%v)", v, got, data, c.err)
		}
	}
	for _, c := range []struct {
		v     uint64
		bytes int
	}{{127, 1}, {128, 2}, {1<<56 - 1, 8}, {1 << 56, 9}} {
		if n := len(appendVarint(nil, c.v)); n != c.bytes {
			t.Errorf("%d takes %d bytes, want %d", c.v, n, c.bytes)
		}
	}
}

// TestBools: truth values stand eight to a byte, a byte each, or one for all.
func TestBools(t *testing.T) {
	for _, c := range []struct {
		data []byte
		n    int64
		want []byte // nil: refused
	}{
		{[]byte{0xFF}, 5, []byte{1}},
		{[]byte{0}, 5, []byte{0}},
		{[]byte{0b10110}, 5, []byte{0, 1, 1, 0, 1}},
		{[]byte{1}, 1, []byte{1}},
		{[]byte{0b10000001, 1}, 9, []byte{1, 0, 0, 0, 0, 0, 0, 1, 1}},
		{[]byte{1, 0, 1}, 3, []byte{1, 0, 1}},
		{[]byte{1, 2, 1}, 3, nil},
		{[]byte{1, 1}, 5, nil},
	} {
		got, ok := unpackBools(c.data, c.n)
		if ok != (c.want != nil) || !bytes.Equal(got, c.want) {
			t.Errorf("%v as %d truth values: %v %v, want %v", c.data, c.n, got, ok, c.want)
		}
	}
}

// module returns a module that holds one operation.
func module(o *stablehlo.Op) *stablehlo.Module {
	m := stablehlo.NewModule()
	m.Body().Append(o)
	return m
}

// roundTrip writes and reads a module.
func roundTrip(t *testing.T, m *stablehlo.Module, version int) *stablehlo.Module {
	t.Helper()
	data, err := Write(&File{Version: version, Producer: "test", Module: m}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := Read(data, Options{})
	if err != nil {
		t.Fatalf("version %d: %v", version, err)
	}
	if f.Version != version || f.Producer != "test" {
		t.Errorf("version and producer: got %d %q", f.Version, f.Producer)
	}
	return f.Module
}

// TestBlocks: branches between blocks, a use before the definition, and a region that
// uses values from outside, in each version of the container.
func TestBlocks(t *testing.T) {
	for version := range MaxVersion + 1 {
		f := stablehlo.NewOp("func.func", nil, nil,
			stablehlo.NamedAttribute{Name: "sym_name", Value: stablehlo.StringAttr{Value: "f"}},
			stablehlo.NamedAttribute{Name: "function_type", Value: stablehlo.TypeAttr{Type: &stablehlo.FunctionType{}}})
		r := f.AddRegion()
		entry, second, third := r.AddBlock(stablehlo.I32), r.AddBlock(), r.AddBlock()
		late := stablehlo.NewOp("t.late", nil, []stablehlo.Type{stablehlo.I1})
		jump := stablehlo.NewOp("t.jump", nil, nil)
		jump.Successors = []*stablehlo.Block{third, second}
		entry.Append(jump)
		use := stablehlo.NewOp("t.use", []*stablehlo.Value{late.Results[0], entry.Args[0]}, nil)
		inner := stablehlo.NewOp("t.inner", []*stablehlo.Value{entry.Args[0]}, nil)
		use.AddRegion().AddBlock(stablehlo.I64).Append(inner)
		second.Append(use)
		third.Append(late)

		got := roundTrip(t, module(f), version)
		blocks := got.Func("f").Regions[0].Blocks
		gotUse, gotJump := blocks[1].Ops[0], blocks[0].Ops[0]
		gotLate := blocks[2].Ops[0].Results[0]
		switch {
		case gotUse.Operands[0] != gotLate || gotUse.Operands[1] != blocks[0].Args[0]:
			t.Errorf("version %d: operands of another value", version)
		case gotJump.Successors[0] != blocks[2] || gotJump.Successors[1] != blocks[1]:
			t.Errorf("version %d: other successors", version)
		case gotUse.Regions[0].Blocks[0].Ops[0].Operands[0] != blocks[0].Args[0]:
			t.Errorf("version %d: operand from outside is another value", version)
		}
	}
}

// TestAttributes: each builtin attribute and type comes back.
func TestAttributes(t *testing.T) {
	vector := &stablehlo.VectorType{Dims: []int64{2}, Elem: stablehlo.F32}
	tensor := &stablehlo.TensorType{Dims: []int64{stablehlo.Dynamic, 3}, Elem: stablehlo.F8E4M3FN}
	attrs := []stablehlo.Attribute{
		stablehlo.UnitAttr{}, stablehlo.Bool(true), stablehlo.Int64(-5), stablehlo.StringAttr{Value: "a\x00\xff"},
		stablehlo.IntegerAttr{Value: 200, Type: stablehlo.IntegerType{Width: 8, Sign: stablehlo.Unsigned}},
		stablehlo.IntegerAttr{Value: -7, Type: stablehlo.IntegerType{Width: 100}},
		stablehlo.FloatAttr{Bits: 0x3fc00000, Type: stablehlo.F32}, stablehlo.Symbol("s"),
		stablehlo.StringAttr{Value: "x", Type: stablehlo.IndexType{}},
		&stablehlo.SymbolRef{Root: "a", Nested: []string{"b", "c"}},
		&stablehlo.ArrayAttr{Elems: []stablehlo.Attribute{stablehlo.Int32(1), stablehlo.Symbol("t")}},
		stablehlo.Int64Array(1, -2), stablehlo.BoolArray(true, false), stablehlo.TypeAttr{Type: tensor},
		stablehlo.NewDenseInts(stablehlo.I1, []int64{3}, []int64{1, 0, 1}),
		&stablehlo.DenseElements{Type: vector, Data: make([]byte, 4), Splat: true},
		&stablehlo.DenseResource{Type: vector, Key: "blob"},
		&stablehlo.DenseStrings{Type: vector, Values: []string{"p", "q"}},
		stablehlo.OpaqueAttr{Dialect: "d", Body: "e<1>"}, stablehlo.OpaqueAttr{Dialect: "d", Body: "e 2", Angle: true},
		&stablehlo.FusedLoc{Locs: []stablehlo.Location{&stablehlo.FileLoc{File: "f", Line: 1, Col: 2}},
			Metadata: stablehlo.Int64(1)},
		&stablehlo.FileLoc{File: "f", Line: 1, Col: 2, EndLine: 3, EndCol: 4, Range: true},
		&stablehlo.CallSiteLoc{Callee: &stablehlo.NameLoc{Name: "n"}, Caller: stablehlo.UnknownLoc{}},
	}
	o := stablehlo.NewOp("t.op", nil, nil, stablehlo.NamedAttribute{Name: "a", Value: &stablehlo.ArrayAttr{Elems: attrs}})
	m := module(o)
	m.Resources = []stablehlo.Resource{
		{Section: "dialect_resources", Owner: "builtin", Key: "blob", Align: 64, Data: []byte("12345678")},
		{Section: "external_resources", Owner: "tool", Key: "on", Text: "true"},
		{Section: "external_resources", Owner: "tool", Key: "s", Text: `"text"`},
	}
	got := roundTrip(t, m, MaxVersion)
	list := got.Body().Ops[0].Attr("a").(*stablehlo.ArrayAttr).Elems
	for i, a := range attrs {
		if !stablehlo.SameAttribute(a, list[i]) {
			t.Errorf("%s: got %s", a, list[i])
		}
	}
	if data, ok := got.Resource("blob"); !ok || string(data) != "12345678" {
		t.Errorf("resource: got %q", data)
	}
	for _, r := range got.Resources {
		if (r.Key == "on" && r.Text != "true") || (r.Key == "s" && r.Text != `"text"`) {
			t.Errorf("resource %s: got %s", r.Key, r.Text)
		}
	}
}

// TestBombs: attributes that hold themselves, are nested without end, or grow without
// bound when written out, are refused with the place where they stand.
func TestBombs(t *testing.T) {
	doubling := func(i int) []token {
		return []token{{kind: tokenNumber, value: builtinArray}, {kind: tokenNumber, value: 2},
			{kind: tokenAttr, value: uint64(i + 1)}, {kind: tokenAttr, value: uint64(i + 1)}}
	}
	chain := func(i int) []token {
		return []token{{kind: tokenNumber, value: builtinArray}, {kind: tokenNumber, value: 1},
			{kind: tokenAttr, value: uint64(i + 1)}}
	}
	for _, c := range []struct {
		n    int
		make func(int) []token
		last []token
		want string
	}{
		{40, doubling, []token{{value: builtinUnit}}, "parts when written out"},
		{maxAttrDepth + 5, chain, []token{{value: builtinUnit}}, "nested more than"},
		{3, chain, chain(-1), "holds itself"},
	} {
		w := &writer{dialects: dialects{Builtin}, stringIDs: map[string]int{}, names: []string{"builtin"}}
		w.str("builtin")
		for i := range c.n {
			w.attrs.entries = append(w.attrs.entries, written{custom: true, tokens: c.make(i)})
			w.attrs.order = append(w.attrs.order, i)
		}
		w.attrs.entries = append(w.attrs.entries, written{custom: true, tokens: c.last})
		w.attrs.order = append(w.attrs.order, c.n)
		body, offsets := w.emitEntries()
		data := append([]byte(Magic), appendVarint(nil, MaxVersion)...)
		data = append(data, 0)
		data = appendSection(data, sectionDialect, append(appendVarint(appendVarint(nil, 1), 0), appendVarint(nil, 0)...))
		data = appendSection(data, sectionAttrTypeOffset, offsets)
		data = appendSection(data, sectionAttrType, body)
		data = appendSection(data, sectionString, w.emitStrings())
		data = appendSection(data, sectionIR, nil)
		r := &reader{data: data, module: &stablehlo.Module{}, dialects: w.dialects}
		if _, err := r.read(); err == nil {
			t.Fatal("expected an error for the empty section IR")
		}
		d := &Decoder{cursor: cursor{data: data, end: len(data)}, r: r}
		d.attrAt(0)
		var e *Error
		if d.err == nil || !errors.As(d.err, &e) || !strings.Contains(e.Msg, c.want) || e.Section == "" {
			t.Errorf("expected an error with %q, got %v", c.want, d.err)
		}
	}
}
