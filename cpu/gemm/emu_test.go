package gemm

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/asm/emu"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// Addresses of arrays in the emulator, which refuses accesses outside of them.
const (
	addrArgs = 0x1000 * (1 + iota)
	addrA    = 0x100000 * (1 + iota)
	addrB
	addrC
	addrAt
	addrList
	addrPlaces
	addrLaid
	addrRows
)

// machine is an emulated processor of a tier with the arrays that a kernel is given.
func machine(narrow bool, args []byte, a, b, c []byte) *emu.Machine {
	m := emu.New()
	m.VEXOnly = narrow
	m.Map(addrArgs, args, false)
	m.Map(addrA, a, false)
	m.Map(addrB, b, false)
	m.Map(addrC, c, true)
	return m
}

// emit returns the code of one kernel.
func emit(t *testing.T, narrow bool, f func(a *asm.Assembler)) []byte {
	t.Helper()
	a := asm.Assembler{VEXOnly: narrow}
	f(&a)
	code, err := a.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return code
}

func words(v ...int) []byte {
	var out []byte
	for _, x := range v {
		out = binary.LittleEndian.AppendUint64(out, uint64(x))
	}
	return out
}

func pointer(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }

// same compares sums of kind k that were added in another order.
func same(k kind, x, y []byte) error {
	if k == kindS32 {
		for i := range x {
			if x[i] != y[i] {
				return fmt.Errorf("byte %d: expected %d, got %d", i, y[i], x[i])
			}
		}
		return nil
	}
	n, limit := len(x)/k.size(), 1e-4
	if k == kindF64 {
		limit = 1e-12
	}
	lx, errX := literal.FromBytes(shape.Make(k.elementType(), n), x)
	ly, errY := literal.FromBytes(shape.Make(k.elementType(), n), y)
	if errX != nil || errY != nil {
		return fmt.Errorf("%v, %v", errX, errY)
	}
	for i := range n {
		if !(math.Abs(lx.FloatAt(i)-ly.FloatAt(i)) <= limit) {
			return fmt.Errorf("element %d: expected %g, got %g", i, ly.FloatAt(i), lx.FloatAt(i))
		}
	}
	return nil
}

// TestMicroEmulated runs micro-kernels of both tiers in the emulator against the kernel in Go.
func TestMicroEmulated(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, regs := range []registers{narrowRegisters, wideRegisters} {
		for k := range kindPairs {
			for nv := 1; nv <= 8; nv++ {
				for mr := 1; mr <= regs.rowsFor(nv) && (nv <= regs.most || nv <= regs.widest(mr)); mr += 1 + r.IntN(3) {
					microEmulated(t, r, regs, k, mr, nv)
				}
			}
			for mr := 1; mr < fewRows && regs.wide(); mr++ {
				microEmulated(t, r, regs, k, mr, regs.nearest(mr))
				microEmulated(t, r, regs, k, mr, 1+r.IntN(regs.nearest(mr)))
			}
		}
	}
}

