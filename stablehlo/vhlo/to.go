package vhlo

import (
	"fmt"
	"strings"

	"github.com/goxla/xla/stablehlo"
	"github.com/goxla/xla/stablehlo/bytecode"
)

// Write returns a module as a portable artifact of version v of StableHLO, at least
// [Minimum] and at most [Current]. The module, which is left as it is, may hold
// operations of the dialects builtin, func, stablehlo and sdy. Write fails on an
// operation, attribute or type that v does not have; errors name the operation and its
// location.
func Write(m *stablehlo.Module, v Version) ([]byte, error) {
	if v.Compare(Minimum) < 0 || v.Compare(Current) > 0 {
		return nil, fmt.Errorf("version of StableHLO: %s is not in [%s, %s]", v, Minimum, Current)
	}
	c := &converter{version: v, values: map[*stablehlo.Value]*stablehlo.Value{}}
	c.blocks = map[*stablehlo.Block]*stablehlo.Block{}
	op, err := c.op(m.Op)
	if err != nil {
		return nil, err
	}
	f := &bytecode.File{Version: v.container(), Producer: producerPrefix + v.String()}
	f.Module = &stablehlo.Module{Op: op, File: m.File, Resources: m.Resources}
	return bytecode.Write(f, options())
}

// WritePlain returns a module as MLIR bytecode of its own dialects: any, chlo, check and
// arith too. Such a file has no version: it is for readers of about the same age.
func WritePlain(m *stablehlo.Module) ([]byte, error) {
	f := &bytecode.File{Version: bytecode.MaxVersion, Producer: "xla", Module: m}
	return bytecode.Write(f, plainOptions())
}

// converter makes a copy of a module with operations of VHLO.
type converter struct {
	version Version
	values  map[*stablehlo.Value]*stablehlo.Value
	blocks  map[*stablehlo.Block]*stablehlo.Block
}

// value returns the copy of a value, which may be defined later.
func (c *converter) value(v *stablehlo.Value) *stablehlo.Value {
	w := c.values[v]
	if w == nil {
		w = &stablehlo.Value{Type: v.Type, Index: v.Index, Loc: v.Loc}
		c.values[v] = w
	}
	return w
}

// op returns the copy of an operation.
func (c *converter) op(o *stablehlo.Op) (*stablehlo.Op, error) {
	n := &stablehlo.Op{Name: o.Name, Info: o.Info, Props: o.Props, Attrs: o.Attrs, Loc: o.Loc, Pos: o.Pos}
	for _, v := range o.Operands {
		n.Operands = append(n.Operands, c.value(v))
	}
	for _, v := range o.Results {
		w := c.value(v)
		w.Op = n
		n.Results = append(n.Results, w)
	}
	for _, b := range o.Successors {
		n.Successors = append(n.Successors, c.block(b))
	}
	if err := c.rename(o, n); err != nil {
		return nil, opError(o, err)
	}
	if err := c.checkTypes(o); err != nil {
		return nil, opError(o, err)
	}
	for _, r := range o.Regions {
		if err := c.region(r, n.AddRegion()); err != nil {
			return nil, err
		}
	}
	return n, nil
}

func opError(o *stablehlo.Op, err error) error {
	if o.Loc == nil {
		return fmt.Errorf("%s: %w", o.Name, err)
	}
	return fmt.Errorf("%s at %s: %w", o.Name, o.Loc, err)
}

// block returns the copy of a block, still empty.
func (c *converter) block(b *stablehlo.Block) *stablehlo.Block {
	n := c.blocks[b]
	if n == nil {
		n = &stablehlo.Block{}
		c.blocks[b] = n
	}
	return n
}

// region copies the blocks of r to n.
func (c *converter) region(r, n *stablehlo.Region) error {
	for _, b := range r.Blocks {
		nb := c.block(b)
		nb.Region = n
		n.Blocks = append(n.Blocks, nb)
		for _, v := range b.Args {
			w := c.value(v)
			w.Block = nb
			nb.Args = append(nb.Args, w)
		}
		for _, o := range b.Ops {
			child, err := c.op(o)
			if err != nil {
				return err
			}
			c.cast(o, child, nb)
			nb.Append(child)
		}
	}
	return nil
}

