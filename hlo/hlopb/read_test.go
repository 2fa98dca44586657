package hlopb

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/hlotest"
)

// cases returns the parts of the archives in testdata by name: NAME.proto is a program
// in the form of assemble, which reads as NAME.hlo or fails with NAME.error.
func cases(t testing.TB) (names []string, parts map[string]string) {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	parts = map[string]string{}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			parts[f.Name] = string(f.Data)
			if name, ok := strings.CutSuffix(f.Name, ".proto"); ok {
				names = append(names, name)
			}
		}
	}
	return names, parts
}

// TestCases reads the programs in testdata. What they read as is what XLA reads.
func TestCases(t *testing.T) {
	names, parts := cases(t)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			data := assemble(t, parts[name+".proto"], parts)
			saveCase(t, name, data)
			m, err := Parse(data, ParseOptions{File: "m.pb"})
			if want, fails := parts[name+".error"]; fails {
				if err == nil {
					t.Fatalf("read as\n%s\nwant the error %s", hlotext.String(m, hlotext.Full()), want)
				}
				if got := err.Error() + "\n"; got != want {
					t.Fatalf("got  %swant %s", got, want)
				}
				checkPlace(t, err, data)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			want := parts[name+".hlo"]
			if got := hlotext.String(m, hlotext.Full()); strings.TrimSpace(got) != strings.TrimSpace(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			checkRewritten(t, m)
		})
	}
}

// saveCase writes the program to the folder $HLOPB_CASES, if that is set: for trying
// the cases with XLA itself.
func saveCase(t *testing.T, name string, data []byte) {
	if dir := os.Getenv("HLOPB_CASES"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, name+".pb"), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// checkPlace checks that err says where it is.
func checkPlace(t *testing.T, err error, data []byte) {
	t.Helper()
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Offset < 0 || e.Offset > len(data) {
		t.Errorf("expects a place in %d bytes, got %#v", len(data), err)
	}
}

// checkRewritten writes m, reads that, and compares.
func checkRewritten(t *testing.T, m *hlo.Module) {
	t.Helper()
	withoutConfig(t, m)
	data, err := Append(nil, m)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Parse(data, ParseOptions{File: m.File})
	if err != nil {
		t.Fatalf("what was written: %v", err)
	}
	if d := hlo.Diff(m, again); d != "" {
		t.Errorf("written and read: %s", d)
	}
	second, err := Append([]byte("x"), again)
	if err != nil || string(second) != "x"+string(data) {
		t.Errorf("the same module gives other bytes (%v)", err)
	}
}

// sharedFiles returns the files that match pattern below the shared test data.
func sharedFiles(t *testing.T, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(hlotest.Shared(t), filepath.FromSlash(pattern)))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no files %s: %v", pattern, err)
	}
	return paths
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestReadCorpus reads programs that XLA wrote. They print as XLA prints them, and are
// the modules that their text is.
func TestReadCorpus(t *testing.T) {
	for _, path := range sharedFiles(t, "corpus/hlo/pb/*.pb") {
		m, err := Parse(readFile(t, path), ParseOptions{File: path})
		if err != nil {
			t.Error(err)
			continue
		}
		stem := strings.TrimSuffix(filepath.Base(path), ".pb") + ".hlo"
		corpus := filepath.Dir(filepath.Dir(path))
		want := readFile(t, filepath.Join(corpus, "printed", stem))
		if got := hlotext.String(m, hlotext.Default()); got != string(want) {
			t.Errorf("%s: printed other than by XLA:\n%s", stem, got)
		}
		source, err := hlotext.Parse(string(readFile(t, filepath.Join(corpus, "ok", stem))), hlotext.ParseOptions{})
		if err != nil {
			t.Error(err)
			continue
		}
		if d := hlo.Diff(source, m); d != "" {
			t.Errorf("%s: text and binary form: %s", stem, d)
		}
		checkRewritten(t, m)
	}
}

// TestDigits reads a whole model in both forms.
func TestDigits(t *testing.T) {
	dir := filepath.Join(hlotest.Shared(t), "examples", "digits")
	text, err := hlotext.Parse(string(readFile(t, filepath.Join(dir, "digits_cnn.hlo"))), hlotext.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := Parse(readFile(t, filepath.Join(dir, "digits_cnn.hlo.pb")), ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if d := hlo.Diff(text, m); d != "" {
		t.Error(d)
	}
}
