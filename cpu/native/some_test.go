package native_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// someText is a sort of rows of which elements lo..hi-1 are used; users are more instructions.
func someText(comparator, users string, rows, n, lo, hi int, types ...string) string {
	dims := fmt.Sprintf("%d,%d", rows, n)
	text := strings.Replace(sortText(comparator, dims, 1, types...), "ROOT s =", "s =", 1)
	for k, typ := range types {
		sorted := "s"
		if len(types) > 1 {
			text = strings.TrimSuffix(text, "}\n") +
				fmt.Sprintf("  g%d = %s[%s] get-tuple-element(s), index=%[1]d\n}\n", k, typ, dims)
			sorted = fmt.Sprintf("g%d", k)
		}
		text = strings.TrimSuffix(text, "}\n") + fmt.Sprintf("  l%d = %s[%d,%d] slice(%s), slice={[0:%d], [%d:%d]}\n}\n",
			k, typ, rows, hi-lo, sorted, rows, lo, hi)
	}
	return strings.TrimSuffix(text, "}\n") + users + "\n}\n"
}

// sortOf returns the sort of a module.
func sortOf(t *testing.T, text string) *hlo.Instruction {
	for _, i := range parse(t, text).Computation().Instructions() {
		if i.Code() == op.Sort {
			return i
		}
	}
	t.Fatalf("no sort:\n%s", text)
	return nil
}

// compareSome sorts in all ways and compares elements lo..hi-1 of rows of n to those of the evaluator. It returns
// whether some way did not sort the others.
func compareSome(t *testing.T, r *rand.Rand, i *hlo.Instruction, v variety, n, lo, hi int) (less bool) {
	t.Helper()
	args := randomArgs(r, i, v)
	want := evaluate(t, i, args)
	for f, way := range functions(t, i) {
		for _, threads := range []int{1, 3} {
			for k, got := range computeBy(t, i, way, args, threads) {
				size := got.Shape().Type.ByteSize()
				for row := 0; row < len(got.Bytes()); row += n * size {
					from, to := row+lo*size, row+hi*size
					if string(got.Bytes()[from:to]) != string(want[k].Bytes()[from:to]) {
						t.Fatalf("function %d, %d threads: result %d: other bits than the evaluator's in row %d", f, threads, k,
							row/n/size)
					}
				}
				less = less || string(got.Bytes()) != string(want[k].Bytes())
			}
		}
	}
	return less
}

// TestSortSome sorts rows of which the first elements are used, the last ones, or some in the middle.
func TestSortSome(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for name, comparator := range map[string]string{"less": lessThan, "greater": greater, "total": totalMore,
		"loose": loose, "tie": tieBreak, "magnitude": byMagnitude} {
		for _, types := range [][]string{{"f32"}, {"f32", "s32"}, {"f64", "s32"}, {"bf16", "u8"}, {"s16"}, {"f64"}} {
			if name == "tie" && len(types) == 1 || types[0][0] == 's' && name == "loose" {
				continue
			}
			for _, u := range [][4]int{{3, 70, 0, 1}, {2, 200, 0, 10}, {2, 200, 190, 200}, {2, 501, 250, 251},
				{1, 400, 3, 70}} {
				for _, v := range []variety{few, special, numbers} {
					i := sortOf(t, someText(comparator, "", u[0], u[1], u[2], u[3], types...))
					t.Run(fmt.Sprintf("%s_%v_%v_%v", name, types, u, v), func(t *testing.T) {
						compareSome(t, r, i, v, u[1], u[2], u[3])
					})
				}
			}
		}
	}
}

// TestSortSomeLong sorts rows that several threads work on.
func TestSortSomeLong(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	for _, u := range [][3]int{{0, 20, 2}, {35000, 35002, 1}, {69000, 70000, 2}} {
		for _, v := range []variety{few, numbers} {
			types := []string{"f32", "s32"}[:u[2]]
			i := sortOf(t, someText(lessThan, "", 1, 70000, u[0], u[1], types...))
			t.Run(fmt.Sprintf("%v_%v", u, v), func(t *testing.T) { compareSome(t, r, i, v, 70000, u[0], u[1]) })
		}
	}
}

// TestSortAll: rows are sorted as far as there are users for, and if one has others than slices, all.
func TestSortAll(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	for users, want := range map[string]bool{
		"ROOT r = f32[1,10] copy(l0)":                      true,
		"ROOT r = (f32[1,10], f32[1,1000]) tuple(l0, s)":   false,
		"ROOT r = f32[1,1000] negate(s)":                   false,
		"ROOT r = f32[1,0] slice(s), slice={[0:1], [7:7]}": true,
	} {
		for _, lo := range []int{0, 500, 990} {
			i := sortOf(t, someText(lessThan, users, 1, 1000, lo, lo+10, "f32"))
			n := strconv.Itoa(lo)
			if less := compareSome(t, r, i, numbers, 1000, lo, lo+10); less != want {
				t.Errorf("from %s on, %s: some elements are not sorted: %t, expected %t", n, users, less, want)
			}
		}
	}
}
