package pass

import (
	"context"
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/pass/match"
	"github.com/goxla/xla/shape"
)

// TreeReduction cuts a reduction of very many elements to a few results in two: parts that can be reduced side by side,
// and then the results of the parts:
//
//	reduce(f32[1000000] x) = reduce(reduce(f32[100,10000] reshape(x), dimensions={1}), dimensions={0})
//
// A sum of bf16 or f16, which is rounded once, is one of f32 in parts. How it is cut depends on the sizes only, and so
// do the bits of a sum. It stands behind the simplification, which would put the two together again.
func TreeReduction() Pass {
	return Pass{
		Name: "tree-reduction",
		Doc: "Cuts a reduction of very many elements to a few results in two: of parts, side by side, and of their " +
			"results. Sums, products, extremes, bits, argmax and argmin.",
		About: []op.Code{op.Reduce},
		Run: func(_ context.Context, m *hlo.Module, _ Options) (bool, error) {
			return rewriteModule(m, func(i *hlo.Instruction) (*hlo.Instruction, error) {
				if i.Code() != op.Reduce {
					return nil, nil
				}
				t := newTree(i)
				switch {
				case t == nil:
					return nil, nil
				case t.rounds() && t.by.Root().Code() == op.Convert:
					return nil, nil // the reducer says when it rounds
				case t.rounds():
					return t.buildWide()
				}
				return t.build()
			})
		},
	}
}

const (
	// longReduction is from how many elements a result on a reduction is cut, if there are fewer results than
	// fewResults, or fewer than fewSides where they are what vectors are made of. One of veryLong is cut in any case.
	longReduction, veryLong = 1 << 18, 1 << 20
	fewResults, fewSides    = 16, 512
	// Results side by side that are no more than narrowSides are few vectors, all of one thread: they are cut if they
	// are of longNarrow bytes and of more than one part.
	longNarrow, narrowSides = 256 << 10, 128
	// shortPart and longPart are how many elements a part has, about; it has leastRows of the dimension that is cut.
	shortPart, longPart = 1 << 11, 1 << 14
	leastRows           = 16
	// mostLookedAt is how many instructions are looked at for reductions.
	mostLookedAt = 64
	// line is how many bytes of memory are read together: vectors that lie in two take longer.
	line = 64
)

// tree makes one reduction in two.
type tree struct {
	*maker
	i       *hlo.Instruction
	dims    []int                     // of the operands
	reduced []int                     // of them, in order
	begin   func() []*hlo.Instruction // what parts begin with
	// arrays are reduced, from inits on, by a computation.
	arrays, inits []*hlo.Instruction
	by            *hlo.Computation
	each          int // elements that go into each of those that are reduced
}

// newTree returns nil if i is not long, or may not be done in parts.
func newTree(i *hlo.Instruction) *tree {
	x, n := i.Operand(0).Shape(), len(i.Operands())/2
	t := &tree{maker: newMaker(i), i: i, reduced: slices.Sorted(slices.Values(i.Attrs().(*op.ReduceAttrs).Dimensions))}
	if !x.IsArray() || !x.IsStatic() || x.Size() == 0 || len(t.reduced) == 0 {
		return nil
	}
	t.dims = slices.Clone(x.Dims)
	t.arrays, t.inits, t.by = i.Operands()[:n:n], i.Operands()[n:], i.Called()[0]
	length := sizeOf(i.Operand(0), t.reduced)
	results := x.Size() / length
	long, few := length >= longReduction, results < fewResults || t.side() > 1 && results < fewSides || length >= veryLong
	if t.side() > 1 && results <= narrowSides {
		long, few = x.Size()*x.Type.ByteSize() >= longNarrow && length*t.side() > longPart, true
	}
	if t.each = 1; !long && length >= longPart {
		t.each = t.work()
		long = length*t.each >= longReduction
	}
	if !long || !few || !t.starts(n) {
		return nil
	}
	return t
}

// side is how many results lie side by side in memory.
func (t *tree) side() int {
	n := 1
	for _, size := range t.dims[t.reduced[len(t.reduced)-1]+1:] {
		n *= size
	}
	return n
}

