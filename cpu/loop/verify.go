package loop

import (
	"fmt"
	"slices"
)

// Verify checks what executors rely on: values are defined once, in front of their uses, in a block
// that is still open; kinds fit; loops are where they may be; and every access without a mask or an
// index value stays inside its buffer for all iterations.
func (n *Nest) Verify() error {
	c := &checker{nest: n, by: make([]int32, len(n.Insts)), open: append(make([]bool, 1, usualBlock), true), here: 1,
		extent: make([]int64, n.Vars), first: make([]int64, n.Vars)}
	if err := c.block(n.Root, nil); err != nil {
		return fmt.Errorf("nest %s: %w", n.Name, err)
	}
	return nil
}

type checker struct {
	nest   *Nest
	by     []int32 // by Value: the number of the block that defines it; 0: none yet
	open   []bool  // by block: it is, and what it defines may be used
	here   int32   // the innermost block that is open
	extent []int64 // by loop variable, 0 while it is closed; -1 in a while loop
	// first is the least iteration of each loop; in a loop with a Range, extent ends with the greatest.
	first []int64
	// scans holds, by the phi of a scan, how many instructions have used it.
	scans map[Value]int
}

// begin opens a block and returns the one around it.
func (c *checker) begin() (outer int32) {
	outer, c.here = c.here, int32(len(c.open))
	c.open = append(c.open, true)
	return outer
}

// end closes the last block, in outer.
func (c *checker) end(outer int32) {
	c.open[c.here], c.here = false, outer
}

// define notes that v is defined here.
func (c *checker) define(v Value) {
	if !c.open[c.by[v]] {
		c.by[v] = c.here
	}
}

func (c *checker) block(b Block, loops []*Loop) error {
	for k, node := range b {
		if node.Loop != nil {
			if err := c.loop(node.Loop, loops, k == len(b)-1); err != nil {
				return err
			}
			for _, carry := range node.Loop.Carries {
				c.define(carry.Out)
			}
			continue
		}
		if err := c.inst(node.Value); err != nil {
			return fmt.Errorf("v%d: %v: %w", node.Value, c.nest.Inst(node.Value).Op, err)
		}
		c.define(node.Value)
	}
	return nil
}

// use checks that v is open and of kind k.
func (c *checker) use(v Value, k Kind) error {
	if v <= 0 || int(v) >= len(c.by) || !c.open[c.by[v]] {
		return fmt.Errorf("uses v%d, which is not defined there", v)
	}
	if got := c.nest.Kind(v); got != k {
		return fmt.Errorf("v%d: expects %v, got %v", v, k, got)
	}
	return nil
}

func (c *checker) loop(l *Loop, loops []*Loop, last bool) error {
	for _, o := range loops {
		if o.Lanes && l.Lanes {
			return fmt.Errorf("i%d: lane loop inside lane loop i%d", l.Var, o.Var)
		}
		if l.Parallel && !o.Parallel {
			return fmt.Errorf("i%d: parallel loop inside i%d, which is not", l.Var, o.Var)
		}
		if n, counts := c.nest.Count(l); o.Lanes && l.Cond != 0 && (!counts || c.inLanes(n, o)) {
			return fmt.Errorf("i%d: while loop inside lane loop i%d, which does not count up to what is known before",
				l.Var, o.Var)
		}
	}
	if l.Parallel && (!last && len(loops) == 0 || len(l.Carries) > 0) {
		return fmt.Errorf("i%d: a parallel loop is the last of the root and carries nothing", l.Var)
	}
	if l.Cond == 0 && l.Extent <= 0 {
		return fmt.Errorf("i%d: extent: expects 1 or more, got %d", l.Var, l.Extent)
	}
	c.extent[l.Var] = l.Extent
	defer func() { c.extent[l.Var] = 0 }()
	if l.Cond != 0 {
		c.extent[l.Var] = -1
	}
	around := append(loops[:len(loops):len(loops)], l)
	if l.When == nil {
		return c.loopBody(l, around)
	}
	return c.when(l, loops, func() error { return c.loopBody(l, around) })
}

