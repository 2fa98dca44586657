package hlopb

import (
	"slices"
	"sort"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// Package hlo keeps an origin as text, a tree of tuples with a leaf for each part of
// the value: `({"a" {0}}, ({"b"}, {}))`. The proto lists the leaves with the way to them.

// syntheticCall is the text of the origin of a call that the compiler made.
const syntheticCall = "[synthetic_call]"

// originOf returns the origin that raw says.
func (r *reader) originOf(raw *rawOrigin) *hlo.Origin {
	if raw.synthetic {
		return &hlo.Origin{Text: syntheticCall}
	}
	for _, leaf := range raw.leaves {
		if len(leaf.index) > maxDepth {
			r.fail("expects indices of at most %d numbers, got %d", maxDepth, len(leaf.index))
			return nil
		}
	}
	sort.SliceStable(raw.leaves, func(i, j int) bool {
		return slices.Compare(raw.leaves[i].index, raw.leaves[j].index) < 0
	})
	return &hlo.Origin{Text: string(r.appendOrigin(nil, raw.leaves, 0))}
}

// appendOrigin appends the tree of leaves, which have the first depth numbers of their
// indices in common. Parts without leaves are empty tuples.
func (r *reader) appendOrigin(dst []byte, leaves []rawOriginLeaf, depth int) []byte {
	if len(leaves) == 1 && len(leaves[0].index) == depth {
		return append(leaves[0].value.appendText(append(dst, '{')), '}')
	}
	dst = append(dst, '(')
	for part := 0; len(leaves) > 0 && r.ok(); part++ {
		if part > 0 {
			dst = append(dst, ", "...)
		}
		n := 0
		for n < len(leaves) && len(leaves[n].index) > depth && leaves[n].index[depth] == part {
			n++
		}
		if n > 0 {
			dst = r.appendOrigin(dst, leaves[:n], depth+1)
			leaves = leaves[n:]
			continue
		}
		if r.spent.gaps++; len(leaves[0].index) <= depth || leaves[0].index[depth] < part ||
			r.spent.gaps > maxOriginGaps {
			r.fail("expects the indices of the leaves of a tuple, got %v", leaves[0].index)
		}
		dst = append(dst, "()"...)
	}
	return append(dst, ')')
}

// appendText appends what stands in the braces of a leaf: "a" {0}; nothing for nil.
func (v *originValue) appendText(dst []byte) []byte {
	if v == nil {
		return dst
	}
	dst = op.AppendQuoted(dst, v.name)
	if len(v.index) > 0 {
		dst = appendInts(append(dst, ' '), v.index)
	}
	return dst
}

// origin returns o as the proto has it.
func (w *writer) origin(o *hlo.Origin) rawOrigin {
	if o.Text == syntheticCall {
		return rawOrigin{synthetic: true}
	}
	var raw rawOrigin
	s := scanner{text: o.Text}
	if o.Text != "" {
		raw.leaves = s.originTree(nil, nil)
	}
	if s.bad || s.text != "" {
		w.fail("expects an origin, got %.80q", o.Text)
	}
	return raw
}

// originTree reads one leaf or a tuple of them, at index, and adds them to list.
func (s *scanner) originTree(list []rawOriginLeaf, index []int) []rawOriginLeaf {
	if s.accept("{") {
		leaf := rawOriginLeaf{index: slices.Clone(index)}
		if !s.accept("}") {
			leaf.value = s.originValue()
			s.expect("}")
		}
		return append(list, leaf)
	}
	s.expect("(")
	if len(index) > maxDepth {
		s.bad = true
	}
	for part := 0; !s.done() && !s.accept(")"); part++ {
		list = s.originTree(list, append(index, part))
		s.accept(", ")
	}
	return list
}

// originValue reads "a" {0}.
func (s *scanner) originValue() *originValue {
	v := &originValue{name: s.quoted()}
	if s.accept(" ") {
		v.index = s.integers()
	}
	return v
}
