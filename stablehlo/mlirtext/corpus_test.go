package mlirtext_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/stablehlo"
	"github.com/goxla/xla/stablehlo/mlirtext"
)

// corpusFiles returns the .mlir files under a folder of the shared test data.
func corpusFiles(t *testing.T, dir string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(filepath.Join(hlotest.Shared(t), dir), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".mlir") {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// tally counts what a test tried.
type tally struct{ files, parts, bad int }

// roundTrip parses a module, prints it in every form, and parses that.
func roundTrip(t *testing.T, name string, part mlirtext.Part) bool {
	m, err := mlirtext.ParsePart(name, part)
	if err != nil {
		t.Error(err)
		return false
	}
	ok := true
	for _, o := range []mlirtext.Options{{}, {Generic: true}, {Locations: true}, {Generic: true, Locations: true}} {
		text := mlirtext.Print(m, o)
		again, err := mlirtext.Parse(name, text)
		if err != nil {
			t.Errorf("%s: printed with %+v: %v\n%s", name, o, err, clip(text))
			ok = false
			continue
		}
		if diff := stablehlo.Diff(m, again, o.Locations); diff != "" {
			t.Errorf("%s: printed with %+v: %s\n%s", name, o, diff, clip(text))
			ok = false
		}
		if twice := mlirtext.Print(again, o); twice != text {
			t.Errorf("%s: printed with %+v: another text the second time\n%s\n%s", name, o, clip(text), clip(twice))
			ok = false
		}
	}
	return ok
}

func clip(s string) string { return s[:min(len(s), 3000)] }

// TestCorpus: each valid program of the StableHLO corpus is read, and comes back from
// each form.
func TestCorpus(t *testing.T) {
	for _, dir := range []string{"testdata", "interpret", "verify_ok", "infer_ok", "bytecode", "portable"} {
		t.Run(dir, func(t *testing.T) {
			var n tally
			for _, path := range corpusFiles(t, filepath.Join("corpus/stablehlo", dir)) {
				text, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				n.files++
				if strings.HasPrefix(filepath.Base(path), "invalid_") {
					if _, err := mlirtext.Parse(path, string(text)); err == nil {
						t.Errorf("%s: expected an error", path)
					}
					continue
				}
				for _, part := range mlirtext.Split(string(text)) {
					n.parts++
					if !roundTrip(t, path, part) {
						n.bad++
					}
				}
			}
			t.Logf("%s: %d files, %d modules, %d fail", dir, n.files, n.parts, n.bad)
		})
	}
}

// syntaxErrors is how many of the invalid programs are wrong already as text.
const syntaxErrors = 34

// TestCorpusErrors: the invalid programs of the corpus that are wrong as text are
// refused; the others are read, and come back from each form.
func TestCorpusErrors(t *testing.T) {
	var n tally
	for _, path := range corpusFiles(t, "corpus/stablehlo/verify_error") {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		n.files++
		if _, err := mlirtext.Parse(path, string(text)); err != nil {
			n.bad++
			continue
		}
		roundTrip(t, path, mlirtext.Part{Text: string(text)})
	}
	t.Logf("%d files, %d refused", n.files, n.bad)
	if n.bad != syntaxErrors {
		t.Errorf("%d of %d files are refused as text, want %d", n.bad, n.files, syntaxErrors)
	}
}

// TestPrintsAsMLIR: texts that MLIR printed come back byte for byte, with locations too.
func TestPrintsAsMLIR(t *testing.T) {
	var n tally
	files := slices.Concat(corpusFiles(t, "corpus/stablehlo/bytecode"), corpusFiles(t, "corpus/stablehlo/portable"),
		corpusFiles(t, "examples/digits"))
	for _, path := range files {
		locations := filepath.Base(path) == "digits_cnn.mlir"
		if !strings.HasSuffix(path, ".read.mlir") && !locations {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		n.files++
		m, err := mlirtext.Parse(path, string(text))
		if err != nil {
			t.Error(err)
			continue
		}
		printed := mlirtext.Print(m, mlirtext.Options{Locations: locations})
		if line, want, got := firstDifference(string(text), printed); line > 0 {
			n.bad++
			t.Errorf("%s:%d: %s\nwant %s", path, line, clip(got), clip(want))
		}
	}
	t.Logf("%d files, %d differ", n.files, n.bad)
}

// firstDifference returns the number and text of the first line that differs, 0 if none.
func firstDifference(want, got string) (int, string, string) {
	a, b := strings.Split(strings.TrimSpace(want), "\n"), strings.Split(strings.TrimSpace(got), "\n")
	for i := range max(len(a), len(b)) {
		x, y := "(nothing)", "(nothing)"
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			return i + 1, x, y
		}
	}
	return 0, "", ""
}
