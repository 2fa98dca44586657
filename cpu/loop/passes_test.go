package loop

import (
	"strings"
	"testing"
)

// at is element offset + i*stride + ... of a buffer of f32.
func at(buffer int, offset int64, terms ...Term) Access {
	return Access{Buffer: buffer, Offset: offset, Terms: terms, Mem: MemF32}
}

// square builds a nest of two loops of 8 iterations over an array of 64 elements.
func square(parallel, lanes bool, body func(b *Builder, x, i, j int)) *Nest {
	b := NewBuilder("square")
	x := b.Buffer(Buffer{Name: "x", Bytes: 256, Write: true})
	b.Each(Spec{Extent: 8, Parallel: parallel}, func(i int) {
		b.Each(Spec{Extent: 8, Parallel: parallel, Lanes: lanes}, func(j int) { body(b, x, i, j) })
	})
	return b.Nest()
}

// sums builds two loops that carry a value; next is the value of the inner iteration, given the outer and
// the inner phi.
func sums(lanes bool, stride int64, next func(b *Builder, outer, inner, v Value) Value) *Nest {
	b := NewBuilder("sums")
	x := b.Buffer(Buffer{Name: "x", Bytes: 4 * 8 * stride})
	y := b.Buffer(Buffer{Name: "y", Bytes: 4, Write: true})
	how := Reduction{Init: b.Float(F32, 0)}
	sum := b.For(Spec{Extent: 8}, []Reduction{how}, func(i int, outer []Value) []Value {
		in := Reduction{Init: outer[0]}
		if lanes {
			in.Reduce = Add
		}
		return b.For(Spec{Extent: 8, Lanes: lanes}, []Reduction{in}, func(j int, inner []Value) []Value {
			v := b.Load(at(x, 0, Term{i, stride}, Term{j, 1}), 0)
			return []Value{next(b, outer[0], inner[0], v)}
		})
	})
	b.Store(at(y, 0), sum[0], 0)
	return b.Nest()
}

func plainSum(b *Builder, _, inner, v Value) Value { return b.Op(Add, F32, inner, v) }

// loopsOf counts the loops of n.
func loopsOf(n *Nest) int {
	count := 0
	n.Root.Walk(func(node Node, _ []*Loop) {
		if node.Loop != nil {
			count++
		}
	})
	return count
}

// TestCollapseWhen: two loops become one where that is right, and are left alone elsewhere.
func TestCollapseWhen(t *testing.T) {
	store := func(iStride, jStride int64) func(b *Builder, x, i, j int) {
		return func(b *Builder, x, i, j int) {
			b.Store(at(x, 0, Term{i, iStride}, Term{j, jStride}), b.Float(F32, 1), 0)
		}
	}
	for _, test := range []struct {
		name string
		nest *Nest
		want int // loops that are left
	}{
		{"rows", square(true, true, store(8, 1)), 1},
		{"not_parallel", square(false, false, store(8, 1)), 1},
		{"columns", square(true, true, store(1, 8)), 2},
		{"overlapping_rows", square(true, false, store(4, 1)), 2},
		{"outer_index", square(true, true, func(b *Builder, x, i, j int) {
			b.Store(at(x, 0, Term{i, 8}, Term{j, 1}), b.Op(SToF, F32, b.Index(I32, i)), 0)
		}), 2},
		{"inner_index", square(true, true, func(b *Builder, x, i, j int) {
			b.Store(at(x, 0, Term{i, 8}, Term{j, 1}), b.Op(SToF, F32, b.Index(I32, j)), 0)
		}), 2},
		{"value_of_a_row", square(true, true, func(b *Builder, x, i, j int) {
			y := b.Buffer(Buffer{Name: "y", Bytes: 32})
			b.Store(at(x, 0, Term{i, 8}, Term{j, 1}), b.Load(at(y, 0, Term{i, 1}), 0), 0)
		}), 2},
		{"carried", sums(false, 8, plainSum), 1},
		{"carried_across_lanes", sums(true, 8, plainSum), 1},
		{"carried_rows_with_gaps", sums(true, 9, plainSum), 2},
		{"carried_used_inside", sums(false, 8, func(b *Builder, outer, inner, v Value) Value {
			return b.Op(Add, F32, b.Op(Mul, F32, inner, outer), v)
		}), 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := test.nest.Verify(); err != nil {
				t.Fatal(err)
			}
			before := test.nest.String()
			Collapse(test.nest)
			if err := test.nest.Verify(); err != nil {
				t.Fatalf("%v\n%s\nof\n%s", err, test.nest, before)
			}
			if got := loopsOf(test.nest); got != test.want {
				t.Errorf("expected %d loops, got %d:\n%s", test.want, got, test.nest)
			}
		})
	}
}

