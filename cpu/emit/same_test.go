package emit

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/exec/guard"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// Of 11 rows 7 are summed for each of 5 results.
const bags, perBag, bagRows = 5, 7, 11

// offset is what is added to an index.
type offset func(b *loop.Builder, row, j loop.Value) loop.Value

// bagNest is y[i, j] = sum over k of x[r[i, k], j + more(j)]: each row that is summed is that of an index in memory.
func bagNest(m loop.Mem, width int64, more offset) *loop.Nest {
	b := loop.NewBuilder("bag")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: bagRows * width * m.Bytes()})
	r := b.Buffer(loop.Buffer{Name: "r", Bytes: bags * perBag * 4})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: bags * width * 4, Write: true})
	b.Each(loop.Spec{Extent: bags, Parallel: true}, func(i int) {
		b.Each(loop.Spec{Extent: width, Lanes: true}, func(j int) {
			zero := []loop.Reduction{{Init: b.Float(loop.F32, 0)}}
			sum := b.For(loop.Spec{Extent: perBag}, zero, func(k int, phi []loop.Value) []loop.Value {
				row := b.Load(loop.Access{Buffer: r, Mem: loop.MemI32,
					Terms: []loop.Term{{Var: i, Stride: perBag}, {Var: k, Stride: 1}}}, 0)
				row = b.Op(loop.Max, loop.I32, row, b.Int(loop.I32, 0))
				row = b.Op(loop.Min, loop.I32, row, b.Int(loop.I32, bagRows-1))
				at := loop.Access{Buffer: x, Mem: m, Terms: []loop.Term{{Var: j, Stride: 1}},
					Index: b.Op(loop.Mul, loop.I32, row, b.Int(loop.I32, width))}
				if more != nil {
					at.Terms, at.Index = nil, b.Op(loop.Add, loop.I32, at.Index, more(b, row, b.Index(loop.I32, j)))
				}
				v := b.Load(at, 0)
				if m.Kind() != loop.F32 {
					v = b.Op(loop.SToF, loop.F32, v)
				}
				return []loop.Value{b.Op(loop.Add, loop.F32, phi[0], v)}
			})
			b.Store(loop.Access{Buffer: y, Mem: loop.MemF32,
				Terms: []loop.Term{{Var: i, Stride: width}, {Var: j, Stride: 1}}}, sum[0], 0)
		})
	})
	return b.Nest()
}

// TestSameIndex: rows that a loop inside of a lane loop finds are read by vectors, whatever their width; where the
// index differs between lanes too, elements are those that it tells.
func TestSameIndex(t *testing.T) {
	backwards := func(b *loop.Builder, _, j loop.Value) loop.Value {
		return b.Op(loop.And, loop.I32, b.Op(loop.Xor, loop.I32, j, b.Int(loop.I32, 3)), b.Int(loop.I32, 7))
	}
	byRow := func(b *loop.Builder, row, j loop.Value) loop.Value {
		return b.Op(loop.Min, loop.I32, row, j)
	}
	for _, m := range []loop.Mem{loop.MemF32, loop.MemBF16, loop.MemS8} {
		for _, width := range []int64{8, 16, 21, 64, 70, 200} {
			for k, more := range []offset{nil, backwards, byRow} {
				t.Run(fmt.Sprintf("%v %d %d", m, width, k), func(t *testing.T) {
					checkBag(t, bagNest(m, width, more), m, width, more == nil)
				})
			}
		}
	}
}

func checkBag(t *testing.T, nest *loop.Nest, m loop.Mem, width int64, whole bool) {
	x, r, want := guard.After(t, int(bagRows*width*m.Bytes())), aligned(bags*perBag*4), aligned(int(bags*width)*4)
	for k := range int(bagRows * width) {
		switch m {
		case loop.MemF32:
			binary.LittleEndian.PutUint32(x[4*k:], math.Float32bits(float32(k%97)))
		case loop.MemBF16:
			binary.LittleEndian.PutUint16(x[2*k:], uint16(math.Float32bits(float32(k%97))>>16))
		default:
			x[k] = byte(k)
		}
	}
	for k := range bags * perBag {
		binary.LittleEndian.PutUint32(r[4*k:], uint32(int32(k*5%13-1)))
	}
	portable(t, nest, [][]byte{x, r, want}, 0, bags)
	for name, target := range tiers() {
		got := aligned(len(want))
		native(t, nest, target, [][]byte{x, r, got}, 0, bags)
		if i := looptest.Diff(loop.MemF32, got, want); i >= 0 {
			t.Errorf("%s: element %d differs", name, i)
		}
		code := assemble(t, nest, target)
		apart := hasGather(code) || count(code, asm.VPINSRW) >= 8 || count(code, asm.VPINSRB) >= 16
		if exact := width%32 == 0; whole && apart && (exact || target.AVX512) {
			t.Errorf("%s: elements are read one by one", name)
		}
	}
	for _, tier := range emulatedTiers {
		got := make([]byte, len(want))
		emulate(t, nest, tier.target, [][]byte{x, r, got}, 0, bags)
		if i := looptest.Diff(loop.MemF32, got, want); i >= 0 {
			t.Errorf("%s emulated: element %d differs", tier.name, i)
		}
	}
}
