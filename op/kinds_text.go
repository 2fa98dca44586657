package op

import (
	"fmt"

	"github.com/goxla/xla/shape"
)

// AppendText appends the number; nothing if it is absent.
func (o OptInt) AppendText(dst []byte) []byte {
	if !o.Present {
		return dst
	}
	return appendInt(dst, o.Value)
}

// String returns the number, or "" if it is absent.
func (o OptInt) String() string { return string(o.AppendText(nil)) }

// AppendText appends r as {mode=..} or {tolerance={..}}.
func (r ResultAccuracy) AppendText(dst []byte) []byte {
	if !r.HasTolerance {
		mode := r.Mode
		if mode == "" {
			mode = "default"
		}
		dst = append(append(dst, "{mode="...), mode...)
		return append(dst, '}')
	}
	dst = AppendFloat(append(dst, "{tolerance={atol="...), r.ATol)
	dst = AppendFloat(append(dst, ",rtol="...), r.RTol)
	dst = appendInt(append(dst, ",ulps="...), r.ULPs)
	return append(dst, "}}"...)
}

// String returns r as HLO text.
func (r ResultAccuracy) String() string { return string(r.AppendText(nil)) }

// windowPart is one of the lists in a window's text.
type windowPart struct {
	name  string
	value func(d *WindowDim) int
	text  func(dst []byte, d WindowDim) []byte // nil: the value
	def   int                                  // value in every dimension: the part is left out
}

var windowParts = []windowPart{
	{"stride", func(d *WindowDim) int { return d.Stride }, nil, 1},
	{"pad", func(d *WindowDim) int { return d.PaddingLow | d.PaddingHigh }, appendWindowPad, 0},
	{"lhs_dilate", func(d *WindowDim) int { return d.BaseDilation }, nil, 1},
	{"rhs_dilate", func(d *WindowDim) int { return d.WindowDilation }, nil, 1},
	{"rhs_reversal", func(d *WindowDim) int {
		if d.Reversal {
			return 1
		}
		return 0
	}, nil, 0},
}

func appendWindowPad(dst []byte, d WindowDim) []byte {
	dst = append(appendInt(dst, d.PaddingLow), '_')
	return appendInt(dst, d.PaddingHigh)
}

// AppendText appends w as {size=3x3 stride=2x1 ...}; a part that is the default in every dimension is left out.
func (w Window) AppendText(dst []byte) []byte {
	if len(w.Dims) == 0 {
		return append(dst, "{}"...)
	}
	dst = append(dst, "{size="...)
	dst = appendJoin(dst, w.Dims, "x", func(dst []byte, d WindowDim) []byte { return appendInt(dst, d.Size) })
	for i := range windowParts {
		if part := &windowParts[i]; !part.isDefault(w.Dims) {
			dst = part.append(dst, w.Dims)
		}
	}
	return append(dst, '}')
}

func (part *windowPart) isDefault(dims []WindowDim) bool {
	for i := range dims {
		if part.value(&dims[i]) != part.def {
			return false
		}
	}
	return true
}

func (part *windowPart) append(dst []byte, dims []WindowDim) []byte {
	dst = append(append(append(dst, ' '), part.name...), '=')
	text := part.text
	if text == nil {
		text = func(dst []byte, d WindowDim) []byte { return appendInt(dst, part.value(&d)) }
	}
	return appendJoin(dst, dims, "x", text)
}

// String returns w as HLO text.
func (w Window) String() string { return string(w.AppendText(nil)) }

// UnitWindow returns a window of rank dimensions, each of size 1 and trivial.
func UnitWindow(rank int) Window {
	dims := make([]WindowDim, rank)
	for i := range dims {
		dims[i] = WindowDim{Size: 1, Stride: 1, BaseDilation: 1, WindowDilation: 1}
	}
	return Window{dims}
}

// AppendText appends p as 1_1x0_2, with a third number where a dimension has interior padding.
func (p Padding) AppendText(dst []byte) []byte {
	interior := p.HasInterior()
	return appendJoin(dst, p, "x", func(dst []byte, d PadDim) []byte {
		dst = append(appendInt(dst, d.Low), '_')
		dst = appendInt(dst, d.High)
		if interior {
			dst = appendInt(append(dst, '_'), d.Interior)
		}
		return dst
	})
}

