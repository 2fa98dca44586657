package hlotext

import (
	"math"
	"strconv"
	"strings"

	"github.com/goxla/xla/op"
)

// window is a window attribute as it is read: each part is nil until it comes.
type window struct {
	size, stride, baseDilation, windowDilation, reversal []int
	padding                                              [][]int
}

func windowFields() (f fields[window]) {
	f.add("size", false, func(p *parser, w *window) { w.size = p.sizes() })
	f.add("stride", false, func(p *parser, w *window) { w.stride = p.sizes() })
	f.add("lhs_dilate", false, func(p *parser, w *window) { w.baseDilation = p.sizes() })
	f.add("rhs_dilate", false, func(p *parser, w *window) { w.windowDilation = p.sizes() })
	f.add("rhs_reversal", false, func(p *parser, w *window) { w.reversal = p.sizes() })
	f.add("pad", false, func(p *parser, w *window) { w.padding = p.pads(2, 2) })
	return f
}

// windowAttribute reads {size=3x3 stride=2x1 pad=0_0x1_2}; what is left out has its default.
func (p *parser) windowAttribute() op.Window {
	var w window
	start := p.tok.pos
	p.expect(kindLeftBrace, "in front of a window")
	var seen []string
	for p.ok() && p.tok.kind != kindRightBrace {
		attribute(p, &w, &seen, &p.tables.window)
	}
	for _, part := range [...]struct {
		name string
		n    int
	}{{"stride", len(w.stride)}, {"lhs_dilate", len(w.baseDilation)}, {"rhs_dilate", len(w.windowDilation)},
		{"rhs_reversal", len(w.reversal)}, {"pad", len(w.padding)}} {
		if part.n != 0 && part.n != len(w.size) {
			p.failAt(start, "expects %d numbers in %s, as in size, got %d", len(w.size), part.name, part.n)
		}
	}
	p.expect(kindRightBrace, "behind a window")
	if !p.ok() || len(w.size) == 0 {
		return op.Window{}
	}
	return w.window()
}

// customWindow is windowAttribute for a custom-call, where {} is not nothing.
func (p *parser) customWindow(t *target) {
	w := p.windowAttribute()
	if w.Dims == nil {
		w.Dims = []op.WindowDim{}
	}
	t.inner.ownAttrs().(*op.CustomCallAttrs).Window = w
}

func (w *window) window() op.Window {
	dims := make([]op.WindowDim, len(w.size))
	at := func(list []int, i, missing int) int {
		if list == nil {
			return missing
		}
		return list[i]
	}
	for i := range dims {
		dims[i] = op.WindowDim{
			Size:           w.size[i],
			Stride:         at(w.stride, i, 1),
			BaseDilation:   at(w.baseDilation, i, 1),
			WindowDilation: at(w.windowDilation, i, 1),
			Reversal:       at(w.reversal, i, 0) == 1,
		}
		if w.padding != nil {
			dims[i].PaddingLow, dims[i].PaddingHigh = w.padding[i][0], w.padding[i][1]
		}
	}
	return op.Window{Dims: dims}
}

// sizes reads 3 or 3x3x3.
func (p *parser) sizes() []int {
	if p.tok.kind == kindInt {
		return []int{p.integer()}
	}
	if p.tok.kind != kindDxD {
		p.expected("sizes such as 3 or 3x3")
		return nil
	}
	var list []int
	for part := range strings.SplitSeq(p.tok.text, "x") {
		list = append(list, p.partOfToken(part))
	}
	p.advance()
	return list
}

// partOfToken returns the value of an integer that is a part of the current token.
func (p *parser) partOfToken(part string) int {
	value, err := strconv.ParseInt(part, 10, strconv.IntSize)
	if err != nil {
		p.fail("expects integers below 2^63, got %.30s", part)
	}
	return int(value)
}

// pads reads 0_1x1_0, with least to most numbers for each dimension.
func (p *parser) pads(least, most int) [][]int {
	if p.tok.kind != kindPad {
		p.expected("a padding such as 0_1x1_0")
		return nil
	}
	var list [][]int
	for dim := range strings.SplitSeq(p.tok.text, "x") {
		var numbers []int
		for part := range strings.SplitSeq(dim, "_") {
			numbers = append(numbers, p.partOfToken(part))
		}
		if len(numbers) < least || len(numbers) > most {
			p.fail("expects %d to %d numbers a dimension, got %s", least, most, dim)
			return nil
		}
		list = append(list, numbers)
	}
	p.advance()
	return list
}

// padding reads 1_1x0_-1 or, with interior padding, 1_1_1x0_-1_0.
func (p *parser) padding() op.Padding {
	padding := op.Padding{}
	for _, dim := range p.pads(2, 3) {
		padding = append(padding, op.PadDim{Low: dim[0], High: dim[1], Interior: append(dim, 0)[2]})
	}
	return padding
}

func isInf(v float64) bool { return math.IsInf(v, 0) }
func inf(sign int) float64 { return math.Inf(sign) }
