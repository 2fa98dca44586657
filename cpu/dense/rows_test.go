package dense

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// fresh is memory of the test.
func fresh[T Float](n int) []T { return make([]T, n) }

// backward does work in another order than inTurn.
func backward(n int, f func(k int)) bool {
	for k := n - 1; k >= 0; k-- {
		f(k)
	}
	return true
}

// rowSizes are rows and columns of less than a block, of some, and of more than a call or a thread gets.
var rowSizes = [][2]int{{1, 1}, {3, 5}, {8, 8}, {17, 40}, {33, 71}, {70, 9}, {40, 128}, {600, 130}}

// eachKernels runs a test for both types on all tiers.
func eachKernels(t *testing.T, f32 func(*testing.T, *Kernels[float32]), f64 func(*testing.T, *Kernels[float64])) {
	for _, tier := range tiers() {
		t.Run(tier.String(), func(t *testing.T) {
			k32, err := New[float32](tier)
			if err != nil {
				t.Fatal(err)
			}
			k64, err := New[float64](tier)
			if err != nil {
				t.Fatal(err)
			}
			t.Run("f32", func(t *testing.T) { f32(t, k32) })
			t.Run("f64", func(t *testing.T) { f64(t, k64) })
		})
	}
}

// filled returns a matrix of random numbers.
func filled[T Float](r *rand.Rand, k *Kernels[T], rows, cols int) Sheet[T] {
	s := k.Sheet(fresh[T], rows, cols)
	for i := range rows {
		for j := range cols {
			s.Row(i)[j] = T(2*r.Float64() - 1)
		}
	}
	return s
}

func (s Sheet[T]) copied(k *Kernels[T]) Sheet[T] {
	c := s
	c.At = Aligned(make([]T, len(s.At)+Slack), len(s.At))
	copy(c.At, s.At)
	return c
}

func closeTo[T Float](t *testing.T, what string, got T, want, size float64, k *Kernels[T]) {
	t.Helper()
	limit := 1e-13
	if k.size() == 4 {
		limit = 1e-5
	}
	if !(math.Abs(float64(got)-want) <= limit*(1+size)) {
		t.Fatalf("%s: expected %g, got %g", what, want, got)
	}
}

// TestCombine holds sums of rows against plain loops.
func TestCombine(t *testing.T) { eachKernels(t, testCombine[float32], testCombine[float64]) }

func testCombine[T Float](t *testing.T, k *Kernels[T]) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range rowSizes {
		m := filled(r, k, size[0], size[1])
		for _, from := range [][2]int{{0, 0}, {size[0] / 2, size[1] / 3}, {size[0] - 1, size[1] - 1}} {
			v, w, other := k.Vector(fresh[T], m.Rows), k.Vector(fresh[T], m.Cols), k.Vector(fresh[T], m.Cols)
			for i := from[0]; i < size[0]; i++ {
				v[i] = T(2*r.Float64() - 1)
			}
			k.Combine(m, from[0], from[1], v, w, inTurn)
			k.Combine(m, from[0], from[1], v, other, backward)
			for j := from[1]; j < size[1]; j++ {
				want := 0.0
				for i := range size[0] {
					want += float64(v[i]) * float64(m.Row(i)[j])
				}
				closeTo(t, fmt.Sprintf("%v from %v: number %d", size, from, j), w[j], want, float64(size[0]), k)
				if w[j] != other[j] {
					t.Fatalf("%v from %v: number %d: other bits in another order", size, from, j)
				}
			}
		}
	}
}

// TestUpdate holds updates against plain loops.
func TestUpdate(t *testing.T) { eachKernels(t, testUpdate[float32], testUpdate[float64]) }

func testUpdate[T Float](t *testing.T, k *Kernels[T]) {
	r := rand.New(rand.NewPCG(3, 4))
	vector := func(n, from, to int) []T {
		v := k.Vector(fresh[T], n)
		for i := from; i < to; i++ {
			v[i] = T(2*r.Float64() - 1)
		}
		return v
	}
	for _, size := range rowSizes {
		m := filled(r, k, size[0], size[1])
		for _, from := range [][2]int{{0, 0}, {size[0] / 2, size[1] / 3}, {size[0] - 1, size[1] - 1}} {
			c := Change[T]{A: vector(m.Rows, from[0], size[0]), C: vector(m.Rows, from[0], size[0]),
				B: vector(m.Cols, from[1], size[1]), D: vector(m.Cols, from[1], size[1]),
				U: vector(m.Cols, from[1], size[1]), X: k.Vector(fresh[T], m.Rows)}
			got, other := m.copied(k), m.copied(k)
			k.Update(got, from[0], from[1], c, inTurn)
			for i := range size[0] {
				sum := 0.0
				for j := range m.Cols {
					want := float64(m.Row(i)[j]) - float64(c.A[i])*float64(c.B[j]) - float64(c.C[i])*float64(c.D[j])
					closeTo(t, fmt.Sprintf("%v from %v: number %d, %d", size, from, i, j), got.Row(i)[j], want, 1, k)
					sum += want * float64(c.U[j])
				}
				if i >= from[0] {
					closeTo(t, fmt.Sprintf("%v from %v: row %d", size, from, i), c.X[i], sum, float64(size[1]), k)
				}
			}
			x := c.X
			c.X = k.Vector(fresh[T], m.Rows)
			k.Update(other, from[0], from[1], c, backward)
			for i := range x {
				if x[i] != c.X[i] {
					t.Fatalf("%v from %v: row %d: other bits in another order", size, from, i)
				}
			}
		}
	}
}

