// Package chain tells how many operations the loops of a program do one after another, each of which waits for the
// one before: what bounds a loop of little work, however wide the machine is.
package chain

import (
	"math"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/pass"
)

// Length returns the length of the longest chain through the loops of m, in multiply-adds, and at most that: each
// operation counts as little as any machine takes. What is not in a loop does not count. flops is the nominal work of
// a run: where how often one loop turns cannot be told from the program, it follows from that; 0 if not known.
func Length(m *hlo.Module, flops float64) float64 {
	c := counter{unknown: 1}
	once := c.work(m.Entry())
	c.unknown = 2
	if each := c.work(m.Entry()) - once; each > 0 && flops > once {
		c.unknown = math.Round(1 + (flops-once)/each)
	} else {
		c.unknown = 0
	}
	return c.longest(m.Entry(), nil, true)[m.Entry().Root()]
}

// counter counts with loops of unknown length that turn so often.
type counter struct{ unknown float64 }

func (c counter) trips(w *hlo.Instruction) float64 {
	if n, ok := pass.TripCount(w); ok {
		return float64(n)
	}
	return c.unknown
}

// work returns the operations of a computation, those of its loops included.
func (c counter) work(comp *hlo.Computation) float64 {
	total := 0.0
	for _, i := range comp.Instructions() {
		switch {
		case i.Code() == op.While:
			total += c.trips(i) * c.work(i.Called()[1])
		case i.Code().Info().Flops != nil:
			total += float64(i.Code().Info().Flops(i.Inputs(), i.Shape()))
		}
	}
	return total
}

// none is the length where there is no path.
var none = math.Inf(-1)

// longest returns the length of the longest path to each instruction: from the given one, or from anywhere if
// that is nil. With loopsOnly only loops have a length.
func (c counter) longest(comp *hlo.Computation, from *hlo.Instruction, loopsOnly bool) map[*hlo.Instruction]float64 {
	length := map[*hlo.Instruction]float64{}
	for _, i := range comp.PostOrder() {
		l := none
		if from == nil || i == from {
			l = 0
		}
		for _, o := range i.Operands() {
			l = max(l, length[o])
		}
		if i.Code() == op.While {
			l += c.trips(i) * c.cycle(i.Called()[1])
		} else if !loopsOnly {
			l += weight(i)
		}
		length[i] = l
	}
	return length
}

// cycle returns what an iteration takes on average if it only waits for values of the ones before: the
// largest mean of a cycle through the elements of the state (Karp).
func (c counter) cycle(body *hlo.Computation) float64 {
	steps := c.steps(body)
	n := len(steps)
	walks := [][]float64{make([]float64, n)} // by edges, then by end
	for range n {
		last, next := walks[len(walks)-1], make([]float64, n)
		for to := range next {
			next[to] = none
			for from := range n {
				next[to] = max(next[to], last[from]+steps[from][to])
			}
		}
		walks = append(walks, next)
	}
	mean := 0.0
	for v := range n {
		least := math.Inf(1)
		for k := range n {
			if walks[n][v] != none {
				least = min(least, (walks[n][v]-walks[k][v])/float64(n-k))
			}
		}
		if !math.IsInf(least, 1) {
			mean = max(mean, least)
		}
	}
	return mean
}

// steps returns the longest path through the body from each element of the state to each of the next.
func (c counter) steps(body *hlo.Computation) [][]float64 {
	param, root := body.Params()[0], body.Root()
	outs := []*hlo.Instruction{root}
	ins := []*hlo.Instruction{param}
	if param.IsTuple() {
		if root.Code() != op.Tuple {
			return nil
		}
		outs, ins = root.Operands(), make([]*hlo.Instruction, len(root.Operands()))
		for _, u := range param.Users() {
			if a, ok := u.Attrs().(*op.GetTupleElementAttrs); ok {
				ins[a.Index] = u
			}
		}
	}
	steps := make([][]float64, len(ins))
	for i, in := range ins {
		steps[i] = make([]float64, len(outs))
		var length map[*hlo.Instruction]float64
		if in != nil {
			length = c.longest(body, in, false)
		}
		for j, out := range outs {
			steps[i][j] = none
			if l, ok := length[out]; ok {
				steps[i][j] = l
			}
		}
	}
	return steps
}

// weights are what operations take at least, in multiply-adds; those that are not here take nothing.
var weights = map[op.Code]float64{
	op.Add: 1, op.Subtract: 1, op.Multiply: 1, op.Divide: 2.5, op.Sqrt: 3, op.Rsqrt: 1, op.Dot: 1, op.Convolution: 1,
	op.Exponential: 5, op.ExponentialMinusOne: 5, op.Log: 5, op.LogPlusOne: 5, op.Tanh: 5,
	op.Logistic: 5, op.Sine: 5, op.Cosine: 5, op.Power: 8,
	op.Reduce: 0.25, op.Maximum: 0.25, op.Minimum: 0.25, op.Compare: 0.25, op.Select: 0.25, op.And: 0.25, op.Or: 0.25,
	op.Xor: 0.25, op.ShiftLeft: 0.25, op.ShiftRightLogical: 0.25, op.ShiftRightArithmetic: 0.25, op.Clamp: 0.5,
	op.DynamicSlice: 1, op.Gather: 1,
}

// weight returns what i takes at least.
func weight(i *hlo.Instruction) float64 {
	w := weights[i.Code()]
	if i.IsArray() && !i.Type().IsFloat() {
		return min(w, 0.25)
	}
	if i.Code() == op.Multiply && fuses(i) {
		return 0
	}
	return w
}

// fuses reports whether the product i is a part of a multiply-add: of two products that are added one is.
func fuses(i *hlo.Instruction) bool {
	for _, u := range i.Users() {
		if u.Code() != op.Add && u.Code() != op.Subtract {
			return false
		}
		if u.Operand(0) != i && u.Operand(0).Code() == op.Multiply {
			return false
		}
	}
	return len(i.Users()) > 0
}
