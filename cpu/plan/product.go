package plan

import (
	"slices"
	"strconv"

	"github.com/goxla/xla/cpu/conv"
	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// Gemm is a dot, or a part of a convolution, by package gemm: buffer C, or a part of it, becomes the product of buffers
// A and B. What only moves the elements of an operand, transposes and the like, is in the strides of the product.
type Gemm struct {
	Name    string
	Inst    *hlo.Instruction
	Product *gemm.Product
	A, B, C int
	// StartsA, StartsB and StartsC say where A, B and C begin in their buffers, besides what the product tells.
	StartsA, StartsB, StartsC []Start
	// Scratch is the buffer of the product's scratch memory, -1 if it needs none.
	Scratch int
	// Packed, if not -1, is the buffer that a Pack has written: it is read, and B is not.
	Packed int
}

// Uses implements Step.
func (g *Gemm) Uses() (reads, writes []int) {
	list := []int{g.C, g.Scratch, g.A, g.B}
	if g.Packed >= 0 {
		list[3] = g.Packed
	}
	for _, s := range slices.Concat(g.StartsA, g.StartsB, g.StartsC) {
		list = append(list, s.Buffer)
	}
	if g.Scratch < 0 {
		return list[2:], list[:1:1]
	}
	return list[2:], list[:2:2]
}

func (g *Gemm) text(p *printer) {
	b, scratch := g.B, ""
	if g.Scratch >= 0 {
		scratch = ", scratch b" + strconv.Itoa(g.Scratch)
	}
	if g.Packed >= 0 {
		b = g.Packed
	}
	p.line("gemm %s b%d%s = b%d%s * b%d%s%s: %v", g.Name, g.C, startsText(g.StartsC), g.A, startsText(g.StartsA), b,
		startsText(g.StartsB), scratch, g.Product)
}

// Dots that are worth a product of their own: of so many multiplications, and not of a depth so small that
// writing the result is most of the work. Others are loops in a kernel with what is around them.
const (
	minProductWork  = 1 << 12
	minProductDepth = 8
	// fullColumns is how many columns a dot of a smaller depth has at most; mostColumns, where what is summed are
	// neighbours in operand 1.
	fullColumns = 16
	mostColumns = 512
)

// A loop whose dots have no more multiplications than smallLoop in an iteration can become one kernel, in which those
// of so few rows, beside rows of the other operand, are as fast as they are by themselves, and take no step.
const (
	smallLoop = 1 << 14
	mostRows  = 4
)

// narrowProduct reports whether dot i of words, not a batch of them, has so few columns that loops would leave lanes
// empty, or a few more that nothing else is computed for.
func (p *placement) narrowProduct(i *hlo.Instruction, depth int) bool {
	a, y := i.Attrs().(*op.DotAttrs), i.Operand(1).Shape()
	if depth < 2 || len(a.LHSBatch) > 0 || y.Type.ByteSize() < 4 || p.turnsPoints(i, depth) {
		return false
	}
	columns, most := y.Size()/depth, fullColumns
	if slices.Contains(a.RHSContracting, y.Rank()-1) { // which loops would read far apart
		if rowsOf(i) < fullColumns {
			return false
		}
		most = mostColumns
	}
	return columns > 1 && (columns <= fullColumns || columns <= most && !slices.ContainsFunc(i.Users(), p.fits))
}

// longestPoint is how many numbers a point or color has at most, fewestPoints how many of these are worth lanes, and
// mostFactors how many numbers a matrix may have for them where registers are few.
const (
	longestPoint = 4
	fewestPoints = 64
	mostFactors  = 12
)

// turnsPoints reports whether dot i multiplies points, the rows of operand 0, by a matrix: lanes are the points then.
func (p *placement) turnsPoints(i *hlo.Instruction, depth int) bool {
	a, x, y := i.Attrs().(*op.DotAttrs), i.Operand(0).Shape(), i.Operand(1).Shape()
	columns := y.Size() / depth
	return p.machine.Code && (p.machine.Wide || y.Size() <= mostFactors) && depth <= longestPoint && columns > 1 &&
		columns <= longestPoint && rowsOf(i) >= fewestPoints && i.Type().ByteSize() == 4 &&
		slices.Equal(a.LHSContracting, []int{x.Rank() - 1})
}

// smallDots reports whether c, the body of a loop, has no products but such dots.
func smallDots(c *hlo.Computation) bool {
	work := 0
	for _, i := range c.Instructions() {
		switch {
		case i.Code() == op.Convolution, i.Code() == op.Dot && !fewRows(i):
			return false
		case i.Code() == op.Dot:
			depth := i.Operand(1).Size() / max(1, i.Size()/rowsOf(i))
			work += i.Size() * depth
		}
	}
	return work <= smallLoop
}

// rowsOf is how often each element of operand 1 of a dot is used.
func rowsOf(i *hlo.Instruction) int {
	a, x := i.Attrs().(*op.DotAttrs), i.Operand(0).Shape()
	rows := x.Size()
	for _, dims := range [][]int{a.LHSContracting, a.LHSBatch} {
		for _, d := range dims {
			rows /= max(1, x.Dims[d])
		}
	}
	return max(1, rows)
}

// fewRows reports whether dot i is of few rows, and neighbours in a row of its result belong to neighbours in a row
// of operand 1.
func fewRows(i *hlo.Instruction) bool {
	a, y := i.Attrs().(*op.DotAttrs), i.Operand(1).Shape()
	last := y.Rank() - 1
	return y.Rank() > 0 && !slices.Contains(a.RHSContracting, last) && !slices.Contains(a.RHSBatch, last) &&
		i.IsStatic() && y.IsStatic() && i.Operand(0).IsStatic() && rowsOf(i) <= mostRows
}

// product is a dot that a Gemm computes from the values of two instructions, or a convolution, for which there may be
// several.
type product struct {
	specs []gemm.Spec
	a, b  *hlo.Instruction
	// startsA and startsB are those of the views of a and b.
	startsA, startsB []start
	// into, if not nil, is a copy of the product with strides, in whose place it is computed.
	into *hlo.Instruction
	// update, if not nil, is an update by the product, which is computed there: as updated says, from startsC on.
	update  *hlo.Instruction
	updated gemm.Spec
	startsC []start
}

// productOf returns the product that i is, nil if it is none.
func (p *placement) productOf(i *hlo.Instruction) *product {
	if i.Code() == op.Convolution {
		return p.convolution(i)
	}
	if !isPlainDot(i) {
		return nil
	}
	a := i.Attrs().(*op.DotAttrs)
	x, y := i.Operand(0).Shape(), i.Operand(1).Shape()
	if !gemm.Supports(x.Type, y.Type, i.Type()) {
		return nil
	}
	depth := 1
	for _, d := range a.LHSContracting {
		depth *= x.Dims[d]
	}
	shallow := depth < minProductDepth && !p.narrowProduct(i, depth)
	if shallow || i.Size()*depth < p.minWork || p.small && fewRows(i) ||
		p.minWork > 1 && isTiny(i, depth, p.vector) {
		return nil
	}
	r := p.dotOf(i)
	spec := &r.specs[0]
	if p.minWork > 1 && r.b.Code() != op.Transpose && isSmall(spec, p.vector) {
		return nil
	}
	if gemm.Check(*spec) != nil || isPairs(i, depth) && apart(spec, i.Size(), depth) {
		return nil
	}
	p.stridedRows(i, r)
	return r
}

// dotOf returns dot i as a product.
func (p *placement) dotOf(i *hlo.Instruction) *product {
	r, a := &product{specs: make([]gemm.Spec, 1)}, i.Attrs().(*op.DotAttrs)
	spec := &r.specs[0]
	r.a, spec.A, r.startsA = p.operand(i.Operand(0), a.LHSBatch, a.LHSContracting)
	r.b, spec.B, r.startsB = p.operand(i.Operand(1), a.RHSBatch, a.RHSContracting)
	p.turned(i, r)
	spec.A.Fresh, spec.B.Fresh = isFresh(r.a), isFresh(r.b)
	spec.B.Far = p.isFar(r.b)
	if len(r.startsB) > 0 {
		spec.B.Far = p.isFarPart(r.b, bytesOf(i.Operand(1)))
	}
	spec.C, spec.Constant = i.Type(), p.isConstant(r.b) && len(r.startsB) == 0
	return r
}

// Products of a vector and a vector each: shortPairs is a depth at which a call for each takes longer than the product,
// leastPairs how many fill vectors themselves.
const (
	shortPairs = 32
	leastPairs = 16
)

// isPairs reports whether dot i, of that depth, is many products of a vector and a vector.
func isPairs(i *hlo.Instruction, depth int) bool {
	n := i.Size()
	return n*depth == i.Operand(0).Size() && n*depth == i.Operand(1).Size()
}

// apart reports whether spec, n products of a vector and a vector each, is better left to a kernel: one whose lanes are
// the products, where elements that meet are not neighbours along the depth, or there are few of these; and where there
// are few products one that does not copy elements that are not evenly spaced.
func apart(spec *gemm.Spec, n, depth int) bool {
	a, flatA := spec.A.Depth.Stride()
	b, flatB := spec.B.Depth.Stride()
	if n < leastPairs {
		return !flatA || !flatB
	}
	return depth <= shortPairs || !flatA || !flatB || a != 1 || b != 1
}

// stridedRows lets r, the product of dot i, write its rows to where a copy has them that nothing but the result needs.
func (p *placement) stridedRows(i *hlo.Instruction, r *product) {
	if len(i.Users()) != 1 || i.IsRoot() {
		return
	}
	to, ok := p.strided[i.Users()[0]]
	if !ok {
		return
	}
	v := view{axes: make([]gemm.Axis, len(to.Strides))}
	for d, stride := range to.Strides {
		v.axes[d] = gemm.Axis{{Size: i.Dims()[d], Stride: stride}}
	}
	if spec, ok := r.placed(i, v); ok {
		r.specs[0], r.into = spec, i.Users()[0]
	}
}

// placed returns r, the product of dot i, with the elements of the result where v has them, if its rows are dense
// there.
func (r *product) placed(i *hlo.Instruction, v view) (gemm.Spec, bool) {
	spec, a, batch := r.specs[0], i.Attrs().(*op.DotAttrs), len(i.Attrs().(*op.DotAttrs).LHSBatch)
	columns := i.Operand(0).Rank() - len(a.LHSContracting)
	axis := func(axes []gemm.Axis) gemm.Axis { return append(gemm.Axis{}, slices.Concat(axes...)...) }
	row := axis(v.axes[columns:]).Merged()
	if len(row) > 1 || len(row) == 1 && row[0].Stride != 1 {
		return spec, false
	}
	spec.Products, spec.Rows, spec.Start = axis(v.axes[:batch]), axis(v.axes[batch:columns]), v.offset
	return spec, gemm.Check(spec) == nil
}

// isConstant reports whether i is a constant in memory; a scalar is written by a kernel.
func (p *placement) isConstant(i *hlo.Instruction) bool {
	return i.Code() == op.Constant && !p.fusible[i.ID()]
}

// isFresh reports whether the value of i is computed in each run, or in each iteration of a loop. An array of which a
// part is updated is not.
func isFresh(i *hlo.Instruction) bool {
	i = updated(i)
	switch i.Code() {
	case op.Parameter, op.Constant:
		return false
	case op.GetTupleElement:
		root, k := i.Computation().Root(), i.Attrs().(*op.GetTupleElementAttrs).Index
		kept := root.Code() == op.Tuple && k < len(root.Operands()) && updated(root.Operand(k)) == i
		return i.Operand(0).Code() != op.Parameter || !kept
	}
	return true
}

// updated returns what i is but for updates of parts.
func updated(i *hlo.Instruction) *hlo.Instruction {
	for i.Code() == op.DynamicUpdateSlice {
		i = i.Operand(0)
	}
	return i
}

// convolution returns the products that i, a convolution, is, nil if it is none.
func (p *placement) convolution(i *hlo.Instruction) *product {
	planar := conv.Planar(i, p.vector)
	inputs := []func(*hlo.Instruction) (*hlo.Instruction, view){p.inputView, wholeInput}
	kernels := []func(*hlo.Instruction) (*hlo.Instruction, view){p.kernelView, wholeKernel}
	if planar { // rows of A, and places, are read in place
		inputs, kernels = inputs[1:], kernels[1:]
	}
	for _, input := range inputs {
		x, xv := input(i)
		for _, kernel := range kernels {
			k, v := kernel(i)
			specs, ok := conv.Products(i, p.vector, conv.View{Offset: xv.offset, Axes: xv.axes},
				conv.View{Offset: v.offset, Axes: v.axes})
			for n := range specs {
				specs[n].Constant = p.isConstant(k) && !planar && len(v.starts) == 0
				ok = ok && gemm.Check(specs[n]) == nil
			}
			switch {
			case ok && planar:
				return &product{specs: specs, a: k, b: x}
			case ok:
				return &product{specs: specs, a: x, b: k, startsB: v.starts}
			}
		}
	}
	return nil
}

// sameMemory returns what reshapes make i of, whose elements are in the same order.
func sameMemory(i *hlo.Instruction) *hlo.Instruction {
	for i.Code() == op.Reshape {
		i = i.Operand(0)
	}
	return i
}

// inputView returns the instruction that the input of convolution i takes its elements from, and where they are: those
// of a pad may be in another order there, in which it is faster.
func (p *placement) inputView(i *hlo.Instruction) (*hlo.Instruction, view) {
	x := i.Operand(0)
	if x.Code() == op.Reshape && x.Operand(0).Code() == op.Transpose && !p.apart {
		t := x.Operand(0)
		pad := t.Operand(0)
		v, _ := transposedView(wholeView(pad.Shape()), t)
		v, ok := reshapedView(v, x)
		if ok && pad.Code() == op.Pad && p.fusible[x.ID()] && p.fusible[t.ID()] {
			return pad, v
		}
	}
	return wholeInput(i)
}

// wholeInput returns what has the elements of the input of convolution i in the same order, and where they are.
func wholeInput(i *hlo.Instruction) (*hlo.Instruction, view) {
	x := i.Operand(0)
	return sameMemory(x), wholeView(x.Shape())
}

// kernelView returns the instruction that the kernel of convolution i takes its elements from, and where they are. It
// is the kernel itself if products would not find neighbours there.
func (p *placement) kernelView(i *hlo.Instruction) (*hlo.Instruction, view) {
	source, v := p.viewOf(i.Operand(1))
	l := &i.Attrs().(*op.ConvolutionAttrs).DimLabels
	for _, d := range slices.Concat(v.axes[l.KernelOutputFeature], v.axes[l.KernelInputFeature]) {
		if d.Stride == 1 && d.Size > 1 || p.isConstant(source) {
			return source, v
		}
	}
	return wholeKernel(i)
}

// wholeKernel returns the kernel of convolution i, and where the elements are in its own value.
func wholeKernel(i *hlo.Instruction) (*hlo.Instruction, view) {
	return i.Operand(1), wholeView(i.Operand(1).Shape())
}

// renamesOperand reports whether i is a reshape of what nothing else needs and is stored anyway: of a product, or, if i
// is in memory too, of a sum, which has a kernel anyway, of a concatenation, whose parts are written by themselves, or
// of what repeats elements: loops along its dimensions need not find out which element is where.
func (p *placement) renamesOperand(i *hlo.Instruction) bool {
	if i.Code() == op.Copy {
		r := p.products[i.Operand(0).ID()]
		return r != nil && r.into == i
	}
	if i.Code() != op.Reshape && i.Code() != op.Bitcast {
		return false
	}
	o := i.Operand(0)
	if len(o.Users()) != 1 || o.IsRoot() {
		return false
	}
	sum := len(i.Users()) < 2 && isHeavy(o) && o.IsArray()
	if p.fusible[o.ID()] && !p.apart && (sum || o.Code() == op.Concatenate || p.repeated(o, maxRepeated)) {
		return i.IsRoot() || slices.ContainsFunc(i.Users(), isTuple)
	}
	return p.products[o.ID()] != nil || p.renames[o.ID()]
}

// maxRepeated is how far from a reshape a broadcast is looked for.
const maxRepeated = 8

// repeated reports whether i, which only one instruction needs, is a broadcast of more than one element, or computed
// from one element by element.
func (p *placement) repeated(i *hlo.Instruction, depth int) bool {
	if i.Code() == op.Broadcast {
		return i.Operand(0).Size() > 1
	}
	return depth > 0 && p.fusible[i.ID()] && len(i.Users()) == 1 && i.Code().Info().Has(op.Elementwise) &&
		slices.ContainsFunc(i.Operands(), func(o *hlo.Instruction) bool { return p.repeated(o, depth-1) })
}

func isTuple(i *hlo.Instruction) bool { return i.Code() == op.Tuple }

// rename gives i the buffer of its operand, which has the shape of i from here on.
func (s *sequencer) rename(i *hlo.Instruction) {
	v := s.valueOf(i.Operand(0))
	s.plan.Buffers[v.Buffer].Shape = i.Shape()
	s.setValue(i, v)
}

// operand describes o as an operand of a dot, and returns the instruction whose value is read for it, and what says
// where it begins in that.
func (p *placement) operand(o *hlo.Instruction, batch, contracting []int) (*hlo.Instruction, gemm.Operand, []start) {
	source, v := p.viewOf(o)
	return source, v.operand(o, batch, contracting), v.starts
}

// reads are the instructions whose values r reads.
func (r *product) reads() []*hlo.Instruction {
	list := []*hlo.Instruction{r.a, r.b}
	for _, s := range slices.Concat(r.startsA, r.startsB, r.startsC) {
		list = append(list, s.index)
	}
	return list
}

// operand describes o, whose elements are where v says, as an operand of a dot.
func (v view) operand(o *hlo.Instruction, batch, contracting []int) gemm.Operand {
	out := gemm.Operand{Type: o.Type(), Offset: v.offset}
	for _, d := range batch {
		out.Batch = append(out.Batch, v.axes[d]...)
	}
	for _, d := range contracting {
		out.Depth = append(out.Depth, v.axes[d]...)
	}
	for d, axis := range v.axes {
		if !slices.Contains(batch, d) && !slices.Contains(contracting, d) {
			out.Free = append(out.Free, axis...)
		}
	}
	return out
}

// product adds the steps of a product.
func (s *sequencer) product(i *hlo.Instruction, r *product) error {
	var c Value
	if r.into != nil {
		c = s.computed(r.into)
	} else {
		c = s.fresh(i)
	}
	s.owned[c.Buffer] = true
	s.setValue(i, c)
	return s.multiply(i, r, r.specs, c, nil)
}

// multiply adds the steps of r, the product i, as specs say: to c, from starts on.
func (s *sequencer) multiply(i *hlo.Instruction, r *product, specs []gemm.Spec, c Value, starts []start) error {
	for _, spec := range specs {
		p, err := s.made(spec)
		if err != nil {
			return i.Errorf("", "", "%w", err)
		}
		g := &Gemm{Name: i.Name(), Inst: i, Product: p, A: s.valueOf(r.a).Buffer, B: s.valueOf(r.b).Buffer,
			StartsA: s.starts(r.startsA), StartsB: s.starts(r.startsB), C: c.Buffer, StartsC: s.starts(starts), Scratch: -1,
			Packed: -1}
		if n := p.ScratchBytes(); n > 0 {
			g.Scratch = s.plan.bytes(n, i)
		}
		s.steps = append(s.steps, g)
	}
	return nil
}

// made returns the product of spec: one that was made already, as layers of a network often have the same sizes, or a
// new one. Nothing changes a product, and any number of steps may run it.
func (b *builder) made(spec gemm.Spec) (*gemm.Product, error) {
	for _, p := range b.products {
		if asked := p.Spec(); asked.Equal(&spec) {
			return p, nil
		}
	}
	p, err := gemm.New(spec, b.options.Machine)
	if err == nil {
		b.products = append(b.products, p)
	}
	return p, err
}
