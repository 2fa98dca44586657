package plan

import (
	"testing"

	"github.com/goxla/xla/cpu/loop"
)

// TestOverwritesRead: a nest that does several rows in an iteration may write them over what it reads if it reads none
// but those, and no two iterations have one in common.
func TestOverwritesRead(t *testing.T) {
	for name, c := range map[string]struct {
		rows, pitch   int64 // of an iteration, and elements from one to the next
		loads, stores []int64
		want          bool
	}{
		"one":             {1, 32, []int64{0}, []int64{0}, true},
		"two":             {2, 32, []int64{0, 32}, []int64{0, 32}, true},
		"three, apart":    {3, 64, []int64{0, 64, 128}, []int64{128, 0, 64}, true},
		"reads the first": {2, 32, []int64{0}, []int64{0, 32}, true},
		"reads another":   {2, 32, []int64{0, 64}, []int64{0, 32}, false},
		"reads the next":  {1, 32, []int64{32}, []int64{0}, false},
		"meet":            {1, 32, []int64{0, 32}, []int64{0, 32}, false},
		"overlap":         {2, 32, []int64{0, 16}, []int64{0, 16}, false},
		"uneven":          {4, 32, []int64{0, 32, 96}, []int64{0, 32, 96}, false},
		"twice":           {2, 32, []int64{0}, []int64{0, 0}, false},
	} {
		b := loop.NewBuilder(name)
		x := b.Buffer(loop.Buffer{Name: "x", Bytes: 1 << 16})
		y := b.Buffer(loop.Buffer{Name: "y", Bytes: 1 << 16, Write: true})
		b.Each(loop.Spec{Extent: 10, Parallel: true}, func(i int) {
			b.Each(loop.Spec{Extent: 32, Lanes: true, Parallel: true}, func(j int) {
				at := func(buffer int, offset int64) loop.Access {
					return loop.Access{Buffer: buffer, Offset: offset, Mem: loop.MemF32,
						Terms: []loop.Term{{Var: i, Stride: c.rows * c.pitch}, {Var: j, Stride: 1}}}
				}
				sum := b.Float(loop.F32, 1)
				for _, o := range c.loads {
					sum = b.Op(loop.Add, loop.F32, sum, b.Load(at(x, o), 0))
				}
				for _, o := range c.stores {
					b.Store(at(y, o), sum, 0)
				}
			})
		})
		if got := overwritesRead(b.Nest(), x, y); got != c.want {
			t.Errorf("%s: expected %v, got %v\n%v", name, c.want, got, b.Nest())
		}
	}
}
