package emit

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// indexedNest copies, for each i, x[2i] and x[2i+1] from factor*n elements on, halved and turned round, where n is
// what a buffer says.
func indexedNest(extent, factor, most int64) *loop.Nest {
	b := loop.NewBuilder("indexed")
	round := b.Buffer(loop.Buffer{Name: "round", Bytes: 8})
	bytes := 4 * (2*extent + factor*most)
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: bytes})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: bytes, Write: true, Stream: true})
	n := b.Load(loop.Access{Buffer: round, Mem: loop.MemI32}, 0)
	from := b.Op(loop.Mul, loop.I32, n, b.Int(loop.I32, factor))
	b.Each(loop.Spec{Extent: extent, Lanes: true, Parallel: true}, func(i int) {
		at := func(buffer int, offset int64) loop.Access {
			return loop.Access{Buffer: buffer, Offset: offset, Terms: []loop.Term{{Var: i, Stride: 2}}, Index: from,
				Mem: loop.MemF32}
		}
		re, im := b.Load(at(x, 0), 0), b.Load(at(x, 1), 0)
		half := b.Float(loop.F32, 0.5)
		re, im = b.Op(loop.Mul, loop.F32, im, half), b.Op(loop.Mul, loop.F32, re, half)
		b.Store(at(y, 0), re, 0)
		b.Store(at(y, 1), im, 0)
	})
	return b.Nest()
}

// TestIndexedPairs: the parts of complex numbers that lie from an index on, the same for all lanes, are read and
// written as whole vectors, past the caches where the index is a multiple of a line.
func TestIndexedPairs(t *testing.T) {
	const most = 3
	r := rand.New(rand.NewPCG(1, 8))
	for _, extent := range []int64{1, 5, 16, 48, 64, 75} {
		for _, factor := range []int64{1, 2, 3, 16, 48} {
			n := indexedNest(extent, factor, most)
			for _, tier := range emulatedTiers {
				t.Run(fmt.Sprintf("%d/%d/%s", extent, factor, tier.name), func(t *testing.T) {
					from := []byte{byte(r.IntN(most + 1)), 7: 0}
					in := make([]byte, n.Buffers[1].Bytes)
					out, want := make([]byte, len(in)), make([]byte, len(in))
					looptest.Fill(r, loop.MemF32, in)
					portable(t, n, [][]byte{from, in, want}, 0, extent)
					emulate(t, n, tier.target, [][]byte{from, in, out}, 0, extent)
					if d := looptest.Diff(loop.MemF32, out, want); d >= 0 {
						t.Errorf("[%d] differs", d)
					}
				})
			}
		}
	}
	checkStreams(t, "lines", indexedNest(64, 16, most), "ymm", "zmm")
	checkStreams(t, "pieces", indexedNest(64, 6, most), "", "")
	if code := fmt.Sprint(assembled(t, indexedNest(64, 6, most))); strings.Contains(code, asm.VPSCATTERDD.String()) {
		t.Errorf("expected whole vectors, got\n%s", code)
	}
}

// assembled lists the instructions of n for AVX-512.
func assembled(t *testing.T, n *loop.Nest) (list []string) {
	t.Helper()
	for code := assemble(t, n, Target{AVX512: true}); len(code) > 0; {
		in, size, err := asm.Decode(code)
		if err != nil {
			break // constants
		}
		code, list = code[size:], append(list, in.Op.String())
	}
	return list
}
