package lapack

import (
	"context"
	"fmt"
	"strings"

	"github.com/goxla/xla/cpu/dense"
	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// routine is a routine of LAPACK for one problem.
type routine struct {
	in   string // kinds of operands: m a matrix, q a square one, v a vector, s a scalar
	out  string // kinds of results
	real func(p *problem[float64])
	// single, if there is one, is for f32, which is computed in float64 otherwise.
	single func(p *problem[float32])
	cplx   func(p *problem[complex128])
	// small and small32, if there are, do many problems of a few numbers; see smallOf.
	small   func(w *work[float64], p *problem[float64], lo, hi int) bool
	small32 func(w *work[float32], p *problem[float32], lo, hi int) bool
	// few, if there is one, makes what does a single problem of a few numbers; see fewer.
	few func(c *call) few
	// direct, if there is one, does a call for complex numbers on the elements themselves, unless it reports false.
	direct func(c *call, from, to []array, each dense.Parallel) bool
	info   int      // which result is info, -1 for none
	need   []string // attributes
	// wide marks routines which have one result less for complex numbers: number drop.
	wide bool
	drop int
	// careful routines leave operands as they are, and set all of their results. Others get copies to work on.
	careful bool
}

// handler calls a routine.
type handler struct {
	routine
	on *machine
}

// Call implements ffi.Handler.
func (h handler) Call(ctx context.Context, c *ffi.Call) error {
	attr, err := optionsOf(c.Attributes)
	if err != nil {
		return err
	}
	return h.run(ctx, h.on, c.Operands, c.Results, attr)
}

// Bind implements ffi.Binder.
func (h handler) Bind(s *ffi.Signature) (ffi.Bound, error) {
	attr, err := optionsOf(s.Attributes)
	if err != nil {
		return nil, err
	}
	c, err := h.call(h.on, s.Operands, s.Results, attr)
	if err != nil {
		return nil, err
	}
	if f := c.fewer(); f != nil {
		return f, nil
	}
	return c.onMemory, nil
}

// call is what is known of a call of a routine before it has elements.
type call struct {
	routine
	on       *machine
	attr     options
	elem     shape.ElementType
	problems int
	// reads and sets are the operands and results; factor: there is an operand more, a factor of result 0.
	reads, sets []extent
	factor      bool
}

// extent is an array: so many rows and columns for each problem.
type extent struct {
	elem          shape.ElementType
	n, rows, cols int // n is the elements of all
}

// call checks the shapes of a call. An operand more than the routine has is a factor of its result, results more are
// workspace of older versions and stay zero.
func (r routine) call(on *machine, operands, results []shape.Shape, attr options) (*call, error) {
	for _, name := range r.need {
		if _, ok := attr.find(name); !ok {
			return nil, fmt.Errorf("expects the attribute %s, got none", name)
		}
	}
	if len(operands) < len(r.in) {
		return nil, fmt.Errorf("expects %d operands, got %d", len(r.in), len(operands))
	}
	t := operands[0].Type
	if !t.IsFloat() && !t.IsComplex() {
		return nil, fmt.Errorf("operand 0: expects real or complex numbers, got %v", operands[0])
	}
	if r.wide && t.IsComplex() {
		r.out, r.info = r.out[:r.drop]+r.out[r.drop+1:], r.info-1
	}
	if len(results) < len(r.out) {
		return nil, fmt.Errorf("expects %d results, got %d", len(r.out), len(results))
	}
	c := &call{routine: r, on: on, attr: attr, elem: t, problems: 1}
	batch := operands[0].Dims[:max(0, len(operands[0].Dims)-kinds[r.in[0]])]
	for _, d := range batch {
		c.problems *= d
	}
	for k, s := range operands {
		if k == len(r.in) {
			c.factor = s.Size() == 1
			break
		}
		x, err := extentOf(s, r.in[k], batch)
		if err != nil {
			return nil, fmt.Errorf("operand %d: %w", k, err)
		}
		c.reads = append(c.reads, x)
	}
	for k, s := range results[:len(r.out)] {
		if rank := len(batch) + kinds[r.out[k]]; len(s.Dims) != rank {
			return nil, fmt.Errorf("result %d: expects %d dimensions, got %v", k, rank, s)
		}
		c.sets = append(c.sets, extent{s.Type, s.Size(), 1, s.Size() / max(c.problems, 1)})
	}
	return c, nil
}

// kinds are the numbers of dimensions besides those of the batch.
var kinds = map[byte]int{'m': 2, 'q': 2, 'v': 1, 's': 0}

// extentOf returns s as matrices.
func extentOf(s shape.Shape, kind byte, batch []int) (x extent, err error) {
	if len(s.Dims) != len(batch)+kinds[kind] {
		return x, fmt.Errorf("expects %d dimensions, got %v", len(batch)+kinds[kind], s)
	}
	x = extent{s.Type, s.Size(), 1, 1}
	for i, d := range s.Dims {
		switch {
		case i < len(batch) && d != batch[i]:
			return x, fmt.Errorf("expects batch dimensions %v, got %v", batch, s)
		case i == len(batch):
			x.rows = d
		case i > len(batch):
			x.cols = d
		}
	}
	if kind == 'q' && x.rows != x.cols {
		return x, fmt.Errorf("expects square matrices, got %v", s)
	}
	return x, nil
}

// run does a call.
func (r routine) run(ctx context.Context, on *machine, operands, results []literal.Literal, attr options) error {
	c, err := r.call(on, shapesOf(operands), shapesOf(results), attr)
	if err != nil {
		return err
	}
	switch {
	case c.elem.IsComplex():
		return onLiterals(ctx, c, operands, results, c.cplx)
	case c.elem == shape.F32 && c.single != nil:
		return onLiterals(ctx, c, operands, results, c.single)
	}
	return onLiterals(ctx, c, operands, results, c.real)
}

func shapesOf(list []literal.Literal) []shape.Shape {
	shapes := make([]shape.Shape, len(list))
	for k, l := range list {
		shapes[k] = l.Shape()
	}
	return shapes
}

// onLiterals does a call by f.
func onLiterals[T field](ctx context.Context, c *call, operands, results []literal.Literal,
	f func(*problem[T])) error {
	p := take[T](c.on)
	defer give(c.on, p) // results may be its memory
	for k, x := range operands[:len(c.reads)] {
		p.batch.from = append(p.batch.from, c.reads[k].in(x.RowMajor().Bytes()))
	}
	rows := make([]literal.Literal, len(c.sets))
	for k, y := range results[:len(c.sets)] {
		if rows[k] = y; !y.Shape().HasDefaultLayout() {
			rows[k] = literal.New(shape.Make(y.Type(), y.Dims()...))
		}
		p.batch.to = append(p.batch.to, c.sets[k].in(rows[k].Bytes()))
	}
	factor := complex128(1)
	if c.factor {
		factor = load(operands[len(c.reads)], 0)
	}
	if err := solve(ctx, c, p, f, factor); err != nil {
		return err
	}
	for k, y := range rows {
		if to := results[k]; !to.Shape().HasDefaultLayout() {
			if err := literal.Copy(to, y); err != nil {
				return err
			}
		}
	}
	return nil
}

// onMemory is a call as ffi.Bound.
func (c *call) onMemory(ctx context.Context, in, out [][]byte) error {
	for k := range out {
		if !c.careful || k >= len(c.sets) || c.sets[k].n != c.usual(k) {
			clear(out[k])
		}
	}
	if !c.fits(in, out) {
		return fmt.Errorf("expects %d operands and %d results of the sizes of their shapes", len(c.reads), len(c.sets))
	}
	switch {
	case c.elem.IsComplex():
		return onArrays(ctx, c, in, out, c.cplx)
	case c.elem == shape.F32 && c.single != nil:
		return onArrays(ctx, c, in, out, c.single)
	}
	return onArrays(ctx, c, in, out, c.real)
}

// usual is how many elements of result k a careful routine sets: those of its last matrix, a factor for each row or
// column, or one for each problem.
func (c *call) usual(k int) int {
	switch c.out[k] {
	case 'm':
		return c.reads[strings.LastIndexAny(c.in, "mq")].n
	case 'v':
		return c.problems * min(c.reads[0].rows, c.reads[0].cols)
	}
	return c.problems
}

// fits reports whether arrays in memory have the sizes that c is for.
func (c *call) fits(in, out [][]byte) bool {
	if len(in) < len(c.reads) || len(out) < len(c.sets) || c.factor && len(in) == len(c.reads) {
		return false
	}
	for k := range c.reads {
		if len(in[k]) != c.reads[k].bytes() {
			return false
		}
	}
	for k := range c.sets {
		if len(out[k]) != c.sets[k].bytes() {
			return false
		}
	}
	return true
}

// onArrays does a call by f.
func onArrays[T field](ctx context.Context, c *call, in, out [][]byte, f func(*problem[T])) error {
	p := take[T](c.on)
	defer give(c.on, p)
	for k := range c.reads {
		p.batch.from = append(p.batch.from, c.reads[k].in(aligned(in[k])))
	}
	for k := range c.sets {
		data := aligned(out[k])
		if !isAligned(out[k]) {
			defer copy(out[k], data)
		}
		p.batch.to = append(p.batch.to, c.sets[k].in(data))
	}
	factor := complex128(1)
	if c.factor {
		x := array{c.elem, 1, in[len(c.reads)]}
		factor = load(x.literal(), 0)
	}
	return solve(ctx, c, p, f, factor)
}

// in is the array in memory.
func (x *extent) in(data []byte) array { return array{x.elem, x.n, data} }

func (x *extent) bytes() int { return x.n * x.elem.ByteSize() }
