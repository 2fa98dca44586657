package perturb

import (
	"context"
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// Handlers are the handlers of the custom calls of [Module]. They draw from rng, so that each run moves
// results otherwise. They are not safe for concurrent use.
func Handlers(rng *rand.Rand) ffi.Handlers {
	p := &perturber{rng: rng, mixed: rng.IntN(2) == 0, way: rng.IntN(4), finer: rng.IntN(3),
		still: rng.IntN(4) == 0}
	return ffi.Handlers{
		targetPrefix + "payload":  ffi.Func(p.payload),
		targetPrefix + "rounded":  ffi.Func(p.rounded),
		targetPrefix + "fft":      ffi.Func(p.fft),
		targetPrefix + "shuffled": ffi.Func(p.shuffled),
		targetPrefix + "variance": ffi.Func(p.variance),
	}
}

// perturber moves numbers at random.
type perturber struct {
	rng *rand.Rand
	// way is what becomes of NaNs, in all of the run as on one processor, unless mixed: then each goes its own.
	way   int
	mixed bool
	// finer halves the moves of all of the run so often: a number that is the noise of others, as a variance of equal
	// ones is, is smaller in better implementations, and its reciprocal is larger.
	finer int
	// still says that means of equal numbers are exact, and that parts of transforms cancel as they would in numbers
	// without roundings.
	still bool
}

// payload gives NaNs other signs and payloads.
func (p *perturber) payload(_ context.Context, c *ffi.Call) error {
	x := c.Operands[0].Clone()
	c.Results[0] = x
	for i := range x.Len() {
		if x.Type().IsFloat() && math.IsNaN(x.FloatAt(i)) {
			if p.mixed {
				p.way = p.rng.IntN(4)
			}
			otherNaN(x, i, p.way)
		}
	}
	return nil
}

// otherNaN sets element i, a NaN, to one that other processors make: without a payload, or with the other sign.
func otherNaN(x literal.Literal, i, way int) {
	was := x.BitsAt(i)
	bits := was
	if way&1 != 0 {
		x.SetFloat(i, math.NaN())
		bits = x.BitsAt(i)
	}
	if way&2 != 0 {
		bits ^= 1 << (x.Type().Bits() - 1)
	}
	x.SetBits(i, bits)
	if !math.IsNaN(x.FloatAt(i)) { // the type has but one
		x.SetBits(i, was)
	}
}

// rounded moves numbers by some steps of their type, complex ones by as much of their modulus.
func (p *perturber) rounded(ctx context.Context, c *ffi.Call) error {
	if err := p.payload(ctx, c); err != nil {
		return err
	}
	x := c.Results[0]
	for i := range x.Len() {
		if x.Type().IsComplex() {
			p.moveComplex(x, i)
		} else {
			p.move(x, i)
		}
	}
	return nil
}

// steps returns by how many steps of t two implementations may lie apart, at most twice the accuracy that the compiler
// keeps.
func (p *perturber) steps(t shape.ElementType) int {
	if t.Bits() >= 32 {
		return 4 >> p.finer
	}
	return 1
}

// move moves element i by some steps, not across zero.
func (p *perturber) move(x literal.Literal, i int) {
	was, v, n := x.BitsAt(i), x.FloatAt(i), p.steps(x.Type())
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return
	}
	x.SetBits(i, was+uint64(p.rng.IntN(2*n+1)-n))
	if now := x.FloatAt(i); math.IsNaN(now) || math.Signbit(now) != math.Signbit(v) {
		x.SetBits(i, was)
	}
}

func (p *perturber) moveComplex(x literal.Literal, i int) {
	v := x.ComplexAt(i)
	step := math.Hypot(real(v), imag(v)) * 0x1p-52
	if x.Type() == shape.C64 {
		step *= 0x1p29
	}
	if n := p.steps(shape.F32); !math.IsInf(step, 0) && !math.IsNaN(step) {
		away := func() float64 { return step * float64(n) * (2*p.rng.Float64() - 1) }
		x.SetComplex(i, v+complex(away(), away()))
	}
}

