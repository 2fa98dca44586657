package loop

import (
	"strings"
	"testing"
)

// counting makes a loop that adds to element 0 of a buffer and reads element 1, with more accesses if more is not nil.
func counting(more func(b *Builder, i int)) *Nest {
	b := NewBuilder("counting")
	x := b.Buffer(Buffer{Name: "x", Bytes: 32, Write: true})
	at := func(o int64) Access { return Access{Buffer: x, Offset: o, Mem: MemI32} }
	limit := b.Int(I32, 5)
	b.While([]Value{b.Int(I32, 0)}, func(v []Value) Value { return b.Cmp(LT, v[0], limit) }, func(v []Value) []Value {
		sum := b.Op(Add, I32, b.Load(at(0), 0), b.Load(at(1), 0))
		b.Store(at(0), sum, 0)
		if more != nil {
			more(b, x)
		}
		return []Value{b.Op(Add, I32, v[0], b.Int(I32, 1))}
	})
	return b.Nest()
}

func TestPromote(t *testing.T) {
	n := counting(nil)
	Promote(n, func(int) bool { return false })
	if err := n.Verify(); err != nil {
		t.Fatal(err)
	}
	text := n.String()
	inside := text[strings.Index(text, "while"):]
	inside = inside[:strings.Index(inside, "}")]
	if strings.Contains(inside, "load") || strings.Contains(inside, "store") || strings.Count(text, "store") != 1 {
		t.Errorf("got\n%s", text)
	}
}

// TestPromoteNested: a loop in the loop goes on by what stands for loads that are gone.
func TestPromoteNested(t *testing.T) {
	element := Access{Offset: 4, Mem: MemI32}
	n := counting(func(b *Builder, x int) {
		element.Buffer = x
		limit := b.Load(element, 0)
		last := b.While([]Value{b.Int(I32, 0)}, func(v []Value) Value { return b.Cmp(LT, v[0], limit) },
			func(v []Value) []Value { return []Value{b.Op(Add, I32, v[0], b.Int(I32, 1))} })
		b.Store(element, last[0], 0)
		b.While(nil, func([]Value) Value { return b.Cmp(LT, limit, last[0]) }, func([]Value) []Value { return nil })
	})
	Promote(n, func(int) bool { return false })
	if err := n.Verify(); err != nil {
		t.Fatalf("%v:\n%s", err, n)
	}
	front, loops, _ := strings.Cut(n.String(), "while")
	loops, back, _ := strings.Cut(loops, "store")
	if strings.Count(front, "load") != 3 || strings.Contains(loops, "load") || strings.Count(back, "store") != 1 {
		t.Errorf("got\n%s", n)
	}
}

// TestPromoteCounted: a loop of a known length carries what it stores, too.
func TestPromoteCounted(t *testing.T) {
	n := counting(func(b *Builder, x int) {
		a := Access{Buffer: x, Mem: MemI32}
		b.Each(Spec{Extent: 4}, func(int) { b.Store(a, b.Op(Add, I32, b.Load(a, 0), b.Int(I32, 3)), 0) })
	})
	Promote(n, func(int) bool { return false })
	if err := n.Verify(); err != nil {
		t.Fatalf("%v:\n%s", err, n)
	}
	_, counted, _ := strings.Cut(n.String(), "for")
	inside, _, _ := strings.Cut(counted, "}")
	if strings.Count(inside, "carry") != 1 || strings.Contains(inside, "load") || strings.Contains(inside, "store") {
		t.Errorf("got\n%s", n)
	}
}

// branching makes a loop with a loop in it that stores element 1 of a buffer, behind a store of it if sure is set, and
// reads the element behind it if reads is set.
func branching(mem Mem, sure, reads bool) *Nest {
	b := NewBuilder("branching")
	x := b.Buffer(Buffer{Name: "x", Bytes: 32, Write: true})
	y := b.Buffer(Buffer{Name: "y", Bytes: 32, Write: true})
	at := Access{Buffer: x, Offset: 1, Mem: mem}
	one := b.Int(I32, 1)
	value := func(v Value) Value {
		if mem == MemPred {
			return b.Cmp(LT, v, one)
		}
		return v
	}
	b.While([]Value{b.Int(I32, 0)}, func(v []Value) Value { return b.Cmp(LT, v[0], b.Int(I32, 5)) },
		func(v []Value) []Value {
			if sure {
				b.Store(at, value(v[0]), 0)
			}
			b.While([]Value{v[0]}, func(w []Value) Value { return b.Cmp(LT, w[0], one) },
				func(w []Value) []Value {
					b.Store(at, value(w[0]), 0)
					return []Value{b.Op(Add, I32, w[0], one)}
				})
			if reads {
				b.Store(Access{Buffer: y, Mem: mem}, b.Load(at, 0), 0)
			}
			return []Value{b.Op(Add, I32, v[0], one)}
		})
	return b.Nest()
}

