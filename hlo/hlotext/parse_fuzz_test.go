package hlotext_test

import (
	"os"
	"testing"

	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/sharedtest"
)

// fuzzSeeds are small texts with every part of the grammar.
var fuzzSeeds = []string{
	"HloModule m\n\nENTRY e {\n  p = f32[2,3]{1,0} parameter(0)\n  ROOT r = f32[2,3]{1,0} add(p, p)\n}\n",
	"ENTRY e { ROOT c = (f32[], s32[2]) constant((nan(0x7), {1, -2})) }",
	"ROOT r = f32[4] add(f32[4] x, f32[4] y)",
	"f32[4] abs(f32[4])",
	"((), s32[]) custom-call-start(), custom_call_target=\"\"",
	"HloModule m, is_scheduled=true, replica_count=2, num_partitions=4, " +
		"input_output_alias={ {}: (0, {}, must-alias) }, buffer_donor={ (0, {1}) }, " +
		"entry_computation_layout={(f32[4]{0})->f32[4]{0}}, frontend_attributes={a=\"x\",b={y}}\n" +
		"FileNames\n1 \"a.py\"\nFunctionNames\n1 \"f\"\nFileLocations\n1 {file_name_id=1 function_name_id=1 line=1 " +
		"end_line=1 column=1 end_column=1}\nStackFrames\n1 {file_location_id=1 parent_frame_id=1}\n" +
		"ENTRY e { ROOT p = f32[4] parameter(0), metadata={op_name=\"a\" stack_frame_id=1} }",
	"f { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }\n" +
		"ENTRY e { p = f32[8]{0:T(8)S(1)} parameter(0), sharding={devices=[2]<=[2]} z = f32[] constant(0)\n" +
		"w = f32[7] reduce-window(p, z), window={size=2 stride=1 pad=0_0}, to_apply=f\n" +
		"ROOT r = f32[] reduce(w, z), dimensions={0}, to_apply=f, backend_config={\"a\":{\"b\":1}} }",
	"ENTRY e { p = f32[10] parameter(0) s = ((f32[10]), f32[10], s32[]) custom-call-start(p), custom_call_target=\"t\"," +
		" async_execution_thread=\"x\"\nROOT d = f32[10] custom-call-done(s) }",
	"ENTRY e { p = (f32[4], (s32[], f32[])) parameter(0) ROOT r = f32[] negate(p#1#1), origin={({\"a\" {0}}, {})} }",
	"ENTRY e { p = f32[1,8,8,3] parameter(0)\n" +
		"q = f32[3,3,3,16] parameter(1), sharding={mesh['x'=2,'y'=4], [{'x'}, {'y':(1)2, ?}]}\n" +
		"ROOT c = convolution(p, q), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, " +
		"operand_precision={high,default} }",
}

// FuzzParse checks that no text makes the parser or the printer panic, and that a
// print which can be read prints the same again.
func FuzzParse(f *testing.F) {
	for _, seed := range fuzzSeeds {
		f.Add(seed)
	}
	for _, folder := range []string{"ok", "reject", "newer"} {
		addCorpus(f, folder)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := hlotext.Parse(text, hlotext.ParseOptions{})
		if err != nil {
			if m != nil || !errorPlace(err).IsValid() {
				t.Errorf("expects no module and a place with the error %v", err)
			}
			return
		}
		first := hlotext.String(m, hlotext.Full())
		again, err := hlotext.Parse(first, hlotext.ParseOptions{})
		if err != nil {
			return
		}
		second := hlotext.String(again, hlotext.Full())
		last, err := hlotext.Parse(second, hlotext.ParseOptions{})
		if err != nil {
			t.Fatalf("reading the second print: %v\n%s", err, second)
		}
		if third := hlotext.String(last, hlotext.Full()); third != second {
			t.Errorf("the prints differ:\n%s\n---\n%s", second, third)
		}
	})
}

// addCorpus adds the small texts of a folder of the shared corpus, if that is there.
func addCorpus(f *testing.F, folder string) {
	const small = 4 << 10
	for _, path := range sharedtest.Files(f, "corpus/hlo", folder, "*.hlo") {
		if text, err := os.ReadFile(path); err == nil && len(text) < small {
			f.Add(string(text))
		}
	}
}