// TestCollapseCarriedDeeper: a carried value that a loop further inside begins with holds both loops apart.
func TestCollapseCarriedDeeper(t *testing.T) {
	n := sums(false, 8, func(b *Builder, outer, inner, v Value) Value {
		more := b.For(Spec{Extent: 3}, []Reduction{{Init: outer}}, func(_ int, phi []Value) []Value {
			return []Value{b.Op(Mul, F32, phi[0], v)}
		})
		return b.Op(Add, F32, inner, more[0])
	})
	Collapse(n)
	if err := n.Verify(); err != nil || loopsOf(n) != 3 {
		t.Errorf("%v:\n%s", err, n)
	}
}

// matrixVector is the product of a matrix of rows x 8 and a vector, or, with column 0, of its rows with themselves.
func matrixVector(rows int64, parallel bool, load func(b *Builder, x, v, i, k int) (p, q Value)) *Nest {
	b := NewBuilder("product")
	x := b.Buffer(Buffer{Name: "x", Bytes: 4 * 8 * rows})
	v := b.Buffer(Buffer{Name: "v", Bytes: 32})
	y := b.Buffer(Buffer{Name: "y", Bytes: 4 * rows, Write: true})
	b.Each(Spec{Extent: rows, Parallel: parallel}, func(i int) {
		sum := b.For(Spec{Extent: 8}, []Reduction{{Init: b.Float(F32, 0)}}, func(k int, phi []Value) []Value {
			p, q := load(b, x, v, i, k)
			return []Value{b.Op(FMA, F32, p, q, phi[0])}
		})
		b.Store(at(y, 0, Term{i, 1}), sum[0], 0)
	})
	return b.Nest()
}

// TestJamWhen: iterations are jammed where they carry values and are independent, more where they share what they read.
func TestJamWhen(t *testing.T) {
	shared := func(b *Builder, x, v, i, k int) (p, q Value) {
		return b.Load(at(x, 0, Term{i, 8}, Term{k, 1}), 0), b.Load(at(v, 0, Term{k, 1}), 0)
	}
	own := func(b *Builder, x, _, i, k int) (p, q Value) {
		p = b.Load(at(x, 0, Term{i, 8}, Term{k, 1}), 0)
		return p, p
	}
	same := func(b *Builder, _, v, _, k int) (p, q Value) {
		p = b.Load(at(v, 0, Term{k, 1}), 0)
		return p, p
	}
	indexed := func(b *Builder, x, v, i, k int) (p, q Value) {
		p, q = shared(b, x, v, i, k)
		return b.Op(Add, F32, p, b.Op(SToF, F32, b.Index(I32, i))), q
	}
	for _, test := range []struct {
		name   string
		nest   *Nest
		factor int64 // 1: as it was
		text   string
	}{
		{"eight", matrixVector(64, true, shared), 8, "for i0 < 8"},
		{"ten", matrixVector(30, true, shared), 10, "for i0 < 3"},
		{"three", matrixVector(39, true, shared), 3, "for i0 < 13"},
		{"prime", matrixVector(37, true, shared), 1, ""},
		{"not_parallel", matrixVector(64, false, shared), 1, ""},
		{"nothing_shared", matrixVector(64, true, own), 4, "for i0 < 16"},
		{"nothing_of_its_own", matrixVector(64, true, same), 1, ""},
		{"index", matrixVector(10, true, indexed), 10, "const i32 9"},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := Jam(test.nest, false)
			if err := n.Verify(); err != nil {
				t.Fatal(err)
			}
			if n == test.nest {
				if test.factor != 1 {
					t.Errorf("expected %d iterations side by side, got none:\n%s", test.factor, n)
				}
				return
			}
			got := int64(strings.Count(n.String(), " carry "))
			if got != test.factor || !strings.Contains(n.String(), test.text) {
				t.Errorf("expected %d sums and %q, got %d:\n%s", test.factor, test.text, got, n)
			}
		})
	}
}

