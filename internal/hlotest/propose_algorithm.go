package hlotest

import (
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// This file proposes the operations that are an algorithm each: transforms,
// factorisations, random bits, scans.

// float returns a random type of floats of 32 or 64 bits.
func (g *generator) float() shape.ElementType {
	return [...]shape.ElementType{shape.F32, shape.F64}[g.rng.IntN(2)]
}

func proposeTopK(g *generator, _ op.Code) (proposal, bool) {
	x := g.value()
	s := x.Shape()
	if s.Rank() == 0 || s.Type.IsComplex() {
		return proposal{}, false
	}
	k := 1 + g.rng.IntN(max(s.Dims[s.Rank()-1], 1))
	largest := [...]op.TriState{op.False, op.True}[g.rng.IntN(2)]
	return proposal{operands: []*hlo.Instruction{x}, attrs: &op.TopKAttrs{K: k, Largest: largest}}, true
}

// proposeFft transforms the last dimension of complex numbers, in either direction.
func proposeFft(g *generator, _ op.Code) (proposal, bool) {
	x := g.value()
	s := x.Shape()
	if s.Rank() == 0 || !s.Type.IsComplex() {
		return proposal{}, false
	}
	return proposal{operands: []*hlo.Instruction{x},
		attrs: &op.FftAttrs{Type: [...]op.FftType{op.FFT, op.IFFT}[g.rng.IntN(2)], Length: s.Dims[s.Rank()-1:]}}, true
}

func proposeCholesky(g *generator, _ op.Code) (proposal, bool) {
	n := 1 + g.rng.IntN(3)
	return proposal{operands: []*hlo.Instruction{g.varied(shape.Make(g.float(), n, n))},
		attrs: &op.CholeskyAttrs{Lower: g.rng.IntN(2) == 0}}, true
}

func proposeTriangularSolve(g *generator, _ op.Code) (proposal, bool) {
	n, m, t := 1+g.rng.IntN(3), 1+g.rng.IntN(3), g.float()
	a := &op.TriangularSolveAttrs{LeftSide: g.rng.IntN(2) == 0, Lower: g.rng.IntN(2) == 0,
		UnitDiagonal: g.rng.IntN(2) == 0, TransposeA: op.NoTranspose}
	b := shape.Make(t, n, m)
	if !a.LeftSide {
		b = shape.Make(t, m, n)
	}
	return proposal{operands: []*hlo.Instruction{g.varied(shape.Make(t, n, n)), g.varied(b)}, attrs: a}, true
}

// proposeBatchNorm draws one of the three batch-norm operations.
func proposeBatchNorm(g *generator, code op.Code) (proposal, bool) {
	x := g.value()
	s := x.Shape()
	if s.Rank() == 0 || !s.Type.IsFloat() {
		return proposal{}, false
	}
	feature := g.rng.IntN(s.Rank())
	p := proposal{operands: []*hlo.Instruction{x},
		attrs: &op.BatchNormAttrs{Epsilon: 0.5, FeatureIndex: feature}}
	for len(p.operands) < code.Info().Arity {
		p.operands = append(p.operands, g.varied(shape.Make(s.Type, s.Dims[feature])))
	}
	if code == op.BatchNormGrad { // its last operand is a gradient of the first
		p.operands[4] = g.varied(s)
	}
	for k, o := range p.operands {
		p.operands[k] = g.moderate(o)
	}
	return p, true
}

// moderate returns x clamped to numbers whose squares and sums are finite: beyond, what comes out depends on the type
// that an implementation has for what is in between.
func (g *generator) moderate(x *hlo.Instruction) *hlo.Instruction {
	limit := func(v float64) *hlo.Instruction {
		l := literal.New(shape.Make(x.Type()))
		l.SetFloat(0, v)
		return g.plain(op.Constant, l.Shape(), nil, &op.ConstantAttrs{Value: l})
	}
	return g.plain(op.Clamp, x.Shape(), []*hlo.Instruction{limit(-4), x, limit(4)}, nil)
}

func proposeRngBitGenerator(g *generator, _ op.Code) (proposal, bool) {
	state := g.varied(shape.Make(shape.U64, 2))
	bits := g.shape().WithType([...]shape.ElementType{shape.U8, shape.U16, shape.U32, shape.U64}[g.rng.IntN(4)])
	algorithm := [...]op.RngAlgorithm{op.RngThreeFry, op.RngPhilox}[g.rng.IntN(2)]
	return proposal{operands: []*hlo.Instruction{state}, declared: shape.MakeTuple(state.Shape(), bits),
		attrs: &op.RngBitGeneratorAttrs{Algorithm: algorithm}}, true
}

func proposeRng(g *generator, _ op.Code) (proposal, bool) {
	t := g.float()
	limit := g.like(shape.Make(t))
	return proposal{operands: []*hlo.Instruction{limit, limit}, declared: g.shape().WithType(t),
		attrs: &op.RngAttrs{Distribution: op.RngUniform}}, true
}

// proposeScan makes a running fold of an array along a dimension.
func proposeScan(g *generator, _ op.Code) (proposal, bool) {
	x := g.value()
	s := x.Shape()
	if s.Rank() == 0 {
		return proposal{}, false
	}
	d := g.rng.IntN(s.Rank())
	e := shape.Make(s.Type)
	for i, n := range s.Dims {
		if i != d {
			e.Dims = append(e.Dims, n)
		}
	}
	in := g.inner("scanned", e, e)
	sum := in.entry.Add("", g.reducerCode(s.Type), e, in.values, nil)
	in.entry.SetRoot(in.entry.Add("", op.Tuple, shape.MakeTuple(e, e), []*hlo.Instruction{sum, sum}, nil))
	return proposal{operands: []*hlo.Instruction{x, g.like(e)}, declared: shape.MakeTuple(s, e),
		attrs: &op.ScanAttrs{Dimensions: []int{d}, NumCarries: 1, IsReverse: g.rng.IntN(2) == 0,
			IsAssociative: op.False},
		called: []*hlo.Computation{in.entry}}, true
}

// proposeStochasticConvert converts a float to an integer with random bits of its width.
func proposeStochasticConvert(g *generator, _ op.Code) (proposal, bool) {
	x := g.value()
	bits := map[int]shape.ElementType{8: shape.U8, 16: shape.U16, 32: shape.U32, 64: shape.U64}
	unsigned, ok := bits[x.Type().Bits()]
	if !ok || !x.Type().IsFloat() {
		return proposal{}, false
	}
	to := [...]shape.ElementType{shape.S8, shape.S16, shape.S32}[g.rng.IntN(3)]
	return proposal{operands: []*hlo.Instruction{x, g.varied(x.Shape().WithType(unsigned))},
		declared: x.Shape().WithType(to)}, true
}
