package fuse_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/fuse"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/tile"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/hlotest"
)

// TestFarRows: twice as many rows of what comes from memory are added at a time, in the same order.
func TestFarRows(t *testing.T) {
	const text = `HloModule m
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY e {
  x = f32[1037,300] parameter(0)
  z = f32[] constant(1)
  ROOT s = f32[300] reduce(x, z), dimensions={0}, to_apply=add
}
`
	m, err := hlotext.Parse(text, hlotext.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	x := hlotest.Arguments(rand.New(rand.NewPCG(5, 0)), m)[0]
	var sums [2][]byte
	for k, c := range []struct{ from, loads int }{{4 * 1037 * 300, 8}, {4*1037*300 + 1, 4}} {
		s := specOf(m.Entry().Root())
		s.AskFrom = c.from
		kernel, err := fuse.Build(s)
		if err != nil {
			t.Fatal(err)
		}
		most := 0
		kernel.Nest.Root.EachLoop(func(l *loop.Loop) {
			loads := 0
			for _, n := range l.Body {
				if i := kernel.Nest.Inst(n.Value); n.Loop == nil && i.Op == loop.Load &&
					!kernel.Nest.Buffers[kernel.Nest.Accesses[i.Access].Buffer].Write {
					loads++
				}
			}
			most = max(most, loads)
		})
		if most != c.loads {
			t.Errorf("from %d bytes on: expected %d rows at a time, got %d", c.from, c.loads, most)
		}
		sums[k] = runFar(t, kernel, x.Bytes())
	}
	if !bytes.Equal(sums[0], sums[1]) {
		t.Error("sums differ")
	}
}

// runFar runs a kernel of one parameter and returns its result.
func runFar(t *testing.T, k *fuse.Kernel, x []byte) (result []byte) {
	t.Helper()
	bufs := make([][]byte, len(k.Nest.Buffers))
	for n, b := range k.Nest.Buffers {
		if bufs[n] = x; b.Write {
			bufs[n] = make([]byte, b.Bytes)
		}
		if b.Write && !b.Scratch {
			result = bufs[n]
		}
	}
	p, err := tile.Compile(k.Nest)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Run(bufs, 0, k.Nest.Outermost().Extent); err != nil {
		t.Fatal(err)
	}
	return result
}