// inLanes reports whether v is made in l, a lane loop.
func (c *checker) inLanes(v Value, l *Loop) bool {
	found := false
	l.Body.Each(func(n Node) {
		found = found || n.Loop == nil && n.Value == v
		for k := 0; n.Loop != nil && k < len(n.Loop.Carries); k++ {
			found = found || n.Loop.Carries[k].Phi == v || n.Loop.Carries[k].Out == v
		}
	})
	return found || slices.ContainsFunc(l.Carries, func(k Carry) bool { return k.Phi == v })
}

// when checks the range of l, and body where only that is known.
func (c *checker) when(l *Loop, loops []*Loop, body func() error) error {
	w := l.When
	near := slices.ContainsFunc(loops, func(o *Loop) bool { return o.Var == w.Var && o.Cond == 0 && !o.Lanes })
	if !near || l.Extent != 1 || l.Lanes || l.Cond != 0 || len(l.Carries) > 0 {
		return fmt.Errorf("i%d: expects a plain loop of one iteration in loop i%d, which it runs in a range of", l.Var, w.Var)
	}
	first, extent := c.first[w.Var], c.extent[w.Var]
	if w.Lo < 0 || w.Lo >= w.Hi || w.Hi > extent {
		return fmt.Errorf("i%d: expects iterations of i%d, which has %d, got [%d, %d)", l.Var, w.Var, extent, w.Lo, w.Hi)
	}
	if !w.Outside {
		c.first[w.Var], c.extent[w.Var] = max(first, w.Lo), w.Hi
	}
	err := body()
	c.first[w.Var], c.extent[w.Var] = first, extent
	return err
}

func (c *checker) loopBody(l *Loop, loops []*Loop) error {
	outer := c.begin()
	for _, carry := range l.Carries {
		k := c.nest.Kind(carry.Phi)
		if err := c.use(carry.Init, k); err != nil {
			return fmt.Errorf("i%d: carry: %w", l.Var, err)
		}
		if (carry.Reduce != Invalid) != l.Lanes || !ops[carry.Reduce].Reduces && l.Lanes {
			return fmt.Errorf("i%d: carry v%d: reduce by %v", l.Var, carry.Out, carry.Reduce)
		}
		c.define(carry.Phi)
		if carry.Scan {
			if c.scans == nil {
				c.scans = map[Value]int{}
			}
			c.scans[carry.Phi] = 0
		}
	}
	if l.Cond != 0 {
		around := c.begin()
		if err := c.block(l.CondBody, loops); err != nil {
			return err
		}
		if err := c.use(l.Cond, Mask); err != nil {
			return fmt.Errorf("i%d: condition: %w", l.Var, err)
		}
		c.end(around)
	}
	if err := c.block(l.Body, loops); err != nil {
		return err
	}
	for k := range l.Carries {
		carry := &l.Carries[k]
		if err := c.use(carry.Next, c.nest.Kind(carry.Phi)); err != nil {
			return fmt.Errorf("i%d: next: %w", l.Var, err)
		}
		if err := c.scan(l, carry); err != nil {
			return err
		}
	}
	c.end(outer)
	return nil
}

// scan checks that the next value of a scan is one, and stands in the lane loop itself.
func (c *checker) scan(l *Loop, carry *Carry) error {
	i := c.nest.Inst(carry.Next)
	here := slices.ContainsFunc(l.Body, func(n Node) bool { return n.Loop == nil && n.Value == carry.Next })
	if carry.Scan && (i.Op != Scan || i.Args[0] != carry.Phi || !here || !l.Lanes || c.nest.Kind(carry.Phi) == Mask) {
		return fmt.Errorf("i%d: carry v%d: expects a scan of v%d in a lane loop", l.Var, carry.Out, carry.Phi)
	}
	return nil
}

