package conv

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Few output features leave products few columns, for which each element of the input is read once for every tap. Seen
// from the input, an element goes to one place by each tap: what it is there, for all taps and output features, are the
// columns of one product, which reads the input once. Places then add up what comes to them.
//
// Where the input has holes, as in transposed convolutions, an element meets in a row of places every so many taps of
// the kernel, which has as many rests: taps of one quotient go to neighbours, one for each rest, and a place adds what
// has the same rest.

// That is for up to minColumns output features, and no more columns than features of an element. To write a column and
// add it to places takes as long as movesOutward multiply-adds, more of short vectors where places are innermost. Few
// columns of products multiply at a part of the rate: they take as long as so many fourths of the multiply-adds.
const (
	movesOutward, movesFarOutward                    = 20, 32
	gainOutward, gainHoles, gainOne, gainOneOfNarrow = 6, 7, 10, 7
)

// outward is a convolution that is made so.
type outward struct {
	*editor
	f      *form
	dims   []outwardDim
	planar bool // places are innermost, else features
}

// outwardDim is a spatial dimension: taps is quotients times rests, these are the holes of the input; places, by so
// many quotients of them, begin with rest cut of quotient first.
type outwardDim struct {
	taps, quotients, rests, step int
	places, first, cut           int
	in, out                      int
}

// outward returns f so, nil if that is no gain.
func (f *form) outward() *outward {
	t, n := f.x.Type, len(f.dims)
	if n == 0 || f.groups > 1 || f.out > minColumns || f.fewPlaces() || t != shape.F32 && t != shape.F64 ||
		f.k.Type != t || f.inst.Type() != t {
		return nil
	}
	o := &outward{editor: &editor{c: f.inst.Computation()}, f: f}
	for d, w := range f.inst.Attrs().(*op.ConvolutionAttrs).Window.Dims {
		dim, ok := outwardOf(w, f.x.Dims[f.labels.InputSpatial[d]], f.inst.Dims()[f.labels.OutputSpatial[d]])
		if !ok {
			return nil
		}
		o.dims = append(o.dims, dim)
	}
	if o.planar = f.placesLast(); !o.planar && !(o.holes() && f.featuresLast()) || !o.gains() {
		return nil
	}
	return o
}

// gains reports whether that is faster than products for each tap. Where the input has holes, these are some for each
// phase, which eight columns fill, and four fill a half of short vectors.
func (o *outward) gains() bool {
	f, columns := o.f, o.columns()
	gain, moves, wide := gainOutward, movesOutward, f.vector >= vectorBytes
	switch holes := o.holes(); {
	case f.out == 1 && wide:
		gain = gainOne
	case f.out == 1:
		gain = gainOneOfNarrow
	case holes && (f.out == minColumns || !wide && f.out%4 == 0):
		return false
	case holes && wide && (o.planar || !o.partial()):
		gain = gainHoles
	}
	if o.planar && !wide {
		moves = movesFarOutward
	}
	return columns > f.out && columns <= f.in && 4*columns*(f.in+moves) <= gain*f.depth()*f.out
}

// holes reports whether the input has holes.
func (o *outward) holes() bool {
	return slices.ContainsFunc(o.dims, func(d outwardDim) bool { return d.rests > 1 })
}

// partial reports whether some quotient of taps has fewer rests than there are.
func (o *outward) partial() bool {
	return slices.ContainsFunc(o.dims, func(d outwardDim) bool { return d.taps%d.rests > 0 })
}

// outwardOf is a dimension of in elements of the input, and out of the result; false if windows move on by several, or
// taps and elements of the input both have holes.
func outwardOf(w op.WindowDim, in, out int) (outwardDim, bool) {
	holes, step := max(w.BaseDilation, 1), max(w.WindowDilation, 1)
	if w.Stride > 1 || holes > 1 && step > 1 {
		return outwardDim{}, false
	}
	d := outwardDim{taps: w.Size, quotients: (w.Size + holes - 1) / holes, rests: holes, step: step, in: in, out: out}
	from := (w.Size-1)*step - w.PaddingLow
	d.cut = (from%holes + holes) % holes
	d.first = (from - d.cut) / holes
	d.places = (d.cut + out + holes - 1) / holes
	low, last := -d.first, (d.quotients-1)*step-d.first
	return d, low+in > 0 && last < d.places // each tap hits an element
}

