package emit

import (
	"slices"

	"github.com/goxla/xla/cpu/loop"
)

// mostWords is for how many numbers, moved by a lane loop, short vectors are enough.
const mostWords = 16

// movesWords reports whether all that lanes do in n, in a loop of unknown length, is to move a few numbers of 4 or 8
// bytes that are neighbours.
func movesWords(n *loop.Nest) bool {
	only, whiles := true, false
	n.Root.EachLoop(func(l *loop.Loop) {
		whiles = whiles || l.Cond != 0
		only = only && (!l.Lanes || movesFew(n, l))
	})
	return only && whiles
}

// movesFew reports whether l, a lane loop, is one that does nothing else.
func movesFew(n *loop.Nest, l *loop.Loop) bool {
	if l.Extent > mostWords || len(l.Carries) > 0 || l.When != nil || l.Cond != 0 {
		return false
	}
	return !slices.ContainsFunc(l.Body, func(node loop.Node) bool {
		if node.Loop != nil {
			return true
		}
		i := n.Inst(node.Value)
		if i.Op == loop.Load && i.Args[0] != 0 || i.Op == loop.Store && i.Args[1] != 0 {
			return true
		}
		if i.Op != loop.Load && i.Op != loop.Store {
			return true
		}
		a := &n.Accesses[i.Access]
		side := len(a.Terms) == 1 && a.Terms[0] == loop.Term{Var: l.Var, Stride: 1}
		return a.Mem.Bytes() < wordBytes || a.Index != 0 || !side
	})
}
