package perturb

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// Answers are results that right implementations give to one program.
type Answers struct {
	module, perturbed *hlo.Module
	args              []literal.Literal
	rng               *rand.Rand
	runs              [][]literal.Literal // the arrays of results
	first             []int               // of those of a result, and behind the last
}

// NewAnswers returns the answer of the evaluator to m on args; [Answers.Extend] adds others.
func NewAnswers(ctx context.Context, m *hlo.Module, args []literal.Literal) (*Answers, error) {
	a := &Answers{module: m, perturbed: Module(m), args: args, rng: rand.New(rand.NewPCG(1, 1))}
	return a, a.run(ctx, m)
}

// Extend adds answers of n runs with perturbed intermediate results.
func (a *Answers) Extend(ctx context.Context, n int) error {
	for range n {
		if err := a.run(ctx, a.perturbed); err != nil {
			return err
		}
	}
	return nil
}

func (a *Answers) run(ctx context.Context, m *hlo.Module) error {
	v, err := interp.Run(ctx, m, a.args, interp.Options{Host: hlotest.Host(a.module), Handlers: Handlers(a.rng)})
	if err != nil {
		return err
	}
	results := []literal.Literal{v}
	if v.Shape().IsTuple() {
		results = v.Elems()
	}
	var arrays []literal.Literal
	a.first = a.first[:0]
	for _, r := range results {
		a.first = append(a.first, len(arrays))
		arrays = appendArrays(arrays, r)
	}
	a.first = append(a.first, len(arrays))
	a.runs = append(a.runs, arrays)
	return nil
}

// appendArrays adds l, or the arrays in it.
func appendArrays(list []literal.Literal, l literal.Literal) []literal.Literal {
	if !l.Shape().IsTuple() {
		return append(list, l)
	}
	for _, e := range l.Elems() {
		list = appendArrays(list, e)
	}
	return list
}

// Check returns nil if got may be result k. Each element has to be that of some run, or not farther from them than
// they are from each other, plus rel times the largest number of the first run: where the runs agree, that is all.
func (a *Answers) Check(k int, got literal.Literal, rel float64) error {
	arrays := appendArrays(nil, got)
	if want := a.first[k+1] - a.first[k]; want != len(arrays) {
		return fmt.Errorf("result %d: expects %d arrays, got shape %v", k, want, got.Shape())
	}
	for n, array := range arrays {
		if err := a.check(a.first[k]+n, array, rel); err != nil {
			return fmt.Errorf("result %d: %w", k, err)
		}
	}
	return nil
}

// check is Check for array k of all results.
func (a *Answers) check(k int, got literal.Literal, rel float64) error {
	for _, r := range a.runs {
		if !got.Shape().Static().EqualIgnoringLayout(r[k].Shape().Static()) {
			return fmt.Errorf("expects shape %v, got %v", r[k].Shape(), got.Shape())
		}
	}
	got = got.RowMajor()
	allowed := allowance(a.runs[0][k], rel)
	for i := range got.Len() {
		for _, part := range parts(got.Type()) {
			if s := a.seen(k, i, part); !s.has(part(got, i), allowed) && !a.bits(k, i, got) {
				return fmt.Errorf("element %d: expects %v to %v, as %d evaluations have it, got %v",
					i, s.low, s.high, len(a.runs), part(got, i))
			}
		}
	}
	return nil
}

// part reads a number of an element.
type part func(l literal.Literal, i int) float64

// parts returns how to read the numbers of an element of type t.
func parts(t shape.ElementType) []part {
	re := func(l literal.Literal, i int) float64 { return l.FloatAt(i) }
	if !t.IsComplex() {
		return []part{re}
	}
	return []part{re, func(l literal.Literal, i int) float64 { return imag(l.ComplexAt(i)) }}
}

// allowance is by how much an element may be off that is the same in all runs: nothing for integers.
func allowance(want literal.Literal, rel float64) (most float64) {
	if !want.Type().IsFloat() && !want.Type().IsComplex() {
		return 0
	}
	for i := range want.Len() {
		for _, part := range parts(want.Type()) {
			if v := math.Abs(part(want, i)); !math.IsInf(v, 0) && v > most {
				most = v
			}
		}
	}
	return rel * most
}

// bits reports whether element i of result k has the bits of got in some run.
func (a *Answers) bits(k, i int, got literal.Literal) bool {
	if got.Type().IsComplex() {
		return false
	}
	for _, r := range a.runs {
		if r[k].BitsAt(i) == got.BitsAt(i) {
			return true
		}
	}
	return false
}

// seen is what the runs have for one number.
type seen struct {
	low, high           float64 // of the finite ones
	isNaN, above, below bool    // NaN, +Inf and -Inf are among them
}

func (a *Answers) seen(k, i int, part part) seen {
	s := seen{low: math.Inf(1), high: math.Inf(-1)}
	for _, r := range a.runs {
		switch v := part(r[k], i); {
		case math.IsNaN(v):
			s.isNaN = true
		case math.IsInf(v, 0):
			s.above, s.below = s.above || v > 0, s.below || v < 0
		default:
			s.low, s.high = min(s.low, v), max(s.high, v)
		}
	}
	return s
}

// has reports whether v may be the number.
func (s seen) has(v, allowed float64) bool {
	switch {
	case math.IsNaN(v):
		return s.isNaN
	case math.IsInf(v, 0):
		return s.above && v > 0 || s.below && v < 0
	}
	allowed += s.high - s.low
	return s.low-allowed <= v && v <= s.high+allowed
}
