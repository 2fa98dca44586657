package plan

import (
	"slices"

	"github.com/goxla/xla/cpu/fuse"
	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/cpu/native"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Options change how a module is planned. The zero Options is the default.
type Options struct {
	// NoFusion computes every instruction in a kernel of its own, to look for mistakes of fusion.
	NoFusion bool
	// Excess lets f16 and bf16 keep the digits of f32 within a kernel, until they are stored or compared.
	Excess bool
	// Rounds has loops run in rounds (fuse.Interchange) wherever that can be.
	Rounds bool
	// NoReuse gives each value a buffer of its own, to look for mistakes of their sharing.
	NoReuse bool
	// Aliases are the results that are to be in the memory of arguments.
	Aliases []Alias
	// Strided are the instructions, parts of the result that nothing reads, whose arrays have strides.
	Strided map[*hlo.Instruction]Strided
	// Machine is what products of matrices are planned for. Their machine code is made later, by gemm.Library.
	Machine gemm.Config
	// MinProduct is the least work, in multiplications, of a dot that is planned as a product; 0: where it pays.
	MinProduct int
}

// Strided is an array of the result in memory where the elements are Strides apart; Extent is how many there are from
// the first of them to the last.
type Strided struct {
	Leaf    int
	Strides []int
	Extent  int
}

// Build plans the entry computation of m. m is not changed, and must not change while the
// plan is in use.
func Build(m *hlo.Module, o Options) (*Plan, error) {
	b := &builder{plan: &Plan{Name: m.Name, HostOps: map[string]int{}, machine: machineOf(o)}, options: o}
	entry := m.Entry()
	params := entry.Params()
	b.plan.Params = make([]Value, 0, len(params))
	b.plan.Buffers = make([]Buffer, 0, len(params)+usualBuffers)
	for _, p := range params {
		b.plan.Params = append(b.plan.Params, b.value(p.Shape(), b.leaf(Param, p)))
	}
	body, err := b.sequence(entry, b.plan.Params)
	if err != nil {
		return nil, err
	}
	b.plan.Body, b.plan.aliases = body, o.Aliases
	if !o.NoReuse {
		coalesce(b.plan)
	}
	if !o.NoFusion {
		fuseLoops(b.plan)
	}
	outputs(b.plan)
	if err := streams(b.plan, b.options.Machine); err != nil {
		return nil, err
	}
	if err := packInFront(b.plan, b.options.Machine); err != nil {
		return nil, err
	}
	if !o.NoReuse {
		swapBack(b.plan)
	}
	assign(b.plan)
	return b.plan, nil
}

// usualBuffers is how many buffers there is room for at first, besides those of parameters.
const usualBuffers = 4

// outputs gives the temporary buffers of the result memory that outlives the run.
func outputs(p *Plan) {
	for k, n := range p.Body.Result.Leaves(nil) {
		if b := &p.Buffers[n]; b.Kind == Temp {
			b.Kind, b.Index = Output, k
		}
	}
}

type builder struct {
	plan    *Plan
	options Options
	params  int
	// loops is how many loops there are around what is being planned.
	loops int
	// products are those that were made so far; steps that multiply the same way share one.
	products []*gemm.Product
	// nestMemory is what nests are made in, those of one sequence after those of another.
	nestMemory []*fuse.Memory
}

// value makes a Value of shape s from what leaf makes of each array in it.
func (b *builder) value(s shape.Shape, leaf func(shape.Shape) int) Value {
	if !s.IsTuple() {
		return Value{Buffer: leaf(s)}
	}
	v := Value{Tuple: true, Elems: make([]Value, len(s.Elems))}
	for k, e := range s.Elems {
		v.Elems[k] = b.value(e, leaf)
	}
	return v
}

// leaf returns a function that adds a buffer of a kind for the value of i; what is no array
// of constant size is always Host.
func (b *builder) leaf(k Kind, i *hlo.Instruction) func(shape.Shape) int {
	return func(s shape.Shape) int {
		buf := Buffer{Kind: k, Shape: s, Of: i}
		if k == Param {
			buf.Index = b.params
			b.params++
		}
		if s.IsArray() && s.IsStatic() {
			buf.Bytes = int64(s.Size()) * int64(s.Type.ByteSize())
		} else if k != Param {
			buf.Kind = Host
		}
		return b.add(buf)
	}
}

func (b *builder) add(buf Buffer) int {
	b.plan.Buffers = append(b.plan.Buffers, buf)
	return len(b.plan.Buffers) - 1
}

// sequencer makes the steps of one computation.
type sequencer struct {
	*builder
	comp   *hlo.Computation
	groups *clustering
	params []Value
	value  map[*hlo.Instruction]Value
	names  map[int][]*hlo.Instruction // by buffer: see namesOf
	done   []bool                     // by node: its step is out
	// viewers are, by value, the products that read it by a view.
	viewers map[*hlo.Instruction][]*hlo.Instruction
	// before holds, for an instruction that others must not pass, the one in front of it.
	before map[*hlo.Instruction]*hlo.Instruction
	// owned are the buffers that the sequence may write over once nothing needs their value.
	owned map[int]bool
	temps map[fuse.Ref]int
	steps []Step
	// pending are the steps whose nests are still to be made.
	pending []pending
	// far tells what is in memory and not in the caches when it is read; nil: nothing is known to be.
	far func(*hlo.Instruction) bool
}

// sequence plans c on params. It may write over the buffers in owned.
func (b *builder) sequence(c *hlo.Computation, params []Value, owned ...int) (*Sequence, error) {
	place := place(c, b.options, b.loops > 0 && smallDots(c))
	s := &sequencer{builder: b, comp: c, params: params, value: map[*hlo.Instruction]Value{},
		names: map[int][]*hlo.Instruction{}, done: make([]bool, c.NumIDs()), before: effectChain(c),
		owned: map[int]bool{}, temps: map[fuse.Ref]int{}}
	if place.far {
		s.far = place.isFar
	}
	for _, n := range owned {
		s.owned[n] = true
	}
	for k, p := range c.Params()[:len(params)] {
		if err := b.agrees(p, params[k]); err != nil {
			return nil, err
		}
	}
	s.groups = clusters(c, place, s.before, b.options.NoFusion)
	s.findViewers()
	if err := s.emitAll(); err != nil {
		return nil, err
	}
	s.groups.settle()
	if err := s.makeNests(); err != nil {
		return nil, err
	}
	return &Sequence{Steps: s.steps, Result: s.valueOf(c.Root())}, nil
}

// effectChain links the instructions that have effects, or draw random numbers, in their order.
func effectChain(c *hlo.Computation) map[*hlo.Instruction]*hlo.Instruction {
	chain := map[*hlo.Instruction]*hlo.Instruction{}
	var last *hlo.Instruction
	for _, i := range c.PostOrder() {
		if !hasEffect(i) {
			continue
		}
		if last != nil {
			chain[i] = last
		}
		last = i
	}
	return chain
}

func hasEffect(i *hlo.Instruction) bool {
	if i.Code() == op.AfterAll {
		return false
	}
	if t := i.Code().Info(); t.Has(op.SideEffect) || t.Has(op.Collective) || i.Code() == op.CustomCall {
		return true
	}
	for _, c := range i.Called() {
		if slices.ContainsFunc(c.Instructions(), hasEffect) {
			return true
		}
	}
	return false
}

// sources are the instructions whose steps come before those of i or of its kernel.
func (s *sequencer) sources(i *hlo.Instruction) []*hlo.Instruction {
	if c := s.groups.of[i.ID()]; c != nil {
		return c.reads
	}
	out := slices.Concat(i.Operands(), i.ControlPredecessors())
	if r := s.groups.products[i.ID()]; r != nil {
		out = r.reads()
	}
	if s.groups.nests[i.ID()] {
		out = s.inline(out)
	}
	for k, o := range out {
		for o.Code() == op.GetTupleElement && !s.groups.stored[o.ID()] {
			o = o.Operand(0)
		}
		out[k] = o
	}
	if p := s.before[i]; p != nil {
		out = append(out, p)
	}
	return out
}

// inline replaces those of list that a kernel computes where it reads them by what they are computed from.
func (s *sequencer) inline(list []*hlo.Instruction) (stored []*hlo.Instruction) {
	seen := map[*hlo.Instruction]bool{}
	for todo := slices.Clone(list); len(todo) > 0; {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[i] {
			continue
		}
		seen[i] = true
		if s.groups.stored[i.ID()] || i.Code() == op.GetTupleElement {
			stored = append(stored, i)
		} else {
			todo = append(todo, i.Operands()...)
		}
	}
	return stored
}

// emit puts out the steps of i, after those of what it needs, without recursion.
func (s *sequencer) emit(i *hlo.Instruction) error {
	stack := []*hlo.Instruction{i}
	for len(stack) > 0 {
		top := stack[len(stack)-1]
		if s.done[s.node(top)] || !s.groups.stored[top.ID()] {
			stack = stack[:len(stack)-1]
			continue
		}
		ready := true
		for _, o := range s.sources(top) {
			if s.groups.stored[o.ID()] && !s.done[s.node(o)] && s.node(o) != s.node(top) {
				stack = append(stack, o)
				ready = false
			}
		}
		if !ready {
			if len(stack) > 4*s.comp.NumIDs()+64 {
				return top.Errorf("", "", "the kernels of the plan depend on one another in a circle")
			}
			continue
		}
		stack = stack[:len(stack)-1]
		s.done[s.node(top)] = true
		if err := s.step(top); err != nil {
			return err
		}
	}
	return nil
}

// valueOf is the value of i, which is stored or an element of what is.
func (s *sequencer) valueOf(i *hlo.Instruction) Value {
	v, ok := s.value[i]
	switch {
	case ok:
		return v
	case i.Code() != op.GetTupleElement:
		panic(i.Name() + " is read before a step has computed it")
	}
	return s.valueOf(i.Operand(0)).Elems[i.Attrs().(*op.GetTupleElementAttrs).Index]
}

// node is the id of what an instruction is put out with: that of the first of its cluster, or its own.
func (s *sequencer) node(i *hlo.Instruction) int {
	if c := s.groups.of[i.ID()]; c != nil {
		return c.members[0].ID()
	}
	return i.ID()
}

func (s *sequencer) step(i *hlo.Instruction) error {
	if s.groups.nests[i.ID()] {
		return s.into(i)
	}
	if c := s.groups.of[i.ID()]; c != nil {
		if len(c.members) == 1 && unread(i) {
			s.setValue(i, s.nothing(i))
			return nil
		}
		if len(c.members) == 1 && i.Code() == op.Concatenate { // its rows may turn out to be better in parts
			return s.into(i)
		}
		return s.kernel(c)
	}
	if r := s.groups.products[i.ID()]; r != nil {
		return s.product(i, r)
	}
	if s.groups.renames[i.ID()] {
		s.rename(i)
		return nil
	}
	if f := structural(i.Code()); f != nil {
		v, err := f(s, i)
		s.setValue(i, v)
		return err
	}
	return s.host(i)
}

// structural returns how the value of an instruction that is not computed in a nest comes about, nil for
// those that the evaluator computes.
func structural(c op.Code) func(*sequencer, *hlo.Instruction) (Value, error) {
	switch c {
	case op.Parameter:
		return func(s *sequencer, i *hlo.Instruction) (Value, error) {
			return s.params[i.Attrs().(*op.ParameterAttrs).Number], nil
		}
	case op.Constant:
		return func(s *sequencer, i *hlo.Instruction) (Value, error) {
			return s.constant(i, i.Attrs().(*op.ConstantAttrs).Value), nil
		}
	case op.Tuple:
		return func(s *sequencer, i *hlo.Instruction) (Value, error) {
			v := Value{Tuple: true}
			for _, o := range i.Operands() {
				v.Elems = append(v.Elems, s.valueOf(o))
			}
			return v, nil
		}
	case op.GetTupleElement:
		return func(s *sequencer, i *hlo.Instruction) (Value, error) {
			return s.valueOf(i.Operand(0)).Elems[i.Attrs().(*op.GetTupleElementAttrs).Index], nil
		}
	case op.OptBarrier, op.AddDependency, op.Domain:
		return func(s *sequencer, i *hlo.Instruction) (Value, error) { return s.valueOf(i.Operand(0)), nil }
	case op.Call:
		return (*sequencer).call
	case op.While:
		return (*sequencer).while
	case op.Conditional:
		return (*sequencer).conditional
	}
	return nil
}

// constant makes the buffers of a constant, or of the elements of one that is a tuple.
func (s *sequencer) constant(i *hlo.Instruction, l literal.Literal) Value {
	if l.Shape().IsTuple() {
		v := Value{Tuple: true}
		for _, e := range l.Elems() {
			v.Elems = append(v.Elems, s.constant(i, e))
		}
		return v
	}
	n := s.leaf(Const, i)(l.Shape())
	s.plan.Buffers[n].Value = &l
	return Value{Buffer: n}
}

// host adds a step for the evaluator.
func (s *sequencer) host(i *hlo.Instruction) error {
	h := &HostStep{Code: i.Code(), Name: i.Name(), Inst: i, Keeps: hasEffect(i) && i.Code() != op.CustomCall}
	h.Result = s.builder.value(evaluated(i), s.leaf(Temp, i))
	for _, n := range h.Result.Leaves(nil) {
		s.owned[n] = true
	}
	for _, o := range i.Operands() {
		h.Operands = append(h.Operands, s.valueOf(o))
	}
	if isEmpty(i.Shape()) && i.IsArray() && i.IsStatic() && !hasEffect(i) {
		s.setValue(i, h.Result)
		return nil
	}
	if h.Native = native.For(i, s.machine().Wide); h.Native == nil {
		s.plan.HostOps[i.Code().String()]++
	}
	s.steps = append(s.steps, h)
	s.setValue(i, h.Result)
	return nil
}

// unsigned is the unsigned type of the width of each signed one.
var unsigned = [shape.NumElementTypes]shape.ElementType{shape.S1: shape.U1, shape.S2: shape.U2, shape.S4: shape.U4,
	shape.S8: shape.U8, shape.S16: shape.U16, shape.S32: shape.U32, shape.S64: shape.U64}

// evaluated is the shape of the value of i in a run: random bits that are the result of the program are
// unsigned, whatever is declared.
func evaluated(i *hlo.Instruction) shape.Shape {
	s := i.Shape()
	entry := i.Computation().Module().Entry()
	if i.Code() != op.RngBitGenerator || !i.IsRoot() || i.Computation() != entry || len(i.Users()) > 0 {
		return s
	}
	s = s.Clone()
	for k, e := range s.Elems {
		if e.Type.IsInteger() && e.Type.IsSigned() && e.Size() > 0 {
			s.Elems[k].Type = unsigned[e.Type]
		}
	}
	return s
}

// call puts the steps of the called computation here.
func (s *sequencer) call(i *hlo.Instruction) (Value, error) {
	args := make([]Value, len(i.Operands()))
	for k, o := range i.Operands() {
		args[k] = s.valueOf(o)
	}
	body, err := s.sequence(i.Called()[0], args)
	if err != nil {
		return Value{}, err
	}
	s.steps = append(s.steps, body.Steps...)
	return body.Result, nil
}

// kernel adds the kernel of a cluster. Where the whole has no form, the members are computed one
// by one, and what has no form even so in the evaluator.
func (s *sequencer) kernel(c *cluster) error {
	var roots []fuse.Root
	for _, m := range c.members {
		if !s.groups.leavesKernel(m) {
			continue
		}
		s.setValue(m, s.computed(m))
		if !m.IsTuple() {
			roots = append(roots, fuse.Root{Ref: fuse.Ref{Inst: m}})
			continue
		}
		for k := range m.Shape().Elems {
			roots = append(roots, fuse.Root{Ref: fuse.Ref{Inst: m, Leaf: k}})
		}
	}
	if len(roots) == 0 {
		return nil
	}
	name := c.members[len(c.members)-1].Name()
	s.nest(fuse.Spec{Name: name, Dims: c.space.Dims, Inner: c.space.Inner, Roots: roots,
		InMemory: func(i *hlo.Instruction) bool {
			return s.groups.stored[i.ID()] && s.groups.of[i.ID()] != c
		}}, c.members...)
	return nil
}

// computed gives i, which a kernel computes, buffers.
func (s *sequencer) computed(i *hlo.Instruction) Value {
	v := s.builder.value(i.Shape(), s.leaf(Temp, i))
	if strided, ok := s.options.Strided[i]; ok {
		b := &s.plan.Buffers[v.Buffer]
		b.Kind, b.Index, b.Bytes = Output, strided.Leaf, int64(strided.Extent*i.Type().ByteSize())
	}
	return v
}
