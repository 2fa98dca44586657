package hlotest

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// Pairs calls f for each program of the text archive at path, NAME.hlo, with what is expected of it, NAME.KIND behind
// it. With XLA_UPDATE=1 the archive becomes what f has made of the latter, which a new program need not have.
func Pairs(t testing.TB, path, kind string, f func(program txtar.File, want *txtar.File)) {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if archive.Files, err = pairs(archive.Files, kind, Update()); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	for k := 0; k < len(archive.Files); k += 2 {
		f(archive.Files[k], &archive.Files[k+1])
	}
	if Update() {
		if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// pairs checks that each program has one file of the kind behind it and, with fill, adds what is missing.
func pairs(files []txtar.File, kind string, fill bool) ([]txtar.File, error) {
	var list []txtar.File
	for len(files) > 0 {
		name, ok := strings.CutSuffix(files[0].Name, ".hlo")
		if !ok {
			return nil, fmt.Errorf("%s: expects a program, NAME.hlo", files[0].Name)
		}
		list, files = append(list, files[0]), files[1:]
		want := name + "." + kind
		switch {
		case len(files) > 0 && files[0].Name == want:
			list, files = append(list, files[0]), files[1:]
		case fill:
			list = append(list, txtar.File{Name: want})
		default:
			return nil, fmt.Errorf("%s.hlo: expects %s behind it, which XLA_UPDATE=1 writes", name, want)
		}
	}
	return list, nil
}
