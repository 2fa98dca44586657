package hlotext_test

import (
	"os"
	"strings"
	"testing"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// forms names sets of options for the test data.
var forms = map[string]hlotext.Options{
	"default":                hlotext.Default(),
	"long":                   hlotext.Long(),
	"short":                  hlotext.ShortParsable(),
	"canonical":              hlotext.Canonical(),
	"fingerprint":            hlotext.Fingerprint(),
	"plain_async":            {PlainAsync: true},
	"compact_tuple_elements": {CompactTupleElements: true},
	"compact_operands":       {CompactOperands: true},
	"sorted_config":          {SortBackendConfig: true, FullReplicaGroups: true},
	"inline_frames":          {InlineStackFrames: true},
	"op_name_only":           {OmitMetadataButOpName: true, OmitIDs: true},
	"no_calls":               {OmitCalledComputations: true},
	"bare": {OmitPercent: true, OmitProgramShape: true, OmitLayouts: true, OmitResultShape: true,
		OmitOperandNames: true, OmitIndexComments: true, OmitParameterNumbers: true, OmitAttributes: true,
		OmitCalledComputations:  true,
		OmitControlDependencies: true, OmitOrigin: true, OmitMetadata: true, OmitBackendConfig: true},
}

// readBack names the forms that read as a module with the same text.
var readBack = map[string]bool{"default": true, "long": true, "short": true, "plain_async": true,
	"compact_tuple_elements": true}

// TestPrintForms runs testdata/print.txtar.
func TestPrintForms(t *testing.T) {
	const path = "testdata/print.txtar"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	comment, _, _ := strings.Cut(string(data), "-- ")
	var m *hlo.Module
	out := comment
	for _, f := range parseTxtar(string(data)) {
		_, form, _ := strings.Cut(f.name, "/")
		text := f.text
		if form == "in" {
			if m, err = hlotext.Parse(f.text, hlotext.ParseOptions{}); err != nil {
				t.Fatalf("%s: %v", f.name, err)
			}
		} else {
			text = checkForm(t, m, f, form)
		}
		out += "-- " + f.name + " --\n" + text
	}
	if hlotest.Update() {
		if err := os.WriteFile(path, []byte(out), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// checkForm compares m, printed in a form, with the test data, reads it back, and returns it.
func checkForm(t *testing.T, m *hlo.Module, f txtarFile, form string) string {
	t.Helper()
	o, known := forms[form]
	if !known {
		t.Fatalf("%s: unknown form", f.name)
	}
	got := strings.TrimRight(hlotext.String(m, o), "\n") + "\n"
	if d := firstDifference(got, f.text); d != "" && !hlotest.Update() {
		t.Errorf("%s: %s", f.name, d)
	}
	if readBack[form] {
		again, err := hlotext.Parse(got, hlotext.ParseOptions{})
		if err != nil {
			t.Errorf("%s: does not read back: %v", f.name, err)
		} else if d := firstDifference(strings.TrimRight(hlotext.String(again, o), "\n")+"\n", got); d != "" {
			t.Errorf("%s: printed again: %s", f.name, d)
		}
	}
	return got
}

// TestPrintInstruction prints single instructions, as error messages quote them.
func TestPrintInstruction(t *testing.T) {
	m := hlo.NewModule("m")
	c := m.AddComputation("main")
	m.SetEntry(c)
	s := shape.Make(shape.F32, 2)
	p := c.Add("p", op.Parameter, s, nil, &op.ParameterAttrs{})
	r := c.Add("r", op.Reverse, s, []*hlo.Instruction{p}, &op.ReverseAttrs{Dimensions: []int{0}})
	r.BackendConfig = "{\"a\": \"}\"}"
	if got, want := hlotext.InstructionText(r),
		`%r = f32[2]{0} reverse(%p), dimensions={0}, backend_config={"a": "}"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := string(hlotext.AppendInstruction(nil, r, hlotext.Canonical())),
		"f32[2]{0} reverse(f32[2]{0}), dimensions={0}"; got != want {
		t.Errorf("canonical: got %s, want %s", got, want)
	}
	m.SetEntry(p.Computation())
	c.SetRoot(p)
	c.Remove(r)
	if got, want := hlotext.InstructionText(r), "%r = f32[2]{0} reverse()"; !strings.HasPrefix(got, want) {
		t.Errorf("a removed instruction: got %s, want %s", got, want)
	}
}

// TestPrintCallCircle checks that a module that calls in a circle prints in every form.
func TestPrintCallCircle(t *testing.T) {
	m := hlo.NewModule("m")
	a, b := m.AddComputation("a"), m.AddComputation("b")
	m.SetEntry(a)
	a.Add("x", op.Call, shape.Make(shape.F32), nil, &op.CallAttrs{}, b)
	b.Add("y", op.Call, shape.Make(shape.F32), nil, &op.CallAttrs{}, a)
	for name, o := range forms {
		if text := hlotext.String(m, o); len(text) > 1000 || strings.Count(text, "call") < 2 {
			t.Errorf("%s: got\n%s", name, text)
		}
	}
}

func BenchmarkPrint(b *testing.B) {
	m := hlo.NewModule("m")
	c := m.AddComputation("main")
	m.SetEntry(c)
	s := shape.Make(shape.F32, 128, 64)
	i := c.Add("p", op.Parameter, s, nil, &op.ParameterAttrs{})
	for range 40_000 {
		i = c.Add("n", op.Add, s, []*hlo.Instruction{i, i}, nil)
		i.Metadata = &hlo.Metadata{OpName: "jit(f)/add", SourceFile: "a.py", SourceLine: 7}
	}
	var dst []byte
	for b.Loop() {
		dst = hlotext.Append(dst[:0], m, hlotext.Options{})
	}
	b.SetBytes(int64(len(dst)))
}
