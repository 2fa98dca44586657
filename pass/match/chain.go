package match

import (
	"math/bits"
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// This file recognises comparators of several keys that are written key by key: less by the first one, or equal by it
// and less by the rest. The parts are functions of one key each, so that there may be many.

// chain is a comparator and what its instructions depend on.
type chain struct {
	f    *function
	nans bool     // NaNs count
	uses []uint64 // by id of an instruction: the operands of the sort, a bit each
	none []bool   // by id: as the result of a comparator, it has no keys
}

// chained returns the keys of f; nil if it is not written so.
func (f *function) chained(nans bool) []Key {
	if len(f.params) > 2*64 {
		return nil
	}
	c := &chain{f: f, nans: nans, uses: make([]uint64, len(f.values)),
		none: make([]bool, len(f.values))}
	for _, i := range f.order {
		if i.Code() == op.Parameter {
			c.uses[i.ID()] = 1 << (i.Attrs().(*op.ParameterAttrs).Number / 2)
		}
		for _, o := range i.Operands() {
			c.uses[i.ID()] |= c.uses[o.ID()]
		}
	}
	return c.keys(f.roots[0])
}

// keys returns the keys of the comparator whose result is r.
func (c *chain) keys(r *hlo.Instruction) []Key {
	if c.none[r.ID()] {
		return nil
	}
	keys := c.keysOf(r)
	c.none[r.ID()] = keys == nil
	return keys
}

func (c *chain) keysOf(r *hlo.Instruction) []Key {
	if key, ok := c.key(r, nil, false); ok {
		return []Key{key}
	}
	switch r.Code() {
	case op.Or:
		for k, less := range r.Operands() {
			if and := r.Operand(1 - k); and.Code() == op.And {
				for n, equal := range and.Operands() {
					if keys := c.either(less, equal, and.Operand(1-n), false); keys != nil {
						return keys
					}
				}
			}
		}
	case op.Select:
		return c.either(r.Operand(2), r.Operand(0), r.Operand(1), true)
	}
	return nil
}

// either returns the keys of a comparator that says less, or what rest says where equal is true; if equal goes first,
// it must not be true where less is.
func (c *chain) either(less, equal, rest *hlo.Instruction, equalFirst bool) []Key {
	key, ok := c.key(less, equal, equalFirst)
	if !ok {
		return nil
	}
	if keys := c.keys(rest); keys != nil {
		return append([]Key{key}, keys...)
	}
	return nil
}

// key returns by what less compares, if it is one key, and if equal, which may be nil, tells where that key is equal;
// where less is true it may tell anything unless it goes first.
func (c *chain) key(less, equal *hlo.Instruction, equalFirst bool) (key Key, ok bool) {
	uses := c.uses[less.ID()]
	if equal != nil {
		uses |= c.uses[equal.ID()]
	}
	if bits.OnesCount64(uses) != 1 {
		return Key{}, false
	}
	key.Operand = bits.TrailingZeros64(uses)
	rows := c.rows(key.Operand, less, equal)
	if rows == nil {
		return Key{}, false
	}
	for key.Order = Less; key.Order <= LooseGreater; key.Order++ {
		if !rows[0].x.t.IsFloat() && key.Order > Greater {
			break
		}
		if fits(key.Order, rows, equal != nil, equalFirst) {
			return key, true
		}
	}
	return Key{}, false
}

// row is two elements and what a comparator says of them.
type row struct {
	x, y        scalar
	less, equal bool
}

// mostSamples is how many values of a key are compared with each other.
const mostSamples = 64

// distinct returns the values of list, each once.
func distinct(list []scalar) (values []scalar) {
	for _, v := range list {
		if !slices.ContainsFunc(values, func(o scalar) bool { return v.rank() == o.rank() }) {
			values = append(values, v)
		}
	}
	return values
}

// rows runs the part of the function that depends on operand k alone; nil if there are too many values that could
// tell.
func (c *chain) rows(k int, less, equal *hlo.Instruction) (rows []row) {
	var part []*hlo.Instruction
	for _, i := range c.f.order {
		if c.uses[i.ID()]&^(1<<k) == 0 {
			part = append(part, i)
		}
	}
	x, y := c.f.params[2*k], c.f.params[2*k+1]
	values := distinct(c.f.samples(x.Type(), false))
	if len(values) > mostSamples {
		return nil
	}
	for _, a := range values {
		for _, b := range values {
			if !c.nans && (a.isNaN() || b.isNaN()) {
				continue
			}
			c.f.values[x.ID()], c.f.values[y.ID()] = a, b
			c.f.evaluate(part)
			r := row{x: a, y: b, less: c.f.values[less.ID()].i != 0}
			if equal != nil {
				r.equal = c.f.values[equal.ID()].i != 0
			}
			rows = append(rows, r)
		}
	}
	return rows
}

// fits reports whether the rows are those of an order, and, if asked for, those of what is equal by it.
func fits(o Order, rows []row, equal, equalFirst bool) bool {
	for _, r := range rows {
		less, more := o.less(r.x, r.y), o.less(r.y, r.x)
		if r.less != less || equal && (equalFirst || !less) && r.equal != (!less && !more) {
			return false
		}
	}
	return true
}
