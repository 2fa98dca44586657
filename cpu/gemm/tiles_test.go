package gemm

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/asm/emu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/internal/racetest"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// amx is the configuration of a machine with tile registers.
var amx = Config{Tier: exec.AMX, Threads: 1, TileBF16: true, TileInt8: true}

// emulated links p with code that runs in the emulator, on the memory of args.
func emulated(t *testing.T, p *Product, args *Args) {
	t.Helper()
	var a asm.Assembler
	batch := new(Library).Begin(p)
	for k := range batch.Apart() {
		batch.Emit(k, new(asm.Assembler))
	}
	offsets := batch.assemble(&a)
	text, err := a.Finish()
	if err != nil {
		t.Fatal(err)
	}
	batch.link(func(k int) uintptr { return uintptr(offsets[k]) + 1 })
	address := func(b []byte) uint64 { return uint64(uintptr(pointer(b))) }
	p.emulate = func(fn uintptr, block []byte) {
		m := emu.New()
		for _, b := range [][]byte{args.A, args.B} {
			m.Map(address(b), b, false)
		}
		for _, b := range [][]byte{args.C, args.Scratch, args.Packed} {
			m.Map(address(b), b, true)
		}
		m.Map(addrArgs, block, false)
		lists := [][]int{p.runsOfA, p.turning.list}
		if p.overlap != nil {
			lists = append(lists, p.overlap.runs[:]...)
		}
		for _, list := range lists {
			if len(list) > 0 {
				b := unsafe.Slice((*byte)(unsafe.Pointer(&list[0])), 8*len(list))
				m.Map(address(b), b, false)
			}
		}
		mapPlaces(m, p)
		for _, list := range [][]int32{p.sources.part, p.sources.kept, p.sources.none} {
			if all := list[:cap(list)]; len(all) > 0 {
				b := unsafe.Slice((*byte)(unsafe.Pointer(&all[0])), 4*len(all))
				m.Map(address(b), b, false)
			}
		}
		if err := m.Call(text[fn-1:], addrArgs); err != nil {
			panic(fmt.Sprintf("%v: %v", p, err))
		}
	}
}

// runEmulated returns the product of a and b.
func runEmulated(t *testing.T, p *Product, a, b literal.Literal) literal.Literal {
	t.Helper()
	c := literal.New(shape.Make(p.spec.C, sizeOfC(&p.spec)))
	args := Args{A: a.Bytes(), B: b.Bytes(), C: c.Bytes(), Scratch: scratchFor(p)}
	for i := range args.C {
		args.C[i] = 0xFF
	}
	emulated(t, p, &args)
	if p.PackedBytes() > 0 {
		args.Packed = make([]byte, p.PackedBytes())
		p.PrepackTo(args.Packed, args.B)
	}
	pool := exec.NewPool(1)
	defer pool.Close()
	var j Job
	j.Run(pool, p, args)
	dense, err := literal.FromBytes(shape.Make(p.spec.C, p.batch*p.m*p.n), elements(t, &p.spec, args.C))
	if err != nil {
		t.Fatal(err)
	}
	return dense
}

// TestTilesEmulated runs products by tiles in the emulator against the definition.
func TestTilesEmulated(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for _, ty := range [][3]shape.ElementType{{shape.BF16, shape.BF16, shape.F32}, {shape.BF16, shape.BF16, shape.BF16},
		{shape.S8, shape.S8, shape.S32}, {shape.S8, shape.U8, shape.S32}, {shape.U8, shape.S8, shape.S32},
		{shape.U8, shape.U8, shape.S32}, {shape.S8, shape.S8, shape.S8}} {
		for i := range 12 {
			tilesEmulated(t, r, ty, i)
		}
	}
}

func tilesEmulated(t *testing.T, r *rand.Rand, ty [3]shape.ElementType, i int) {
	t.Helper()
	wide := 4 / ty[0].ByteSize()
	m, n, k := []int{0: leastTileRows, 1: leastByteRows}[wide/4]+r.IntN(60), 2+r.IntN(90), wide*(tileDepth+r.IntN(40))
	switch i {
	case 0: // several parts of the depth
		m, n, k = 17, 40, wide*700
	case 1: // several items, A packed
		m, n, k = 33, 200, wide*(tileDepth+5)
	}
	batch := 1 + r.IntN(2)
	s := Spec{C: ty[2], Constant: i%3 == 2}
	var na, nb int
	s.A, na = operand(ty[0], []layout{rowMajor, columnMajor}[i%2], batch, m, k, false)
	s.B, nb = operand(ty[1], []layout{rowMajor, columnMajor, spaced}[r.IntN(3)], batch, n, k, true)
	checkTiles(t, r, s, amx, na, nb)
}

// checkTiles runs s, of arrays of na and nb elements, in the emulator and compares with the definition. That has one
// thread, with nothing for the race detector to see.
func checkTiles(t *testing.T, r *rand.Rand, s Spec, c Config, na, nb int) {
	t.Helper()
	p, err := New(s, c)
	if err != nil {
		t.Fatal(err)
	}
	if !p.kind.tiles() {
		t.Fatalf("%v: expected tiles", p)
	}
	if racetest.Enabled {
		return
	}
	a, b := fill(r, s.A.Type, na), fill(r, s.B.Type, nb)
	want, sizes := reference(&s, a, b)
	compare(t, p, &s, runEmulated(t, p, a, b), want, sizes)
}

// TestTilesShortPart: the depth is several parts, and of the last one not even a tile is left.
func TestTilesShortPart(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	c := amx
	c.L1, c.L2 = 48<<10, 2<<20
	for _, ty := range [][2]shape.ElementType{{shape.BF16, shape.F32}, {shape.S8, shape.S32}, {shape.U8, shape.S32}} {
		m, n, k := 64, 96, 500*4/ty[0].ByteSize()
		s := Spec{C: ty[1]}
		var na, nb int
		s.A, na = operand(ty[0], rowMajor, 1, m, k, false)
		s.B, nb = operand(ty[0], columnMajor, 1, n, k, true)
		checkTiles(t, r, s, c, na, nb)
	}
}

// TestTilesRefused: what tiles do not multiply goes other ways.
func TestTilesRefused(t *testing.T) {
	for _, c := range []struct {
		why     string
		m, n, k int
		a       layout
		types   [3]shape.ElementType
	}{
		{"few rows", leastTileRows - 1, 64, 64, rowMajor, [3]shape.ElementType{shape.BF16, shape.BF16, shape.F32}},
		{"one row", leastByteRows - 1, 64, 64, rowMajor, [3]shape.ElementType{shape.S8, shape.S8, shape.S32}},
		{"half a group", 32, 64, 65, rowMajor, [3]shape.ElementType{shape.BF16, shape.BF16, shape.F32}},
		{"small depth", 32, 64, 30, rowMajor, [3]shape.ElementType{shape.BF16, shape.BF16, shape.F32}},
		{"types", 32, 64, 64, rowMajor, [3]shape.ElementType{shape.BF16, shape.F32, shape.F32}},
		{"sums in f64", 32, 64, 64, rowMajor, [3]shape.ElementType{shape.BF16, shape.BF16, shape.F64}},
	} {
		s := Spec{C: c.types[2]}
		s.A, _ = operand(c.types[0], c.a, 1, c.m, c.k, false)
		s.B, _ = operand(c.types[1], rowMajor, 1, c.n, c.k, true)
		p, err := New(s, amx)
		if err != nil {
			t.Fatal(err)
		}
		if p.kind.tiles() {
			t.Errorf("%s: expected no tiles", c.why)
		}
	}
}