// work is how many elements go into each of those that are reduced, and how many could be read while it is computed:
// more than one where these are reductions themselves, or dear.
func (t *tree) work() int {
	size := t.i.Operand(0).Size()
	most, dear := size, 0
	at := slices.Clone(t.arrays)
	for seen := 0; seen < len(at) && seen < mostLookedAt; seen++ {
		switch x := at[seen]; {
		case x.Code() == op.Reduce:
			most = max(most, x.Operand(0).Size())
		case x.Code().Info().Has(op.Elementwise):
			if at = append(at, x.Operands()...); isDear[x.Code()] && x.Size() == size {
				dear++
			}
		}
	}
	return max(most/size, 1+dearElements*dear)
}

// dearElements is how many elements are read, about, in the time that a dear one is computed in.
const dearElements = 2

var isDear = [op.NumCodes]bool{
	op.Divide: true, op.Sqrt: true, op.Rsqrt: true, op.Cbrt: true, op.Exponential: true, op.ExponentialMinusOne: true,
	op.Log: true, op.LogPlusOne: true, op.Power: true, op.Tanh: true, op.Logistic: true, op.Sine: true, op.Cosine: true,
	op.Tan: true, op.Atan2: true, op.Erf: true, op.Remainder: true,
}

// starts decides what parts begin with; it reports false if the order shows.
func (t *tree) starts(n int) bool {
	t.begin = func() []*hlo.Instruction { return t.i.Operands()[n:] }
	if n == 2 {
		return t.isAnyOrder()
	}
	kind, ok := match.Reducer(t.i.Called()[0])
	if !ok || n != 1 {
		return false
	}
	ty := t.i.Type()
	switch kind {
	case match.Max, match.Min, match.And, match.Or:
		return true
	case match.Sum, match.Product, match.Xor:
	default:
		return false
	}
	if !isIdentity(t.i.Operand(1), kind) {
		t.begin = func() []*hlo.Instruction { return []*hlo.Instruction{t.constant(nothing(kind, ty))} }
	}
	return !ty.IsFloat() || ty.Bits() >= 16
}

// rounds reports whether the results of parts may not be rounded to the type of t.
func (t *tree) rounds() bool {
	kind, ok := match.Reducer(t.i.Called()[0])
	ty := t.i.Type()
	return ok && (kind == match.Sum || kind == match.Product) && ty.IsFloat() && ty.Bits() < 32
}

// buildWide reduces f32 in parts, and rounds the result.
func (t *tree) buildWide() (*hlo.Instruction, error) {
	kind, _ := match.Reducer(t.by)
	none := t.constant(nothing(kind, shape.F32))
	t.begin = func() []*hlo.Instruction { return []*hlo.Instruction{none} }
	init := none
	if !isIdentity(t.inits[0], kind) {
		init = t.convert(t.inits[0], shape.F32)
	}
	t.arrays, t.inits = []*hlo.Instruction{t.convert(t.arrays[0], shape.F32)}, []*hlo.Instruction{init}
	t.by = t.reducer(kind.Code(), shape.F32)
	sum, err := t.build()
	if sum == nil || err != nil {
		return nil, err
	}
	return t.finish(t.convert(sum, t.i.Type()))
}

// isAnyOrder reports whether t is an argmax or argmin of whose elements parts may be taken together: not if a NaN makes
// it begin anew, nor if what it begins with could be taken for a later element.
func (t *tree) isAnyOrder() bool {
	r, ok := match.ArgReducer(t.i.Called()[0])
	replaced := ok && isIdentity(t.i.Operand(2), kindOf(r))
	later := r.Tie == match.SecondIndex || r.TieValue == match.SecondIndex
	return ok && (r.NaNWins || !t.i.Operand(0).Type().IsFloat()) && (replaced || !later)
}

// isAtHand reports whether x is in memory, or costs nothing: it may be read in two places.
func isAtHand(x *hlo.Instruction) bool {
	switch x.Code() {
	case op.Parameter, op.Constant, op.GetTupleElement, op.Iota, op.Dot, op.Convolution:
		return true
	case op.Reshape, op.Bitcast, op.Convert:
		return isAtHand(x.Operand(0))
	}
	return false
}

// nothing is what changes no sum, product or exclusive or.
func nothing(kind match.Kind, ty shape.ElementType) literal.Literal {
	l := literal.New(shape.Make(ty))
	switch {
	case kind == match.Product && ty.IsComplex():
		l.SetComplex(0, 1)
	case kind == match.Product && ty.IsFloat():
		l.SetFloat(0, 1)
	case kind == match.Product:
		l.SetInt(0, 1)
	}
	return l
}

