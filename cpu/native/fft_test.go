package native_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu/native"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
)

// fftText returns a module with a transform of arrays of the given dimensions, of real numbers on the side that has
// them.
func fftText(kind string, double bool, dims []int, rank int) string {
	join := func(dims []int) string { return strings.Trim(strings.ReplaceAll(fmt.Sprint(dims), " ", ","), "[]") }
	last := len(dims) - 1
	half := append(append([]int{}, dims[:last]...), dims[last]/2+1)
	real, complex := "f32", "c64"
	if double {
		real, complex = "f64", "c128"
	}
	in, out := fmt.Sprintf("%s[%s]", complex, join(dims)), fmt.Sprintf("%s[%s]", complex, join(dims))
	switch kind {
	case "RFFT":
		in, out = fmt.Sprintf("%s[%s]", real, join(dims)), fmt.Sprintf("%s[%s]", complex, join(half))
	case "IRFFT":
		in, out = fmt.Sprintf("%s[%s]", complex, join(half)), fmt.Sprintf("%s[%s]", real, join(dims))
	}
	return fmt.Sprintf("HloModule m\n\nENTRY e {\n  p = %s parameter(0)\n"+
		"  ROOT r = %s fft(p), fft_type=%s, fft_length={%s}\n}\n",
		in, out, kind, join(dims[len(dims)-rank:]))
}

// checkNorm checks that the norm of the difference from what the evaluator gives is at most tol times the norm, for
// each function of i: that which runs loop nests, with numbers as they are, may have a tolerance of its own.
func checkNorm(t *testing.T, i *hlo.Instruction, args []literal.Literal, tol ...float64) {
	t.Helper()
	want := evaluate(t, i, args)
	for n, f := range functions(t, i) {
		one, three := computeBy(t, i, f, args, 1), computeBy(t, i, f, args, 3)
		for k := range want {
			if d := distance(one[k], want[k]); !(d <= tol[min(n, len(tol)-1)]) {
				t.Fatalf("function %d, result %d: expected an error of at most %g, got %g", n, k, tol, d)
			}
			if string(one[k].Bytes()) != string(three[k].Bytes()) {
				t.Fatalf("function %d, result %d: three threads give other bits than one", n, k)
			}
		}
	}
}

// distance is the norm of the difference in terms of the norm of want.
func distance(got, want literal.Literal) float64 {
	diff, norm := 0.0, 0.0
	for j := range want.Len() {
		x, y := want.ComplexAt(j), got.ComplexAt(j)
		if isNaN(x) && isNaN(y) {
			continue
		}
		diff += real(x-y)*real(x-y) + imag(x-y)*imag(x-y)
		norm += real(x)*real(x) + imag(x)*imag(x)
	}
	if diff == 0 {
		return 0
	}
	return math.Sqrt(diff / norm)
}

func isNaN(x complex128) bool { return math.IsNaN(real(x)) || math.IsNaN(imag(x)) }

func TestFFT(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	type form struct {
		dims []int
		rank int
	}
	forms := []form{{[]int{5, 60}, 1}, {[]int{12, 15}, 2}, {[]int{3, 37, 41}, 2}, {[]int{2, 9, 8, 10}, 3},
		{[]int{4, 6, 7}, 3}, {[]int{37, 2}, 1}, {[]int{70, 3}, 1}, {[]int{5, 9, 3}, 2}, {[]int{5, 8, 2}, 2},
		{[]int{40, 1}, 2}, {[]int{1, 1, 1}, 3}, {[]int{3, 1009}, 1}, {[]int{128, 256}, 2}, {[]int{2, 20000}, 1},
		{[]int{9, 129}, 1}, {[]int{5, 67}, 1}, {[]int{19, 331}, 1}, {[]int{4, 201}, 1}, {[]int{5, 6, 71}, 2},
		{[]int{9, 134}, 1}, {[]int{268, 5}, 2}, {[]int{3, 201, 4}, 2}, {[]int{17956}, 1},
		{[]int{5, 183}, 1}, {[]int{4, 43 * 43}, 1}, {[]int{9, 99}, 1},
		{[]int{4, 5, 27}, 2}, {[]int{20001}, 1},
		{[]int{300, 12}, 1}, {[]int{67, 72}, 1}, {[]int{33, 40}, 2}, {[]int{64, 16, 32}, 3}, {[]int{2, 24, 8, 48}, 3},
		{[]int{17 * 1024}, 1}, {[]int{16411}, 1}, {[]int{30000}, 1}, {[]int{150000}, 1},
		{[]int{96}, 1}, {[]int{127}, 1}, {[]int{256}, 1}, {[]int{2, 250}, 1}, {[]int{3, 169}, 1}, {[]int{3, 192}, 1}}
	for n := 1; n <= 70; n++ {
		forms = append(forms, form{[]int{2, n}, 1})
	}
	for _, kind := range []string{"FFT", "IFFT", "RFFT", "IRFFT"} {
		for _, f := range forms {
			for _, double := range []bool{false, true} {
				i := parse(t, fftText(kind, double, f.dims, f.rank))
				tol, inPlace := 1e-7, 5e-7 // what rounding to float32 makes, once or at each step
				if double {
					tol, inPlace = 2e-15, 2e-15
				}
				t.Run(fmt.Sprintf("%s_%v_%d_%v", kind, f.dims, f.rank, double), func(t *testing.T) {
					checkNorm(t, i, randomArgs(r, i, numbers), tol, inPlace)
				})
			}
		}
	}
}

func BenchmarkFFT(b *testing.B) {
	for _, s := range []struct {
		kind   string
		double bool
		dims   []int
		rank   int
	}{{"FFT", false, []int{1 << 20}, 1}, {"FFT", true, []int{1 << 20}, 1}, {"FFT", false, []int{1024, 1024}, 1},
		{"RFFT", false, []int{1024, 1024}, 1}, {"IRFFT", false, []int{1024, 1024}, 1},
		{"FFT", false, []int{1024, 1024}, 2}, {"FFT", false, []int{1000, 1000}, 1},
		{"FFT", false, []int{100, 10007}, 1}} {
		b.Run(fmt.Sprintf("%s_%v_%d_%v", s.kind, s.dims, s.rank, s.double), func(b *testing.B) {
			benchmark(b, fftText(s.kind, s.double, s.dims, s.rank), numbers)
		})
	}
}

// TestSharedStages: the stages in the middle of columns and of rows are one kernel, here those of radix 8 at stride 8.
func TestSharedStages(t *testing.T) {
	i := parse(t, fftText("FFT", false, []int{1 << 16}, 1))
	names := ""
	for _, n := range native.For(i, false).Nests {
		names += n.Name + " "
	}
	want := "fft.radix8 fft.radix8 fft.radix4 fft.turn fft.radix8 fft.radix4 "
	if names != want {
		t.Errorf("expected the nests %s, got %s", want, names)
	}
}
