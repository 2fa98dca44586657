package loop

import "slices"

// Value names an instruction of a nest: its index in Nest.Insts. 0 is no value.
type Value int32

// Inst is one vector instruction.
type Inst struct {
	Op   Op
	Kind Kind // of the result
	Args [3]Value
	// Imm is the bits of Const, the loop variable of Index, the Rounding of Round, the Pred of Cmp,
	// the number of the table of Table, Seldom or 0 of Select.
	Imm uint64
	// Access is the index in Nest.Accesses of a Load or Store.
	Access int32
}

// Term is Stride elements times the iteration number of loop Var.
type Term struct {
	Var    int
	Stride int64
}

// Access is an address: element Offset + sum of Terms + Index of a buffer.
type Access struct {
	Buffer int
	Offset int64
	// Terms are sorted by Var, strides are not zero.
	Terms []Term
	// Index, if not 0, is a signed I32 or I64 value that is added; who builds the nest
	// sees to it that the sum is in range in all lanes that are on.
	Index Value
	// Mem is what is read or written there. It may differ from other accesses of the same
	// buffer; Offset, strides and Index count elements of this type.
	Mem Mem
}

// Buffer is a piece of memory that a kernel is given.
type Buffer struct {
	Name  string
	Bytes int64
	// Write: the kernel stores to it. Buffers with Write may not overlap others; a buffer
	// that is read and written is one Buffer.
	Write bool
	// Scratch: memory of the worker's own, without meaning before or after the kernel.
	Scratch bool
	// Stream: what is written is not read soon, so there is no use in keeping it in the caches.
	Stream bool
	// Far: what is read comes from memory, though the caches might hold it: much else is read before it is read again.
	Far bool
}

// changes reports whether what is read of b may be something else later.
func (b *Buffer) changes() bool { return b.Write || b.Scratch }

// Carry is a value that goes from one iteration to the next. Phi and Next are of the
// loop's body, Init and Out of the block around it.
type Carry struct {
	Init, Phi, Next, Out Value
	// Reduce is the operation of a carry of a lane loop: Out is Init and the contributions of
	// all iterations combined by Reduce in any order. Phi may then be used only to make
	// Next, as one operand of Reduce, or for Add as the addend of an FMA or FNMA.
	Reduce Op
	// Scan: Next is a Scan, whose value in each iteration is used. Out is that of the last one. Sums and products of
	// floats are combined in an order of the executor's, which only depends on the number of iterations.
	Scan bool
}

// Loop is a loop of a nest.
type Loop struct {
	// Var is its number, unique in the nest.
	Var int
	// Extent is the number of iterations; of a while loop that of those that it usually has at most, or 0: no more than an
	// estimate.
	Extent int64
	// Lanes: iterations run side by side.
	Lanes bool
	// Parallel: iterations may run on different threads. Such a loop is in the root, as its last node, or in another
	// parallel loop.
	Parallel bool
	// When, if not nil, says in which iterations of a loop around it this one runs at all. It is a plain loop then, of one
	// iteration, and carries nothing.
	When *Range
	// Cond, if not 0, makes it a while loop: CondBody is run before each iteration, on the
	// phis, and the loop ends if Cond, a Mask that is the same in all lanes, is false. In a lane loop it compares the
	// number of the iteration with one that is known in front of the lane loop; see Count.
	CondBody Block
	Cond     Value
	Carries  []Carry
	Body     Block
}

// Range is the iterations [Lo, Hi) of loop Var, or all others if Outside is set.
type Range struct {
	Var     int
	Lo, Hi  int64
	Outside bool
}

// Node is an instruction, or a loop where Loop is not nil.
type Node struct {
	Value Value
	Loop  *Loop
}

// Block is a list of nodes that run one after the other.
type Block []Node

// Nest is one kernel.
type Nest struct {
	Name     string
	Buffers  []Buffer
	Accesses []Access
	// Tables are the constant arrays of Table: each element is the bits of a value, as in Const.
	Tables [][]uint64
	// Insts holds every instruction by Value; Insts[0] is not used.
	Insts []Inst
	// Vars is the number of loops.
	Vars int
	// Divided: a call does a range of the loop in the outermost one, too; see Second.
	Divided bool
	Root    Block
}

// Inst returns the instruction of v.
func (n *Nest) Inst(v Value) *Inst { return &n.Insts[v] }

// Kind returns the kind of v.
func (n *Nest) Kind(v Value) Kind { return n.Insts[v].Kind }

// Count returns the number, an I32, that l, a while loop, counts its iterations up to, if it is such a loop.
func (n *Nest) Count(l *Loop) (v Value, ok bool) {
	i := n.Inst(l.Cond)
	if i.Op != Cmp || i.Imm != LT || n.Kind(i.Args[0]) != I32 {
		return 0, false
	}
	at := n.Inst(i.Args[0])
	return i.Args[1], at.Op == Index && at.Imm == uint64(l.Var)
}

// Operands returns the operands of i.
func (i *Inst) Operands() []Value {
	for k, v := range i.Args {
		if v == 0 {
			return i.Args[:k]
		}
	}
	return i.Args[:]
}

// Walk calls f for every node of b and of the loops in it, in order, a loop before its
// body; loops is the chain of loops around it, outermost first, which is not to be kept.
func (b Block) Walk(f func(n Node, loops []*Loop)) { b.walk(nil, f) }

// Each is Walk for those who do not ask for the loops around a node.
func (b Block) Each(f func(n Node)) {
	for _, n := range b {
		f(n)
		if n.Loop != nil {
			n.Loop.CondBody.Each(f)
			n.Loop.Body.Each(f)
		}
	}
}

// EachLoop calls f for the loops in b, an outer one in front of those in it.
func (b Block) EachLoop(f func(l *Loop)) {
	for k := range b {
		if l := b[k].Loop; l != nil {
			f(l)
			l.CondBody.EachLoop(f)
			l.Body.EachLoop(f)
		}
	}
}

// usualDepth is how many loops there is room for at once.
const usualDepth = 4

func (b Block) walk(loops []*Loop, f func(Node, []*Loop)) {
	for _, n := range b {
		f(n, loops)
		if n.Loop != nil {
			if len(loops) == cap(loops) {
				loops = slices.Grow(loops, usualDepth)
			}
			inner := append(loops, n.Loop)
			n.Loop.CondBody.walk(inner, f)
			n.Loop.Body.walk(inner, f)
		}
	}
}
