package loop

import "testing"

// TestMemo: of instructions that differ in one field each is found as itself, however many there are.
func TestMemo(t *testing.T) {
	const count = 300
	insts := make([]Inst, 1, 7*count+1)
	for n := range count {
		i := Inst{Op: Add, Kind: I32, Args: [3]Value{1, 1, 1}, Imm: 1}
		for _, change := range []func(i *Inst){
			func(i *Inst) { i.Imm += uint64(n + 1) }, func(i *Inst) { i.Imm += uint64(n+1) << 32 },
			func(i *Inst) { i.Args[0] += Value(n + 1) }, func(i *Inst) { i.Args[1] += Value(n + 1) },
			func(i *Inst) { i.Args[2] += Value(n + 1) }, func(i *Inst) { i.Op, i.Imm = Sub, uint64(n) },
			func(i *Inst) { i.Kind, i.Imm = I64, uint64(n) },
		} {
			other := i
			change(&other)
			insts = append(insts, other)
		}
	}
	var m memo
	n := &Nest{Insts: insts}
	for v := range insts[1:] {
		v := Value(v + 1)
		if got := m.find(n, &insts[v]); got != 0 {
			t.Fatalf("%+v, which is not there: expected nothing, got v%d", insts[v], got)
		}
		m.add(n, v)
	}
	for v := range insts[1:] {
		v := Value(v + 1)
		if got := m.find(n, &insts[v]); got != v {
			t.Errorf("%+v: expected v%d, got v%d", insts[v], v, got)
		}
	}
}

// TestMemoLoads: loads are found by what they read, until they are dropped.
func TestMemoLoads(t *testing.T) {
	n := &Nest{Insts: make([]Inst, 1), Accesses: []Access{{}}}
	var m memo
	for k := range 40 {
		n.Accesses = append(n.Accesses, Access{Buffer: k % 2, Offset: int64(k / 4), Mem: MemF32,
			Terms: []Term{{Var: k / 2 % 2, Stride: 3}}})
		i := Inst{Op: Load, Kind: F32, Access: int32(k + 1)}
		if v := m.find(n, &i); v != 0 {
			t.Fatalf("load %d: expected nothing, got v%d", k, v)
		}
		n.Insts = append(n.Insts, i)
		m.add(n, Value(k+1))
	}
	m.drop(n, func(v Value) bool { return n.Accesses[n.Insts[v].Access].Buffer == 1 })
	for k := range 40 {
		n.Accesses = append(n.Accesses, n.Accesses[k+1])
		want := Value(k + 1)
		if k%2 == 1 {
			want = 0
		}
		i := Inst{Op: Load, Kind: F32, Access: int32(len(n.Accesses) - 1)}
		if got := m.find(n, &i); m.count != 20 || got != want {
			t.Errorf("load %d: expected v%d, got v%d of %d", k, want, got, m.count)
		}
	}
}

// TestReadOnce: an element of a buffer that the nest writes is read once in a block until the buffer is written to, be
// it in a loop.
func TestReadOnce(t *testing.T) {
	b := NewBuilder("once")
	x := Access{Buffer: b.Buffer(Buffer{Name: "x", Bytes: 8, Write: true}), Mem: MemF32}
	y := Access{Buffer: b.Buffer(Buffer{Name: "y", Bytes: 8, Write: true}), Mem: MemF32}
	v := b.Load(x, 0)
	b.Store(y, v, 0)
	if w := b.Load(x, 0); w != v {
		t.Errorf("nothing has been written to x: expected v%d, got v%d", v, w)
	}
	x1 := x
	x1.Offset = 1
	b.Store(x1, v, 0)
	w := b.Load(x, 0)
	if w == v {
		t.Errorf("x has been written to: got v%d again", v)
	}
	b.Each(Spec{Extent: 4}, func(int) {
		if u := b.Load(x, 0); u == w {
			t.Errorf("in a loop that writes to x: got v%d again", w)
		}
		b.Store(x, b.Load(y, 0), 0)
	})
	if u := b.Load(x, 0); u == w {
		t.Errorf("behind a loop that writes to x: got v%d again", w)
	}
}
