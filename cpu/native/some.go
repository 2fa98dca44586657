package native

import (
	"github.com/goxla/xla/cpu/order"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// This file does sorts of which a few elements are read: the first ones, the last ones or the median.

// usedOf returns which elements of lines of n along dimension d of the results of a sort there are users for.
func usedOf(i *hlo.Instruction, d, n int) order.Span {
	u := order.Span{Lo: n}
	for _, user := range i.Users() {
		some := order.All(n)
		switch a := user.Attrs().(type) {
		case *op.SliceAttrs:
			some = order.Span{Lo: int(a.Slice[d].Start), Hi: int(a.Slice[d].Limit)}
		case *op.GetTupleElementAttrs:
			some = usedOf(user, d, n)
		}
		u = order.Span{Lo: min(u.Lo, some.Lo), Hi: max(u.Hi, some.Hi)}
	}
	if i.IsRoot() || u.Lo >= u.Hi {
		return order.All(n)
	}
	return u
}

// picks reports whether what is used are a few elements at the begin of a line, which a filter finds.
func (s *sorter) picks() bool {
	return len(s.keys) == 1 && s.n > fewElements && s.used.Hi <= max(insertionMost, s.n/sortShare)
}

// pick sorts r.in into r.out, the first elements alone; false, and nothing is done, where other bits may be equal to an
// element, or are neither in front of it nor behind it.
func (s *sorter) pick(r *sortRun) bool {
	k := &s.keys[0]
	from := r.in[k.operand]
	if s.surveys(k) {
		if nan, zero := k.surveyBy(s.code, r.crew.Pool, r.out[k.operand], from); nan || zero {
			return false
		}
	}
	r.order = resized(r.order, s.used.Hi)
	s.picker.pick(r.crew.Pool, from, s.n, r.order)
	s.permute(r, r.in, r.out)
	return true
}
