package jaxexport

import (
	"strconv"
	"strings"
)

// Tree is the structure of arguments or results.
type Tree struct {
	Kind     TreeKind
	Children []*Tree
	Names    []string // of the children of a dictionary
	Custom   string   // name of the type of a custom node
	Data     []byte   // what a custom node keeps beside its children
}

// TreeKind says what a node is.
type TreeKind uint8

// The kinds of nodes, by their number in a file.
const (
	Leaf TreeKind = iota
	None
	Tuple
	List
	Dict
	Custom
	numTreeKinds
)

// tree reads a field that is a tree; nil if it is absent.
func (t table) tree(i int) *Tree {
	inner, ok := t.table(i)
	if !ok {
		return nil
	}
	return readTree(inner)
}

func readTree(t table) *Tree {
	w := t.w
	if w.depth++; w.depth > maxDepth {
		w.fail(t.pos, "tree is nested more than %d deep", maxDepth)
		return &Tree{}
	}
	defer func() { w.depth-- }()
	kind := TreeKind(t.byte(0))
	if w.err == nil && kind >= numTreeKinds {
		w.fail(t.pos, "unknown kind %d of node", kind)
	}
	n := &Tree{Kind: kind, Custom: t.text(3)}
	n.Children = each(t.vector(1, 4), readTree)
	n.Names = t.texts(2)
	n.Data, _ = t.bytes(4)
	if w.err == nil && kind == Dict && len(n.Names) != len(n.Children) {
		w.fail(t.pos, "dictionary: expected %d names, got %d", len(n.Children), len(n.Names))
	}
	if w.err == nil && (kind == Leaf || kind == None) && len(n.Children) > 0 {
		w.fail(t.pos, "leaf: expected no children, got %d", len(n.Children))
	}
	return n
}

// NumLeaves returns the number of leaves.
func (t *Tree) NumLeaves() int {
	if t.Kind == Leaf {
		return 1
	}
	n := 0
	for _, c := range t.Children {
		n += c.NumLeaves()
	}
	return n
}

// Paths returns for each leaf how Python would reach it from prefix: x[0]['w'].
func (t *Tree) Paths(prefix string) []string { return t.paths(nil, prefix) }

func (t *Tree) paths(list []string, prefix string) []string {
	if t.Kind == Leaf {
		return append(list, prefix)
	}
	for i, c := range t.Children {
		list = c.paths(list, prefix+t.step(i))
	}
	return list
}

// step returns what leads to the i-th child.
func (t *Tree) step(i int) string {
	if t.Kind == Dict {
		return "[" + pyQuote(t.Names[i]) + "]"
	}
	return "[" + strconv.Itoa(i) + "]"
}

// pyQuote writes a string as Python does for plain ones.
func pyQuote(s string) string {
	return "'" + strings.ReplaceAll(strings.ReplaceAll(s, `\`, `\\`), "'", `\'`) + "'"
}

// Format writes the tree as a Python value, with leaves that leaf gives by number.
func (t *Tree) Format(leaf func(i int) string) string {
	next := 0
	return t.format(func() string { next++; return leaf(next - 1) })
}

func (t *Tree) format(leaf func() string) string {
	var parts []string
	switch t.Kind {
	case Leaf:
		return leaf()
	case None:
		return "None"
	}
	for i, c := range t.Children {
		part := c.format(leaf)
		if t.Kind == Dict {
			part = pyQuote(t.Names[i]) + ": " + part
		}
		parts = append(parts, part)
	}
	body := strings.Join(parts, ", ")
	switch t.Kind {
	case Dict:
		return "{" + body + "}"
	case List:
		return "[" + body + "]"
	case Custom:
		return t.Custom + "(" + body + ")"
	}
	if len(parts) == 1 {
		body += ","
	}
	return "(" + body + ")"
}
