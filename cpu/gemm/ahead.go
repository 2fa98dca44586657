package gemm

import (
	"slices"
	"unsafe"

	"github.com/goxla/xla/cpu/exec"
)

// While a block is multiplied, what is needed after it is asked for, so that it is in the second-level cache when its
// turn comes: the next panel of packed B, or the operands of the next product of a batch.

// maxAhead bounds the lines that a turn of a micro-kernel's loop asks for: with more, asking would take longer than
// multiplying.
const maxAhead = 8

// ahead is what is still to be asked for: up to two pieces of memory, as addresses, which are never read.
type ahead struct{ next, end, then, thenEnd uintptr }

// take returns the address from which on a call asks for so many bytes; other if nothing is left.
func (a *ahead) take(other uintptr, bytes int) uintptr {
	if a.next >= a.end {
		a.next, a.end, a.then, a.thenEnd = a.then, a.thenEnd, 0, 0
	}
	if a.next >= a.end {
		return other
	}
	at := a.next
	a.next += uintptr(bytes)
	return at
}

// asksPanels reports whether the next panel of B is asked for: one packed long ago.
func (p *Product) asksPanels() bool {
	return !p.across && (p.routeB == packed || p.routeB == constant) && !p.asksAround()
}

// asksProducts reports whether the operands of the next product of the batch are asked for, which one item multiplies.
func (p *Product) asksProducts() bool {
	return p.batch > 1 && p.m >= fewRows && p.group == len(p.panels) && p.rowBlocks() == 1 &&
		p.denseA > 0 && p.denseB > 0 && (p.routeB == inPlace || p.routeB == packedBy && p.fitsNext())
}

// laterSteps is how many steps before rows of A are multiplied they are asked for.
const laterSteps = 2

// asksLater reports whether products ask for what windows reach next in an image: where a line of the last cache is
// long in coming, and of AMD with narrow vectors, whose hardware follows few of the rows of an image at once.
func (c *Config) asksLater() bool { return c.FarL3 || c.AsksRows && c.Tier == exec.AVX2 }

// mostLaterPanels is how many panels products with whole vectors have at most that ask for rows of A.
const mostLaterPanels = 2

// laterRows returns how far from a row of A, in bytes, its last run begins, if rows are asked for: those of windows
// over an image that is not in the second-level cache, in products of few columns, where multiplying what is there
// takes no longer than waiting for what is not. The last run of a row, as of an image, has what no step read before.
// Else it returns 0.
func (p *Product) laterRows() int {
	if !p.config.asksLater() || p.listed || p.routeA != inPlace || p.runsOfA == nil || p.kc < p.k ||
		!p.laterSplit() && !p.laterWhole() {
		return 0
	}
	return slices.Max(p.runsOfA)
}

// laterSplit reports whether rows are asked for of a product whose lanes are several depths of few columns.
func (p *Product) laterSplit() bool {
	least := p.config.l2() / 2
	if p.asksNarrow() {
		least = p.config.l2() / 4
	}
	return p.kind.splits() && !p.kind.diagonals() && len(p.panels) == 1 && p.m*p.rowA > least
}

// asksNarrow reports whether code asks for rows, by narrow vectors.
func (p *Product) asksNarrow() bool { return p.config.AsksRows && p.native() && !p.regs.wide() }

// laterWhole reports whether they are of one of whole vectors, which are narrow, if runs reach as far as the next row
// of A: there is nothing between those of one row of the image. Calls ask for several times as many lines as steps
// need, from one turn to the next: they are soon far ahead. (Zen 3, behind a product of 512: 3x3 over [4 112 112 3],
// strided, to 32 features 393 and then 278 us; bench/CONV.md.)
func (p *Product) laterWhole() bool {
	image := p.spec.A.Free.span() * p.kind.size()
	return (p.kind == kindF32 || p.kind == kindF64) && p.asksNarrow() && p.batch == 1 &&
		len(p.panels) <= mostLaterPanels && p.runDepth*p.depthA >= p.rowA && image > p.config.l2()/4
}

const (
	// leastApart and mostApart are the bytes of rows of A with gaps between them that are asked for, and mostPanelsApart
	// is how many panels they are multiplied with at most: all but the first find them near.
	leastApart, mostApart = line, 4 * line
	mostPanelsApart       = 8
)

