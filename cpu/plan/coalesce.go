package plan

import (
	"maps"
	"slices"
)

// coalesce lets values share a buffer where one begins when the other ends, or where neither changes, so that nothing
// is copied between them: the first value of a loop's state and that which it is copied from, what the body makes of
// the state and the state, the result of a branch and that of the conditional, and what a kernel computes element by
// element and what it is computed from.
func coalesce(p *Plan) {
	c := &coalescer{plan: p, timeline: newTimeline(p), writes: writers(p), name: make([]int, len(p.Buffers))}
	for n := range c.name {
		c.name[n] = n
	}
	for _, k := range c.copies {
		c.copied(k)
	}
	for _, a := range p.aliases { // in front of kernels, which may find another place for a result
		c.alias(a)
	}
	for _, at := range slices.Sorted(maps.Keys(c.kernels)) {
		c.kernel(at, c.kernels[at])
	}
	c.rename()
}

type coalescer struct {
	plan *Plan
	*timeline
	// writes is, by buffer, how many steps write to it.
	writes []int
	// name is, by buffer, the one that took its place, maybe by way of others.
	name []int
}

// of is the buffer that b is now.
func (c *coalescer) of(b int) int {
	for c.name[b] != b {
		b = c.name[b]
	}
	return b
}

// join puts value from into the buffer to.
func (c *coalescer) join(from, to int) {
	c.name[from] = to
	c.writes[to] += c.writes[from] - 1 // but for the copy between them
	c.timeline.join(from, to)
}

// alike reports whether a and b are two buffers of one shape that a run may write to.
func (c *coalescer) alike(a, b int) bool {
	x, y := &c.plan.Buffers[a], &c.plan.Buffers[b]
	return a != b && x.Kind == Temp && y.Kind == Temp && x.Bytes > 0 && len(c.uses[a]) > 0 && len(c.uses[b]) > 0 &&
		x.Shape.EqualIgnoringLayout(y.Shape)
}

// copied joins the buffers of a copy if it can.
func (c *coalescer) copied(k copyAt) {
	from, to := c.of(k.From), c.of(k.To)
	if c.onlyRead(k, from, to) {
		c.join(to, from)
		return
	}
	if !c.alike(from, to) {
		return
	}
	switch {
	case k.body != nowhere:
		if c.backFits(from, to, k) {
			c.join(from, to)
		}
	case k.branch != nowhere:
		if c.first(from) >= k.branch.from && c.last(from) == k.at && !c.between(to, k.branch.from-1, k.at) &&
			!c.outlives(from, k.at) {
			c.join(from, to)
		}
	case c.last(from) == k.at && c.first(to) == k.at && !c.outlives(from, k.at):
		c.join(from, to)
	case c.readBefore(k, from, to):
		c.wrote[to] = nil // but by the copy
		c.join(to, from)
	}
}

// outlives reports whether b, used for the last time at a time in a loop, comes from outside of the loop: the next
// iteration needs it.
func (c *coalescer) outlives(b, at int) bool {
	return slices.ContainsFunc(c.loops, func(l span) bool { return l.has(at) && c.first(b) < l.from })
}

// backFits reports whether the body may compute its result, from, in the buffer of the state, to: if
// that is not read any more when from is begun, maybe as a copy of it.
func (c *coalescer) backFits(from, to int, k copyAt) bool {
	begin := c.first(from)
	if begin < k.body.from || c.last(from) > k.body.to {
		return false
	}
	for _, at := range c.uses[to] {
		inBody := k.body.has(at) && at != k.at
		if inBody && at > begin || inBody && at == begin && !c.copiesOnce(to, from, k.body) &&
			!c.sameElements(c.kernels[at], to, from) {
			return false
		}
	}
	c.replace(c.kernels[begin], to, from)
	return true
}

// kernel lets the values of a kernel be in the place of what it reads for the last time.
func (c *coalescer) kernel(at int, k *Kernel) {
	for n := 0; n < len(k.Buffers); n++ {
		to := c.of(k.Buffers[n])
		if k.Nest.Buffers[n].Write && c.first(to) == at && c.overDying(at, k, to) {
			n = -1 // the kernel has a buffer less
		}
	}
}

