package xla_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/internal/racetest"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// threadedPrograms are large enough for several threads; each takes f32[512,384].
var threadedPrograms = map[string]string{
	"elementwise": "y = f32[512,384] tanh(x)\nROOT z = f32[512,384] multiply(y, x)",
	"rows":        "z = f32[] constant(0)\nROOT s = f32[512] reduce(x, z), dimensions={1}, to_apply=add",
	"columns":     "z = f32[] constant(0)\nROOT s = f32[384] reduce(x, z), dimensions={0}, to_apply=add",
	"all":         "z = f32[] constant(0)\nROOT s = f32[] reduce(x, z), dimensions={0,1}, to_apply=add",
	"transpose":   "ROOT y = f32[384,512] transpose(x), dimensions={1,0}",
	"product":     "ROOT y = f32[384,384] dot(x, x), lhs_contracting_dims={0}, rhs_contracting_dims={0}",
	"softmax": "z = f32[] constant(0)\ne = f32[512,384] exponential(x)\n" +
		"s = f32[512] reduce(e, z), dimensions={1}, to_apply=add\n" +
		"b = f32[512,384] broadcast(s), dimensions={0}\nROOT y = f32[512,384] divide(e, b)",
	"sort": "ROOT y = f32[512,384] sort(x), dimensions={1}, to_apply=less",
	"random": "n = u64[2] constant({1, 2})\nr = (u64[2], u32[70000]) rng-bit-generator(n), algorithm=rng_philox\n" +
		"ROOT y = u32[70000] get-tuple-element(r), index=1",
}

// TestThreads: results have the same bits for any number of threads.
func TestThreads(t *testing.T) {
	const reducers = "HloModule m\n" +
		"add {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT s = f32[] add(a, b)\n}\n" +
		"less {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT s = pred[] compare(a, b), direction=LT\n}\n"
	rng := rand.New(rand.NewPCG(1, 2))
	xs := make([]float32, 512*384)
	for i := range xs {
		xs[i] = float32(rng.NormFloat64())
	}
	x, err := literal.FromSlice(shape.Make(shape.F32, 512, 384), xs)
	if err != nil {
		t.Fatal(err)
	}
	first := map[string][]literal.Literal{}
	for _, threads := range racetest.Threads(1, 2, 4, 8) {
		client := newClient(t, xla.Options{Backend: xla.CPU(), Threads: threads})
		check := func(name string, p xla.Source, args ...literal.Literal) {
			exe, err := client.Compile(t.Context(), p)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got, err := exe.RunWith(t.Context(), args, xla.WithHost(nil))
			if err != nil {
				return // a host that random modules wait for
			}
			if first[name] == nil {
				first[name] = got
			}
			for k, want := range first[name] {
				if err := literal.Compare(got[k], want, literal.ULP(0)); err != nil {
					t.Errorf("%s on %d threads: result %d is not that of one: %v", name, threads, k, err)
				}
			}
		}
		for name, text := range threadedPrograms {
			check(name, parse(t, reducers+"ENTRY e {\n  x = f32[512,384] parameter(0)\n"+text+"\n}"), x)
		}
		for seed := range uint64(60) {
			m, args := hlotest.FromSeed(seed)
			check(fmt.Sprint("seed ", seed), m, args...)
		}
	}
}

// TestConcurrentInto: runs of one executable at the same time do not meet.
func TestConcurrentInto(t *testing.T) {
	client := newClient(t, xla.Options{Backend: xla.CPU(), Threads: 4})
	exe, err := client.Compile(t.Context(), parse(t, `HloModule m
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY e {
  x = f32[64,4096] parameter(0)
  z = f32[] constant(0)
  e = f32[64,4096] exponential(x)
  s = f32[64] reduce(e, z), dimensions={1}, to_apply=add
  r = f32[64,4096] reverse(e), dimensions={1}
  b = f32[64,4096] broadcast(s), dimensions={0}
  ROOT y = f32[64,4096] divide(r, b)
}`))
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for k := range 6 {
		wg.Go(func() {
			l := literal.New(shape.Make(shape.F32, 64, 4096))
			for i := range l.Len() {
				l.SetFloat(i, float64((i*7+k)%5))
			}
			want, err := exe.Run(t.Context(), l)
			if err != nil {
				t.Error(err)
				return
			}
			args := []*xla.Buffer{bufferOf(t, client, l)}
			outs := []*xla.Buffer{bufferOf(t, client, literal.New(l.Shape()))}
			for range 20 {
				if err := exe.RunInto(t.Context(), outs, args); err != nil {
					t.Error(err)
					return
				}
				if !literal.Equal(value(t, outs[0]), want[0]) {
					t.Errorf("run %d: another result", k)
				}
			}
		})
	}
	wg.Wait()
}
