package emit

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/goxla/xla/cpu/loop"
)

// scalarEdges are where products, quotients and shifts of integers go wrong.
var scalarEdges = []int64{0, 1, 2, 3, 7, 31, 32, 33, 63, 64, 65, 100, -1, -2, -3, -64, math.MaxInt32, math.MinInt32,
	math.MaxInt64, math.MinInt64, 1 << 33}

// scalarOperations are the operations of two integers that have code for constants.
var scalarOperations = []loop.Op{loop.Mul, loop.SDiv, loop.SRem, loop.UDiv, loop.URem, loop.Shl, loop.Shr, loop.Sar,
	loop.Min, loop.UMax, loop.Sub, loop.AndNot, loop.MulHiS, loop.MulHiU}

// constantsNest stores, for each operation, x by every constant, and every constant by x, behind one another; it does
// so in a loop that runs while there is one of x, whose number is carried.
func constantsNest(k loop.Kind) *loop.Nest {
	b := loop.NewBuilder("constants")
	m := loop.MemI32
	if k == loop.I64 {
		m = loop.MemI64
	}
	n := int64(len(scalarEdges))
	each := int64(2*len(scalarOperations)) * n
	in := b.Buffer(loop.Buffer{Name: "in", Bytes: n * m.Bytes()})
	out := b.Buffer(loop.Buffer{Name: "out", Bytes: n * each * m.Bytes(), Write: true})
	b.While([]loop.Value{b.Int(loop.I64, 0), b.Int(loop.I32, 0)}, func(v []loop.Value) loop.Value {
		more := b.Cmp(loop.LT, v[0], b.Int(loop.I64, n))
		return b.Op(loop.And, loop.Mask, more, b.Cmp(loop.NE, v[1], b.Int(loop.I32, -100)))
	}, func(v []loop.Value) []loop.Value {
		x := b.Load(loop.Access{Buffer: in, Index: v[0], Mem: m}, 0)
		at := b.Op(loop.Mul, loop.I64, v[0], b.Int(loop.I64, each))
		to := int64(0)
		for _, o := range scalarOperations {
			for _, e := range scalarEdges {
				c := b.Int(k, e)
				for _, r := range []loop.Value{b.Op(o, k, x, c), b.Op(o, k, c, x)} {
					b.Store(loop.Access{Buffer: out, Index: at, Offset: to, Mem: m}, r, 0)
					to++
				}
			}
		}
		return []loop.Value{b.Op(loop.Add, loop.I64, v[0], b.Int(loop.I64, 1)),
			b.Op(loop.Sub, loop.I32, v[1], b.Int(loop.I32, 3))}
	})
	return b.Nest()
}

// TestScalarConstants compares operations on integers and constants, in general registers, with package tile.
func TestScalarConstants(t *testing.T) {
	for _, k := range []loop.Kind{loop.I32, loop.I64} {
		nest := constantsNest(k)
		if err := nest.Verify(); err != nil {
			t.Fatal(err)
		}
		in := aligned(int(nest.Buffers[0].Bytes))
		for i, e := range scalarEdges {
			if k == loop.I64 {
				binary.LittleEndian.PutUint64(in[8*i:], uint64(e))
				continue
			}
			binary.LittleEndian.PutUint32(in[4*i:], uint32(e))
		}
		want := aligned(int(nest.Buffers[1].Bytes))
		portable(t, nest, [][]byte{in, want}, 0, 1)
		for name, target := range tiers() {
			got := aligned(len(want))
			native(t, nest, target, [][]byte{in, got}, 0, 1)
			sameBytes(t, name, k, want, got)
		}
		for _, tier := range emulatedTiers {
			got := aligned(len(want))
			emulate(t, nest, tier.target, [][]byte{in, got}, 0, 1)
			sameBytes(t, "emulated "+tier.name, k, want, got)
		}
	}
}

func sameBytes(t *testing.T, name string, k loop.Kind, want, got []byte) {
	t.Helper()
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("%s: %v: byte %d: expected %x, got %x", name, k, i, want[i], got[i])
		}
	}
}
