package hlo

// dataCycles checks that no instruction depends on itself.
func (v *verifier) dataCycles() error {
	for _, c := range v.m.computations {
		var usual walkMemory
		w, order := newWalk(c, &usual), make([]*Instruction, 0, len(c.Instructions()))
		for _, i := range c.Instructions() {
			var cycle *Instruction
			if order, cycle = w.from(i, order); cycle != nil {
				return cycle.errorf("", "", "depends on itself through operands and control predecessors")
			}
		}
	}
	return nil
}

// callCycles checks that no computation calls itself.
func (v *verifier) callCycles() error {
	w := newCallWalker(v.m)
	for _, c := range v.m.computations {
		w.walk(c)
		if w.cycle != nil {
			return v.errorf(w.cycle.Pos, "computation %s calls itself, perhaps through others", w.cycle.name)
		}
	}
	return nil
}

// schedule checks that in a scheduled module everything runs behind what it needs.
func (v *verifier) schedule() error {
	if !v.m.IsScheduled {
		return nil
	}
	for _, c := range v.m.computations {
		if c.IsFused() {
			continue
		}
		ran := make([]bool, c.nextID)
		for _, i := range c.Instructions() {
			for _, o := range i.operands {
				if !ran[o.id] {
					return i.errorf("", "", "is scheduled in front of its operand %%%s", o.name)
				}
			}
			for _, p := range i.ControlPredecessors() {
				if !ran[p.id] {
					return i.errorf("", "", "is scheduled in front of its control predecessor %%%s", p.name)
				}
			}
			ran[i.id] = true
		}
	}
	return nil
}
