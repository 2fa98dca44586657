package vhlo_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goxla/xla/stablehlo"
	"github.com/goxla/xla/stablehlo/mlirtext"
	"github.com/goxla/xla/stablehlo/vhlo"
)

// TestAgainstText: what is read equals the text that StableHLO itself reads from the
// file, in NAME.read.mlir beside it.
func TestAgainstText(t *testing.T) {
	n := 0
	for _, path := range corpus(t) {
		text := strings.TrimSuffix(strings.TrimSuffix(path, ".mlirbc"), ".mlir.bc") + ".read.mlir"
		if _, err := os.Stat(text); err == nil {
			compareText(t, path, text)
			n++
		}
	}
	t.Logf("%d artifacts compared with text", n)
}

// TestShardy: attributes and operations of sdy, as JAX mixes them in.
func TestShardy(t *testing.T) {
	compareText(t, "testdata/shardy.1_15_0.mlirbc", "testdata/shardy.mlir")
}

// TestWriteShardy: what is written has casts between the types of sdy and those of VHLO, without which no
// other reader takes it.
func TestWriteShardy(t *testing.T) {
	first, err := vhlo.Read(readFile(t, "testdata/shardy.1_15_0.mlirbc"))
	if err != nil {
		t.Fatal(err)
	}
	data, err := vhlo.Write(first.Module, vhlo.Current)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(data, []byte("unrealized_conversion_cast")) {
		t.Error("expected casts around the operations of sdy, got none")
	}
	again, err := vhlo.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := diffOps(first.Module.Op, again.Module.Op, map[*stablehlo.Value]*stablehlo.Value{}); diff != "" {
		t.Error(diff)
	}
}

// TestNothingToSay: empty dictionaries for arguments and results, which JAX writes, are read as none.
func TestNothingToSay(t *testing.T) {
	m, err := mlirtext.Parse("f.mlir", `"func.func"() <{arg_attrs = [{}, {}], function_type = (i1, i1) -> i1,
  res_attrs = [{}], sym_name = "main"}> ({
^bb0(%a: i1, %b: i1):
  "func.return"(%a) : (i1) -> ()
}) : () -> ()`)
	if err != nil {
		t.Fatal(err)
	}
	data, err := vhlo.Write(m, vhlo.Current)
	if err != nil {
		t.Fatal(err)
	}
	again, err := vhlo.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	f := again.Module.Func("main")
	if f.Attr("arg_attrs") != nil || f.Attr("res_attrs") != nil {
		t.Errorf("arg_attrs %v, res_attrs %v, want none", f.Attr("arg_attrs"), f.Attr("res_attrs"))
	}
}

// compareText compares an artifact with a text, without locations.
func compareText(t *testing.T, path, text string) {
	t.Helper()
	a, err := vhlo.Read(readFile(t, path))
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return
	}
	b, err := mlirtext.Parse(filepath.Base(text), string(readFile(t, text)))
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	dropLocations(a.Module.Op)
	dropLocations(b.Op)
	if diff := diffOps(a.Module.Op, b.Op, map[*stablehlo.Value]*stablehlo.Value{}); diff != "" {
		t.Errorf("%s: %s", path, diff)
	}
}

func dropLocations(root *stablehlo.Op) {
	for o := range root.Walk() {
		o.Loc = nil
	}
}
