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

How each one is written as HLO text, with its attributes, stands below the table.

Doc comments cite the specification by section, "OPS.md section 3" or "SHAPES.md". It restates XLA's operation semantics,
in the edition of today and that of 2017, and the shape and layout rules: 1 element-wise binary, 2 element-wise
unary, 3 shapes and data movement, 4 computation calls and control flow, 5 reductions and windows, 6 linear algebra and signal,
7 random, 8 devices and channels. Labels such as [reduce_c4] in errors are StableHLO's constraint numbers where StableHLO has them.

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
	b.WriteString(Attributes())
	return b.String()
}

// TestNothingMissing names what an operation lacks, and where it belongs.
func TestNothingMissing(t *testing.T) {
	root := hlotest.Root(t)
	builders := builderFunctions(t, filepath.Join(root, "builder"))
	for _, c := range op.Codes() {
		if !interp.Evaluates(c) {
			t.Errorf("%v: expects an evaluator in interp/table.go", c)
		}
		if len(builders[goName(c)]) == 0 {
			t.Errorf("%v: expects a function in builder that names op.%s", c, goName(c))
		}
		cases := filepath.Join("testdata", "ops", c.String()+".txtar")
		if _, err := os.Stat(filepath.Join(root, cases)); err != nil {
			t.Errorf("%v: expects cases in %s", c, cases)
		}
	}
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
		if word != "" {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

// builderFunctions returns the exported functions of the builder, by the constant of the
// operation that their body names. One that names none counts for those of the unexported
// functions that it calls.
func builderFunctions(t *testing.T, dir string) map[string][]string {
	exported, helpers := declarations(t, dir)
	found := map[string][]string{}
	for _, fn := range exported {
		codes := codesIn(fn)
		if len(codes) == 0 {
			for _, name := range called(fn) {
				if h := helpers[name]; h != nil {
					codes = append(codes, codesIn(h)...)
				}
			}
		}
		for _, c := range codes {
			if !slices.Contains(found[c], fn.Name.Name) {
				found[c] = append(found[c], fn.Name.Name)
			}
		}
	}
	for _, list := range found {
		slices.Sort(list)
	}
	return found
}

// declarations returns the exported functions of the package in dir, and the others by name.
func declarations(t *testing.T, dir string) (exported []*ast.FuncDecl, helpers map[string]*ast.FuncDecl) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	helpers = map[string]*ast.FuncDecl{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			switch {
			case ok && fn.Name.IsExported():
				exported = append(exported, fn)
			case ok:
				helpers[fn.Name.Name] = fn
			}
		}
	}
	return exported, helpers
}

// codesIn returns the constants of operations that fn names, other than to compare with them
// and in errors.
func codesIn(fn *ast.FuncDecl) []string {
	var codes []string
	ast.Inspect(fn, func(n ast.Node) bool {
		switch s := n.(type) {
		case *ast.BinaryExpr:
			return false
		case *ast.CallExpr: // an error about it
			f, ok := s.Fun.(*ast.SelectorExpr)
			return !ok || f.Sel.Name != "errorf"
		case *ast.SelectorExpr:
			if x, ok := s.X.(*ast.Ident); ok && x.Name == "op" && isCode(s.Sel.Name) {
				codes = append(codes, s.Sel.Name)
			}
		}
		return true
	})
	return codes
}

func isCode(name string) bool {
	return slices.ContainsFunc(op.Codes(), func(c op.Code) bool { return goName(c) == name })
}

// called returns the names of what the body of fn calls.
func called(fn *ast.FuncDecl) []string {
	var names []string
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			switch f := call.Fun.(type) {
			case *ast.Ident:
				names = append(names, f.Name)
			case *ast.SelectorExpr:
				names = append(names, f.Sel.Name)
			}
		}
		return true
	})
	return names
}
