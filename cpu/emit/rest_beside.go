package emit

// A lane loop that holds loops which sum rows of memory is bound, where few vectors go side by side, by how long a sum
// waits for the one before. So what is left of its lanes goes beside the last whole vectors.

// sumsRows reports whether the loop holds such loops, carries nothing itself, and its iterations are known.
func (b *laneBuilder) sumsRows() bool {
	if b.hi != 0 || len(b.s.loop.Carries) > 0 || b.s.half != nil || b.s.across != nil {
		return false
	}
	sums := false
	for _, n := range b.s.loop.Body {
		if n.Loop != nil {
			sums = sums || len(n.Loop.Carries) > 0 && n.Loop.Cond == 0 && n.Loop.When == nil
		}
	}
	return sums
}

// lastBeside makes what is left of such a loop, copies vectors at a time, the last of them with the rest. It reports
// whether it did.
func (b *laneBuilder) lastBeside(copies int) bool {
	if copies < 2 || !b.sumsRows() {
		return false
	}
	lanes := int64(b.s.lanes)
	rest := b.left % lanes
	last := b.left % (int64(copies) * lanes)
	switch {
	case rest == 0:
		last = 0
	case last < lanes && b.left > lanes: // there are no whole vectors with it
		last += int64(copies) * lanes
	}
	b.left -= last
	b.behind += last
	b.vectors(copies)
	b.behind -= last
	b.left += last
	if rest == 0 || b.left < lanes {
		return false
	}
	b.s.single, b.s.first, b.s.lastRest = true, b.s.loop.Extent-b.left, true
	b.body(int(b.left/lanes)+1, b.g.t.tailOf(b.s.lanes, int(rest), 0))
	b.s.single, b.s.lastRest = false, false
	b.left = 0
	return true
}
