package native

import (
	"math"

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
	nest   *loop.Nest
	run    func(bufs [][]byte, lo, hi int64) error
	params []int // by buffer
	sizes  []int
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
			if ok = ok && i.IsScalar(); !ok {
				return
			}
			if i.Code() == op.Parameter {
				if len(i.Users()) > 0 || i.IsRoot() {
					values[i.ID()] = elem.Load(b, i.Type(), elem.Address{Buffer: p.addParam(b, i), Terms: at}, 0)
				}
				continue
			}
			values[i.ID()], ok = elementStep(b, i, values)
		}
		ok = ok && c.Root().Type() == shape.Pred
		if ok {
			out := b.Buffer(loop.Buffer{Name: "answer", Bytes: batch, Write: true})
			elem.Store(b, values[c.Root().ID()], elem.Address{Buffer: out, Terms: at}, 0)
		}
	})
	if !ok {
		return nil
	}
	p.nest = b.Nest()
	loop.DCE(p.nest)
	program, err := tile.Compile(p.nest)
	if err != nil {
		return nil
	}
	p.run = program.Run
	return p
}

// addParam adds the buffer of parameter i.
func (p *comparison) addParam(b *loop.Builder, i *hlo.Instruction) int {
	size := i.Type().ByteSize()
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
		return args[0], i.Type() == args[0].Type
	}
	v, err := elem.Apply(b, i.Code(), i.Attrs(), i.Type(), args)
	return v, err == nil
}

// compareRun is the memory of one worker.
type compareRun struct {
	bufs  [][]byte
	lanes []mergeLane
}

// mergeLane is a merge at work: of places a..aEnd-1 and b..bEnd-1 in the order so far, to those from k on. The next
// wide ones of the first half are compared with the next high ones of the second.
type mergeLane struct{ a, aEnd, b, bEnd, k, wide, high int }

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

// level does all merges of a depth. Where they are few, each compares several elements of one half with several of the
// other: more pairs than it needs, but these are the ones that it needs next, whatever the answers are.
func (p *comparison) level(r *compareRun, crew order.Crew, in [][]byte, n, depth int, places, spare []uint32) error {
	next, segments := 0, len(places)/n<<depth
	lanes := r.lanes[:0]
	for {
		for ; len(lanes) < batch && next < segments; next++ {
			base := next >> depth * n
			lo, hi := segment(n, depth, next&(1<<depth-1))
			if half := (hi - lo) / 2; half > 0 {
				first, second := base+lo, base+lo+half
				lanes = append(lanes, mergeLane{a: first, aEnd: second, b: second, bEnd: base + hi, k: first})
			}
		}
		if r.lanes = lanes; len(lanes) == 0 || crew.Ended() {
			return nil
		}
		pairs := windows(lanes)
		for k, param := range p.params {
			pickers[p.sizes[k]](r.bufs[k], in[param/2], lanes, spare, param%2 == 0)
		}
		if err := p.run(r.bufs, 0, wholeRange(pairs)); err != nil {
			return err
		}
		answers := r.bufs[len(p.params)]
		kept := lanes[:0]
		for _, l := range lanes {
			pairs := l.wide * l.high
			if l.step(answers[:pairs], places, spare) {
				kept = append(kept, l)
			}
			answers = answers[pairs:]
		}
		lanes = kept
	}
}

// windows sets what each of the lanes compares next and returns the number of pairs, at most batch.
func windows(lanes []mergeLane) (pairs int) {
	side := int(math.Sqrt(float64(batch / len(lanes))))
	for i := range lanes {
		l := &lanes[i]
		l.wide, l.high = min(side, l.aEnd-l.a), min(side, l.bEnd-l.b)
		pairs += l.wide * l.high
	}
	return pairs
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

// step takes the next elements, as far as there are answers: whether the one of the second half, which counts the
// faster, goes in front of that of the first. It returns false if the merge is done.
func (l *mergeLane) step(answers []byte, places, spare []uint32) bool {
	for i, j := 0, 0; i < l.wide && j < l.high; l.k++ {
		if answers[i*l.high+j] != 0 {
			places[l.k] = spare[l.b]
			l.b++
			j++
		} else {
			places[l.k] = spare[l.a]
			l.a++
			i++
		}
	}
	if l.a < l.aEnd && l.b < l.bEnd {
		return true
	}
	copy(places[l.k:], spare[l.a:l.aEnd])
	copy(places[l.k:], spare[l.b:l.bEnd])
	return false
}

// pickers fill a buffer with the elements of the second halves, or of the first ones, of all pairs.
var pickers = [complexSize + 1]func(dst, src []byte, lanes []mergeLane, places []uint32, second bool){
	1: pick[uint8], 2: pick[uint16], 4: pick[uint32], 8: pick[uint64], 16: pick[[2]uint64]}

func pick[T any](dst, src []byte, lanes []mergeLane, places []uint32, second bool) {
	to, from := view[T](dst), view[T](src)
	for _, l := range lanes {
		row := to[:l.high]
		if second {
			for j := range row {
				row[j] = from[places[l.b+j]]
			}
		}
		for i := range l.wide {
			next := to[i*l.high:][:l.high]
			if second {
				copy(next, row)
				continue
			}
			x := from[places[l.a+i]]
			for j := range next {
				next[j] = x
			}
		}
		to = to[l.wide*l.high:]
	}
}
