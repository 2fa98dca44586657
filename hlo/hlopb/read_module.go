package hlopb

import (
	"cmp"
	"slices"
	"sort"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// builder makes a module of what is read.
type builder struct {
	*reader
	m         *hlo.Module
	byID      map[int]*hlo.Computation // those that are complete, by the id of the proto
	instrs    map[int]*hlo.Instruction // by id
	names     map[string]bool          // of the instructions
	order     map[*hlo.Instruction]int // ids
	ids       map[*hlo.Computation]int
	sequences map[int][]int // of the schedule, by the id of the computation
	elided    uint64        // how many elements of constants were left out so far
}

// module reads the HloModuleProto up to the end of the message.
func (r *reader) module() *hlo.Module {
	start := r.pos
	var raw module
	var unknown []byte
	outer, payloads := r.unknown, r.payloads
	r.unknown = &unknown
	r.schema.module.read(r, &raw)
	r.unknown, r.payloads = outer, raw.payloads
	defer func() { r.payloads = payloads }()
	if !r.ok() {
		return nil
	}
	b := &builder{reader: r, m: hlo.NewModule(hlo.Sanitize(raw.name)), byID: map[int]*hlo.Computation{},
		ids:    map[*hlo.Computation]int{},
		instrs: map[int]*hlo.Instruction{}, names: map[string]bool{}, order: map[*hlo.Instruction]int{}}
	b.m.Unknown = string(unknown)
	end := r.pos
	r.pos = start // where errors about the module as a whole are
	b.header(&raw)
	b.computations(&raw)
	if r.pos = end; !r.ok() {
		return nil
	}
	return b.m
}

// header sets what the module has besides computations.
func (b *builder) header(raw *module) {
	m := b.m
	m.FrontendAttributes = sortedAttributes(raw.attributes)
	m.IsScheduled = raw.scheduled
	if raw.program == nil {
		b.within("host_program_shape", func() { b.fail("expects the shapes of the program, got none") })
		return
	}
	b.within("host_program_shape", func() { b.checkProgram(raw.program) })
	layout := *raw.program
	layout.Names = nil // made up by XLA
	m.EntryLayout = &layout
	for _, a := range raw.aliases {
		a.Must = a.kind != mayAlias
		m.InputOutputAlias = append(m.InputOutputAlias, a.Alias)
	}
	m.BufferDonors = raw.donors
	b.within("debug_attributes", func() { m.DebugAttributes = b.debugText(raw.marks) })
	for _, e := range raw.recoveries {
		old, new := string(e.old.appendText(nil)), string(e.new.appendText(nil))
		m.OriginRecovery = append(m.OriginRecovery, hlo.Recovery{Old: old, New: new, Module: e.module})
	}
	sort.SliceStable(m.OriginRecovery, func(i, j int) bool { return m.OriginRecovery[i].Old < m.OriginRecovery[j].Old })
	m.Debug = raw.debug
	for i := range m.Debug.FileLocations {
		m.Debug.FileLocations[i].ID = i + 1
	}
	for i := range m.Debug.StackFrames {
		f := &m.Debug.StackFrames[i]
		f.ID = i + 1
		f.ParentFrameID++ // text counts so
	}
	b.sequences = map[int][]int{}
	for _, s := range raw.schedule {
		b.sequences[local(s.computation)] = s.instructions
	}
}

// checkProgram checks the shapes of the program.
func (b *builder) checkProgram(p *shape.Program) {
	if p.Result.Type == shape.Invalid {
		b.fail("expects the shape of the result, got none")
	}
	if n := len(p.Names); n > 0 && n != len(p.Params) {
		b.fail("expects as many names as parameters, %d, got %d", len(p.Params), n)
	}
}

// mayAlias is the number of the kind of alias that XLA may ignore.
const mayAlias = 1

// computations reads the computations. In the module they are in the order of their
// ids, in the program each stands behind those that it calls.
func (b *builder) computations(raw *module) {
	list := make([]computation, len(raw.bodies.spans))
	for i, s := range raw.bodies.spans {
		b.part("computations", i, s, func() { b.reader.computation(&list[i]) })
	}
	made := b.addComputations(list)
	for i := range list {
		if !b.ok() {
			return
		}
		b.part("computations", i, raw.bodies.spans[i], func() { b.fill(made[i], &list[i]) })
		b.byID[local(list[i].id)] = made[i]
		b.ids[made[i]] = local(list[i].id)
	}
	b.entry(raw)
}

// part reads a part of the program as element i of the list called name.
func (r *reader) part(name string, i int, s span, read func()) {
	if r.ok() {
		r.within(name, func() {
			r.at(i)
			r.inside(s.start, s.end, read)
		})
	}
}

// computation reads a computation but for its instructions.
func (r *reader) computation(raw *computation) {
	var unknown []byte
	outer := r.unknown
	r.unknown = &unknown
	r.schema.computation.read(r, raw)
	r.unknown = outer
	raw.unknown = unknown
}

// addComputations adds an empty computation for each of list, in the order of ids.
func (b *builder) addComputations(list []computation) []*hlo.Computation {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(list[x].id, list[y].id) })
	made := make([]*hlo.Computation, len(list))
	names, ids := map[string]bool{}, map[int]bool{}
	for _, i := range order {
		raw := &list[i]
		name := hlo.Sanitize(raw.name)
		switch {
		case names[name]:
			b.fail("expects computations of different names, got two called %q", name)
		case ids[local(raw.id)]:
			b.fail("expects computations of different ids, got two of id %d", raw.id)
		}
		names[name], ids[local(raw.id)] = true, true
		c := b.m.AddComputation(name)
		c.ExecutionThread, c.Unknown = raw.thread, string(raw.unknown)
		made[i] = c
	}
	return made
}