// build reduces the last dimensions, together or in part as long as a part is to be, and then the others.
func (t *tree) build() (*hlo.Instruction, error) {
	n := len(t.arrays)
	first, length := len(t.reduced), t.side() // dimensions from first on are of the parts
	for first > 0 && length*t.dims[t.reduced[first-1]] <= longPart/t.each {
		first--
		length *= t.dims[t.reduced[first]]
	}
	arrays := slices.Clone(t.arrays)
	if length >= shortPart/t.each && first < len(t.reduced) {
		inner := t.reduced[first:]
		parts := t.parts(t.reduce(arrays, t.begin(), inner), n)
		return t.finish(t.reduce(parts, t.inits, t.reduced[:first]))
	}
	d := t.reduced[first-1]
	inner := []int{d + 1}
	for _, k := range t.reduced[first:] {
		inner = append(inner, k+1)
	}
	size := t.rows(t.dims[d], length, t.i.Operand(0).Type().ByteSize())
	if t.dims[d]%size > 0 && slices.ContainsFunc(arrays, func(x *hlo.Instruction) bool { return !isAtHand(x) }) {
		return nil, nil // it would have to be stored
	}
	begin := t.begin()
	parts := t.parts(t.reduce(t.cut(arrays, d, size), begin, inner), n)
	if rest := t.dims[d] % size; rest > 0 {
		last := t.parts(t.reduce(t.behind(arrays, d, t.dims[d]-rest), begin, t.reduced[first-1:]), n)
		for k, x := range last {
			dims := slices.Clone(t.shapeOf(parts[k]).Dims)
			if t.err == nil {
				dims[d] = 1
				parts[k] = t.add(op.Concatenate, &op.ConcatenateAttrs{Dimensions: []int{d}}, parts[k], t.reshape(x, dims...))
			}
		}
	}
	return t.finish(t.reduce(parts, t.inits, append(slices.Clone(t.reduced[:first-1]), d)))
}

// rows is how many of n rows of length elements, of so many bytes each, make a part: a divisor of n, if one fits, with
// which each part begins with a line, if there is one.
func (t *tree) rows(n, length, bytes int) int {
	least := max(shortPart/t.each/length, (leastRows*t.side()+length-1)/length)
	most, found := max(longPart/t.each/length, least), 0
	for d := most; d >= least; d-- {
		switch {
		case n%d != 0:
		case d*length*bytes%line == 0:
			return d
		case found == 0:
			found = d
		}
	}
	if found > 0 {
		return found
	}
	return most
}

// cut returns the arrays with dimension d as parts of size, without what is behind the last whole one.
func (t *tree) cut(arrays []*hlo.Instruction, d, size int) []*hlo.Instruction {
	count := t.dims[d] / size
	dims := slices.Replace(slices.Clone(t.dims), d, d+1, count, size)
	out := make([]*hlo.Instruction, len(arrays))
	for k, x := range arrays {
		out[k] = t.reshape(t.slice(x, d, 0, count*size), dims...)
	}
	return out
}

// behind returns the arrays from start on in dimension d.
func (t *tree) behind(arrays []*hlo.Instruction, d, start int) []*hlo.Instruction {
	out := make([]*hlo.Instruction, len(arrays))
	for k, x := range arrays {
		out[k] = t.slice(x, d, start, t.dims[d])
	}
	return out
}

// slice returns elements start to limit-1 of dimension d of x; x itself if that is all.
func (t *tree) slice(x *hlo.Instruction, d, start, limit int) *hlo.Instruction {
	if start == 0 && limit == t.dims[d] {
		return x
	}
	a := &op.SliceAttrs{}
	for k, size := range t.dims {
		r := op.SliceRange{Limit: size, Stride: 1}
		if k == d {
			r.Start, r.Limit = start, limit
		}
		a.Slice = append(a.Slice, r)
	}
	return t.add(op.Slice, a, x)
}

// reduce adds the reduction of arrays over dims.
func (t *tree) reduce(arrays, inits []*hlo.Instruction, dims []int) *hlo.Instruction {
	return t.shaped(op.Reduce, shape.Shape{}, &op.ReduceAttrs{Dimensions: slices.Clone(dims)},
		slices.Concat(arrays, inits), t.by)
}

// parts returns the n arrays that x, an array or a tuple, is.
func (t *tree) parts(x *hlo.Instruction, n int) []*hlo.Instruction {
	if n == 1 {
		return []*hlo.Instruction{x}
	}
	out := make([]*hlo.Instruction, n)
	for k := range out {
		if t.err == nil {
			out[k] = t.element(x, k)
		}
	}
	return out
}
