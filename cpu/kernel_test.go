package cpu

import (
	"testing"

	"github.com/goxla/xla/cpu/loop"
)

// Elements that are apart in memory take longer than neighbours.
func TestWorkOfLines(t *testing.T) {
	const extent = 10
	for _, c := range []struct{ stride, want int64 }{{1, 1}, {-1, 1}, {-4, 4}, {1000, mostLines}} {
		n := &loop.Nest{
			Insts:    []loop.Inst{{}, {Op: loop.Load, Kind: loop.F32}},
			Accesses: []loop.Access{{Terms: []loop.Term{{Var: 0, Stride: 7}, {Var: 1, Stride: c.stride}}}},
		}
		lanes := &loop.Loop{Var: 1, Lanes: true, Extent: extent, Body: loop.Block{{Value: 1}}}
		n.Root = loop.Block{{Loop: &loop.Loop{Var: 0, Extent: extent, Body: loop.Block{{Loop: lanes}}}}}
		if got := work(n, n.Root, 1, -1); got != c.want*extent*extent {
			t.Errorf("stride %d: expected %d, got %d", c.stride, c.want*extent*extent, got)
		}
	}
}
