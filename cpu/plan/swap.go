package plan

import "slices"

// Swap ends an iteration as a copy of From to To would, where nobody reads From before it is written again: the two
// change places. At the end of the loop the value is in To's own place.
type Swap struct{ From, To int }

// Uses implements Step.
func (s *Swap) Uses() (reads, writes []int) { return []int{s.From}, []int{s.To, s.From} }

func (s *Swap) text(p *printer) { p.line("swap b%d -> b%d", s.From, s.To) }

func (s *Swap) rename(of func(int) int) { s.From, s.To = of(s.From), of(s.To) }

// leastSwap is the size in bytes from which on changing places is less work than a copy.
const leastSwap = 512

// swapBack lets loops that are not a kernel end with swaps for copies of what only the body has.
func swapBack(p *Plan) {
	t := newTimeline(p)
	swaps := map[*Copy]*Swap{}
	for _, k := range t.copies {
		from, to := &p.Buffers[k.From], &p.Buffers[k.To]
		if k.body == nowhere || from.Kind != Temp || to.Kind != Temp && to.Kind != Output || from.Bytes != to.Bytes ||
			from.Bytes < leastSwap || t.first(k.From) < k.body.from || t.last(k.From) > k.body.to {
			continue
		}
		swaps[k.Copy] = &Swap{k.From, k.To}
	}
	if len(swaps) > 0 {
		swapIn(p.Body, swaps)
	}
}

// swapIn puts swaps into the loops of s.
func swapIn(s *Sequence, swaps map[*Copy]*Swap) {
	for _, st := range s.Steps {
		for _, inner := range Inner(st) {
			swapIn(inner, swaps)
		}
		w, ok := st.(*While)
		if !ok || w.Fused {
			continue
		}
		for i, back := range w.Back {
			k, ok := back.(*Copy)
			if ok && swaps[k] != nil && w.uses(k.From) == 1 {
				w.Back[i] = swaps[k]
			}
		}
	}
}

// uses returns how many of the copies at the end of an iteration use a buffer.
func (w *While) uses(b int) int {
	n := 0
	for _, st := range w.Back {
		reads, writes := st.Uses()
		if slices.Contains(reads, b) || slices.Contains(writes, b) {
			n++
		}
	}
	return n
}

// Swaps returns the swaps of w.
func (w *While) Swaps() []*Swap {
	var list []*Swap
	for _, st := range w.Back {
		if s, ok := st.(*Swap); ok {
			list = append(list, s)
		}
	}
	return list
}
