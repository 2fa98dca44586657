package loop

import "slices"

// Sums of complex products add two products each in an iteration, one after the other. That is one operation less than
// to add what both make, but where a loop has so few sums that the units wait for them, the time is that of the
// additions: there what both make is computed apart, and added once.

// fewChained is the most sums of a loop that are waited for: two units take 3 operations for each of them in less time
// than two additions that wait for one another. Of vectors of 64 bytes, which may take two slots, it is fewChainedWide.
// Of loops of less than longChain iterations, those of several are under way at a time.
const (
	fewChained     = 4
	fewChainedWide = 2
	longChain      = 16
)

// Unchain makes one addition of two in loops that wait for them. Wide says that vectors have 64 bytes.
func Unchain(n *Nest, wide bool) {
	uses := []int(nil)
	n.Root.Walk(func(node Node, around []*Loop) {
		l := node.Loop
		if l == nil || l.Lanes || l.Cond != 0 || l.Extent < longChain || len(l.Carries) == 0 ||
			!n.Kind(l.Carries[0].Phi).IsFloat() || len(l.Carries) > mostChained(around, n.Kind(l.Carries[0].Phi), wide) ||
			slices.ContainsFunc(l.Body, func(n Node) bool { return n.Loop != nil }) {
			return
		}
		if uses == nil {
			uses = n.uses()
		}
		if !slices.ContainsFunc(l.Carries, func(c Carry) bool { return !n.chained(c, uses) }) {
			n.unchain(l)
		}
	})
}

// mostChained is the most sums, of elements of kind k, of a loop in those around: 0 if these have lanes for two
// vectors, which are side by side.
func mostChained(around []*Loop, k Kind, wide bool) int {
	vector, most := int64(256/k.Bits()), fewChained
	if wide {
		vector *= 2
	}
	for _, l := range around {
		switch {
		case l.Lanes && l.Extent >= 2*vector:
			return 0
		case l.Lanes && wide && l.Extent > vector/2:
			most = fewChainedWide
		}
	}
	return most
}

// uses is how often each value is an operand of an instruction.
func (n *Nest) uses() []int {
	uses := make([]int, len(n.Insts))
	n.Root.Each(func(node Node) {
		if node.Loop == nil {
			for _, v := range n.Inst(node.Value).Operands() {
				uses[v]++
			}
		}
	})
	return uses
}

// chained reports whether what c carries are sums of floats to which an iteration adds two products.
func (n *Nest) chained(c Carry, uses []int) bool {
	last := n.Inst(c.Next)
	if c.Reduce != 0 || last.Op != FMA && last.Op != FNMA || uses[last.Args[2]] != 1 {
		return false
	}
	first := n.Inst(last.Args[2])
	return first.Op == FMA && first.Args[2] == c.Phi && uses[c.Phi] == 1
}

// unchain does so in l, all of whose carries are such sums.
func (n *Nest) unchain(l *Loop) {
	body := make(Block, 0, len(l.Body)+len(l.Carries))
	for _, node := range l.Body {
		k := slices.IndexFunc(l.Carries, func(c Carry) bool { return c.Next == node.Value })
		if k < 0 {
			body = append(body, node)
			continue
		}
		both := n.Insts[node.Value]
		first := &n.Insts[both.Args[2]]
		*first = Inst{Op: Mul, Kind: first.Kind, Args: [3]Value{first.Args[0], first.Args[1]}}
		n.Insts = append(n.Insts, both)
		v := Value(len(n.Insts) - 1)
		n.Insts[node.Value] = Inst{Op: Add, Kind: both.Kind, Args: [3]Value{l.Carries[k].Phi, v}}
		body = append(body, Node{Value: v}, node)
	}
	l.Body = body
}
