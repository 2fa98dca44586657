package plan

import (
	"fmt"
	"maps"
	"slices"
)

// Check goes through the steps as a run does, each loop twice, and returns an error if one reads a buffer
// before it is written, or after another buffer was written over it.
func (p *Plan) Check() error {
	c := &checker{plan: p, valid: map[int]bool{}, swapped: map[int][]int{}}
	for n, b := range p.Buffers {
		if b.Kind == Const || b.Bytes == 0 {
			c.valid[n] = true
		}
		if b.Kind == Temp && b.Offset+b.Bytes > p.ArenaBytes {
			return fmt.Errorf("buffer b%d ends at %d, beyond the arena of %d bytes", n, b.Offset+b.Bytes, p.ArenaBytes)
		}
	}
	for _, n := range p.paramLeaves() {
		c.valid[n] = true
	}
	for n, b := range p.Buffers {
		if b.Kind == Temp && b.Bytes > 0 {
			c.temps = append(c.temps, n)
		}
	}
	c.sequence(p.Body)
	return c.err
}

type checker struct {
	plan *Plan
	// swapped are, by buffer, those that may be in its place.
	swapped map[int][]int
	temps   []int
	valid   map[int]bool // buffers that hold their value
	err     error
}

func (c *checker) read(st Step, buffers ...int) {
	for _, b := range buffers {
		if !c.valid[b] && c.err == nil {
			p := &printer{plan: c.plan}
			if st != nil {
				st.text(p)
			}
			c.err = fmt.Errorf("b%d is read where it does not hold a value: %s", b, p.out.String())
		}
	}
}

// write makes the buffers valid and those that share memory with them not.
func (c *checker) write(buffers ...int) {
	for _, b := range buffers {
		x := &c.plan.Buffers[b]
		for _, o := range c.temps {
			y := &c.plan.Buffers[o]
			if x.Kind == Temp && o != b && x.Offset < y.Offset+y.Bytes && y.Offset < x.Offset+x.Bytes {
				delete(c.valid, o)
				for _, q := range c.swapped[o] {
					delete(c.valid, q)
				}
			}
		}
		c.valid[b] = true
	}
}

func (c *checker) sequence(s *Sequence) {
	for _, st := range s.Steps {
		c.step(st)
	}
	c.read(nil, s.Result.Leaves(nil)...)
}

func (c *checker) step(st Step) {
	switch st := st.(type) {
	case *While:
		c.while(st)
	case *Conditional:
		c.conditional(st)
	case *Kernel:
		c.kernel(st)
	case *Swap:
		c.read(st, st.From)
		c.valid[st.To] = true
		delete(c.valid, st.From)
	default:
		reads, writes := st.Uses()
		c.read(st, reads...)
		c.write(writes...)
		c.read(st, writes...) // results do not share memory with one another
	}
}

// kernel may write to a part of a buffer only; the parts of one that was never written are not told apart.
func (c *checker) kernel(k *Kernel) {
	for n, b := range k.Buffers {
		if !k.Nest.Buffers[n].Write && (k.Rounds == 0 || n != k.Round) {
			c.read(k, b)
		}
	}
	c.write(k.Buffers...)
	c.read(k, k.Buffers...)
}

func (c *checker) while(w *While) {
	state := w.State.Leaves(nil)
	c.read(w, state...)
	before := maps.Clone(c.valid)
	c.swap(w)
	for range 2 {
		if w.Cond != nil {
			c.sequence(w.Cond)
		}
		c.sequence(w.Body)
		for _, st := range w.Back {
			c.step(st)
		}
		c.read(w, state...)
	}
	if w.Cond != nil {
		c.sequence(w.Cond)
	}
	c.keep(before)
}

// swap notes what changes places in w.
func (c *checker) swap(w *While) {
	c.swapped = maps.Clone(c.swapped)
	for _, s := range w.Swaps() {
		c.swapped[s.From] = append(slices.Clone(c.swapped[s.From]), s.To)
		c.swapped[s.To] = append(slices.Clone(c.swapped[s.To]), s.From)
	}
}

// keep drops what was not valid before, so what one way to here has made and another one has not.
func (c *checker) keep(before map[int]bool) {
	maps.DeleteFunc(c.valid, func(b int, _ bool) bool { return !before[b] })
}

func (c *checker) conditional(k *Conditional) {
	c.read(k, k.Index)
	before := maps.Clone(c.valid)
	var after map[int]bool
	for _, b := range k.Branches {
		c.valid = maps.Clone(before)
		c.sequence(b)
		if after != nil {
			c.keep(after)
		}
		after = c.valid
	}
	c.valid = after
	c.read(k, k.Result.Leaves(nil)...)
}
