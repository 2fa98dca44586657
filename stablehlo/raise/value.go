package raise

import (
	"fmt"

	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
)

// value is what an instruction becomes: a value of StableHLO or, of a tuple, one for
// each element.
type value struct {
	v     *stablehlo.Value
	elems []value // of a tuple
	tuple bool
	lost  string // what it is, of a value that StableHLO does not have
}

func single(v *stablehlo.Value) value { return value{v: v} }

func tupleOf(elems ...value) value { return value{elems: elems, tuple: true} }

// lostValue is a value that no operation may use.
func lostValue(what string) value { return value{lost: what} }

// leaves appends the values that v is made of.
func (v value) leaves(dst []*stablehlo.Value) ([]*stablehlo.Value, error) {
	if v.lost != "" {
		return nil, errorf("there is no StableHLO form of %s", v.lost)
	}
	if !v.tuple {
		return append(dst, v.v), nil
	}
	for _, e := range v.elems {
		var err error
		if dst, err = e.leaves(dst); err != nil {
			return nil, err
		}
	}
	return dst, nil
}

// tree puts leaves, which must be enough, into the form of s, and returns those left over.
func tree(s shape.Shape, leaves []*stablehlo.Value) (value, []*stablehlo.Value) {
	if !s.IsTuple() {
		return single(leaves[0]), leaves[1:]
	}
	v := value{tuple: true}
	for _, e := range s.Elems {
		var x value
		x, leaves = tree(e, leaves)
		v.elems = append(v.elems, x)
	}
	return v, leaves
}

// countLeaves returns how many arrays and tokens s is made of.
func countLeaves(s shape.Shape) int {
	if !s.IsTuple() {
		return 1
	}
	n := 0
	for _, e := range s.Elems {
		n += countLeaves(e)
	}
	return n
}

// leafShapes appends the shapes of the leaves of s.
func leafShapes(dst []shape.Shape, s shape.Shape) []shape.Shape {
	if !s.IsTuple() {
		return append(dst, s)
	}
	for _, e := range s.Elems {
		dst = leafShapes(dst, e)
	}
	return dst
}

// leafIndex returns the number of the first leaf of the part of s at index.
func leafIndex(s shape.Shape, index []int) (n int, ok bool) {
	for _, i := range index {
		if !s.IsTuple() || i < 0 || i >= len(s.Elems) {
			return 0, false
		}
		for _, e := range s.Elems[:i] {
			n += countLeaves(e)
		}
		s = s.Elems[i]
	}
	return n, true
}

func errorf(format string, args ...any) error { return fmt.Errorf(format, args...) }
