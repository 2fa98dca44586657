package emit

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/exec/guard"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
	"github.com/goxla/xla/cpu/tile"
)

// allMems are the memory types.
var allMems = []loop.Mem{loop.MemPred, loop.MemS8, loop.MemU8, loop.MemS16, loop.MemU16, loop.MemI32, loop.MemI64,
	loop.MemF16, loop.MemBF16, loop.MemF32, loop.MemF64}

// pattern is a way to go through an array: element offset + i*stride, under a mask or not, or by an index value.
type pattern struct {
	name           string
	stride         int64
	masked, gather bool
	// wide makes lanes as few as 64-bit values have them.
	wide bool
	// all goes through the elements in between as well, with accesses of their own.
	all bool
}

var patterns = []pattern{{name: "unit", stride: 1}, {name: "unit wide", stride: 1, wide: true},
	{name: "masked", stride: 1, masked: true}, {name: "masked wide", stride: 1, masked: true, wide: true},
	{name: "backwards", stride: -1}, {name: "gaps", stride: 3}, {name: "gaps wide", stride: 3, wide: true},
	{name: "fours", stride: 4}, {name: "fours wide", stride: 4, wide: true}, {name: "fives", stride: 5},
	{name: "backwards wide", stride: -1, wide: true}, {name: "pairs", stride: 2},
	{name: "pairs wide", stride: 2, wide: true},
	{name: "all of pairs", stride: 2, all: true}, {name: "all of pairs wide", stride: 2, all: true, wide: true},
	{name: "all of three", stride: 3, all: true}, {name: "all of four", stride: 4, all: true},
	{name: "all of four wide", stride: 4, all: true, wide: true},
	{name: "gaps masked", stride: 2, masked: true, wide: true},
	{name: "same", stride: 0, masked: true}, {name: "gather", gather: true},
	{name: "gather masked", gather: true, masked: true}, {name: "gather wide", gather: true, wide: true}}

const edgeExtent = 70

// access is the address of element i of an array of m.
func (p pattern) access(buf, v int, m loop.Mem, index loop.Value) loop.Access {
	a := loop.Access{Buffer: buf, Mem: m, Index: index}
	if index == 0 && p.stride != 0 {
		a.Terms = []loop.Term{{Var: v, Stride: p.stride}}
		a.Offset = max(0, -p.stride*(edgeExtent-1))
	}
	return a
}

// size is the number of elements that the pattern goes through.
func (p pattern) size() int64 {
	if p.gather {
		return edgeExtent
	}
	if p.all {
		return p.stride * edgeExtent
	}
	return max(p.stride, -p.stride)*(edgeExtent-1) + 1
}

// nest copies x to y, both in the pattern. The buffers are x, y, the mask, the index.
func (p pattern) nest(m loop.Mem) (*loop.Nest, []loop.Mem) {
	b := loop.NewBuilder(fmt.Sprintf("%s %v", p.name, m))
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: p.size() * m.Bytes()})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: p.size() * m.Bytes(), Write: true})
	on := b.Buffer(loop.Buffer{Name: "on", Bytes: edgeExtent})
	at := b.Buffer(loop.Buffer{Name: "at", Bytes: 8 * edgeExtent})
	mems := []loop.Mem{m, m, loop.MemPred, loop.MemI64}
	b.Each(loop.Spec{Extent: edgeExtent, Lanes: true, Parallel: true}, func(v int) {
		unit := func(buf int, m loop.Mem) loop.Access {
			return loop.Access{Buffer: buf, Terms: []loop.Term{{Var: v, Stride: 1}}, Mem: m}
		}
		var mask, index loop.Value
		if p.masked {
			mask = b.Load(unit(on, loop.MemPred), 0)
		}
		switch {
		case p.gather && p.wide:
			index = b.Load(unit(at, loop.MemI64), 0)
		case p.gather:
			index = b.Load(unit(at, loop.MemI32), 0)
			mems[3] = loop.MemI32
		}
		e := b.Load(p.access(x, v, m, index), mask)
		if p.wide && m.Kind() != loop.Mask {
			zero := b.Op(loop.SExt, loop.I64, b.Op(loop.Xor, loop.I32, b.Index(loop.I32, v), b.Index(loop.I32, v)))
			zero = b.Op(loop.Shl, loop.I64, zero, zero) // else 32 bits would do
			e = b.Op(loop.Select, m.Kind(), b.Cmp(loop.EQ, zero, b.Int(loop.I64, 0)), e, e)
		}
		elements := []loop.Value{e}
		for k := int64(1); p.all && k < p.stride; k++ {
			next := p.access(x, v, m, index)
			next.Offset += k
			elements = append(elements, b.Load(next, mask))
		}
		for k, e := range elements {
			next := p.access(y, v, m, index)
			next.Offset += int64(k)
			b.Store(next, e, mask)
		}
	})
	return b.Nest(), mems
}

// TestEdges runs every memory type in every pattern over ranges of all lengths, with buffers between pages that cannot
// be accessed.
func TestEdges(t *testing.T) {
	for name, target := range tiers() {
		for _, p := range patterns {
			for _, m := range allMems {
				t.Run(fmt.Sprintf("%s/%s/%v", name, p.name, m), func(t *testing.T) { p.check(t, m, target) })
			}
		}
	}
}

