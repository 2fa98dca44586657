package loop

import "slices"

// What is not reduced in lanes, such as products of complex numbers or what a computation of a user's own combines,
// waits for one step after the other. Several rows side by side wait together.

// A chain of mostChain instructions has others to do while it waits. mostChains values are on their way at a time.
const mostChain, mostChains = 40, 8

var chainFactors = [...]int{4, 5, 3, 6, 7, 8, 2}

// chainsBeside returns the innermost loop over such rows and how many go side by side, nil if there is none.
func chainsBeside(n *Nest) (best *Loop, factor int) {
	named := rangedVars(n)
	n.Root.Walk(func(node Node, around []*Loop) {
		l := node.Loop
		if l == nil || l.Lanes || !l.Parallel || l.Cond != 0 || l.When != nil || len(l.Carries) > 0 || named[l.Var] ||
			fillsScratch(n, l) {
			return
		}
		carries, size, times := chainsIn(l), l.Body.size(), l.Extent
		for _, o := range around {
			if o.Parallel {
				times *= o.Extent
			}
		}
		for _, f := range chainFactors {
			if carries > 0 && size <= mostChain && f*carries <= mostChains && l.Extent%int64(f) == 0 &&
				times >= leastBeside*int64(f) {
				best, factor = l, f
				return
			}
		}
	})
	return best, factor
}

// chainsIn is the most values that a loop in l carries; 0 if there is none, or anything but such loops without lanes or
// others in them.
func chainsIn(l *Loop) (most int) {
	for _, node := range l.Body {
		in := node.Loop
		if in == nil {
			continue
		}
		if in.Lanes || in.Cond != 0 || in.When != nil || len(in.Carries) == 0 ||
			slices.ContainsFunc(in.Body, func(n Node) bool { return n.Loop != nil }) {
			return 0
		}
		most = max(most, len(in.Carries))
	}
	return most
}
