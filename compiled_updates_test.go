package xla_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/hlotest"
)

// TestCompiledUpdates: updates of parts of arrays in a loop, computed from elements of these arrays in the same place,
// in others that overlap it or not, and of older and newer values of them, which other steps read in front of the
// update, in it, or behind it.
func TestCompiledUpdates(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 7))
		u := &updatesText{rand: rng, rows: 3, cols: 5}
		if seed%4 == 0 {
			u.rows, u.cols = 21, 37
		}
		text := u.module()
		m, err := hlotext.Parse(text, hlotext.ParseOptions{})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if compareBackends(t, fmt.Sprintf("seed %d", seed), m, hlotest.Arguments(rng, m)) {
			t.Logf("seed %d: a closer look", seed)
		}
	}
}

// writtenPart is a value of some rows and columns.
type writtenPart struct {
	name       string
	rows, cols int
}

// updatesText writes a program of a loop with three arrays, which its iterations update in part.
type updatesText struct {
	rand       *rand.Rand
	rows, cols int
	lines      []string
	// values are the names of all arrays so far, the first three of them those of the last iteration.
	values []string
	// parts are the values that updates write.
	parts []writtenPart
	// now are the names of what the three arrays are by now.
	now [3]string
}

func (u *updatesText) module() string {
	array := fmt.Sprintf("f32[%d,%d]", u.rows, u.cols)
	state := fmt.Sprintf("(s32[], %s, %s, %s)", array, array, array)
	body := u.body(array)
	entry := fmt.Sprintf(`  x = %[1]s parameter(0)
  y = %[1]s parameter(1)
  z = %[1]s parameter(2)
  n = s32[] constant(0)
  s = %[2]s tuple(n, x, y, z)
`, array, state)
	return fmt.Sprintf(`HloModule updates

body {
  s = %[1]s parameter(0)
  n = s32[] get-tuple-element(s), index=0
  one = s32[] constant(1)
  more = s32[] add(n, one)
%[2]s  ROOT r = %[1]s tuple(more, %[3]s)
}

again {
  s = %[1]s parameter(0)
  n = s32[] get-tuple-element(s), index=0
  end = s32[] constant(3)
  ROOT l = pred[] compare(n, end), direction=LT
}

ENTRY entry {
%[4]s  ROOT w = %[1]s while(s), condition=again, body=body
}
`, state, body, strings.Join(u.now[:], ", "), entry)
}

func (u *updatesText) add(format string, args ...any) {
	u.lines = append(u.lines, "  "+fmt.Sprintf(format, args...))
}

func (u *updatesText) body(array string) string {
	for k := range u.now {
		u.now[k] = fmt.Sprintf("v%d", k)
		u.add("v%d = %s get-tuple-element(s), index=%d", k, array, k+1)
		u.values = append(u.values, u.now[k])
	}
	u.add("half = f32[] constant(0.5)")
	for n := range 2 + u.rand.IntN(4) {
		u.update(n, array)
	}
	if u.rand.IntN(3) == 0 { // an array that is made of all elements of another one
		k := u.rand.IntN(3)
		u.add("last = %s reverse(%s), dimensions={%d}", array, u.any(), u.rand.IntN(2))
		u.now[k] = "last"
	}
	return strings.Join(u.lines, "\n") + "\n"
}

// any is one of the arrays, often of those of the last iteration.
func (u *updatesText) any() string {
	if u.rand.IntN(2) == 0 {
		return u.values[u.rand.IntN(3)]
	}
	return u.values[u.rand.IntN(len(u.values))]
}

// update adds the update of a part of an array.
func (u *updatesText) update(n int, array string) {
	k := u.rand.IntN(3)
	rows, cols := 1+u.rand.IntN(u.rows), 1+u.rand.IntN(u.cols)
	row, col := u.rand.IntN(u.rows-rows+1), u.rand.IntN(u.cols-cols+1)
	part := fmt.Sprintf("f32[%d,%d]", rows, cols)
	slice := func(name, of string, row, col int) {
		u.add("%s = %s slice(%s), slice={[%d:%d], [%d:%d]}", name, part, of, row, row+rows, col, col+cols)
	}
	sum := fmt.Sprintf("p%d", n)
	slice(sum, u.now[k], row, col) // where it goes
	if u.rand.IntN(4) == 0 {
		u.add("a%d = %s reverse(%s), dimensions={%d}", n, part, sum, u.rand.IntN(2))
		sum = fmt.Sprintf("a%d", n)
	}
	for j := range 1 + u.rand.IntN(3) {
		name := fmt.Sprintf("p%d_%d", n, j)
		switch u.rand.IntN(4) {
		case 0:
			slice(name, u.any(), row, col)
		default:
			slice(name, u.any(), u.rand.IntN(u.rows-rows+1), u.rand.IntN(u.cols-cols+1))
		}
		if w, ok := u.written(rows, cols); ok {
			u.add("w%d_%d = %s slice(%s), slice={[%d:%d], [%d:%d]}", n, j, part, w.name, w.rows-rows, w.rows,
				w.cols-cols, w.cols)
			name = fmt.Sprintf("w%d_%d", n, j)
		}
		u.add("d%d_%d = %s subtract(%s, %s)", n, j, part, name, sum)
		sum = fmt.Sprintf("d%d_%d", n, j)
	}
	u.add("h%d = %s broadcast(half), dimensions={}", n, part)
	u.add("m%d = %s multiply(%s, h%d)", n, part, sum, n)
	if row == u.rows-rows {
		row += u.rand.IntN(3) // as if it were not
	}
	u.add("row%d = s32[] constant(%d)", n, row)
	u.add("col%d = s32[] constant(%d)", n, col)
	result := fmt.Sprintf("new%d", n)
	u.add("%s = %s dynamic-update-slice(%s, m%d, row%d, col%d)", result, array, u.now[k], n, n, n)
	if u.rand.IntN(3) > 0 {
		u.now[k] = result
	} else {
		u.now[u.rand.IntN(3)] = result // the old value may live on
	}
	u.values = append(u.values, result)
	u.parts = append(u.parts, writtenPart{fmt.Sprintf("m%d", n), rows, cols})
}

// written is, one time out of three, a part of so many rows and columns at least, if there is one.
func (u *updatesText) written(rows, cols int) (p writtenPart, ok bool) {
	if u.rand.IntN(3) > 0 || len(u.parts) == 0 {
		return p, false
	}
	p = u.parts[u.rand.IntN(len(u.parts))]
	return p, p.rows >= rows && p.cols >= cols
}
