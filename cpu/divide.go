package cpu

import (
	"github.com/goxla/xla/cpu/loop"
)

// Where the outermost loop has fewer iterations than would keep all threads busy, as one over the four images of a
// batch has for six of them, each of them is divided: a call does a range of the second loop, too.

const (
	// leastDivided is the least iterations of a second loop whose iterations run side by side.
	leastDivided = 1 << 12
	// leastRow is how many lanes the rows in a second loop have at least: shorter ones are moved several at once.
	leastRow = 64
	// manyThreads: so many do not go at the same speed, and get two parts each at least.
	manyThreads = 4
)

// divide has iterations of the outermost loop of n divided if that keeps more of the threads busy: for apart only where
// no two threads store to the same place then.
func divide(n *loop.Nest, perInstruction int64, threads int, apart bool) {
	l := n.Second()
	n.Divided = threads > 1 && l != nil && l.Extent > 1 && leavesIdle(n.Outermost().Extent, int64(threads)) &&
		dividable(n, l) && work(n, n.Root, 1, -1)*perInstruction > leastShared && !(apart && storesAgain(n, l))
}

// leavesIdle reports whether threads are idle for more than an eighth of the time, or could be.
func leavesIdle(parts, threads int64) bool {
	rounds := (parts-1)/threads + 1
	return 8*rounds*threads > 9*parts || threads >= manyThreads && parts < 2*threads
}

// dividable reports whether code for ranges of l is as good as for all of it: rows are not short, nor read across.
func dividable(n *loop.Nest, l *loop.Loop) bool {
	if l.Lanes {
		return l.Extent >= leastDivided
	}
	for _, node := range l.Body {
		if in := node.Loop; in != nil && in.Lanes && (in.Extent < leastRow || turned(n, in.Body, l.Var, in.Var)) {
			return false
		}
	}
	return true
}

// turned reports whether b reads what is apart in lanes, and beside one another in loop v.
func turned(n *loop.Nest, b loop.Block, v, lanes int) bool {
	found := false
	b.Each(func(node loop.Node) {
		if node.Loop != nil {
			return
		}
		if i := n.Inst(node.Value); i.Op == loop.Load {
			a := &n.Accesses[i.Access]
			step := a.Stride(lanes)
			found = found || a.Stride(v) == 1 && step != 0 && step != 1
		}
	})
	return found
}

// storesAgain reports whether iterations of l may store where others of it do, as blocks that overlap: in machine code
// threads then store the same bits twice, which Go does not allow. Scratch memory is each thread's own.
func storesAgain(n *loop.Nest, l *loop.Loop) (again bool) {
	loop.Block{{Loop: l}}.Walk(func(node loop.Node, around []*loop.Loop) {
		if node.Loop != nil || again || n.Inst(node.Value).Op != loop.Store {
			return
		}
		a := &n.Accesses[n.Inst(node.Value).Access]
		if n.Buffers[a.Buffer].Scratch {
			return
		}
		steps := make([]loop.Steps, len(around))
		for k, l := range around {
			steps[k] = loop.Steps{Stride: a.Stride(l.Var), Count: l.Extent}
		}
		again = a.Index != 0 || !loop.DistinctPlaces(steps)
	})
	return again
}

// pieces are how each iteration of the outermost loop is divided.
type pieces struct {
	count  int // 1: it is not
	second int // iterations of the second loop
	lanes  bool
}

// piecesFor divides a kernel that takes so long for threads, such that there are enough parts for all of them.
func piecesFor(n *loop.Nest, time int64, threads int) pieces {
	if !n.Divided {
		return pieces{count: 1}
	}
	l, first := n.Second(), int(n.Outermost().Extent)
	p := pieces{second: int(l.Extent), lanes: l.Lanes}
	most := p.second
	if p.lanes {
		most /= wholeVectors
	}
	least := min((threads*int(calls(time, int64(threads)))-1)/first+1, most)
	p.count = least
	for c := least; c <= min(2*least, most); c++ {
		if first*c%threads == 0 {
			p.count = c
			break
		}
	}
	return p
}

// begin is where piece i begins.
func (p *pieces) begin(i int) int {
	at := i * p.second / p.count
	if p.lanes && i < p.count {
		at = at / wholeVectors * wholeVectors
	}
	return at
}

// each calls do for pieces [lo, hi), counted through all iterations of the outermost loop, in as few calls as can be:
// for iterations of that loop and of the second one.
func (p *pieces) each(lo, hi int, do func(lo, hi, from, to int64) error) error {
	for lo < hi {
		i, first := lo/p.count, lo%p.count
		last, n := min(p.count, first+hi-lo), 1
		if first == 0 && last == p.count {
			n = (hi - lo) / p.count
		}
		if err := do(int64(i), int64(i+n), int64(p.begin(first)), int64(p.begin(last))); err != nil {
			return err
		}
		lo += (n-1)*p.count + last - first
	}
	return nil
}
