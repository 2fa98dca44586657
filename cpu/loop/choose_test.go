package loop

import "testing"

// TestChosen: masks that constants decide, and comparisons of choices among constants, are made of the other masks.
func TestChosen(t *testing.T) {
	b := NewBuilder("chosen")
	buffer := b.Buffer(Buffer{Name: "x", Bytes: 8})
	load := func(at int64, m Mem) Value { return b.Load(Access{Buffer: buffer, Offset: at, Mem: m}, 0) }
	m, read, x := load(0, MemPred), load(1, MemPred), load(1, MemI32)
	n := b.Cmp(LT, x, b.Int(I32, 7))
	yes, no := b.Bool(true), b.Bool(false)
	mask := func(o Op, args ...Value) Value { return b.Op(o, Mask, args...) }
	number := func(v int64) Value { return b.Int(I64, v) }
	not := mask(Not, m)
	choice := b.Op(Select, I64, m, number(0), b.Op(Select, I64, n, number(1), number(2)))
	for name, c := range map[string]struct{ got, want Value }{
		"and true":        {mask(And, m, yes), m},
		"and false":       {mask(And, no, m), no},
		"and itself":      {mask(And, m, m), m},
		"or true":         {mask(Or, yes, m), yes},
		"or false":        {mask(Or, m, no), m},
		"or itself":       {mask(Or, m, m), m},
		"xor true":        {mask(Xor, m, yes), not},
		"xor false":       {mask(Xor, no, m), m},
		"xor itself":      {mask(Xor, m, m), no},
		"not true, and":   {mask(AndNot, yes, m), no},
		"not false, and":  {mask(AndNot, no, m), m},
		"not, and true":   {mask(AndNot, m, yes), not},
		"not, and false":  {mask(AndNot, m, no), no},
		"not, and itself": {mask(AndNot, m, m), no},
		"not not":         {mask(Not, not), m},
		"both":            {b.Op(Select, I32, m, x, x), x},
		"true or":         {mask(Select, m, yes, n), mask(Or, m, n)},
		"false or":        {mask(Select, m, no, n), mask(AndNot, m, n)},
		"or true, not m":  {mask(Select, m, n, yes), mask(Or, not, n)},
		"or false, m":     {mask(Select, m, n, no), mask(And, m, n)},
		"moved":           {b.nest.Inst(mask(Select, m, read, no)).Args[1], read},
		"mask as number":  {b.Cmp(NE, b.Op(Select, I32, m, b.Int(I32, 5), b.Int(I32, 0)), b.Int(I32, 0)), m},
		"is the first":    {b.Cmp(LT, choice, number(1)), m},
		"is the second":   {b.Cmp(EQ, number(1), choice), mask(AndNot, m, n)},
		"is any":          {b.Cmp(GE, choice, number(0)), yes},
		"is above":        {b.Cmp(LT, number(1), choice), mask(AndNot, m, mask(Not, n))},
	} {
		if c.got != c.want {
			t.Errorf("%s: expected %+v, got %+v", name, *b.nest.Inst(c.want), *b.nest.Inst(c.got))
		}
	}
	open := b.Op(Select, I64, m, number(0), b.Op(SExt, I64, x))
	if v := b.Cmp(EQ, open, number(1)); b.nest.Inst(v).Op != Cmp {
		t.Errorf("a choice of what is not known: got %+v", *b.nest.Inst(v))
	}
}
