package vmath

import (
	"maps"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/emit"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/loop"
)

// target is what machine code is for, and whether units are split.
type target struct {
	emit.Target
	split bool
}

var allTargets = map[string]target{
	"avx2": {}, "avx512": {Target: emit.Target{AVX512: true}},
	"avx512 split": {emit.Target{AVX512: true, Split: true}, true},
}

// targets are what this machine can run.
func targets() map[string]target {
	list := maps.Clone(allTargets)
	maps.DeleteFunc(list, func(_ string, to target) bool {
		return !exec.Host().AVX2 || to.AVX512 && !exec.Host().AVX512
	})
	return list
}

// assemble makes a kernel of machine code.
func assemble(t testing.TB, n *loop.Nest, to target) kernel {
	t.Helper()
	a := &asm.Assembler{VEXOnly: !to.AVX512}
	entry, err := emit.Compile(a, n, to.Target)
	if err != nil {
		t.Fatal(err)
	}
	text, err := a.Finish()
	if err != nil {
		t.Fatal(err)
	}
	code, err := exec.NewCode(text)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { code.Close() })
	return kernel{t, func(bufs [][]byte) error {
		args := emit.NewArgs(len(bufs))
		args.SetRange(0, block)
		for k, b := range bufs {
			args.SetBuffer(k, unsafe.Pointer(unsafe.SliceData(b)))
		}
		exec.Call(code.Entry(entry), args.Pointer())
		runtime.KeepAlive(bufs)
		return nil
	}}
}

// TestMachineCode: machine code computes the same bits as the portable executor, or the next number where it
// begins with
// a near result.
func TestMachineCode(t *testing.T) {
	for name, target := range targets() {
		for i := range functions {
			f := &functions[i]
			t.Run(name+" "+f.name, func(t *testing.T) { checkMachine(t, target, 1, f.body()) })
		}
		for i := range binaries {
			f := &binaries[i]
			t.Run(name+" "+f.name, func(t *testing.T) { checkMachine(t, target, 2, f.body()) })
		}
	}
}

func checkMachine(t *testing.T, target target, inputs int, f body) {
	r := rand.New(rand.NewPCG(7, 8))
	var x32 [2][]float32
	var x64 [2][]float64
	for k := range inputs {
		x32[k], x64[k] = make([]float32, block), make([]float64, block)
		for j := range block {
			x32[k][j], x64[k][j] = point32(r), point(r, 20)
			if p, q, ok := corner(j); ok {
				x64[k][j] = []float64{p, q}[k]
				x32[k][j] = float32(x64[k][j])
			}
		}
	}
	same(t, target, loop.MemF32, f, x32[:inputs])
	same(t, target, loop.MemF64, f, x64[:inputs])
}

// TestMachineCodeSmall: so it does of every number of bf16, which is rounded without a look at NaNs where it can be.
func TestMachineCodeSmall(t *testing.T) {
	for name, target := range targets() {
		for i := range functions {
			f := &functions[i]
			want := interpret(t, nestOf(loop.MemBF16, 1, f.body(), target))
			got := assemble(t, nestOf(loop.MemBF16, 1, f.body(), target), target)
			x, y, z := make([]uint16, block), make([]uint16, block), make([]uint16, block)
			for from := 0; from < 1<<16; from += block {
				for j := range x {
					x[j] = uint16(from + j)
				}
				run(want, y, x)
				run(got, z, x)
				for j := range x {
					w, g := small(loop.MemBF16, y[j]), small(loop.MemBF16, z[j])
					if !sameFloat(w, g) && !(f.name == "rsqrt" && math.Abs(w-g) <= math.Abs(w)/128) {
						t.Fatalf("%s %s %x: machine code gives %x, the portable executor %x", name, f.name, x[j], z[j], y[j])
					}
				}
			}
		}
	}
}

func same[T float32 | float64](t *testing.T, target target, m loop.Mem, f body, x [][]T) {
	want, got := make([]T, block), make([]T, block)
	nest := nestOf(m, len(x), f, target)
	run(interpret(t, nest), want, x...)
	run(assemble(t, nest, target), got, x...)
	next := 0.0 // relative distance of what is accepted
	if strings.Contains(nest.String(), loop.RsqrtNear.String()) {
		next = 0x1p-23
		if m == loop.MemF64 {
			next = 0x1p-51
		}
	}
	for j, w := range want {
		g := got[j]
		if next > 0 && math.Abs(float64(g-w)) <= math.Abs(float64(w))*next { // next to each other
			g = w
		}
		if g != w && !(g != g && w != w) || math.Signbit(float64(g)) != math.Signbit(float64(w)) && g == g {
			at := []T{x[0][j]}
			if len(x) > 1 {
				at = append(at, x[1][j])
			}
			t.Fatalf("%v%x: machine code gives %x, the portable executor %x", m, at, g, w)
		}
	}
}
