package gemm

import (
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/shape"
)

// TestRowsAsked: a step of many lines asks for those of C late, or from the first turn on if it has few turns; one of
// few lines asks for all at once, unless it is short.
func TestRowsAsked(t *testing.T) {
	for _, test := range []struct {
		tier       exec.Tier
		k          int
		stream     bool
		rows, late int
	}{
		{exec.AVX512, 3, false, 0, 0},
		{exec.AVX512, 8, false, 3, 0},
		{exec.AVX512, 72, false, 1, 0},
		{exec.AVX512, 76, false, 1, 6 + lateTurns},
		{exec.AVX512, 256, false, 1, 6 + lateTurns},
		{exec.AVX512, 256, true, 0, 0},
		{exec.AVX2, 48, false, 1, 0},
		{exec.AVX2, 52, false, 0, 0},
		{exec.AVX2, fewDepths + 4, false, 0, 0},
	} {
		s := Spec{C: shape.F32, A: matrix(60, test.k), B: columnsOf(test.k, 256), Stream: test.stream}
		p, err := New(s, Config{Tier: test.tier, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		mr := 6
		if test.tier == exec.AVX2 && test.k <= fewDepths {
			mr = 4
		}
		k := p.forms[0].micro[mr]
		if k == nil {
			t.Fatalf("%v: expected steps of %d rows", p, mr)
		}
		if k.rowsAsked != test.rows || k.late != test.late {
			t.Errorf("%v on %v: expected %d rows a turn, %d late turns, got %d and %d", p, test.tier, test.rows, test.late,
				k.rowsAsked, k.late)
		}
	}
}

// TestLaterRows: products of windows over an image that is not near, by few columns, ask for rows of it.
func TestLaterRows(t *testing.T) {
	far := Config{Tier: exec.AVX512, Threads: 1, L2: 64 << 10, FarL3: true}
	narrow, near, large, portable := far, far, far, far
	narrow.Tier, near.FarL3, large.L2, portable.Tier = exec.AVX2, false, 1<<20, exec.Portable
	rows, narrowRows := near, near
	rows.AsksRows, narrowRows.AsksRows, narrowRows.Tier = true, true, exec.AVX2
	for _, test := range []struct {
		name                       string
		typ                        shape.ElementType
		high, wide, taps, features int
		columns                    int
		machine                    Config
		asks                       bool
	}{
		{"columns", shape.F32, 11, 37, 3, 64, 3, far, true},
		{"one", shape.F32, 11, 37, 3, 64, 1, far, true},
		{"f64", shape.F64, 11, 30, 3, 32, 4, far, true},
		{"narrow", shape.F32, 11, 37, 3, 64, 3, narrow, true},
		{"short rows", shape.F32, 90, 9, 3, 32, 2, far, true},
		{"image near", shape.F32, 11, 37, 3, 64, 3, large, false},
		{"last cache near", shape.F32, 11, 37, 3, 64, 3, near, false},
		{"rows", shape.F32, 11, 37, 3, 64, 3, rows, false},
		{"narrow, rows", shape.F32, 11, 37, 3, 64, 3, narrowRows, true},
		{"no code", shape.F32, 11, 37, 3, 64, 3, portable, false},
		{"many columns", shape.F32, 11, 37, 3, 64, 16, far, false},
		{"one run", shape.F32, 11, 37, 1, 64, 3, far, false},
		{"smaller image", shape.F32, 8, 10, 3, 64, 3, narrowRows, true},
		{"smaller image, no rows", shape.F32, 8, 10, 3, 64, 3, narrow, false},
		{"whole vectors", shape.F32, 11, 37, 3, 16, 16, narrowRows, true},
		{"two panels", shape.F32, 11, 37, 3, 16, 32, narrowRows, true},
		{"three panels", shape.F32, 11, 37, 3, 16, 48, narrowRows, false},
		{"whole vectors of f64", shape.F64, 11, 37, 3, 8, 8, narrowRows, true},
		{"whole vectors, image near", shape.F32, 7, 9, 3, 16, 16, narrowRows, false},
		{"whole vectors, no rows", shape.F32, 11, 37, 3, 16, 16, narrow, false},
		{"wide vectors", shape.F32, 11, 37, 3, 16, 16, rows, false},
	} {
		if host, err := exec.HostTier(""); err != nil || test.machine.Tier > host {
			continue
		}
		s, width, all := windowsOf(test.typ, test.high, test.wide, test.taps, 1, test.features, test.columns)
		p, err := New(s, test.machine)
		if err != nil {
			t.Fatal(err)
		}
		if asks := p.later > 0; asks != test.asks {
			t.Errorf("%s: %v: asks for rows: %t, want %t", test.name, p, asks, test.asks)
		}
		for threads := 1; threads <= 3; threads += 2 {
			pool := exec.NewPool(threads)
			test.machine.Threads = threads
			checkOn(t, pool, s, test.machine, (test.high+test.taps-1)*width, all*test.columns)
			pool.Close()
		}
	}
}

// TestNearNotAsked: narrow panels of a B that stays in the second-level cache are not asked for.
func TestNearNotAsked(t *testing.T) {
	for _, test := range []struct {
		tier     exec.Tier
		size, l2 int
		batch    int
		want     bool
	}{
		{exec.AVX2, 256, 512 << 10, 1, false}, {exec.AVX2, 256, 256 << 10, 1, true}, {exec.AVX2, 256, 512 << 10, 4, true},
		{exec.AVX512, 256, 512 << 10, 1, true},
	} {
		s := Spec{C: shape.F32}
		s.A, _ = operand(shape.F32, rowMajor, test.batch, test.size, test.size, false)
		s.B, _ = operand(shape.F32, columnMajor, test.batch, test.size, test.size, true)
		p, err := New(s, Config{Tier: test.tier, Threads: 1, L2: test.l2})
		if err != nil {
			t.Fatal(err)
		}
		if p.listed != test.want {
			t.Errorf("%v, L2 of %d: asks for panels: %v, want %v", p, test.l2, p.listed, test.want)
		}
	}
}

// TestRowsApart: steps ask for short rows of A with gaps between them, if A is not near.
func TestRowsApart(t *testing.T) {
	machine := Config{Tier: exec.AVX2, Threads: 1, L2: 64 << 10, AsksRows: true}
	wide, plain, portable := machine, machine, machine
	wide.Tier, plain.AsksRows, portable.Tier = exec.AVX512, false, exec.Portable
	for _, test := range []struct {
		name                  string
		typ                   shape.ElementType
		groups, rows, k, cols int
		machine               Config
		lines                 int
	}{
		{"groups", shape.F32, 4, 150, 32, 32, machine, 2},
		{"part of a line", shape.F32, 5, 150, 24, 24, machine, 2},
		{"f64", shape.F64, 3, 100, 32, 16, machine, 4},
		{"no gaps", shape.F32, 1, 600, 32, 32, machine, 0},
		{"long rows", shape.F32, 4, 150, 80, 32, machine, 0},
		{"short rows", shape.F32, 16, 150, 8, 32, machine, 0},
		{"many panels", shape.F32, 4, 150, 32, 160, machine, 0},
		{"near", shape.F32, 4, 30, 32, 32, machine, 0},
		{"wide", shape.F32, 4, 150, 32, 32, wide, 0},
		{"the hardware follows", shape.F32, 4, 150, 32, 32, plain, 0},
		{"no code", shape.F32, 4, 150, 32, 32, portable, 0},
	} {
		if host, err := exec.HostTier(""); err != nil || test.machine.Tier > host {
			continue
		}
		size, columns := test.groups*test.rows*test.k, test.groups*test.cols
		s := Spec{C: test.typ, Rows: Axis{{test.rows, columns}}, Products: Axis{{test.groups, test.cols}}}
		s.A = Operand{Type: test.typ, Batch: Axis{{test.groups, test.k}}, Free: Axis{{test.rows, test.groups * test.k}},
			Depth: Axis{{test.k, 1}}}
		s.B = Operand{Type: test.typ, Batch: Axis{{test.groups, test.cols}}, Depth: Axis{{test.k, columns}},
			Free: Axis{{test.cols, 1}}}
		p, err := New(s, test.machine)
		if err != nil {
			t.Fatal(err)
		}
		for i := range p.forms {
			for _, k := range p.forms[i].micro {
				if k != nil && k.rowLines != test.lines {
					t.Errorf("%s: %v: steps ask for %d lines of a row, want %d", test.name, p, k.rowLines, test.lines)
				}
				if k != nil && test.machine.Tier != exec.Portable {
					checkAsks(t, test.name, *k, test.lines*k.mr, test.machine.Tier == exec.AVX2)
				}
			}
		}
		for threads := 1; threads <= 2; threads++ {
			pool := exec.NewPool(threads)
			test.machine.Threads = threads
			checkOn(t, pool, s, test.machine, size, test.k*columns)
			pool.Close()
		}
	}
}

// checkAsks compares how many lines more the code of k asks for because of its rowLines.
func checkAsks(t *testing.T, name string, k microKey, want int, narrow bool) {
	t.Helper()
	silent := k
	silent.rowLines = 0
	if n := asks(t, k, narrow) - asks(t, silent, narrow); n != want {
		t.Errorf("%s: the code of %d rows asks for %d lines of them, want %d", name, k.mr, n, want)
	}
}

// asks is how many lines the code of a micro-kernel asks for.
func asks(t *testing.T, k microKey, narrow bool) (n int) {
	for code := emit(t, narrow, func(a *asm.Assembler) { emitMicro(a, k) }); len(code) > 0; {
		i, size, err := asm.Decode(code)
		if err != nil {
			break // constants
		}
		if i.Op == asm.PREFETCHT0 {
			n++
		}
		code = code[size:]
	}
	return n
}