func microEmulated(t *testing.T, r *rand.Rand, regs registers, k kind, mr, nv int) {
	t.Helper()
	size := k.size()
	lanes := regs.vector / size
	key := microKey{kind: k, vector: regs.vector, mr: mr, nv: nv, packedB: r.IntN(2) == 0, typeB: k.elementType()}
	if r.IntN(3) > 0 {
		key.tail = r.IntN(lanes)
	}
	if k == kindS32 && regs == narrowRegisters && key.tail > 0 {
		key.packedB = true
	}
	depth, steps, runs := 1+r.IntN(11), 1+r.IntN(3), 1
	if r.IntN(2) == 0 {
		runs = 1 + r.IntN(3)
		key.run, depth = depth, runs*depth
	} else if key.rowsAsked = r.IntN(3); key.rowsAsked > 0 {
		depth, key.late = depth*(1+r.IntN(3)), r.IntN(6)
	}
	cols := nv * lanes
	if key.tail > 0 {
		cols -= lanes - key.tail
	}
	width := cols // of rows of B
	if key.packedB {
		width = nv * lanes
	}
	rows := steps * mr
	key.lda, key.stepA = (depth+2)*size, size
	if r.IntN(2) == 0 {
		key.lda, key.stepA = size, (rows+1)*size
	}
	key.ldb, key.ldc = width*size, (cols+3)*size
	key.ahead, key.listed = r.IntN(maxAhead+1), r.IntN(2) == 0
	add := r.IntN(2)
	if key.tail == 0 && nv*regs.vector%line == 0 && r.IntN(2) == 0 {
		key.stream, key.ldc, add = true, key.ldb+r.IntN(3)*line, 0
		if !key.packedB {
			key.ldc = cols*size + r.IntN(3)*line
		}
	}
	at := make([]int, runs) // runs are backwards, and overlap
	for i := range at {
		at[i] = (runs - 1 - i) * 2 * size
	}
	places := make([]place, steps) // steps are backwards
	for i := range places {
		places[i] = place{int32((steps - 1 - i) * mr * key.lda), int32((steps - 1 - i) * mr * key.ldc)}
	}
	key.placed = r.IntN(2) == 0
	key.lays = key.run == 0 && !key.packedB && r.IntN(2) == 0
	if !key.placed && key.run == 0 && key.stepA == size && r.IntN(2) == 0 {
		key.laid = (depth + 1 + r.IntN(3)) * size
	}
	a := fill(r, k.elementType(), ((rows-1)*key.lda+(depth-1)*key.stepA)/size+2*runs).Bytes()
	b := fill(r, k.elementType(), (depth-1)*width+width).Bytes()
	c := fill(r, k.elementType(), (rows-1)*key.ldc/size+cols).Bytes()
	want := append([]byte(nil), c...)
	args := words(depth, addrA, addrB, addrC, steps, add, addrB, runs, addrAt, addrList, 0, 0, 0, addrPlaces, 0,
		addrLaid, addrA)
	rowsLaid := make([]byte, rows*key.laid)
	if key.laid > 0 {
		binary.LittleEndian.PutUint64(args[argA:], addrRows)
	}
	code := emit(t, !(regs == wideRegisters), func(a *asm.Assembler) { emitMicro(a, key) })
	emulated := machine(regs == narrowRegisters, args, a, b, c)
	emulated.Map(addrAt, words(at...), false)
	for i, p := range places {
		emulated.Map(addrPlaces+8*uint64(i), words(int(p.c)<<32|int(uint32(p.a))), false)
	}
	emulated.Map(addrList, make([]byte, 4*key.ahead*steps*depth), false)
	laid := fill(r, k.elementType(), depth*nv*lanes).Bytes()
	emulated.Map(addrLaid, laid, true)
	emulated.Map(addrRows, rowsLaid, true)
	if err := emulated.Call(code, addrArgs); err != nil {
		t.Fatalf("%+v: %v", key, err)
	}
	if key.lays {
		checkLaid(t, laid, b, depth, cols*size, nv*regs.vector)
	}
	for i := 0; i < rows && key.laid > 0; i++ {
		if got, want := rowsLaid[i*key.laid:][:depth*size], a[i*key.lda:][:depth*size]; !bytes.Equal(got, want) {
			t.Fatalf("%+v: row %d: expected % x laid down, got % x", key, i, want, got)
		}
	}
	microGo(&key, &microArgs{depth: depth, a: pointer(a), b: pointer(b), c: pointer(want), steps: steps, add: add,
		runs: runs, at: unsafe.Pointer(&at[0]), places: unsafe.Pointer(&places[0])})
	if err := same(k, c, want); err != nil {
		t.Fatalf("%+v, depth %d, add %d: %v", key, depth, add, err)
	}
}

// checkLaid expects rows of B, of so many bytes, with zeros behind each up to the width of a panel.
func checkLaid(t *testing.T, laid, b []byte, depth, row, width int) {
	t.Helper()
	for k := range depth {
		want := append(append([]byte(nil), b[k*row:(k+1)*row]...), make([]byte, width-row)...)
		if got := laid[k*width : (k+1)*width]; !bytes.Equal(got, want) {
			t.Fatalf("depth %d: expected % x laid down, got % x", k, want, got)
		}
	}
}

