package loop

// chosen finds another way to a mask: one that a constant decides, or, where a choice among constants is compared with
// one, the choice of how these compare. So what is chosen is not made, the number of the first condition that holds,
// say, which only has to be told from others.
func (b *Builder) chosen(i Inst) (Value, bool) {
	switch {
	case i.Op == Select && i.Args[1] == i.Args[2]:
		return i.Args[1], true
	case i.Kind != Mask:
		return 0, false
	case i.Op == Cmp:
		return b.compareChoice(i)
	case i.Op == Select:
		return b.selectMask(i.Args)
	case i.Op == Not:
		x := b.nest.Inst(i.Args[0])
		return x.Args[0], x.Op == Not
	case i.Op == And, i.Op == Or, i.Op == Xor, i.Op == AndNot:
		return b.combineMasks(i.Op, i.Args[0], i.Args[1])
	}
	return 0, false
}

// combineMasks is an operation on masks of which one is a constant, or both are the same.
func (b *Builder) combineMasks(o Op, x, y Value) (Value, bool) {
	if x == y {
		switch o {
		case And, Or:
			return x, true
		case Xor, AndNot:
			return b.Bool(false), true
		}
	}
	if on, ok := b.ConstBits(x); ok {
		if o == AndNot {
			o, on = And, 1-on
		}
		return b.withConstant(o, y, on), true
	}
	if on, ok := b.ConstBits(y); ok {
		if o == AndNot {
			o, x = And, b.Op(Not, Mask, x)
		}
		return b.withConstant(o, x, on), true
	}
	return 0, false
}

// withConstant is x and, or, xor a constant.
func (b *Builder) withConstant(o Op, x Value, on uint64) Value {
	switch {
	case o == And && on == 0:
		return b.Bool(false)
	case o == Or && on == 1:
		return b.Bool(true)
	case o == Xor && on == 1:
		return b.Op(Not, Mask, x)
	}
	return x
}

// selectMask is a choice between masks of which one is a constant. What is read, and chosen from that, stays a choice:
// it may be bytes that are only moved.
func (b *Builder) selectMask(args [3]Value) (Value, bool) {
	m, x, y := args[0], args[1], args[2]
	for _, v := range args[1:] {
		if o := b.nest.Inst(v).Op; o == Load || o == Select {
			return 0, false
		}
	}
	if on, ok := b.ConstBits(x); ok {
		if on == 1 {
			return b.Op(Or, Mask, m, y), true
		}
		return b.Op(AndNot, Mask, m, y), true
	}
	if on, ok := b.ConstBits(y); ok {
		if on == 1 {
			return b.Op(Or, Mask, b.Op(Not, Mask, m), x), true
		}
		return b.Op(And, Mask, m, x), true
	}
	return 0, false
}

// mostChoices is how many choices one in the other are compared as masks.
const mostChoices = 4

// compareChoice compares a choice among integer constants with one.
func (b *Builder) compareChoice(i Inst) (Value, bool) {
	for k, v := range i.Args[:2] {
		by := i.Args[1-k]
		if _, ok := b.ConstBits(by); !ok || !b.Kind(v).IsInt() || b.nest.Inst(v).Op != Select || !b.isChoice(v, 0) {
			continue
		}
		c := *b.nest.Inst(v)
		one, other := i, i
		one.Args[k], other.Args[k] = c.Args[1], c.Args[2]
		return b.Op(Select, Mask, c.Args[0], b.Inst(one), b.Inst(other)), true
	}
	return 0, false
}

// isChoice reports whether v is a constant, or a choice among them.
func (b *Builder) isChoice(v Value, depth int) bool {
	i := b.nest.Inst(v)
	return i.Op == Const || i.Op == Select && depth < mostChoices && b.isChoice(i.Args[1], depth+1) &&
		b.isChoice(i.Args[2], depth+1)
}
