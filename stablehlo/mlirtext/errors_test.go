package mlirtext_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/goxla/xla/stablehlo"
	"github.com/goxla/xla/stablehlo/mlirtext"
)

// TestErrors: each fault is named with its place, what was expected and what is there.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"module {", `f:1:9: builtin.module: expected "}", got the end of the text`},
		{"module {\n  foo.bar\n}", `f:2:3: foo.bar: expected a known operation, got foo.bar`},
		{`"a.b"(%x) : (i32) -> ()`, `f:1:7: expected a defined value, got %x`},
		{`"a.b"() : (i32) -> ()`, `f:1:11: a.b: expected types of 0 operands, got 1`},
		{"%0 = \"a.b\"() : () -> i32\n\"a.c\"(%0) : (i8) -> ()", `f:2:7: a.c: expected i32, the type of %0, got i8`},
		{"%0 = \"a.b\"() : () -> i32\n\"a.c\"(%0#1) : (i32) -> ()",
			`f:2:7: a.c: expected a result below 1 of %0, got #1`},
		{"%0 = \"a.b\"() : () -> i32\n%0 = \"a.b\"() : () -> i32",
			`f:2:1: expected a new name of a value, got %0 again`},
		{`%0:3 = "a.b"() : () -> (i32, i32)`, `f:1:1: a.b: expected names for 2 results, got more`},
		{`%0 = "a.b"() : () -> (i32, i32)`, `f:1:1: a.b: expected names for 2 results, got 1`},
		{`"a.b"() {x = 1, x = 2} : () -> ()`, `f:1:10: a.b: expected each attribute once, got x again`},
		{`"a.b"() {x = 300 : i8} : () -> ()`, `f:1:14: a.b: expected a number that fits i8, got 300`},
		{`"a.b"() {x = 1 : f32} : () -> ()`, `f:1:14: a.b: expected a number with a point for f32, got 1`},
		{`"a.b"() {x = "y} : () -> ()`, `f:1:14: a.b: expected '"' at the end of the string, got the end of the text`},
		{`"a.b"() {x = "\q"} : () -> ()`,
			`f:1:18: a.b: expected an escape of \n, \t, \", \\ or two hexadecimal digits in "\\q"`},
		{`"a.b"() {x = #y} : () -> ()`, `f:1:14: a.b: expected a defined alias, got #y`},
		{`"a.b"() {x = dense<[1, 2]> : tensor<3xi32>} : () -> ()`,
			`f:1:20: a.b: expected 3 elements in the list for dimension 0, got 2`},
		{`"a.b"() {x = dense<[[1], [2]]> : tensor<2xi32>} : () -> ()`,
			`f:1:21: a.b: expected lists of the type's rank, 1, got a deeper one`},
		{`"a.b"() {x = dense<1> : tensor<?xi32>} : () -> ()`,
			`f:1:25: a.b: expected a tensor or vector type of known sizes for elements, got tensor<?xi32>`},
		{`"a.b"() {x = dense<"0x00"> : tensor<2xi32>} : () -> ()`,
			`f:1:20: a.b: expected 2 elements of 4 bytes, got 1 bytes`},
		{`"a.b"() {x = dense<> : tensor<2xi32>} : () -> ()`,
			`f:1:20: a.b: expected 2 elements of tensor<2xi32>, got none`},
		{`"a.b"() {x = dense<1.5> : tensor<2xi32>} : () -> ()`, `f:1:20: a.b: expected an integer for i32, got 1.5`},
		{`"a.b"() {x = dense<1> : tensor<2xi65>} : () -> ()`,
			`f:1:25: a.b: expected elements of at most 8 bytes, got i65`},
		{`"a.b"() : () -> tensor<2xfoo>`, `f:1:26: a.b: expected a type, got "foo"`},
		{`"a.b"() : () -> tensor<2 3>`, `f:1:26: a.b: expected "x" after a size, got "3"`},
		{`"a.b"() : () -> i99999999`, `f:1:17: a.b: expected a type, got "i99999999"`},
		{`"a.b"() : () -> !quant.uniform<i8<0:300>:f32, 1.0>`,
			`f:1:32: a.b: expected a range of storage inside [-128, 127], got [0, 300]`},
		{"func.func @f(%x: i32) {\n  %0 = stablehlo.add %x : i32\n}", `f:2:25: stablehlo.add: expected ",", got ":"`},
		{"func.func @f(%x: i32) {\n  %0 = stablehlo.iota dim = : tensor<2xi32>\n}",
			`f:2:29: stablehlo.iota: expected an attribute, got ":"`},
		{"func.func @f(%x: i32) {\n  %0 = stablehlo.compare XX, %x, %x : (i32, i32) -> i1\n}",
			`f:2:26: stablehlo.compare: expected a comparison_direction: one of EQ, NE, GE, GT, LE, LT, got "XX"`},
		{"func.func @f(%x: i32) {\n^bb0:\n^bb0:\n}", `f:3:1: func.func: expected a new label of a block, got ^bb0 again`},
		{`"a.b"() ({ "a.c"()[^x] : () -> () }) : () -> ()`, `f:1:20: a.b: expected a defined block, got ^x`},
		{`"a.b"() : () -> () loc(#x)`, `f:1:24: expected a defined alias, got #x`},
		{"#x = 1\n#x = 2", `f:2:1: expected a new alias, got #x again`},
		{`"a.b"() {x = #stablehlo.channel_handle<handle = 1>} : () -> ()`,
			`f:1:51: a.b: expected type in #stablehlo.channel_handle<...>, got none`},
		{"{-# other: {} #-}", `f:1:5: expected dialect_resources or external_resources, got "other"`},
		{"func.func @f(%x: i32)",
			`f:1:22: func.func: expected a body of a function whose arguments have names, got the end of the text`},
	} {
		_, err := mlirtext.Parse("f", c.text)
		if err == nil {
			t.Errorf("%s: no error, want %s", c.text, c.want)
			continue
		}
		if err.Error() != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, err, c.want)
		}
		var e *stablehlo.Error
		if !errors.As(err, &e) || e.File != "f" || e.Pos.Line == 0 {
			t.Errorf("%s: error %#v has no place", c.text, err)
		}
	}
}