// rename gives n the name and the attributes of VHLO. Operations of the builtin dialect
// and of dialects that VHLO does not replace keep theirs.
func (c *converter) rename(o, n *stablehlo.Op) error {
	dialect, base, _ := strings.Cut(o.Name, ".")
	switch dialect {
	case "stablehlo", "func":
	case builtinDialect, Shardy.Name:
		return nil
	default:
		return fmt.Errorf("dialect %s has no place in a portable artifact: turn its operations into StableHLO first", dialect)
	}
	row := ops().at(base, c.version)
	if row == nil && len(ops().byBase[base]) > 0 {
		first := ops().byBase[base][0]
		return fmt.Errorf("expected version %s of StableHLO or a newer one, got %s", first.since, c.version)
	}
	if row == nil || o.Info == nil {
		return fmt.Errorf("operation %s has no form in a portable artifact", o.Name)
	}
	flat, err := toFlat(o, base)
	if err != nil {
		return err
	}
	n.Name, n.Info, n.Props = "vhlo."+row.name(), nil, nil
	return c.setProps(o, n, row, flat)
}

// builtinDialect is the dialect of the module itself.
const builtinDialect = "builtin"

// toFlat returns the attributes of VHLO that the inherent attributes of an operation
// become.
func toFlat(o *stablehlo.Op, base string) (map[string]stablehlo.Attribute, error) {
	flat := map[string]stablehlo.Attribute{}
	for _, a := range o.Props {
		slot := o.Info.Attr(a.Name)
		if slot == nil {
			return nil, fmt.Errorf("unknown attribute %s", a.Name)
		}
		if !slot.Kind.Check(a.Value) {
			return nil, fmt.Errorf("%s: expected %s, got %s", a.Name, slot.Kind.Want, brief(a.Value))
		}
		if s, ok := a.Value.(stablehlo.StructAttr); ok && isFlat(s.StructName()) {
			for _, p := range parts(s) {
				flat[p.name] = p.get()
			}
			continue
		}
		value := a.Value
		if f, ok := forms[formName(slot, base)]; ok {
			var err error
			if value, err = f.to(value); err != nil {
				return nil, fmt.Errorf("%s: %w", a.Name, err)
			}
		}
		flat[a.Name] = value
	}
	return flat, nil
}

// setProps gives n the attributes that its row names, with those that are absent
// spelled out. An attribute that the row does not have must say what its absence says.
func (c *converter) setProps(o, n *stablehlo.Op, row *opInfo, flat map[string]stablehlo.Attribute) error {
	for _, name := range row.attrs {
		a, def := flat[name], defaults()[row.base][name]
		if a == nil && def.value.make != nil {
			a = def.value.make(o)
		}
		if a == nil {
			return fmt.Errorf("expected an attribute %s, got none", name)
		}
		n.Props = append(n.Props, stablehlo.NamedAttribute{Name: name, Value: a})
		delete(flat, name)
	}
	if err := c.checkShape(o, row); err != nil {
		return err
	}
	for _, name := range sortedKeys(flat) {
		def, ok := defaults()[row.base][name]
		if name == "channel_type" || (ok && def.value.is(flat[name])) {
			continue
		}
		if name == "no_inline" || (row.base == "call" && (name == "arg_attrs" || name == "res_attrs")) {
			n.Attrs = append(n.Attrs[:len(n.Attrs):len(n.Attrs)], stablehlo.NamedAttribute{Name: name, Value: flat[name]})
			continue
		}
		return fmt.Errorf("%s: version %s of StableHLO has no such attribute, got %s", name, c.version, brief(flat[name]))
	}
	return nil
}

// checkShape refuses what only the second version of an operation can hold.
func (c *converter) checkShape(o *stablehlo.Op, row *opInfo) error {
	if row.version > 1 {
		return nil
	}
	switch row.base {
	case "all_gather", "all_reduce", "all_to_all", "collective_broadcast":
		if len(o.Operands) != 1 || len(o.Results) != 1 {
			return fmt.Errorf("version %s of StableHLO: expected 1 operand and result, got %d and %d",
				c.version, len(o.Operands), len(o.Results))
		}
	case "composite":
		if len(o.Regions) > 0 {
			return fmt.Errorf("version %s of StableHLO: expected no regions, got %d", c.version, len(o.Regions))
		}
	}
	return nil
}
