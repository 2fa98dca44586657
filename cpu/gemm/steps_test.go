package gemm

import (
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/shape"
)

// TestPlacedSteps: the steps that tables hold are all rows of C, each once, in blocks that begin where they say, and no
// step is of two runs.
func TestPlacedSteps(t *testing.T) {
	for _, tier := range tiers() {
		r := rand.New(rand.NewPCG(31, uint64(tier)))
		tables := 0
		for range 60 {
			n, features := 1+r.IntN(60), 2*(1+r.IntN(20))
			high, wide, taps := 2+r.IntN(30), 4+r.IntN(60), 1+r.IntN(3)
			s, _, _ := windowsOf(shape.F32, high, wide, taps, 1, features, n)
			p, err := New(s, Config{Tier: tier, Threads: 1, L2: 64 << 10})
			if err != nil {
				t.Fatal(err)
			}
			for i := range p.forms {
				if f := &p.forms[i]; f.placed != nil {
					tables++
					checkPlaced(t, p, f)
				}
			}
		}
		if tables < 20 {
			t.Errorf("%v: expected at least 20 tables, got %d", tier, tables)
		}
	}
}

func checkPlaced(t *testing.T, p *Product, f *form) {
	t.Helper()
	seen := make([]int, p.m)
	for b, block := range f.placed {
		for _, s := range block {
			if f.micro[s.mr] == nil {
				t.Fatalf("%v: expected a kernel of %d rows", p, s.mr)
			}
			for _, at := range s.places {
				row := int(at.c) / (p.n * 4)
				if row/p.mc != b || p.rowsC.at(row)*4 != int(at.c) || p.together(row, s.mr) != s.mr {
					t.Fatalf("%v: block %d of %d rows: %d rows at %+v", p, b, p.mc, s.mr, at)
				}
				if want := p.rowOf(b*p.mc, row-b*p.mc); int(at.a) != want {
					t.Fatalf("%v: row %d: expected place %d in A, got %d", p, row, want, at.a)
				}
				for i := range s.mr {
					seen[row+i]++
				}
			}
		}
	}
	for row, n := range seen {
		if n != 1 {
			t.Fatalf("%v: expected row %d once, got %d times", p, row, n)
		}
	}
}

// TestFarSteps: rows that are farther apart than a place tells are in no table.
func TestFarSteps(t *testing.T) {
	for _, far := range []bool{false, true} {
		s, _, _ := windowsOf(shape.F32, 40, 9, 3, 1, 16, 16)
		for i := range s.A.Free {
			if d := &s.A.Free[i]; i == 0 && far {
				d.Stride *= 1 << 28
			}
		}
		for _, tier := range tiers() {
			p, err := New(s, Config{Tier: tier, Threads: 1})
			if err != nil {
				t.Fatal(err)
			}
			if p.tabled() == far {
				t.Errorf("%v: expects a table: %v, of rows %v", tier, !far, s.A.Free)
			}
		}
	}
}

// TestStrips: steps of one column go down the runs where the runs of a window are more than the first-level cache holds
// and what a step reads is less.
func TestStrips(t *testing.T) {
	for _, test := range []struct {
		wide, taps, features, n int
		down                    bool
	}{
		{112, 3, 32, 1, true},
		{40, 3, 32, 1, false},   // the cache holds all runs
		{112, 3, 192, 1, false}, // nor what a step reads
		{112, 3, 32, 16, false},
	} {
		s, width, all := windowsOf(shape.F32, 20, test.wide, test.taps, 1, test.features, test.n)
		for _, tier := range tiers() {
			if tier == exec.Portable {
				continue
			}
			p, err := New(s, Config{Tier: tier, Threads: 1})
			if err != nil {
				t.Fatal(err)
			}
			if p.forms[0].placed == nil {
				t.Fatalf("%v: expects a table", p)
			}
			checkPlaced(t, p, &p.forms[0])
			list := p.forms[0].placed[0][0].places
			next := int(list[1].c-list[0].c) / (4 * test.n)
			if down := next == p.runOfRows(); down != test.down {
				t.Errorf("%v: on %v the second step is %d rows behind the first", p, tier, next)
			}
			check(t, pools(t), s, tier, (20+test.taps-1)*width, all*test.n)
		}
	}
}
