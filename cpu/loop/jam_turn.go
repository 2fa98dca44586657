package loop

import "slices"

// apart reports whether b, what a loop without loops in it carries on, reads nothing twice for different iterations,
// nor lanes between those of others: each may be computed as a whole then, before the next one, so that few values are
// wanted at a time.
func (j *jammer) apart(b Block) bool {
	var read []int
	for _, n := range b {
		i := j.old.Inst(n.Value)
		if n.Loop != nil || i.Op == Store {
			return false
		}
		if i.Op == Load && j.depends[n.Value] {
			a := &j.old.Accesses[i.Access]
			if slices.Contains(read, a.Buffer) || slices.ContainsFunc(a.Terms, j.spreads) {
				return false
			}
			read = append(read, a.Buffer)
		}
	}
	return len(read) > 0
}

// spreads reports whether t is of a lane loop and leaves elements out.
func (j *jammer) spreads(t Term) bool {
	return t.Stride != 1 && j.lanes[t.Var]
}

// inTurn writes b, which is apart: first what is the same for all iterations.
func (j *jammer) inTurn(b Block) {
	for _, n := range b {
		if j.depends[n.Value] {
			j.values[n.Value] = j.list(j.factor)
			continue
		}
		j.values[n.Value] = j.list(1)
		j.values[n.Value][0] = j.inst(n.Value, 0)
	}
	for k := range j.factor {
		for _, n := range b {
			if j.depends[n.Value] {
				j.values[n.Value][k] = j.inst(n.Value, k)
			}
		}
	}
}
