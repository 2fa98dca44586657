package pass_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/pass"
)

const docHead = `# Passes

What ` + "`xla opt`" + ` can run, and in which order the pipeline does. This file is written by a test:
` + "`XLA_UPDATE=1 go test ./pass`" + `.

## Pipeline

%s
where simplification is, round after round:

%s
## All

| pass | what it does |
|---|---|
`

// TestDoc compares docs/PASSES.md with the code.
func TestDoc(t *testing.T) {
	path := filepath.Join(hlotest.Root(t), "docs", "PASSES.md")
	want := document()
	if hlotest.Update() {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.ReplaceAll(string(got), "\r\n", "\n") != want {
		t.Errorf("docs/PASSES.md is out of date: XLA_UPDATE=1 go test ./pass")
	}
}

func document() string {
	var stages, rounds, all strings.Builder
	for k, p := range pass.Stages() {
		fmt.Fprintf(&stages, "%d. %s\n", k+1, p.Name)
	}
	for _, p := range pass.SimplificationRound() {
		fmt.Fprintf(&rounds, "- %s\n", p.Name)
	}
	for _, p := range pass.All() {
		fmt.Fprintf(&all, "| %s | %s |\n", p.Name, p.Doc)
	}
	return fmt.Sprintf(docHead, stages.String(), rounds.String()) + all.String()
}

// TestNames: names are unique and every pass has words and cases of its own.
func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range pass.All() {
		if seen[p.Name] || p.Doc == "" || p.Run == nil {
			t.Errorf("pass %q: expects a name of its own, words and a function", p.Name)
		}
		seen[p.Name] = true
		if strings.HasPrefix(p.Name, "simplify-") {
			continue // a family of rules has its cases in package simplify
		}
		if _, err := os.Stat(filepath.Join("testdata", p.Name+".txtar")); err != nil {
			t.Errorf("pass %s: expects cases: %v", p.Name, err)
		}
	}
}
