package hlo_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/shape"
)

// strict holds the options under which a module of the corpus' verify_reject is
// refused; the zero options refuse those that are not listed.
var strict = map[string]hlo.VerifyOptions{
	"BitcastNeedsSameNumberOfElements":                   {LayoutSensitive: true},
	"ConcatWithLayoutChangeNotAllowed":                   {LayoutSensitive: true},
	"CopyStartAndCopyDoneWrongLayout":                    {LayoutSensitive: true},
	"DynamicUpdateSliceMixedPrecision":                   {NoMixedPrecision: true},
	"HostOffloadingDSCannotChangeLayoutFromDeviceToHost": {LayoutSensitive: true},
	"NegativeHostMemorySpaceShape":                       {NoHostMemory: true},
	"UnboundedDynamismDefaultRejected":                   {NoUnboundedDynamism: true},
	"VerifyAsyncStartAliasConfigInvalidLayout":           {LayoutSensitive: true},
	"VerifyInstructionNameChanged":                       {NamesUnchanged: true},
	"VerifySendRecvDeadlockOnDuplicateTarget":            {NoCollectiveDeadlocks: true},
	"VerifySendRecvDeadlockOnSend":                       {NoCollectiveDeadlocks: true},
}

// editedFirst holds what XLA's test does to a module, which is correct as text, before it verifies it.
var editedFirst = map[string]func(*hlo.Module){
	"AsyncOpTupleWrongType": func(m *hlo.Module) { // the operand shapes are not in a tuple of their own
		start := instruction(m, "async-start")
		start.SetShape(shape.MakeTuple(start.Operand(0).Shape(), start.Shape().Elems[1]))
	},
	"CheckConditionalBranchIndexOperandShape": func(m *hlo.Module) { // the branch index is not s32
		instruction(m, "b0").SetShape(shape.Make(shape.U32))
	},
	"CollectivePermuteCrossReplicaTargetOOR": func(m *hlo.Module) { m.Replicas = 3 },
}

// instruction returns the instruction of the entry computation that is called name.
func instruction(m *hlo.Module, name string) *hlo.Instruction {
	list := m.Entry().Instructions()
	return list[slices.IndexFunc(list, func(i *hlo.Instruction) bool { return i.Name() == name })]
}

// TestVerifyRejects checks that what XLA's verifier refuses is refused.
func TestVerifyRejects(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(hlotest.Shared(t), "corpus/hlo/verify_reject/*.hlo"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files, %v", err)
	}
	refused := 0
	for _, file := range files {
		_, name, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".hlo"), "hlo_verifier__")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(string(text), "\n")
		m, err := hlotext.Parse(string(text), hlotext.ParseOptions{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if edit := editedFirst[name]; edit != nil {
			if err := hlo.Verify(m, strict[name]); err != nil {
				t.Errorf("%s: before the edit: %v", name, err)
			}
			edit(m)
		}
		err = hlo.Verify(m, strict[name])
		if err == nil {
			t.Errorf("%s: verifies, want an error as in %s", name, first)
			continue
		}
		t.Logf("%s\n  %v\n  %s", name, err, first)
		refused++
	}
	t.Logf("%d of %d refused, %d of them made wrong in code", refused, len(files), len(editedFirst))
}

// acceptedText returns all modules that XLA has compiled and run, by name.
func acceptedText(t *testing.T) map[string]string {
	shared := hlotest.Shared(t)
	texts := map[string]string{}
	for _, pattern := range []string{"conformance/hlo/*/*.txtar", "bench/*.hlo", "bench/*/*.hlo", "models/*.hlo"} {
		files, err := filepath.Glob(filepath.Join(shared, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			name, _ := filepath.Rel(shared, file)
			texts[name] = moduleOf(string(data))
		}
	}
	return texts
}

// moduleOf returns the module in a golden case, or text itself where that is no archive.
func moduleOf(text string) string {
	_, module, ok := strings.Cut(text, "-- module.hlo --\n")
	if !ok {
		return text
	}
	module, _, _ = strings.Cut(module, "\n-- ")
	return module
}

// TestVerifyAccepts checks that all modules that XLA has run are accepted.
func TestVerifyAccepts(t *testing.T) {
	texts := acceptedText(t)
	failed := map[string][]string{}
	for name, text := range texts {
		m, err := hlotext.Parse(text, hlotext.ParseOptions{})
		if err == nil {
			err = hlo.Verify(m, hlo.VerifyOptions{})
		}
		if err != nil {
			dir := filepath.Dir(name)
			failed[dir] = append(failed[dir], filepath.Base(name)+": "+err.Error())
		}
	}
	n := 0
	for dir, list := range failed {
		n += len(list)
		slices.Sort(list)
		t.Errorf("%s: %d: %s", dir, len(list), list[0])
	}
	t.Logf("%d of %d modules accepted", len(texts)-n, len(texts))
	if len(texts) < 1000 {
		t.Errorf("only %d modules found", len(texts))
	}
}
