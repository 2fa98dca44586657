package stablehlo

import (
	"math/big"
	"testing"
)

func TestNatural(t *testing.T) {
	for _, n := range []int{0, 1, 18, 19, 20, 27, 28, 55, 324, 1074} {
		x := natural{1<<53 - 1}.timesPower(5, n)
		want := new(big.Int).Mul(big.NewInt(1<<53-1), new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(n)), nil))
		if x.bits() != want.BitLen() {
			t.Errorf("5^%d: %d bits, want %d", n, x.bits(), want.BitLen())
		}
		x = x.overPower(10, n/2)
		want.Quo(want, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n/2)), nil))
		if got := x.decimal(); got != want.String() {
			t.Errorf("5^%d: got %s, want %s", n, got, want)
		}
	}
}
