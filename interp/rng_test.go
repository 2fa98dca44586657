package interp_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

func random(t *testing.T, distribution, typ, a, b string, n int, opts interp.Options) literal.Literal {
	t.Helper()
	v, err := evaluate(t, fmt.Sprintf(`HloModule m
ENTRY e {
  a = %[1]s[] constant(%[2]s)
  b = %[1]s[] constant(%[3]s)
  ROOT r = %[1]s[%[4]d] rng(a, b), distribution=rng_%[5]s
}`, typ, a, b, n, distribution), opts)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestRandomStart: the numbers depend on seed and device, and on nothing else.
func TestRandomStart(t *testing.T) {
	draw := func(opts interp.Options) string { return random(t, "uniform", "f64", "0", "1", 8, opts).String() }
	seen := map[string]string{}
	for name, opts := range map[string]interp.Options{
		"seed 0": {}, "seed 1": {Seed: 1},
		"replica 1":   {Device: interp.Device{Replica: 1, Replicas: 2}},
		"partition 1": {Device: interp.Device{Partition: 1, Partitions: 2}},
	} {
		first := draw(opts)
		if again := draw(opts); again != first {
			t.Errorf("%s: expected the same numbers twice, got %s and %s", name, first, again)
		}
		if other, ok := seen[first]; ok {
			t.Errorf("%s and %s give the same numbers", name, other)
		}
		seen[first] = name
	}
}

// TestUniformRange: numbers of every type lie in [a, b), near both ends too.
func TestUniformRange(t *testing.T) {
	for _, typ := range strings.Fields("f64 f32 f16 bf16 f8e4m3fn f8e5m2 f8e3m4 f8e4m3b11fnuz f4e2m1fn s4 u4 s8 u8 s16 " +
		"u16 s32 u32 s64 u64") {
		for _, r := range [][2]string{{"1", "3"}, {"2", "3"}, {"0", "1"}} {
			v := random(t, "uniform", typ, r[0], r[1], 2000, interp.Options{})
			a, b := v.Type(), 0.0
			low, high := math.Inf(1), math.Inf(-1)
			fmt.Sscan(r[1], &b)
			for i := range v.Len() {
				low, high = min(low, v.FloatAt(i)), max(high, v.FloatAt(i))
			}
			var start float64
			fmt.Sscan(r[0], &start)
			if low < start || high >= b {
				t.Errorf("%v in [%s, %s): got numbers from %v to %v", a, r[0], r[1], low, high)
			}
			if a.IsFloat() && b-start == 2 && low > start+0.5 {
				t.Errorf("%v in [%s, %s): the least number is %v", a, r[0], r[1], low)
			}
		}
	}
}

// TestWholeRange: a range of 2^63 and more does not overflow.
func TestWholeRange(t *testing.T) {
	for _, c := range [][3]string{
		{"s64", "-9223372036854775808", "9223372036854775807"}, {"u64", "0", "18446744073709551615"},
	} {
		v := random(t, "uniform", c[0], c[1], c[2], 200, interp.Options{})
		high := 0
		for i := range v.Len() {
			if v.BitsAt(i)>>63 == 1 {
				high++
			}
		}
		if high < 70 || high > 130 {
			t.Errorf("%s: %d of 200 numbers have the highest bit", c[0], high)
		}
	}
}

// TestNormalMoments: mean and deviation of many normal numbers.
func TestNormalMoments(t *testing.T) {
	for _, typ := range []string{"f64", "f32", "bf16"} {
		const n = 20001
		v := random(t, "normal", typ, "3", "2", n, interp.Options{Seed: 5})
		sum, squares := 0.0, 0.0
		for i := range n {
			sum += v.FloatAt(i)
			squares += v.FloatAt(i) * v.FloatAt(i)
		}
		mean := sum / n
		if deviation := math.Sqrt(squares/n - mean*mean); math.Abs(mean-3) > 0.06 || math.Abs(deviation-2) > 0.05 {
			t.Errorf("%s: expected mean 3 and deviation 2, got %v and %v", typ, mean, deviation)
		}
	}
}

// TestUnsignedBits: bits that are the result of the program are unsigned, others are as declared.
func TestUnsignedBits(t *testing.T) {
	text := `HloModule m
ENTRY e {
  s = u64[2] constant({1, 2})
  a = (u64[2], s16[4]) rng-bit-generator(s), algorithm=rng_three_fry
  ROOT r = s16[4] get-tuple-element(a), index=1
}`
	got, err := evaluate(t, text, interp.Options{})
	if err != nil || got.Type() != shape.S16 {
		t.Errorf("expected s16[4], got %v, %v", got, err)
	}
}
