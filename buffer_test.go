package xla_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/internal/racetest"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// steadyPrograms are programs of kernels, loops and conditionals on f32[64] and s32[]: their runs allocate nothing.
var steadyPrograms = map[string]string{
	"kernels": `
ENTRY e {
  x = f32[64] parameter(0)
  n = s32[] parameter(1)
  f = f32[] convert(n)
  b = f32[64] broadcast(f), dimensions={}
  y = f32[64] multiply(x, b)
  s = f32[64] reverse(y), dimensions={0}
  z = f32[] constant(0)
  t = f32[] reduce(s, z), dimensions={0}, to_apply=add
  ROOT r = (f32[64], f32[]) tuple(s, t)
}`,
	"while": `
cond {
  p = (s32[], f32[64]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  z = s32[] constant(0)
  ROOT c = pred[] compare(i, z), direction=GT
}
body {
  p = (s32[], f32[64]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[64] get-tuple-element(p), index=1
  one = s32[] constant(1)
  j = s32[] subtract(i, one)
  y = f32[64] reverse(x), dimensions={0}
  ROOT t = (s32[], f32[64]) tuple(j, y)
}
ENTRY e {
  x = f32[64] parameter(0)
  n = s32[] parameter(1)
  s = (s32[], f32[64]) tuple(n, x)
  w = (s32[], f32[64]) while(s), condition=cond, body=body
  ROOT y = f32[64] get-tuple-element(w), index=1
}`,
	"conditional": `
up {
  x = f32[64] parameter(0)
  ROOT y = f32[64] reverse(x), dimensions={0}
}
down {
  x = f32[64] parameter(0)
  ROOT y = f32[64] negate(x)
}
ENTRY e {
  x = f32[64] parameter(0)
  n = s32[] parameter(1)
  ROOT c = f32[64] conditional(n, x, x), branch_computations={up, down}
}`,
}

const steadyReducers = `HloModule m
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
`

// TestRunIntoAllocatesNothing: after the first run.
func TestRunIntoAllocatesNothing(t *testing.T) {
	for name, text := range steadyPrograms {
		t.Run(name, func(t *testing.T) {
			client := newClient(t, xla.Options{Backend: xla.CPU()})
			exe, err := client.Compile(t.Context(), parse(t, steadyReducers+text))
			if err != nil {
				t.Fatal(err)
			}
			xs := make([]float32, 64)
			for i := range xs {
				xs[i] = float32(i * 37 % 64)
			}
			args := []*xla.Buffer{buffer(t, client, xs), bufferOf(t, client, literal.Scalar(int32(3)))}
			var outs []*xla.Buffer
			for _, l := range run(t, exe, literal.Of(xs), literal.Scalar(int32(3))) {
				outs = append(outs, bufferOf(t, client, literal.New(l.Shape())))
			}
			ctx := t.Context()
			if n := testing.AllocsPerRun(100, func() { err = exe.RunInto(ctx, outs, args) }); n != 0 || err != nil {
				t.Errorf("%v allocations a run, error %v", n, err)
			}
			for k, want := range run(t, exe, literal.Of(xs), literal.Scalar(int32(3))) {
				if got := value(t, outs[k]); !literal.Equal(got, want) {
					t.Errorf("result %d: got %v, want %v", k, got, want)
				}
			}
		})
	}
}

