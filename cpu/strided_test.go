package cpu_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo/hlotext"
)

const stridedText = `HloModule m
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY e {
  x = f32[256,256] parameter(0)
  y = f32[256,256] parameter(1)
  `

// TestStridesInPlace: plans for arrays with strides have no copies: no memory besides that of arguments and results, no
// steps besides those of the computation, and nothing is packed in a run.
func TestStridesInPlace(t *testing.T) {
	rows, columns := []int{1 << 10, 1}, []int{3, 1 << 10}
	odd := []int{1<<10 + 16, 1} // a product packs rows that are powers of two apart: they share few sets of the cache
	for _, test := range []struct {
		name, body string
		strides    cpu.Strides
		steps      string
	}{
		{"rows", "ROOT r = f32[256,256] multiply(x, y)", cpu.Strides{Args: [][]int{rows, columns}, Results: [][]int{rows}},
			"kernel"},
		{"sums", "z = f32[] constant(0)\n ROOT r = f32[256] reduce(x, z), dimensions={1}, to_apply=add",
			cpu.Strides{Args: [][]int{columns}, Results: [][]int{{5}}}, "kernel"},
		{"repeated", "ROOT r = f32[256,256] subtract(x, y)", cpu.Strides{Args: [][]int{{0, 1}, {1, 0}}}, "kernel"},
		{"product", "ROOT r = f32[256,256] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
			cpu.Strides{Args: [][]int{odd, odd}, Results: [][]int{odd}}, "gemm"},
		{"handed on", "ROOT r = f32[256,256] copy(x)", cpu.Strides{Args: [][]int{rows}, Results: [][]int{columns}}, "kernel"},
	} {
		m, err := hlotext.Parse(stridedText+test.body+"\n}\n", hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := cpu.Compile(t.Context(), m, cpu.Options{Pool: exec.NewPool(1), Strides: test.strides})
		if err != nil {
			t.Fatal(err)
		}
		var steps []string
		for line := range strings.Lines(p.Plan().Text(false)) {
			if f := strings.Fields(line); f[0] == "kernel" || f[0] == "gemm" || f[0] == "copy" || f[0] == "native" {
				steps = append(steps, f[0])
			}
		}
		if got := strings.Join(steps, " "); got != test.steps {
			t.Errorf("%s: steps: got %q, want %q\n%s", test.name, got, test.steps, p.Plan().Text(true))
		}
		if n := p.Memory().Temporary; test.steps == "kernel" && n != 0 {
			t.Errorf("%s: %d bytes of temporary memory, want none\n%s", test.name, n, p.Plan())
		}
		if n := bytesOfRun(t, p, test.strides, 3<<20); n > 100<<10 {
			t.Errorf("%s: a first run takes %d bytes of memory, less than an array is wanted", test.name, n)
		}
	}
}

// bytesOfRun returns what the first run of p allocates.
func bytesOfRun(t *testing.T, p *cpu.Program, s cpu.Strides, bytes int) uint64 {
	array := func(list [][]int, k int) cpu.Array {
		a := cpu.Array{Bytes: make([]byte, bytes)}
		if k < len(list) {
			a.Strides = list[k]
		}
		return a
	}
	args := []cpu.Array{array(s.Args, 0), array(s.Args, 1)}
	outs := []cpu.Array{array(s.Results, 0)}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := p.RunInto(t.Context(), outs, args, nil); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestInPlace: which strides a program can be compiled for.
func TestInPlace(t *testing.T) {
	for _, test := range []struct {
		sizes, strides []int
		want           bool
	}{
		{[]int{2, 3}, []int{3, 1}, true},
		{[]int{2, 3}, []int{1, 2}, true},
		{[]int{2, 3}, []int{2, 1}, false},      // rows overlap
		{[]int{2, 3}, []int{100, 7}, true},     // gaps of any size
		{[]int{2, 3}, []int{20, 7}, false},     // the last gap of a row reaches into the next row
		{[]int{2, 3, 4}, []int{0, 4, 1}, true}, // repeats
		{[]int{1, 3}, []int{0, 1}, true},
		{[]int{0, 3}, []int{3, 1}, false}, // nothing to read
		{nil, nil, true},
	} {
		if got := cpu.InPlace(test.sizes, test.strides); got != test.want {
			t.Errorf("%v with strides %v: got %v, want %v", test.sizes, test.strides, got, test.want)
		}
	}
}
