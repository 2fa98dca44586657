package loop

import (
	"strings"
	"testing"
)

// TestFolded: operations on constants are constants.
func TestFolded(t *testing.T) {
	b := NewBuilder("folded")
	i32 := func(v int64) Value { return b.Int(I32, v) }
	i64 := func(v int64) Value { return b.Int(I64, v) }
	x := b.Load(Access{Buffer: b.Buffer(Buffer{Name: "x", Bytes: 4}), Mem: MemI32}, 0)
	for name, c := range map[string]struct{ got, want Value }{
		"add wraps":      {b.Op(Add, I32, i32(1<<31-1), i32(1)), i32(-1 << 31)},
		"sub":            {b.Op(Sub, I64, i64(3), i64(5)), i64(-2)},
		"mul":            {b.Op(Mul, I32, i32(-3), i32(5)), i32(-15)},
		"and":            {b.Op(And, I32, i32(6), i32(3)), i32(2)},
		"or":             {b.Op(Or, I32, i32(6), i32(3)), i32(7)},
		"xor":            {b.Op(Xor, I32, i32(6), i32(3)), i32(5)},
		"and not":        {b.Op(AndNot, I32, i32(6), i32(3)), i32(1)},
		"not":            {b.Op(Not, I32, i32(0)), i32(-1)},
		"not of a mask":  {b.Op(Not, Mask, b.Bool(true)), b.Bool(false)},
		"equal":          {b.Cmp(EQ, i32(2), i32(2)), b.Bool(true)},
		"not equal":      {b.Cmp(NE, i32(2), i32(2)), b.Bool(false)},
		"less":           {b.Cmp(LT, i32(-1), i32(1)), b.Bool(true)},
		"less, unsigned": {b.Cmp(ULT, i32(-1), i32(1)), b.Bool(false)},
		"at most":        {b.Cmp(LE, i64(1), i64(1)), b.Bool(true)},
		"greater":        {b.Cmp(GT, i64(1), i64(1)), b.Bool(false)},
		"above":          {b.Cmp(UGT, i64(-1), i64(1)), b.Bool(true)},
		"at least":       {b.Cmp(GE, i32(-1), i32(1)), b.Bool(false)},
		"with sign":      {b.Op(SExt, I64, i32(-2)), i64(-2)},
		"without sign":   {b.Op(ZExt, I64, i32(-2)), i64(1<<32 - 2)},
		"cut":            {b.Op(Trunc, I32, i64(-1<<31)), i32(-1 << 31)},
		"chosen":         {b.Op(Select, I32, b.Bool(true), x, i32(1)), x},
		"not chosen":     {b.Op(Select, I32, b.Bool(false), i32(1), x), x},
	} {
		if c.got != c.want {
			t.Errorf("%s: expected v%d, got %+v", name, c.want, *b.nest.Inst(c.got))
		}
	}
	for _, o := range []Op{Add, Cmp} {
		if v := b.Op(o, I32, x, i32(1)); b.nest.Inst(v).Op != o {
			t.Errorf("%v of a value that is not known: got %+v", o, *b.nest.Inst(v))
		}
	}
}

// TestFoldedMasks: what a known mask turns off is neither read nor written, what it turns on is so without one.
func TestFoldedMasks(t *testing.T) {
	for on, want := range map[bool]int{false: 0, true: 1} {
		b := NewBuilder("masks")
		x := Access{Buffer: b.Buffer(Buffer{Name: "x", Bytes: 4}), Mem: MemF32}
		y := Access{Buffer: b.Buffer(Buffer{Name: "y", Bytes: 8, Write: true}), Mem: MemF32}
		v := b.Load(x, b.Bool(on))
		b.Store(y, v, 0)
		y.Offset = 1
		b.Store(y, v, b.Bool(on))
		text := b.Nest().String()
		if strings.Count(text, "load") != want || strings.Count(text, "store") != 1+want || strings.Contains(text, " if ") {
			t.Errorf("%v: got\n%s", on, text)
		}
	}
}
