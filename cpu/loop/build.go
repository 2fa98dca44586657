package loop

import (
	"math"
	"slices"
)

// Builder makes a nest. Instructions go where their operands allow, not where the caller
// stands: one that does not change in a loop is put in front of it, and one that is there already is
// used again. So the caller need not think of invariants and common expressions.
type Builder struct {
	nest   *Nest
	scopes []*scope
	// depth is, by Value, the index in scopes of the block that defines it.
	depth []int32
	// varDepth is, by loop variable, the index in scopes of the loop's body.
	varDepth []int
	// extents is, by loop variable, the number of iterations, or 0 where that is not known.
	extents []int64
	// lows and spans hold what was found out about integers: see narrowed.
	lows  map[Value]Value
	spans Spans
	// rests are those of divisions by constants.
	rests []rest
	// limits are those of floats, by Value; see limitsOf.
	limits []foundLimits
	// Code says that the nest is to become machine code, in which a division is dearer than some products.
	Code bool
	// Wide says that it is for a machine whose registers hold tables of 32 elements of 32 bits: that
	// looking up an element is as cheap as a sum. It changes nothing here; who makes instructions may ask.
	Wide bool
	// Split says that such a machine has units of their own for sums, and that those for products do more, as
	// exec.Features has it.
	Split bool
	// Alone says that beside an elementary function the nest does little, so that what keeps the divider busy is not
	// done in the time of other work.
	Alone bool
	// Excess says that numbers narrower than F32 may keep its digits until they are stored or compared.
	Excess bool
	// Stay says that instructions are made where the caller stands, if they are not there already: what only one of
	// several ways through a loop needs is not made on all of them.
	Stay bool
	// ranges are the open loops with a range: the variable of it, and the index in scopes of the loop's body.
	ranges []ranged
}

type ranged struct{ v, depth int }

// scope is a block that is being filled.
type scope struct {
	block Block
	memo  memo
	loads memo
}

// How many instructions, in a nest and in a block, how many accesses and loops there is room for at first.
const (
	usualInsts    = 256
	usualBlock    = 32
	usualAccesses = 32
	usualVars     = 8
)

// NewBuilder starts a nest.
func NewBuilder(name string) *Builder { return newBuilder(name, usualInsts, usualAccesses) }

// Again starts another nest, in the memory of the last one, which is not used any more or has been made to fit.
func (b *Builder) Again(name string) {
	n := b.nest
	n = &Nest{Name: name, Buffers: n.Buffers[:0], Accesses: n.Accesses[:0], Insts: n.Insts[:1]}
	*b = Builder{nest: n, depth: b.depth[:1], varDepth: b.varDepth[:0], extents: b.extents[:0], scopes: b.scopes[:0],
		limits: b.limits[:0]}
	b.push()
}

// newBuilder is NewBuilder with room for so many instructions and accesses.
func newBuilder(name string, insts, accesses int) *Builder {
	b := &Builder{nest: &Nest{Name: name, Insts: make([]Inst, 1, insts), Accesses: make([]Access, 0, accesses)},
		depth: make([]int32, 1, insts), varDepth: make([]int, 0, usualVars), extents: make([]int64, 0, usualVars)}
	b.push()
	return b
}

// Buffer adds a buffer and returns its number.
func (b *Builder) Buffer(buf Buffer) int {
	b.nest.Buffers = append(b.nest.Buffers, buf)
	return len(b.nest.Buffers) - 1
}

// Table returns element i, an integer as wide as k, of a table of elements of kind k, which are given
// as bits. i must be in range.
func (b *Builder) Table(k Kind, elements []uint64, i Value) Value {
	same := func(t []uint64) bool {
		return len(t) == len(elements) && (len(t) == 0 || &t[0] == &elements[0] || slices.Equal(t, elements))
	}
	n := slices.IndexFunc(b.nest.Tables, same)
	if n < 0 {
		n = len(b.nest.Tables)
		b.nest.Tables = append(b.nest.Tables, elements)
	}
	return b.OpImm(Table, k, uint64(n), i)
}

// Nest ends the building and returns the nest.
func (b *Builder) Nest() *Nest {
	if len(b.scopes) != 1 {
		panic("loop: nest ended inside a loop")
	}
	b.nest.Root = b.scopes[0].block
	b.nest.moveBits()
	return b.nest
}

