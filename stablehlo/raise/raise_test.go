package raise_test

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
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/stablehlo"
	"github.com/goxla/xla/stablehlo/mlirtext"
	"github.com/goxla/xla/stablehlo/raise"
	"github.com/goxla/xla/stablehlo/vhlo"
)

// parse reads a module that must be right.
func parse(t testing.TB, name, text string) *hlo.Module {
	t.Helper()
	m, err := hlotext.Parse(text, hlotext.ParseOptions{File: name})
	if err == nil {
		err = hlo.Verify(m, hlo.VerifyOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestForms compares what modules become with the text beside them, which must be read
// back as it is.
func TestForms(t *testing.T) {
	const path = "testdata/forms.txtar"
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, f := range archive.Files {
		want[f.Name] = string(f.Data)
	}
	made := &txtar.Archive{Comment: archive.Comment}
	for _, f := range archive.Files {
		name, ok := strings.CutSuffix(f.Name, ".hlo")
		if !ok {
			continue
		}
		t.Run(name, func(t *testing.T) {
			s, err := raise.Module(parse(t, f.Name, string(f.Data)), raise.Options{})
			if err != nil {
				t.Fatal(err)
			}
			got := mlirtext.Print(s, mlirtext.Options{Locations: strings.Contains(string(f.Data), "metadata=")})
			made.Files = append(made.Files, f, txtar.File{Name: name + ".mlir", Data: []byte(got)})
			if got != want[name+".mlir"] && !hlotest.Update() {
				t.Errorf("got\n%s\nwant\n%s", got, want[name+".mlir"])
			}
			again(t, name, s)
		})
	}
	if hlotest.Update() {
		if err := os.WriteFile(path, txtar.Format(made), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// again checks that the text of s is read as s.
func again(t *testing.T, name string, s *stablehlo.Module) {
	t.Helper()
	text := mlirtext.Print(s, mlirtext.Options{Locations: true})
	back, err := mlirtext.Parse(name, text)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if diff := stablehlo.Diff(s, back, true); diff != "" {
		t.Errorf("%s: read back it differs: %s", name, diff)
	}
}

// TestErrors: what has no form is an error at the instruction.
func TestErrors(t *testing.T) {
	hlotest.Pairs(t, "testdata/errors.txtar", "error", func(f txtar.File, text *txtar.File) {
		want := strings.TrimSpace(string(text.Data))
		o := raise.Options{Portable: strings.Contains(f.Name, ".portable.")}
		_, err := raise.Module(parse(t, f.Name, string(f.Data)), o)
		var e *hlo.Error
		if err == nil || err.Error() != want || !errors.As(err, &e) {
			t.Errorf("%s: got %v, want %s", f.Name, err, want)
		}
	})
}

// TestRepeatedRegions: a computation that stands in many regions cannot make a small
// module a large program without end.
func TestRepeatedRegions(t *testing.T) {
	var b strings.Builder
	b.WriteString("HloModule m\n\nf0 {\n  p = f32[] parameter(0)\n  ROOT n = f32[] negate(p)\n}\n")
	for _, names := range []string{"1 0", "2 1", "3 2", "4 3", "5 4", "6 5", "7 6", "8 7"} {
		to, from, _ := strings.Cut(names, " ")
		b.WriteString("\nf" + to + " {\n  p = f32[] parameter(0)\n")
		last := "p"
		for _, k := range strings.Split("abcdefghijkl", "") {
			b.WriteString("  " + k + " = f32[] map(" + last + "), dimensions={}, to_apply=f" + from + "\n")
			last = k
		}
		b.WriteString("  ROOT r = f32[] negate(" + last + ")\n}\n")
	}
	b.WriteString("\nENTRY e {\n  p = f32[] parameter(0)\n  ROOT r = f32[] map(p), dimensions={}, to_apply=f8\n}\n")
	_, err := raise.Module(parse(t, "m", b.String()), raise.Options{})
	if err == nil || !strings.Contains(err.Error(), "expected a program of at most") {
		t.Errorf("got %v, want an error about the size of the program", err)
	}
}

// TestCorpus raises the modules of the corpus: each that is valid has a form or an error
// that says what has none. The text and the artifact must be read back.
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(hlotest.Shared(t), "corpus", "hlo", "ok", "*.hlo"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no modules (%v)", err)
	}
	made, none, artifacts, invalid := 0, 0, 0, 0
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(path)
		m, err := hlotext.Parse(string(data), hlotext.ParseOptions{File: name})
		if err != nil || hlo.Verify(m, hlo.VerifyOptions{}) != nil {
			invalid++
			continue
		}
		s, err := raise.Module(m, raise.Options{})
		if err != nil {
			none++
			checkNone(t, err)
			continue
		}
		made++
		again(t, name, s)
		if s, err = raise.Module(m, raise.Options{Portable: true}); err != nil {
			checkNone(t, err)
			continue
		}
		artifacts++
		artifact, err := vhlo.Write(s, vhlo.Compatible)
		if err == nil {
			_, err = vhlo.Read(artifact)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	t.Logf("%d modules: %d in text, %d as artifacts, %d without a form, %d invalid", len(files), made, artifacts, none,
		invalid)
}

func checkNone(t *testing.T, err error) {
	t.Helper()
	var e *hlo.Error
	if !errors.As(err, &e) || e.Op == op.Invalid || !strings.Contains(err.Error(), "there is no ") {
		t.Errorf("%v: expected an error at an instruction that says what has no form", err)
	}
}
