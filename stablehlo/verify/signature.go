package verify

import (
	"strings"

	"github.com/goxla/xla/stablehlo"
)

// signature checks the types of operands and results, the limits of attributes and the
// traits, after the row in rules.txt, and that the types are sound on their own.
func (c *check) signature() error {
	if err := c.soundTypes(); err != nil {
		return err
	}
	if c.rule == nil {
		return nil
	}
	if err := c.slots("operand", c.op.Info.Operands, c.rule.operands, c.op.Group); err != nil {
		return err
	}
	if err := c.slots("result", c.op.Info.Results, c.rule.results, c.op.ResultGroup); err != nil {
		return err
	}
	for _, l := range c.rule.limits {
		if v := c.integer(l.attr); c.has(l.attr) && v < l.least {
			return c.errorf(l.attr, "", "expected at least %d, got %d", l.least, v)
		}
	}
	return c.traits()
}

// slots checks the types of operands or results.
func (c *check) slots(what string, slots []stablehlo.Slot, rules []typeRule,
	group func(int) ([]*stablehlo.Value, bool)) error {
	for i, s := range slots {
		values, _ := group(i)
		if rules[i].some && len(values) == 0 {
			return c.errorf(s.Name, "", "expected at least one %s, got none", what)
		}
		for _, v := range values {
			if want := rules[i].fault(v.Type); want != "" {
				return c.errorf(s.Name, "", "expected %s, got %v", want, v.Type)
			}
		}
	}
	return nil
}

// fault returns what a slot takes if it does not take t, else "".
func (r *typeRule) fault(t stablehlo.Type) string {
	for _, name := range r.other {
		if isOther(name, t) {
			return ""
		}
	}
	switch t := t.(type) {
	case *stablehlo.TensorType:
		return r.tensorFault(t)
	case *stablehlo.UnrankedTensorType:
		if r.rank == unranked && r.takes(t.Elem) {
			return ""
		}
	}
	return r.describe()
}

func (r *typeRule) tensorFault(t *stablehlo.TensorType) string {
	if q := quantized(t.Elem); q != nil && r.letters != "" {
		if want := quantizedFault(q); want != "" {
			return want
		}
	}
	switch {
	case !r.takes(t.Elem), r.rank >= 0 && t.Rank() != r.rank:
		return r.describe()
	case r.static && !t.IsStatic() && !(r.bounded && oneBounded(t)):
		return r.describe()
	}
	return axisFault(t)
}

func (r *typeRule) takes(elem stablehlo.Type) bool {
	for _, letter := range r.letters {
		if kinds[letter].is(elem) {
			return true
		}
	}
	return false
}

// describe says what a slot takes.
func (r *typeRule) describe() string {
	var words []string
	for _, letter := range r.letters {
		words = append(words, kinds[letter].name)
	}
	text := strings.Join(words, ", ")
	if text != "" {
		ranks := map[int]string{anyRank: "a ranked tensor of ", unranked: "a tensor of ", 0: "a scalar of "}
		head, ok := ranks[r.rank]
		if !ok {
			head = []string{"", "a one-", "a two-"}[r.rank] + "dimensional tensor of "
		}
		text = head + text
	}
	switch {
	case r.bounded:
		text += " of known sizes or one bounded size"
	case r.static:
		text += " of known sizes"
	}
	for _, name := range r.other {
		if text != "" {
			text += ", or "
		}
		text += "a " + name
	}
	return text
}

// isOther reports whether t is of the kind that a name in rules.txt stands for.
func isOther(name string, t stablehlo.Type) (ok bool) {
	switch name {
	case "token":
		_, ok = t.(stablehlo.TokenType)
	case "tuple":
		_, ok = t.(*stablehlo.TupleType)
	case "future":
		_, ok = t.(*stablehlo.FutureType)
	case "memref":
		_, ok = t.(*stablehlo.MemRefType)
	case "any":
		ok = true
	}
	return ok
}

// oneBounded reports whether one size is not known, and has a bound.
func oneBounded(t *stablehlo.TensorType) bool {
	unknown, known := 0, 0
	for _, d := range t.Dims {
		if d == stablehlo.Dynamic {
			unknown++
		}
	}
	for _, b := range t.Bounds() {
		if b != stablehlo.Dynamic {
			known++
		}
	}
	return unknown == 1 && known == 1
}

// soundTypes checks the types of the results and of the arguments of the regions on
// their own: sizes, bounds.
func (c *check) soundTypes() error {
	for _, t := range valueTypes(c.op.Results) {
		if err := c.soundType(t); err != nil {
			return err
		}
	}
	for _, r := range c.op.Regions {
		for _, b := range r.Blocks {
			for _, t := range valueTypes(b.Args) {
				if err := c.soundType(t); err != nil {
					return err
				}
			}
		}
	}
	if t := c.op.FuncType(); t != nil && c.op.Name == "func.func" {
		for _, t := range append(append([]stablehlo.Type{}, t.Inputs...), t.Results...) {
			if err := c.soundType(t); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *check) soundType(t stablehlo.Type) error {
	switch t := t.(type) {
	case *stablehlo.TensorType:
		return c.soundTensor(t)
	case *stablehlo.TupleType:
		return c.soundList(t.Types)
	case *stablehlo.FutureType:
		for _, part := range t.Types {
			if _, ok := part.(*stablehlo.TensorType); !ok {
				return c.errorf("", "", "expected a future of ranked tensors, got %v", t)
			}
		}
		return c.soundList(t.Types)
	}
	return nil
}

func (c *check) soundList(types []stablehlo.Type) error {
	for _, t := range types {
		if err := c.soundType(t); err != nil {
			return err
		}
	}
	return nil
}

func (c *check) soundTensor(t *stablehlo.TensorType) error {
	if err := t.CheckBounds(); err != nil {
		return c.errorf("", "", "%w", err)
	}
	return nil
}