// TestErrorLines: places in a part count from the beginning of the whole text.
func TestErrorLines(t *testing.T) {
	_, err := mlirtext.ParseAll("f", "module {}\n// -----\nmodule {}\n// -----\n\nmodule }")
	if want := `f:6:8: builtin.module: expected "{", got "}"`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	parts := mlirtext.Split("a\n// -----\nb\nc\n// ----- \nd")
	if len(parts) != 3 || parts[1].Text != "b\nc\n" || parts[1].Line != 2 || parts[2].Line != 5 {
		t.Errorf("parts %+v", parts)
	}
}

// TestHostile: deep nesting, huge numbers and cut texts give errors, soon.
func TestHostile(t *testing.T) {
	const n = 100000
	for name, text := range map[string]string{
		"regions":   strings.Repeat(`"a.b"() ({`, n),
		"arrays":    `"a.b"() {x = ` + strings.Repeat("[", n),
		"types":     `"a.b"() : () -> ` + strings.Repeat("tuple<", n),
		"functions": `"a.b"() : ` + strings.Repeat("(", n),
		"locations": `"a.b"() : () -> () loc(` + strings.Repeat(`"a"(`, n),
		"lists": `"a.b"() {x = dense<` + strings.Repeat("[", n) + strings.Repeat("]", n) +
			`> : tensor<1xi32>} : () -> ()`,
		"brackets":     `"a.b"() {x = #a.b<` + strings.Repeat("<", n),
		"results":      `%0:2000000000 = "a.b"() : () -> ()`,
		"result":       `"a.b"(%0#2000000000) : (i32) -> ()`,
		"rank":         `"a.b"() : () -> tensor<` + strings.Repeat("1x", n) + "i32>",
		"elements":     `"a.b"() {x = dense<[1]> : tensor<4000000000x4000000000xi32>} : () -> ()`,
		"many":         `"a.b"() {x = dense<[1]> : tensor<4000000000xi32>} : () -> ()`,
		"wide":         `"a.b"() {x = dense<[1]> : tensor<2xi16777216>} : () -> ()`,
		"scales":       `"a.b"() : () -> !quant.uniform<i8:f32:{0:1}, ` + strings.Repeat("{", n),
		"sparse":       `"a.b"() {x = sparse<` + strings.Repeat("[", n),
		"digits":       `"a.b"() {x = dense<` + strings.Repeat("7", n) + `> : tensor<i32>} : () -> ()`,
		"value number": `%999999999 = "a.b"() : () -> i32` + "\n" + `%999999999 = "a.b"() : () -> i32`,
	} {
		if _, err := mlirtext.Parse(name, text); err == nil {
			t.Errorf("%s: no error", name)
		} else if len(err.Error()) > 2000 {
			t.Errorf("%s: an error of %d bytes", name, len(err.Error()))
		}
	}
}

// TestSplatIsNotExpanded: a splat takes the memory of one element.
func TestSplatIsNotExpanded(t *testing.T) {
	m, err := mlirtext.Parse("f", `%0 = stablehlo.constant dense<1.0> : tensor<1000000x1000000xf32>`)
	if err != nil {
		t.Fatal(err)
	}
	value := m.Body().Ops[0].Attr("value").(*stablehlo.DenseElements)
	if !value.Splat || len(value.Data) != 4 {
		t.Errorf("splat %v, %d bytes", value.Splat, len(value.Data))
	}
}
