package native

import (
	"github.com/goxla/xla/cpu/elem"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/order"
	"github.com/goxla/xla/cpu/tile"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// comparison is a comparator as a loop nest over pairs of elements: its buffers are the parameters that it reads, and
// the answers.
type comparison struct {
	program *tile.Program
	params  []int // by buffer
	sizes   []int
}

// batch is the most pairs that are compared at once.
const batch = tile.Width

// newComparison compiles c; nil if it does what has no form for elements.
func newComparison(c *hlo.Computation) *comparison {
	p := &comparison{}
	b := loop.NewBuilder(c.Name())
	ok := true
	b.Each(loop.Spec{Extent: batch, Lanes: true, Parallel: true}, func(v int) {
		at := []loop.Term{{Var: v, Stride: 1}}
		values := make([]elem.Value, c.NumIDs())
		for _, i := range c.PostOrder() {
			if ok = ok && i.Shape().IsScalar(); !ok {
				return
			}
			if i.Code() == op.Parameter {
				if len(i.Users()) > 0 || i.IsRoot() {
					values[i.ID()] = elem.Load(b, i.Shape().Type, elem.Address{Buffer: p.addParam(b, i), Terms: at}, 0)
				}
				continue
			}
			values[i.ID()], ok = elementStep(b, i, values)
		}
		ok = ok && c.Root().Shape().Type == shape.Pred
		if ok {
			out := b.Buffer(loop.Buffer{Name: "answer", Bytes: batch, Write: true})
			elem.Store(b, values[c.Root().ID()], elem.Address{Buffer: out, Terms: at}, 0)
		}
	})
	if !ok {
		return nil
	}
	var err error
	if p.program, err = tile.Compile(b.Nest()); err != nil {
		return nil
	}
	return p
}

// addParam adds the buffer of parameter i.
func (p *comparison) addParam(b *loop.Builder, i *hlo.Instruction) int {
	size := i.Shape().Type.ByteSize()
	p.params = append(p.params, i.Attrs().(*op.ParameterAttrs).Number)
	p.sizes = append(p.sizes, size)
	return b.Buffer(loop.Buffer{Name: i.Name(), Bytes: int64(batch * size)})
}

// elementStep computes instruction i of a computation on elements.
func elementStep(b *loop.Builder, i *hlo.Instruction, values []elem.Value) (v elem.Value, ok bool) {
	args := make([]elem.Value, len(i.Operands()))
	for k, o := range i.Operands() {
		args[k] = values[o.ID()]
	}
	switch i.Code() {
	case op.Constant:
		l := i.Attrs().(*op.ConstantAttrs).Value
		return elem.Const(b, l, 0), !l.IsElided()
	case op.Copy, op.Reshape, op.Broadcast, op.Transpose, op.OptBarrier:
		return args[0], i.Shape().Type == args[0].Type
	}
	v, err := elem.Apply(b, i.Code(), i.Attrs(), i.Shape().Type, args)
	return v, err == nil
}

// compareRun is the memory of one worker.
type compareRun struct {
	bufs  [][]byte
	lanes []mergeLane
}

// mergeLane is a merge at work: of order a..aEnd-1 and b..bEnd-1 in the order so far, to from k on.
type mergeLane struct{ a, aEnd, b, bEnd, k int }

// sort sets places to the order of each of the rows of n elements that lie in the arrays in, as mergeSort would. All
// merges of one depth go on side by side, so that many pairs are compared at once. spare is as long as places.
func (p *comparison) sort(r *compareRun, crew order.Crew, in [][]byte, n int, places, spare []uint32) error {
	for i := range places {
		places[i] = uint32(i)
	}
	if r.bufs == nil {
		for _, size := range p.sizes {
			r.bufs = append(r.bufs, part[byte](make([]uint64, (batch*size+7)/8), batch*size))
		}
		r.bufs = append(r.bufs, make([]byte, batch))
	}
	depth := 0
	for n>>depth > 1 {
		depth++
	}
	for ; depth >= 0; depth-- {
		copy(spare, places)
		if err := p.level(r, crew, in, n, depth, places, spare); err != nil {
			return err
		}
	}
	return nil
}

// level does all merges of a depth.
func (p *comparison) level(r *compareRun, crew order.Crew, in [][]byte, n, depth int, places, spare []uint32) error {
	next, segments := 0, len(places)/n<<depth
	lanes := r.lanes[:0]
	for {
		for ; len(lanes) < batch && next < segments; next++ {
			base := next >> depth * n
			lo, hi := segment(n, depth, next&(1<<depth-1))
			if half := (hi - lo) / 2; half > 0 {
				lanes = append(lanes, mergeLane{base + lo, base + lo + half, base + lo + half, base + hi, base + lo})
			}
		}
		if r.lanes = lanes; len(lanes) == 0 || crew.Ended() {
			return nil
		}
		if err := p.compare(r, in, lanes, spare); err != nil {
			return err
		}
		answers := r.bufs[len(p.params)]
		kept := lanes[:0]
		for i, l := range lanes {
			if l.step(answers[i] != 0, places, spare) {
				kept = append(kept, l)
			}
		}
		lanes = kept
	}
}

// segment returns the part of n elements that is number k of those that depth halvings make.
func segment(n, depth, k int) (lo, hi int) {
	for hi = n; depth > 0; depth-- {
		half := (hi - lo) / 2
		if k>>(depth-1)&1 == 0 {
			hi = lo + half
		} else {
			lo += half
		}
	}
	return lo, hi
}

// step takes the next element; false if the merge is done.
func (l *mergeLane) step(second bool, order, spare []uint32) bool {
	if second {
		order[l.k] = spare[l.b]
		l.b++
	} else {
		order[l.k] = spare[l.a]
		l.a++
	}
	l.k++
	if l.a < l.aEnd && l.b < l.bEnd {
		return true
	}
	copy(order[l.k:], spare[l.a:l.aEnd])
	copy(order[l.k:], spare[l.b:l.bEnd])
	return false
}

// compare sets the answers to whether the next element of the second half goes in front of that of the first.
func (p *comparison) compare(r *compareRun, in [][]byte, lanes []mergeLane, order []uint32) error {
	for k, param := range p.params {
		pick := pickers[p.sizes[k]]
		pick(r.bufs[k], in[param/2], lanes, order, param%2 == 0)
	}
	return p.program.Run(r.bufs, 0, int64(len(lanes)))
}

// pickers fill a buffer with the next elements of the second halves, or of the first ones.
var pickers = [complexSize + 1]func(dst, src []byte, lanes []mergeLane, order []uint32, second bool){
	1: pick[uint8], 2: pick[uint16], 4: pick[uint32], 8: pick[uint64], 16: pick[[2]uint64]}

func pick[T any](dst, src []byte, lanes []mergeLane, order []uint32, second bool) {
	to, from := view[T](dst), view[T](src)
	for i := range lanes {
		at := lanes[i].a
		if second {
			at = lanes[i].b
		}
		to[i] = from[order[at]]
	}
}
