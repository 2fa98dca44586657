package verify

import (
	"strings"

	"github.com/goxla/xla/stablehlo"
)

// form checks the attributes on their own, and what the row of the operation in the table of package stablehlo says:
// its operands, results, attributes and regions. An operation without a row belongs to
// another dialect and may be anything.
func (c *check) form() error {
	for _, list := range [][]stablehlo.NamedAttribute{c.op.Props, c.op.Attrs} {
		for _, a := range list {
			if err := c.attributeValue(a.Name, a.Value); err != nil {
				return err
			}
		}
	}
	if c.op.Info == nil {
		dialect, _, _ := strings.Cut(c.op.Name, ".")
		if dialect == "stablehlo" || dialect == "chlo" || dialect == "vhlo" {
			return c.errorf("", "", "expected an operation of the dialect %s, got one that it does not have", dialect)
		}
		return nil
	}
	for _, step := range []func() error{c.counts, c.attributes, c.regions} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// counts checks the numbers of operands and results.
func (c *check) counts() error {
	info := c.op.Info
	if len(info.Operands) == 0 && len(c.op.Operands) > 0 {
		return c.errorf("", "", "expected no operands, got %d", len(c.op.Operands))
	}
	if len(info.Results) == 0 && len(c.op.Results) > 0 {
		return c.errorf("", "", "expected no results, got %d", len(c.op.Results))
	}
	for i, s := range info.Operands {
		if _, ok := c.op.Group(i); !ok {
			return c.errorf(s.Name, "", "expected operands (%s), got %d", slotNames(info.Operands), len(c.op.Operands))
		}
	}
	for i, s := range info.Results {
		if _, ok := c.op.ResultGroup(i); !ok {
			return c.errorf(s.Name, "", "expected results (%s), got %d", slotNames(info.Results), len(c.op.Results))
		}
	}
	return nil
}

// slotNames returns the slots as the table writes them.
func slotNames(slots []stablehlo.Slot) string {
	words := make([]string, len(slots))
	for i, s := range slots {
		words[i] = s.Name + []string{"", "?", "*"}[s.Arity]
	}
	return strings.Join(words, ", ")
}

// attributes checks that the attributes of the row are there and of their kind.
func (c *check) attributes() error {
	for _, slot := range c.op.Info.Attrs {
		a := c.op.Attr(slot.Name)
		if a == nil {
			if !slot.Optional {
				return c.errorf(slot.Name, "", "expected a %s, got none", slot.Kind.Want)
			}
			continue
		}
		if !slot.Kind.Check(a) {
			return c.errorf(slot.Name, "", "expected a %s, got %v", slot.Kind.Want, a)
		}
	}
	return nil
}

// attributeValue checks what an attribute says on its own.
func (c *check) attributeValue(name string, a stablehlo.Attribute) error {
	switch a := a.(type) {
	case *stablehlo.ResultAccuracy:
		return c.accuracy(name, a)
	case *stablehlo.DenseElements:
		return c.elementsSize(name, a)
	case *stablehlo.DotAlgorithm:
		return c.dotAlgorithm(name, a)
	case stablehlo.EnumAttr:
		if a.Word() == "" {
			return c.errorf(name, "", "expected one of %s, got %d", strings.Join(a.Kind.Words, ", "), a.Value)
		}
	case stablehlo.OpaqueAttr:
		if a.Dialect == "stablehlo" || a.Dialect == "chlo" {
			return c.errorf(name, "", "expected an attribute of the dialect %s, got %v", a.Dialect, a)
		}
	case *stablehlo.ArrayAttr:
		for _, e := range a.Elems {
			if err := c.attributeValue(name, e); err != nil {
				return err
			}
		}
	case *stablehlo.DictAttr:
		for _, e := range a.Entries {
			if err := c.attributeValue(name+"."+e.Name, e.Value); err != nil {
				return err
			}
		}
	}
	return nil
}

// elementsSize checks that a constant has as many elements as its type.
func (c *check) elementsSize(name string, a *stablehlo.DenseElements) error {
	n, ok := stablehlo.ElementBytes(a.Elem())
	want := a.NumElements()
	if ok && a.Splat {
		want = min(want, 1)
	}
	if !ok || int64(len(a.Data)) != want*int64(n) && !(a.Splat && len(a.Data) == n) {
		return c.errorf(name, "", "expected the elements of %v, got %d bytes", a.Type, len(a.Data))
	}
	return nil
}

// accuracy checks a result_accuracy: tolerances go with the mode TOLERANCE only.
func (c *check) accuracy(name string, a *stablehlo.ResultAccuracy) error {
	tolerances := a.Atol != 0 || a.Rtol != 0 || a.Ulps != 0
	switch word := a.Mode.Word(); {
	case word != "TOLERANCE" && tolerances:
		return c.errorf(name, "", "expected no tolerances with the mode %s, got atol = %g, rtol = %g, ulps = %d",
			word, a.Atol, a.Rtol, a.Ulps)
	case word == "TOLERANCE" && !tolerances:
		return c.errorf(name, "", "expected a tolerance with the mode TOLERANCE, got none")
	case a.Atol < 0 || a.Rtol < 0 || a.Ulps < 0:
		return c.errorf(name, "", "expected tolerances of at least 0, got atol = %g, rtol = %g, ulps = %d",
			a.Atol, a.Rtol, a.Ulps)
	}
	return nil
}

// regions checks the numbers of regions and blocks, and how blocks end.
func (c *check) regions() error {
	slots, regions := c.op.Info.Regions, c.op.Regions
	variadic := len(slots) > 0 && slots[len(slots)-1].Arity == stablehlo.Variadic
	if n := len(slots); variadic && len(regions) < n-1 || !variadic && len(regions) != n {
		return c.errorf("", "", "expected regions (%s), got %d", slotNames(slots), len(regions))
	}
	dialect, _, _ := strings.Cut(c.op.Name, ".")
	for i, r := range regions {
		if dialect == "stablehlo" || dialect == "chlo" {
			if err := c.oneBlock(slots[min(i, len(slots)-1)].Name, r); err != nil {
				return err
			}
		}
		for _, b := range r.Blocks {
			if err := c.terminators(b); err != nil {
				return err
			}
		}
	}
	return nil
}

// oneBlock checks that the region has one block, and that this ends with stablehlo.return.
func (c *check) oneBlock(name string, r *stablehlo.Region) error {
	if len(r.Blocks) != 1 {
		return c.errorf(name, "", "expected a region of one block, got %d", len(r.Blocks))
	}
	if t := r.Terminator(); t == nil || t.Name != "stablehlo.return" {
		got := "an empty block"
		if t != nil {
			got = t.Name
		}
		return c.errorf(name, "", "expected stablehlo.return at the end of the block, got %s", got)
	}
	return nil
}

// terminators checks that operations which end blocks stand only there.
func (c *check) terminators(b *stablehlo.Block) error {
	for i, o := range b.Ops {
		if o.Info != nil && o.Info.Has(stablehlo.Terminator) && i != len(b.Ops)-1 {
			return c.v.check(o).errorf("", "", "expected to be the last operation of its block, got %d after it",
				len(b.Ops)-1-i)
		}
	}
	return nil
}
