package cpu_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/interp"
)

// TestSavedParts: steps that read and write single elements of two arrays in any order, old ones of arrays that have
// been overwritten too, in a loop and outside, give what the evaluator gives.
func TestSavedParts(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 40))
	for _, of := range []string{"f32", "f64", "s32", "u8", "s64", "bf16", "c64", "f32", "s32"} {
		for k, n := range []int{3, 17, 100, 3000} {
			for _, trips := range []int{0, 3, 40} {
				text := newSwapText(r, of, n).program(trips, 3+r.IntN(9))
				t.Run(fmt.Sprintf("%s_%d_%d", of, k, trips), func(t *testing.T) {
					sameAsEvaluator(t, text)
				})
			}
		}
	}
}

// TestManySavedParts: however many exchanges there are in a row, the array is copied once at most.
func TestManySavedParts(t *testing.T) {
	var b strings.Builder
	b.WriteString("HloModule m\nENTRY e {\n  x0 = f32[6000] parameter(0)\n  i = s32[] parameter(1)\n")
	const n = 150
	for k := range n {
		fmt.Fprintf(&b, `  k%[1]d = s32[] constant(%[1]d)
  i%[1]d = s32[] add(i, k%[1]d)
  a%[1]d = f32[1] dynamic-slice(x%[1]d, i%[1]d), dynamic_slice_sizes={1}
  b%[1]d = f32[1] dynamic-slice(x%[1]d, k%[1]d), dynamic_slice_sizes={1}
  y%[1]d = f32[6000] dynamic-update-slice(x%[1]d, b%[1]d, i%[1]d)
  x%[2]d = f32[6000] dynamic-update-slice(y%[1]d, a%[1]d, k%[1]d)
`, k, k+1)
	}
	fmt.Fprintf(&b, "  ROOT r = (f32[6000]) tuple(x%d)\n}\n", n)
	sameAsEvaluator(t, b.String())
	prog, err := xla.Parse("program.hlo", []byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	pool := exec.NewPool(1)
	defer pool.Close()
	p, err := cpu.Compile(t.Context(), prog.Module(), cpu.Options{Pool: pool})
	if err != nil {
		t.Fatal(err)
	}
	if copies := strings.Count(p.Plan().String(), "copy"); copies > 1 {
		t.Errorf("%d copies", copies)
	}
}

// sameAsEvaluator runs a program on each tier; its result, a tuple, has the evaluator's bits.
func sameAsEvaluator(t *testing.T, text string) {
	prog, err := xla.Parse("program.hlo", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	args := argumentsOf(rand.New(rand.NewPCG(1, 19)), prog.Module())
	eval := interp.New(t.Context(), interp.Options{})
	want, err := eval.Computation(prog.Module().Entry(), args)
	if err != nil {
		t.Fatal(err)
	}
	pool := exec.NewPool(1)
	defer pool.Close()
	for tier, p := range onTiers(t, prog.Module(), pool) {
		got, err := p.Run(t.Context(), args, eval)
		if err != nil {
			t.Fatal(err)
		}
		for k, w := range leaves(want) {
			if !bytes.Equal(w.Bytes(), leaves(got)[k].Bytes()) {
				t.Fatalf("%s, element %d: expected\n%s\ngot\n%s\nof\n%s", tier, k, w, leaves(got)[k], text)
			}
		}
	}
}

// swapText is the text of random steps.
type swapText struct {
	r      *rand.Rand
	b      strings.Builder
	of     string
	n      int
	count  int
	arrays [2][]string      // by the array: all its values, the last one last
	parts  map[int][]string // by how many elements
}

func newSwapText(r *rand.Rand, of string, n int) *swapText {
	return &swapText{r: r, of: of, n: n, arrays: [2][]string{{"x"}, {"y"}}, parts: map[int][]string{}}
}

// add adds an instruction and returns its name.
func (s *swapText) add(format string, args ...any) string {
	s.count++
	name := fmt.Sprint("v", s.count)
	fmt.Fprintf(&s.b, "  %s = %s\n", name, fmt.Sprintf(format, args...))
	return name
}

func (s *swapText) pick(list []string) string { return list[s.r.IntN(len(list))] }

// place adds a place in an array.
func (s *swapText) place() string {
	switch s.r.IntN(4) {
	case 0:
		return s.add("s32[] constant(%d)", s.r.IntN(s.n))
	case 1:
		return "i"
	case 2:
		return s.add("s32[] add(i, one)")
	}
	return s.add("s32[] reshape(%s)", s.add("s32[1] dynamic-slice(places, i), dynamic_slice_sizes={1}"))
}

// read adds w elements of a value of one of the arrays.
func (s *swapText) read(w int) {
	from := s.pick(s.arrays[s.r.IntN(2)])
	if s.r.IntN(4) == 0 {
		at := s.r.IntN(s.n - w + 1)
		s.parts[w] = append(s.parts[w], s.add("%s[%d] slice(%s), slice={[%d:%d]}", s.of, w, from, at, at+w))
		return
	}
	at := s.place()
	s.parts[w] = append(s.parts[w], s.add("%s[%d] dynamic-slice(%s, %s), dynamic_slice_sizes={%d}", s.of, w, from, at, w))
}

// step adds a read, a sum or an update.
func (s *swapText) step() {
	w, k := 1+s.r.IntN(3)*s.r.IntN(2), s.r.IntN(2)
	for len(s.parts[w]) < 2 {
		s.read(w)
	}
	part := s.parts[w][len(s.parts[w])-1-s.r.IntN(2)]
	last := s.arrays[k][len(s.arrays[k])-1]
	switch s.r.IntN(8) {
	case 0:
		s.read(w)
	case 1:
		s.parts[w] = append(s.parts[w], s.add("%s[%d] add(%s, %s)", s.of, w, part, s.pick(s.parts[w])))
	case 2:
		if w > 1 {
			return
		}
		all := s.add("%s[%d] broadcast(%s), dimensions={}", s.of, s.n, s.add("%s[] reshape(%s)", s.of, part))
		s.arrays[k] = append(s.arrays[k], s.add("%s[%d] add(%s, %s)", s.of, s.n, last, all))
	default:
		at := s.place()
		s.arrays[k] = append(s.arrays[k], s.add("%s[%d] dynamic-update-slice(%s, %s, %s)", s.of, s.n, last, part, at))
	}
}

// program returns a program of so many steps, in a loop of so many iterations if there are any.
func (s *swapText) program(trips, steps int) string {
	for range steps {
		s.step()
	}
	x, y := s.arrays[0][len(s.arrays[0])-1], s.arrays[1][len(s.arrays[1])-1]
	array := fmt.Sprintf("%s[%d]", s.of, s.n)
	all := fmt.Sprintf("(s32[], s32[64], %[1]s, %[1]s)", array)
	front := fmt.Sprintf(`  p0 = s32[64] parameter(0)
  p1 = %[1]s parameter(1)
  p2 = %[1]s parameter(2)
  fold = s32[] constant(%[2]d)
  folds = s32[64] broadcast(fold), dimensions={}
  places = s32[64] remainder(p0, folds)
  x = %[1]s add(p1, p1)
  y = %[1]s add(p2, p2)
  i = s32[] constant(1)
`, array, s.n)
	one := "  one = s32[] constant(1)\n"
	if trips == 0 {
		return "HloModule m\nENTRY e {\n" + front + one + s.b.String() +
			fmt.Sprintf("  ROOT r = (%[1]s, %[1]s) tuple(%[2]s, %[3]s)\n}\n", array, x, y)
	}
	state := fmt.Sprintf(`  s = %s parameter(0)
  i = s32[] get-tuple-element(s), index=0
  places = s32[64] get-tuple-element(s), index=1
  x = %[2]s get-tuple-element(s), index=2
  y = %[2]s get-tuple-element(s), index=3
`, all, array)
	return "HloModule m\ncond {\n" + state + fmt.Sprintf("  n = s32[] constant(%d)\n", trips+1) +
		"  ROOT c = pred[] compare(i, n), direction=LT\n}\nbody {\n" + state + one + s.b.String() +
		fmt.Sprintf("  next = s32[] add(i, one)\n  ROOT r = %s tuple(next, places, %s, %s)\n}\n", all, x, y) +
		"ENTRY e {\n" + front + fmt.Sprintf("  s = %[1]s tuple(i, places, x, y)\n", all) +
		fmt.Sprintf("  ROOT w = %s while(s), condition=cond, body=body\n}\n", all)
}
