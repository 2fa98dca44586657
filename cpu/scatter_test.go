package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/internal/racetest"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
)

// scatterText is a program that adds rows of a width to those of an array that indices name.
func scatterText(ty string, rows, updates, width int) string {
	return fmt.Sprintf(`HloModule scatter
add {
  a = %[1]s[] parameter(0)
  b = %[1]s[] parameter(1)
  ROOT s = %[1]s[] add(a, b)
}
ENTRY e {
  x = %[1]s[%[2]d,%[4]d] parameter(0)
  i = s32[%[3]d,1] parameter(1)
  u = %[1]s[%[3]d,%[4]d] parameter(2)
  ROOT r = %[1]s[%[2]d,%[4]d] scatter(x, i, u), update_window_dims={1}, inserted_window_dims={0},
    scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add
}
`, ty, rows, updates, width)
}

// batchedText is a scatter of single elements in rows of their own, which are the second dimension of the indices.
func batchedText(ty string) string {
	return fmt.Sprintf(`HloModule batched
add {
  a = %[1]s[] parameter(0)
  b = %[1]s[] parameter(1)
  ROOT s = %[1]s[] add(a, b)
}
ENTRY e {
  x = %[1]s[6,20] parameter(0)
  i = s32[300,6,1] parameter(1)
  u = %[1]s[300,6] parameter(2)
  ROOT r = %[1]s[6,20] scatter(x, i, u), update_window_dims={}, inserted_window_dims={1},
    scatter_dims_to_operand_dims={1}, input_batching_dims={0}, scatter_indices_batching_dims={1}, index_vector_dim=2,
    to_apply=add
}
`, ty)
}

// singlesText is a scatter of single elements, or of a constant, which is so often that parts of it are done side by
// side where their order does not show.
func singlesText(ty, fold, updates string) string {
	return fmt.Sprintf(`HloModule singles
fold {
  a = %[1]s[] parameter(0)
  b = %[1]s[] parameter(1)
  ROOT s = %[1]s[] %[2]s(a, b)
}
ENTRY e {
  x = %[1]s[4,5] parameter(0)
  i = s32[400,90,2] parameter(1)
  p = %[1]s[400,90] parameter(2)
  c = %[1]s[] constant(3)
  ones = %[1]s[400,90] broadcast(c), dimensions={}
  ROOT r = %[1]s[4,5] scatter(x, i, %[3]s), update_window_dims={}, inserted_window_dims={0,1},
    scatter_dims_to_operand_dims={1,0}, index_vector_dim=2, to_apply=fold
}
`, ty, fold, updates)
}

// shortRowsText combines 40000 windows of 2 rows of 3 elements with those of x that the indices name.
func shortRowsText(ty, fold string) string {
	return fmt.Sprintf(`HloModule short
fold {
  a = %[1]s[] parameter(0)
  b = %[1]s[] parameter(1)
  ROOT s = %[1]s[] %[2]s(a, b)
}
ENTRY e {
  x = %[1]s[4,9,3] parameter(0)
  i = s32[400,100,2] parameter(1)
  u = %[1]s[400,100,2,3] parameter(2)
  ROOT r = %[1]s[4,9,3] scatter(x, i, u), update_window_dims={2,3}, inserted_window_dims={0},
    scatter_dims_to_operand_dims={1,0}, index_vector_dim=2, to_apply=fold
}
`, ty, fold)
}

