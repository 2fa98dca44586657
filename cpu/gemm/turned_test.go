package gemm

import (
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/internal/racetest"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// fewTypes are those of operands and results of products of few rows or columns.
var fewTypes = [][3]shape.ElementType{
	{shape.F32, shape.F32, shape.F32}, {shape.F64, shape.F64, shape.F64}, {shape.S32, shape.S32, shape.S32},
	{shape.S8, shape.S8, shape.S32}, {shape.U8, shape.S8, shape.S32}, {shape.S16, shape.S16, shape.S32},
	{shape.S8, shape.S8, shape.S8}, {shape.S16, shape.S16, shape.S16}, {shape.BF16, shape.BF16, shape.F32},
	{shape.BF16, shape.BF16, shape.BF16}, {shape.F16, shape.F16, shape.F16}, {shape.F16, shape.F16, shape.F32},
	{shape.U16, shape.U16, shape.U32}, {shape.BF16, shape.F32, shape.F32},
}

// TestFewRowsOrColumns multiplies few rows, or by few columns, of some depth, all types and layouts, odd sizes too.
func TestFewRowsOrColumns(t *testing.T) {
	pool := pools(t)
	for _, tier := range tiers() {
		r := rand.New(rand.NewPCG(31, uint64(tier)))
		turned, fours, turnsA, pairs := 0, 0, 0, 0
		for range 500 {
			ty := fewTypes[r.IntN(len(fewTypes))]
			m, n, k, batch := 1+r.IntN(9), 1+r.IntN(40), 1+r.IntN(700), 1+r.IntN(3)
			if r.IntN(2) == 0 {
				k = 16 * (1 + r.IntN(200))
			}
			if r.IntN(2) == 0 {
				m, n = n, m
			}
			s := Spec{C: ty[2], Constant: r.IntN(6) == 0}
			var a, b int
			s.A, a = operand(ty[0], layout(r.IntN(int(numLayouts))), batch, m, k, false)
			s.B, b = operand(ty[1], layout(r.IntN(int(numLayouts))), batch, n, k, true)
			p, err := New(s, Config{Tier: tier, Threads: 2})
			if err != nil {
				t.Fatal(err)
			}
			if p.turned {
				turned++
			}
			if p.routeB == dotted && p.m > maxDotRows {
				fours++
			}
			if p.few.rows > 0 {
				turnsA++
			}
			if p.routeB == dotted && p.kind == kindPairs {
				pairs++
			}
			check(t, pool, s, tier, a, b)
		}
		if least := min(turned, fours, turnsA, pairs); least < 10 && tier != exec.Portable && tier != exec.AMX {
			t.Errorf("%v: expected at least 10 products of each kind, got %d turned, %d of more rows than go at once, %d of "+
				"rows that are turned, %d in pairs", tier, turned, fours, turnsA, pairs)
		}
	}
}

// TestDeepFew has several parts of the depth, and several calls for each.
func TestDeepFew(t *testing.T) {
	pool := pools(t)
	for _, tier := range tiers() {
		for i, ty := range fewTypes {
			for _, form := range [][2]layout{{rowMajor, rowMajor}, {rowMajor, columnMajor}, {columnMajor, columnMajor},
				{columnMajor, rowMajor}} {
				s := Spec{C: ty[2]}
				var a, b int
				m, n, k := 11+i%3, 2+i%5, 40000+2*i
				if form[0] == columnMajor {
					m, n = n, m
				}
				s.A, a = operand(ty[0], form[0], 1, m, k, false)
				s.B, b = operand(ty[1], form[1], 1, n, k, true)
				check(t, pool, s, tier, a, b)
			}
		}
	}
}

// TestFewThreads: the bits do not depend on the number of threads.
func TestFewThreads(t *testing.T) {
	for _, tier := range tiers() {
		for _, ty := range fewTypes {
			var want []byte
			for _, threads := range racetest.Threads(1, 2, 3) {
				s := Spec{C: ty[2]}
				var na, nb int
				s.A, na = operand(ty[0], rowMajor, 1, 300, 2000, false)
				s.B, nb = operand(ty[1], rowMajor, 1, 3, 2000, true)
				p, err := New(s, Config{Tier: tier, Threads: threads})
				if err != nil {
					t.Fatal(err)
				}
				if err := new(Library).Compile(p); err != nil {
					t.Fatal(err)
				}
				r := rand.New(rand.NewPCG(5, 6))
				a, b, c := fill(r, ty[0], na), fill(r, ty[1], nb), literal.New(shape.Make(ty[2], 900))
				pool := exec.NewPool(threads)
				var j Job
				j.Run(pool, p, Args{A: a.Bytes(), B: b.Bytes(), C: c.Bytes(), Scratch: guardedScratch(p, 64)[64:]})
				pool.Close()
				if want == nil {
					want = c.Bytes()
				} else if string(want) != string(c.Bytes()) {
					t.Errorf("%v, %d threads: other bits than with fewer", p, threads)
				}
			}
		}
	}
}

// TestFewEmulated turns squares in the emulator.
func TestFewEmulated(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 1))
	for rows := 1; rows <= squareRows; rows++ {
		const ld, blocks = squareRows + 1, 3
		src := fill(r, shape.S8, blocks*squareRows*ld)
		for _, kind := range []kind{kindS32, kindPairs} {
			size := kind.size() / kind.wide()
			to := blocks*squareRows*size + 16
			dst := make([]byte, rows*to)
			key := fewKey{kind: kind, typ: shape.S8, rows: rows, ld: ld, to: to}
			code := emit(t, true, func(a *asm.Assembler) { emitFew(a, key) })
			if err := machine(true, words(blocks, addrA, addrC), src.Bytes(), nil, dst).Call(code, addrArgs); err != nil {
				t.Fatalf("%+v: %v", key, err)
			}
			for i := range rows {
				for k := range blocks * squareRows {
					want, at := src.IntAt(k*ld+i), i*to+k*size
					got := int64(int16(dst[at]) | int16(dst[at+1])<<8)
					if got != want {
						t.Fatalf("%+v: row %d, depth %d: expected %d, got %d", key, i, k, want, got)
					}
				}
			}
		}
	}
}
