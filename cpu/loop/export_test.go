package loop

// OrderAll gives straight lane loops of n the order that Interleave would look at, with so many values at once. It
// returns how many of them that changes.
func OrderAll(n *Nest, wide bool, most int) (changed int) {
	n.Root.EachLoop(func(l *Loop) {
		if !l.Lanes || !n.straight(l) {
			return
		}
		x := newInterleaving(n, l.Body, wide)
		body, moved := make(Block, 0, len(l.Body)), false
		for k, p := range x.order(most) {
			body, moved = append(body, l.Body[p]), moved || k != p
		}
		if l.Body = body; moved {
			changed++
		}
	})
	return changed
}