// TestSpread: which scatters are cut into parts of the updates.
func TestSpread(t *testing.T) {
	for _, c := range []struct {
		text, parts string // parts is the shape of the arrays of two parts
		want        bool
	}{
		{singlesText("s32", "add", "ones"), "[2,4,5]", true},
		{singlesText("u8", "maximum", "p"), "[2,4,5]", true},
		{singlesText("s64", "multiply", "p"), "[2,4,5]", true},
		{singlesText("f32", "maximum", "p"), "[2,4,5]", true},
		{singlesText("bf16", "minimum", "ones"), "[2,4,5]", true},
		{singlesText("f64", "multiply", "p"), "[2,4,5]", false},
		{shortRowsText("f32", "minimum"), "[2,4,9,3]", true},
		{shortRowsText("s8", "add"), "[2,4,9,3]", true},
		{shortRowsText("f32", "add"), "[2,4,9,3]", false},
		{scatterText("s32", 20, 30000, 63), "[2,20,63]", true},
		{scatterText("s32", 20, 30000, 64), "[2,20,64]", false},
		{singlesText("s32", "subtract", "p"), "[2,4,5]", false},
		{singlesText("f32", "add", "p"), "[2,4,5]", false},
		{scatterText("s32", 20, 300, 64), "[2,20,64]", false},
	} {
		prog, err := xla.Parse("scatter.hlo", []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		for _, threads := range []int{1, 2} {
			p, err := cpu.Compile(t.Context(), prog.Module(), cpu.Options{Pool: exec.NewPool(threads)})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(p.Plan().Text(true), c.parts); got != (c.want && threads > 1) {
				t.Errorf("%d threads: parts of updates: %t, expected %t\n%s", threads, got, !got, c.text)
			}
		}
	}
}

// slidingText is a scatter of windows of a width that begin anywhere in an array of n numbers, so that they overlap:
// the indices name the dimension that windows extend along.
func slidingText(ty, root string, n, updates, width int) string {
	return fmt.Sprintf(`HloModule sliding
fold {
  a = %[1]s[] parameter(0)
  b = %[1]s[] parameter(1)
  s = %[1]s[] add(a, b)
  ROOT r = %[1]s[] copy(%[2]s)
}
ENTRY e {
  x = %[1]s[%[3]d] parameter(0)
  i = s32[%[4]d,1] parameter(1)
  u = %[1]s[%[4]d,%[5]d] parameter(2)
  ROOT r = %[1]s[%[3]d] scatter(x, i, u), update_window_dims={1}, inserted_window_dims={},
    scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=fold
}
`, ty, root, n, updates, width)
}

// TestScatterShort: short windows are cut into parts where vectors are wide; elsewhere only long ones are.
func TestScatterShort(t *testing.T) {
	pool := exec.NewPool(2)
	defer pool.Close()
	for _, c := range []struct {
		width int
		tier  exec.Tier
		want  bool
	}{{64, exec.AVX512, true}, {62, exec.AVX512, false}, {64, exec.AVX2, false}, {1022, exec.AVX2, false},
		{1024, exec.AVX2, true}} {
		prog, err := xla.Parse("scatter.hlo", []byte(scatterText("f32", 20, 300, c.width)))
		if err != nil {
			t.Fatal(err)
		}
		p, err := cpu.PlanOn(t.Context(), prog.Module(), cpu.Options{Pool: pool}, c.tier)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(p.Text(true), "parallel for i0 < 2"); got != c.want {
			t.Errorf("%v, %d elements: parts of windows: %t, expected %t", c.tier, c.width, got, c.want)
		}
	}
}

// TestScatterParts: windows are cut into parts for several threads only if each part has its own place in the result.
func TestScatterParts(t *testing.T) {
	pool := exec.NewPool(8)
	defer pool.Close()
	for _, c := range []struct {
		text string
		want bool
	}{
		{scatterText("f32", 20, 300, 4096), true},
		{slidingText("f32", "s", 4096, 1000, 4096), true},
		{slidingText("f32", "s", 4097, 1000, 4096), false},
		{slidingText("f32", "s", 8192, 1000, 4096), false},
		{slidingText("f32", "b", 8192, 1000, 4096), false},
	} {
		prog, err := xla.Parse("scatter.hlo", []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		p, err := cpu.Compile(t.Context(), prog.Module(), cpu.Options{Pool: pool})
		if err != nil {
			t.Fatal(err)
		}
		plan := p.Plan().Text(true)
		if got := strings.Contains(plan, "parallel for i0 < 8"); got != c.want {
			t.Errorf("parts of windows: %t, expected %t\n%s\n%s", got, c.want, c.text, plan)
		}
	}
}

// poolText is the gradient of a pooling of x by windows.
func poolText(ty, x, source, window string) string {
	return fmt.Sprintf(`HloModule pool
ge {
  a = %[1]s[] parameter(0)
  b = %[1]s[] parameter(1)
  ROOT c = pred[] compare(a, b), direction=GE
}
add {
  a = %[1]s[] parameter(0)
  b = %[1]s[] parameter(1)
  ROOT s = %[1]s[] add(a, b)
}
ENTRY e {
  x = %[1]s[%[2]s] parameter(0)
  i = s32[1] parameter(1)
  u = %[1]s[%[3]s] parameter(2)
  z = %[1]s[] constant(3)
  ROOT r = %[1]s[%[2]s] select-and-scatter(x, u, z), window={%[4]s}, select=ge, scatter=add
}
`, ty, x, source, window)
}

// scatteredColumns adds to the columns of x that 50 indices name: shapes of x and of the updates, and the dimensions of
// the window.
func scatteredColumns(ty string, c [3]string) string {
	return fmt.Sprintf(`HloModule columns
add {
  a = %[1]s[] parameter(0)
  b = %[1]s[] parameter(1)
  ROOT s = %[1]s[] add(a, b)
}
ENTRY e {
  x = %[1]s[%[2]s] parameter(0)
  i = s32[50,1] parameter(1)
  u = %[1]s[%[3]s] parameter(2)
  ROOT r = %[1]s[%[2]s] scatter(x, i, u), update_window_dims={%[4]s}, inserted_window_dims={1},
    scatter_dims_to_operand_dims={1}, index_vector_dim=1, to_apply=add
}
`, ty, c[0], c[1], c[2])
}

// TestScatterThreads: what is cut into parts for several threads, or done in lanes, adds in the evaluator's order for
// any number of threads: parts of windows, rows of their own, windows that have no element in common, and others.
func TestScatterThreads(t *testing.T) {
	var texts []string
	for n, width := range []int{31, 64, 96, 128, 250, 1536, 2048} {
		texts = append(texts, scatterText([]string{"f32", "f64", "s32"}[n%3], 20, 300, width))
	}
	for _, ty := range []string{"f32", "s64"} { // of 8 threads each combines ranges of the rows
		texts = append(texts, scatterText(ty, 203, 500, 67))
	}
	texts = append(texts, batchedText("f32"), batchedText("s64"),
		poolText("f32", "5,12,12,19", "5,6,6,19", "size=1x2x2x1 stride=1x2x2x1"),
		poolText("bf16", "5,12,12,19", "5,6,6,19", "size=1x3x3x1 stride=1x2x2x1 pad=0_0x0_1x1_0x0_0"),
		poolText("f64", "5,19,12,12", "5,19,6,6", "size=1x1x2x2 stride=1x1x2x2"),
		poolText("f32", "5,13,12,19", "5,6,6,19", "size=1x2x2x1 stride=1x2x2x1"),
		poolText("f32", "5,12,12,19", "5,6,7,19", "size=1x2x2x1 stride=1x2x2x1 pad=0_0x0_0x1_1x0_0"),
		poolText("f32", "5,12,12,19", "5,6,6,19", "size=1x1x2x1 stride=1x2x2x1"),
		poolText("s32", "6,20", "2,4", "size=3x5 stride=3x5"),
		poolText("f32", "5,3,12,12", "5,3,6,6", "size=1x1x3x3 stride=1x1x2x2 pad=0_0x0_0x0_1x1_0"))
	for _, ty := range []string{"s32", "u8", "s64", "f32", "f64", "bf16", "f16"} {
		for _, fold := range []string{"add", "minimum", "maximum"} {
			texts = append(texts, singlesText(ty, fold, "p"), singlesText(ty, fold, "ones"), shortRowsText(ty, fold))
		}
	}
	for _, root := range []string{"s", "b"} {
		texts = append(texts, slidingText("f32", root, 8192, 1000, 4096), slidingText("f32", root, 4096, 100, 4096))
	}
	texts = append(texts, singlesText("u32", "xor", "p"), singlesText("s16", "or", "p"),
		singlesText("s32", "subtract", "p"))
	for _, c := range [][3]string{
		{"13,24", "13,50", "0"}, {"13,24,7", "13,50,7", "0,2"}, {"3,24,5,9", "2,50,4,9", "0,2,3"},
		{"5,24", "5,50", "0"}, {"19,24", "19,50", "0"}, {"32,24", "32,50", "0"}, {"3,24,17", "3,50,17", "0,2"},
	} {
		texts = append(texts, scatteredColumns("f32", c), scatteredColumns("bf16", c), scatteredColumns("s64", c))
	}
	for n, text := range texts {
		checkThreads(t, text, rand.New(rand.NewPCG(uint64(n), 1)))
	}
}

func checkThreads(t *testing.T, text string, r *rand.Rand) {
	t.Helper()
	prog, err := xla.Parse("scatter.hlo", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var args []literal.Literal
	for _, q := range prog.Module().Entry().Params() {
		args = append(args, someOf(r, q.Shape()))
	}
	for k := range args[1].Len() {
		args[1].SetInt(k, int64(r.IntN(max(24, min(args[0].Shape().Dims[0], 256)+4))-2)) // some are outside
	}
	var want literal.Literal
	if !racetest.Enabled {
		if want, err = interp.Run(t.Context(), prog.Module(), args, interp.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	for _, threads := range racetest.Threads(1, 2, 3, 5, 8) {
		pool := exec.NewPool(threads)
		p, err := cpu.Compile(t.Context(), prog.Module(), cpu.Options{Pool: pool})
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Run(t.Context(), args, nil)
		pool.Close()
		if err != nil {
			t.Fatal(err)
		}
		if want.IsValid() && !slices.Equal(got.Bytes(), want.Bytes()) {
			t.Errorf("%d threads: other bits than the evaluator's:\n%s", threads, text)
		}
	}
}