// TestPairsEmulated runs what small integers take: packing of pairs of rows, then the micro-kernel, with and without
// the instruction for both products and sums.
func TestPairsEmulated(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, regs := range []registers{narrowRegisters, wideRegisters} {
		for _, typ := range []shape.ElementType{shape.S8, shape.U8, shape.S16} {
			for range 6 {
				pairsEmulated(t, r, regs, typ)
			}
		}
	}
}

func pairsEmulated(t *testing.T, r *rand.Rand, regs registers, typ shape.ElementType) {
	t.Helper()
	narrow, lanes := regs == narrowRegisters, regs.vector/4
	nv, tail := 1+r.IntN(regs.most), r.IntN(lanes)
	if narrow {
		tail = 0
	}
	cols := nv * lanes
	if tail > 0 {
		cols -= lanes - tail
	}
	mr, depth := 1+r.IntN(regs.rowsFor(nv)), 1+r.IntN(9)
	b := fill(r, typ, 2*depth*cols)
	pk := packKey{order: copied, kind: kindPairs, vector: regs.vector, typ: typ, nv: nv, tail: tail,
		ld: 2 * cols * typ.ByteSize(), to: nv * regs.vector}
	panel := make([]byte, depth*nv*regs.vector)
	code := emit(t, narrow, func(a *asm.Assembler) { emitPack(a, pk) })
	args := words(depth, addrA, addrC, 0, 0, 0)
	if err := machine(narrow, args, b.Bytes(), nil, panel).Call(code, addrArgs); err != nil {
		t.Fatalf("%+v: %v", pk, err)
	}
	a, c := fill(r, shape.S16, mr*2*depth), literal.New(shape.Make(shape.S32, mr*cols))
	key := microKey{kind: kindPairs, vnni: !narrow && r.IntN(2) == 0, vector: regs.vector, mr: mr, nv: nv, tail: tail,
		packedB: true, lda: 4 * depth, stepA: 4, ldb: nv * regs.vector, ldc: 4 * cols}
	code = emit(t, narrow, func(a *asm.Assembler) { emitMicro(a, key) })
	args = words(depth, addrA, addrB, addrC, 1, 0)
	if err := machine(narrow, args, a.Bytes(), panel, c.Bytes()).Call(code, addrArgs); err != nil {
		t.Fatalf("%+v: %v", key, err)
	}
	for i := range mr {
		for j := range cols {
			sum := int64(0)
			for k := range 2 * depth {
				sum += a.IntAt(i*2*depth+k) * b.IntAt(k*cols+j)
			}
			if got := c.IntAt(i*cols + j); got != sum {
				t.Fatalf("%+v: element %d,%d: expected %d, got %d", key, i, j, sum, got)
			}
		}
	}
}

// TestPackEmulated runs packing kernels of both tiers in the emulator against the definition.
func TestPackEmulated(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, regs := range []registers{narrowRegisters, wideRegisters} {
		for k := range kindPairs {
			for typ := range shape.NumElementTypes {
				typ := shape.ElementType(typ)
				if !regs.loads(k, typ, 0) {
					continue
				}
				for range 4 {
					copyEmulated(t, r, regs, k, typ)
					turnEmulated(t, r, regs, k, typ)
					blockEmulated(t, r, regs, k, typ)
				}
			}
		}
	}
}

// packEmulated runs the kernel of key and compares with the elements of src that offsets gives, by element of the
// result; -1: zero.
func packEmulated(t *testing.T, key packKey, args, src []byte, offsets []int) {
	t.Helper()
	narrow := key.vector == 32
	size := key.kind.size()
	dst, want := make([]byte, len(offsets)*size), make([]byte, len(offsets)*size)
	code := emit(t, narrow, func(a *asm.Assembler) { emitPack(a, key) })
	if err := machine(narrow, args, src, nil, dst).Call(code, addrArgs); err != nil {
		t.Fatalf("%+v: %v", key, err)
	}
	read := reader(key.kind, key.typ)
	for i, o := range offsets {
		if o >= 0 {
			read(unsafe.Pointer(&want[i*size]), pointer(src), o, 0, 1)
		}
	}
	for i := range dst {
		if dst[i] != want[i] {
			t.Fatalf("%+v: byte %d: expected %d, got %d", key, i, want[i], dst[i])
		}
	}
}

