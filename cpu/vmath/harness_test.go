package vmath

import (
	"math"
	"strings"
	"testing"
	"unsafe"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/tile"
)

// block is the number of elements of a test kernel.
const block = 1 << 12

// kernel is a compiled function of one or two arguments on blocks.
type kernel struct {
	t   testing.TB
	run func(bufs [][]byte) error
}

// body is a function of any number of arguments.
type body func(b *loop.Builder, k loop.Kind, x []loop.Value) loop.Value

// nestOf is a nest of f on elements of type m, for machine code.
func nestOf(m loop.Mem, inputs int, f body, to target) *loop.Nest {
	return nestFor(m, inputs, f, true, to)
}

func nestFor(m loop.Mem, inputs int, f body, code bool, to target) *loop.Nest {
	b := loop.NewBuilder("test")
	b.Code, b.Wide, b.Split, b.Alone = code, to.AVX512, to.split, code
	size := block * m.Bytes()
	var bufs []int
	for range inputs {
		bufs = append(bufs, b.Buffer(loop.Buffer{Name: "x", Bytes: size}))
	}
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: size, Write: true})
	b.Each(loop.Spec{Extent: block, Lanes: true, Parallel: true}, func(v int) {
		at := func(buf int) loop.Access {
			return loop.Access{Buffer: buf, Terms: []loop.Term{{Var: v, Stride: 1}}, Mem: m}
		}
		var x []loop.Value
		for _, buf := range bufs {
			x = append(x, b.Load(at(buf), 0))
		}
		b.Store(at(y), f(b, m.Kind(), x), 0)
	})
	n := b.Nest()
	loop.DCE(n) // as all nests are compiled
	return n
}

// compile makes a kernel of f on elements of type m for the portable executor.
func compile(t testing.TB, m loop.Mem, inputs int, f body) kernel {
	t.Helper()
	return interpret(t, nestFor(m, inputs, f, false, target{}))
}

func interpret(t testing.TB, n *loop.Nest) kernel {
	t.Helper()
	p, err := tile.Compile(n)
	if err != nil {
		t.Fatal(err)
	}
	return kernel{t, func(bufs [][]byte) error { return p.Run(bufs, 0, p.Extent()) }}
}

// forms are the kernels of a function: one of the portable executor, and more where machine code, wide registers and
// split units have forms of their own.
func forms(t testing.TB, m loop.Mem, inputs int, f body) []kernel {
	t.Helper()
	list := []kernel{compile(t, m, inputs, f)}
	last := nestFor(m, inputs, f, false, target{}).String()
	for _, name := range [...]string{"avx2", "avx512", "avx512 split"} {
		nest := nestOf(m, inputs, f, allTargets[name])
		text := nest.String()
		if text != last || name == "avx512" && strings.Contains(text, loop.RsqrtNear.String()) {
			list = append(list, formFor(t, nest, name))
		}
		last = text
	}
	return list
}

// formFor is n as machine code of a tier, or in the portable executor where this CPU has none: that has the same bits,
// but is exact where machine code begins with a near result.
func formFor(t testing.TB, n *loop.Nest, tier string) kernel {
	t.Helper()
	if target, ok := targets()[tier]; ok {
		return assemble(t, n, target)
	}
	return interpret(t, n)
}

func (f *function) body() body {
	return func(b *loop.Builder, k loop.Kind, x []loop.Value) loop.Value { return f.make(b, k, x[0]) }
}

func (f *binaryFunction) body() body {
	return func(b *loop.Builder, k loop.Kind, x []loop.Value) loop.Value { return f.make(b, k, x[0], x[1]) }
}

// run computes a block; all slices are of the length block.
func run[T any](k kernel, y []T, x ...[]T) {
	if err := k.run(bytesOf(append(x, y))); err != nil {
		k.t.Fatal(err)
	}
}

// bytesOf is the memory of slices.
func bytesOf[T any](list [][]T) (bufs [][]byte) {
	for _, s := range list {
		bufs = append(bufs, unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*int(unsafe.Sizeof(s[0]))))
	}
	return bufs
}

// grid is what rounding to a type of floats is: the exponents of its least number and of the
// first power of two that it does not have, and its bits.
type grid struct{ least, overflow, bits int }

var (
	f16Grid  = grid{-24, 16, 11}
	bf16Grid = grid{-133, 128, 8}
	f32Grid  = grid{-149, 128, 24}
	f64Grid  = grid{-1074, 1024, 53}
)

// ulp is the unit of the last place in the binade of x, as a power of two.
func (g grid) ulp(x float64) int {
	_, e := math.Frexp(x)
	return max(e-g.bits, g.least)
}

// worst is the largest error found.
type worst struct {
	ulp float64
	at  []float64
	bad int // wrong special values
}

// measured is a form, and its largest error so far.
type measured struct {
	kernel
	worst
}

// measuredForms are the forms of a function. What is exact is found once for all of them.
func measuredForms(t testing.TB, m loop.Mem, inputs int, f body) (list []measured) {
	t.Helper()
	for _, k := range forms(t, m, inputs, f) {
		list = append(list, measured{kernel: k})
	}
	return list
}

// worstOf is the largest error of all forms.
func worstOf(list []measured) (w worst) {
	for _, m := range list {
		if m.bad > 0 && w.bad == 0 || m.bad == 0 && w.bad == 0 && m.ulp > w.ulp {
			w.ulp, w.at = m.ulp, m.at
		}
		w.bad += m.bad
	}
	return w
}

// note adds the error of got, whose exact value is want, in f32 and less.
func (w *worst) note(g grid, got, want float64, at ...float64) {
	switch {
	case math.IsNaN(want) || math.IsNaN(got) || math.IsInf(want, 0):
		same := math.IsNaN(want) && math.IsNaN(got) || got == want
		w.special(same, at)
		return
	case got == 0 && want == 0 || got == 0 && math.Abs(want) < math.Ldexp(1, g.least):
		w.special(math.Signbit(got) == math.Signbit(want), at)
	case math.IsInf(got, 0):
		got = math.Copysign(math.Ldexp(1, g.overflow), got)
		if math.Abs(want) > math.Abs(got) && got*want > 0 {
			return
		}
	}
	w.add(math.Ldexp(math.Abs(got-want), -g.ulp(want)), at)
}

func (w *worst) special(ok bool, at []float64) {
	if !ok {
		if w.bad == 0 {
			w.at = append([]float64(nil), at...)
		}
		w.bad++
	}
}

func (w *worst) add(ulp float64, at []float64) {
	if ulp > w.ulp && w.bad == 0 {
		w.ulp, w.at = ulp, append([]float64(nil), at...)
	}
}

// check compares with what is promised.
func (w *worst) check(t *testing.T, limit float64) {
	t.Helper()
	t.Logf("%.3f ULP at %x", w.ulp, w.at)
	if w.bad > 0 {
		t.Errorf("%d wrong special values, the first at %x", w.bad, w.at)
	}
	if w.ulp > limit {
		t.Errorf("%.3f ULP at %x (%v), promised %.2f", w.ulp, w.at, w.at, limit)
	}
}
