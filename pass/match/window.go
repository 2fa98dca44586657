package match

import (
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// Cumulative is a reduce-window that folds, for each element, all elements up to it.
type Cumulative struct {
	// Kind is None of a reducer that is none of the kinds.
	Kind Kind
	// Dim is the dimension along which the elements are folded.
	Dim int
	// Reverse: the elements from each one on are folded. Only of a reducer of a kind: that of any other
	// takes the elements of a window in their order, which the next window does not share.
	Reverse bool
	// Exclusive: the element itself is left out.
	Exclusive bool
}

// CumulativeWindow returns what w, a reduce-window, accumulates; ok is false if it does
// not: its window does not reach to an end of one dimension. That the initial value is an
// identity (IsIdentity) is for the caller to ask.
func CumulativeWindow(w *hlo.Instruction) (c Cumulative, ok bool) {
	a, isWindow := w.Attrs().(*op.WindowAttrs)
	if w.Code() != op.ReduceWindow || !isWindow || len(w.Operands()) != 2 || !w.Operand(0).IsStatic() {
		return c, false
	}
	c.Kind, _ = Reducer(w.Called()[0])
	dims := w.Operand(0).Dims()
	c.Dim = -1
	for d, x := range a.Window.Dims {
		if x.Stride > 1 || x.BaseDilation > 1 || x.WindowDilation > 1 || w.Dims()[d] != dims[d] {
			return c, false
		}
		if x.Size == 1 && x.PaddingLow == 0 && x.PaddingHigh == 0 {
			continue
		}
		if c.Dim >= 0 || !c.along(d, x, dims[d]) {
			return c, false
		}
	}
	return c, c.Dim >= 0 && (c.Kind != None || !c.Reverse)
}

// along sets c to what the window x accumulates over n elements: window i covers the
// elements from i-PaddingLow to i-PaddingLow+Size-1.
func (c *Cumulative) along(d int, x op.WindowDim, n int) bool {
	c.Dim = d
	first, last := -x.PaddingLow, x.Size-1-x.PaddingLow
	switch {
	case first <= -(n-1) && (last == 0 || last == -1):
		c.Exclusive = last == -1
	case last >= n-1 && (first == 0 || first == 1):
		c.Reverse, c.Exclusive = true, first == 1
	default:
		return false
	}
	return true
}