func copyEmulated(t *testing.T, r *rand.Rand, regs registers, k kind, typ shape.ElementType) {
	lanes := regs.vector / k.size()
	nv, tail := 1+r.IntN(regs.most), r.IntN(lanes)
	if !regs.loads(k, typ, tail) {
		tail = 0
	}
	cols := nv * lanes
	if tail > 0 {
		cols -= lanes - tail
	}
	depth, ld := 1+r.IntN(9), cols+r.IntN(3)
	key := packKey{order: copied, kind: k, vector: regs.vector, typ: typ, nv: nv, tail: tail, ld: ld * typ.ByteSize(),
		to: nv * regs.vector}
	var offsets []int
	for d := range depth {
		for j := range nv * lanes {
			if j >= cols {
				offsets = append(offsets, -1)
				continue
			}
			offsets = append(offsets, d*ld+j)
		}
	}
	src := fill(r, typ, (depth-1)*ld+cols).Bytes()
	packEmulated(t, key, words(depth, addrA, addrC, 0, 0, 0), src, offsets)
}

func turnEmulated(t *testing.T, r *rand.Rand, regs registers, k kind, typ shape.ElementType) {
	lanes := regs.vector / k.size()
	tail, blocks := r.IntN(lanes), 1+r.IntN(3)
	cols, ld := lanes, blocks*lanes+r.IntN(5)
	if tail > 0 {
		cols = tail
	}
	key := packKey{order: turned, kind: k, vector: regs.vector, typ: typ, nv: 1, tail: tail, ld: ld * typ.ByteSize(),
		to: regs.vector}
	var offsets []int
	for d := range blocks * lanes {
		for j := range lanes {
			if j >= cols {
				offsets = append(offsets, -1)
				continue
			}
			offsets = append(offsets, j*ld+d)
		}
	}
	src := fill(r, typ, (cols-1)*ld+blocks*lanes).Bytes()
	packEmulated(t, key, words(blocks, addrA, addrC, 0, 0, 0), src, offsets)
}

func blockEmulated(t *testing.T, r *rand.Rand, regs registers, k kind, typ shape.ElementType) {
	lanes := regs.vector / k.size()
	rows, length := 1+r.IntN(4), lanes+r.IntN(3*lanes)
	ld := length + r.IntN(4)
	key := packKey{order: copied, block: true, kind: k, vector: regs.vector, typ: typ, ld: ld * typ.ByteSize(),
		to: length * k.size()}
	var offsets []int
	for i := range rows {
		for j := range length {
			offsets = append(offsets, i*ld+j)
		}
	}
	src := fill(r, typ, (rows-1)*ld+length).Bytes()
	args := words(rows, addrA, addrC, (length-1)/lanes, (length-lanes)*typ.ByteSize(), (length-lanes)*k.size())
	packEmulated(t, key, args, src, offsets)
}

// TestNarrowEmulated runs kernels that store narrower types in the emulator against the stores in Go: any bits.
func TestNarrowEmulated(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, regs := range []registers{narrowRegisters, wideRegisters} {
		for k := range kindPairs {
			for typ := range shape.NumElementTypes {
				typ := shape.ElementType(typ)
				if writer(k, typ) == nil || !regs.narrows(k, typ) {
					continue
				}
				for range 10 {
					narrowEmulated(t, r, regs, k, typ)
				}
			}
		}
	}
}

