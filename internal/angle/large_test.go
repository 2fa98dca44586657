package angle

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// piDigits are as many as the largest float64 needs, which is divided by them.
const piDigits = 1024 + 200

// pi returns π by Machin's formula.
func pi() *big.Float {
	one := new(big.Int).Lsh(big.NewInt(1), piDigits+32)
	arctan := func(n int64) *big.Int {
		sum, term := new(big.Int), new(big.Int).Quo(one, big.NewInt(n))
		for k := int64(1); term.Sign() != 0; k += 2 {
			sum.Add(sum, new(big.Int).Quo(term, big.NewInt(k)))
			term.Quo(term, big.NewInt(-n*n))
		}
		return sum
	}
	sum := new(big.Int).Mul(arctan(5), big.NewInt(16))
	sum.Sub(sum, new(big.Int).Mul(arctan(239), big.NewInt(4)))
	f := new(big.Float).SetPrec(piDigits + 32).SetInt(sum)
	return f.SetMantExp(f, -(piDigits + 32))
}

// TestReduceLarge compares with arithmetic of many bits, for numbers of all sizes and those nearest to a multiple of
// π/2.
func TestReduceLarge(t *testing.T) {
	half := pi()
	half.SetMantExp(half, -1)
	r := rand.New(rand.NewPCG(3, 4))
	list := []float64{1 << 30, math.MaxFloat64,
		0x1.9251f0d1b2cbp+851, 6381956970095103 * 0x1p797, 5319372648326541 * 0x1p255}
	for range 20000 {
		list = append(list, math.Ldexp(1+r.Float64(), 30+r.IntN(994)))
	}
	for k, x := range list {
		if k%2 == 1 {
			x = -x
		}
		wide := new(big.Float).SetPrec(2*piDigits + 64)
		turns := wide.Quo(new(big.Float).SetPrec(2*piDigits+64).SetFloat64(x), half)
		turns.Add(turns, big.NewFloat(math.Copysign(0.5, x)))
		n, _ := turns.Int(nil)
		rest := new(big.Float).SetPrec(2*piDigits + 64).SetInt(n)
		rest.Sub(new(big.Float).SetFloat64(x), rest.Mul(rest, half))
		wantHi, _ := rest.Float64()
		wantLo, _ := new(big.Float).Sub(rest, big.NewFloat(wantHi)).Float64()
		wantQ := int(new(big.Int).And(n, big.NewInt(3)).Int64())
		if hi, lo, q := ReduceLarge(x); hi != wantHi || lo != wantLo || q != wantQ {
			t.Fatalf("%x is %x%+x + %d π/2, got %x%+x + %d", x, wantHi, wantLo, wantQ, hi, lo, q)
		}
	}
}
