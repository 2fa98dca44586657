package plan

import (
	"testing"

	"github.com/goxla/xla/cpu/loop"
)

// reading makes a nest that reads a matrix of 6 rows of 8 numbers by an access with these terms and an offset, where
// loop 0 has 8 iterations and loop 1, the lanes, 6; other, if not nil, is a second access.
func reading(offset int64, terms []loop.Term, other *loop.Access, write bool) *loop.Nest {
	b := loop.NewBuilder("reading")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 6 * 8 * 4, Write: write})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 6 * 4, Write: true})
	b.Each(loop.Spec{Extent: 8}, func(int) {
		b.Each(loop.Spec{Extent: 6, Lanes: true}, func(r int) {
			v := b.Load(loop.Access{Buffer: x, Offset: offset, Terms: terms, Mem: loop.MemF32}, 0)
			if other != nil {
				v = b.Op(loop.Add, loop.F32, v, b.Load(*other, 0))
			}
			b.Store(loop.Access{Buffer: y, Terms: []loop.Term{{Var: r, Stride: 1}}, Mem: loop.MemF32}, v, 0)
		})
	})
	return b.Nest()
}

// TestFindTurn: a matrix is transposed if all accesses read its rows side by side, and stay in them.
func TestFindTurn(t *testing.T) {
	rows := []loop.Term{{Var: 0, Stride: 1}, {Var: 1, Stride: 8}}
	for _, test := range []struct {
		name string
		nest *loop.Nest
		want bool
	}{
		{"rows", reading(0, rows, nil, false), true},
		{"written", reading(0, rows, nil, true), false},
		{"out of its row", reading(1, rows, nil, false), false},
		{"neighbours", reading(0, []loop.Term{{Var: 0, Stride: 6}, {Var: 1, Stride: 1}}, nil, false), false},
		{"no row", reading(0, []loop.Term{{Var: 1, Stride: 7}}, nil, false), false},
		{"both ways", reading(0, rows, &loop.Access{Terms: []loop.Term{{Var: 1, Stride: 1}}, Mem: loop.MemF32}, false),
			false},
		{"two rows", reading(0, rows, &loop.Access{Offset: 7, Terms: []loop.Term{{Var: 1, Stride: 8}}, Mem: loop.MemF32},
			false), true},
	} {
		turn, ok := findTurn(test.nest, 0)
		if ok != test.want {
			t.Errorf("%s: expects %v, got %v", test.name, test.want, ok)
		}
		if !ok {
			continue
		}
		turn.apply(test.nest)
		for _, nest := range []*loop.Nest{test.nest, turn.transpose("t")} {
			if err := nest.Verify(); err != nil {
				t.Errorf("%s: %v", test.name, err)
			}
		}
	}
}
