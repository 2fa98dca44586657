package tile

import "github.com/goxla/xla/cpu/loop"

// loop compiles a loop.
func (c *compiler) loop(l *loop.Loop) instr {
	if l.Lanes {
		return c.lanes(l)
	}
	of := c.rangeOf(l)
	enter, next := c.carries(l)
	cond := c.block(l.CondBody)
	body := c.block(l.Body)
	step := next()
	leave := c.outs(l)
	v := l.Var
	if l.Cond != 0 {
		again := c.slot[l.Cond]
		return func(f *frame, n int) {
			enter.run(f, n)
			for f.vars[v] = 0; ; f.vars[v]++ {
				cond.run(f, n)
				if !f.mask[again][0] {
					break
				}
				body.run(f, n)
				step.run(f, n)
			}
			leave.run(f, n)
		}
	}
	return func(f *frame, n int) {
		r := of(f)
		if w := l.When; w != nil && (f.vars[w.Var] >= w.Lo && f.vars[w.Var] < w.Hi) == w.Outside {
			return
		}
		enter.run(f, n)
		for i := r.lo; i < r.hi; i++ {
			f.vars[v] = i
			body.run(f, n)
			step.run(f, n)
		}
		leave.run(f, n)
	}
}

// rangeOf returns what tells the iterations of l that a run does.
func (c *compiler) rangeOf(l *loop.Loop) func(*frame) span {
	all := span{0, l.Extent}
	for k, ranged := range c.ranged {
		if l == ranged {
			return func(f *frame) span { return f.ranges[k] }
		}
	}
	return func(*frame) span { return all }
}

// carries allots the phis; enter sets them to the first values. next is called after the body
// is compiled, and returns what gives them their next values: all are read before one is written.
func (c *compiler) carries(l *loop.Loop) (enter code, next func() code) {
	for _, carry := range l.Carries {
		from := c.use(carry.Init)
		enter = append(enter, moves[c.nest.Kind(carry.Phi)](c.alloc(carry.Phi), from))
	}
	return enter, func() code {
		var save, set code
		for _, carry := range l.Carries {
			m := moves[c.nest.Kind(carry.Phi)]
			from := c.use(carry.Next)
			if c.nest.Inst(carry.Next).Op == loop.Phi && carry.Next != carry.Phi {
				saved := c.register(c.nest.Kind(carry.Phi))
				save = append(save, m(saved, from))
				from = saved
			}
			set = append(set, m(c.slot[carry.Phi], from))
		}
		return append(save, set...)
	}
}

// outs gives the values after the loop.
func (c *compiler) outs(l *loop.Loop) code {
	var leave code
	for _, carry := range l.Carries {
		leave = append(leave, moves[c.nest.Kind(carry.Phi)](c.alloc(carry.Out), c.slot[carry.Phi]))
	}
	return leave
}

// lanes compiles a lane loop. Its carries are kept lane by lane, from what changes nothing, and
// combined at the end: halves by halves, then with the first value.
func (c *compiler) lanes(l *loop.Loop) instr {
	var prologue, enter, step, leave code
	c.lane, c.prologue = l.Var, &prologue
	for _, carry := range l.Carries {
		k := c.nest.Kind(carry.Phi)
		if carry.Scan {
			c.reduces[carry.Phi] = carry.Reduce
			enter = append(enter, moves[k](c.alloc(carry.Phi), c.slot[carry.Init]))
			continue
		}
		enter = append(enter, fills[k](c.alloc(carry.Phi), loop.Identity(carry.Reduce, k)))
	}
	body := c.block(l.Body)
	for _, carry := range l.Carries {
		if !carry.Scan {
			step = append(step, moves[c.nest.Kind(carry.Phi)](c.slot[carry.Phi], c.use(carry.Next)))
		}
	}
	for _, v := range c.scope {
		c.wide[v] = -1
	}
	c.lane, c.prologue, c.scope = -1, nil, nil
	for _, carry := range l.Carries {
		if carry.Scan {
			leave = append(leave, moves[c.nest.Kind(carry.Phi)](c.alloc(carry.Out), c.slot[carry.Phi]))
			continue
		}
		leave = append(leave, c.fold(carry)...)
	}
	v, of := l.Var, c.rangeOf(l)
	return func(f *frame, _ int) {
		r := of(f)
		prologue.run(f, int(min(Width, max(r.hi-r.lo, 1))))
		enter.run(f, Width)
		for i := r.lo; i < r.hi; i += Width {
			f.vars[v] = i
			n := int(min(Width, r.hi-i))
			body.run(f, n)
			step.run(f, n)
		}
		leave.run(f, 1)
	}
}

// fold combines the lanes of a carry.
func (c *compiler) fold(carry loop.Carry) code {
	k := c.nest.Kind(carry.Phi)
	acc := c.slot[carry.Phi]
	half := c.register(k)
	combine := operation(carry.Reduce, k, k)
	fold := combine(acc, [3]int{acc, half}, 0)
	shift := shifts[k]
	var out code
	for n := Width / 2; n > 0; n /= 2 {
		out = append(out, func(f *frame, _ int) {
			shift(f, half, acc, n)
			fold(f, n)
		})
	}
	return append(out, combine(c.alloc(carry.Out), [3]int{c.slot[carry.Init], acc}, 0))
}
