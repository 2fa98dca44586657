package fuse

import "github.com/goxla/xla/cpu/loop"

// Cycles of vector instructions and lines, about.
const (
	// divideCycles and rootCycles are how long a vector keeps the divider busy.
	divideCycles, rootCycles = 10, 19
	// chainPercent is how long a chain of instructions takes, by their latencies.
	chainPercent = 120
	// nearLine is what a line of an array takes, in tenths, that comes from the second cache, farLine from the third one
	// if that is shared, and memoryLines from farther away.
	nearLine, farLine, memoryLines = 18, 50, 100
	// beyondNear and beyondFar are how many bytes of arrays are too much for these caches, or for a part of them.
	beyondNear, beyondFar = 1 << 20, 4 << 20
	// inVain is what rounds with tests take for each cycle that counts, in percent, in loops of few iterations. worthIt
	// is what others may take for each of the loop as it stands: kernels are less than perfect, and there are fewer calls.
	inVain, worthIt = 280, 105
)

// pays reports whether rounds take less time than iterations that go through all of the arrays, which need not wait for
// each other. n is the nest of the arrays.
func (x *Interchange) pays(n *loop.Nest, wide bool) bool {
	var r loop.Rounds
	bits := 32
	n.Root.Each(func(node loop.Node) {
		if l := node.Loop; l != nil && l.Lanes {
			r, _ = n.RoundsIn(l)
		} else if l == nil {
			bits = max(bits, n.Kind(node.Value).Bits())
		}
	})
	if r.Loop == nil {
		return false
	}
	units := loop.Units(wide)
	compute, divider, repeated := 10*r.Work/units, 0, 0
	for _, node := range r.Loop.Body {
		switch i := n.Inst(node.Value); i.Op {
		case loop.Sqrt:
			divider += 10 * rootCycles
		case loop.Div:
			divider += 10 * divideCycles
			if by := n.Inst(i.Args[1]); by.Op == loop.Load { // one for all lanes: else a product
				repeated += 10 * divideCycles
			}
		}
	}
	lines, bytes := 0, 0
	for k, p := range x.parts {
		if x.state[k].Rank() == 0 {
			continue
		}
		size := x.state[k].Type.ByteSize() * 8
		bytes += x.state[k].Size() * size / 8
		if lines += size; p == array {
			lines += size
			if len(x.tests) > 0 {
				lines += size
			}
		}
	}
	line := nearLine
	switch {
	case bytes > beyondFar:
		line = memoryLines
	case bytes > beyondNear:
		line = farLine
	}
	memory := line * lines / bits
	if !wide { // half of a line is a vector
		divider, repeated, memory = divider/2, repeated/2, memory/2
	}
	plain := max(compute, divider-repeated)
	plain = max(plain, memory) + min(plain, memory)/4 // most of the shorter one is done in the time of the longer one
	rounds := max(compute, divider, r.Chain*chainPercent/(10*r.Copies(wide)))
	if len(x.tests) > 0 {
		return rounds*inVain <= plain*100
	}
	return rounds*100 <= plain*worthIt
}