// TestRunIntoAllocatesLittle: what has lists of its own has few of them, however many lines there are.
func TestRunIntoAllocatesLittle(t *testing.T) {
	const less = "less {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n" +
		"  ROOT l = pred[] compare(a, b), direction=LT\n}\n"
	for _, c := range []struct {
		name, text string
		most       float64
		lines      float64 // of which each takes two more without machine code
	}{
		{"rows", less + "ENTRY e {\n  x = f32[1024,256] parameter(0)\n" +
			"  ROOT s = f32[1024,256] sort(x), dimensions={1}, to_apply=less\n}\n", 12, 1024},
		{"columns", less + "ENTRY e {\n  x = f32[256,1024] parameter(0)\n" +
			"  ROOT s = f32[256,1024] sort(x), dimensions={0}, to_apply=less\n}\n", 12, 1024},
		{"long", less + "ENTRY e {\n  x = f32[1048576] parameter(0)\n" +
			"  ROOT s = f32[1048576] sort(x), dimensions={0}, to_apply=less\n}\n", 60, 0},
		{"fft", "ENTRY e {\n  x = c64[1024,256] parameter(0)\n" +
			"  ROOT f = c64[1024,256] fft(x), fft_type=FFT, fft_length={256}\n}\n", 12, 1024},
	} {
		t.Run(c.name, func(t *testing.T) {
			client := newClient(t, xla.Options{Backend: xla.CPU(), Threads: 2})
			exe, err := client.Compile(t.Context(), parse(t, c.text))
			if err != nil {
				t.Fatal(err)
			}
			x := literal.New(exe.Signature().Params[0])
			for i := range x.Len() {
				x.SetFloat(i, float64(i*7919%104729))
			}
			args := []*xla.Buffer{bufferOf(t, client, x)}
			outs := []*xla.Buffer{bufferOf(t, client, literal.New(exe.Signature().Result))}
			ctx := t.Context()
			n := testing.AllocsPerRun(20, func() { err = exe.RunInto(ctx, outs, args) })
			most := c.most
			if exe.Tier() == "portable" {
				most += 2 * c.lines
			}
			if n > most && !racetest.Enabled || err != nil { // the race detector has pools lose what they have
				t.Errorf("%v allocations a run, want %v at most; error %v", n, most, err)
			}
		})
	}
}

