package op

import "reflect"

// EqualAttrs reports whether a and b are the same attributes: of one type, and field by field equal,
// where an absent value equals an empty or default one. Two nil Attrs are equal.
func EqualAttrs(a, b Attrs) bool {
	if a == b {
		return true
	}
	p := planOf(a)
	if p == nil || b == nil || reflect.TypeOf(a) != reflect.TypeOf(b) {
		return false
	}
	va, vb := reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem()
	for i := range p.fields {
		f := &p.fields[i]
		if !f.equal(va.Field(f.Index).Addr().Interface(), vb.Field(f.Index).Addr().Interface()) {
			return false
		}
	}
	return true
}

func (f *Field) equal(p, q any) bool {
	pz, qz := f.isZero(p), f.isZero(q)
	if pz || qz {
		return pz == qz
	}
	return f.ops.equal(p, q)
}

// HashAttrs returns a hash of a: the same for equal attributes, in every process.
func HashAttrs(a Attrs) uint64 {
	p := planOf(a)
	if p == nil {
		return 0
	}
	h := newHasher
	v := reflect.ValueOf(a).Elem()
	for i := range p.fields {
		f := &p.fields[i]
		if ptr := v.Field(f.Index).Addr().Interface(); !f.isZero(ptr) {
			h = f.ops.hash(h.int(i), ptr)
		}
	}
	return uint64(h)
}

// CloneAttrs returns a struct of its own with the values of a, for a caller that wants to change
// some fields. Slices and other parts are shared: replace them, do not write into them.
func CloneAttrs(a Attrs) Attrs {
	p := planOf(a)
	if p == nil {
		return nil
	}
	c := reflect.New(p.typ)
	c.Elem().Set(reflect.ValueOf(a).Elem())
	return c.Interface().(Attrs)
}

// hasher is FNV-1a over 64-bit words and bytes.
type hasher uint64

const (
	newHasher   hasher = 0xcbf29ce484222325
	hasherPrime hasher = 0x100000001b3
)

func (h hasher) int(n int) hasher {
	h = (h ^ hasher(n)) * hasherPrime
	return h ^ h>>32
}

func (h hasher) bool(b bool) hasher {
	if b {
		return h.int(1)
	}
	return h.int(0)
}

func (h hasher) ints(list []int) hasher {
	h = h.int(len(list))
	for _, n := range list {
		h = h.int(n)
	}
	return h
}

func (h hasher) string(s string) hasher {
	for i := range len(s) {
		h = (h ^ hasher(s[i])) * hasherPrime
	}
	return h.int(len(s))
}

func (h hasher) bytes(b []byte) hasher {
	for _, c := range b {
		h = (h ^ hasher(c)) * hasherPrime
	}
	return h.int(len(b))
}
