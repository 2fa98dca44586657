package emit

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// movingNest moves n elements of x, step apart from one another, to y[1] and what follows, three times over if whiles
// is set; doubled if adds is.
func movingNest(m loop.Mem, n, step int64, adds, whiles bool) *loop.Nest {
	b := loop.NewBuilder("moving")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: n * step * m.Bytes()})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: (n + 1) * m.Bytes(), Write: true})
	move := func() {
		b.Each(loop.Spec{Extent: n, Lanes: true}, func(j int) {
			from := loop.Access{Buffer: x, Terms: []loop.Term{{Var: j, Stride: step}}, Mem: m}
			to := loop.Access{Buffer: y, Offset: 1, Terms: []loop.Term{{Var: j, Stride: 1}}, Mem: m}
			v := b.Load(from, 0)
			if adds {
				v = b.Op(loop.Add, m.Kind(), v, v)
			}
			b.Store(to, v, 0)
		})
	}
	if !whiles {
		move()
		return b.Nest()
	}
	b.While([]loop.Value{b.Int(loop.I32, 0)}, func(v []loop.Value) loop.Value {
		return b.Cmp(loop.LT, v[0], b.Int(loop.I32, 3))
	}, func(v []loop.Value) []loop.Value {
		move()
		return []loop.Value{b.Op(loop.Add, loop.I32, v[0], b.Int(loop.I32, 1))}
	})
	return b.Nest()
}

// hasWhole reports whether the code of n has instructions on 512 bits.
func hasWhole(t *testing.T, n *loop.Nest, target Target) bool {
	t.Helper()
	for code := assemble(t, n, target); len(code) > 0; {
		in, size, err := asm.Decode(code)
		if err != nil {
			break // constants
		}
		if in.Size == asm.VL512 {
			return true
		}
		code = code[size:]
	}
	return false
}

// TestMovedWords: a few numbers of 4 or 8 bytes, of all lengths, are moved by short vectors.
func TestMovedWords(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for _, m := range []loop.Mem{loop.MemF32, loop.MemF64, loop.MemI32, loop.MemI64} {
		for n := int64(1); n <= mostWords; n++ {
			nest := movingNest(m, n, 1, false, true)
			for _, tier := range emulatedTiers {
				t.Run(fmt.Sprintf("%v/%d/%s", m, n, tier.name), func(t *testing.T) {
					in := make([]byte, n*m.Bytes())
					looptest.Fill(r, m, in)
					got, want := make([]byte, (n+1)*m.Bytes()), make([]byte, (n+1)*m.Bytes())
					portable(t, nest, [][]byte{in, want}, 0, 1)
					emulate(t, nest, tier.target, [][]byte{in, got}, 0, 1)
					if d := looptest.Diff(m, got, want); d >= 0 {
						t.Errorf("[%d] differs", d)
					}
					if hasWhole(t, nest, tier.target) {
						t.Error("there are registers of 512 bits")
					}
				})
			}
		}
	}
}

// TestMovedWordsNot: other lanes are no reason for short vectors.
func TestMovedWordsNot(t *testing.T) {
	for name, nest := range map[string]*loop.Nest{
		"many":    movingNest(loop.MemF32, mostWords+1, 1, false, true),
		"sums":    movingNest(loop.MemF32, mostWords, 1, true, true),
		"narrow":  movingNest(loop.MemU16, 9, 1, false, true),
		"apart":   movingNest(loop.MemF32, mostWords, 2, false, true),
		"no loop": movingNest(loop.MemF32, mostWords, 1, false, false),
	} {
		if movesWords(nest) {
			t.Errorf("%s: short vectors are enough for\n%s", name, nest)
		}
	}
}