// TestJamLeavesWhile: a nest with a while loop stays as it is.
func TestJamLeavesWhile(t *testing.T) {
	b := NewBuilder("waits")
	x := b.Buffer(Buffer{Name: "x", Bytes: 4 * 64})
	v := b.Buffer(Buffer{Name: "v", Bytes: 32})
	y := b.Buffer(Buffer{Name: "y", Bytes: 32, Write: true})
	b.Each(Spec{Extent: 8, Parallel: true}, func(i int) {
		sum := b.For(Spec{Extent: 8}, []Reduction{{Init: b.Float(F32, 0)}}, func(k int, phi []Value) []Value {
			p := b.Load(at(x, 0, Term{i, 8}, Term{k, 1}), 0)
			return []Value{b.Op(FMA, F32, p, b.Load(at(v, 0, Term{k, 1}), 0), phi[0])}
		})
		end := b.While(sum, func(phi []Value) Value { return b.Cmp(GT, phi[0], b.Float(F32, 1)) },
			func(phi []Value) []Value { return []Value{b.Op(Sqrt, F32, phi[0])} })
		b.Store(at(y, 0, Term{i, 1}), end[0], 0)
	})
	n := b.Nest()
	if err := n.Verify(); err != nil {
		t.Fatal(err)
	}
	if Jam(n, false) != n {
		t.Error("jammed")
	}
}

// TestDCEKeeps: what a store, a condition, an address or another live carry needs stays; the rest goes.
func TestDCEKeeps(t *testing.T) {
	for _, test := range []struct {
		name       string
		build      func(b *Builder, x, y int)
		keep, drop []string
	}{
		{"through_another_carry", func(b *Builder, x, y int) {
			one := b.Float(F32, 1)
			out := b.For(Spec{Extent: 8}, []Reduction{{Init: one}, {Init: one}}, func(i int, phi []Value) []Value {
				return []Value{b.Op(Add, F32, phi[0], phi[1]), b.Op(Sqrt, F32, phi[1])}
			})
			b.Store(at(y, 0), out[0], 0)
		}, []string{"sqrt", "add"}, nil},
		{"only_for_itself", func(b *Builder, x, y int) {
			one := b.Float(F32, 1)
			out := b.For(Spec{Extent: 8}, []Reduction{{Init: one}, {Init: one}}, func(i int, phi []Value) []Value {
				return []Value{b.Op(Add, F32, phi[0], one), b.Op(Sqrt, F32, phi[1])}
			})
			b.Store(at(y, 0), out[0], 0)
		}, []string{"add"}, []string{"sqrt"}},
		{"loop_of_nothing", func(b *Builder, x, y int) {
			one := b.Float(F32, 1)
			b.For(Spec{Extent: 8}, []Reduction{{Init: one}}, func(i int, phi []Value) []Value {
				return []Value{b.Op(Sqrt, F32, phi[0])}
			})
			b.Store(at(y, 0), one, 0)
		}, []string{"store"}, []string{"sqrt", "for"}},
		{"loop_that_stores", func(b *Builder, x, y int) {
			b.Each(Spec{Extent: 8}, func(i int) { b.Store(at(y, 0, Term{i, 1}), b.Float(F32, 1), 0) })
		}, []string{"for", "store"}, nil},
		{"index_of_an_address", func(b *Builder, x, y int) {
			i := b.Op(FToS, I32, b.Load(at(x, 0), 0))
			b.Store(Access{Buffer: y, Index: i, Mem: MemF32}, b.Float(F32, 1), 0)
		}, []string{"ftos", "load"}, nil},
		{"mask_of_a_store", func(b *Builder, x, y int) {
			m := b.Cmp(LT, b.Load(at(x, 0), 0), b.Float(F32, 1))
			b.Store(at(y, 0), b.Float(F32, 2), m)
		}, []string{"cmp", "load"}, nil},
		{"condition_of_a_while", func(b *Builder, x, y int) {
			start, limit := b.Load(at(x, 0), 0), b.Float(F32, 5)
			out := b.While([]Value{start, limit, limit}, func(phi []Value) Value {
				return b.Cmp(GT, phi[0], limit)
			}, func(phi []Value) []Value {
				return []Value{b.Op(Sqrt, F32, phi[0]), b.Op(Abs, F32, phi[1]), b.Op(Neg, F32, phi[2])}
			})
			b.Store(at(y, 0), out[1], 0)
		}, []string{"cmp", "sqrt", "abs"}, []string{"neg"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := NewBuilder("dead")
			x := b.Buffer(Buffer{Name: "x", Bytes: 32})
			y := b.Buffer(Buffer{Name: "y", Bytes: 32, Write: true})
			test.build(b, x, y)
			n := b.Nest()
			DCE(n)
			if err := n.Verify(); err != nil {
				t.Fatal(err)
			}
			for _, word := range test.keep {
				if !strings.Contains(n.String(), word+" ") {
					t.Errorf("%s is gone:\n%s", word, n)
				}
			}
			for _, word := range test.drop {
				if strings.Contains(n.String(), word+" ") {
					t.Errorf("%s is left:\n%s", word, n)
				}
			}
		})
	}
}