// push opens a block, in the memory of one that was popped at this depth.
func (b *Builder) push() {
	n := len(b.scopes)
	if n == cap(b.scopes) || b.scopes[:n+1][n] == nil {
		b.scopes = append(b.scopes, &scope{block: make(Block, 0, usualBlock)})
		return
	}
	b.scopes = b.scopes[:n+1]
	s := b.scopes[n]
	s.block = s.block[:0]
	s.memo.reset()
	s.loads.reset()
}

// pop closes the last block and returns it.
func (b *Builder) pop() Block {
	last := len(b.scopes) - 1
	block := slices.Clone(b.scopes[last].block)
	b.scopes = b.scopes[:last]
	return block
}

// define adds a value that no block holds: phi or out.
func (b *Builder) define(i Inst, depth int) Value {
	b.nest.Insts = append(b.nest.Insts, i)
	b.depth = append(b.depth, int32(depth))
	return Value(len(b.nest.Insts) - 1)
}

// emit appends i to the block at depth.
func (b *Builder) emit(i Inst, depth int) Value {
	v := b.define(i, depth)
	s := b.scopes[depth]
	s.block = append(s.block, Node{Value: v})
	return v
}

// Inst adds a pure instruction, or finds it, or another way to its value. Operands that commute are put in order.
func (b *Builder) Inst(i Inst) Value {
	if v, ok := b.folded(i); ok {
		return v
	}
	if v, ok := b.ofNumbers(i); ok {
		return v
	}
	if v, ok := b.chosen(i); ok {
		return v
	}
	if v, ok := b.narrowed(i); ok {
		return v
	}
	if v, ok := b.divided(i); ok {
		return v
	}
	if v, ok := b.ofRest(i); ok {
		return v
	}
	if i.Op == Shl || i.Op == And {
		if v, ok := b.unwrapped(i); ok {
			return v
		}
	}
	if (i.Op == RoundBF16 || i.Op == RoundF16) && b.isRounded(i.Op, i.Args[0], mostRounds) {
		return i.Args[0]
	}
	if v, ok := b.inType(i); ok {
		return v
	}
	depth := b.settle(&i)
	if here := len(b.scopes) - 1; b.Stay && i.Op != Const {
		for ; depth < here; depth++ {
			if v := b.scopes[depth].memo.find(b.nest, &i); v != 0 {
				return v
			}
		}
	}
	m := &b.scopes[depth].memo
	if v := m.find(b.nest, &i); v != 0 {
		return v
	}
	v := b.emit(i, depth)
	m.add(b.nest, v)
	return v
}

// settle puts the operands of i that commute in order, and returns the depth at which i can be first.
func (b *Builder) settle(i *Inst) (depth int) {
	if i.Op.Info().Commutes && i.Args[0] > i.Args[1] {
		i.Args[0], i.Args[1] = i.Args[1], i.Args[0]
	}
	for _, v := range i.Operands() {
		depth = max(depth, int(b.depth[v]))
	}
	if i.Op == Index {
		depth = b.varDepth[i.Imm]
	}
	return depth
}

// Has reports whether there is an operation of kind k on operands already.
func (b *Builder) Has(o Op, k Kind, args ...Value) bool {
	i := Inst{Op: o, Kind: k}
	copy(i.Args[:], args)
	first := b.settle(&i)
	return slices.ContainsFunc(b.scopes[first:], func(s *scope) bool { return s.memo.find(b.nest, &i) != 0 })
}

// Op adds a pure operation of kind k on operands.
func (b *Builder) Op(o Op, k Kind, args ...Value) Value { return b.OpImm(o, k, 0, args...) }

// OpImm is Op with an immediate.
func (b *Builder) OpImm(o Op, k Kind, imm uint64, args ...Value) Value {
	i := Inst{Op: o, Kind: k, Imm: imm}
	copy(i.Args[:], args)
	return b.Inst(i)
}

// Const returns a constant with these bits.
func (b *Builder) Const(k Kind, bits uint64) Value { return b.OpImm(Const, k, bits) }