func (p pattern) check(t *testing.T, m loop.Mem, target Target) {
	nest, mems := p.nest(m)
	portable, err := tile.Compile(nest)
	if err != nil {
		t.Fatal(err)
	}
	code, err := exec.NewCode(assemble(t, nest, target))
	if err != nil {
		t.Skip(err)
	}
	defer code.Close()
	r := rand.New(rand.NewPCG(uint64(m), 3))
	places := []func(testing.TB, int) []byte{guard.After, guard.Before}
	var got, want [][2][]byte
	for k, buf := range nest.Buffers {
		init := aligned(int(buf.Bytes))
		looptest.Fill(r, mems[k], init)
		if buf.Name == "at" {
			fillIndices(r, mems[k], init)
		}
		if buf.Name == "on" {
			copy(init[7:36], bytes.Repeat([]byte{1}, 29)) // vectors whose lanes are all on, and all off
			copy(init[40:60], make([]byte, 20))
		}
		var g, w [2][]byte
		for side, place := range places {
			g[side], w[side] = place(t, len(init)), aligned(len(init))
			copy(g[side], init)
			copy(w[side], init)
		}
		got, want = append(got, g), append(want, w)
	}
	args := NewArgs(len(nest.Buffers))
	for side := range places {
		var bufs [][]byte
		for k := range got {
			args.SetBuffer(k, unsafe.Pointer(&got[k][side][0]))
			bufs = append(bufs, want[k][side])
		}
		for n := int64(0); n <= edgeExtent; n++ {
			lo, hi := int64(0), n
			if side == 0 {
				lo, hi = edgeExtent-n, edgeExtent
			}
			args.SetRange(lo, hi)
			exec.Call(code.Entry(0), args.Pointer())
			if err := portable.Run(bufs, lo, hi); err != nil {
				t.Fatal(err)
			}
			if k := looptest.Diff(m, got[1][side], want[1][side]); k >= 0 {
				t.Fatalf("[%d, %d): [%d]: expected %s, got %s\n%v", lo, hi, k, element(m, want[1][side], k),
					element(m, got[1][side], k), nest)
			}
		}
	}
}

// fillIndices makes indices into an array of edgeExtent elements.
func fillIndices(r *rand.Rand, m loop.Mem, b []byte) {
	clear(b)
	for k := 0; k < len(b); k += int(m.Bytes()) {
		b[k] = byte(r.IntN(edgeExtent))
	}
}

// TestSameBytes: a nest gives the same code every time.
func TestSameBytes(t *testing.T) {
	for _, tier := range emulatedTiers {
		for seed := range uint64(20) {
			n := looptest.Random(seed).Nest
			first := string(assemble(t, n, tier.target))
			for range 3 {
				if again := string(assemble(t, n, tier.target)); again != first {
					t.Fatalf("%s: nest %d: two compilations differ", tier.name, seed)
				}
			}
		}
	}
}

// TestZerosBeside: what pads with zeros is a load under a mask alone, what pads with something else chooses.
func TestZerosBeside(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct {
		by      float64
		chooses bool
	}{{0, false}, {1, true}} {
		const width, from, to = 61, 3, 50
		b := loop.NewBuilder("pad")
		x := b.Buffer(loop.Buffer{Name: "x", Bytes: (to - from) * 4})
		y := b.Buffer(loop.Buffer{Name: "y", Bytes: width * 4, Write: true})
		b.Each(loop.Spec{Extent: 1, Parallel: true}, func(int) {
			b.Each(loop.Spec{Extent: width, Lanes: true, Parallel: true}, func(j int) {
				at := b.Index(loop.I32, j)
				on := b.Op(loop.And, loop.Mask, b.Cmp(loop.GE, at, b.Int(loop.I32, from)),
					b.Cmp(loop.LT, at, b.Int(loop.I32, to)))
				v := b.Load(loop.Access{Buffer: x, Mem: loop.MemF32, Offset: -from, Terms: []loop.Term{{Var: j, Stride: 1}}}, on)
				v = b.Op(loop.Select, loop.F32, on, v, b.Float(loop.F32, c.by))
				b.Store(loop.Access{Buffer: y, Mem: loop.MemF32, Terms: []loop.Term{{Var: j, Stride: 1}}}, v, 0)
			})
		})
		n := b.Nest()
		for _, tier := range emulatedTiers[:2] {
			chooses := false
			for in := range decoded(assemble(t, n, tier.target)) {
				chooses = chooses || strings.Contains(in.String(), "blend")
			}
			if chooses != c.chooses {
				t.Errorf("%s: by %g: expected a choice: %t, got %t", tier.name, c.by, c.chooses, chooses)
			}
			in, out, want := make([]byte, (to-from)*4), make([]byte, width*4), make([]byte, width*4)
			looptest.Fill(r, loop.MemF32, in)
			portable(t, n, [][]byte{in, want}, 0, 1)
			emulate(t, n, tier.target, [][]byte{in, out}, 0, 1)
			if d := looptest.Diff(loop.MemF32, out, want); d >= 0 {
				t.Errorf("%s: by %g: [%d] differs", tier.name, c.by, d)
			}
		}
	}
}