// entry sets the entry computation and checks what refers to it.
func (b *builder) entry(raw *module) {
	if !b.ok() {
		return
	}
	entry := b.byID[local(raw.entryID)]
	if entry == nil {
		b.within("entry_computation_id", func() {
			b.fail("expects the id of a computation, got %d", raw.entryID)
		})
		return
	}
	b.m.SetEntry(entry)
	for _, a := range b.m.InputOutputAlias {
		s := entry.Root().Shape()
		for _, k := range a.OutputIndex {
			if !s.IsTuple() || k < 0 || k >= len(s.Elems) {
				b.within("input_output_alias", func() {
					b.fail("expects an index of the result %v, got %v", entry.Root().Shape(), a.OutputIndex)
				})
				return
			}
			s = s.Elems[k]
		}
	}
	b.checkSchedule(raw)
}

// checkSchedule checks that the schedule has no computation too many or too few, and
// that instructions come behind what they need.
func (b *builder) checkSchedule(raw *module) {
	threads := map[string]bool{}
	for _, s := range raw.schedule {
		c := b.byID[local(s.computation)]
		if c == nil {
			b.within("schedule", func() { b.fail("expects the id of a computation, got %d", s.computation) })
			return
		}
		threads[c.ExecutionThread] = true
	}
	for _, c := range b.m.Computations() {
		if !raw.scheduled || c.IsFused() {
			continue
		}
		if _, has := b.sequences[b.ids[c]]; !has && threads[c.ExecutionThread] {
			b.within("schedule", func() { b.fail("expects the order of computation %s, got none", c.Name()) })
		}
		if late := firstLate(c); late != nil {
			b.within("schedule", func() { b.fail("expects %s behind its operands and control predecessors", late.Name()) })
		}
	}
}

// firstLate returns the first instruction of c that comes before something it needs, or nil.
func firstLate(c *hlo.Computation) *hlo.Instruction {
	done := make([]bool, c.NumIDs())
	for _, i := range c.Instructions() {
		for _, needed := range [][]*hlo.Instruction{i.Operands(), i.ControlPredecessors()} {
			for _, n := range needed {
				if !done[n.ID()] {
					return i
				}
			}
		}
		done[i.ID()] = true
	}
	return nil
}

// fill reads the instructions of c.
func (b *builder) fill(c *hlo.Computation, raw *computation) {
	clear(b.instrs)
	clear(b.order)
	for i, s := range raw.bodies.spans {
		b.part("instructions", i, s, func() { b.instruction(c) })
	}
	if !b.ok() {
		return
	}
	root := b.instrs[local(raw.rootID)]
	if root == nil {
		b.within("root_id", func() { b.fail("expects the id of an instruction, got %d", raw.rootID) })
		return
	}
	c.SetRoot(root)
	b.checkParameters(c)
	sequence, scheduled := b.sequences[local(raw.id)]
	if scheduled {
		b.schedule(c, sequence)
		return
	}
	sorted := slices.SortedStableFunc(slices.Values(c.Instructions()), func(x, y *hlo.Instruction) int {
		return cmp.Compare(b.order[x], b.order[y])
	})
	c.SetOrder(sorted)
}

// checkParameters checks that the parameters of c have the numbers from 0 on.
func (b *builder) checkParameters(c *hlo.Computation) {
	taken := map[int]bool{}
	for _, i := range c.Instructions() {
		if a, ok := i.Attrs().(*op.ParameterAttrs); ok {
			if taken[a.Number] {
				b.fail("expects parameters of different numbers, got two of number %d", a.Number)
			}
			taken[a.Number] = true
		}
	}
	for n := range taken {
		if n < 0 || n >= len(taken) {
			b.fail("expects %d parameters to be numbered from 0 on, got one that is not", len(taken))
			return
		}
	}
}

// schedule gives c the order that the schedule says.
func (b *builder) schedule(c *hlo.Computation, ids []int) {
	order := make([]*hlo.Instruction, 0, len(ids))
	seen := map[int]bool{}
	for _, id := range ids {
		i := b.instrs[local(id)]
		if i == nil || seen[local(id)] {
			b.within("schedule", func() { b.fail("expects the id of each instruction once, got %d", id) })
			return
		}
		seen[local(id)] = true
		order = append(order, i)
	}
	if len(order) != len(c.Instructions()) {
		b.within("schedule", func() {
			b.fail("expects %d instructions in computation %s, got %d", len(c.Instructions()), c.Name(), len(order))
		})
		return
	}
	c.SetOrder(order)
}
