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
	"github.com/goxla/xla/literal"
)

// convText makes a random convolution with dimensions in any order.
func convText(r *rand.Rand, lhs, rhs, result string) string {
	spatial := 1 + r.IntN(3)
	groups, batchGroups := 1, 1
	switch r.IntN(5) {
	case 0:
		groups = 1 + r.IntN(3)
	case 1:
		batchGroups = 1 + r.IntN(2)
	}
	features := 8 + r.IntN(36)
	if r.IntN(5) == 0 {
		features = 1 + r.IntN(7)
	}
	batch, in, out := batchGroups*(1+r.IntN(3)), 4+r.IntN(20), groups*batchGroups*features
	x, k, y := []int{batch, in * groups}, []int{in, out}, []int{batch / batchGroups, out}
	var window [6][]string
	for range spatial {
		var w window1
		for w.places() < 1 {
			w = someWindow(r, 6+24/(spatial*spatial*spatial))
		}
		x, k, y = append(x, w.in), append(k, w.size), append(y, w.places())
		for n, s := range w.text() {
			window[n] = append(window[n], s)
		}
	}
	var labels [3]string
	for n, roles := range []string{"bf012", "io012", "bf012"} {
		dims := []*[]int{&x, &k, &y}[n]
		labels[n] = shuffled(r, roles[:2+spatial], dims)
	}
	var attrs []string
	for n, name := range []string{"size", "stride", "pad", "lhs_dilate", "rhs_dilate", "rhs_reversal"} {
		attrs = append(attrs, name+"="+strings.Join(window[n], "x"))
	}
	return fmt.Sprintf("HloModule c\n\nENTRY e {\n  x = %s[%s] parameter(0)\n  k = %s[%s] parameter(1)\n"+
		"  ROOT y = %s[%s] convolution(x, k), window={%s}, dim_labels=%s_%s->%s, feature_group_count=%d, "+
		"batch_group_count=%d\n}\n", lhs, list(x), rhs, list(k), result, list(y), strings.Join(attrs, " "), labels[0],
		labels[1], labels[2], groups, batchGroups)
}

// shuffled puts dims, which have the roles in labels, into random order, and returns the labels in that order.
func shuffled(r *rand.Rand, labels string, dims *[]int) string {
	var moved []int
	var out strings.Builder
	perm := r.Perm(len(labels))
	if r.IntN(2) == 0 { // the order of most programs
		perm = append(identityFrom(2, len(labels)), 1)
		perm = slices.Insert(perm, r.IntN(2)*len(labels[2:]), 0)
	}
	for _, d := range perm {
		moved = append(moved, (*dims)[d])
		out.WriteByte(labels[d])
	}
	*dims = moved
	return out.String()
}

func identityFrom(from, to int) (list []int) {
	for d := from; d < to; d++ {
		list = append(list, d)
	}
	return list
}

// window1 is a window in one dimension and the size of the input in it.
type window1 struct {
	in, size, stride, low, high, holes, dilation int
	reversed                                     bool
}

func someWindow(r *rand.Rand, most int) window1 {
	w := window1{in: 1 + r.IntN(most), size: 1 + r.IntN(4), stride: 1, low: r.IntN(3), high: r.IntN(3), holes: 1,
		dilation: 1, reversed: r.IntN(4) == 0}
	switch r.IntN(6) {
	case 0:
		w.holes = 1 + r.IntN(3)
	case 1:
		w.dilation = 1 + r.IntN(3)
	case 2:
		w.stride = 1 + r.IntN(3)
	case 3:
		w.low, w.high = r.IntN(6)-3, r.IntN(6)-3
	case 4:
		w.stride, w.holes, w.dilation = 1+r.IntN(3), 1+r.IntN(3), 1+r.IntN(3)
	}
	return w
}

// places is the number of places of the window.
func (w window1) places() int {
	if w.stride == 0 {
		return 0
	}
	room := w.low + w.high + (w.in-1)*w.holes + 1 - ((w.size-1)*w.dilation + 1)
	if room < 0 {
		return 0
	}
	return room/w.stride + 1
}

func (w window1) text() [6]string {
	reversed := 0
	if w.reversed {
		reversed = 1
	}
	return [6]string{fmt.Sprint(w.size), fmt.Sprint(w.stride), fmt.Sprintf("%d_%d", w.low, w.high), fmt.Sprint(w.holes),
		fmt.Sprint(w.dilation), fmt.Sprint(reversed)}
}

