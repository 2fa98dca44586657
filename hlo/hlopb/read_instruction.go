package hlopb

import (
	"iter"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// oldComparisons are opcodes of old programs that compare now does.
var oldComparisons = map[string]op.Direction{
	"equal-to":                 op.EQ,
	"not-equal-to":             op.NE,
	"greater-than-or-equal-to": op.GE,
	"greater-than":             op.GT,
	"less-than-or-equal-to":    op.LE,
	"less-than":                op.LT,
}

// opcodeField is the field of HloInstructionProto that says what the others mean.
const opcodeField = 2

// instruction reads an instruction and adds it to c.
func (b *builder) instruction(c *hlo.Computation) {
	var raw instruction
	b.code(&raw)
	if !b.ok() {
		return
	}
	root := b.schema.operations[raw.code]
	raw.attrs = op.NewAttrs(raw.code)
	if raw.attrs != nil {
		root.setAbsent(raw.attrs)
	}
	start := b.pos
	outer := b.unknown
	b.unknown = &raw.unknown
	b.fields(func(num protowire.Number) bool {
		if num <= maxNumber {
			raw.seen[num] = true
		}
		return b.schema.instruction.readField(b.reader, num, &raw) ||
			raw.attrs != nil && b.attribute(root, num, raw.attrs)
	})
	b.unknown = outer
	if b.ok() {
		b.pos = start // where errors about the instruction as a whole are
		b.require(root, &raw)
		b.add(c, &raw)
	}
	if !b.ok() {
		b.err.code = raw.code
		if raw.name != "" {
			b.err.instr = hlo.Sanitize(raw.name)
		}
	}
}

// code finds the opcode, wherever it is among the fields.
func (b *builder) code(raw *instruction) {
	name := ""
	fieldsOf(b.data[b.pos:b.end], func(num protowire.Number, typ protowire.Type, value []byte) {
		if num == opcodeField && typ == protowire.BytesType {
			text, _ := protowire.ConsumeBytes(value)
			name = string(text)
		}
	})
	code, ok := op.ParseCode(name)
	if !ok {
		raw.replaced, ok = oldComparisons[name]
		code = op.Compare
	}
	if !ok {
		b.within("opcode", func() { b.fail("expects an opcode, got %.40q", name) })
	}
	raw.code = code
}

// require checks that the fields are there without which the operation says nothing.
func (b *builder) require(root *node, raw *instruction) {
	if raw.name == "" || !raw.seen[3] {
		b.fail("expects a name and a shape of %v", raw.code)
	}
	for _, n := range root.inner {
		if n.required && !raw.seen[n.num] {
			b.within(n.name, func() { b.fail("expects the field in %v, got none", raw.code) })
		}
	}
}

// add makes the instruction that raw says and appends it to c.
func (b *builder) add(c *hlo.Computation, raw *instruction) {
	operands := b.references("operand_ids", raw.operands)
	preds := b.references("control_predecessor_ids", raw.preds)
	called := b.callees(raw)
	if !b.ok() {
		return
	}
	name := hlo.Sanitize(raw.name)
	b.checkPlace(name, raw)
	b.checkOperands(raw, operands)
	finish := finishers[raw.code]
	if finish != nil && b.ok() {
		finish(b, raw, operands, &called)
	}
	sharding := b.forShape(raw.sharding, raw.shape)
	if !b.ok() {
		return
	}
	i := c.Add(name, raw.code, raw.shape, operands, raw.attrs, called...)
	i.Sharding = sharding
	b.annotate(i, raw)
	for _, p := range preds {
		i.AddControlPredecessor(p)
	}
	b.instrs[local(raw.id)] = i
	b.order[i] = local(raw.id)
	b.names[name] = true
}

// annotate sets what any instruction may carry.
func (b *builder) annotate(i *hlo.Instruction, raw *instruction) {
	i.Metadata = b.metadataOf(&raw.metadata)
	i.FrontendAttributes = sortedAttributes(raw.frontend)
	i.BackendConfig = raw.config
	if raw.configBy != nil {
		i.BackendConfig = b.payload(raw.configBy)
	}
	if len(raw.statistics.Items) > 0 {
		i.Statistics = &raw.statistics
	}
	if raw.origin != nil {
		i.Origin = b.originOf(raw.origin)
	}
	i.SetUnknown(string(raw.unknown))
}

// references returns the instructions that ids stand for, which must come before.
func (b *builder) references(name string, ids []int) []*hlo.Instruction {
	var list []*hlo.Instruction
	for k, id := range ids {
		i := b.instrs[local(id)]
		if i == nil {
			b.within(name, func() {
				b.at(k)
				b.fail("expects the id of an instruction in front of this one, got %d", id)
			})
			return nil
		}
		list = append(list, i)
	}
	return list
}

// local returns the part of an id that counts within a computation; above it stands
// the id of the computation, or nothing.
func local(id int) int { return int(uint32(id)) }

// callees returns the called computations in the order of the table of operations.
func (b *builder) callees(raw *instruction) []*hlo.Computation {
	var called []*hlo.Computation
	for k, id := range raw.called {
		c := b.byID[local(id)]
		if c == nil {
			b.within("called_computation_ids", func() {
				b.at(k)
				b.fail("expects the id of a computation in front of this one, got %d", id)
			})
			return nil
		}
		called = append(called, c)
	}
	calls := raw.code.Info().Calls
	switch {
	case calls == nil && len(called) > 0 && raw.code != op.AsyncUpdate && raw.code != op.AsyncDone:
		b.fail("expects no called computation of %v, got %d", raw.code, len(called))
	case calls == nil || calls.List:
	case len(called) != len(calls.Names):
		b.fail("expects %d called computations of %v, got %d", len(calls.Names), raw.code, len(called))
	case calls.Proto != nil:
		ordered := make([]*hlo.Computation, len(called))
		for k, place := range calls.Proto {
			ordered[place] = called[k]
		}
		return ordered
	}
	return called
}

// checkPlace checks that name and id are free.
func (b *builder) checkPlace(name string, raw *instruction) {
	switch {
	case b.names[name]:
		b.fail("expects instructions of different names, got two called %q", name)
	case b.instrs[local(raw.id)] != nil:
		b.fail("expects instructions of different ids, got two of id %d", raw.id)
	case raw.id < 0:
		b.fail("expects an id from 0 on, got %d", raw.id)
	}
}

// checkOperands checks the number of operands as far as the rest of the project relies on it.
func (b *builder) checkOperands(raw *instruction, operands []*hlo.Instruction) {
	want := raw.code.Info().Arity
	if raw.code == op.Conditional {
		if want = len(raw.called) + 1; want == 1 {
			b.fail("expects a called computation of %v, got none", raw.code)
		}
	}
	if want != op.Variadic && len(operands) != want {
		b.fail("expects %d operands of %v, got %d", want, raw.code, len(operands))
	}
}

// finishers complete attributes by what else is known of the instruction.
var finishers = map[op.Code]func(b *builder, raw *instruction, operands []*hlo.Instruction, called *[]*hlo.Computation){
	op.Constant:               (*builder).finishConstant,
	op.Compare:                (*builder).finishCompare,
	op.CustomCall:             (*builder).finishCustomCall,
	op.CollectivePermute:      (*builder).finishPermute,
	op.CollectivePermuteStart: (*builder).finishPermute,
	op.AsyncUpdate:            (*builder).finishAsync,
	op.AsyncDone:              (*builder).finishAsync,
}

// finishConstant gives the value the shape of the instruction, which may say more of
// the layout. A constant without a value is one that was left out.
func (b *builder) finishConstant(raw *instruction, _ []*hlo.Instruction, _ *[]*hlo.Computation) {
	a := raw.attrs.(*op.ConstantAttrs)
	if !a.Value.IsValid() {
		if leaf, ok := valueless(raw.shape); ok {
			b.fail("expects a constant of arrays, got %v", leaf)
			return
		}
		if err := literal.CheckSize(raw.shape); err != nil {
			b.fail("%w", err)
			return
		}
		a.Value = literal.Elided(raw.shape, b.elided)
		b.elided += uint64(a.Value.ElidedCount())
		return
	}
	if !sameOrder(a.Value.Shape(), raw.shape) {
		b.within("literal", func() {
			b.fail("expects a literal of the shape %v, got %v", raw.shape, a.Value.Shape())
		})
		return
	}
	a.Value = withLayouts(a.Value, raw.shape)
}

// valueless returns the first leaf of s that no literal holds, such as an opaque value.
func valueless(s shape.Shape) (shape.Shape, bool) {
	for _, e := range s.Elems {
		if leaf, ok := valueless(e); ok {
			return leaf, true
		}
	}
	return s, !s.IsTuple() && !s.IsArray() && s.Type != shape.Token
}

// withLayouts returns l with the layouts of s, which has the same order of dimensions.
func withLayouts(l literal.Literal, s shape.Shape) literal.Literal {
	switch {
	case s.IsArray():
		return l.Relayout(s.Layout)
	case !s.IsTuple():
		return l
	}
	elems := make([]literal.Literal, len(s.Elems))
	for i, e := range l.Elems() {
		elems[i] = withLayouts(e, s.Elems[i])
	}
	return literal.MakeTuple(elems...)
}

func (b *builder) finishCompare(raw *instruction, _ []*hlo.Instruction, _ *[]*hlo.Computation) {
	a := raw.attrs.(*op.CompareAttrs)
	if raw.replaced != op.NoDirection {
		a.Direction = raw.replaced
	}
	if a.Direction == op.NoDirection {
		b.within("comparison_direction", func() { b.fail("expects a direction such as EQ, got none") })
	}
}

// finishCustomCall drops shapes of operands that the proto does not say are constraints.
func (b *builder) finishCustomCall(raw *instruction, _ []*hlo.Instruction, _ *[]*hlo.Computation) {
	if a := raw.attrs.(*op.CustomCallAttrs); !raw.seen[constrainLayoutField] {
		a.OperandLayouts = nil
	}
}

const constrainLayoutField = 56

// finishPermute cuts the sizes of slices into one list for each slice.
func (b *builder) finishPermute(raw *instruction, operands []*hlo.Instruction, _ *[]*hlo.Computation) {
	a := raw.attrs.(*op.CollectivePermuteAttrs)
	if len(a.SliceSizes) == 0 {
		return
	}
	const inPlace = 4
	if len(operands) != inPlace {
		b.fail("expects %d operands with sizes of slices, got %d", inPlace, len(operands))
		return
	}
	rest := a.SliceSizes[0]
	a.SliceSizes = nil
	b.within("dynamic_slice_sizes", func() {
		for rank := range sliceRanks(operands[0].Shape(), operands[2].Shape()) {
			if rank == 0 || rank > len(rest) {
				b.fail("expects sizes for each dimension of the slices, got %d for %d more", len(rest), rank)
				return
			}
			a.SliceSizes = append(a.SliceSizes, rest[:rank:rank])
			rest = rest[rank:]
		}
		if len(rest) > 0 {
			b.fail("expects no more sizes, got %d", len(rest))
		}
	})
}

// sliceRanks yields the rank of each slice of an input: one for each tuple of start
// indices that there is for an array.
func sliceRanks(input, starts shape.Shape) iter.Seq[int] {
	return func(yield func(int) bool) {
		arrays, perArray := []shape.Shape{input}, []shape.Shape{starts}
		if input.IsTuple() {
			arrays, perArray = input.Elems, starts.Elems
		}
		for i := range min(len(arrays), len(perArray)) {
			n := 1
			if e := perArray[i].Elems; len(e) > 0 && e[0].IsTuple() {
				n = len(e)
			}
			for range n {
				if !yield(arrays[i].Rank()) {
					return
				}
			}
		}
	}
}

// finishAsync gives the parts of an asynchronous chain the thread of its start. What
// they run stands there too.
func (b *builder) finishAsync(raw *instruction, operands []*hlo.Instruction, called *[]*hlo.Computation) {
	if len(operands) == 0 {
		b.fail("expects an operand of %v, got none", raw.code)
		return
	}
	start, ok := operands[0].Attrs().(*op.AsyncAttrs)
	if !ok {
		return
	}
	*called = nil
	a := raw.attrs.(*op.AsyncAttrs)
	if a.ExecutionThread != "" && a.ExecutionThread != start.ExecutionThread {
		b.fail("expects the thread of the start, %q, got %q", start.ExecutionThread, a.ExecutionThread)
	}
	a.ExecutionThread = start.ExecutionThread
}
