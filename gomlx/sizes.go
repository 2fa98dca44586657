package gomlx

import (
	"strconv"
	"strings"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
	xb "github.com/goxla/xla/builder"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/pkg/errors"
)

// dims returns the sizes of s, those of dynamic dimensions by their names.
func (l *lowering) dims(s shapes.Shape) []int {
	out := make([]int, s.Rank())
	for i, d := range s.Dimensions {
		out[i] = d
		if d != shapes.DynamicDim {
			continue
		}
		size, ok := l.named(s.AxisName(i))
		if !ok {
			l.fail(errors.Errorf("the size of dimension %d of %s is not known", i, s))
			size = 0
		}
		out[i] = size
	}
	return out
}

// named returns the size of the dynamic dimension called name, which may be a sum of names and numbers: "=10+a".
func (l *lowering) named(name string) (int, bool) {
	if size, ok := l.sizes[name]; ok {
		return size, true
	}
	expr, ok := strings.CutPrefix(name, shapes.SymbolicAxisPrefix)
	if !ok {
		return 0, false
	}
	total := 0
	for part := range strings.SplitSeq(expr, "+") {
		part = strings.TrimSpace(part)
		size, ok := l.sizes[part]
		if n, err := strconv.Atoi(part); err == nil {
			size, ok = n, true
		}
		if !ok {
			return 0, false
		}
		total += size
	}
	return total, true
}

// size returns the value of scalar v, which is used as a size.
func (l *lowering) size(v *value) int {
	if n, ok := l.module.sizes[v]; ok {
		return n
	}
	if v.fn != l.fn {
		l.fail(&needSize{v})
		return 0
	}
	x := l.op(v)
	if l.module.err != nil {
		return 0
	}
	if n, ok := fold(x.Instruction()); ok {
		return n
	}
	l.fail(&needSize{v})
	return 0
}

// fold returns the value of an integer scalar that depends on constants only, by arithmetic on sizes.
func fold(in *hlo.Instruction) (int, bool) {
	switch a := in.Attrs().(type) {
	case *op.ConstantAttrs:
		return foldElement(a, 0), a.Value.Len() == 1
	case *op.SliceAttrs: // an element of a shape
		if c, ok := in.Operand(0).Attrs().(*op.ConstantAttrs); ok && len(a.Slice) == 1 && in.Shape().Size() == 1 {
			return foldElement(c, a.Slice[0].Start), true
		}
	}
	f, ok := foldable[in.Code()]
	if !ok {
		return 0, false
	}
	args := make([]int, len(in.Operands()))
	for i, x := range in.Operands() {
		n, ok := fold(x)
		if !ok {
			return 0, false
		}
		args[i] = n
	}
	return f(args)
}

func foldElement(c *op.ConstantAttrs, i int) int {
	if i >= c.Value.Len() {
		return 0
	}
	return int(c.Value.IntAt(i))
}

// foldable are the operations that fold knows.
var foldable = map[op.Code]func(a []int) (int, bool){
	op.Add:      func(a []int) (int, bool) { return a[0] + a[1], true },
	op.Subtract: func(a []int) (int, bool) { return a[0] - a[1], true },
	op.Multiply: func(a []int) (int, bool) { return a[0] * a[1], true },
	op.Maximum:  func(a []int) (int, bool) { return max(a[0], a[1]), true },
	op.Minimum:  func(a []int) (int, bool) { return min(a[0], a[1]), true },
	op.Convert:  func(a []int) (int, bool) { return a[0], true },
	op.Reshape:  func(a []int) (int, bool) { return a[0], true },
	op.Divide: func(a []int) (int, bool) {
		if a[1] == 0 {
			return 0, false
		}
		return a[0] / a[1], true
	},
}

// specDims returns the sizes that dimension specifications tell, and the index of the one to be inferred or -1.
// values are those of the specifications that have one.
func (l *lowering) specDims(specs []compute.DynamicDimensionSpec, values []*value) (dims []int, inferred int) {
	inferred = -1
	for i, s := range specs {
		d := s.Static
		switch {
		case values[i] != nil:
			d = l.size(values[i])
			l.sizes[s.Name] = d
		case s.Name != "":
			var ok bool
			if d, ok = l.named(s.Name); !ok {
				inferred, d = i, 1
			}
		}
		dims = append(dims, d)
	}
	return dims, inferred
}

// isScalarInt reports whether v is an integer scalar.
func isScalarInt(v *value) bool { return v.shape.DType.IsInt() && v.shape.Rank() == 0 }

// emitSize returns the constant n in the type of a size.
func (l *lowering) emitSize(n int) xb.Op { return l.b.Const(int32(n)) }
