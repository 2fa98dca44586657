package bytecode

import (
	"github.com/goxla/xla/stablehlo"
)

// scope numbers the values of a region that shares none with the outside.
type scope struct {
	values []*stablehlo.Value
	// forward holds, by number, the operands that were used before their definition.
	forward map[int][]use
	next    []int // the next number to be defined, by open region
}

// use is an operand of an operation.
type use struct {
	op    *stablehlo.Op
	index int
	pos   int
}

// irReader reads operations. It stands on one range of the file at a time.
type irReader struct {
	*cursor
	r      *reader
	depth  int
	budget int // of blocks and values that regions may still claim
	scope  *scope
}

// readIR reads the block that holds the module.
func (r *reader) readIR(c *cursor) {
	ir := &irReader{cursor: c, r: r, budget: len(r.data), scope: &scope{forward: map[int][]use{}}}
	ir.scope.next = append(ir.scope.next, 0)
	b := &stablehlo.Block{}
	ir.readBlock(b, nil)
	ir.checkForward(0)
	if c.err != nil {
		return
	}
	if len(b.Ops) != 1 || b.Ops[0].Name != "builtin.module" || len(b.Args) != 0 {
		c.fail("expected one module, got %d operations", len(b.Ops))
		return
	}
	b.Ops[0].Block = nil
	if len(b.Ops[0].Regions) != 1 || len(b.Ops[0].Regions[0].Blocks) != 1 {
		c.fail("module: expected one region of one block")
		return
	}
	r.module.Op = b.Ops[0]
}

// readBlock reads arguments and operations into b; blocks are those of its region.
func (ir *irReader) readBlock(b *stablehlo.Block, blocks []*stablehlo.Block) {
	at := ir.pos
	v := ir.varint()
	if v&1 == 1 {
		ir.readArgs(b)
		if ir.r.version >= versionUseLists && ir.byte() != 0 {
			ir.skipUseLists(len(b.Args))
		}
	}
	n := v >> 1
	if ir.err == nil && n > uint64(ir.left()) {
		ir.failAt(at, "number of operations: %d do not fit into the %d bytes that are left", n, ir.left())
	}
	for ; n > 0 && ir.err == nil; n-- {
		o := ir.readOp(blocks)
		b.Append(o)
	}
}

// readArgs reads the arguments of a block.
func (ir *irReader) readArgs(b *stablehlo.Block) {
	n := ir.count("block arguments", 1)
	for i := 0; i < n && ir.err == nil; i++ {
		d := ir.decoder()
		hasLoc := true
		var t stablehlo.Type
		if ir.r.version >= versionLocations {
			v := d.varint()
			hasLoc = v&1 == 1
			t = d.typeAt(v >> 1)
		} else {
			t = d.Type()
		}
		arg := &stablehlo.Value{Type: t, Block: b, Index: i}
		if hasLoc {
			arg.Loc = d.Location()
		}
		ir.take(d)
		b.Args = append(b.Args, arg)
		ir.define(arg)
	}
}

// decoder returns a decoder at the current place.
func (ir *irReader) decoder() *Decoder { return &Decoder{cursor: *ir.cursor, r: ir.r} }

// take goes on where the decoder stands.
func (ir *irReader) take(d *Decoder) { *ir.cursor = d.cursor }

// typeAt returns the i-th type.
func (d *Decoder) typeAt(i uint64) stablehlo.Type {
	if d.err == nil && i >= uint64(len(d.r.types)) {
		d.fail("type: %d is not in [0, %d)", i, len(d.r.types))
	}
	if d.err != nil {
		return nil
	}
	e := &d.r.types[i]
	d.resolve(e, d.r.readType)
	return e.typ
}

