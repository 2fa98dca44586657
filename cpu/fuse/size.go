package fuse

import (
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// farIndex is from where on an index is kept in 64 bits: sums of a few such numbers must not pass 2^31.
const farIndex = 1 << 28

// indexKind is I64 where an index of the region could pass 2^31: if it has an array of that many elements, or a pad or
// window that reaches that far.
func indexKind(s Spec) loop.Kind {
	var seen set
	var far func(i *hlo.Instruction) bool
	far = func(i *hlo.Instruction) bool {
		if !seen.add(i) {
			return false
		}
		if isFar(i) {
			return true
		}
		if s.InMemory(i) && !isRoot(s, i) {
			return false
		}
		for _, o := range i.Operands() {
			if far(o) {
				return true
			}
		}
		return false
	}
	for _, r := range s.Roots {
		if far(r.Inst) || r.Into.Inst != nil && r.Into.Shape().Size() >= farIndex {
			return loop.I64
		}
	}
	return loop.I32
}

// indexKindOf is indexKind for an instruction whose operands are in memory.
func indexKindOf(i *hlo.Instruction) loop.Kind {
	if isFar(i) {
		return loop.I64
	}
	for _, o := range i.Operands() {
		if isFar(o) {
			return loop.I64
		}
	}
	return loop.I32
}

// isFar reports whether indices into i, or into what i pads or slides a window over, may be far from zero.
func isFar(i *hlo.Instruction) bool {
	if i.IsArray() && i.Size() >= farIndex {
		return true
	}
	switch a := i.Attrs().(type) {
	case *op.PadAttrs:
		for d, p := range a.Padding {
			n := i.Operand(0).Dims()[d]
			if reaches(p.Low, 1) || reaches(p.High, 1) || reaches(n, p.Interior+1) {
				return true
			}
		}
	case *op.WindowAttrs:
		return windowIsFar(i, a.Window)
	case *op.ConvolutionAttrs:
		return windowIsFar(i, a.Window)
	}
	return false
}

func windowIsFar(i *hlo.Instruction, w op.Window) bool {
	size := max(i.Size(), i.Operand(0).Size())
	for _, d := range w.Dims {
		if reaches(d.PaddingLow, 1) || reaches(d.PaddingHigh, 1) || reaches(d.Size, d.WindowDilation) ||
			reaches(size, d.BaseDilation) || reaches(size, d.Stride) {
			return true
		}
	}
	return false
}

// reaches reports whether n steps of so many are far from zero.
func reaches(n, step int) bool {
	n, step = max(n, -n), max(step, 1)
	return n >= farIndex/step
}