// HasInterior reports whether a dimension has interior padding.
func (p Padding) HasInterior() bool {
	for _, d := range p {
		if d.Interior != 0 {
			return true
		}
	}
	return false
}

// String returns p as HLO text.
func (p Padding) String() string { return string(p.AppendText(nil)) }

// AppendText appends r as {[0:4], [2:6]}, with strides in all dimensions if one is not 1.
func (r SliceRanges) AppendText(dst []byte) []byte {
	strides := false
	for _, d := range r {
		strides = strides || d.Stride != 1
	}
	return appendBraced(dst, r, ", ", func(dst []byte, d SliceRange) []byte {
		dst = append(appendInt(append(dst, '['), d.Start), ':')
		dst = appendInt(dst, d.Limit)
		if strides {
			dst = appendInt(append(dst, ':'), d.Stride)
		}
		return append(dst, ']')
	})
}

// String returns r as HLO text.
func (r SliceRanges) String() string { return string(r.AppendText(nil)) }

// AppendText appends a as {0}: (1, {}).
func (a OutputAliasing) AppendText(dst []byte) []byte {
	dst = appendInts(dst, a.OutputIndex)
	dst = appendInt(append(dst, ": ("...), a.Operand)
	dst = appendInts(append(dst, ", "...), a.OperandIndex)
	return append(dst, ')')
}

func appendAliasing(dst []byte, p *[]OutputAliasing) []byte {
	return appendBraced(dst, *p, ", ", func(dst []byte, a OutputAliasing) []byte { return a.AppendText(dst) })
}

// String returns a as HLO text.
func (a OutputAliasing) String() string { return string(a.AppendText(nil)) }

// AppendText appends o as {f32[2]{0}, ...}; {} for nil.
func (o *OperandLayouts) AppendText(dst []byte) []byte {
	if o == nil {
		return append(dst, "{}"...)
	}
	return appendBraced(dst, o.Shapes, ", ", func(dst []byte, s shape.Shape) []byte { return s.AppendText(dst) })
}

// String returns o as HLO text.
func (o *OperandLayouts) String() string { return string(o.AppendText(nil)) }

// AppendText appends d as {kind="sharding", entry={..}, exit={..}}.
func (d DomainSpec) AppendText(dst []byte) []byte {
	dst = AppendQuoted(append(dst, "{kind="...), d.Kind)
	dst = append(dst, ", entry="...)
	dst = appendShardingPtr(dst, d.Entry)
	dst = append(dst, ", exit="...)
	dst = appendShardingPtr(dst, d.Exit)
	return append(dst, '}')
}

func appendShardingPtr(dst []byte, s *Sharding) []byte {
	if s == nil {
		return append(dst, "{}"...)
	}
	return s.AppendText(dst, false)
}

func (d *DomainSpec) isZero() bool { return *d == DomainSpec{} }

// String returns d as HLO text.
func (d DomainSpec) String() string { return string(d.AppendText(nil)) }

// AppendText appends c as {lhs={..} rhs={..}} with the sides that are sparse; {} for nil.
func (c *SparsityConfig) AppendText(dst []byte) []byte {
	if c == nil {
		return append(dst, "{}"...)
	}
	dst = append(dst, '{')
	if c.LHS != nil {
		dst = c.LHS.AppendText(append(dst, "lhs="...))
	}
	if c.LHS != nil && c.RHS != nil {
		dst = append(dst, ' ')
	}
	if c.RHS != nil {
		dst = c.RHS.AppendText(append(dst, "rhs="...))
	}
	return append(dst, '}')
}

// String returns c as HLO text.
func (c *SparsityConfig) String() string { return string(c.AppendText(nil)) }

// AppendText appends s as {sparsity=2x4 dimension=1 stride=1 idx=2}.
func (s *Sparsity) AppendText(dst []byte) []byte {
	return fmt.Appendf(dst, "{sparsity=%dx%d dimension=%d stride=%d idx=%d}", s.A, s.B, s.Dimension, s.Stride, s.Idx)
}

// String returns s as HLO text.
func (s *Sparsity) String() string { return string(s.AppendText(nil)) }