// featuresLast reports whether the input and the result have the batch first and the features last.
func (f *form) featuresLast() bool {
	l, n := &f.labels, len(f.dims)+1
	return l.InputBatch == 0 && l.OutputBatch == 0 && l.InputFeature == n && l.OutputFeature == n &&
		slices.IsSorted(l.InputSpatial) && slices.IsSorted(l.OutputSpatial)
}

// placesLast reports whether they have the batch first, the features behind it and the places last.
func (f *form) placesLast() bool {
	l := &f.labels
	return l.InputBatch == 0 && l.OutputBatch == 0 && l.InputFeature == 1 && l.OutputFeature == 1 &&
		slices.IsSorted(l.InputSpatial) && slices.IsSorted(l.OutputSpatial)
}

// kernel returns the kernel with its spatial dimensions first, the last taps in front, each cut into quotients and
// rests: all quotients, all rests, then the output features, and the input features in front of or behind all of these.
func (o *outward) kernel() *hlo.Instruction {
	l, n := &o.f.labels, len(o.dims)
	order := slices.Concat(l.KernelSpatial, []int{l.KernelInputFeature, l.KernelOutputFeature})
	k := o.transpose(o.f.inst.Operand(1), order)
	var turned, split []int
	more := make(op.Padding, n+2)
	for d, w := range o.f.inst.Attrs().(*op.ConvolutionAttrs).Window.Dims {
		if !w.Reversal && w.Size > 1 {
			turned = append(turned, d)
		}
		more[d].High = o.dims[d].quotients*o.dims[d].rests - w.Size
		split = append(split, o.dims[d].quotients, o.dims[d].rests)
	}
	if o.err == nil && len(turned) > 0 {
		k = o.add(op.Reverse, k.Shape(), &op.ReverseAttrs{Dimensions: turned}, k)
	}
	k = o.reshape(o.pad(k, more), append(split, o.f.in, o.f.out))
	order = nil
	for _, first := range []int{0, 1} {
		for d := range n {
			order = append(order, 2*d+first)
		}
	}
	if o.planar {
		return o.transpose(k, append(order, 2*n+1, 2*n))
	}
	return o.transpose(k, slices.Concat([]int{2 * n}, order, []int{2*n + 1}))
}

// product returns what elements of the input are for all taps, as a convolution of one tap.
func (o *outward) product() *hlo.Instruction {
	f, n := o.f, len(o.dims)
	k := o.kernel()
	if o.err != nil {
		return nil
	}
	columns := k.Size() / f.in
	a := op.CloneAttrs(f.inst.Attrs()).(*op.ConvolutionAttrs)
	a.Window.Dims = make([]op.WindowDim, n)
	for d := range a.Window.Dims {
		a.Window.Dims[d] = op.WindowDim{Size: 1, Stride: 1, WindowDilation: 1, BaseDilation: 1}
	}
	l := &a.DimLabels
	shapeOfK, y := []int{columns, f.in}, slices.Clone(f.x.Dims)
	l.KernelOutputFeature, l.KernelInputFeature = 0, 1
	if !o.planar {
		shapeOfK = []int{f.in, columns}
		l.KernelOutputFeature, l.KernelInputFeature = 1, 0
	}
	l.KernelSpatial = nil
	for d := range n {
		l.KernelSpatial = append(l.KernelSpatial, 2+d)
		shapeOfK = append(shapeOfK, 1)
	}
	y[l.OutputFeature] = columns
	return o.add(op.Convolution, shape.Make(f.x.Type, y...), a, f.inst.Operand(0), o.reshape(k, shapeOfK))
}

// mostTogether is how many parts of products are added at a time.
const mostTogether = 9