// scansOf checks the operands of i: the phi of a scan is used once, by the scan.
func (c *checker) scansOf(i *Inst) error {
	if len(c.scans) == 0 && i.Op != Scan {
		return nil
	}
	for k, a := range i.Operands() {
		n, ok := c.scans[a]
		if first := i.Op == Scan && k == 0; ok != first || ok && n > 0 {
			return fmt.Errorf("operand %d: a scan, and nothing else, uses the phi of one, once", k)
		}
		if ok {
			c.scans[a]++
		}
	}
	return nil
}

func (c *checker) inst(v Value) error {
	i := c.nest.Inst(v)
	if i.Op == Load || i.Op == Store {
		return c.memory(i)
	}
	info := i.Op.Info()
	if got := len(i.Operands()); got != info.Args {
		return fmt.Errorf("expects %d operands, got %d", info.Args, got)
	}
	if !info.result.has(i.Kind) {
		return fmt.Errorf("has no form for %v", i.Kind)
	}
	if i.Op == Index && c.extent[i.Imm] == 0 {
		return fmt.Errorf("loop i%d is not around it", i.Imm)
	}
	if i.Op == Table && i.Imm >= uint64(len(c.nest.Tables)) {
		return fmt.Errorf("table: expects a number below %d, got %d", len(c.nest.Tables), i.Imm)
	}
	if err := c.scansOf(i); err != nil {
		return err
	}
	for k, a := range i.Operands() {
		if err := c.use(a, c.operandKind(i, k)); err != nil {
			return err
		}
		if info.from == anyKind && !info.operand.has(c.nest.Kind(a)) {
			return fmt.Errorf("has no form for an operand of %v", c.nest.Kind(a))
		}
		if got := c.nest.Kind(a).Bits(); i.Op == Table && got != i.Kind.Bits() {
			return fmt.Errorf("expects an index of %d bits, got %d", i.Kind.Bits(), got)
		}
	}
	return nil
}

func (c *checker) operandKind(i *Inst, k int) Kind {
	switch i.Op.Info().from {
	case anyKind:
		return c.nest.Kind(i.Args[0])
	case maskThenResult:
		if k == 0 {
			return Mask
		}
	}
	return i.Kind
}

// memory checks a load or store.
func (c *checker) memory(i *Inst) error {
	a := &c.nest.Accesses[i.Access]
	mask := i.Args[0]
	if i.Op == Store {
		if err := c.use(i.Args[0], a.Mem.Kind()); err != nil {
			return err
		}
		if !c.nest.Buffers[a.Buffer].Write && !c.nest.Buffers[a.Buffer].Scratch {
			return fmt.Errorf("buffer %s is not for writing", c.nest.Buffers[a.Buffer].Name)
		}
		mask = i.Args[1]
	} else if i.Kind != a.Mem.Kind() {
		return fmt.Errorf("%v gives %v, not %v", a.Mem, a.Mem.Kind(), i.Kind)
	}
	if mask != 0 {
		if err := c.use(mask, Mask); err != nil {
			return err
		}
	}
	return c.bounds(a, mask)
}

// bounds checks the range of an address.
func (c *checker) bounds(a *Access, mask Value) error {
	lo, hi := a.Offset, a.Offset
	for _, t := range a.Terms {
		e := c.extent[t.Var]
		if e <= 0 {
			return fmt.Errorf("address uses i%d, which is no counted loop around it", t.Var)
		}
		from, to := t.Stride*c.first[t.Var], t.Stride*(e-1)
		lo, hi = lo+min(from, to), hi+max(from, to)
	}
	if a.Index != 0 {
		k := c.nest.Kind(a.Index)
		if !k.IsInt() {
			return fmt.Errorf("index v%d: expects an integer, got %v", a.Index, k)
		}
		return c.use(a.Index, k)
	}
	if b := c.nest.Buffers[a.Buffer]; mask == 0 && (lo < 0 || (hi+1)*a.Mem.Bytes() > b.Bytes) {
		return fmt.Errorf("elements %d to %d of %v are not all in buffer %s of %d bytes", lo, hi, a.Mem, b.Name, b.Bytes)
	}
	return nil
}
