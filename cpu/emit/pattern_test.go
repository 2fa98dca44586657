package emit

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// patternForm is an order of elements: element i of a row of y is element at(i) of the row of x, or off, which is a
// constant.
type patternForm struct {
	name  string
	group int64 // elements of y that are a group; rows are whole ones
	each  int64 // elements of x that a group takes, at most
	// at gives the place of element inside of group number q, of n.
	at func(b *loop.Builder, q, inside loop.Value, n int64) loop.Value
	on func(b *loop.Builder, inside loop.Value) loop.Value
}

func patternForms() []patternForm {
	num := func(b *loop.Builder, x int64) loop.Value { return b.Const(loop.I32, uint64(uint32(x))) }
	mul := func(b *loop.Builder, v loop.Value, x int64) loop.Value { return b.Op(loop.Mul, loop.I32, v, num(b, x)) }
	add := func(b *loop.Builder, v, w loop.Value) loop.Value { return b.Op(loop.Add, loop.I32, v, w) }
	sub := func(b *loop.Builder, v, w loop.Value) loop.Value { return b.Op(loop.Sub, loop.I32, v, w) }
	var list []patternForm
	for _, c := range []int64{2, 3, 4, 5} {
		list = append(list,
			patternForm{name: fmt.Sprintf("colors back %d", c), group: c, each: c,
				at: func(b *loop.Builder, q, in loop.Value, _ int64) loop.Value {
					return add(b, mul(b, q, c), sub(b, num(b, c-1), in))
				}},
			patternForm{name: fmt.Sprintf("pixels back %d", c), group: c, each: c,
				at: func(b *loop.Builder, q, in loop.Value, n int64) loop.Value {
					return add(b, mul(b, sub(b, num(b, n-1), q), c), in)
				}},
			patternForm{name: fmt.Sprintf("every second pixel %d", c), group: c, each: 2 * c,
				at: func(b *loop.Builder, q, in loop.Value, _ int64) loop.Value { return add(b, mul(b, q, 2*c), in) }},
			patternForm{name: fmt.Sprintf("planes %d", c), group: c, each: c,
				at: func(b *loop.Builder, q, in loop.Value, n int64) loop.Value { return add(b, q, mul(b, in, n)) }},
			patternForm{name: fmt.Sprintf("one color %d times", c), group: c, each: 1,
				at: func(_ *loop.Builder, q, _ loop.Value, _ int64) loop.Value { return q }},
			patternForm{name: fmt.Sprintf("a color more %d", c), group: c + 1, each: c,
				at: func(b *loop.Builder, q, in loop.Value, _ int64) loop.Value { return add(b, mul(b, q, c), in) },
				on: func(b *loop.Builder, in loop.Value) loop.Value { return b.Cmp(loop.LT, in, num(b, c)) }})
	}
	return list
}

// patternNest is rows of n groups of f. Each row of x is for two rows of y if twice is set, which the index tells.
func patternNest(f patternForm, m loop.Mem, rows, n int64, twice bool) *loop.Nest {
	b := loop.NewBuilder(fmt.Sprintf("%s %v %d %v", f.name, m, n, twice))
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: rows * n * f.each * m.Bytes()})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: rows * n * f.group * m.Bytes(), Write: true})
	b.Each(loop.Spec{Extent: rows, Parallel: true}, func(i int) {
		from, row := []loop.Term{{Var: i, Stride: n * f.each}}, loop.Value(0)
		if twice {
			half := b.Op(loop.Shr, loop.I32, b.Index(loop.I32, i), b.Const(loop.I32, 1))
			from, row = nil, b.Op(loop.Mul, loop.I32, half, b.Const(loop.I32, uint64(n*f.each)))
		}
		b.Each(loop.Spec{Extent: n * f.group, Lanes: true, Parallel: true}, func(j int) {
			k := b.Index(loop.I32, j)
			group := b.Const(loop.I32, uint64(f.group))
			q := b.Op(loop.UDiv, loop.I32, k, group)
			in := b.Op(loop.Sub, loop.I32, k, b.Op(loop.Mul, loop.I32, q, group))
			on := loop.Value(0)
			if f.on != nil {
				on = f.on(b, in)
			}
			at := f.at(b, q, in, n)
			if twice {
				at = b.Op(loop.Add, loop.I32, row, at)
			}
			v := b.Load(loop.Access{Buffer: x, Terms: from, Index: at, Mem: m}, on)
			if f.on != nil {
				v = b.Op(loop.Select, m.Kind(), on, v, b.Const(m.Kind(), patternConstants[m]))
			}
			to := []loop.Term{{Var: i, Stride: n * f.group}, {Var: j, Stride: 1}}
			b.Store(loop.Access{Buffer: y, Terms: to, Mem: m}, v, 0)
		})
	})
	return b.Nest()
}

// patternConstants are the bits of what the color that there is not is.
var patternConstants = map[loop.Mem]uint64{loop.MemPred: 1, loop.MemU8: 255, loop.MemS8: 0xFFFFFFF5,
	loop.MemS16: 0x1234, loop.MemU16: 0xFFFF, loop.MemBF16: 0x3F800000, loop.MemI32: 0x12345678, loop.MemF32: 0x3F9DF3B6}

// TestPatterns moves elements in orders that repeat, next to pages that cannot be accessed, and in the emulator, and
// compares with package tile.
func TestPatterns(t *testing.T) {
	for _, f := range patternForms() {
		for _, m := range append(narrow, loop.MemI32, loop.MemF32) {
			for _, n := range []int64{4, 5, 16, 21, 22, 43, 64, 100, 224} {
				nest := patternNest(f, m, 3, n, n%2 == 0)
				for name, target := range tiers() {
					checkMoved(t, name, target, m, nest, 3)
				}
			}
			nest := patternNest(f, m, 2, 75, true)
			for _, tier := range emulatedTiers {
				var got, want [][]byte
				for k, b := range nest.Buffers {
					data := aligned(int(b.Bytes))
					if k == 0 {
						looptest.Fill(rand.New(rand.NewPCG(1, 2)), m, data)
					}
					got, want = append(got, append([]byte{}, data...)), append(want, data)
				}
				portable(t, nest, want, 0, 2)
				emulate(t, nest, tier.target, got, 0, 2)
				if d := looptest.Diff(m, got[1], want[1]); d >= 0 {
					t.Fatalf("%s: [%d]: expected %s, got %s\n%v", tier.name, d, element(m, want[1], d),
						element(m, got[1], d), nest)
				}
			}
		}
	}
}

// TestPatternsWide: elements that are moved in such an order are not read or written one by one.
func TestPatternsWide(t *testing.T) {
	for _, tier := range emulatedTiers {
		for _, f := range patternForms()[6:12] { // of three colors
			for in := range decoded(assemble(t, patternNest(f, loop.MemU8, 3, 100, false), tier.target)) {
				switch in.Op {
				case asm.VPINSRB, asm.VPINSRW, asm.VPMOVZXBD, asm.VPMOVDB, asm.VPGATHERDD:
					t.Errorf("%s: %s: %s", tier.name, f.name, in.String())
				}
			}
		}
	}
}
