package order

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/goxla/xla/cpu/exec"
)

// tiers are the tiers of machine code of this machine.
func tiers(t testing.TB) (list []exec.Tier) {
	top, err := exec.HostTier("")
	if err != nil {
		t.Fatal(err)
	}
	for _, tier := range []exec.Tier{exec.AVX2, exec.AVX512} {
		if tier <= top {
			list = append(list, tier)
		}
	}
	return list
}

func benchmarkSort[T Word](b *testing.B, tier exec.Tier, threads, n int) {
	c, err := New(tier, Sort32|Sort64)
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	src, a := make([]T, n), make([]T, n)
	for i := range src {
		src[i] = T(r.Uint64())
	}
	pool := exec.NewPool(threads)
	defer pool.Close()
	b.SetBytes(int64(n * sizeOf[T]()))
	for b.Loop() {
		Images(c, a, src, Map{}, Marks{})
		if threads == 1 {
			Sort(c, Crew{}, a, Map{Negative: 1}, All(n))
		} else {
			Sort(c, Crew{Pool: pool}, a, Map{Negative: 1}, All(n))
		}
	}
	if !slices.IsSorted(a[:1]) {
		b.Fatal("not sorted")
	}
}

func BenchmarkSort(b *testing.B) {
	for _, tier := range tiers(b) {
		for _, threads := range []int{1, 2} {
			for _, n := range []int{100, 1000, 10000, 1 << 20} {
				for bits, sort := range map[int]func(*testing.B, exec.Tier, int, int){
					32: benchmarkSort[int32], 64: benchmarkSort[int64]} {
					name := fmt.Sprintf("%v_%d_%d_%d", tier, bits, threads, n)
					b.Run(name, func(b *testing.B) { sort(b, tier, threads, n) })
				}
			}
		}
	}
}
