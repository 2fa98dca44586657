package fuse

import (
	"slices"
	"sort"

	"github.com/goxla/xla/cpu/elem"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// reduction is a reduce that has one value for each position of the kept dimensions.
type reduction struct {
	inst *hlo.Instruction
	idx  []Expr
	// level is 1 more than that of the reductions that it is made from.
	level int
}

// discovery looks for the reductions that can be computed in front of the inner loops. It
// walks as gen.at does, but without adding instructions, and behind what has no index map it knows of scalars only;
// variables below 0 stand for the inner loops.
type discovery struct {
	g     *gen
	seen  visits
	level []int // of reductions under what was seen
	found []reduction
	// full is the key of the position at which the current stage computes what is of all dimensions. A
	// stage is a pass over the inner dimensions; number 0 is that of the roots, the others go by level.
	full  place
	stage int
	// stages holds the stages, as bits, that compute a value that is dear at their position.
	stages map[*hlo.Instruction]uint64 // nil: none yet
	// all: stages has what is not dear too; later, if not nil, is what is kept in place of the dear value, see follow.
	all   bool
	later *hlo.Instruction
}

// discover returns the discovery of s before there are loops, where its roots of all dimensions are computed, and
// where the others are.
func discover(s Spec) (d *discovery, idx, kept []Expr) {
	g := &gen{kind: loop.I32}
	g.inMemory = func(i *hlo.Instruction) bool { return s.InMemory(i) && !isRoot(s, i) }
	idx = make([]Expr, len(s.Dims))
	for d, n := range s.Dims {
		g.spans = append(g.spans, span{0, int64(n)})
		if idx[d] = variable(d); s.Inner[d] {
			idx[d] = g.later(n)
		}
	}
	return g.discovery(idx), idx, keptOf(s, idx)
}

// discovery is one of what g computes at idx.
func (g *gen) discovery(idx []Expr) *discovery {
	return &discovery{g: g, full: g.places.of(idx)}
}

// walkRoots visits the roots of s, at idx or where those of kept dimensions are.
func (d *discovery) walkRoots(s Spec, idx, kept []Expr) {
	for _, r := range s.Roots {
		if s.isFull(r) {
			d.walk(r.Inst, idx)
		} else {
			d.walk(r.Inst, kept)
		}
	}
}

// walk visits the element of i at idx and returns the highest level of a reduction under it.
func (d *discovery) walk(i *hlo.Instruction, idx []Expr) int {
	key := visit{inst: i, at: d.g.places.of(idx)}
	if k := d.seen.find(key); k >= 0 {
		return d.level[k]
	}
	k := d.seen.note(key)
	d.level = append(d.level, 0)
	if (isDear(i) || d.all && isElementwise(i)) && key.at == d.full && !d.g.inMemory(i) {
		if d.stages == nil {
			d.stages = map[*hlo.Instruction]uint64{}
		}
		d.stages[i] |= 1 << min(d.stage, 63)
	}
	level := 0
	switch {
	case d.g.inMemory(i):
	case i.Code() == op.Reduce:
		level = d.reduce(i, idx)
	case i.Code() == op.GetTupleElement || i.Code() == op.Tuple || isElementwise(i):
		for _, o := range i.Operands() {
			at := idx
			if o.IsArray() && o.Rank() == 0 {
				at = nil
			}
			level = max(level, d.walk(o, at))
		}
	case indexMaps[i.Code()] != nil:
		level = d.walk(i.Operand(0), indexMaps[i.Code()](d.g, i, idx))
	default:
		level = d.anywhere(i.Operands())
	}
	d.level[k] = level
	return level
}

// anywhere visits elements that nobody knows the places of: what is scalar among what they are made of is the same for
// all of them, a padding value or where a slice begins. It returns the highest level of a reduction under them.
func (d *discovery) anywhere(list []*hlo.Instruction) int {
	level := 0
	for _, i := range list {
		if s := i.Shape(); s.IsArray() && s.Rank() == 0 {
			level = max(level, d.walk(i, nil))
			continue
		}
		key := visit{inst: i, at: nowhere}
		k := d.seen.find(key)
		if k < 0 {
			k = d.seen.note(key)
			d.level = append(d.level, 0)
			if !d.g.inMemory(i) {
				d.level[k] = d.anywhere(i.Operands())
			}
		}
		level = max(level, d.level[k])
	}
	return level
}

func (d *discovery) reduce(i *hlo.Instruction, idx []Expr) int {
	dims := sorted(i.Attrs().(*op.ReduceAttrs).Dimensions)
	all := i.Operand(0).Dims()
	pos := d.g.exprs.take(len(dims))
	for k, dim := range dims {
		pos[k] = d.g.later(all[dim])
	}
	at := d.g.merge(idx, pos, dims, len(all))
	level := 0
	n := len(i.Operands()) / 2
	full, stage := d.full, d.stage
	d.full, d.stage = d.g.places.of(at), len(d.found)+1
	for _, o := range i.Operands()[:n] {
		level = max(level, d.walk(o, at))
	}
	d.full, d.stage = full, stage
	for _, o := range i.Operands()[n:] {
		level = max(level, d.walk(o, nil))
	}
	if d.isInner(idx) {
		return level
	}
	d.found = append(d.found, reduction{i, idx, level + 1})
	return level + 1
}

// isInner reports whether idx is another place at each iteration of the inner loops.
func (d *discovery) isInner(idx []Expr) bool {
	return slices.ContainsFunc(idx, func(e Expr) bool { return d.g.uses(e, func(v int) bool { return v < 0 }) })
}

// later is the variable of a loop of n iterations that is not open yet.
func (g *gen) later(n int) Expr {
	g.pending = append(g.pending, int64(n))
	return variable(-len(g.pending))
}

// isDear reports whether an element of i is worth keeping for a later pass.
func isDear(i *hlo.Instruction) bool { return dear[i.Code()] }

var dear = [op.NumCodes]bool{
	op.Exponential: true, op.ExponentialMinusOne: true, op.Log: true, op.LogPlusOne: true, op.Tanh: true,
	op.Logistic: true, op.Sine: true, op.Cosine: true, op.Tan: true, op.Power: true, op.Erf: true, op.Cbrt: true,
	op.Atan2: true, op.Sqrt: true, op.Rsqrt: true, op.Divide: true,
}

// hoist computes the reductions found, level by level. Those of one level over the same
// positions share a pass.
func (g *gen) hoist(found []reduction) {
	sort.SliceStable(found, func(i, j int) bool { return found[i].level < found[j].level })
	for len(found) > 0 {
		group := []*hlo.Instruction{found[0].inst}
		var rest []reduction
		for _, r := range found[1:] {
			if g.sharesPass(found[0], r) {
				group = append(group, r.inst)
				continue
			}
			rest = append(rest, r)
		}
		values := g.reduceTogether(group, found[0].idx, 0)
		if g.keep != nil && g.keep.used {
			g.keep.stored = true
		}
		for k, i := range group {
			g.remember(i, found[0].idx, values[k])
		}
		found = rest
	}
}

func (g *gen) remember(i *hlo.Instruction, idx []Expr, v []elem.Value) {
	g.note(visit{inst: i, at: g.places.of(idx)}, v)
}

func (g *gen) sharesPass(r, o reduction) bool {
	dims := func(i *hlo.Instruction) []int { return sorted(i.Attrs().(*op.ReduceAttrs).Dimensions) }
	simple := func(i *hlo.Instruction) bool {
		return reducerOf(i.Called()[0], len(i.Operands())/2).lanes != nil
	}
	return r.level == o.level && simple(r.inst) && simple(o.inst) &&
		slices.Equal(r.inst.Operand(0).Dims(), o.inst.Operand(0).Dims()) &&
		slices.Equal(dims(r.inst), dims(o.inst)) && g.places.of(r.idx) == g.places.of(o.idx)
}

// isElementwise reports whether the elements of i are those of its operands at the same places.
func isElementwise(i *hlo.Instruction) bool {
	if i.Code() == op.BitcastConvert {
		return i.Shape().SameDims(i.Operand(0).Shape())
	}
	return i.Code().Info().Has(op.Elementwise)
}
