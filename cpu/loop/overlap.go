package loop

import "slices"

// A sum that is written out, as that of a window of few taps, has no loop that carries it. Several of its iterations
// go side by side if they read the same: what is the same for all of them, and windows that overlap.

// Iterations that may go side by side where that saves loads, the best first.
var overlapFactors = []int{4, 5, 3, 6, 7, 2}

// leastSums is how many products such a sum has at least.
const leastSums = 4

// overlapped finds the parallel loop around a lane loop of such sums of which several iterations make the fewest loads,
// and how many.
func overlapped(n *Nest) (best *Loop, factor int) {
	least := 0.7 // of the loads
	n.Root.Walk(func(node Node, around []*Loop) {
		lanes := node.Loop
		if lanes == nil || !addsProducts(n, lanes) {
			return
		}
		for _, l := range around {
			if !l.Parallel || l.Lanes {
				continue
			}
			for _, f := range overlapFactors {
				if l.Extent%int64(f) != 0 || f*len(lanes.Body) > maxJammedInsts {
					continue
				}
				if share := loadsLeft(n, lanes.Body, l, f); share < least {
					best, factor, least = l, f, share
				}
				break
			}
		}
	})
	return best, factor
}

// addsProducts reports whether l is a lane loop that holds only instructions, of which enough add products.
func addsProducts(n *Nest, l *Loop) bool {
	if !l.Lanes || len(l.Carries) > 0 {
		return false
	}
	count := 0
	for _, node := range l.Body {
		if node.Loop != nil {
			return false
		}
		if n.Inst(node.Value).Op == FMA {
			count++
		}
	}
	return count >= leastSums
}

// loadsLeft returns how many loads f iterations of l make of b side by side, as a share of those one by one.
func loadsLeft(n *Nest, b Block, l *Loop, f int) float64 {
	depends := dependsOn(n, l.Var)
	all, left := 0, map[accessKey]bool{}
	for _, node := range b {
		i := n.Inst(node.Value)
		if i.Op != Load {
			continue
		}
		a := n.Accesses[i.Access]
		if depends[a.Index] || depends[i.Args[0]] || n.Buffers[a.Buffer].Write {
			all += f
			for k := range f { // no two are the same
				left[accessKey{buffer: -1 - k, offset: int64(node.Value)}] = true
			}
			continue
		}
		step := int64(0)
		if t := slices.IndexFunc(a.Terms, func(t Term) bool { return t.Var == l.Var }); t >= 0 {
			step = a.Terms[t].Stride
		}
		for k := range f {
			all++
			at := a
			at.Offset += int64(k) * step
			left[keyOf(at, i.Args[0])] = true
		}
	}
	if all == 0 {
		return 1
	}
	return float64(len(left)) / float64(all)
}