// TestRotate holds sweeps, rising and falling, against plain loops.
func TestRotate(t *testing.T) { eachKernels(t, testRotate[float32], testRotate[float64]) }

func testRotate[T Float](t *testing.T, k *Kernels[T]) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, size := range rowSizes {
		m := filled(r, k, size[0], size[1])
		var sweeps []Sweep[T]
		for _, s := range []Sweep[T]{{First: 0}, {First: size[0] - 1, Falling: true}, {First: size[0] / 2}} {
			n := size[0] - 1 - s.First
			if s.Falling {
				n = s.First / 2
			}
			for range n {
				angle := 7 * r.Float64()
				s.Turns = append(s.Turns, T(math.Cos(angle)), T(math.Sin(angle)))
			}
			sweeps = append(sweeps, s)
		}
		want := make([]float64, len(m.At))
		for i, x := range m.At {
			want[i] = float64(x)
		}
		for _, s := range sweeps {
			at, step := s.First*m.Cols, m.Cols
			if s.Falling {
				step = -step
			}
			for n := 0; n < len(s.Turns); n += 2 {
				c, f := float64(s.Turns[n]), float64(s.Turns[n+1])
				for j := range m.Cols {
					a, b := &want[at+j], &want[at+step+j]
					*a, *b = c**a+f**b, c**b-f**a
				}
				at += step
			}
		}
		other := m.copied(k)
		k.Rotate(m, sweeps, inTurn)
		k.Rotate(other, sweeps, backward)
		for i, x := range m.At {
			closeTo(t, fmt.Sprintf("%v: number %d", size, i), x, want[i], 10, k)
			if x != other.At[i] {
				t.Fatalf("%v: number %d: other bits in another order", size, i)
			}
		}
	}
}

// TestRowsOutside: steps that would leave their memory panic and do not run.
func TestRowsOutside(t *testing.T) {
	k, err := New[float64](tiers()[len(tiers())-1])
	if err != nil {
		t.Fatal(err)
	}
	m, v := k.Sheet(fresh[float64], 20, 20), k.Vector(fresh[float64], 32)
	for name, run := range map[string]func(){
		"factors":  func() { k.Combine(m, 0, 0, v[:m.Rows-1:m.Rows-1], v, inTurn) },
		"sums":     func() { k.Combine(m, 0, 0, v, v[:m.Cols-1:m.Cols-1], inTurn) },
		"products": func() { k.Update(m, 0, 0, Change[float64]{A: v, B: v, C: v, D: v, U: v}, inTurn) },
		"columns":  func() { k.Update(m, 0, 0, Change[float64]{A: v, B: v[:3:3], C: v, D: v, U: v, X: v}, inTurn) },
		"behind":   func() { k.Rotate(m, []Sweep[float64]{{First: m.Rows - 1, Turns: v[:2]}}, inTurn) },
		"in front": func() { k.Rotate(m, []Sweep[float64]{{First: 1, Falling: true, Turns: v[:4]}}, inTurn) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			run()
		}()
	}
}

// TestReflectThree holds reflections of three rows against plain loops; columns outside stay.
func TestReflectThree(t *testing.T) {
	eachKernels(t, testReflectThree[float32], testReflectThree[float64])
}

func testReflectThree[T Float](t *testing.T, k *Kernels[T]) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, size := range rowSizes {
		if size[0] < 3 {
			continue
		}
		m := filled(r, k, size[0], size[1])
		for _, span := range [][2]int{{0, size[1]}, {size[1] / 3, size[1]}, {size[1] / 2, size[1] - size[1]/4}, {1, 1}} {
			row, got := size[0]-3, m.copied(k)
			by := Three[T]{T(r.Float64()), T(r.Float64()), T(r.Float64()), T(r.Float64()), T(r.Float64())}
			k.ReflectThree(got, row, span[0], span[1], &by)
			for i := range size[0] {
				for j := range m.Cols {
					x := func(i int) float64 { return float64(m.Row(i)[j]) }
					want := x(i)
					if i >= row && j >= span[0] && j < span[1] {
						sum := x(row) + float64(by.A)*x(row+1) + float64(by.B)*x(row+2)
						want -= sum * float64([]T{by.T, by.U, by.V}[i-row])
					}
					closeTo(t, fmt.Sprintf("%v, columns %v: number %d, %d", size, span, i, j), got.Row(i)[j], want, 1, k)
				}
			}
		}
	}
}
