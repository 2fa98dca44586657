package xla_test

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/goxla/xla"
	"github.com/goxla/xla/hlo/hlopb"
	"github.com/goxla/xla/literal"
)

const doubling = "HloModule d\n\nENTRY e {\n  p = f32[2] parameter(0)\n  ROOT r = f32[2] add(p, p)\n}\n"

// TestForms: a program is known by its content, in text and in binary form.
func TestForms(t *testing.T) {
	module, err := hlopb.Append(nil, parse(t, doubling).Module())
	if err != nil {
		t.Fatal(err)
	}
	wrapped := protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), module)
	for _, c := range []struct {
		name string
		data []byte
		form xla.Form
	}{
		{"text", []byte(doubling), xla.HLOText},
		{"blank lines", []byte("\n\n" + doubling), xla.HLOText},
		{"HloModuleProto", module, xla.HloModuleProto},
		{"HloProto", wrapped, xla.HloModuleProto},
	} {
		prog, err := xla.Parse(c.name, c.data)
		if err != nil {
			t.Error(err)
			continue
		}
		if prog.Form() != c.form {
			t.Errorf("%s: form %q, want %q", c.name, prog.Form(), c.form)
		}
		out, err := compile(t, prog).Run(t.Context(), literal.Of([]float32{1, 2}))
		if err != nil {
			t.Error(err)
			continue
		}
		if got := out[0].String(); got != literal.Of([]float32{2, 4}).String() {
			t.Errorf("%s: result %s", c.name, got)
		}
	}
}

// TestUnknownForms: what is no program is refused, with the file and the place.
func TestUnknownForms(t *testing.T) {
	module, err := hlopb.Append(nil, parse(t, doubling).Module())
	if err != nil {
		t.Fatal(err)
	}
	const forms = "m: expects a program as HLO text, HloModuleProto, StableHLO text, StableHLO bytecode or jax.export, " +
		"got "
	for _, c := range []struct{ data, want string }{
		{string(module[:len(module)/2]), "m: byte "},
		{"\x7fELF\x00", forms + `other binary data, which begins with "\x7fELF\x00"`},
		{" \n", forms + "nothing: it is empty"},
		{"\n  not a program\nbut text", forms + `text that begins with "not a program"`},
		{"# A heading", forms + `text that begins with "# A heading"`},
		{"#!/bin/sh\necho", forms + `text that begins with "#!/bin/sh"`},
		{`{"json": [1, 2]}`, forms + `text that begins with "{\"json\": [1, 2]}"`},
		{"def f(x):\n  return 2 * x + " + strings.Repeat("y", 100), forms + `text that begins with "def f(x):"`},
		{strings.Repeat("y", 100), forms + `text that begins with "` + strings.Repeat("y", 40) + `"`},
		{"HloModule m\nENTRY e {", "m:2:"}, // one with an error is one
		{"ENTRY e { x = f32[2] parameters(0) }", "m:1:"},
		{"x = f32[2] parameters(0)", "m:1:"},
		{"f32[2] parameters(0)", "m:1:"},
		{"e {\n  ROOT x = f32 parameter(0) }", "m:2:"},
		{"#map = affine_map<", "m:1:"},
	} {
		if _, err := xla.Parse("m", []byte(c.data)); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%.20q: got %v, want %s", c.data, err, c.want)
		}
	}
}
