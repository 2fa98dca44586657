//go:build linux && (amd64 || arm64)

package mpi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/collective/mpi/internal/mpitest"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// optionsOf returns the options of a scene that is played in several ways: types/staged.
func optionsOf(scene string) Options {
	_, way, _ := strings.Cut(scene, "/")
	return map[string]Options{
		"one-thread": {OneThread: true},
		"staged":     {staged: true}, // as between machines
		"apart":      {apart: true},  // as where a machine lets processes have no memory in common
		"native":     {Direct: -1},   // as in large groups
		"staged+one": {staged: true, OneThread: true},
		"reorder":    {AllowReorder: true},
		"apart+one":  {apart: true, OneThread: true},
	}[way]
}

// TestTypes: every collective of every type, with any reduction, in all ways that bytes go.
func TestTypes(t *testing.T) {
	for _, launcher := range mpitest.Launchers(t) {
		for _, ranks := range worlds() {
			for _, way := range []string{"", "/one-thread", "/staged", "/native", "/staged+one", "/reorder", "/apart+one"} {
				t.Run(fmt.Sprintf("%s/%d%s", launcher, ranks, way), func(t *testing.T) {
					out, err := launch(t, launcher, ranks, "types"+way)
					if err != nil || strings.Count(out, "DONE") != ranks || strings.Contains(out, "FAIL") {
						t.Errorf("%v\n%s", err, out)
					}
				})
			}
		}
	}
}

// sceneOf returns the scene without the way in which it is played.
func sceneOf(name string) string {
	scene, _, _ := strings.Cut(name, "/")
	return scene
}

// typesProgram has all collectives of arrays of a type, in a group of all devices and in two of every other one.
const typesProgram = `HloModule types, replica_count=4
%[2]s
ENTRY e {
  p = %[1]s[%[3]d] parameter(0)
  q = %[1]s[4,%[3]d] parameter(1)
%[4]s  g = %[1]s[%[5]d] all-gather(p), replica_groups={{0,1,2,3}}, dimensions={0}
  h = %[1]s[%[6]d] all-gather(p), replica_groups={{2,0},{3,1}}, dimensions={0}
  t = %[1]s[4,%[3]d] all-to-all(q), replica_groups={{3,1,0,2}}, dimensions={0}
  u = %[1]s[4,%[3]d] all-to-all(q), replica_groups={{2,0},{3,1}}, dimensions={0}
  m = %[1]s[%[3]d] collective-permute(p), source_target_pairs={{0,1},{1,2},{2,3},{3,0}}
  n = %[1]s[%[3]d] collective-permute(p), source_target_pairs={{0,2},{2,0}}
  b = %[1]s[%[3]d] collective-broadcast(p), replica_groups={{1,0,2,3}}
  c = %[1]s[%[3]d] collective-broadcast(p), replica_groups={{2,0},{3,1}}
  ROOT r = tuple(g, h, t, u, m, n, b, c%[7]s)
}`

// bodies are computations of two parameters a and b: usual ones, and one that no library knows and whose result depends
// on the order.
func bodies(t shape.ElementType) map[string]string {
	list := map[string]string{"odd": "c = T[] add(a, a)\n  ROOT r = T[] subtract(c, b)"}
	for _, name := range []string{"add", "multiply"} {
		list[name] = "ROOT r = T[] " + name + "(a, b)"
	}
	if !t.IsComplex() {
		for _, name := range []string{"minimum", "maximum"} {
			list[name] = "ROOT r = T[] " + name + "(a, b)"
		}
	}
	if t.IsInteger() || t == shape.Pred {
		for _, name := range []string{"and", "or", "xor"} {
			list[name] = "ROOT r = T[] " + name + "(a, b)"
		}
	}
	if t == shape.Pred {
		delete(list, "add")
		delete(list, "multiply")
		list["odd"] = "c = T[] not(a)\n  ROOT r = T[] and(c, b)"
	}
	return list
}

