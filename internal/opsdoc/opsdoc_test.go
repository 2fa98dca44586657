package opsdoc

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/op"
)

func TestPageIsUpToDate(t *testing.T) {
	path := filepath.Join(hlotest.Root(t), "docs", "OPS.md")
	want := Page()
	if hlotest.Update() {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/OPS.md is not what the table says: run XLA_UPDATE=1 go test ./internal/opsdoc")
	}
}

// TestSections: the page has the section that each row of the table names.
func TestSections(t *testing.T) {
	page := Page()
	for _, c := range op.Codes() {
		if !strings.Contains(page, "\n### "+strings.TrimPrefix(c.Info().Spec, "#")+"\n") {
			t.Errorf("%v: no section %s", c, c.Info().Spec)
		}
	}
}
