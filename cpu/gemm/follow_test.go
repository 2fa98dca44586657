package gemm

import (
	"bytes"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/shape"
)

// after keeps what C held when its rows were said to be complete.
type after struct {
	t        *testing.T
	mu       sync.Mutex
	c, seen  []byte
	row      int // bytes
	together int
	times    []int
}

func (a *after) Do(_, lo, hi int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if lo%a.together != 0 || hi%a.together != 0 || lo >= hi {
		a.t.Errorf("expected rows in multiples of %d, got [%d, %d)", a.together, lo, hi)
	}
	copy(a.seen[lo*a.row:hi*a.row], a.c[lo*a.row:hi*a.row])
	for i := lo; i < hi; i++ {
		a.times[i]++
	}
}

// TestFollows: all rows are complete when they are said to be, once, and C has the same bits as otherwise.
func TestFollows(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	for _, threads := range []int{1, 3} {
		if testing.Short() && threads == 1 {
			continue
		}
		pool := exec.NewPool(threads)
		defer pool.Close()
		for _, tier := range tiers() {
			followed := map[route]int{}
			for i := range 200 {
				ty := []shape.ElementType{shape.F32, shape.F64, shape.S32}[i%3]
				together := 1 + r.IntN(9)
				batch, m, n, k := 1+r.IntN(2), together*(1+r.IntN(60)), 1+r.IntN(100), 1+r.IntN(40)
				if i%2 == 1 { // some of these are packed by item
					batch, m = 6+r.IntN(20), together*(1+r.IntN(5))
				}
				s := Spec{C: ty, Together: together, Constant: i%4 == 0}
				var na, nb int
				s.A, na = operand(ty, layout(r.IntN(3)), batch, m, k, false)
				s.B, nb = operand(ty, layout(r.IntN(3)), batch, n, k, true)
				c := Config{Tier: tier, Threads: threads, L1: 8 << 10, L2: 64 << 10}
				a, b := fill(r, ty, na).Bytes(), fill(r, ty, nb).Bytes()
				if p := follow(t, pool, s, c, a, b); p != nil {
					followed[p.routeB]++
				}
			}
			if followed[inPlace] < 5 || followed[constant] < 5 || followed[packedBy] < 5 {
				t.Errorf("%v: expected at least 5 products of each kind that are followed, got %v", tier, followed)
			}
		}
	}
}

// follow runs s with something after it, if it takes that, and without, and returns what it is planned as if it does.
func follow(t *testing.T, pool *exec.Pool, s Spec, c Config, a, b []byte) (p *Product) {
	t.Helper()
	plain := s
	plain.Together = 0
	var results [2][]byte
	may := false
	for i, spec := range []Spec{plain, s} {
		var err error
		if p, err = New(spec, c); err != nil {
			t.Fatal(err)
		}
		if i == 0 && p.Follows() {
			t.Errorf("%v: expected nothing to follow unless that is asked for", p)
		}
		if i == 0 {
			may = p.MayFollow()
		} else if !p.Follows() {
			return nil
		} else if !may {
			t.Errorf("%v: nothing would have asked for it", p)
		}
		if err := new(Library).Compile(p); err != nil {
			t.Fatal(err)
		}
		rows := s.Batch() * s.M()
		args := Args{A: a, B: b, C: make([]byte, rows*s.N()*s.C.ByteSize()), Scratch: scratchFor(p)}
		if p.PackedBytes() > 0 {
			args.Packed = p.Prepack(b)
		}
		check := &after{t: t, c: args.C, seen: make([]byte, len(args.C)), row: s.N() * s.C.ByteSize(),
			together: s.Together, times: make([]int, rows)}
		if i == 1 {
			args.After = check
		}
		var j Job
		j.Run(pool, p, args)
		if i == 1 && !bytes.Equal(check.seen, args.C) {
			t.Errorf("%v: rows were changed after they were complete", p)
		}
		for row, n := range check.times {
			if n != i {
				t.Fatalf("%v: expected row %d to be complete %d times, got %d", p, row, i, n)
			}
		}
		results[i] = args.C
	}
	if !bytes.Equal(results[0], results[1]) {
		t.Errorf("%v: other bits if something follows", &s)
	}
	return p
}