// textOfTypes returns the program for a type and a number of elements.
func textOfTypes(t shape.ElementType, n int) string {
	var computations, reductions, results strings.Builder
	for i, name := range slices.Sorted(maps.Keys(bodies(t))) {
		fmt.Fprintf(&computations, "%s.f {\n  a = T[] parameter(0)\n  b = T[] parameter(1)\n  %s\n}\n", name, bodies(t)[name])
		fmt.Fprintf(&reductions, "  a%[1]d = T[%[2]d] all-reduce(p), replica_groups={{3,0,2,1}}, to_apply=%[3]s.f\n"+
			"  b%[1]d = T[%[2]d] all-reduce(p), replica_groups={{2,0},{3,1}}, to_apply=%[3]s.f\n"+
			"  c%[1]d = T[1,%[2]d] reduce-scatter(q), replica_groups={{1,0,3,2}}, dimensions={0}, to_apply=%[3]s.f\n"+
			"  d%[1]d = T[2,%[2]d] reduce-scatter(q), replica_groups={{2,0},{3,1}}, dimensions={0}, to_apply=%[3]s.f\n",
			i, n, name)
		fmt.Fprintf(&results, ", a%[1]d, b%[1]d, c%[1]d, d%[1]d", i)
	}
	typed := func(text string) string { return strings.ReplaceAll(text, "T[", t.String()+"[") }
	return fmt.Sprintf(typesProgram, t, typed(computations.String()), n, typed(reductions.String()), 4*n, 2*n,
		results.String())
}

// randomArray returns an array of any values, NaN and infinities among them.
func randomArray(r *rand.Rand, t shape.ElementType, dims ...int) (literal.Literal, error) {
	s := shape.Make(t, dims...)
	b := make([]byte, s.Size()*t.ByteSize())
	for i := range b {
		b[i] = byte(r.Uint32())
		if t == shape.Pred {
			b[i] &= 1
		} else if w := t.Bits(); w < 8 {
			b[i] &= 1<<w - 1
			if t.IsSigned() && t.IsInteger() {
				b[i] = byte(int8(b[i]<<(8-w)) >> (8 - w))
			}
		}
	}
	return literal.FromBytes(s, b)
}

// sceneTypes runs all collectives of all types, with usual and unusual reductions, and compares bits with the results
// within one process.
func sceneTypes(t *Transport) error {
	near, err := xla.NewClient(xla.Options{})
	if err != nil {
		return err
	}
	far, err := xla.NewClient(xla.Options{Transport: t})
	if err != nil {
		return err
	}
	t.engine.chunk, t.engine.stage, t.engine.window = 1000, 800, 600
	types := 0
	for e := range shape.ElementType(shape.NumElementTypes) {
		if !e.IsArray() || t.options.AllowReorder && (e.IsFloat() || e.IsComplex()) {
			continue
		}
		for _, n := range []int{5, 700} {
			if err := compareType(near, far, e, n); err != nil {
				return fmt.Errorf("%v[%d]: %w", e, n, err)
			}
		}
		types++
	}
	fmt.Printf("rank %d: %d types\n", t.Rank(), types)
	return nil
}

func compareType(near, far *xla.Client, e shape.ElementType, n int) error {
	prog, err := xla.Parse("types.hlo", []byte(textOfTypes(e, n)))
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(uint64(e), uint64(n)))
	args := make([][]literal.Literal, 4)
	for d := range args {
		p, err1 := randomArray(r, e, n)
		q, err2 := randomArray(r, e, 4, n)
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		args[d] = []literal.Literal{p, q}
	}
	var out [2][][]literal.Literal
	for i, client := range []*xla.Client{near, far} {
		exe, err := client.Compile(context.Background(), prog)
		if err != nil {
			return err
		}
		if out[i], err = exe.RunReplicated(context.Background(), args); err != nil {
			return err
		}
	}
	return sameBits(out[0], out[1])
}

// sameBits compares the results of devices, as far as there are any in got.
func sameBits(want, got [][]literal.Literal) error {
	some := false
	for d := range got {
		for i := range got[d] {
			some = true
			if x, y := got[d][i].Bytes(), want[d][i].Bytes(); !bytes.Equal(x, y) {
				return fmt.Errorf("device %d: result %d differs: %s", d, i, difference(x, y))
			}
		}
	}
	if !some {
		return errors.New("expects results, got none")
	}
	return nil
}

// difference tells where bytes differ first, and how many do.
func difference(got, want []byte) string {
	first, count := -1, 0
	for i := range got {
		if got[i] != want[i] {
			if count++; first < 0 {
				first = i
			}
		}
	}
	return fmt.Sprintf("%d of %d bytes, the first is %d: got %#x, want %#x", count, len(got), first,
		got[first], want[first])
}