// sums adds what comes to places: parts of z, the product, for each quotient of taps, moved by that; of many taps along
// one dimension after the other.
func (o *outward) sums(z *hlo.Instruction) *hlo.Instruction {
	n := len(o.dims)
	var quotients, rests, places []int
	for _, d := range o.dims {
		quotients, rests, places = append(quotients, d.quotients), append(rests, d.rests), append(places, d.in)
	}
	quotient, place := 1, 1
	if o.partial() {
		rests = append(rests, o.f.out)
	} else {
		rests = []int{product(rests) * o.f.out}
	}
	columns := slices.Concat(quotients, rests)
	split := slices.Concat(z.Dims()[:1], columns, places)
	if place += len(columns); !o.planar {
		quotient, place = n+1, 1
		split = slices.Concat(z.Dims()[:1], places, columns)
	}
	z = o.reshape(z, split)
	if product(quotients) <= mostTogether {
		return o.sumsOf(z, 0, n, quotient, place)
	}
	for d := n - 1; d >= 0; d-- {
		z = o.sumsOf(z, d, d+1, quotient, place)
	}
	return z
}

// sumsOf adds the parts of z along dimensions [from, to). Those of z that are the quotients, with the rests behind
// them, and the places, begin with quotient and place. The last quotient may have fewer rests than there are: what
// columns beyond the taps have is none.
func (o *outward) sumsOf(z *hlo.Instruction, from, to, quotient, place int) (sum *hlo.Instruction) {
	if o.err != nil {
		return nil
	}
	all, dims := 1, z.Dims()
	for _, d := range o.dims[from:to] {
		all *= d.quotients
	}
	for k := range all {
		r, p := rangesOf(dims), make(op.Padding, len(dims))
		for d, at := to-1, k; d >= from; d-- {
			dim, rest := &o.dims[d], quotient+len(o.dims)+d
			v := at % dim.quotients
			at /= dim.quotients
			r[quotient+d] = op.SliceRange{Start: v, Limit: v + 1, Stride: 1}
			if have := dim.taps - v*dim.rests; have < dim.rests {
				r[rest].Limit, p[rest].High = have, dim.rests-have
			}
			low := v*dim.step - dim.first
			p[place+d] = op.PadDim{Low: low, High: dim.places - dim.in - low}
		}
		if x := o.pad(o.slice(z, r), p); sum == nil {
			sum = x
		} else if o.err == nil {
			sum = o.add(op.Add, x.Shape(), nil, sum, x)
		}
	}
	return sum
}

// columns is how many columns the product has.
func (o *outward) columns() int {
	n := o.f.out
	for _, d := range o.dims {
		n *= d.quotients * d.rests
	}
	return n
}

// whole returns the result: of sums, which have all rests of a quotient side by side, these become places of their own,
// of which those of the result are taken. Sums are kept, as what they are made of lies side by side as they do.
func (o *outward) whole(sum *hlo.Instruction) *hlo.Instruction {
	y, n := o.f.inst.Shape(), len(o.dims)
	if o.err != nil || !o.holes() {
		return o.reshape(sum, y.Dims)
	}
	sum = o.add(op.OptBarrier, sum.Shape(), nil, sum)
	split, order := []int{y.Dims[0]}, []int{0}
	rests := func() {
		for _, d := range o.dims {
			split = append(split, d.rests)
		}
		split = append(split, o.f.out)
	}
	if o.planar {
		rests()
		order = append(order, n+1)
	}
	at := len(split)
	for _, d := range o.dims {
		split = append(split, d.places)
	}
	first := 1
	if !o.planar {
		first = n + 1
		rests()
	}
	dims, r := slices.Clone(y.Dims), rangesOf(y.Dims)
	for d, dim := range o.dims {
		s := o.f.labels.OutputSpatial[d]
		order = append(order, at+d, first+d)
		dims[s] = dim.places * dim.rests
		r[s] = op.SliceRange{Start: dim.cut, Limit: dim.cut + dim.out, Stride: 1}
	}
	if !o.planar {
		order = append(order, 2*n+1)
	}
	return o.slice(o.reshape(o.transpose(o.reshape(sum, split), order), dims), r)
}

// added adds o and returns the value that takes the place of the convolution.
func (o *outward) added(words bool, vector int) (*hlo.Instruction, error) {
	z := o.product()
	if o.err != nil {
		return nil, o.err
	}
	n, err := canonicalOf(z, words, vector)
	if err != nil {
		return nil, err
	}
	y := z
	if n != nil {
		y = n
	}
	out := o.whole(o.sums(y))
	if n != nil && o.err == nil {
		o.f.inst.Computation().Remove(z)
	}
	return out, o.err
}
