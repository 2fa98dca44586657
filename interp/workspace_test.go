package interp

import (
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// TestWorkspace: what an operation allocates beside its result is at most what is
// estimated, which is not much too high.
func TestWorkspace(t *testing.T) {
	const called = "HloModule m\nadd {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT s = f32[] add(a, b)\n}\n" +
		"less {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT s = pred[] compare(a, b), direction=LT\n}\n" +
		"ENTRY e {\n z = f32[] constant(0)\n x = f32[300,300] parameter(0)\n " +
		"i = f32[1,24,24,4] parameter(1)\n ROOT r = "
	for _, c := range []struct {
		name, root string
		slack      float64 // how many times too high it may be; 0: lines are allocated one after the other
	}{
		{"dot", "f32[300,300] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}", 1.5},
		{"dot_pieces", "f32[300,300] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}, " +
			"algorithm=dot_bf16_bf16_f32_x3", 2},
		{"convolution", "f32[300,300] convolution(x, x), dim_labels=bf_io->bf", 3},
		{"convolution_of_images", "f32[1,47,47,1] convolution(i, i), dim_labels=b01f_o01i->b01f, " +
			"window={size=24x24 pad=23_23x23_23}", 4},
		{"sort", "f32[300,300] sort(x), dimensions={0}, to_apply=less", 8},
		{"reduce", "f32[300] reduce(x, z), dimensions={0}, to_apply=add", 3},
		{"fft", "c64[300,151] fft(x), fft_type=RFFT, fft_length={300}", 0},
		{"topk", "(f32[300,9], s32[300,9]) topk(x), k=9, largest=true", 2},
		{"cholesky", "f32[300,300] cholesky(x), lower=true", 2},
		{"triangular-solve", "f32[300,300] triangular-solve(x, x), left_side=true, lower=true, transpose_a=NO_TRANSPOSE", 2},
		{"reduce-window", "f32[300,300] reduce-window(x, z), window={size=300x300 pad=299_0x299_0}, to_apply=add", 4},
		{"rng", "f32[300,300] rng(z, z), distribution=rng_uniform", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := parse(t, called+c.root+"\n}\n")
			n := m.Entry().Root()
			var args []literal.Literal
			for _, o := range n.Operands() {
				x := literal.New(dropLayout(o.Shape()))
				for i := range x.Len() {
					x.SetFloat(i, float64(i%7))
				}
				args = append(args, x)
			}
			in := New(t.Context(), Options{})
			space := (&call{in: in, n: n, args: args, shape: dropLayout(n.Shape())}).workspace()
			if c.name == "reduce-window" { // all windows of it take too long; a few show the largest
				if want := int64(2 * offset * 300 * 300); space != want {
					t.Errorf("estimated %d bytes, want %d", space, want)
				}
				return
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			v, err := in.Instruction(n, args)
			runtime.ReadMemStats(&after)
			if err != nil {
				t.Fatal(err)
			}
			used := float64(after.TotalAlloc-before.TotalAlloc) - float64(arrayBytes(v.Shape()))
			if c.slack > 0 && (used > float64(space)+1<<16 || float64(space) > c.slack*used+1<<16) {
				t.Errorf("estimated %d bytes, got %.0f", space, used)
			}
			in.memory.limit = arrayBytes(v.Shape()) + space - 1
			if _, err := in.Instruction(n, args); err == nil || !strings.Contains(err.Error(), "more to compute it") {
				t.Errorf("with %d bytes: %v", in.memory.limit, err)
			}
		})
	}
}

// TestWorkspaceBeyondAll: an estimate that no integer holds is an error like others.
func TestWorkspaceBeyondAll(t *testing.T) {
	m := newMemory(math.MaxInt64)
	text := "HloModule m\nENTRY e {\n x = f32[1,1] parameter(0)\n ROOT r = f32[1,1] dot(x, x), " +
		"lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n"
	n := parse(t, text).Entry().Root()
	huge := &call{n: n, shape: shape.Make(shape.C128, 1<<40, 1<<40)}
	if got := huge.workspace(); got != maxWorkspace {
		t.Errorf("got %d", got)
	}
	m.live = math.MaxInt64 - 100
	if err := m.reserve(n, shape.Make(shape.F32), huge.workspace()); err == nil {
		t.Error("no error")
	}
}

// TestLongIota: numbers are made a chunk at a time.
func TestLongIota(t *testing.T) {
	for text, at := range map[string]func(i int) int{
		"s32[2500] iota(), iota_dimension=0":   func(i int) int { return i },
		"s32[2,2048] iota(), iota_dimension=1": func(i int) int { return i % 2048 },
		"s16[2049,3] iota(), iota_dimension=0": func(i int) int { return i / 3 },
		"u8[1030] iota(), iota_dimension=0":    func(i int) int { return i & 255 },
	} {
		m := parse(t, "HloModule m\nENTRY e {\n ROOT r = "+text+"\n}\n")
		v, err := Run(t.Context(), m, nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range v.Len() {
			if got, want := v.IntAt(i), int64(at(i)); got != want {
				t.Fatalf("%s: element %d is %d, want %d", text, i, got, want)
			}
		}
	}
}
