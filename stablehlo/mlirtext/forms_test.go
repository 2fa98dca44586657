package mlirtext_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/goxla/xla/stablehlo/mlirtext"
)

// TestForms runs the cases of testdata/forms.txtar.
func TestForms(t *testing.T) {
	const path = "testdata/forms.txtar"
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var files []txtar.File
	for _, f := range archive.Files {
		name, isCase := strings.CutSuffix(f.Name, ".in")
		if !isCase {
			continue
		}
		files = append(files, f)
		t.Run(name, func(t *testing.T) {
			if !roundTrip(t, name, mlirtext.Part{Text: string(f.Data)}) {
				return
			}
			m, _ := mlirtext.Parse(name, string(f.Data))
			locations := strings.HasPrefix(name, "loc")
			for _, form := range []string{"short", "generic"} {
				o := mlirtext.Options{Generic: form == "generic", Locations: locations}
				got := txtar.File{Name: name + "." + form, Data: mlirtext.AppendText(nil, m, o)}
				files = append(files, got)
				compare(t, archive, got)
			}
		})
	}
	if os.Getenv("XLA_UPDATE") == "1" {
		archive.Files = files
		if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// compare checks a printed text against the one of the archive.
func compare(t *testing.T, archive *txtar.Archive, got txtar.File) {
	if os.Getenv("XLA_UPDATE") == "1" {
		return
	}
	i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == got.Name })
	if i < 0 {
		t.Errorf("%s is not there: set XLA_UPDATE=1", got.Name)
		return
	}
	if line, want, text := firstDifference(string(archive.Files[i].Data), string(got.Data)); line > 0 {
		t.Errorf("%s:%d: %s\nwant %s", got.Name, line, text, want)
	}
}
