package vhlo

import (
	"fmt"
	"maps"
	"slices"

	"github.com/goxla/xla/stablehlo"
)

func sortedKeys(m map[string]stablehlo.Attribute) []string { return slices.Sorted(maps.Keys(m)) }

// checkTypes refuses types of results and block arguments that the version does not
// have. Those of operands are results and arguments themselves.
func (c *converter) checkTypes(o *stablehlo.Op) error {
	for _, v := range o.Results {
		if err := c.checkType(v.Type); err != nil {
			return err
		}
	}
	for _, r := range o.Regions {
		for _, b := range r.Blocks {
			for _, v := range b.Args {
				if err := c.checkType(v.Type); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// The versions in which types that hold others came.
var (
	perAxisSince = Version{0, 10, 0}
	futureSince  = Version{1, 15, 0}
	bufferSince  = Version{1, 10, 0}
)

// checkType refuses a type that the version does not have.
func (c *converter) checkType(t stablehlo.Type) error {
	since := Minimum
	var inner []stablehlo.Type
	switch t := t.(type) {
	case stablehlo.IntegerType, stablehlo.FloatType, stablehlo.NoneType:
		since = max2(since, typesSince[t])
	case *stablehlo.TensorType:
		inner = []stablehlo.Type{t.Elem}
	case *stablehlo.UnrankedTensorType:
		inner = []stablehlo.Type{t.Elem}
	case *stablehlo.ComplexType:
		inner = []stablehlo.Type{t.Elem}
	case *stablehlo.TupleType:
		inner = t.Types
	case *stablehlo.FutureType:
		since, inner = futureSince, t.Types
	case *stablehlo.MemRefType:
		since, inner = bufferSince, []stablehlo.Type{t.Elem}
	case *stablehlo.QuantizedType:
		if t.BlockSizes != nil {
			return fmt.Errorf("type %s has no form in a portable artifact", t)
		}
		if t.IsPerAxis() {
			since = perAxisSince
		}
		inner = []stablehlo.Type{t.Storage, t.Expressed}
	}
	if c.version.Compare(since) < 0 {
		return fmt.Errorf("type %s: expected version %s of StableHLO or a newer one, got %s", t, since, c.version)
	}
	for _, i := range inner {
		if err := c.checkType(i); err != nil {
			return err
		}
	}
	return nil
}

func max2(a, b Version) Version {
	if a.Compare(b) < 0 {
		return b
	}
	return a
}
