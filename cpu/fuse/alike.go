package fuse

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// Layers of a network are the same computation on other arrays, and so are their nests: one is made, and the others are
// copies of it with names of their own.

// Alike tells which specs describe nests that differ in names alone. It keeps its memory from one pair to the next. All
// are of one computation, and are for the same machine. The zero Alike is ready.
type Alike struct {
	a, b  *Spec
	pairs []pair
	// ofA and ofB hold, by id, 1 more than the number of the pair that an instruction of a or b is in.
	ofA, ofB []int32
	ids      []int64
}

// pair is an instruction of one spec, and what is in its place in another.
type pair struct {
	a, b   *hlo.Instruction
	inside bool // it is computed in the nest, and not stored
}

// Twins are the instructions in the place of others, in another spec.
type Twins struct{ a, b []*hlo.Instruction }

// mostOutlined is how many instructions an outline tells of.
const mostOutlined = 64

// Outline returns a number that specs that are alike have, and few others.
func (s *Spec) Outline() uint64 {
	const prime = 1099511628211
	h, left := uint64(len(s.Dims)), mostOutlined
	var add func(i *hlo.Instruction)
	add = func(i *hlo.Instruction) {
		if left--; left < 0 {
			return
		}
		t := i.Shape()
		h = (h ^ uint64(i.Code())<<8 ^ uint64(t.Type)) * prime
		for _, n := range t.Dims {
			h = (h ^ uint64(n)) * prime
		}
		if s.InMemory(i) && !isRoot(*s, i) {
			return
		}
		for _, o := range i.Operands() {
			add(o)
		}
	}
	for _, r := range s.Roots {
		add(r.Inst)
	}
	return h
}

// Match returns what is in b in the place of the instructions of a, if the two are alike: all that the making of a nest
// looks at is then the same.
func (m *Alike) Match(a, b *Spec) (Twins, bool) {
	m.a, m.b = a, b
	for _, p := range m.pairs {
		m.ofA[p.a.ID()], m.ofB[p.b.ID()] = 0, 0
	}
	m.pairs = m.pairs[:0]
	c := a.Roots[0].Inst.Computation()
	if n := c.NumIDs(); n > len(m.ofA) {
		m.ofA, m.ofB = make([]int32, n), make([]int32, n)
	}
	if c != b.Roots[0].Inst.Computation() || !slices.Equal(a.Dims, b.Dims) || !slices.Equal(a.Inner, b.Inner) ||
		!slices.EqualFunc(a.Roots, b.Roots, m.roots) || !m.inOrder() || slices.ContainsFunc(m.pairs, m.usedOtherwise) {
		return Twins{}, false
	}
	t := Twins{make([]*hlo.Instruction, len(m.pairs)), make([]*hlo.Instruction, len(m.pairs))}
	for k, p := range m.pairs {
		t.a[k], t.b[k] = p.a, p.b
	}
	return t, true
}

// roots reports whether two roots are alike.
func (m *Alike) roots(r, o Root) bool {
	return r.Leaf == o.Leaf && r.Spread == o.Spread && slices.Equal(r.Offset, o.Offset) && slices.Equal(r.From, o.From) &&
		r.Into.Leaf == o.Into.Leaf && m.either(r.Into.Inst, o.Into.Inst) && m.updates(r.Update, o.Update) &&
		m.alike(r.Inst, o.Inst)
}

// updates reports whether two updates, which may be nil, are alike, and go to places that are.
func (m *Alike) updates(u, v *hlo.Instruction) bool {
	return m.either(u, v) && (u == nil || slices.EqualFunc(u.Operands()[2:], v.Operands()[2:], m.alike))
}

// either is alike for instructions that may be nil.
func (m *Alike) either(i, j *hlo.Instruction) bool {
	if i == nil || j == nil {
		return i == j
	}
	return m.alike(i, j)
}

// alike pairs i and j and what they are computed from in a nest, and reports whether they are alike.
func (m *Alike) alike(i, j *hlo.Instruction) bool {
	if n, o := m.ofA[i.ID()], m.ofB[j.ID()]; n != 0 || o != 0 {
		return n == o
	}
	stored, root := m.a.InMemory(i), isRoot(*m.a, i)
	if stored != m.b.InMemory(j) || i.Code() != j.Code() || !i.Shape().Equal(j.Shape()) || !m.sameMemory(i, j) {
		return false
	}
	m.pairs = append(m.pairs, pair{i, j, !stored && !root})
	m.ofA[i.ID()], m.ofB[j.ID()] = int32(len(m.pairs)), int32(len(m.pairs))
	if stored && !root { // how it was computed does not count
		return i.Code() != op.Constant || op.EqualAttrs(i.Attrs(), j.Attrs())
	}
	return slices.Equal(i.Called(), j.Called()) && op.EqualAttrs(i.Attrs(), j.Attrs()) &&
		slices.EqualFunc(i.Operands(), j.Operands(), m.alike)
}

// sameMemory reports whether what Spec tells of arrays is the same of those of i and j.
func (m *Alike) sameMemory(i, j *hlo.Instruction) bool {
	return (m.a.Far == nil) == (m.b.Far == nil) && (m.a.Far == nil || m.a.Far(i) == m.b.Far(j)) &&
		(m.a.Strides == nil) == (m.b.Strides == nil) &&
		(m.a.Strides == nil || slices.Equal(m.a.Strides(i), m.b.Strides(j)))
}

// inOrder reports whether pairs have their ids in the same order: of several values a later one may be chosen.
func (m *Alike) inOrder() bool {
	m.ids = m.ids[:0]
	for _, p := range m.pairs {
		m.ids = append(m.ids, int64(p.a.ID())<<32|int64(p.b.ID()))
	}
	slices.Sort(m.ids)
	last := int32(-1)
	for _, x := range m.ids {
		if int32(x) < last {
			return false
		}
		last = int32(x)
	}
	return true
}

// mostUsers is how many users of a value are looked at.
const mostUsers = 32

// usedOtherwise reports whether what is in a pair, which no one else stores, is not used in the same way: by others in
// the nest, by any outside of it, or as a root that is divided by.
func (m *Alike) usedOtherwise(p pair) bool {
	if !p.inside || isConstant(p.a) {
		return false
	}
	u, v := p.a.Users(), p.b.Users()
	if len(u) > mostUsers || len(v) > mostUsers || onlyDivides(p.a) != onlyDivides(p.b) {
		return true
	}
	insideA, insideB := 0, 0
	for _, x := range u {
		if n := m.ofA[x.ID()]; n != 0 {
			insideA++
			if !slices.Contains(v, m.pairs[n-1].b) {
				return true
			}
		}
	}
	for _, x := range v {
		if m.ofB[x.ID()] != 0 {
			insideB++
		}
	}
	return insideA != insideB || (len(u) > insideA) != (len(v) > insideB)
}

// isConstant reports whether i is a constant, or one everywhere.
func isConstant(i *hlo.Instruction) bool {
	return i.Code() == op.Constant || i.Code() == op.Broadcast && i.Operand(0).Code() == op.Constant
}

// Again returns a copy of k, which was built of a spec, for the twin of that: it is called name.
func (k *Kernel) Again(t Twins, name string) *Kernel {
	c := &Kernel{Nest: k.Nest.Copy(), Buffers: slices.Clone(k.Buffers), Rounds: k.Rounds}
	c.Nest.Name = name
	for n := range c.Buffers {
		r := &c.Buffers[n]
		r.Inst = t.b[slices.Index(t.a, r.Inst)]
		if r.Leaf >= 0 {
			c.Nest.Buffers[n].Name = bufferName(*r)
		}
	}
	return c
}
