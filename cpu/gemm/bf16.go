package gemm

import "github.com/goxla/xla/shape"

// AVX-512 has an instruction that multiplies bf16 in pairs: what is one depth to the micro-kernel are two of the
// operands, side by side in a lane, whose products are added to a sum of f32. It takes half of the multiplications, and
// half of the loads, that f32 do. Like that of tiles, it rounds to nearest even, and what is denormal counts as zero.

// leastBF16 is the least depth that is multiplied so.
const leastBF16 = 16

// canBF16 reports whether the product, whose B is packed anyway, can go by pairs of bf16: A along the depth, in runs of
// whole pairs, or along the rows, B in one of the orders that kernels pack.
func (p *Product) canBF16() bool {
	a, b := &p.spec.A, &p.spec.B
	if !p.config.BF16 || !p.regs.wide() || p.kind != kindF32 || a.Type != shape.BF16 || b.Type != shape.BF16 ||
		!p.packsB() || p.k < leastBF16 {
		return false
	}
	_, ok := p.groupOrder(2)
	return ok && p.groupsOfA(2)
}
