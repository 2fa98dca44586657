package order

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func benchmarkParts[T Word](b *testing.B, c *Code, name string) {
	r := rand.New(rand.NewPCG(1, 2))
	src := make([]T, 1<<16)
	for i := range src {
		src[i] = T(r.Uint64())
	}
	a := make([]T, len(src))
	for _, n := range []int{c.most(sizeOf[T]()) + 5, 1 << 10, 1 << 16} {
		b.Run(fmt.Sprintf("%s_partition_%d", name, n), func(b *testing.B) {
			b.SetBytes(int64(n))
			for b.Loop() {
				for at := 0; at+n <= len(src); at += n {
					copy(a[at:at+n], src[at:])
					splitPart(c, a[at:at+n], 0)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(src)/n*n), "ns/element")
		})
	}
	for n := c.most(sizeOf[T]()); n >= 4; n /= 2 {
		b.Run(fmt.Sprintf("%s_network_%d", name, n), func(b *testing.B) {
			copy(a, src)
			for b.Loop() {
				for at := 0; at+n <= len(src); at += n {
					sortRows(c, a[at:at+n], n)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(src)/n*n), "ns/element")
		})
	}
	b.Run(name+"_copy", func(b *testing.B) {
		for b.Loop() {
			copy(a, src)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(src)), "ns/element")
	})
	b.Run(name+"_pivot", func(b *testing.B) {
		for b.Loop() {
			for at := 0; at+512 <= len(src); at += 512 {
				choosePivot(c, src[at:at+512], All(512))
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(src)/512), "ns/pivot")
	})
}

func BenchmarkParts(b *testing.B) {
	for _, tier := range tiers(b) {
		c, err := New(tier, Sort32|Sort64)
		if err != nil {
			b.Skip(err)
		}
		benchmarkParts[int32](b, c, fmt.Sprintf("%v_32", tier))
		benchmarkParts[int64](b, c, fmt.Sprintf("%v_64", tier))
	}
}