// rowLines returns how many lines of each row of A steps ask for: of short ones with gaps between them, as those of
// groups of features or of heads, of an A that is not near. The hardware does not follow these. Else it is 0. (Zen 3,
// where a product left A: 1x1 over [1 28 28 128] in 4 groups 400 and then 235 us, 105 and 85 where the last run did.)
func (p *Product) rowLines() int {
	row, all := p.k*p.kind.size(), p.spec.A.Free.span()*p.kind.size()
	if p.kind != kindF32 && p.kind != kindF64 || !p.asksNarrow() || p.routeA != inPlace || p.laysA ||
		p.routeB == inWindows || p.runsOfA != nil || p.depthA != p.kind.size() ||
		row < leastApart || row > mostApart || p.rowA <= row || len(p.panels) > mostPanelsApart || all <= p.config.l2()/4 {
		return 0
	}
	return parts(row, line)
}

// askLater says that the last runs of rows are needed that follow those of a call of steps of mr rows.
func (w *task) askLater(mr int) {
	p := w.p
	at := p.later + laterSteps*mr*p.rowA
	if first := (*place)(w.args.places); first != nil {
		at += int(first.a)
	}
	w.args.next = uintptr(w.args.a) + uintptr(at)
}

// fitsNext reports whether the operands of the next product find room in the second-level cache.
func (p *Product) fitsNext() bool { return p.denseA+p.denseB <= p.config.l2()/4 }

// ahead returns how many lines micro-kernels of mr rows and so many bytes of B a depth ask for in a turn, or in a step.
func (p *Product) ahead(mr, rowB int) int {
	lines, turns := 0, 1
	switch {
	case p.later > 0:
		lines, turns = parts(mr*p.rowA, line), p.turns(p.k)
	case p.asksPlanes():
		if lines, turns = p.planesBytes()/line, p.stepsOfPlanes(mr); !p.asksBySteps(mr) {
			turns *= p.turnsOfStep()
		}
	case p.asksAround():
		lines = parts(p.around.places*p.around.place, p.rowBlocks()*line)
		turns = len(p.panels) * (p.mc / mr) * p.turns(p.k)
	case p.asksPanels():
		lines, turns = p.turnDepth()*rowB/line, p.mc/mr
	case p.listed:
		lines, turns = p.askedLines(), p.sources.steps*p.turns(p.depth(0))
	case p.asksProducts():
		lines, turns = (p.denseA+p.denseB)/line, len(p.panels)*(p.m/mr)*p.turns(p.k)
	}
	return min(maxAhead, parts(lines, max(1, turns)))
}

const (
	// lateTurns is how many turns more than there are rows the last ones are that ask for rows of C: these come from
	// where they are meanwhile.
	lateTurns = 4
	// fewLines are asked for at once without making others wait.
	fewLines = 8
)

// rowsAsked is how many of mr rows of C, of nv vectors, a turn of the loop asks for, and how many of the last turns do,
// 0 if all. Many lines at once would be waited for by what B and A need, and have left the first cache before the last
// turn. Turns of runs all ask, if they are so few that they ask for little beside these; else none does.
func (p *Product) rowsAsked(mr, nv int) (rows, late int) {
	turns := p.turns(p.depth(0))
	rows = parts(mr, max(1, turns))
	switch {
	case turns == 0 || p.streams() || p.routeB == inWindows || p.kind.tiles():
	case turns*rows <= 3*mr:
		return rows, 0
	case p.runsOfA == nil && mr*parts(nv*p.regs.vector, line) > fewLines:
		return 1, mr + lateTurns
	}
	return 0, 0
}

// askPanel says which part of packed B is needed after panel i of [first, last) in the depth from k on.
func (w *task) askPanel(n, k, i, first, last int) {
	p := w.p
	depth := w.args.depth
	if i++; i == last {
		i, k = first, k+depth
		depth = min(depth, p.k-k)
	}
	w.ahead = ahead{}
	if depth > 0 {
		pn := &p.panels[i]
		w.ahead.next = uintptr(w.panel(n, pn, k))
		w.ahead.end = w.ahead.next + uintptr(depth*pn.nv*p.regs.vector)
	}
}

// askProduct says that product n of the batch is needed after this one, if this thread is to make it.
func (w *task) askProduct(n int, own bool) {
	p := w.p
	w.ahead = ahead{}
	if !own || n >= p.batch {
		return
	}
	if at := p.batchB.at(n); at != p.batchB.at(n-1) {
		w.ahead.next, w.ahead.end = extent(w.b, &p.spec.B, at, p.denseB)
	}
	if at := p.batchA.at(n); at != p.batchA.at(n-1) {
		w.ahead.then, w.ahead.thenEnd = extent(w.a, &p.spec.A, at, p.denseA)
	}
}

// extent returns where the elements of o are, given the place of the product in the batch.
func extent(array unsafe.Pointer, o *Operand, at, bytes int) (from, to uintptr) {
	from = uintptr(array) + uintptr((o.Offset+at)*o.Type.ByteSize())
	return from, from + uintptr(bytes)
}