// overDying joins a buffer that kernel k reads for the last time with the one that it computes, if one fits.
func (c *coalescer) overDying(at int, k *Kernel, to int) bool {
	for _, b := range k.Buffers {
		from := c.of(b)
		if c.alike(from, to) && c.last(from) == at && !c.outlives(from, at) && c.sameElements(k, from, to) {
			c.replace(k, from, to)
			c.join(from, to)
			return true
		}
	}
	return false
}

// alias lets a result be computed in the memory of an argument that the caller gives for that.
func (c *coalescer) alias(a Alias) {
	param, result := c.plan.paramLeaves()[a.Param], c.of(c.plan.Body.Result.Leaves(nil)[a.Result])
	p, r := &c.plan.Buffers[param], &c.plan.Buffers[result]
	if p.Kind != Param || r.Kind != Temp || !p.Shape.EqualIgnoringLayout(r.Shape) || len(c.uses[result]) == 0 {
		return
	}
	if len(c.uses[param]) > 0 {
		begin, life := c.first(result), c.life(param)
		k := c.kernels[begin]
		switch {
		case life.to < begin:
		case life.to == begin && c.copiesFirst(param, result, begin):
		case life.to == begin && !c.outlives(param, begin) && c.sameElements(k, param, result):
			c.replace(k, param, result)
		default:
			return
		}
	}
	p.Written, p.Result = true, a.Result
	c.join(result, param)
}

// copiesOnce reports whether from begins, in a body and in no loop in that, as a copy of to.
func (c *coalescer) copiesOnce(to, from int, body span) bool {
	begin := c.first(from)
	return c.copiesFirst(to, from, begin) && !slices.ContainsFunc(c.loops, func(l span) bool {
		return body.has(l.from) && body.has(l.to) && l.has(begin)
	})
}

// copiesFirst reports whether result begins, at a time, as a copy of param.
func (c *coalescer) copiesFirst(param, result, at int) bool {
	n, ok := slices.BinarySearchFunc(c.copies, at, func(k copyAt, at int) int { return k.at - at })
	return ok && c.of(c.copies[n].From) == param && c.of(c.copies[n].To) == result
}

// rename drops the buffers that others have taken the place of, gives the steps those that are left, and takes out
// copies from a buffer to itself.
func (c *coalescer) rename() {
	number := make([]int, len(c.name))
	left := c.plan.Buffers[:0]
	for n, b := range c.plan.Buffers {
		if c.name[n] == n {
			number[n] = len(left)
			left = append(left, b)
		}
	}
	clear(c.plan.Buffers[len(left):])
	c.plan.Buffers = left
	to := func(b int) int { return number[c.of(b)] }
	for _, v := range append([]*Value{&c.plan.Body.Result}, values(c.plan.Params)...) {
		v.rename(to)
	}
	c.plan.Body.Steps = renamed(c.plan.Body.Steps, to)
}

func values(list []Value) []*Value {
	out := make([]*Value, len(list))
	for i := range list {
		out[i] = &list[i]
	}
	return out
}

func renamed(list []Step, to func(int) int) []Step {
	for _, st := range list {
		st.rename(to)
		for _, inner := range Inner(st) {
			inner.Result.rename(to)
			inner.Steps = renamed(inner.Steps, to)
		}
		if w, ok := st.(*While); ok {
			w.Back = renamed(w.Back, to)
		}
	}
	return slices.DeleteFunc(list, func(st Step) bool {
		k, ok := st.(*Copy)
		return ok && k.From == k.To
	})
}

// rename replaces each buffer of v. The elements of v may be those of another value: they are not changed.
func (v *Value) rename(of func(int) int) {
	if !v.Tuple {
		v.Buffer = of(v.Buffer)
	}
	elems := slices.Clone(v.Elems)
	for k := range elems {
		elems[k].rename(of)
	}
	v.Elems = elems
}
