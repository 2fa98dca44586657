package vhlo_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goxla/xla/stablehlo"
	"github.com/goxla/xla/stablehlo/vhlo"
)

// TestWrite: what is written of each artifact of the corpus, in its own version and in
// the newest one, reads back equal. With XLA_OUT set, the files are left there.
func TestWrite(t *testing.T) {
	n := 0
	for _, path := range corpus(t) {
		name := filepath.Base(path)
		if strings.HasPrefix(name, "invalid_") {
			continue
		}
		a, err := vhlo.Read(readFile(t, path))
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		for _, v := range []vhlo.Version{a.Version, vhlo.Current} {
			data, err := vhlo.Write(a.Module, v)
			if err != nil {
				t.Errorf("%s: version %s: %v", name, v, err)
				continue
			}
			if dir := os.Getenv("XLA_OUT"); dir != "" {
				os.WriteFile(filepath.Join(dir, name+"."+v.String()), data, 0o666)
			}
			b, err := vhlo.Read(data)
			if err != nil {
				t.Errorf("%s: version %s: reading back: %v", name, v, err)
				continue
			}
			if diff := diffOps(a.Module.Op, b.Module.Op, map[*stablehlo.Value]*stablehlo.Value{}); diff != "" {
				t.Errorf("%s: version %s: %s", name, v, diff)
			}
			n++
		}
	}
	t.Logf("%d artifacts written and read back", n)
}

// diffOps says where two operations differ, "" if they are equal.
func diffOps(a, b *stablehlo.Op, values map[*stablehlo.Value]*stablehlo.Value) string {
	at := a.Name
	switch {
	case a.Name != b.Name:
		return at + ": got " + b.Name
	case !stablehlo.SameAttributes(a.Props, b.Props):
		return at + ": properties\n" + string(stablehlo.AppendDict(nil, a.Props)) + "\n" +
			string(stablehlo.AppendDict(nil, b.Props))
	case !stablehlo.SameAttributes(a.Attrs, b.Attrs):
		return at + ": attributes\n" + string(stablehlo.AppendDict(nil, a.Attrs)) + "\n" +
			string(stablehlo.AppendDict(nil, b.Attrs))
	case !stablehlo.SameAttribute(a.Loc, b.Loc):
		return at + ": location"
	case len(a.Operands) != len(b.Operands) || len(a.Results) != len(b.Results) || len(a.Regions) != len(b.Regions):
		return at + ": numbers of operands, results or regions"
	}
	for i, v := range a.Results {
		values[v] = b.Results[i]
		if !stablehlo.SameType(v.Type, b.Results[i].Type) {
			return at + ": type of a result: " + v.Type.String() + ", " + b.Results[i].Type.String()
		}
	}
	for i, v := range a.Operands {
		if values[v] != b.Operands[i] {
			return at + ": operands"
		}
	}
	for i, r := range a.Regions {
		if diff := diffRegions(r, b.Regions[i], values); diff != "" {
			return at + ": " + diff
		}
	}
	return ""
}

func diffRegions(a, b *stablehlo.Region, values map[*stablehlo.Value]*stablehlo.Value) string {
	if len(a.Blocks) != len(b.Blocks) {
		return "number of blocks"
	}
	for i, x := range a.Blocks {
		y := b.Blocks[i]
		if len(x.Args) != len(y.Args) || len(x.Ops) != len(y.Ops) {
			return "number of arguments or operations"
		}
		for k, v := range x.Args {
			values[v] = y.Args[k]
			if !stablehlo.SameType(v.Type, y.Args[k].Type) {
				return "type of an argument"
			}
		}
		for k, o := range x.Ops {
			if diff := diffOps(o, y.Ops[k], values); diff != "" {
				return diff
			}
		}
	}
	return ""
}