// TestPromoteBranch: what a loop in the loop stores, it carries if that is read behind it; and the loop around it does,
// unless an iteration stores it first. So are masks.
func TestPromoteBranch(t *testing.T) {
	for _, c := range []struct {
		name                   string
		mem                    Mem
		sure, reads            bool
		carries, loads, stores int // y[0] is one of the carries and stores of those that read, and loaded for them
	}{
		{"read by the next iteration", MemI32, false, true, 5, 2, 2},
		{"stored first", MemI32, true, true, 4, 1, 1},
		{"not read", MemI32, true, false, 2, 0, 0},
		{"mask", MemPred, false, true, 5, 2, 2},
		{"mask that is not read", MemPred, true, false, 2, 0, 0},
	} {
		n := branching(c.mem, c.sure, c.reads)
		Promote(n, func(buffer int) bool { return buffer == 0 })
		if err := n.Verify(); err != nil {
			t.Fatalf("%s: %v:\n%s", c.name, err, n)
		}
		text := n.String()
		carries, loads, stores := strings.Count(text, "carry"), strings.Count(text, "load"), strings.Count(text, "store")
		if carries != c.carries || loads != c.loads || stores != c.stores {
			t.Errorf("%s: %d carries, %d loads, %d stores, want %d, %d, %d:\n%s", c.name, carries, loads, stores,
				c.carries, c.loads, c.stores, n)
		}
	}
}

// TestPromoteNot: an array stays in memory if an access to it is not to a known element.
func TestPromoteNot(t *testing.T) {
	for name, more := range map[string]func(b *Builder, x int){
		"index": func(b *Builder, x int) {
			b.Load(Access{Buffer: x, Index: b.Load(Access{Buffer: x, Mem: MemI32}, 0), Mem: MemI32}, 0)
		},
		"loop": func(b *Builder, x int) {
			b.Each(Spec{Extent: 4, Lanes: true}, func(v int) {
				b.Store(Access{Buffer: x, Terms: []Term{{v, 1}}, Mem: MemI32}, b.Int(I32, 1), 0)
			})
		},
		"now and then": func(b *Builder, x int) {
			b.Each(Spec{Extent: 4}, func(v int) {
				b.Each(Spec{Extent: 1, When: &Range{Var: v, Hi: 2}}, func(int) {
					b.Store(Access{Buffer: x, Mem: MemI32}, b.Int(I32, 1), 0)
				})
			})
		},
		"type":  func(b *Builder, x int) { b.Store(Access{Buffer: x, Offset: 4, Mem: MemF32}, b.Float(F32, 1), 0) },
		"width": func(b *Builder, x int) { b.Store(Access{Buffer: x, Offset: 2, Mem: MemU8}, b.Int(I32, 1), 0) },
	} {
		n := counting(more)
		before := n.String()
		Promote(n, func(int) bool { return false })
		if n.String() != before {
			t.Errorf("%s:\n%s\nbecomes\n%s", name, before, n)
		}
	}
}

// TestSpliceUnrolls: short loops of little are written out, others stay, as those that fill more of a vector.
func TestSpliceUnrolls(t *testing.T) {
	for extent, want := range map[int64]int{3: 0, 8: 0, 9: 1, 100: 1} {
		b := NewBuilder("part")
		x := b.Buffer(Buffer{Name: "x", Bytes: 4 * extent, Write: true})
		b.Each(Spec{Extent: extent, Lanes: true, Parallel: true}, func(v int) {
			b.Store(Access{Buffer: x, Terms: []Term{{v, 1}}, Mem: MemI32}, b.Index(I32, v), 0)
		})
		all := NewBuilder("all")
		y := all.Buffer(Buffer{Name: "y", Bytes: 4 * extent, Write: true})
		all.Splice(b.Nest(), []int{y}, false)
		n := all.Nest()
		if err := n.Verify(); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(n.String(), "lanes"); got != want || strings.Contains(n.String(), "parallel") {
			t.Errorf("%d iterations: %d loops, want %d:\n%s", extent, got, want, n)
		}
	}
}

// TestPromoteReadBehind: what is private, but read behind the loop, is stored.
func TestPromoteReadBehind(t *testing.T) {
	b := NewBuilder("behind")
	x := b.Buffer(Buffer{Name: "x", Bytes: 4, Write: true})
	y := b.Buffer(Buffer{Name: "y", Bytes: 4, Write: true})
	b.While([]Value{b.Int(I32, 1)}, func(v []Value) Value { return b.Cmp(NE, v[0], b.Int(I32, 0)) },
		func([]Value) []Value {
			b.Store(Access{Buffer: x, Mem: MemI32}, b.Int(I32, 7), 0)
			return []Value{b.Int(I32, 0)}
		})
	b.Store(Access{Buffer: y, Mem: MemI32}, b.Load(Access{Buffer: x, Mem: MemI32}, 0), 0)
	n := b.Nest()
	Promote(n, func(buffer int) bool { return buffer == x })
	DCE(n)
	if err := n.Verify(); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(n.String(), "store i32 x[0]") {
		t.Errorf("expected a store to x, got\n%s", n)
	}
}

// TestPromotePrivate: what each iteration stores before it reads it is not stored after the loop, if nothing else reads
// it; what one iteration stores for the next one is.
func TestPromotePrivate(t *testing.T) {
	for _, c := range []struct {
		private bool
		stores  int
	}{{false, 2}, {true, 1}} {
		n := counting(func(b *Builder, x int) {
			between := Access{Buffer: x, Offset: 3, Mem: MemI32}
			b.Store(between, b.Int(I32, 7), 0)
			b.Store(Access{Buffer: x, Mem: MemI32}, b.Load(between, 0), 0)
		})
		Promote(n, func(int) bool { return c.private })
		DCE(n)
		if err := n.Verify(); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(n.String(), "store"); got != c.stores {
			t.Errorf("private %v: expected %d stores, got\n%s", c.private, c.stores, n)
		}
	}
}
