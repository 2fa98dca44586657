package emit

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/exec/guard"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// addWhere is a form of nests that add updates to the places that indices name, where those are in range.
type addWhere struct {
	mem   loop.Mem
	index loop.Mem
	twice bool // the same to a second array, of f32, whose updates are the sums so far
	low   bool // indices are not below 3 either
	read  bool // the update is stored anywhere besides
	spans int  // how many runs of instructions are behind one jump
}

const (
	underPlaces  = 17
	underUpdates = 300
)

// nest makes it, and the memory kinds of its buffers.
func (f addWhere) nest() (*loop.Nest, []loop.Mem) {
	b := loop.NewBuilder("under")
	mems := []loop.Mem{f.index, f.mem, f.mem, loop.MemF32, f.mem}
	var buf []int
	for k, m := range mems {
		n := int64(underUpdates)
		if k == 2 || k == 3 {
			n = underPlaces
		}
		buf = append(buf, b.Buffer(loop.Buffer{Name: fmt.Sprint("b", k), Bytes: n * m.Bytes(), Write: k >= 2}))
	}
	kind, at := f.mem.Kind(), f.index.Kind()
	b.Each(loop.Spec{Extent: underUpdates}, func(i int) {
		row := []loop.Term{{Var: i, Stride: 1}}
		to := b.Load(loop.Access{Buffer: buf[0], Terms: row, Mem: f.index}, 0)
		on := b.Cmp(loop.ULE, to, b.Int(at, underPlaces-1))
		if f.low {
			on = b.Op(loop.And, loop.Mask, on, b.Cmp(loop.GE, to, b.Int(at, 3)))
		}
		place := loop.Access{Buffer: buf[2], Index: to, Mem: f.mem}
		old := b.Load(place, on)
		update := b.Load(loop.Access{Buffer: buf[1], Terms: row, Mem: f.mem}, on)
		sum := b.Op(loop.Add, kind, old, update)
		b.Store(place, sum, on)
		if f.twice {
			place = loop.Access{Buffer: buf[3], Index: to, Mem: loop.MemF32}
			twice := b.Op(loop.Div, loop.F32, b.Op(loop.Add, loop.F32, b.Load(place, on), sum), b.Float(loop.F32, 3))
			b.Store(place, twice, on)
		}
		if f.read {
			b.Store(loop.Access{Buffer: buf[4], Terms: row, Mem: f.mem}, update, 0)
		}
	})
	return b.Nest(), mems
}

var addWheres = []addWhere{
	{mem: loop.MemF32, index: loop.MemI32, spans: 1},
	{mem: loop.MemF64, index: loop.MemI64, spans: 1},
	{mem: loop.MemI32, index: loop.MemI32, spans: 1},
	{mem: loop.MemI64, index: loop.MemI32, low: true, spans: 1},
	{mem: loop.MemS8, index: loop.MemI32, spans: 1},
	{mem: loop.MemBF16, index: loop.MemI32, low: true, spans: 1},
	{mem: loop.MemU8, index: loop.MemU16, spans: 1},
	{mem: loop.MemS16, index: loop.MemI32, spans: 1},
	{mem: loop.MemU16, index: loop.MemU8, spans: 1},
	{mem: loop.MemF16, index: loop.MemS8, low: true, spans: 1},
	{mem: loop.MemF32, index: loop.MemS16, low: true, spans: 1},
	{mem: loop.MemF32, index: loop.MemI32, twice: true, low: true, spans: 1},
	{mem: loop.MemF32, index: loop.MemI32, read: true},
	{mem: loop.MemI32, index: loop.MemI32, read: true, low: true},
}

// data fills the buffers: of the indices many are out of range, some far.
func (f addWhere) data(t *testing.T, r *rand.Rand, n *loop.Nest, mems []loop.Mem) [][]byte {
	var bufs [][]byte
	for k, b := range n.Buffers {
		x := guard.After(t, int(b.Bytes))
		looptest.Fill(r, mems[k], x)
		bufs = append(bufs, x)
	}
	size := int(f.index.Bytes())
	for at := 0; at < len(bufs[0]); at += size {
		if r.IntN(4) > 0 {
			clear(bufs[0][at : at+size])
			bufs[0][at] = byte(r.IntN(underPlaces + 3))
		}
	}
	return bufs
}

// TestUnder: places out of range are neither read nor written, and what is computed for them is left out.
func TestUnder(t *testing.T) {
	for k, f := range addWheres {
		n, mems := f.nest()
		in := f.data(t, rand.New(rand.NewPCG(21, uint64(k))), n, mems)
		fresh := func() [][]byte {
			out := make([][]byte, len(in))
			for k, b := range in {
				out[k] = guard.After(t, len(b))
				copy(out[k], b)
			}
			return out
		}
		want := fresh()
		portable(t, n, want, 0, 1)
		check := func(name string, got [][]byte) {
			for k := range want {
				if d := looptest.Diff(mems[k], got[k], want[k]); d >= 0 {
					t.Fatalf("%s: buffer %d [%d]: expected %s, got %s\n%v", name, k, d, element(mems[k], want[k], d),
						element(mems[k], got[k], d), n)
				}
			}
		}
		for name, target := range tiers() {
			got := fresh()
			native(t, n, target, got, 0, 1)
			check(name, got)
		}
		for _, tier := range emulatedTiers {
			got := fresh()
			emulate(t, n, tier.target, got, 0, 1)
			check("emulated "+tier.name, got)
			g := newGen(&Compiler{}, &asm.Assembler{}, n, tier.target)
			if len(g.under) != f.spans {
				t.Errorf("%d runs of instructions behind one jump, expected %d\n%v", len(g.under), f.spans, n)
			}
		}
	}
}
