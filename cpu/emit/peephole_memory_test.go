package emit

import (
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// changed are how an element is changed, by a constant or a number x, and whether memory can be changed at once.
var changed = []struct {
	name string
	f    func(b *loop.Builder, k loop.Kind, old, x loop.Value) loop.Value
	once bool
}{
	{"add 1", func(b *loop.Builder, k loop.Kind, old, x loop.Value) loop.Value {
		return b.Op(loop.Add, k, old, b.Int(k, 1))
	}, true},
	{"add", func(b *loop.Builder, k loop.Kind, old, x loop.Value) loop.Value { return b.Op(loop.Add, k, old, x) }, true},
	{"add to x", func(b *loop.Builder, k loop.Kind, old, x loop.Value) loop.Value {
		return b.Op(loop.Add, k, x, old)
	}, true},
	{"sub", func(b *loop.Builder, k loop.Kind, old, x loop.Value) loop.Value { return b.Op(loop.Sub, k, old, x) }, true},
	{"sub from x", func(b *loop.Builder, k loop.Kind, old, x loop.Value) loop.Value {
		return b.Op(loop.Sub, k, x, old)
	}, false},
	{"xor", func(b *loop.Builder, k loop.Kind, old, x loop.Value) loop.Value { return b.Op(loop.Xor, k, old, x) }, true},
	{"and 12", func(b *loop.Builder, k loop.Kind, old, x loop.Value) loop.Value {
		return b.Op(loop.And, k, old, b.Int(k, 12))
	}, true},
	{"twice", func(b *loop.Builder, k loop.Kind, old, x loop.Value) loop.Value { return b.Op(loop.Add, k, old, old) },
		false},
	{"product", func(b *loop.Builder, k loop.Kind, old, x loop.Value) loop.Value { return b.Op(loop.Mul, k, old, x) },
		false},
}

// changing changes the element of a table that each of n numbers names, by f, and if two is set another table by the
// number that was there.
func changing(k loop.Kind, n, size int64, two bool,
	f func(b *loop.Builder, k loop.Kind, old, x loop.Value) loop.Value) (*loop.Nest, []loop.Mem) {
	m := loop.MemI32
	if k == loop.I64 {
		m = loop.MemI64
	}
	b := loop.NewBuilder("changing")
	names := b.Buffer(loop.Buffer{Name: "names", Bytes: n})
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: n * m.Bytes()})
	table := b.Buffer(loop.Buffer{Name: "table", Bytes: size * m.Bytes(), Write: true})
	other := b.Buffer(loop.Buffer{Name: "other", Bytes: n * m.Bytes(), Write: true})
	b.Each(loop.Spec{Extent: 1, Parallel: true}, func(int) {
		b.Each(loop.Spec{Extent: n}, func(i int) {
			each := []loop.Term{{Var: i, Stride: 1}}
			at := b.Load(loop.Access{Buffer: names, Terms: each, Mem: loop.MemU8}, 0)
			in := b.Cmp(loop.ULT, at, b.Int(loop.I32, size))
			by := b.Load(loop.Access{Buffer: x, Terms: each, Mem: m}, 0)
			to := loop.Access{Buffer: table, Index: at, Mem: m}
			old := b.Load(to, in)
			b.Store(to, f(b, k, old, by), in)
			if two {
				b.Store(loop.Access{Buffer: other, Terms: each, Mem: m}, old, 0)
			}
		})
	})
	return b.Nest(), []loop.Mem{loop.MemU8, m, m, m}
}

// TestChangeInMemory: what is loaded, changed and stored, and not used otherwise, is one instruction, and right.
func TestChangeInMemory(t *testing.T) {
	const n, size = 300, 100
	for _, k := range []loop.Kind{loop.I32, loop.I64} {
		for _, c := range changed {
			for _, two := range []bool{false, true} {
				nest, mems := changing(k, n, size, two, c.f)
				for _, tier := range emulatedTiers[:2] {
					if got, want := changesMemory(t, nest, tier.target), c.once && !two; got != want {
						t.Errorf("%s of %v: memory is changed at once: %v, two: %v", c.name, k, got, two)
					}
					compareChanged(t, nest, mems, tier.target, emulate)
				}
				for _, target := range tiers() {
					compareChanged(t, nest, mems, target, native)
				}
			}
		}
	}
}

// compareChanged runs nest on random numbers and compares with package tile.
func compareChanged(t *testing.T, nest *loop.Nest, mems []loop.Mem, target Target, run runner) {
	t.Helper()
	r := rand.New(rand.NewPCG(8, 21))
	var got, want [][]byte
	for i, b := range nest.Buffers {
		x := aligned(int(b.Bytes))
		looptest.Fill(r, mems[i], x)
		got, want = append(got, append(aligned(0), x...)), append(want, x)
	}
	portable(t, nest, want, 0, 1)
	run(t, nest, target, got, 0, 1)
	for i := range got {
		if d := looptest.Diff(mems[i], got[i], want[i]); d >= 0 {
			t.Fatalf("%s[%d]: expected %s, got %s\n%v", nest.Buffers[i].Name, d, element(mems[i], want[i], d),
				element(mems[i], got[i], d), nest)
		}
	}
}

// changesMemory reports whether the code of nest has an instruction that reads and writes memory.
func changesMemory(t *testing.T, nest *loop.Nest, target Target) bool {
	for in := range decoded(assemble(t, nest, target)) {
		if in.Place == asm.InStore && (in.Op == asm.ADD || in.Op == asm.SUB || in.Op == asm.XOR || in.Op == asm.AND) {
			return true
		}
	}
	return false
}
