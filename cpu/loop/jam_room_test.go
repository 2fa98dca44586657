package loop

import "testing"

// TestJamRoom: what is jammed finds room for its instructions and accesses at once.
func TestJamRoom(t *testing.T) {
	b := NewBuilder("window")
	x := b.Buffer(Buffer{Name: "x", Bytes: 4 * 39 * 16})
	k := b.Buffer(Buffer{Name: "k", Bytes: 4 * 32 * 16})
	z := b.Buffer(Buffer{Name: "z", Bytes: 4 * 8 * 16, Write: true})
	b.Each(Spec{Extent: 8, Parallel: true}, func(m int) {
		b.Each(Spec{Extent: 16, Parallel: true, Lanes: true}, func(n int) {
			sum := b.Float(F32, 0)
			for tap := range int64(32) {
				sum = b.Op(FMA, F32, b.Load(Access{Buffer: x, Offset: 16 * tap, Terms: []Term{{m, 16}, {n, 1}}, Mem: MemF32}, 0),
					b.Load(Access{Buffer: k, Offset: 16 * tap, Terms: []Term{{n, 1}}, Mem: MemF32}, 0), sum)
			}
			b.Store(Access{Buffer: z, Terms: []Term{{m, 16}, {n, 1}}, Mem: MemF32}, sum, 0)
		})
	})
	nest := b.Nest()
	n := Jam(nest, false)
	if len(n.Insts) < 3*len(nest.Insts) {
		t.Fatalf("expected several iterations side by side, got %d instructions of %d", len(n.Insts), len(nest.Insts))
	}
	if got := testing.AllocsPerRun(20, func() { Jam(nest, false) }); got > 76 { // 83 where lists grow
		t.Errorf("expected at most 76 allocations, got %v", got)
	}
}