// Int returns an integer constant of kind I32 or I64.
func (b *Builder) Int(k Kind, v int64) Value {
	if k == I32 {
		return b.Const(k, uint64(uint32(v)))
	}
	return b.Const(k, uint64(v))
}

// Float returns a constant of kind F32 or F64, rounded to it.
func (b *Builder) Float(k Kind, v float64) Value {
	if k == F32 {
		return b.Const(k, uint64(math.Float32bits(float32(v))))
	}
	return b.Const(k, math.Float64bits(v))
}

// ConstBits returns the bits of v, if it is a constant.
func (b *Builder) ConstBits(v Value) (bits uint64, ok bool) {
	i := b.nest.Inst(v)
	return i.Imm, i.Op == Const
}

// Bool returns a Mask constant.
func (b *Builder) Bool(v bool) Value {
	if v {
		return b.Const(Mask, 1)
	}
	return b.Const(Mask, 0)
}

// Index returns the iteration number of a loop that is open.
func (b *Builder) Index(k Kind, loopVar int) Value { return b.OpImm(Index, k, uint64(loopVar)) }

// Cmp compares x and y.
func (b *Builder) Cmp(p Pred, x, y Value) Value { return b.OpImm(Cmp, Mask, p, x, y) }

// Kind returns the kind of v.
func (b *Builder) Kind(v Value) Kind { return b.nest.Kind(v) }

// access adds a and returns its number and the depth at which it can be used first.
func (b *Builder) access(a Access, mask Value) (n int32, depth int) {
	for _, t := range a.Terms {
		depth = max(depth, b.varDepth[t.Var])
	}
	for _, r := range b.ranges { // it may be outside of the buffer in other iterations
		byIndex := a.Index != 0 && int(b.depth[a.Index]) >= b.varDepth[r.v]
		if byIndex || slices.ContainsFunc(a.Terms, func(t Term) bool { return t.Var == r.v }) {
			depth = max(depth, r.depth)
		}
	}
	depth = max(depth, int(b.depth[a.Index]), int(b.depth[mask]))
	b.nest.Accesses = append(b.nest.Accesses, a)
	return int32(len(b.nest.Accesses) - 1), depth
}

// Load reads a; mask may be 0. A buffer that the nest writes is read where the caller
// stands, once in a block until something is written to it, and any other as far out as possible.
func (b *Builder) Load(a Access, mask Value) Value {
	if on, ok := b.ConstBits(mask); ok && on == 0 {
		return b.Const(a.Mem.Kind(), 0)
	} else if ok {
		mask = 0
	}
	i := Inst{Op: Load, Kind: a.Mem.Kind(), Args: [3]Value{mask}}
	n, depth := b.access(a, mask)
	if b.nest.Buffers[a.Buffer].changes() {
		depth = len(b.scopes) - 1
	}
	i.Access = n
	m := &b.scopes[depth].loads
	if v := m.find(b.nest, &i); v != 0 {
		b.nest.Accesses = b.nest.Accesses[:n]
		return v
	}
	v := b.emit(i, depth)
	m.add(b.nest, v)
	return v
}

// LoadAs returns what v, if it is a load, reads, as an m, which has as many bytes; else it returns 0.
func (b *Builder) LoadAs(v Value, m Mem) Value {
	i := *b.nest.Inst(v)
	if i.Op != Load || b.nest.Accesses[i.Access].Mem.Bytes() != m.Bytes() {
		return 0
	}
	a := b.nest.Accesses[i.Access]
	a.Mem = m
	return b.Load(a, i.Args[0])
}

// Store writes v to a where the caller stands; mask may be 0.
func (b *Builder) Store(a Access, v, mask Value) {
	if on, ok := b.ConstBits(mask); ok && on == 0 {
		return
	} else if ok {
		mask = 0
	}
	n, _ := b.access(a, mask)
	if b.nest.Buffers[a.Buffer].changes() {
		for _, s := range b.scopes {
			s.loads.drop(b.nest, func(v Value) bool { return b.nest.Accesses[b.nest.Inst(v).Access].Buffer == a.Buffer })
		}
	}
	b.emit(Inst{Op: Store, Args: [3]Value{v, mask}, Access: n}, len(b.scopes)-1)
}
