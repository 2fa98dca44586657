package plan

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/goxla/xla/shape"
)

// copies makes a plan of an argument, buffer 0, temporary buffers of these sizes from 1 on, and copies between them.
// The last copy makes the result.
func copies(sizes []int, steps ...Copy) *Plan {
	p := &Plan{Name: "copies", Buffers: []Buffer{{Kind: Param, Bytes: 1}}, Params: []Value{{Buffer: 0}}, Body: &Sequence{}}
	for _, n := range sizes {
		p.Buffers = append(p.Buffers, Buffer{Kind: Temp, Shape: shape.Make(shape.U8, n), Bytes: int64(n)})
	}
	for k := range steps {
		p.Body.Steps = append(p.Body.Steps, &steps[k])
		p.Body.Result = Value{Buffer: steps[k].To}
	}
	return p
}

// TestAssign: the largest buffers have places first, each in the lowest gap; what is over makes room.
func TestAssign(t *testing.T) {
	for _, test := range []struct {
		name    string
		sizes   []int
		steps   []Copy
		offsets []int64
		arena   int64
	}{
		{"one_after_the_other", []int{64, 64, 64}, []Copy{{0, 1}, {1, 2}, {2, 3}}, []int64{0, 64, 0}, 128},
		{"rounded_up", []int{1, 65}, []Copy{{0, 1}, {1, 2}}, []int64{128, 0}, 192},
		{"largest_first", []int{64, 256}, []Copy{{0, 1}, {1, 2}}, []int64{256, 0}, 320},
		{"all_at_once", []int{64, 64, 64}, []Copy{{0, 1}, {0, 2}, {1, 3}, {2, 3}}, []int64{0, 64, 128}, 192},
		{"in_a_gap", []int{256, 64, 128, 64}, []Copy{{0, 1}, {1, 3}, {3, 2}, {2, 4}}, []int64{0, 0, 256, 64}, 384},
	} {
		p := copies(test.sizes, test.steps...)
		assign(p)
		for k, want := range test.offsets {
			if got := p.Buffers[k+1].Offset; got != want {
				t.Errorf("%s: buffer b%d: expected to be at %d, got %d", test.name, k+1, want, got)
			}
		}
		if p.ArenaBytes != test.arena {
			t.Errorf("%s: expected an arena of %d bytes, got %d", test.name, test.arena, p.ArenaBytes)
		}
		if err := p.Check(); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// TestAssignRandom: in random copies no value is overwritten that is still read.
func TestAssignRandom(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 5))
		sizes := make([]int, 3+rng.IntN(8))
		for k := range sizes {
			sizes[k] = 1 + rng.IntN(400)
		}
		written := []int{0}
		var steps []Copy
		for range 4 + rng.IntN(20) {
			c := Copy{written[rng.IntN(len(written))], 1 + rng.IntN(len(sizes))}
			steps, written = append(steps, c), append(written, c.To)
		}
		p := copies(sizes, steps...)
		for k := range p.Buffers {
			if !slices.Contains(written, k) {
				p.Buffers[k].Bytes = 0
			}
		}
		assign(p)
		if err := p.Check(); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, p)
		}
	}
}

// TestCheck: what Check must find.
func TestCheck(t *testing.T) {
	good := func() *Plan {
		p := copies([]int{64, 64, 64}, Copy{0, 1}, Copy{0, 2}, Copy{1, 3}, Copy{2, 3})
		assign(p)
		return p
	}
	if err := good().Check(); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, want string
		spoil      func(p *Plan)
	}{
		{"overlap", "b1 is read where it does not hold", func(p *Plan) { p.Buffers[2].Offset = p.Buffers[1].Offset + 63 }},
		{"never_written", "b2 is read", func(p *Plan) { p.Body.Steps[1].(*Copy).To = 1 }},
		{"beyond_the_arena", "beyond the arena", func(p *Plan) { p.ArenaBytes-- }},
		{"result", "b2 is read", func(p *Plan) { p.Buffers[2].Offset, p.Body.Result.Buffer = p.Buffers[3].Offset, 2 }},
	} {
		p := good()
		test.spoil(p)
		if err := p.Check(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: expected an error with %q, got %v", test.name, test.want, err)
		}
	}
}
