package gemm

import (
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/shape"
)

// Threads take part where each has enough to do, more where what is multiplied has just been written.
func TestThreads(t *testing.T) {
	f32, bf16 := shape.F32, shape.BF16
	for _, c := range []struct {
		name           string
		of             shape.ElementType
		m, n, k        int
		fresh          bool
		narrow, wide   int
		threads, batch int
	}{
		{"little", f32, 48, 48, 48, false, 1, 1, 2, 1},
		{"half as fast", f32, 64, 64, 64, false, 2, 1, 2, 1},
		{"enough", f32, 96, 96, 96, false, 2, 2, 2, 1},
		{"fresh", f32, 96, 96, 96, true, 2, 1, 2, 1},
		{"fresh, but much", f32, 256, 256, 256, true, 2, 2, 2, 1},
		{"some of the threads", f32, 128, 128, 128, false, 16, 11, 16, 1},
		{"a vector and a matrix", f32, 1, 512, 512, false, 2, 2, 2, 1},
		{"a batch", f32, 16, 16, 16, false, 8, 8, 8, 500},
		{"a batch of the smallest", bf16, 1, 3, 8, false, 2, 2, 2, 100000},
		{"a batch of few of them", bf16, 1, 3, 8, false, 1, 1, 2, 100},
		{"narrow elements", bf16, 64, 64, 64, false, 2, 1, 2, 1},
	} {
		for tier, want := range map[exec.Tier]int{exec.AVX2: c.narrow, exec.AVX512: c.wide} {
			s := Spec{C: f32}
			s.A, _ = operand(c.of, rowMajor, c.batch, c.m, c.k, false)
			s.B, _ = operand(c.of, rowMajor, c.batch, c.n, c.k, true)
			s.A.Fresh, s.B.Fresh = c.fresh, c.fresh
			p, err := New(s, Config{Tier: tier, Threads: c.threads})
			if err != nil {
				t.Fatal(err)
			}
			if got := p.threads(); got != want {
				t.Errorf("%s on %v: expected %d threads, got %d", c.name, tier, want, got)
			}
		}
	}
}

// TestThreadsOfHalves: where vectors of 64 bytes take two slots, less work is enough for two threads.
func TestThreadsOfHalves(t *testing.T) {
	for halves, want := range map[bool]int{false: 1, true: 2} {
		s := Spec{C: shape.F32}
		s.A, _ = operand(shape.F32, rowMajor, 1, 64, 64, false)
		s.B, _ = operand(shape.F32, rowMajor, 1, 64, 64, true)
		p, err := New(s, Config{Tier: exec.AVX512, Threads: 2, Halves: halves})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.threads(); got != want {
			t.Errorf("halves %v: expected %d threads, got %d", halves, want, got)
		}
	}
}

// TestItemsOfDepths: where lanes are depths, all of them count when it is found how many items are worth it.
func TestItemsOfDepths(t *testing.T) {
	for _, ty := range []shape.ElementType{shape.F32, shape.F64} {
		for _, tier := range []exec.Tier{exec.AVX2, exec.AVX512} {
			s := Spec{C: ty, Rows: Axis{{64, 64}, {64, 1}}}
			s.A = Operand{Type: ty, Free: Axis{{64, 66 * 32}, {64, 32}}, Depth: Axis{{3, 66 * 32}, {96, 1}}}
			s.B = Operand{Type: ty, Depth: Axis{{288, 1}}}
			p, err := New(s, Config{Tier: tier, Threads: 2})
			if err != nil {
				t.Fatal(err)
			}
			if !p.kind.ones() {
				t.Fatalf("expected lanes that are depths, got kind %d", p.kind)
			}
			if n := (&Job{p: p, count: 1, last: len(p.panels)}).items(); n < 2 {
				t.Errorf("%v on %v: %v: expected an item for each thread, got %d", ty, tier, p, n)
			}
		}
	}
}
