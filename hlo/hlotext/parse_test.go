package hlotext_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/op"
)

func parseGood(t *testing.T, text string) string {
	t.Helper()
	m, err := hlotext.Parse(text, hlotext.ParseOptions{})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return strings.TrimRight(hlotext.String(m, hlotext.Full()), "\n")
}

// TestParsePrints reads texts that differ from their print.
func TestParsePrints(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"no header", `ENTRY e { ROOT p = f32[2] parameter(0) }`,
			`HloModule module_e, entry_computation_layout={(f32[2]{0})->f32[2]{0}}

ENTRY %e (p: f32[2]) -> f32[2] {
  ROOT %p = f32[2]{0} parameter(0)
}`},
		{"one instruction", `f32[2] add(f32[2] x, f32[2])`,
			`HloModule _, is_scheduled=true, entry_computation_layout={(f32[2]{0}, f32[2]{0})->f32[2]{0}}

ENTRY %_ (x: f32[2], _1: f32[2]) -> f32[2] {
  %x = f32[2]{0} parameter(0)
  %_1 = f32[2]{0} parameter(1)
  ROOT %_ = f32[2]{0} add(%x, %_1)
}`},
		{"last computation and last instruction",
			`HloModule m f { p = f32[] parameter(0) } g { p = f32[] parameter(0) r = call(p), to_apply=f }`,
			`HloModule m, entry_computation_layout={(f32[])->f32[]}

%f (p: f32[]) -> f32[] {
  ROOT %p = f32[] parameter(0)
}

ENTRY %g (p.1: f32[]) -> f32[] {
  %p.1 = f32[] parameter(0)
  ROOT %r = f32[] call(%p.1), to_apply=%f
}`},
		{"computation in place",
			`HloModule m ENTRY e { p = f32[] parameter(0) ROOT r = f32[] call(p), to_apply={ ROOT p = f32[] parameter(0) } }`,
			`HloModule m, entry_computation_layout={(f32[])->f32[]}

%_ (p: f32[]) -> f32[] {
  ROOT %p = f32[] parameter(0)
}

ENTRY %e (p.1: f32[]) -> f32[] {
  %p.1 = f32[] parameter(0)
  ROOT %r = f32[] call(%p.1), to_apply=%_
}`},
		{"nested operands", `HloModule m ENTRY e { p = f32[] parameter(0) r = multiply(abs(p), f32[] abs(abs(p))) }`,
			`HloModule m, entry_computation_layout={(f32[])->f32[]}

ENTRY %e (p: f32[]) -> f32[] {
  %p = f32[] parameter(0)
  %abs.anon = f32[] abs(%p)
  %abs.anon.1 = f32[] abs(%p)
  %abs.anon.2 = f32[] abs(%abs.anon.1)
  ROOT %r = f32[] multiply(%abs.anon, %abs.anon.2)
}`},
		{"tuple elements", `HloModule m ENTRY e { p = (f32[], (f32[], f32[])) parameter(0) r = add(p#1#0, f32[] %p#1#0) }`,
			`HloModule m, entry_computation_layout={((f32[], (f32[], f32[])))->f32[]}

ENTRY %e (p: (f32[], (f32[], f32[]))) -> f32[] {
  %p = (f32[], (f32[], f32[])) parameter(0)
  %p_1 = (f32[], f32[]) get-tuple-element(%p), index=1
  %p_1_0 = f32[] get-tuple-element(%p_1), index=0
  ROOT %r = f32[] add(%p_1_0, %p_1_0)
}`},
		{"attributes in any order and case", `HloModule m, replica_count=2, is_scheduled=true
ENTRY e {
  p = f32[4,4] parameter(0), metadata={source_line=3, op_name="a\x41\n"}
  q = f32[4,4] negate(p), sharding={last_tile_dim_replicate devices=[1,2,2]0,1,2,3}, control-predecessors={p}
  d = f32[4,4] dot(p, q), rhs_contracting_dims={0}, operand_precision={HIGH,default}, lhs_contracting_dims={1}
  ROOT t = (f32[4,4], s32[]) custom-call(d), custom_call_target="t",
    frontend_attributes={b={"}":1},a="1",b="2"}, sharding={replicated}
}`,
			`HloModule m, is_scheduled=true, entry_computation_layout={(f32[4,4]{1,0})->(f32[4,4]{1,0}, s32[])}, ` +
				`replica_count=2

ENTRY %e (p: f32[4,4]) -> (f32[4,4], s32[]) {
  %p = f32[4,4]{1,0} parameter(0), metadata={op_name="aA\n" source_line=3}
  %q = f32[4,4]{1,0} negate(%p), sharding={devices=[1,2,2]0,1,2,3 last_tile_dim_replicate}, ` +
				`control-predecessors={%p}
  %d = f32[4,4]{1,0} dot(%p, %q), lhs_contracting_dims={1}, rhs_contracting_dims={0}, ` +
				`operand_precision={high,default}
  ROOT %t = (f32[4,4]{1,0}, s32[]) custom-call(%d), custom_call_target="t", ` +
				`sharding={{replicated}, {replicated}}, frontend_attributes={a="1",b="2"}
}`},
		{"results that the text does not decide", `HloModule m
ENTRY e { p = f32[2]{0:S(5)} parameter(0)
  t = f32[7] after-all()
  s = (f32[9], u32[], token[]) send(p, t), channel_id=1
  ROOT d = f32[3] send-done(s), channel_id=1 }`,
			`HloModule m, entry_computation_layout={(f32[2]{0:S(5)})->token[]}

ENTRY %e (p: f32[2]) -> token[] {
  %p = f32[2]{0:S(5)} parameter(0)
  %t = token[] after-all()
  %s = (f32[2]{0:S(5)}, u32[], token[]) send(%p, %t), channel_id=1
  ROOT %d = token[] send-done(%s), channel_id=1
}`},
		{"asynchronous with late operands", `HloModule m
ENTRY e { p = f32[2] parameter(0)
  s = ((), (), s32[]) custom-call-start(), custom_call_target="t", async_execution_thread="x"
  u = ((f32[2]), f32[2], ()) custom-call-update(s, p)
  ROOT d = f32[2] custom-call-done(u) }`,
			`HloModule m, entry_computation_layout={(f32[2]{0})->f32[2]{0}}

%async_wrapped (async_param: f32[2]) -> f32[2] {
  %async_param = f32[2]{0} parameter(0)
  ROOT %custom-call = f32[2]{0} custom-call(%async_param), custom_call_target="t"
}, execution_thread="x"

ENTRY %e (p: f32[2]) -> f32[2] {
  %s = ((), (), s32[]) async-start(), async_execution_thread="x", calls=%async_wrapped
  %p = f32[2]{0} parameter(0)
  %u = ((f32[2]{0}), f32[2]{0}, ()) async-update(%s, %p)
  ROOT %d = f32[2]{0} async-done(%u)
}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			options := hlotext.Full()
			options.PlainAsync = true
			m, err := hlotext.Parse(c.text, hlotext.ParseOptions{})
			if err != nil {
				t.Fatal(err)
			}
			got := strings.TrimRight(hlotext.String(m, options), "\n")
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestParseElided checks that constants left out count on over the module.
func TestParseElided(t *testing.T) {
	m, err := hlotext.Parse(inEntry("a = s32[3] constant({...})\nb = s32[2,2] constant({...})"), hlotext.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, i := range m.Entry().Instructions() {
		v := i.Attrs().(*op.ConstantAttrs).Value
		got += fmt.Sprint(v.IsElided(), v.IntAt(0), v.IntAt(v.Len()-1), " ")
	}
	if want := "true 0 2 true 3 6 "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestParseRoundTrips reads texts that are their own print.
func TestParseRoundTrips(t *testing.T) {
	for _, attributes := range []string{
		`, is_scheduled=true, input_output_alias={ {}: (0, {}, must-alias) }, buffer_donor={ (0, {}) }, ` +
			`alias_passthrough_params=true, entry_computation_layout={(f32[2]{0:S(5)})->f32[2]{0}}, ` +
			`allow_spmd_sharding_propagation_to_parameters={true,false}, allow_spmd_sharding_propagation_to_output={true}, ` +
			`replica_count=2, num_partitions=3, frontend_attributes={a="x",b={"c":{}}}`,
		`, entry_computation_layout={(f32[2]{0})->f32[2]{0}}

FileNames
1 "a.py"

FunctionNames
1 "f"

FileLocations
1 {file_name_id=1 function_name_id=1 line=2 end_line=3 column=4 end_column=5}

StackFrames
1 {file_location_id=1 parent_frame_id=1}
`,
	} {
		metadata := ""
		if strings.Contains(attributes, "StackFrames") { // tables that nothing refers to are dropped
			metadata = ", metadata={stack_frame_id=1}"
		}
		text := "HloModule m" + attributes + "\n\nENTRY %e (p: f32[2]) -> f32[2] {\n  ROOT %p = f32[2]{0} parameter(0)" +
			metadata + "\n}"
		if got := parseGood(t, text); got != text {
			t.Errorf("got\n%s\nwant\n%s", got, text)
		}
	}
}

func TestParseErrors(t *testing.T) {
	const call = "p = f32[] parameter(0)\n"
	for _, c := range []struct {
		text, place, want string
	}{
		{"HloModule m", "1:12", "expects a name, got the end"},
		{"HloModule m, is_scheduled=1 e {}", "1:27", "is_scheduled: expects true or false"},
		{"HloModule m, foo=1", "1:14", "expects one of the attributes alias_passthrough_params"},
		{"HloModule jit_f(x)", "1:16", "expects a name"},
		{"f (p: f32[]) -> f32[] {", "1:3", "expects '='"},
		{"ENTRY a { p = f32[] parameter(0) }\nENTRY b { p = f32[] parameter(0) }", "2:1", "only one ENTRY"},
		{"ENTRY a { p = f32[] parameter(0) }\na { p = f32[] parameter(0) }", "2:1", "no computation has"},
		{inEntry("p = f32[] parameter(0)\nROOT a = abs(p)\nROOT b = abs(p)"), "6:1", "expects one ROOT"},
		{inEntry("f32 = f32[] parameter(0)"), "4:1", `expects a name, got "f32", the name of an element type`},
		{inEntry("%f32 = f32[] parameter(0)"), "4:1", "legal instruction name such as f32_"},
		{inEntry("p=f32[] parameter(0)"), "4:1", `expects a name, got "p=", an attribute: a name stands apart`},
		{inEntry(call + "p = abs(p)"), "5:1", "no instruction of the computation has"},
		{inEntry(call + "r = foo(p)"), "5:5", `expects an opcode, or a shape in front of it, got "foo"`},
		{inEntry(call + "r = copy-update(p)"), "5:5", "expects an opcode"},
		{inEntry(call + "r = convert(p)"), "5:12", "expects a shape in front of convert"},
		{inEntry(call + "r = abs(p, p)"), "5:8", "%r: abs: expects 1 operands, got 2"},
		{inEntry(call + "r = abs(f32[2] p)"), "5:9", "expects the shape of the operand p, f32[], got f32[2]"},
		{inEntry(call + "r = add(p, abs(q))"), "5:12", `expects an instruction defined before, got "q"`},
		{inEntry(call + "r = negate(p#0)"), "5:12", "expects a tuple in front of #0"},
		{inEntry(call + "r = abs(p), foo={}"), "5:13", `expects one of the attributes backend_config,`},
		{inEntry(call + `r = abs(p), sharding={replicated}, sharding={manual}`), "5:36", "the attribute sharding once"},
		{inEntry(call + "r = reduce(p, p), to_apply=f"), "5:28", "to_apply: expects a computation defined before"},
		{inEntry("p = f32[2] parameter(0)\nr = f32[2,2] broadcast(p)"), "6:1", "expects the attribute dimensions"},
		{inEntry("p = f32[2] parameter(0), parameter_replication={true,false}"), "5:1", "one flag"},
		{inEntry(call + "r = abs(p), parameter_replication={true}"), "5:35", "on a parameter only"},
		{inEntry(call + "q = f32[] parameter(0)"), "5:22", "a parameter number that is free"},
		{inEntry("p = f32[2,3] parameter(0)\nr = f32[5] reshape(p)"), "6:1", "as many elements"},
		{inEntry(call + "r = f32[] all-gather(p), dimensions={}"), "6:1", "expects one dimension, got 0"},
		{inEntry(call + "r = (f32[]) tuple(p, p)"), "5:18", "expects 1 operands, got 2"},
		{inEntry("p = f33[2] parameter(0)"), "4:5", `expects an opcode, or a shape in front of it, got "f33"`},
		{inEntry("p = s32[] constant(1.5)"), "4:20", "expects integer"},
		{inEntry("p = f32[] parameter(0), sharding={devices=[1,1]0}"), "4:35", "more than one device"},
		{inEntry("p = f32[] parameter(0), metadata={foo=1}"), "4:35", "foo"},
		{inEntry("p = f32[] parameter(0), control-predecessors={}"), "4:47", "expects a name"},
		{inEntry(call + "d = f32[] async-done(p)"), "6:1", "async-start"},
		{inEntry("p = f32[2,3]{1} parameter(0)"), "4:17", "layout of 2 dimensions"},
	} {
		_, err := hlotext.Parse(c.text, hlotext.ParseOptions{File: "f.hlo"})
		if err == nil {
			t.Errorf("expects an error with %q, got none:\n%s", c.want, c.text)
			continue
		}
		if place := errorPlace(err); place.String() != c.place || !strings.HasPrefix(err.Error(), "f.hlo:"+c.place+": ") {
			t.Errorf("expects %s, got %v", c.place, err)
		}
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("expects %q, got %v", c.want, err)
		}
	}
}

// TestParsePositions checks that instructions know their lines.
func TestParsePositions(t *testing.T) {
	m, err := hlotext.Parse(inEntry("p = f32[] parameter(0)\n  r = abs(p)"), hlotext.ParseOptions{File: "f.hlo"})
	if err != nil {
		t.Fatal(err)
	}
	root := m.Entry().Root()
	if got := root.Errorf("", "", "wrong").Error(); got != "f.hlo:5:3: %r: abs: wrong" {
		t.Errorf("got %q", got)
	}
}