func narrowEmulated(t *testing.T, r *rand.Rand, regs registers, k kind, typ shape.ElementType) {
	t.Helper()
	narrow, lanes, size := regs == narrowRegisters, regs.vector/k.size(), typ.ByteSize()
	rows, length, short := 1+r.IntN(4), lanes+r.IntN(3*lanes), 0
	if !narrow && r.IntN(3) == 0 {
		short = 1 + r.IntN(lanes-1)
		length = short
	}
	ld, to := length+r.IntN(3), length+r.IntN(3)
	sums := make([]byte, rows*ld*k.size())
	for i := range sums {
		sums[i] = byte(r.Uint32())
	}
	for i := 0; i < len(sums); i += 5 * k.size() { // NaNs and infinities
		sums[i+k.size()-1], sums[i+k.size()-2] = 0x7F, 0x80|byte(r.IntN(2)*r.IntN(128))
	}
	key := narrowKey{kind: k, vector: regs.vector, typ: typ, from: ld * k.size(), to: to * size, short: short}
	if key.pair = typ == shape.BF16 && !narrow && length >= 2*lanes && r.IntN(2) == 0; key.pair {
		lanes *= 2
		for i := 0; i < len(sums); i += 4 { // no denormal numbers
			sums[i+2] |= 0x80
		}
	}
	got, want := make([]byte, rows*to*size), make([]byte, rows*to*size)
	code := emit(t, narrow, func(a *asm.Assembler) { emitNarrow(a, key) })
	args := words(rows, addrA, addrC, (length-1)/lanes, (length-lanes)*k.size(), (length-lanes)*size)
	if err := machine(narrow, args, sums, nil, got).Call(code, addrArgs); err != nil {
		t.Fatalf("%+v: %v", key, err)
	}
	for i := range rows {
		writer(k, typ)(unsafe.Pointer(&want[i*to*size]), unsafe.Pointer(&sums[i*ld*k.size()]), length)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("%+v: byte %d: expected %d, got %d", key, i, want[i], got[i])
		}
	}
}

// TestDotEmulated runs kernels along the depth of both tiers in the emulator against the definition.
func TestDotEmulated(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, regs := range []registers{narrowRegisters, wideRegisters} {
		for k := range kindPairs {
			for rows := 1; rows <= maxDotRows; rows++ {
				for cols := 1; cols <= regs.dotColumns(rows); cols++ {
					dotEmulated(t, r, regs, k, rows, cols)
				}
			}
		}
	}
}

func dotEmulated(t *testing.T, r *rand.Rand, regs registers, k kind, rows, cols int) {
	t.Helper()
	size, lanes := k.size(), regs.vector/k.size()
	typ := k.elementType()
	vectors, tail, steps := r.IntN(12), r.IntN(lanes), 1+r.IntN(3)
	if vectors == 0 {
		tail = 1 + r.IntN(lanes-1)
	}
	depth := vectors*lanes + tail
	lda, ldb, ldc := depth+r.IntN(3), depth+r.IntN(3), steps*cols+1
	key := dotKey{kind: k, vector: regs.vector, rows: rows, cols: cols, typeA: typ, typeB: typ, tail: tail,
		lda: lda * size, ldb: ldb * size, ldc: ldc * size}
	a, b := fill(r, typ, (rows-1)*lda+depth), fill(r, typ, (steps*cols-1)*ldb+depth)
	c := fill(r, typ, rows*ldc)
	want, add := c.Clone(), r.IntN(2)
	for i := range rows {
		for j := range steps * cols {
			sum := 0.0
			for d := range depth {
				sum += a.FloatAt(i*lda+d) * b.FloatAt(j*ldb+d)
			}
			sum += float64(add) * c.FloatAt(i*ldc+j)
			if k == kindS32 {
				want.SetInt(i*ldc+j, int64(sum))
				continue
			}
			want.SetFloat(i*ldc+j, sum)
		}
	}
	code := emit(t, regs == narrowRegisters, func(a *asm.Assembler) { emitDot(a, key) })
	args := words(vectors, addrA, addrB, addrC, steps, tail, add)
	if err := machine(regs == narrowRegisters, args, a.Bytes(), b.Bytes(), c.Bytes()).Call(code, addrArgs); err != nil {
		t.Fatalf("%+v: %v", key, err)
	}
	if err := same(k, c.Bytes(), want.Bytes()); err != nil {
		t.Fatalf("%+v, vectors %d, add %d: %v", key, vectors, add, err)
	}
}
