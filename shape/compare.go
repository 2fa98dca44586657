package shape

// comparison says what two shapes may differ in and still be called the same.
type comparison struct {
	ignoreType    bool // element types of arrays
	ignoreFloat   bool // floating-point element types among each other
	ignoreDynamic bool // dynamic flags; an unbounded dimension matches any size
	ignoreLayout  bool
}

// Equal reports whether s and t are the same shape: kind, element types, sizes,
// which dimensions are dynamic, and layouts (an absent layout is the default one).
//
//go:noinline
func (s Shape) Equal(t Shape) bool { return comparison{}.same(s, t) }

// EqualIgnoringLayout is XLA's Compatible: it compares element types and sizes. A
// bounded dynamic dimension matches a static one of the size of its bound, and an
// unbounded one matches every size.
//
//go:noinline
func (s Shape) EqualIgnoringLayout(t Shape) bool {
	return comparison{ignoreDynamic: true, ignoreLayout: true}.same(s, t)
}

// EqualExceptLayout compares everything that Equal does but layouts: unlike in
// EqualIgnoringLayout, dynamic dimensions must be the same.
func (s Shape) EqualExceptLayout(t Shape) bool { return comparison{ignoreLayout: true}.same(s, t) }

// CompatibleIgnoringElementType is EqualIgnoringLayout for arrays of any element
// type: only structure and sizes count.
func (s Shape) CompatibleIgnoringElementType(t Shape) bool {
	return comparison{ignoreType: true, ignoreDynamic: true, ignoreLayout: true}.same(s, t)
}

// CompatibleIgnoringFloatPrecision is EqualIgnoringLayout, except that any
// floating-point element type matches any other.
func (s Shape) CompatibleIgnoringFloatPrecision(t Shape) bool {
	return comparison{ignoreFloat: true, ignoreDynamic: true, ignoreLayout: true}.same(s, t)
}

// SameDims reports whether s and t have the same sizes, where an unbounded
// dimension matches every size and a bound its own size.
func (s Shape) SameDims(t Shape) bool { return comparison{ignoreDynamic: true}.sameDims(s, t) }

func (c comparison) same(s, t Shape) bool {
	if !s.IsArray() {
		return s.Type == t.Type && c.sameElems(s.Elems, t.Elems)
	}
	return t.IsArray() && c.sameType(s.Type, t.Type) && c.sameDims(s, t) &&
		(c.ignoreLayout || sameLayout(s, t))
}

func (c comparison) sameElems(a, b []Shape) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !c.same(a[i], b[i]) {
			return false
		}
	}
	return true
}

func (c comparison) sameType(a, b ElementType) bool {
	return a == b || c.ignoreType || c.ignoreFloat && a.IsFloat() && b.IsFloat()
}

func (c comparison) sameDims(s, t Shape) bool {
	if len(s.Dims) != len(t.Dims) {
		return false
	}
	for i, d := range s.Dims {
		e := t.Dims[i]
		if c.ignoreDynamic && (d == Unbounded || e == Unbounded) {
			continue
		}
		if d != e || !c.ignoreDynamic && s.IsDynamicDim(i) != t.IsDynamicDim(i) {
			return false
		}
	}
	return true
}

// sameLayout compares the layouts of two arrays of equal rank.
func sameLayout(s, t Shape) bool {
	if s.Layout == nil || t.Layout == nil {
		return s.HasDefaultLayout() && t.HasDefaultLayout()
	}
	return s.Layout.Equal(t.Layout)
}

// AcceptsDim reports whether an array dimension of size got (its bound if dynamic)
// may be where a dimension of size want is expected: want is unbounded, or dynamic
// with a bound of at least got, or the same static size.
func AcceptsDim(want int, wantDynamic bool, got int, gotDynamic bool) bool {
	switch {
	case want == Unbounded:
		return true
	case got == Unbounded:
		return false
	case wantDynamic:
		return got <= want
	}
	return got == want && !gotDynamic
}

// Accepts reports whether a value of shape got may be used where s is expected,
// layouts aside: element types and structure are the same, and every dimension
// of got is within what AcceptsDim allows.
func (s Shape) Accepts(got Shape) bool {
	if s.Type != got.Type || len(s.Dims) != len(got.Dims) || len(s.Elems) != len(got.Elems) {
		return false
	}
	for i, d := range s.Dims {
		if !AcceptsDim(d, s.IsDynamicDim(i), got.Dims[i], got.IsDynamicDim(i)) {
			return false
		}
	}
	for i, e := range s.Elems {
		if !e.Accepts(got.Elems[i]) {
			return false
		}
	}
	return true
}

// HasUnbounded reports whether a dimension of s or of an element of s is unbounded.
func (s Shape) HasUnbounded() bool {
	for _, d := range s.Dims {
		if d == Unbounded {
			return true
		}
	}
	for _, e := range s.Elems {
		if e.HasUnbounded() {
			return true
		}
	}
	return false
}

// Static returns s with every bounded dynamic dimension turned into a static one
// of the size of its bound; unbounded dimensions stay.
func (s Shape) Static() Shape {
	s.Dynamic = nil
	if len(s.Elems) > 0 {
		elems := make([]Shape, len(s.Elems))
		for i, e := range s.Elems {
			elems[i] = e.Static()
		}
		s.Elems = elems
	}
	return s
}