func run(t testing.TB, exe *xla.Executable, args ...literal.Literal) []literal.Literal {
	t.Helper()
	out, err := exe.Run(t.Context(), args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func buffer(t testing.TB, c *xla.Client, data any, d ...shape.Strided) *xla.Buffer {
	t.Helper()
	b, err := c.Buffer(data, append(d, shape.Strided{})[0])
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func bufferOf(t testing.TB, c *xla.Client, l literal.Literal) *xla.Buffer {
	t.Helper()
	b, err := c.BufferOf(l)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func value(t testing.TB, b *xla.Buffer) literal.Literal {
	t.Helper()
	l, err := b.Literal()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestBuffers: arguments and results of any strides, in both backends.
func TestBuffers(t *testing.T) {
	const text = "HloModule m\nENTRY e {\n  x = f32[2,3] parameter(0)\n  t = (f32[3], s32[]) parameter(1)\n" +
		"  y = f32[3] get-tuple-element(t), index=0\n  n = s32[] get-tuple-element(t), index=1\n" +
		"  b = f32[2,3] broadcast(y), dimensions={1}\n  z = f32[2,3] subtract(x, b)\n" +
		"  ROOT r = (f32[2,3], s32[], f32[3]) tuple(z, n, y)\n}\n"
	for _, backend := range []xla.Backend{xla.Interp(), xla.CPU()} {
		client := newClient(t, xla.Options{Backend: backend})
		exe, err := client.Compile(t.Context(), parse(t, text))
		if err != nil {
			t.Fatal(err)
		}
		xs, row := []float32{0, 1, 9, 10, 11, 9, 20, 21}, []float32{5}
		columns := buffer(t, client, xs, shape.Strided{Sizes: []int{2, 3}, Strides: []int{1, 3}})
		fives := buffer(t, client, row, shape.Strided{Sizes: []int{3}, Strides: []int{0}})
		n := bufferOf(t, client, literal.Scalar(int32(7)))
		got := make([]float32, 9)
		out := buffer(t, client, got, shape.Strided{Sizes: []int{2, 3}, Strides: []int{1, 3}})
		m, y := make([]int32, 1), make([]float32, 3)
		outs := []*xla.Buffer{out, buffer(t, client, m, shape.Strided{Sizes: []int{}}), buffer(t, client, y)}
		for range 2 {
			if err := exe.RunInto(t.Context(), outs, []*xla.Buffer{columns, fives, n}); err != nil {
				t.Fatal(err)
			}
		}
		if want := []float32{-5, -4, 0, 5, 6, 0, 15, 16, 0}; !slices.Equal(got, want) || m[0] != 7 || y[2] != 5 {
			t.Errorf("%s: got %v %v %v, want %v", backend.Name(), got, m, y, want)
		}
		list, err := exe.RunBuffers(t.Context(), []*xla.Buffer{columns, fives, n}, xla.Donate(0, 2))
		if err != nil {
			t.Fatal(err)
		}
		if text := fmt.Sprint(value(t, list[0])); !strings.Contains(text, "{ -5, 5, 15 }, { -4, 6, 16 }") {
			t.Errorf("%s: got %s", backend.Name(), text)
		}
		_, err = n.Literal()
		wantError(t, err, "was donated")
	}
}

// TestInPlace: a result may be where an argument is.
func TestInPlace(t *testing.T) {
	const text = "HloModule m\nENTRY e {\n  x = f32[4] parameter(0)\n  y = f32[4] reverse(x), dimensions={0}\n" +
		"  ROOT z = f32[4] subtract(y, x)\n}\n"
	client := newClient(t, xla.Options{})
	exe, err := client.Compile(t.Context(), parse(t, text))
	if err != nil {
		t.Fatal(err)
	}
	xs := []float32{1, 2, 3, 5}
	x := buffer(t, client, xs)
	for _, want := range [][]float32{{4, 1, -1, -4}, {-8, -2, 2, 8}} {
		if err := exe.RunInto(t.Context(), []*xla.Buffer{x}, []*xla.Buffer{x}); err != nil || !slices.Equal(xs, want) {
			t.Errorf("got %v, %v, want %v", xs, err, want)
		}
	}
	out, err := exe.RunBuffers(t.Context(), []*xla.Buffer{x}, xla.Donate(0))
	if err != nil {
		t.Fatal(err)
	}
	if got := literal.Values[float32](value(t, out[0])); &got[0] != &xs[0] || xs[0] != 16 {
		t.Errorf("got %v, want it in the memory of the argument", got)
	}
}

// TestBufferErrors: what is no view of its memory, or no argument of the program.
func TestBufferErrors(t *testing.T) {
	client := newClient(t, xla.Options{})
	four := make([]float32, 4)
	for want, make := range map[string]func() (*xla.Buffer, error){
		"expects a slice of numbers, got int": func() (*xla.Buffer, error) { return client.Buffer(3, shape.Strided{}) },
		"expects a slice of numbers, got [][]float32": func() (*xla.Buffer, error) {
			return client.Buffer([][]float32{four}, shape.Strided{})
		},
		"expects data of type s32, got []float32": func() (*xla.Buffer, error) {
			return client.Buffer(four, shape.Strided{Type: shape.S32})
		},
		"20": func() (*xla.Buffer, error) { return client.Buffer(four, shape.Strided{Sizes: []int{5}}) },
		"24": func() (*xla.Buffer, error) {
			return client.Buffer(four, shape.Strided{Sizes: []int{2, 2}, Strides: []int{4, 1}})
		},
		"BufferOf: expects an array": func() (*xla.Buffer, error) { return client.BufferOf(literal.MakeTuple()) },
		"NewBuffer: expects an array": func() (*xla.Buffer, error) {
			return client.NewBuffer(shape.MakeTuple())
		},
	} {
		_, err := make()
		wantError(t, err, want)
	}
	exe, err := client.Compile(t.Context(), parse(t, "HloModule m\nENTRY e {\n  x = f32[4] parameter(0)\n"+
		"  ROOT y = f32[4] negate(x)\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	x, wide := buffer(t, client, four), buffer(t, client, []float32{0}, shape.Strided{Sizes: []int{4}, Strides: []int{0}})
	list := func(b ...*xla.Buffer) []*xla.Buffer { return b }
	wantError(t, exe.RunInto(t.Context(), list(x), nil), "m has 1 arguments, as arrays, got 0")
	wantError(t, exe.RunInto(t.Context(), list(nil), list(x)), "result 0 of m: expects f32[4]")
	wantError(t, exe.RunInto(t.Context(), list(wide), list(x)), "a place for each element, got strides [0]")
	ints := buffer(t, client, []int32{1, 2, 3, 4})
	wantError(t, exe.RunInto(t.Context(), list(x), list(ints)), "expects f32[4], got s32[4]")
	_, err = exe.RunBuffers(t.Context(), list(x), xla.Donate(1))
	wantError(t, err, "Donate: expects an argument in [0, 1), got 1")
	two, err := client.Compile(t.Context(), parse(t, "HloModule m\nENTRY e {\n  x = f32[4] parameter(0)\n"+
		"  y = f32[4] parameter(1)\n  ROOT z = f32[4] add(x, y)\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = two.RunBuffers(t.Context(), list(x, x), xla.Donate(0, 1))
	wantError(t, err, "expects arrays apart from one another, got arguments 0 and 1 in one memory")
}

// TestClose: a closed executable runs no more.
func TestClose(t *testing.T) {
	client := newClient(t, xla.Options{Backend: xla.CPU()})
	exe, err := client.Compile(t.Context(), parse(t, entry("x = f32[4] parameter(0)\ny = f32[4] negate(x)")))
	if err != nil {
		t.Fatal(err)
	}
	run(t, exe, literal.Of([]float32{1, 2, 3, 4}))
	exe.Close()
	exe.Close()
	_, err = exe.Run(t.Context(), literal.Of([]float32{1, 2, 3, 4}))
	wantError(t, err, "m: the program was closed")
}

// TestCloseWhileRunning: runs in progress end well, with memory outside of the Go heap too; later ones fail.
func TestCloseWhileRunning(t *testing.T) {
	client := newClient(t, xla.Options{Backend: xla.CPU()})
	exe, err := client.Compile(t.Context(), parse(t, `HloModule m
less {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = pred[] compare(a, b), direction=LT
}
ENTRY e {
  x = f32[4,100000] parameter(0)
  s = f32[4,100000] sort(x), dimensions={0}, to_apply=less
  r = f32[4,100000] reverse(s), dimensions={1}
  ROOT y = f32[4,100000] add(s, r)
}`))
	if err != nil {
		t.Fatal(err)
	}
	if m := exe.Memory(); m.Temporary < 1<<20 || m.Peak != m.Temporary+m.Results || m.Arguments != 1_600_000 {
		t.Errorf("got %+v, want a temporary value", m)
	}
	x := literal.New(shape.Make(shape.F32, 4, 100_000))
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for range 5 {
				if _, err := exe.Run(t.Context(), x); err != nil {
					wantError(t, err, "the program was closed")
				}
			}
		})
	}
	exe.Close()
	wg.Wait()
	_, err = exe.Run(t.Context(), x)
	wantError(t, err, "the program was closed")
}

// A training step that updates its parameters in their place.
func ExampleExecutable_RunInto() {
	const text = `HloModule step

ENTRY e {
  weights = f32[3] parameter(0)
  gradient = f32[3] parameter(1)
  rate = f32[] constant(0.5)
  rates = f32[3] broadcast(rate), dimensions={}
  change = f32[3] multiply(gradient, rates)
  ROOT new = f32[3] subtract(weights, change)
}
`
	ctx := context.Background()
	client, err := xla.NewClient(xla.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	prog, err := xla.Parse("step.hlo", []byte(text))
	if err != nil {
		fmt.Println(err)
		return
	}
	exe, err := client.Compile(ctx, prog)
	if err != nil {
		fmt.Println(err)
		return
	}
	weights, gradient := []float32{1, 2, 3}, []float32{0, 2, 0, 4, 0, 6}
	w, err := client.Buffer(weights, shape.Strided{})
	if err != nil {
		fmt.Println(err)
		return
	}
	g, err := client.Buffer(gradient[1:], shape.Strided{Sizes: []int{3}, Strides: []int{2}}) // every other one
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 3 {
		if err := exe.RunInto(ctx, []*xla.Buffer{w}, []*xla.Buffer{w, g}); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(weights)
	// Output: [-2 -4 -6]
}
