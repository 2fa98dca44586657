// Package archtest holds the import order of the project as text and fails on a new edge.
package archtest

import (
	"go/parser"
	"go/token"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const modulePath = "github.com/goxla/xla"

// policy says what each package may import: "package: packages of this module; other modules".
// A package may import whatever stands in its row and nothing else but the standard
// library. "." is the root package. Tests are free.
const policy = `
internal/angle:
internal/huge:
shape:
literal: shape internal/huge
literal/npy: shape literal
op: shape literal
hlo: shape literal op
hlo/hlotext: shape literal op hlo
hlo/hlopb: shape literal op hlo; google.golang.org/protobuf/encoding/protowire
builder: shape literal op hlo
stablehlo: shape
stablehlo/mlirtext: stablehlo
stablehlo/bytecode: stablehlo stablehlo/mlirtext
stablehlo/vhlo: stablehlo stablehlo/bytecode
stablehlo/verify: stablehlo
stablehlo/jaxexport: shape stablehlo stablehlo/bytecode stablehlo/vhlo
stablehlo/lower: shape literal op hlo hlo/hlotext builder stablehlo
stablehlo/raise: shape literal op hlo stablehlo stablehlo/mlirtext
ffi: shape literal
collective: shape literal
interp: shape literal op hlo ffi collective internal/angle
pass/simplify: shape literal op hlo
pass/match: shape literal op hlo
pass: shape literal op hlo pass/simplify pass/match
cpu/asm:
cpu/asm/emu: cpu/asm
cpu/loop:
cpu/tile: literal cpu/loop
cpu/vmath: cpu/loop internal/angle
cpu/elem: shape literal op cpu/loop cpu/vmath
cpu/fuse: shape op hlo pass/match cpu/loop cpu/elem
cpu/emit: cpu/loop cpu/asm
cpu/exec: cpu/asm cpu/asm/emu; golang.org/x/sys/unix golang.org/x/sys/windows
cpu/exec/guard: ; golang.org/x/sys/unix
cpu/loop/looptest: cpu/loop
cpu/gemm: shape literal cpu/asm cpu/exec
cpu/dense: cpu/asm cpu/exec
ffi/lapack: shape literal ffi cpu/dense cpu/exec
cpu/order: cpu/asm cpu/exec
cpu/native: shape literal op hlo pass/match cpu/loop cpu/tile cpu/elem cpu/exec cpu/dense cpu/order internal/angle
cpu/conv: shape literal op hlo cpu/gemm
cpu/plan: shape literal op hlo pass cpu/loop cpu/fuse cpu/gemm cpu/conv cpu/native cpu/exec
cpu: shape literal op hlo hlo/hlotext pass cpu/asm cpu/loop cpu/plan cpu/tile cpu/emit cpu/exec
	cpu/gemm cpu/conv cpu/dense cpu/order cpu/native
internal/blocks:
.: shape literal op hlo hlo/hlotext hlo/hlopb stablehlo stablehlo/mlirtext stablehlo/bytecode stablehlo/vhlo
	stablehlo/verify stablehlo/jaxexport stablehlo/lower ffi ffi/lapack collective interp pass cpu cpu/dense cpu/exec
	cpu/plan internal/blocks internal/huge

internal/bar: ; golang.org/x/term
internal/golden: . literal hlo ffi; golang.org/x/tools/txtar
internal/mlirtest: . shape literal op hlo ffi interp stablehlo stablehlo/mlirtext stablehlo/bytecode stablehlo/vhlo
	stablehlo/verify stablehlo/lower
internal/racetest:
internal/sharedtest:
internal/runio: . shape literal literal/npy op hlo
internal/peak: cpu/asm cpu/exec; golang.org/x/sys/unix
internal/rates: cpu/exec internal/peak
internal/chain: op hlo pass
internal/workload: shape literal literal/npy internal/rates
internal/hlotest: shape literal op hlo hlo/hlotext ffi internal/sharedtest; golang.org/x/tools/txtar
internal/perturb: shape literal op hlo ffi interp internal/hlotest
internal/archtest:
internal/opsdoc: op interp
internal/passtest: shape literal op hlo hlo/hlotext ffi ffi/lapack interp internal/hlotest; golang.org/x/tools/txtar

cmd/xla: . shape literal literal/npy op hlo hlo/hlotext hlo/hlopb interp stablehlo stablehlo/jaxexport
	stablehlo/mlirtext stablehlo/raise stablehlo/vhlo ffi pass internal/golden internal/mlirtest
	internal/bar internal/runio internal/workload internal/rates internal/chain cpu/exec
	; github.com/spf13/cobra
	golang.org/x/sys/cpu golang.org/x/sys/unix
bench/compare: literal/npy internal/workload internal/rates
bench/conv: . shape literal op cpu/exec internal/rates
bench/gemm: shape literal cpu/exec cpu/gemm internal/peak
examples/attention: . shape literal op hlo hlo/hlotext builder
examples/digits: . shape literal literal/npy
examples/jaxexport: . shape literal
examples/train: . shape literal literal/npy internal/bar
`

func TestImports(t *testing.T) {
	allowed := parsePolicy(t)
	for dir, imports := range packages(t) {
		row, ok := allowed[dir]
		if !ok {
			t.Errorf("package %s is not in the policy: add a row", dir)
			continue
		}
		for _, path := range imports {
			if !slices.Contains(row, path) {
				t.Errorf("package %s imports %s, which its row of the policy does not name", dir, path)
			}
		}
	}
}

// TestPolicyHasNoCycle: the rows are in an order in which each names only rows above it.
func TestPolicyHasNoCycle(t *testing.T) {
	seen := map[string]bool{}
	for line := range policyRows() {
		name, row, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok {
			continue
		}
		own, _, _ := strings.Cut(row, ";")
		for dep := range strings.FieldsSeq(own) {
			if !seen[dep] {
				t.Errorf("%s names %s, which stands below it", name, dep)
			}
		}
		seen[name] = true
	}
}

// policyRows yields the rows of the policy, each on one line.
func policyRows() iter.Seq[string] { return strings.Lines(strings.ReplaceAll(policy, "\n\t", " ")) }

func parsePolicy(t *testing.T) map[string][]string {
	t.Helper()
	rows := map[string][]string{}
	for line := range policyRows() {
		name, row, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok {
			continue
		}
		own, other, _ := strings.Cut(row, ";")
		rows[name] = append([]string{}, strings.Fields(other)...)
		for dep := range strings.FieldsSeq(own) {
			rows[name] = append(rows[name], strings.TrimSuffix(modulePath+"/"+dep, "/."))
		}
	}
	return rows
}

// packages returns the imports from outside the standard library of each package's
// files that are not tests, by folder. Nested modules are left out: they have their own tests.
func packages(t *testing.T) map[string][]string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]string{}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return skipDir(root, path, d.Name())
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		dir = filepath.ToSlash(dir)
		found[dir] = append(found[dir], imports(t, path)...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func skipDir(root, path, name string) error {
	if path == root {
		return nil
	}
	if name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
		return fs.SkipDir
	}
	if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil {
		return fs.SkipDir
	}
	return nil
}

func imports(t *testing.T, file string) []string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, spec := range f.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
			list = append(list, path)
		}
	}
	return list
}
