package builder_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
	"golang.org/x/tools/txtar"
)

// The tables programs... hold a program for every function of the package, and for every form
// of it that adds other instructions. The name begins with that of the function. The
// text of each is in testdata/programs.txtar, which XLA_UPDATE=1 rewrites.
type program struct {
	name  string
	build func(p *prog) builder.Op
}

// prog is a module under construction.
type prog struct {
	*builder.Builder
	params int
	// change, where it is set, gives the parameters other shapes than the program says.
	change func(shape.Shape) shape.Shape
}

func newProg(name string) *prog { return &prog{Builder: builder.New(name)} }

// in returns the next parameter, of the shape in text.
func (p *prog) in(text string) builder.Op {
	p.params++
	s := shapeOf(text)
	if p.change != nil {
		s = p.change(s)
	}
	return p.Parameter(p.params-1, s, "")
}

// ins returns parameters of the shapes in texts.
func (p *prog) ins(texts ...string) []builder.Op {
	var ops []builder.Op
	for _, text := range texts {
		ops = append(ops, p.in(text))
	}
	return ops
}

func shapeOf(text string) shape.Shape {
	s, err := shape.Parse(text)
	if err != nil {
		panic(err)
	}
	return s
}

func allPrograms() []program {
	return slices.Concat(programsElementwise, programsData, programsIndexing, programsControl, programsReduce,
		programsLinear, programsDevices, programsBuilder)
}

// textOptions leave out what would make the texts long, and metadata, which holds line numbers.
var textOptions = hlotext.Options{LargeConstants: true, OmitPercent: true, OmitProgramShape: true, OmitMetadata: true,
	OmitIndexComments: true}

const programsFile = "testdata/programs.txtar"

func TestPrograms(t *testing.T) {
	want, got := map[string]string{}, &txtar.Archive{}
	if a, err := txtar.ParseFile(programsFile); err == nil {
		for _, f := range a.Files {
			want[f.Name] = string(f.Data)
		}
	}
	for _, c := range allPrograms() {
		t.Run(c.name, func(t *testing.T) {
			p := newProg(strings.ReplaceAll(c.name, " ", "_"))
			root := c.build(p)
			m, err := p.Build(root)
			if err != nil {
				t.Fatal(err)
			}
			wantReadBack(t, m)
			text := hlotext.String(m, textOptions)
			got.Files = append(got.Files, txtar.File{Name: c.name, Data: []byte(text)})
			if want[c.name] != text && !hlotest.Update() {
				t.Errorf("got:\n%s\nwant:\n%s", text, want[c.name])
			}
		})
	}
	if hlotest.Update() {
		if err := os.WriteFile(programsFile, txtar.Format(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// wantReadBack checks that the full text of m reads back as an equal module.
func wantReadBack(t *testing.T, m *hlo.Module) {
	t.Helper()
	text := hlotext.String(m, hlotext.Full())
	read, err := hlotext.Parse(text, hlotext.ParseOptions{})
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if d := hlo.Diff(m, read); d != "" {
		t.Errorf("read back: %s in\n%s", d, text)
	}
}

// notShown are the methods that no program needs to show: they have tests of their own.
var notShown = []string{"Builder", "Instruction", "Shape", "Type", "Rank", "Dim", "IsValid", "Err", "Build",
	"Name", "Signature", "New", "NewWith"}

func TestEveryFunctionHasAProgram(t *testing.T) {
	shown := map[string]bool{}
	for _, c := range allPrograms() {
		name, _, _ := strings.Cut(c.name, " ")
		shown[name] = true
	}
	for _, name := range exportedFunctions(t) {
		if !shown[name] && !slices.Contains(notShown, name) {
			t.Errorf("no program shows %s", name)
		}
		delete(shown, name)
	}
	for name := range shown {
		t.Errorf("a program shows %s, which is no function of the package", name)
	}
}

// exportedFunctions returns the names of the exported functions and methods.
func exportedFunctions(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.IsExported() {
				names = append(names, fn.Name.Name)
				if fn.Doc == nil || !strings.HasPrefix(fn.Doc.Text(), fn.Name.Name+" ") {
					t.Errorf("%s: %s has no doc comment", name, fn.Name.Name)
				}
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// TestEveryOpcodeHasAProgram: the builder makes every instruction of the table.
func TestEveryOpcodeHasAProgram(t *testing.T) {
	made := map[op.Code]bool{}
	for _, c := range allPrograms() {
		p := newProg("m")
		m, err := p.Build(c.build(p))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for _, comp := range m.Computations() {
			for _, i := range comp.Instructions() {
				made[i.Code()] = true
			}
		}
	}
	for _, c := range op.Codes() {
		if !made[c] {
			t.Errorf("no program has a %v", c)
		}
	}
}
