package mlirtext_test

import (
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/goxla/xla/stablehlo"
	"github.com/goxla/xla/stablehlo/mlirtext"
)

// cases returns the texts of testdata/forms.txtar.
func cases(t testing.TB) []string {
	archive, err := txtar.ParseFile("testdata/forms.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, f := range archive.Files {
		texts = append(texts, string(f.Data))
	}
	return texts
}

// FuzzParse: no text makes the reader panic; what it reads comes back from each form.
func FuzzParse(f *testing.F) {
	for _, text := range cases(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := mlirtext.Parse("fuzz", text)
		if err != nil {
			return
		}
		for _, o := range []mlirtext.Options{{Locations: true}, {Generic: true}} {
			printed := mlirtext.Print(m, o)
			again, err := mlirtext.Parse("again", printed)
			if err != nil {
				t.Fatalf("%v\n%s", err, printed)
			}
			if diff := stablehlo.Diff(m, again, o.Locations); diff != "" {
				t.Fatalf("%s\n%s", diff, printed)
			}
		}
	})
}

// TestCut: a text cut anywhere, or with a byte changed, gives no panic.
func TestCut(t *testing.T) {
	for _, text := range cases(t) {
		if len(text) > 2000 {
			continue
		}
		for i := 0; i < len(text); i += 2 {
			_, _ = mlirtext.Parse("cut", text[:i])
			_, _ = mlirtext.Parse("changed", text[:i]+"<"+text[i+1:])
		}
	}
}
