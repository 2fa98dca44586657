package emit

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/exec/guard"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// addRows is a form of nests that add rows of updates to the rows that indices name, where those are in range.
type addRows struct {
	mem    loop.Mem
	width  int64
	rows   int64 // of an update, which go to rows one behind the other
	set    bool  // the update is stored as it is
	turned bool  // updates are read column by column
	read   bool  // the row goes elsewhere, too
	other  bool  // and does so under a mask of its own
	value  bool  // the index is added as well
	under  int   // how many loops are behind a jump
	vector bool  // the index is in a vector register
}

const (
	rowPlaces  = 9
	rowUpdates = 40
)

// nest makes it, and the memory kinds of its buffers.
func (f addRows) nest() (*loop.Nest, []loop.Mem) {
	b := loop.NewBuilder("rows")
	mems := []loop.Mem{loop.MemI32, f.mem, f.mem, f.mem}
	sizes := []int64{rowUpdates, rowUpdates * f.rows * f.width, (rowPlaces + f.rows) * f.width, rowUpdates * f.width}
	var buf []int
	for k, m := range mems {
		buf = append(buf, b.Buffer(loop.Buffer{Name: fmt.Sprint("b", k), Bytes: sizes[k] * m.Bytes(), Write: k >= 2}))
	}
	kind := f.mem.Kind()
	each := func(i int) {
		index := b.Load(loop.Access{Buffer: buf[0], Terms: []loop.Term{{Var: i, Stride: 1}}, Mem: loop.MemI32}, 0)
		on := b.Cmp(loop.ULE, index, b.Int(loop.I32, rowPlaces))
		odd := b.Cmp(loop.NE, b.Op(loop.And, loop.I32, index, b.Int(loop.I32, 1)), b.Int(loop.I32, 0))
		to := b.Op(loop.Mul, loop.I32, index, b.Int(loop.I32, f.width))
		row := func(r int) {
			b.Each(loop.Spec{Extent: f.width, Lanes: true, Parallel: f.turned}, func(j int) {
				from := []loop.Term{{Var: i, Stride: f.rows * f.width}, {Var: j, Stride: 1}}
				place := loop.Access{Buffer: buf[2], Terms: []loop.Term{{Var: j, Stride: 1}}, Index: to, Mem: f.mem}
				switch {
				case f.turned:
					from = []loop.Term{{Var: i, Stride: 1}, {Var: j, Stride: rowUpdates}}
					place = loop.Access{Buffer: buf[3], Terms: []loop.Term{{Var: i, Stride: f.width}, {Var: j, Stride: 1}},
						Mem: f.mem}
				case r >= 0:
					from = append(from, loop.Term{Var: r, Stride: f.width})
					place.Terms = append(place.Terms, loop.Term{Var: r, Stride: f.width})
				}
				x := b.Load(loop.Access{Buffer: buf[1], Terms: from, Mem: f.mem}, 0)
				if f.value {
					x = b.Op(loop.Add, kind, x, index)
				}
				if !f.turned && !f.set {
					x = b.Op(loop.Add, kind, b.Load(place, on), x)
				}
				b.Store(place, x, on)
				if f.read {
					mask := loop.Value(0)
					if f.other {
						mask = odd
					}
					b.Store(loop.Access{Buffer: buf[3], Terms: []loop.Term{{Var: i, Stride: f.width}, {Var: j, Stride: 1}},
						Mem: f.mem}, x, mask)
				}
			})
		}
		if f.rows == 1 {
			row(-1)
			return
		}
		b.Each(loop.Spec{Extent: f.rows}, row)
	}
	all := loop.Spec{Extent: rowUpdates, Parallel: f.turned}
	if f.turned { // in a loop around it, which threads share
		b.Each(loop.Spec{Extent: 1, Parallel: true}, func(int) { b.Each(all, each) })
	} else {
		b.Each(all, each)
	}
	return b.Nest(), mems
}

