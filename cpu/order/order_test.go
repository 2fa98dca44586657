package order

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/goxla/xla/cpu/exec"
)

// kinds of arrays to sort.
var kinds = map[string]func(r *rand.Rand, i, n int) uint64{
	"random":   func(r *rand.Rand, i, n int) uint64 { return r.Uint64() },
	"sorted":   func(r *rand.Rand, i, n int) uint64 { return uint64(i) },
	"reversed": func(r *rand.Rand, i, n int) uint64 { return uint64(n - i) },
	"few":      func(r *rand.Rand, i, n int) uint64 { return uint64(r.IntN(3)) - 1 },
	"equal":    func(r *rand.Rand, i, n int) uint64 { return 7 },
	"largest": func(r *rand.Rand, i, n int) uint64 {
		if r.IntN(4) > 0 {
			return math.MaxInt32<<32 | math.MaxInt32
		}
		return 1<<63 | 1<<31
	},
	"organ":    func(r *rand.Rand, i, n int) uint64 { return uint64(min(i, n-i)) },
	"sawtooth": func(r *rand.Rand, i, n int) uint64 { return uint64(i % 100) },
}

func testSort[T Word](t *testing.T, c *Code, pool *exec.Pool) {
	r := rand.New(rand.NewPCG(1, 2))
	var lengths []int
	for n := range 300 {
		lengths = append(lengths, n)
	}
	for range 50 {
		lengths = append(lengths, r.IntN(5000))
	}
	for name, f := range kinds {
		lengths := append(lengths, 70000+r.IntN(1000))
		if name == "random" || name == "few" {
			lengths = append(lengths, 1<<19+12345, 1<<20)
		}
		for _, n := range lengths {
			a := make([]T, n+2)
			for i := range a {
				a[i] = T(f(r, i, n))
			}
			want := slices.Clone(a)
			some := slices.Clone(a)
			slices.Sort(want[1 : n+1])
			Sort(c, Crew{Pool: pool}, a[1:n+1], Map{}, All(n))
			checkSpan(t, fmt.Sprintf("%s, %d elements", name, n), some, want, r, func(a []T, u Span) {
				Sort(c, Crew{Pool: pool}, a, Map{}, u)
			})
			if !slices.Equal(a, want) {
				for i := range a {
					if a[i] != want[i] {
						t.Fatalf("%s, %d elements: element %d: expected %d, got %d", name, n, i-1, want[i], a[i])
					}
				}
			}
		}
	}
}

// checkSpan sorts some, but for its ends, for a few of its elements, which must then be those of want.
func checkSpan[T Word](t *testing.T, name string, some, want []T, r *rand.Rand, sort func([]T, Span)) {
	t.Helper()
	n := len(some) - 2
	if n == 0 {
		return
	}
	lo := []int{0, n / 2, n - 1, r.IntN(n)}[r.IntN(4)]
	u := Span{lo, min(n, lo+1+r.IntN(1+n/(1+r.IntN(20))))}
	sort(some[1:n+1], u)
	if got, want := some[1+u.Lo:1+u.Hi], want[1+u.Lo:1+u.Hi]; !slices.Equal(got, want) {
		t.Fatalf("%s for %v: expected %v, got %v", name, u, want, got)
	}
	slices.Sort(some[1 : n+1])
	if !slices.Equal(some, want) {
		t.Fatalf("%s for %v: expected all elements", name, u)
	}
}

func TestSort(t *testing.T) {
	for _, tier := range tiers(t) {
		c, err := New(tier, Sort32|Sort64)
		if err != nil {
			t.Fatal(err)
		}
		pool := exec.NewPool(3)
		defer pool.Close()
		for _, p := range []*exec.Pool{nil, pool} {
			t.Run(fmt.Sprintf("%v_32_%v", tier, p != nil), func(t *testing.T) { testSort[int32](t, c, p) })
			t.Run(fmt.Sprintf("%v_64_%v", tier, p != nil), func(t *testing.T) { testSort[int64](t, c, p) })
		}
	}
}
