package gemm

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// TestShortPart: the depth is cut into so many equal parts, of 264, that only 4 are left for the last one: fewer than
// the blocks have that a packing kernel transposes.
func TestShortPart(t *testing.T) {
	pool := exec.NewPool(1)
	defer pool.Close()
	for _, tier := range tiers() {
		for _, ty := range [][3]shape.ElementType{{shape.F32, shape.F32, shape.F32}, {shape.S16, shape.S8, shape.S32}} {
			t.Run(fmt.Sprintf("%v/%v", tier, ty[0]), func(t *testing.T) { shortPart(t, pool, tier, ty) })
		}
	}
}

func shortPart(t *testing.T, pool *exec.Pool, tier exec.Tier, ty [3]shape.ElementType) {
	const m, n, part, last, before = mostDotRowsMore + 1, 48, 256, 4, 1 << 16
	k, l1 := 260*part+last, part*narrowRegisters.most*narrowRegisters.vector*4/3
	if tier >= exec.AVX512 {
		l1 = part * wideRegisters.most * wideRegisters.vector * 4 / 3
	}
	if ty[0] == shape.S16 && tier != exec.Portable { // pairs
		k *= 2
	}
	s := Spec{C: ty[2]}
	var na, nb int
	s.A, na = operand(ty[0], rowMajor, 1, m, k, false)
	s.B, nb = operand(ty[1], columnMajor, 1, n, k, true)
	p, err := New(s, Config{Tier: tier, Threads: 1, L1: l1, L2: 256 << 10})
	if err != nil {
		t.Fatal(err)
	}
	if p.kc != part || p.leastPart() != last {
		t.Fatalf("%v: expected parts of %d and %d, got %d and %d", p, part, last, p.kc, p.leastPart())
	}
	if err := new(Library).Compile(p); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(9, uint64(k)))
	a, b, c := fill(r, ty[0], na), fill(r, ty[1], nb), literal.New(shape.Make(ty[2], m*n))
	scratch := guardedScratch(p, before)
	var j Job
	j.Run(pool, p, Args{A: a.Bytes(), B: b.Bytes(), C: c.Bytes(), Scratch: scratch[before:]})
	if !bytes.Equal(scratch[:before], bytes.Repeat([]byte{0xA5}, before)) {
		t.Errorf("%v: bytes before scratch memory were written", p)
	}
	want, sizes := reference(&s, a, b)
	compare(t, p, &s, c, want, sizes)
}

// guardedScratch returns scratch memory behind so many bytes 0xA5.
func guardedScratch(p *Product, before int) []byte {
	all := bytes.Repeat([]byte{0xA5}, before+p.ScratchBytes()+align)
	skip := int(-uintptr(pointer(all)) & (align - 1))
	return all[skip:][:before+p.ScratchBytes()]
}