// TestConvolutions compares random convolutions with the evaluator.
func TestConvolutions(t *testing.T) {
	pool := exec.NewPool(2)
	defer pool.Close()
	used := 0
	for n := range 400 {
		r := rand.New(rand.NewPCG(uint64(n), 4))
		ty := dotTypes[[]int{0, 0, 0, 1, 2, 3, 4, 5, 6, 7}[n%10]]
		text := convText(r, ty.lhs, ty.rhs, ty.result)
		prog, err := xla.Parse("conv.hlo", []byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		m := prog.Module()
		p, err := cpu.Compile(t.Context(), m, cpu.Options{Pool: pool, NoPasses: n%2 == 0})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if strings.Contains(p.Plan().String(), "gemm") {
			used++
		}
		compareDot(t, r, m, p, ty.eps)
	}
	if used < 100 {
		t.Errorf("expected at least 100 convolutions as products, got %d", used)
	}
}

// TestConvolutionThreads: convolutions have the same bits for any number of threads.
func TestConvolutionThreads(t *testing.T) {
	for n := range 60 {
		r := rand.New(rand.NewPCG(uint64(n), 9))
		text := convText(r, "f32", "f32", "f32")
		if n%2 > 0 {
			text = depthwiseText(r)
		}
		prog, err := xla.Parse("conv.hlo", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var first []byte
		for _, threads := range racetest.Threads(1, 2, 5) {
			pool := exec.NewPool(threads)
			p, err := cpu.Compile(t.Context(), prog.Module(), cpu.Options{Pool: pool})
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(uint64(n), 10))
			var args []literal.Literal
			for _, q := range prog.Module().Entry().Params() {
				args = append(args, someOf(r, q.Shape()))
			}
			got, err := p.Run(t.Context(), args, nil)
			pool.Close()
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = got.Bytes()
			}
			if !slices.Equal(first, got.Bytes()) {
				t.Fatalf("other bits by %d threads:\n%s", threads, text)
			}
		}
	}
}

// depthwiseText makes a random convolution of one input feature a group, or its gradient for the kernel, large enough
// to be padded in front.
func depthwiseText(r *rand.Rand) string {
	features, each, spatial := 1+r.IntN(40), 1+r.IntN(2)*r.IntN(3), 1+r.IntN(2)
	groups := fmt.Sprintf("feature_group_count=%d", features)
	x, k, y := []int{1 + r.IntN(3), features}, []int{1, features * each}, []int{0, features * each}
	y[0] = x[0]
	labels := [3]string{"bf012", "io012", "bf012"}
	gradient := r.IntN(4) == 0
	if gradient { // the batch is what is summed, the kernel is as large as the input
		each = 1
		k[0], k[1], y[0], y[1] = x[0], features, 1, features
		groups = fmt.Sprintf("batch_group_count=%d", features)
		x[0], x[1] = features, k[0]
	}
	var window [6][]string
	for range spatial {
		var w window1
		for w.places() < 1 {
			w = someWindow(r, 20+100/(spatial*spatial))
			if w.size += 4 + r.IntN(8); gradient {
				w.size, w.stride, w.dilation = w.in, 1, 1
			}
		}
		x, k, y = append(x, w.in), append(k, w.size), append(y, w.places())
		for n, s := range w.text() {
			window[n] = append(window[n], s)
		}
	}
	for n, dims := range []*[]int{&x, &k, &y} {
		labels[n] = shuffled(r, labels[n][:2+spatial], dims)
	}
	var attrs []string
	for n, name := range []string{"size", "stride", "pad", "lhs_dilate", "rhs_dilate", "rhs_reversal"} {
		attrs = append(attrs, name+"="+strings.Join(window[n], "x"))
	}
	return fmt.Sprintf("HloModule c\n\nENTRY e {\n  x = f32[%s] parameter(0)\n  k = f32[%s] parameter(1)\n"+
		"  ROOT y = f32[%s] convolution(x, k), window={%s}, dim_labels=%s_%s->%s, %s\n}\n", list(x), list(k), list(y),
		strings.Join(attrs, " "), labels[0], labels[1], labels[2], groups)
}

// TestDepthwise compares random convolutions of one feature a group with the evaluator, on every tier.
func TestDepthwise(t *testing.T) {
	pool := exec.NewPool(2)
	defer pool.Close()
	for _, tier := range tiers {
		t.Setenv(exec.TierEnv, tier)
		padded, near, programs := 0, 0, 100
		if testing.Short() {
			programs = 50
		}
		for n := range programs {
			r := rand.New(rand.NewPCG(uint64(n), 14))
			text := depthwiseText(r)
			prog, err := xla.Parse("conv.hlo", []byte(text))
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			p, err := cpu.Compile(t.Context(), prog.Module(), cpu.Options{Pool: pool, NoPasses: n%2 == 0})
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			if strings.Contains(p.Plan().String(), "kernel pad") {
				padded++
			}
			if strings.Contains(p.Plan().Text(true), "scratch") {
				near++
			}
			compareDot(t, r, prog.Module(), p, dotTypes[0].eps)
		}
		if few := programs / 20; padded < few || near < few {
			t.Errorf("%s: expected at least %d convolutions padded in front and as many whose input is brought near, "+
				"got %d and %d", tier, few, padded, near)
		}
	}
}
