package simplify

// Families returns all families, in the order in which a driver tries them. The slice is
// the caller's.
//
// Every rule keeps the value of an instruction to the bit, NaN payloads aside: signed
// zeros, infinities, NaN and subnormal numbers come out as before, and floating-point
// sums keep their order. Only x^2 and x^-1 become a product and a quotient, which are rounded
// correctly where a power function need not be. A rule that asks Options may do more. No two rules undo each
// other, so trying them until none applies comes to an end.
func Families() []Family {
	return []Family{
		constants(), arithmetic, products, powers, bitLogic, extrema, comparisons, selections,
		conversions, complexes, structures, copies, reshapes, transposes, broadcasts(),
		slicing, padding, concatenations, dynamicSlices, gathers, reductions, windows, dots,
	}
}
