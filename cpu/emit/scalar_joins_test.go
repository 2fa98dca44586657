package emit

import (
	"encoding/binary"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// joinedNest stores, for 256 numbers, what choices and loops give whose condition joins comparisons of bits of the
// number; a float is compared too where mixed is set, and longer conditions are there where many is.
func joinedNest(mixed, many bool) *loop.Nest {
	b := loop.NewBuilder("joined")
	const n = 256
	out := b.Buffer(loop.Buffer{Name: "out", Bytes: n * 16 * 4, Write: true})
	start := []loop.Value{b.Int(loop.I32, 0), b.Float(loop.F32, 0)}
	b.While(start, func(v []loop.Value) loop.Value {
		return b.Cmp(loop.LT, v[0], b.Int(loop.I32, n))
	}, func(v []loop.Value) []loop.Value {
		at, to := b.Op(loop.SExt, loop.I64, b.Op(loop.Mul, loop.I32, v[0], b.Int(loop.I32, 16))), int64(0)
		bit := func(k int64) loop.Value {
			x := b.Op(loop.And, loop.I32, v[0], b.Int(loop.I32, 1<<k))
			return b.Cmp(loop.NE, x, b.Int(loop.I32, 0))
		}
		join := func(o loop.Op, x ...loop.Value) loop.Value { return b.Op(o, loop.Mask, x...) }
		last := bit(3)
		if mixed {
			last = b.Cmp(loop.LT, v[1], b.Float(loop.F32, 100))
		}
		x, y, z := bit(0), bit(1), bit(2)
		long := join(loop.Or, join(loop.Or, join(loop.Or, bit(4), bit(5)), join(loop.And, bit(6), bit(7))), last)
		masks := []loop.Value{join(loop.Or, x, y), join(loop.AndNot, x, y), join(loop.Not, join(loop.And, x, y)),
			join(loop.And, join(loop.Or, x, last), join(loop.Not, join(loop.AndNot, y, z))),
			join(loop.AndNot, join(loop.Or, z, last), join(loop.Or, x, join(loop.Not, y))),
			join(loop.Or, join(loop.AndNot, x, last), join(loop.And, y, join(loop.Or, z, x)))}
		if many {
			masks = append(masks, join(loop.And, long, join(loop.Or, join(loop.AndNot, long, x), y)))
		}
		for _, m := range masks {
			count := b.While([]loop.Value{b.Int(loop.I32, 7)}, func(s []loop.Value) loop.Value {
				more := join(loop.And, m, b.Cmp(loop.LT, s[0], b.Int(loop.I32, 12)))
				return join(loop.Or, b.Cmp(loop.LT, s[0], b.Int(loop.I32, 9)), more)
			}, func(s []loop.Value) []loop.Value {
				return []loop.Value{b.Op(loop.Add, loop.I32, s[0], b.Int(loop.I32, 1))}
			})
			for _, r := range []loop.Value{b.Op(loop.Select, loop.I32, m, v[0], b.Int(loop.I32, -1)), count[0]} {
				b.Store(loop.Access{Buffer: out, Index: at, Offset: to, Mem: loop.MemI32}, r, 0)
				to++
			}
		}
		return []loop.Value{b.Op(loop.Add, loop.I32, v[0], b.Int(loop.I32, 1)),
			b.Op(loop.Add, loop.F32, v[1], b.Float(loop.F32, 1))}
	})
	return b.Nest()
}

// TestJoinedConditions compares choices and loops by joined comparisons, outside of lane loops, with package tile;
// short ones take no masks.
func TestJoinedConditions(t *testing.T) {
	for k := range 4 {
		nest := joinedNest(k&1 != 0, k&2 != 0)
		if err := nest.Verify(); err != nil {
			t.Fatal(err)
		}
		want := aligned(int(nest.Buffers[0].Bytes))
		portable(t, nest, [][]byte{want}, 0, 1)
		for name, target := range tiers() {
			got := aligned(len(want))
			native(t, nest, target, [][]byte{got}, 0, 1)
			for i := range len(want) / 4 {
				if g, w := binary.LittleEndian.Uint32(got[4*i:]), binary.LittleEndian.Uint32(want[4*i:]); g != w {
					t.Fatalf("%s: number %d, result %d: expected %d, got %d", name, i/16, i%16, int32(w), int32(g))
				}
			}
		}
		for in := range decoded(assemble(t, nest, emulatedTiers[1].target)) {
			if k&2 == 0 && (in.Op == asm.KMOVWKR || in.Op == asm.KMOVWRK) {
				t.Errorf("%v is there", in.Op)
			}
		}
	}
}
