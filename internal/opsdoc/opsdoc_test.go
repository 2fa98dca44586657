// Package opsdoc writes docs/OPS.md, the table of what there is for each
// operation, and fails where the file is not what the code says.
package opsdoc

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/op"
)

const intro = `# Operations

What there is for each operation. This file is written by a test: ` + "`XLA_UPDATE=1 go test ./internal/opsdoc`" + `.

- **rule**: the shape rule, which builder, parser and verifier share
- **evaluator**: the reference evaluator runs it
- **builder**: functions of package builder that make it
- **compiled**: the CPU compiler has an emitter of its own
- **test**: ` + "`testdata/ops`" + ` has a case of its own

| operation | operands | rule | evaluator | builder | compiled | test |
|---|---|---|---|---|---|---|
`

func TestOpsDoc(t *testing.T) {
	root := hlotest.Root(t)
	path := filepath.Join(root, "docs", "OPS.md")
	want := document(t, root)
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
		t.Errorf("docs/OPS.md is out of date: XLA_UPDATE=1 go test ./internal/opsdoc")
	}
}

func document(t *testing.T, root string) string {
	builders := builderFunctions(t, filepath.Join(root, "builder"))
	var b strings.Builder
	b.WriteString(intro)
	counts := [5]int{}
	for _, c := range op.Codes() {
		_, err := os.Stat(filepath.Join(root, "testdata", "ops", c.String()+".txtar"))
		marks := [5]bool{c.Info().Infer != nil, interp.Evaluates(c), len(builders[goName(c)]) > 0, false, err == nil}
		for i, m := range marks {
			if m {
				counts[i]++
			}
		}
		fmt.Fprintf(&b, "| %v | %s | %s | %s | %s | %s | %s |\n", c, arity(c), mark(marks[0]), mark(marks[1]),
			strings.Join(builders[goName(c)], ", "), mark(marks[3]), mark(marks[4]))
	}
	fmt.Fprintf(&b, "| **%d** |  | %d | %d | %d | %d | %d |\n", len(op.Codes()),
		counts[0], counts[1], counts[2], counts[3], counts[4])
	return b.String()
}

func mark(yes bool) string {
	if yes {
		return "yes"
	}
	return ""
}

func arity(c op.Code) string {
	if n := c.Info().Arity; n != op.Variadic {
		return strconv.Itoa(n)
	}
	return "any"
}

// goName returns the name of the constant for c: its words joined, each with a capital.
func goName(c op.Code) string {
	var b strings.Builder
	for word := range strings.SplitSeq(c.String(), "-") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// builderFunctions returns the exported functions of the builder whose body names
// op.NAME, by NAME.
func builderFunctions(t *testing.T, dir string) map[string][]string {
	found := map[string][]string{}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.IsExported() {
				collect(fn, found)
			}
		}
	}
	for _, list := range found {
		slices.Sort(list)
	}
	return found
}

func collect(fn *ast.FuncDecl, found map[string][]string) {
	ast.Inspect(fn, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && x.Name == "op" && !slices.Contains(found[s.Sel.Name], fn.Name.Name) {
				found[s.Sel.Name] = append(found[s.Sel.Name], fn.Name.Name)
			}
		}
		return true
	})
}
