package emu

import "github.com/goxla/xla/cpu/asm"

// crossing sets an operation on elements of w bytes that takes them from other lanes: d is none of the sources.
func (t *quickOps) crossing(op asm.Op, w int, fn quickFn) {
	t[op] = quick{w: w, fn: fn, over: 1, crossing: true}
}

func (t *quickOps) shuffles() {
	t.crossing(asm.VPERMI2B+2, 4, tables32(func(d, a *vec) (index, low *vec) { return d, a }))
	t.crossing(asm.VPERMI2B+4, 4, tables32(func(d, a *vec) (index, low *vec) { return d, a }))
	t.crossing(asm.VPERMT2B+2, 4, tables32(func(d, a *vec) (index, low *vec) { return a, d }))
	t.crossing(asm.VPERMT2B+4, 4, tables32(func(d, a *vec) (index, low *vec) { return a, d }))
	for _, op := range []asm.Op{asm.VPERMD, asm.VPERMPS} {
		t.crossing(op, 4, func(d, a, b *vec, n int, _ uint8) {
			for i, x := range a.u32()[:2*n] {
				d.u32()[i] = b.u32()[int(x)&(2*n-1)]
			}
		})
	}
	for op, w := range map[asm.Op]int{asm.VSHUFF32X4: 4, asm.VSHUFI32X4: 4, asm.VSHUFF64X2: 8, asm.VSHUFI64X2: 8} {
		t.crossing(op, w, shuffleParts)
	}
	t.inLane()
}

// tables32 looks elements of 32 bits up in two tables.
func tables32(pick func(d, a *vec) (index, low *vec)) quickFn {
	return func(d, a, b *vec, n int, _ uint8) {
		var r vec
		at, low := pick(d, a)
		index, first, second := at.u32(), low.u32(), b.u32()
		for i, x := range index[:2*n] {
			k := int(x) & (4*n - 1)
			if k < 2*n {
				r.u32()[i] = first[k]
			} else {
				r.u32()[i] = second[k-2*n]
			}
		}
		*d = r
	}
}

// shuffleParts takes half of the parts of 128 bits from either source.
func shuffleParts(d, a, b *vec, n int, imm uint8) {
	parts := n / 2
	for i := range parts {
		src := a
		if i >= parts/2 {
			src = b
		}
		s := imm >> (i * parts / 2) & uint8(parts-1)
		d[2*i], d[2*i+1] = src[2*s], src[2*s+1]
	}
}

func (t *quickOps) inLane() {
	for _, op := range []asm.Op{asm.VUNPCKLPS, asm.VPUNPCKLBW + 2} {
		t.crossing(op, 4, func(d, a, b *vec, n int, _ uint8) {
			for i := 0; i < n; i += 2 {
				x, y := a[i], b[i]
				d[i], d[i+1] = x&ones(4)|y<<32, x>>32|y>>32<<32
			}
		})
	}
	for _, op := range []asm.Op{asm.VUNPCKHPS, asm.VPUNPCKHBW + 2} {
		t.crossing(op, 4, func(d, a, b *vec, n int, _ uint8) {
			for i := 0; i < n; i += 2 {
				x, y := a[i+1], b[i+1]
				d[i], d[i+1] = x&ones(4)|y<<32, x>>32|y>>32<<32
			}
		})
	}
	for half, ops := range [2][2]asm.Op{{asm.VUNPCKLPD, asm.VPUNPCKLBW + 3}, {asm.VUNPCKHPD, asm.VPUNPCKHBW + 3}} {
		for _, op := range ops {
			t.crossing(op, 8, func(d, a, b *vec, n int, _ uint8) {
				for i := 0; i < n; i += 2 {
					d[i], d[i+1] = a[i+half], b[i+half]
				}
			})
		}
	}
	for _, op := range []asm.Op{asm.VPSHUFD, asm.VPERMILPSI} {
		t.crossing(op, 4, func(d, a, _ *vec, n int, imm uint8) {
			for i := range 2 * n {
				d.u32()[i] = a.u32()[i&^3+int(imm>>(i&3*2)&3)]
			}
		})
	}
	t.crossing(asm.VSHUFPS, 4, func(d, a, b *vec, n int, imm uint8) {
		for i := range 2 * n {
			src := a
			if i&2 != 0 {
				src = b
			}
			d.u32()[i] = src.u32()[i&^3+int(imm>>(i&3*2)&3)]
		}
	})
}