// addRowsForms lists them.
func addRowsForms() []addRows {
	var list []addRows
	for _, width := range []int64{4, 8, 16, 23, 32, 40, 100, 200} {
		for _, m := range []loop.Mem{loop.MemF32, loop.MemF64, loop.MemI32, loop.MemBF16, loop.MemS8} {
			list = append(list, addRows{mem: m, width: width, rows: 1, under: 1},
				addRows{mem: m, width: width, rows: 2, set: true, under: 1})
		}
		list = append(list, addRows{mem: loop.MemF32, width: width, rows: 3, under: 1},
			addRows{mem: loop.MemF32, width: width, rows: 1, turned: true, under: 1},
			addRows{mem: loop.MemF32, width: width, rows: 1, read: true, vector: true},
			addRows{mem: loop.MemI32, width: width, rows: 2, read: true, other: true, vector: true},
			addRows{mem: loop.MemI32, width: width, rows: 1, value: true, under: 1, vector: true})
	}
	return list
}

// data fills the buffers: of the indices some are out of range, a few far.
func (f addRows) data(t *testing.T, r *rand.Rand, n *loop.Nest, mems []loop.Mem) [][]byte {
	var bufs [][]byte
	for k, b := range n.Buffers {
		x := guard.After(t, int(b.Bytes))
		looptest.Fill(r, mems[k], x)
		bufs = append(bufs, x)
	}
	for at := 0; at < len(bufs[0]); at += 4 {
		if r.IntN(5) > 0 {
			clear(bufs[0][at : at+4])
			bufs[0][at] = byte(r.IntN(rowPlaces + 3))
		}
	}
	return bufs
}

// TestRowsUnder: rows whose index is out of range are neither read nor written, which one jump sees to, and indices
// are computed in general registers unless lanes use them as numbers.
func TestRowsUnder(t *testing.T) {
	for k, f := range addRowsForms() {
		n, mems := f.nest()
		if err := n.Verify(); err != nil {
			t.Fatal(err)
		}
		in := f.data(t, rand.New(rand.NewPCG(22, uint64(k))), n, mems)
		run := func(name string, run func(bufs [][]byte), want [][]byte) [][]byte {
			got := make([][]byte, len(in))
			for k, b := range in {
				got[k] = guard.After(t, len(b))
				copy(got[k], b)
			}
			run(got)
			for k := range want {
				if d := looptest.Diff(mems[k], got[k], want[k]); d >= 0 {
					t.Fatalf("%s: buffer %d [%d]: expected %s, got %s\n%v", name, k, d, element(mems[k], want[k], d),
						element(mems[k], got[k], d), n)
				}
			}
			return got
		}
		hi := int64(1)
		if o := n.Outermost(); o != nil {
			hi = o.Extent
		}
		want := run("tile", func(bufs [][]byte) { portable(t, n, bufs, 0, hi) }, nil)
		for name, target := range tiers() {
			run(name, func(bufs [][]byte) { native(t, n, target, bufs, 0, hi) }, want)
		}
		for _, tier := range emulatedTiers {
			run("emulated "+tier.name, func(bufs [][]byte) { emulate(t, n, tier.target, bufs, 0, hi) }, want)
			f.check(t, n, tier.target)
		}
	}
}

// check tells whether the form of the code is the expected one.
func (f addRows) check(t *testing.T, n *loop.Nest, target Target) {
	g := newGen(&Compiler{}, &asm.Assembler{}, n, target)
	if len(g.loopsUnder) != f.under {
		t.Errorf("%d loops behind a jump, expected %d\n%v", len(g.loopsUnder), f.under, n)
	}
	inner := n.Root[len(n.Root)-1].Loop
	for inner.Body[len(inner.Body)-1].Loop != nil {
		inner = inner.Body[len(inner.Body)-1].Loop
	}
	if moves := g.moveLanes(inner, -1) > 0; moves != (f.set && f.mem.Bytes() <= 2) {
		t.Errorf("elements are moved as they are: %v\n%v", moves, n)
	}
	if general := slices.Contains(g.general, true); general == f.vector {
		t.Errorf("indices in general registers: %v\n%v", general, n)
	}
}