// readOp reads an operation.
func (ir *irReader) readOp(blocks []*stablehlo.Block) *stablehlo.Op {
	at := ir.pos
	o := &stablehlo.Op{Pos: stablehlo.Pos{Col: at}}
	i := ir.index("operation", len(ir.r.ops))
	if ir.err != nil {
		return o
	}
	name := &ir.r.ops[i]
	o.Name, o.Info = name.full, name.info
	mask := ir.byte()
	d := ir.decoder()
	o.Loc = d.Location()
	if _, unknown := o.Loc.(stablehlo.UnknownLoc); unknown {
		o.Loc = nil
	}
	if mask&hasAttrs != 0 {
		readDict(d, o)
	}
	if mask&hasProperties != 0 {
		ir.readProps(d, o, name)
	}
	if mask&hasResults != 0 {
		for i, t := range d.Types() {
			o.Results = append(o.Results, &stablehlo.Value{Type: t, Op: o, Index: i})
		}
	}
	ir.take(d)
	for _, v := range o.Results {
		ir.define(v)
	}
	if mask&hasOperands != 0 {
		ir.readOperands(o)
	}
	if mask&hasSuccessors != 0 {
		ir.readSuccessors(o, blocks)
	}
	if mask&hasUseLists != 0 {
		ir.skipUseLists(len(o.Results))
	}
	if mask&hasRegions != 0 {
		ir.readRegions(o)
	}
	if mask&0x80 != 0 {
		ir.failAt(at, "operation: unknown bit in the mask %#x", mask)
	}
	if ir.err != nil && ir.err.Op == "" && ir.err.Section != sectionAttrType.String() {
		ir.err.Op = o.Name
	}
	return o
}

// readDict reads the attributes that stand in a dictionary.
func readDict(d *Decoder, o *stablehlo.Op) {
	a := d.Attr()
	dict, ok := a.(*stablehlo.DictAttr)
	if d.err == nil && !ok {
		d.fail("attributes of an operation: expected a dictionary, got %s", brief(a))
	}
	if d.err != nil {
		return
	}
	for _, e := range dict.Entries {
		o.SetAttr(e.Name, e.Value)
	}
}

// define gives a value the next number, and to the operands that wait for it.
func (ir *irReader) define(v *stablehlo.Value) {
	if ir.err != nil {
		return
	}
	s := ir.scope
	top := len(s.next) - 1
	id := s.next[top]
	s.next[top]++
	for len(s.values) <= id {
		s.values = append(s.values, nil)
	}
	s.values[id] = v
	for _, u := range s.forward[id] {
		u.op.Operands[u.index] = v
	}
	delete(s.forward, id)
}

// readOperands reads the numbers of the values that the operation uses.
func (ir *irReader) readOperands(o *stablehlo.Op) {
	n := ir.count("operands", 1)
	if ir.err != nil {
		return
	}
	o.Operands = make([]*stablehlo.Value, n)
	for i := range o.Operands {
		at := ir.pos
		id := ir.varint()
		if ir.err != nil {
			return
		}
		switch s := ir.scope; {
		case id < uint64(len(s.values)) && s.values[id] != nil:
			o.Operands[i] = s.values[id]
		case id > uint64(len(ir.data)):
			ir.failAt(at, "operand: there is no value %d", id)
			return
		default:
			s.forward[int(id)] = append(s.forward[int(id)], use{o, i, at})
		}
	}
}

// checkForward reports an operand that waits for a value with a number of at least
// first, when no more such values can come.
func (ir *irReader) checkForward(first int) {
	if ir.err != nil {
		return
	}
	at, value := -1, 0
	for id, uses := range ir.scope.forward {
		if id >= first && (at < 0 || uses[0].pos < at) {
			at, value = uses[0].pos, id
		}
	}
	if at >= 0 {
		ir.failAt(at, "operand: there is no value %d", value)
	}
}

func (ir *irReader) readSuccessors(o *stablehlo.Op, blocks []*stablehlo.Block) {
	n := ir.count("successors", 1)
	for i := 0; i < n && ir.err == nil; i++ {
		k := ir.index("successor", len(blocks))
		if ir.err == nil {
			o.Successors = append(o.Successors, blocks[k])
		}
	}
}

// skipUseLists steps over the order in which the uses of n values stand in memory.
func (ir *irReader) skipUseLists(n int) {
	lists := 1
	if n != 1 {
		lists = ir.count("orders of uses", 2)
	}
	for i := 0; i < lists && ir.err == nil; i++ {
		if n != 1 {
			ir.index("value", n)
		}
		at := ir.pos
		v := ir.varint() >> 1
		if ir.err == nil && v > uint64(ir.left()) {
			ir.failAt(at, "order of uses: %d numbers do not fit into %d bytes", v, ir.left())
		}
		for ; v > 0 && ir.err == nil; v-- {
			ir.varint()
		}
	}
}
