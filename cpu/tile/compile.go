package tile

import (
	"github.com/goxla/xla/cpu/loop"
)

// Compile prepares a nest, which it verifies.
func Compile(n *loop.Nest) (*Program, error) {
	if err := n.Verify(); err != nil {
		return nil, err
	}
	c := &compiler{nest: n, slot: make([]int, len(n.Insts)), wide: make([]int, len(n.Insts)), lane: -1,
		inLanes: make([]bool, len(n.Insts)), reduces: map[loop.Value]loop.Op{}}
	for v := range c.slot {
		c.slot[v], c.wide[v] = -1, -1
	}
	p := &Program{nest: n}
	if l := n.Outermost(); l != nil {
		c.ranged[0], p.extent = l, l.Extent
	}
	if l := n.Second(); n.Divided && l != nil {
		c.ranged[1], p.second = l, l.Extent
	}
	p.root = c.block(n.Root)
	p.slots = c.slots
	vars := n.Vars
	p.frames.New = func() any {
		f := newFrame(p.slots, vars, len(n.Buffers))
		for _, fill := range c.constants {
			fill(f, Width)
		}
		return f
	}
	return p, nil
}

type compiler struct {
	nest *loop.Nest
	// slot is the register of each value. A value from outside of a lane loop that is used in it has
	// a second one, wide, with the value in all lanes.
	slot, wide []int
	inLanes    []bool // by Value: defined in a lane loop
	slots      slots
	constants  []instr
	lane       int           // the variable of the open lane loop, or -1
	ranged     [2]*loop.Loop // that runs have the ranges of
	prologue   *code         // of the open lane loop: what makes wide registers
	scope      []loop.Value
	reduces    map[loop.Value]loop.Op // by phi of a scan
}

// alloc gives v a register.
func (c *compiler) alloc(v loop.Value) int {
	c.slot[v] = c.register(c.nest.Kind(v))
	c.inLanes[v] = c.lane >= 0
	return c.slot[v]
}

func (c *compiler) register(k loop.Kind) int {
	n := c.slots[slotKind(k)]
	c.slots[slotKind(k)]++
	return n
}

// use returns the register of v as an operand here.
func (c *compiler) use(v loop.Value) int {
	if c.lane < 0 || c.inLanes[v] || c.nest.Inst(v).Op == loop.Const {
		return c.slot[v]
	}
	if c.wide[v] < 0 {
		c.wide[v] = c.register(c.nest.Kind(v))
		c.scope = append(c.scope, v)
		*c.prologue = append(*c.prologue, spreads[c.nest.Kind(v)](c.wide[v], c.slot[v]))
	}
	return c.wide[v]
}

func (c *compiler) block(b loop.Block) code {
	var out code
	for _, n := range b {
		if n.Loop != nil {
			out = append(out, c.loop(n.Loop))
			continue
		}
		i := c.nest.Inst(n.Value)
		switch i.Op {
		case loop.Const:
			c.constants = append(c.constants, fills[i.Kind](c.alloc(n.Value), i.Imm))
		case loop.Load:
			out = append(out, c.load(n.Value, i))
		case loop.Store:
			out = append(out, c.store(i))
		case loop.Index:
			out = append(out, c.index(n.Value, i))
		case loop.Scan:
			acc, x := c.slot[i.Args[0]], c.use(i.Args[1])
			out = append(out, scanners[i.Kind](operation(c.reduces[i.Args[0]], i.Kind, i.Kind), c.alloc(n.Value), acc, x))
		case loop.Table:
			out = append(out, lookups[i.Kind](c.alloc(n.Value), c.use(i.Args[0]), c.nest.Tables[i.Imm]))
		default:
			out = append(out, c.compute(n.Value, i))
		}
	}
	return out
}

// compute compiles an operation by its row in the table.
func (c *compiler) compute(v loop.Value, i *loop.Inst) instr {
	var args [3]int
	for k, a := range i.Operands() {
		args[k] = c.use(a)
	}
	from := loop.None
	if i.Args[0] != 0 {
		from = c.nest.Kind(i.Args[0])
	}
	return operation(i.Op, i.Kind, from)(c.alloc(v), args, i.Imm)
}

// index compiles the number of an iteration.
func (c *compiler) index(v loop.Value, i *loop.Inst) instr {
	loopVar, step := int(i.Imm), 0
	if loopVar == c.lane {
		step = 1
	}
	dst := c.alloc(v)
	if i.Kind == loop.I64 {
		return func(f *frame, n int) { ramp(f.i64[dst][:n], uint64(f.vars[loopVar]), uint64(step)) }
	}
	return func(f *frame, n int) { ramp(f.i32[dst][:n], uint32(f.vars[loopVar]), uint32(step)) }
}

func ramp[T uint32 | uint64](dst []T, start, step T) {
	for k := range dst {
		dst[k] = start + T(k)*step
	}
}
