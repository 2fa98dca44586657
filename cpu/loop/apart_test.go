package loop

import (
	"math/rand/v2"
	"testing"
)

// blockOf is a nest that stores to some rows and columns of an array whose rows have 16 elements.
func blockOf(from, rows, columns int64) *Nest {
	b := NewBuilder("block")
	x := b.Buffer(Buffer{Name: "x", Bytes: 4 * 16 * 64, Write: true})
	b.Each(Spec{Extent: rows, Parallel: true}, func(i int) {
		b.Each(Spec{Extent: columns, Parallel: true}, func(j int) {
			v := b.Load(Access{Buffer: x, Offset: from, Terms: []Term{{i, 16}, {j, 1}}, Mem: MemF32}, 0)
			b.Store(Access{Buffer: x, Offset: from, Terms: []Term{{i, 16}, {j, 1}}, Mem: MemF32}, v, 0)
		})
	})
	return b.Nest()
}

// TestApart: which blocks of an array have surely no element in common.
func TestApart(t *testing.T) {
	inside := blockOf(17, 7, 14)
	for _, c := range []struct {
		name string
		a, b *Nest
		want bool
	}{
		{"inside and first row", inside, blockOf(0, 1, 16), true},
		{"inside and last row", inside, blockOf(128, 1, 16), true},
		{"inside and first column", inside, blockOf(16, 7, 1), true},
		{"inside and last column", inside, blockOf(31, 7, 1), true},
		{"columns", blockOf(0, 9, 3), blockOf(3, 9, 13), true},
		{"columns with one in common", blockOf(0, 9, 4), blockOf(3, 9, 13), false},
		{"columns over the end of a row", blockOf(14, 8, 3), blockOf(0, 9, 4), false},
		{"the same", inside, inside, false},
		{"rows and a column", blockOf(0, 4, 16), blockOf(48, 1, 1), false},
	} {
		if got := c.a.Apart(0, c.b, 0); got != c.want {
			t.Errorf("%s: expected %v, got %v", c.name, c.want, got)
		}
		if got := c.b.Apart(0, c.a, 0); got != c.want {
			t.Errorf("%s, the other way round: expected %v, got %v", c.name, c.want, got)
		}
	}
	index := blockOf(0, 1, 1)
	index.Accesses[0].Index = 1
	if index.Apart(0, inside, 0) || inside.Apart(0, index, 0) {
		t.Error("what is touched at an index counts as known")
	}
}

// TestApartOfAll: blocks that have an element in common are never apart.
func TestApartOfAll(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	apart := 0
	for range 3000 {
		var seen [2]map[int64]bool
		var nests [2]*Nest
		for k := range nests {
			from, rows, columns := r.Int64N(60), 1+r.Int64N(6), 1+r.Int64N(20)
			nests[k], seen[k] = blockOf(from, rows, columns), map[int64]bool{}
			for i := range rows {
				for j := range columns {
					seen[k][from+16*i+j] = true
				}
			}
		}
		meet := false
		for at := range seen[0] {
			meet = meet || seen[1][at]
		}
		if got := nests[0].Apart(0, nests[1], 0); got && meet {
			t.Fatalf("expected them not to be apart:\n%v\n%v", nests[0], nests[1])
		} else if got {
			apart++
		}
	}
	if apart == 0 {
		t.Error("none are apart")
	}
}
