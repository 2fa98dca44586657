package cpu_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/plan"
)

// outside slices and pads what is joined until the kernel asks for elements that no part has, behind a mask that does
// not say so itself.
const outside = `HloModule m
ENTRY e {
  two = T[] constant(TWO)
  p0 = T[6] parameter(0)
  d = T[4] slice(p0), slice={[2:6]}
  e = T[2] slice(p0), slice={[4:6]}
  c0 = T[6] concatenate(d, e), dimensions={0}
  d0 = T[4] slice(c0), slice={[2:6]}
  c1 = T[6] pad(d0, two), padding=0_2
  d1 = T[4] slice(c1), slice={[2:6]}
  c2 = T[6] pad(d1, two), padding=0_2
  s = T[3] slice(c2), slice={[3:6]}
  ROOT o = T[6] pad(s, two), padding=LOW_3
}`

// TestOutside: elements of a concatenation that nobody wants have some value of its type.
func TestOutside(t *testing.T) {
	for _, c := range [][2]string{
		{"f32", "2"}, {"u8", "2"}, {"pred", "true"}, {"s64", "-2"}, {"c64", "(2, 1)"}, {"bf16", "2"},
	} {
		for low := range 2 {
			text := strings.NewReplacer("T[", c[0]+"[", "TWO", c[1], "LOW", fmt.Sprint(low), "ROOT o = T[6]",
				fmt.Sprintf("ROOT o = %s[%d]", c[0], 6+low)).Replace(outside)
			compareWithEvaluator(t, fmt.Sprint(c[0], low), []byte(text))
		}
	}
}

// masked adds integers that are 0 from the third column on: in most of a row nobody asks for what is not.
const masked = `HloModule m
ENTRY e {
  x = s64[8,105] parameter(0)
  y = s64[8,105] parameter(1)
  zero = s64[] constant(0)
  zeros = s64[8,105] broadcast(zero), dimensions={}
  column = s32[8,105] iota(), iota_dimension=1
  three = s32[] constant(3)
  threes = s32[8,105] broadcast(three), dimensions={}
  first = pred[8,105] compare(column, threes), direction=LT
  double = s64[8,105] add(y, y)
  few = s64[8,105] select(first, double, zeros)
  ROOT o = s64[8,105] OP(x, few)
}`

// TestMasked: where masks are off, what they are for is not computed, and neither is it used.
func TestMasked(t *testing.T) {
	for _, op := range []string{"add", "or", "xor", "subtract"} {
		compareWithEvaluator(t, op, []byte(strings.Replace(masked, "OP", op, 1)))
	}
}

// TestFlatRoll: what is turned by some places in the order of all dimensions is read where it is: no index is divided
// to find what comes from the other end.
func TestFlatRoll(t *testing.T) {
	for _, by := range []int{1, 5, 200, 530} {
		text := fmt.Sprintf(`HloModule m
ENTRY e {
  x = f32[13,41] parameter(0)
  r = f32[533] reshape(x)
  a = f32[%d] slice(r), slice={[%d:533]}
  b = f32[%d] slice(r), slice={[0:%d]}
  c = f32[533] concatenate(a, b), dimensions={0}
  s = f32[13,41] reshape(c)
  ROOT y = f32[13,41] add(s, x)
}`, 533-by, by, by, by)
		compareWithEvaluator(t, fmt.Sprint(by), []byte(text))
		prog, err := xla.Parse("roll", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		p, err := cpu.Compile(t.Context(), prog.Module(), cpu.Options{Pool: exec.NewPool(1)})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range p.Plan().Body.Steps {
			k, ok := s.(*plan.Kernel)
			divides := func(i loop.Inst) bool { return i.Op == loop.UDiv || i.Op == loop.MulHiU || i.Op == loop.MulHiS }
			if ok && slices.ContainsFunc(k.Nest.Insts, divides) {
				t.Errorf("by %d: an index is divided:\n%v", by, k.Nest)
			}
		}
	}
}

// TestStackedRolls: of planes that are turned by some places each and stacked in the last dimension each is written by
// itself, as no row of all can be written out.
func TestStackedRolls(t *testing.T) {
	text := strings.Builder{}
	text.WriteString("HloModule m\nENTRY e {\n  x = f32[37,43,9] parameter(0)\n  y = f32[37,43,9] sine(x)\n")
	var list []string
	for k := range 9 {
		by := 1 + k%3
		fmt.Fprintf(&text, `  p%[1]d = f32[37,43,1] slice(y), slice={[0:37], [0:43], [%[1]d:%[2]d]}
  q%[1]d = f32[37,43] reshape(p%[1]d)
  a%[1]d = f32[%[4]d,43] slice(q%[1]d), slice={[%[3]d:37], [0:43]}
  b%[1]d = f32[%[3]d,43] slice(q%[1]d), slice={[0:%[3]d], [0:43]}
  c%[1]d = f32[37,43] concatenate(a%[1]d, b%[1]d), dimensions={0}
  r%[1]d = f32[37,43,1] reshape(c%[1]d)
`, k, k+1, by, 37-by)
		list = append(list, fmt.Sprint("r", k))
	}
	fmt.Fprintf(&text, "  ROOT s = f32[37,43,9] concatenate(%s), dimensions={2}\n}\n", strings.Join(list, ", "))
	compareWithEvaluator(t, "rolls", []byte(text.String()))
	if n := strings.Count(planOf(t, "rolls", text.String()), "kernel s("); n < 9 {
		t.Errorf("%d kernels write the rows", n)
	}
}
