package dense

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/exec"
)

// tiers are those of this machine with kernels of their own.
func tiers() (list []exec.Tier) {
	for tier := exec.Portable; tier <= min(exec.Host().Tier(), exec.AVX512); tier++ {
		list = append(list, tier)
	}
	return list
}

// TestSteps holds the steps of each tier against sums in float64.
func TestSteps(t *testing.T) {
	for _, tier := range tiers() {
		testSteps[float32](t, tier, 1e-5)
		testSteps[float64](t, tier, 1e-13)
	}
}

func testSteps[T Float](t *testing.T, tier exec.Tier, limit float64) {
	k, err := New[T](tier)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for vectors := 1; vectors <= MostVectors; vectors++ {
		for _, depth := range []int{0, 1, 4, 7, 70} {
			for _, solves := range []bool{false, true} {
				t.Run(fmt.Sprintf("%v %T %d %d %v", tier, limit, vectors, depth, solves), func(t *testing.T) {
					testStep(t, r, k, Step[T]{Vectors: vectors, Steps: 3, Depth: depth}, solves, limit)
				})
			}
		}
	}
}

func testStep[T Float](t *testing.T, r *rand.Rand, k *Kernels[T], s Step[T], solves bool, limit float64) {
	width, deep := s.Vectors*k.Lanes, s.Depth+s.Steps*k.Rows
	s.DepthA, s.RowB = k.Rows+r.IntN(3), width+r.IntN(5)
	s.RowC, s.StepA = s.RowB, deep*s.DepthA+r.IntN(3)
	s.A = random[T](r, s.Steps*s.StepA)
	s.B = random[T](r, deep*s.RowB) // C are its last rows
	s.C = s.B[s.Depth*s.RowB:]
	s.Inverse = random[T](r, s.Steps*k.Rows)
	want := make([]float64, len(s.B))
	for i, x := range s.B {
		want[i] = float64(x)
	}
	for row := range s.Steps * k.Rows {
		last := s.Depth
		if solves {
			last += row
		}
		for j := range width {
			sum := &want[(s.Depth+row)*s.RowB+j]
			for d := range last {
				a := s.A[row/k.Rows*s.StepA+d*s.DepthA+row%k.Rows]
				*sum -= float64(a) * want[d*s.RowB+j]
			}
			if solves {
				*sum *= float64(s.Inverse[row])
			}
		}
	}
	if solves {
		k.Solve(s)
	} else {
		k.Subtract(s)
	}
	for i, x := range s.B {
		if !(math.Abs(float64(x)-want[i]) <= limit*max(1, math.Abs(want[i]))) {
			t.Fatalf("number %d: expected %g, got %g", i, want[i], x)
		}
	}
}

func random[T Float](r *rand.Rand, n int) []T {
	list := make([]T, n)
	for i := range list {
		list[i] = T(2*r.Float64() - 1)
	}
	return list
}

// TestLongSteps: what is cut into several calls of machine code is the same as one step after the other.
func TestLongSteps(t *testing.T) {
	for _, tier := range tiers() {
		k, err := New[float32](tier)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(3, 4))
		const n = 1200
		l := k.Layout(n, 3*k.Lanes)
		a, x, inverse := random[float32](r, n*n), random[float32](r, n*l.Width), random[float32](r, n)
		for i := range a {
			a[i] /= n
		}
		whole, single := append([]float32(nil), x...), append([]float32(nil), x...)
		s := Step[float32]{A: a, DepthA: k.Rows, StepA: n * k.Rows, B: whole, RowB: l.Width, C: whole, RowC: l.Width,
			Vectors: 3, Steps: n / k.Rows, Inverse: inverse}
		k.Solve(s)
		for i := range s.Steps {
			one := s
			one.A, one.B, one.C = a[i*s.StepA:], single, single[i*k.Rows*s.RowC:]
			one.Steps, one.Depth, one.Inverse = 1, i*k.Rows, inverse[i*k.Rows:]
			k.Solve(one)
		}
		for i := range whole {
			if math.Float32bits(whole[i]) != math.Float32bits(single[i]) {
				t.Fatalf("%v: number %d: expected %g, got %g", tier, i, single[i], whole[i])
			}
		}
	}
}

// TestDeepSteps: steps that are too deep for one call of machine code are the same as their depths one after the other.
func TestDeepSteps(t *testing.T) {
	for _, tier := range tiers() {
		k, err := New[float32](tier)
		if err != nil {
			t.Fatal(err)
		}
		const vectors, steps, deep = 2, 2, 40001
		r, width := rand.New(rand.NewPCG(5, 6)), vectors*k.Lanes
		whole := random[float32](r, (deep+steps*k.Rows)*width) // C are its last rows
		single := append([]float32(nil), whole...)
		a, inverse := random[float32](r, (deep+steps*k.Rows)*steps*k.Rows), random[float32](r, steps*k.Rows)
		s := Step[float32]{A: a, DepthA: steps * k.Rows, StepA: k.Rows, B: whole, C: whole[deep*width:], RowB: width,
			RowC: width, Vectors: vectors, Steps: steps, Depth: deep, Inverse: inverse}
		few := s
		few.B, few.C, few.Depth = single, single[deep*width:], 100
		for d := 0; d < deep; d += few.Depth {
			few.Depth = min(few.Depth, deep-d)
			k.Subtract(few)
			few.A, few.B = few.A[few.Depth*few.DepthA:], few.B[few.Depth*width:]
		}
		few.Depth = 0
		solved := append([]float32(nil), whole...)
		k.Subtract(s)
		equalBits(t, tier.String()+" subtract", whole, single)
		k.Solve(few)
		s.B, s.C = solved, solved[deep*width:]
		k.Solve(s)
		equalBits(t, tier.String()+" solve", solved, single)
	}
}

func equalBits(t *testing.T, what string, got, want []float32) {
	t.Helper()
	for i := range want {
		if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
			t.Fatalf("%s: number %d: expected %g, got %g", what, i, want[i], got[i])
		}
	}
}

// TestStepOutside: a step that would leave its memory panics and does not run.
func TestStepOutside(t *testing.T) {
	k, err := New[float64](tiers()[len(tiers())-1])
	if err != nil {
		t.Fatal(err)
	}
	good := func() Step[float64] {
		w := k.Lanes
		return Step[float64]{A: make([]float64, 5*k.Rows), DepthA: k.Rows, B: make([]float64, 5*w), RowB: w,
			C: make([]float64, k.Rows*w), RowC: w, Vectors: 1, Steps: 1, Depth: 5}
	}
	k.Subtract(good())
	for name, change := range map[string]func(s *Step[float64]){
		"a": func(s *Step[float64]) { s.A = s.A[: len(s.A)-1 : len(s.A)-1] },
		"b": func(s *Step[float64]) { s.B = s.B[: len(s.B)-1 : len(s.B)-1] },
		"c": func(s *Step[float64]) { s.C = s.C[: len(s.C)-1 : len(s.C)-1] },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s too short: no panic", name)
				}
			}()
			s := good()
			change(&s)
			k.Subtract(s)
		}()
	}
}
