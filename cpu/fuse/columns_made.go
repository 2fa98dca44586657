package fuse

import (
	"slices"

	"github.com/goxla/xla/cpu/elem"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// madeOfSums is a value of each column that is wanted at every row and is dear, as a mean is, or a deviation: it is
// computed once, as soon as the sums that it is made of are complete.
type madeOfSums struct {
	inst *hlo.Instruction
	// moves lead from a value of each row to it: a broadcast, reshapes.
	moves []*hlo.Instruction
	level int
	slot  int
}

// findMade finds such values; d has seen all at idx.
func (l *columnLevels) findMade(s Spec, d *discovery, idx []Expr) {
	seen := &set{}
	var walk func(i *hlo.Instruction)
	walk = func(i *hlo.Instruction) {
		switch {
		case s.InMemory(i) && !isRoot(s, i) || !slices.Equal(i.Dims(), s.Dims) || !seen.add(i):
		case indexMaps[i.Code()] != nil:
			l.take(s, d, i, idx)
		case isElementwise(i):
			for _, o := range i.Operands() {
				walk(o)
			}
		}
	}
	for _, c := range l.levels {
		for _, i := range c.over {
			walk(i.Operand(0))
		}
	}
	for _, r := range l.whole {
		if r.Inst.IsArray() {
			walk(r.Inst)
		}
	}
}

// take takes what moves from i on, which is at idx, lead to.
func (l *columnLevels) take(s Spec, d *discovery, i *hlo.Instruction, idx []Expr) {
	m := madeOfSums{inst: i}
	for !s.InMemory(m.inst) && indexMaps[m.inst.Code()] != nil {
		idx = indexMaps[m.inst.Code()](d.g, m.inst, idx)
		m.moves = append(m.moves, m.inst)
		m.inst = m.inst.Operand(0)
	}
	known := func(o madeOfSums) bool { return o.inst == m.inst }
	k := d.seen.find(visit{inst: m.inst, at: d.g.places.of(idx)})
	if k < 0 || d.level[k] == 0 || d.isInner(idx) || m.inst.Code() == op.Reduce || !m.inst.Type().IsFloat() ||
		!isDearFor(s, m.inst, &set{}) || slices.ContainsFunc(l.made, known) {
		return
	}
	m.level, m.slot = d.level[k], l.slots
	l.made = append(l.made, m)
	l.slots++
}

// at is where m is computed for a row at idx.
func (m *madeOfSums) at(g *gen, idx []Expr) []Expr {
	for _, i := range m.moves {
		idx = indexMaps[i.Code()](g, i, idx)
	}
	return idx
}

// computeMade computes what is made of the sums of the first levels, of which the last is complete now.
func (w *summing) computeMade(levels int) {
	for _, m := range w.leveled.made {
		if m.level == levels {
			w.columnwise(func(lane Expr) {
				w.lower(lane)
				elem.Store(w.b, w.one(m.inst, m.at(w.gen, w.idx), 0), w.placeOf(m, lane), 0)
			})
		}
	}
	w.made = levels
}

// placeOf is where m is in memory.
func (w *summing) placeOf(m madeOfSums, lane Expr) elem.Address {
	return w.addressOf(w.memory, lane.plus(int64(m.slot)*w.slot()/int64(m.inst.Type().ByteSize())))
}

// lowerMade has what was made of sums for what is computed for a column.
func (w *summing) lowerMade(lane Expr) {
	for _, m := range w.leveled.made {
		if m.level <= w.made {
			w.remember(m.inst, m.at(w.gen, w.idx), []elem.Value{elem.Load(w.b, m.inst.Type(), w.placeOf(m, lane), 0)})
		}
	}
}
