package hlotext

import (
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// ownAttributes appends the attributes of i up to result_accuracy: its operation's,
// called computations, and what any instruction may have. An async-start that is
// printed in the name of wrapped has those of wrapped among its own.
func (p *printer) ownAttributes(i, wrapped *hlo.Instruction) {
	switch {
	case !isAsync(i.Code()):
		p.operationAndCalls(i)
	case i.Code() == op.AsyncStart:
		p.operationAttributes(i, op.BeforeCalls, isThread)
		p.wrappedAttributes(i, wrapped)
		p.operationAttributes(i, op.BeforeCalls, isAliasing)
		if wrapped == nil || p.o.InlineComputations {
			p.called(i)
		}
	case p.asyncStart(i) == nil:
		p.called(i)
	}
	p.sharding(i.Sharding)
	p.frontendAttributes(i.FrontendAttributes)
	p.controlPredecessors(i)
	p.statistics(i.Statistics)
	p.operationAttributes(i, op.LatePart, anyField)
}

// wrappedAttributes appends those of wrapped, if there is one, that the async-start i
// has not itself: no name may stand twice. As in XLA, frontend attributes of i also
// stand for those in computations that wrapped calls and that are printed in place.
func (p *printer) wrappedAttributes(i, wrapped *hlo.Instruction) {
	if wrapped == nil || p.o.OmitAttributes {
		return
	}
	saved := p.noFrontend
	defer func() { p.noFrontend = saved }()
	p.noFrontend = len(i.FrontendAttributes) > 0
	p.operationAndCalls(wrapped)
	if i.Sharding == nil {
		p.sharding(wrapped.Sharding)
	}
	p.frontendAttributes(wrapped.FrontendAttributes)
	if i.Statistics == nil {
		p.statistics(wrapped.Statistics)
	}
	p.operationAttributes(wrapped, op.LatePart, anyField)
}

// operationAndCalls appends the attributes that belong to i's operation, called computations among them.
func (p *printer) operationAndCalls(i *hlo.Instruction) {
	p.operationAttributes(i, op.BeforeCalls, anyField)
	p.called(i)
	p.operationAttributes(i, op.AfterCalls, anyField)
}

func anyField(string) bool        { return true }
func isThread(name string) bool   { return name == "async_execution_thread" }
func isAliasing(name string) bool { return name == "output_to_operand_aliasing" }

// operationAttributes appends those attributes of i's struct that stand at where and whose name passes want.
func (p *printer) operationAttributes(i *hlo.Instruction, where op.Where, want func(string) bool) {
	a := i.Attrs()
	if a == nil || p.o.OmitAttributes && where == op.BeforeCalls {
		return
	}
	ctx := p.context(i)
	for _, f := range op.Plan(a) {
		if placeOf(f) != where || !want(f.Name) || p.isOmitted(f.Name) {
			continue
		}
		if groups, ok := f.Pointer(a).(*op.ReplicaGroups); ok && p.o.FullReplicaGroups {
			p.fullGroups(f.Name, groups)
			continue
		}
		p.dst = op.AppendField(p.dst, f, a, ctx)
	}
}

// fullGroups appends groups as lists; one group of all stays {}.
func (p *printer) fullGroups(name string, groups *op.ReplicaGroups) {
	full := *groups
	if groups.Mesh != nil || groups.Tiles != nil {
		full = op.ReplicaGroups{Groups: groups.Expand(1)}
	}
	p.attr(name)
	p.dst = full.AppendText(p.dst)
}

func placeOf(f op.Field) op.Where {
	switch {
	case f.Flags&op.FieldAfter != 0:
		return op.AfterCalls
	case f.Flags&op.FieldLate != 0:
		return op.LatePart
	}
	return op.BeforeCalls
}

func (p *printer) isOmitted(attribute string) bool {
	return p.o.OmitInfeedOutfeedConfig && (attribute == "infeed_config" || attribute == "outfeed_config")
}

// context returns what the text of i's attributes depends on besides them: the type of a
// comparison is left out where the operand has it anyway.
func (p *printer) context(i *hlo.Instruction) *op.PrintContext {
	if i.Code() != op.Compare || len(i.Operands()) == 0 {
		return nil
	}
	return &op.PrintContext{Operands: []shape.Shape{i.Operand(0).Shape()}}
}

// called appends the computations that i calls, by name or in place.
func (p *printer) called(i *hlo.Instruction) {
	called := i.Called()
	if len(called) == 0 || p.o.OmitCalledComputations {
		return
	}
	names, list := calledNames(i)
	if p.o.InlineComputations {
		p.calledInPlace(i, names, list)
		return
	}
	if list {
		p.attr(names[0])
		p.text("{")
		p.computationNames(called)
		p.text("}")
		return
	}
	for k, name := range names {
		p.attr(name)
		if k == len(names)-1 {
			p.computationNames(called[k:]) // one, unless the instruction is malformed
		} else {
			p.computationNames(called[k : k+1])
		}
	}
}

func (p *printer) computationNames(list []*hlo.Computation) {
	join(p, list, ", ", func(c *hlo.Computation) { p.name(c.Name()) })
}

// calledNames returns the attributes that hold i's called computations in text; a
// conditional by a predicate names its two branches.
func calledNames(i *hlo.Instruction) (names []string, list bool) {
	if i.Code() == op.Conditional && len(i.Called()) == 2 && i.Operand(0).Type() == shape.Pred {
		return []string{"true_computation", "false_computation"}, false
	}
	calls := i.Code().Info().Calls
	if calls == nil || len(calls.Names) > len(i.Called()) {
		return []string{"calls"}, false
	}
	return calls.Names, calls.List
}

// callsInPlace are the operations whose single called computation, printed in
// place, is called calls=, although by name it is to_apply=.
var callsInPlace = map[op.Code]bool{op.ReduceScatter: true, op.Scan: true}

func (p *printer) calledInPlace(i *hlo.Instruction, names []string, list bool) {
	called := i.Called()
	switch {
	case callsInPlace[i.Code()]:
		p.attr("calls")
		p.text("\n")
		join(p, called, ", ", p.inPlace)
	case list:
		p.attr(names[0])
		p.text("{\n")
		join(p, called, ",\n", p.inPlace)
		p.text("\n}")
	default:
		for k, name := range names {
			p.attr(name)
			p.text("\n")
			p.inPlace(called[k])
		}
	}
}

// inPlace appends the body of c, in the order of dependences even in a scheduled
// module, as in XLA. It appends c's name if c is being printed around here: a module
// may be broken and call in a circle.
func (p *printer) inPlace(c *hlo.Computation) {
	if p.active[c] {
		p.name(c.Name())
		return
	}
	if p.active == nil {
		p.active = map[*hlo.Computation]bool{}
	}
	p.active[c] = true
	p.tab(0)
	p.body(c, c.DataOrder())
	delete(p.active, c)
}

func (p *printer) sharding(s *op.Sharding) {
	if s != nil {
		p.attr("sharding")
		p.dst = s.AppendText(p.dst, !p.o.OmitMetadata)
	}
}

func (p *printer) controlPredecessors(i *hlo.Instruction) {
	if p.o.OmitControlDependencies || len(i.ControlPredecessors()) == 0 {
		return
	}
	p.attr("control-predecessors")
	p.text("{")
	join(p, i.ControlPredecessors(), ", ", func(c *hlo.Instruction) { p.name(c.Name()) })
	p.text("}")
}
