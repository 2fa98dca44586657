package plan

import (
	"strconv"

	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/shape"
)

// A loop that multiplies with the same matrix in every iteration packs it once, in front of the loop.

// Pack packs buffer From, operand B of products that come later, into buffer To.
type Pack struct {
	Product  *gemm.Product
	From, To int
	// Name is that of the first of the products.
	Name string
}

// Uses implements Step.
func (k *Pack) Uses() (reads, writes []int) { return []int{k.From}, []int{k.To} }

func (k *Pack) text(p *printer) { p.line("pack b%d -> b%d for %s", k.From, k.To, k.Name) }

const (
	// packSpare is the memory that packed operands may take, beside what is as much as the arguments and results.
	packSpare = 8 << 20
	// manyTimes is how often something in a loop is taken to run where it is not known, and the most that counts.
	manyTimes = 1 << 10
)

// packer moves the packing of what loops do not change in front of them.
type packer struct {
	plan    *Plan
	machine gemm.Config
	// left is how many bytes packed operands may still take.
	left int64
}

// packInFront lets loops pack what they do not change once.
func packInFront(p *Plan, machine gemm.Config) error {
	if !packsInLoop(p.Body, false) {
		return nil
	}
	assign(p)
	k := &packer{p, machine, packSpare - p.ArenaBytes}
	p.ArenaBytes = 0
	for n := range p.Buffers {
		b := &p.Buffers[n]
		b.Offset = 0
		if b.Kind == Param || b.Kind == Output {
			k.left += b.Bytes
		}
	}
	return k.sequence(p.Body)
}

// packsInLoop reports whether there is a product in a loop.
func packsInLoop(s *Sequence, loop bool) bool {
	for _, st := range s.Steps {
		if _, ok := st.(*Gemm); ok && loop {
			return true
		}
		_, inner := st.(*While)
		for _, q := range Inner(st) {
			if packsInLoop(q, loop || inner) {
				return true
			}
		}
	}
	return false
}

// sequence does the loops of s, outer ones first: there, more iterations find what is packed.
func (k *packer) sequence(s *Sequence) error {
	var steps []Step
	for _, st := range s.Steps {
		if w, ok := st.(*While); ok && !w.Fused && w.Trips != 0 && w.Trips != 1 {
			front, err := k.loop(w)
			if err != nil {
				return err
			}
			steps = append(steps, front...)
		}
		for _, inner := range Inner(st) {
			if err := k.sequence(inner); err != nil {
				return err
			}
		}
		steps = append(steps, st)
	}
	s.Steps = steps
	return nil
}

// loop gives the products of w packed operands, and returns the steps that pack them.
func (k *packer) loop(w *While) (front []Step, err error) {
	writes := make([]int, len(k.plan.Buffers))
	countWrites([]Step{w}, writes)
	made := map[string]*Pack{}
	for _, r := range repeated(w, 1, nil) {
		if writes[r.B] > 0 || len(r.StartsB) > 0 || r.Packed >= 0 || r.Product.PackedBytes() > 0 {
			continue
		}
		st, err := k.pack(r, made)
		if err != nil {
			return nil, err
		}
		if st != nil {
			front = append(front, st)
		}
	}
	return front, nil
}

// repeat is a product in a loop, which runs so often.
type repeat struct {
	*Gemm
	times int
}

// repeated appends the products in the iterations of w, which itself runs so many times.
func repeated(w *While, times int, to []repeat) []repeat {
	trips := w.Trips
	if trips < 0 || trips > manyTimes {
		trips = manyTimes
	}
	times = min(times*int(trips), manyTimes)
	for todo := Inner(w); len(todo) > 0; todo = todo[1:] {
		for _, st := range todo[0].Steps {
			switch st := st.(type) {
			case *Gemm:
				to = append(to, repeat{st, times})
			case *While:
				to = repeated(st, times, to)
			default:
				todo = append(todo, Inner(st)...)
			}
		}
	}
	return to
}

// pack gives r a packed operand, where that pays and there is memory for it. The step that packs it is nil if made has
// one, which it notes by what is packed how.
func (k *packer) pack(r repeat, made map[string]*Pack) (*Pack, error) {
	spec := r.Product.Spec()
	spec.Constant = true
	key := strconv.Itoa(r.B) + " " + spec.String()
	if st := made[key]; st != nil {
		k.use(r.Gemm, st)
		return nil, nil
	}
	if !r.Product.WorthPrepacking(r.times) {
		return nil, nil
	}
	product, err := gemm.New(spec, k.machine)
	if err != nil {
		return nil, r.Inst.Errorf("", "", "%w", err)
	}
	n := product.PackedBytes()
	if n == 0 || int64(n) > k.left {
		return nil, nil
	}
	k.left -= rounded(int64(n))
	st := &Pack{Product: product, From: r.B, To: k.memory(r.Scratch, n, r.Inst), Name: r.Name}
	r.Scratch = -1
	made[key] = st
	k.use(r.Gemm, st)
	return st, nil
}

// use lets g read what st packs.
func (k *packer) use(g *Gemm, st *Pack) {
	g.Product, g.Packed = st.Product, st.To
	n := st.Product.ScratchBytes()
	if g.Scratch >= 0 || n > 0 {
		g.Scratch = k.memory(g.Scratch, n, g.Inst)
	}
	if n == 0 {
		g.Scratch = -1
	}
}

// memory returns a buffer of n bytes: buffer b, if it is one.
func (k *packer) memory(b, n int, i *hlo.Instruction) int {
	if b < 0 {
		return k.plan.bytes(n, i)
	}
	k.plan.Buffers[b].Shape, k.plan.Buffers[b].Bytes = shape.Make(shape.U8, n), int64(n)
	return b
}
