package hlopb

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// withoutConfig drops from m what the binary form does not have, and computes the
// constants that the text left out.
func withoutConfig(t *testing.T, m *hlo.Module) {
	t.Helper()
	m.Replicas, m.Partitions = 0, 0
	m.PropagateToParameters, m.PropagateToOutput, m.AliasPassthroughParams = nil, nil, false
	entries := (&writer{}).debugEntries(m.DebugAttributes)
	m.DebugAttributes = (&reader{}).debugText(entries) // with the blanks of print
	for _, c := range m.Computations() {
		for _, i := range c.Instructions() {
			switch a := i.Attrs().(type) {
			case *op.ConstantAttrs:
				i.SetAttrs(&op.ConstantAttrs{Value: computed(t, a.Value)})
			case *op.AllReduceAttrs:
				own := *a
				own.Mode = ""
				i.SetAttrs(&own)
			case *op.TopKAttrs: // the binary form has unset and true only
				if a.IsStable == op.False {
					i.SetAttrs(&op.TopKAttrs{K: a.K, Largest: a.Largest})
				}
			}
			dropZeroChannel(i)
		}
	}
}

// dropZeroChannel drops a channel id of 0, which the binary form cannot tell from none.
func dropZeroChannel(i *hlo.Instruction) {
	if id, ok := i.Channel(); !ok || id != 0 {
		return
	}
	attrs := op.CloneAttrs(i.Attrs())
	f, _ := op.FieldByName(attrs, "channel_id")
	*f.Pointer(attrs).(*op.OptInt) = op.OptInt{}
	i.SetAttrs(attrs)
}

// computed returns l with elements of its own.
func computed(t *testing.T, l literal.Literal) literal.Literal {
	t.Helper()
	if l.ElidedCount() == 0 {
		return l
	}
	if l.Shape().IsTuple() {
		var elems []literal.Literal
		for _, e := range l.Elems() {
			elems = append(elems, computed(t, e))
		}
		return literal.MakeTuple(elems...)
	}
	own, err := literal.FromPacked(l.Shape(), l.AppendPacked(nil))
	if err != nil {
		t.Fatal(err)
	}
	return own
}

// TestWriteCorpus writes every module of the corpora of text and reads it back. With
// $HLOPB_CASES it keeps what it wrote in that folder.
func TestWriteCorpus(t *testing.T) {
	for _, pattern := range []string{"corpus/hlo/ok/*.hlo", "corpus/hlo/newer/*.hlo", "models/*.hlo", "bench/*.hlo"} {
		for _, path := range sharedFiles(t, pattern) {
			m, err := hlotext.Parse(string(readFile(t, path)), hlotext.ParseOptions{File: path})
			if err != nil {
				continue // the newer ones have text that is told to be wrong
			}
			checkWritten(t, m, strings.TrimSuffix(filepath.Base(path), ".hlo"))
		}
	}
}

func checkWritten(t *testing.T, m *hlo.Module, name string) {
	t.Helper()
	withoutConfig(t, m)
	data, err := Append(nil, m)
	if err != nil {
		t.Error(err)
		return
	}
	if dir := os.Getenv("HLOPB_CASES"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, name+".pb"), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	again, err := Parse(data, ParseOptions{File: name})
	if err != nil {
		t.Error(err)
		return
	}
	if d := hlo.Diff(m, again); d != "" {
		t.Errorf("%s: %s", name, d)
	}
	if got, want := hlotext.String(again, hlotext.Default()), hlotext.String(m, hlotext.Default()); got != want {
		t.Errorf("%s: printed again as\n%s\nwant\n%s", name, got, want)
	}
}

// TestWriteForms writes modules with every form of attributes and annotations.
func TestWriteForms(t *testing.T) {
	_, parts := cases(t)
	for name, text := range parts {
		stem, ok := strings.CutSuffix(name, ".text.hlo")
		if !ok {
			continue
		}
		t.Run(stem, func(t *testing.T) {
			m, err := hlotext.Parse(text, hlotext.ParseOptions{})
			if err != nil {
				t.Fatal(err)
			}
			checkWritten(t, m, stem)
		})
	}
}

// TestFrameNumbers: in the binary form the places in the source tables are their numbers.
func TestFrameNumbers(t *testing.T) {
	m, err := hlotext.Parse(`ENTRY e { ROOT p = f32[] parameter(0) }`, hlotext.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	m.Debug = hlo.DebugTables{
		FileNames:     []hlo.NumberedString{{ID: 3, Text: "a.py"}, {ID: 4, Text: "b.py"}},
		FunctionNames: []hlo.NumberedString{{ID: 7, Text: "f"}},
		FileLocations: []hlo.FileLocation{{ID: 2, FileNameID: 4, FunctionNameID: 7, Line: 1, EndLine: 2, Column: 3,
			EndColumn: 4}},
		StackFrames: []hlo.StackFrame{{ID: 5, FileLocationID: 2, ParentFrameID: 1},
			{ID: 8, FileLocationID: 2, ParentFrameID: 6}},
	}
	m.Entry().Root().Metadata = &hlo.Metadata{OpName: "a", StackFrameID: 8}
	data, err := Append(nil, m)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Parse(data, ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := []hlo.StackFrame{{ID: 1, FileLocationID: 1, ParentFrameID: 1}, {ID: 2, FileLocationID: 1, ParentFrameID: 2}}
	if got := again.Debug.StackFrames; !slices.Equal(got, want) {
		t.Errorf("stack frames %v, want %v", got, want)
	}
	location := hlo.FileLocation{ID: 1, FileNameID: 2, FunctionNameID: 1, Line: 1, EndLine: 2, Column: 3, EndColumn: 4}
	if got := again.Debug.FileLocations; !slices.Equal(got, []hlo.FileLocation{location}) {
		t.Errorf("locations %v, want %v", got, location)
	}
	if got := again.Entry().Root().Metadata.StackFrameID; got != 2 {
		t.Errorf("stack_frame_id %d, want 2", got)
	}
}

// TestWriteErrors: what the binary form cannot hold is refused, with the instruction.
func TestWriteErrors(t *testing.T) {
	for name, c := range map[string]struct {
		change func(i *hlo.Instruction)
		want   string
	}{
		"text": {func(i *hlo.Instruction) { i.Metadata = &hlo.Metadata{OpName: "\xff"} },
			`%p: parameter: expects UTF-8 text, got "\xff"`},
		"origin": {func(i *hlo.Instruction) { i.Origin = &hlo.Origin{Text: "{"} },
			`%p: parameter: expects an origin, got "{"`},
		"deep origin": {func(i *hlo.Instruction) { i.Origin = &hlo.Origin{Text: strings.Repeat("(", 1<<20)} },
			`%p: parameter: expects an origin, got "((((((`},
		"sharding": {func(i *hlo.Instruction) { i.Sharding = &op.Sharding{Metadata: []string{"op_name"}} },
			`%p: parameter: expects the metadata of a sharding, got "op_name"`},
		"size": {func(i *hlo.Instruction) {
			s := shape.Make(shape.F32, 1<<20, 1<<12)
			i.Computation().Add("c", op.Constant, s, nil, &op.ConstantAttrs{Value: literal.Elided(s, 0)})
		}, "%c: constant: expects a program of at most 2147483647 bytes in binary form, got more"},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := hlotext.Parse("ENTRY e { ROOT p = f32[] parameter(0) }", hlotext.ParseOptions{})
			if err != nil {
				t.Fatal(err)
			}
			c.change(m.Entry().Root())
			if _, err = Append(nil, m); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got  %.200v\nwant %s", err, c.want)
			}
		})
	}
}
