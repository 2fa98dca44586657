package loop

import (
	"math"
	"strings"
	"testing"
)

// TestNumbers: of what is made of integers the larger and the smaller of two are one instruction, or none, and nobody
// asks whether it is a number; where it may not be one, or zeros have signs, nothing changes.
func TestNumbers(t *testing.T) {
	type make = func(b *Builder, x Value) Value
	scaled := func(b *Builder, x Value) Value { return b.Op(Mul, F32, b.Op(SToF, F32, x), b.Float(F32, 0.7)) }
	for _, c := range []struct {
		name string
		mem  Mem
		make make
		want string // the operations
	}{
		{"larger", MemS8, func(b *Builder, x Value) Value { return b.Op(Max, F32, b.Float(F32, 0), scaled(b, x)) },
			"load stof mul maxx store"},
		{"smaller", MemU16, func(b *Builder, x Value) Value { return b.Op(Min, F32, scaled(b, x), b.Float(F32, 127)) },
			"load stof mul minx store"},
		{"clamped twice", MemU8, func(b *Builder, x Value) Value {
			y := b.Op(Max, F32, b.Float(F32, 1), b.OpImm(Round, F32, ToNearestEven, scaled(b, x)))
			y = b.Op(MaxX, F32, b.Op(Min, F32, y, b.Float(F32, 100)), b.Float(F32, -128))
			return b.Op(MinX, F32, y, b.Float(F32, 100))
		}, "load stof mul round maxx minx store"},
		{"no more than there can be", MemS8, func(b *Builder, x Value) Value {
			return b.Op(Min, F32, b.Op(SToF, F32, x), b.Float(F32, 257))
		}, "load stof store"},
		{"a number", MemS8, func(b *Builder, x Value) Value {
			y := scaled(b, x)
			return b.Op(Select, F32, b.Cmp(Unordered, y, y), b.Float(F32, 3), y)
		}, "load stof mul store"},
		{"unsigned", MemU16, func(b *Builder, x Value) Value {
			return b.Op(Min, F32, b.Op(UToF, F32, x), b.Float(F32, 65536))
		}, "load utof store"},
		{"sign taken for high bits", MemS8, func(b *Builder, x Value) Value {
			return b.Op(Min, F32, b.Op(UToF, F32, x), b.Float(F32, 65536))
		}, "load utof minx store"},
		{"any float", MemF32, func(b *Builder, x Value) Value { return b.Op(Max, F32, b.Float(F32, 1), x) },
			"load max store"},
		{"minus zero", MemS8, func(b *Builder, x Value) Value {
			return b.Op(Max, F32, scaled(b, x), b.Float(F32, math.Copysign(0, -1)))
		}, "load stof mul max store"},
		{"zero", MemS8, func(b *Builder, x Value) Value { return b.Op(Min, F32, scaled(b, x), b.Float(F32, 0)) },
			"load stof mul min store"},
		{"overflow", MemI32, func(b *Builder, x Value) Value {
			y := b.Op(SToF, F32, x)
			y = b.Op(Mul, F32, y, y)
			return b.Op(Max, F32, b.Op(Mul, F32, y, y), b.Float(F32, 1))
		}, "load stof mul mul max store"},
		{"by NaN", MemS8, func(b *Builder, x Value) Value {
			y := b.Op(Mul, F32, b.Op(SToF, F32, x), b.Float(F32, math.NaN()))
			return b.Op(Select, F32, b.Cmp(Unordered, y, y), b.Float(F32, 3), y)
		}, "load stof mul cmp select store"},
	} {
		b := NewBuilder("numbers")
		x := b.Buffer(Buffer{Name: "x", Bytes: 64 * c.mem.Bytes()})
		y := b.Buffer(Buffer{Name: "y", Bytes: 256, Write: true})
		b.Each(Spec{Extent: 64, Parallel: true, Lanes: true}, func(j int) {
			v := c.make(b, b.Load(Access{Buffer: x, Terms: []Term{{j, 1}}, Mem: c.mem}, 0))
			b.Store(Access{Buffer: y, Terms: []Term{{j, 1}}, Mem: MemF32}, v, 0)
		})
		n := b.Nest()
		DCE(n)
		if err := n.Verify(); err != nil {
			t.Fatal(err)
		}
		var got []string
		n.Root.Walk(func(node Node, around []*Loop) {
			if node.Loop == nil && len(around) > 0 {
				got = append(got, n.Inst(node.Value).Op.Info().Name)
			}
		})
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: expected %s, got %s\n%v", c.name, c.want, s, n)
		}
	}
}
