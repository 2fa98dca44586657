package plan

import (
	"slices"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
)

// A loop of one kernel may read rows of a matrix side by side, as the product of a matrix and a vector does: elements
// that are far from one another. What the loop does not change is then transposed in front of it.

const (
	// fewTurns is the fewest iterations that are worth a transpose.
	fewTurns = 8
	// mostTurned is the most elements that are transposed.
	mostTurned = 1 << 14
	// shortRow is a row that leaves most of a vector empty.
	shortRow = 4
)

// turnRows gives nest, the kernel of a loop of so many iterations (-1: not known), transposes of the matrices whose
// rows it reads side by side, and returns the steps that make them.
func (p *Plan) turnRows(nest *loop.Nest, buffers []int, trips int64, i *hlo.Instruction) (front []Step) {
	if trips >= 0 && trips < fewTurns {
		return nil
	}
	for k := range nest.Buffers {
		t, ok := findTurn(nest, k)
		if !ok {
			continue
		}
		to := p.bytes(int(nest.Buffers[k].Bytes), i)
		front = append(front, &Kernel{Nest: t.transpose(nest.Name), Buffers: []int{buffers[k], to}})
		t.apply(nest)
		buffers[k] = to
	}
	return front
}

// turn is a matrix of rows elements by row that accesses of a nest read.
type turn struct {
	accesses  []int32
	mem       loop.Mem
	rows, row int64
}

// findTurn returns how buffer k of n is a matrix whose rows are read side by side and that may be transposed.
func findTurn(n *loop.Nest, k int) (t turn, ok bool) {
	if n.Buffers[k].Write || n.Buffers[k].Scratch {
		return t, false
	}
	extents := make([]int64, n.Vars)
	good := true
	n.Root.Walk(func(node loop.Node, around []*loop.Loop) {
		if node.Loop != nil {
			extents[node.Loop.Var] = node.Loop.Extent
			return
		}
		i := n.Inst(node.Value)
		if i.Op != loop.Load || n.Accesses[i.Access].Buffer != k {
			return
		}
		a := &n.Accesses[i.Access]
		row := laneStride(a, around)
		good = good && i.Args[0] == 0 && a.Index == 0 && row > shortRow && (t.row == 0 || row == t.row && a.Mem == t.mem)
		t.accesses, t.mem, t.row = append(t.accesses, i.Access), a.Mem, row
	})
	if !good || len(t.accesses) == 0 {
		return t, false
	}
	elements := n.Buffers[k].Bytes / t.mem.Bytes()
	t.rows = elements / t.row
	return t, elements == t.rows*t.row && elements <= mostTurned && t.rows > shortRow && t.fits(n, extents)
}

// laneStride is how far the elements are apart that a reads side by side, 0 if it is no such access.
func laneStride(a *loop.Access, around []*loop.Loop) int64 {
	for _, l := range around {
		for _, t := range a.Terms {
			if l.Lanes && t.Var == l.Var {
				return t.Stride
			}
		}
	}
	return 0
}

// fits reports whether each access goes through rows and through places in rows, so that no sum of the latter leaves
// a row.
func (t turn) fits(n *loop.Nest, extents []int64) bool {
	for _, at := range t.accesses {
		a := &n.Accesses[at]
		place := a.Offset % t.row
		for _, term := range a.Terms {
			if term.Stride < 0 || extents[term.Var] == 0 {
				return false
			}
			if term.Stride%t.row != 0 {
				place += term.Stride * (extents[term.Var] - 1)
			}
		}
		if a.Offset < 0 || place >= t.row {
			return false
		}
	}
	return true
}

// apply has the accesses read the transpose.
func (t turn) apply(n *loop.Nest) {
	slices.Sort(t.accesses)
	for _, at := range slices.Compact(t.accesses) {
		a := &n.Accesses[at]
		a.Offset = a.Offset/t.row + a.Offset%t.row*t.rows
		a.Terms = slices.Clone(a.Terms)
		for k := range a.Terms {
			if s := &a.Terms[k].Stride; *s%t.row == 0 {
				*s /= t.row
			} else {
				*s *= t.rows
			}
		}
	}
}

// transpose makes the kernel that transposes buffer 0 into buffer 1.
func (t turn) transpose(name string) *loop.Nest {
	b := loop.NewBuilder(name + ".turned")
	bytes := t.rows * t.row * t.mem.Bytes()
	from := b.Buffer(loop.Buffer{Name: "rows", Bytes: bytes})
	to := b.Buffer(loop.Buffer{Name: "columns", Bytes: bytes, Write: true})
	b.Each(loop.Spec{Extent: t.row}, func(c int) {
		b.Each(loop.Spec{Extent: t.rows, Lanes: true}, func(r int) {
			v := b.Load(loop.Access{Buffer: from, Mem: t.mem,
				Terms: []loop.Term{{Var: c, Stride: 1}, {Var: r, Stride: t.row}}}, 0)
			b.Store(loop.Access{Buffer: to, Mem: t.mem,
				Terms: []loop.Term{{Var: c, Stride: t.rows}, {Var: r, Stride: 1}}}, v, 0)
		})
	})
	return b.Nest()
}