// variance is rounded; besides, in some runs, one that is no more than the square of the roundings of a mean is zero:
// that of equal numbers is where their mean is exact.
func (p *perturber) variance(ctx context.Context, c *ffi.Call) error {
	if err := p.rounded(ctx, c); err != nil || !p.still {
		return err
	}
	from, to := c.Operands[1], c.Results[0]
	most := 0.0
	for i := range from.Len() {
		most = max(most, math.Abs(from.FloatAt(i)))
	}
	noise := most * epsilon(to.Type()) * float64(from.Len()/max(1, to.Len()))
	for i := range to.Len() {
		if to.FloatAt(i) <= noise*noise {
			to.SetFloat(i, 0)
		}
	}
	return nil
}

// epsilon is the distance from 1 to the next number of t.
func epsilon(t shape.ElementType) float64 {
	one := literal.New(shape.Make(t))
	one.SetFloat(0, 1)
	one.SetBits(0, one.BitsAt(0)+1)
	return one.FloatAt(0) - 1
}

// fft is rounded; besides, a transform of what is not finite, or would not be as a sum, has infinities and NaNs where
// the algorithm happens to put them: a product of complex numbers spreads them, a sum does not. In some runs what is no
// more than a rounding is zero: which terms cancel without one depends on their order.
func (p *perturber) fft(ctx context.Context, c *ffi.Call) error {
	if err := p.rounded(ctx, c); err != nil {
		return err
	}
	rank, err := strconv.Atoi(c.Config)
	if err != nil {
		return err
	}
	from, to := c.Operands[1], c.Results[0]
	count := 1
	for _, n := range from.Dims()[:len(from.Dims())-rank] {
		count *= n
	}
	for k := range count {
		n := from.Len() / count
		sum, tame := sumOf(from, k*n, k*n+n), isTame(from, k*n, k*n+n)
		n = to.Len() / count
		switch {
		case !tame:
			p.scramble(to, k*n, k*n+n, sum)
		case p.still:
			cancel(to, k*n, k*n+n, sum)
		}
	}
	return nil
}

// cancel sets those parts of elements to zero that are no more than a rounding of a sum.
func cancel(x literal.Literal, first, last int, sum float64) {
	noise := sum * 0x1p-52
	if x.Type() == shape.F32 || x.Type() == shape.C64 {
		noise *= 0x1p29
	}
	still := func(v float64) float64 {
		if math.Abs(v) <= noise {
			return 0
		}
		return v
	}
	for i := first; i < last; i++ {
		if v := x.ComplexAt(i); x.Type().IsComplex() {
			x.SetComplex(i, complex(still(real(v)), still(imag(v))))
		} else {
			x.SetFloat(i, still(real(v)))
		}
	}
}

// sumOf is the sum of the magnitudes of the finite numbers among the elements from first to last.
func sumOf(x literal.Literal, first, last int) (sum float64) {
	for i := first; i < last; i++ {
		for _, part := range parts(x.Type()) {
			if v := math.Abs(part(x, i)); v <= math.MaxFloat64 {
				sum += v
			}
		}
	}
	return sum
}

// isTame reports whether sums of the elements from first to last are finite.
func isTame(x literal.Literal, first, last int) bool {
	limit := math.MaxFloat64
	if x.Type() == shape.F32 || x.Type() == shape.C64 {
		limit = math.MaxFloat32
	}
	for i := first; i < last; i++ {
		v := x.ComplexAt(i)
		if m := math.Abs(real(v)) + math.Abs(imag(v)); !(m < limit/(4*float64(last-first))) {
			return false
		}
	}
	return true
}

// scramble sets elements to themselves, infinities, NaNs, and finite numbers that the finite ones of the operand may
// add up to where only some parts of products are not.
func (p *perturber) scramble(x literal.Literal, first, last int, sum float64) {
	pick := func(v float64) float64 {
		return []float64{v, math.Inf(1), math.Inf(-1), math.NaN(), sum, -sum}[p.rng.IntN(6)]
	}
	for i := first; i < last; i++ {
		if v := x.ComplexAt(i); x.Type().IsComplex() {
			x.SetComplex(i, complex(pick(real(v)), pick(imag(v))))
		} else {
			x.SetFloat(i, pick(real(v)))
		}
	}
}
