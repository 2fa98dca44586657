package emit

import (
	"encoding/binary"
	"slices"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// Neighbouring lanes of an index such as i/4*4 are near in memory: i being the number of an iteration, a vector of them
// is within a vector. That is read at once, from where the first lane is, and its elements go to the lanes that want
// them. The features of a group, in a convolution of few a group, are read so.

// mostStarts is the most vectors of a lane loop that an index is followed through.
const mostStarts = 4096

// mostSteps is the most operations that are spent on following an index.
const mostSteps = 1 << 20

// near is an index whose lanes are near each other.
type near struct {
	// last is the distance from the first lane to the last, which is the farthest, in the vector where that is largest;
	// fixed: it is so in all of them.
	last  int
	fixed bool
	// same: the distances at are those of all vectors.
	same bool
	at   []uint64
	// low: all lanes are in the first four elements. within: those of each 128 bits are in the 128 bits of that place.
	low, within bool
	// table, if it is not nil, has a record for each vector: what the lanes of its index are.
	table []byte
	// Of the copies: the index of the first lane in a general register, the distances of all, the mask of what is read.
	base, apart, mask [maxCopies]reg
}

// nearOf returns how the lanes of v lie, nil if they may be far apart.
func (g *gen) nearOf(v loop.Value) *near {
	l, lanes := g.lanes.loop, int64(g.lanes.lanes)
	if l.Extent > mostStarts*lanes || l.Extent < lanes {
		return nil
	}
	index := indexOf{nest: g.nest, loop: l.Var, most: int(mostSteps / l.Extent), numbers: map[loop.Value]int{}}
	varying := g.varying(v)
	if _, ok := index.follow(varying); !ok {
		return nil
	}
	var n *near
	var list []startOfNear
	at := make([]uint64, lanes)
	tabled := varying == v && l.Extent/lanes*8*lanes <= mostNearTable
	for start := int64(0); start+lanes <= l.Extent; start += lanes {
		if !index.distances(at, start) {
			return nil
		}
		last := int(at[lanes-1])
		if n == nil {
			n = &near{last: last, fixed: true, same: true, at: slices.Clone(at), low: true, within: true}
		}
		n.fixed, n.last = n.fixed && last == n.last, max(n.last, last)
		n.same = n.same && slices.Equal(at, n.at)
		for lane, x := range at {
			n.low, n.within = n.low && x < 4, n.within && int(x)/4 == lane/4
		}
		if tabled {
			first, _ := index.compute(start)
			list = append(list, startOfNear{first, slices.Clone(at)})
		}
	}
	if g.readsFours(n) && n.fours(list) || !n.same {
		n.table = tableOfNear(list)
	}
	return n
}

// mostNearTable is the most bytes of a table of distances. The operations that make an index take longer than a load.
const mostNearTable = 8 << 10

// tableOfNear has the records of all vectors.
func tableOfNear(list []startOfNear) (table []byte) {
	for _, v := range list {
		table = append(table, recordOfNear(v.at, v.first)...)
	}
	return table
}

// recordOfNear is the record of a vector of lanes, of eight bytes for each: how far they are from the first, then, in
// eight bytes each, the index of that and, if they are sixteen, the mask of what is read.
func recordOfNear(at []uint64, first int64) []byte {
	r := make([]byte, 8*len(at))
	for lane, x := range at {
		binary.LittleEndian.PutUint32(r[4*lane:], uint32(x))
	}
	binary.LittleEndian.PutUint64(r[4*len(at):], uint64(first))
	binary.LittleEndian.PutUint64(r[4*len(at)+8:], 2<<at[len(at)-1]-1)
	return r
}

// readRecord sets what the copies need of n from its table.
func (g *gen) readRecord(n *near) {
	lanes, table := int64(g.lanes.lanes), g.c.asm.Data(n.table).Label
	record := mem{base: g.c.gload(asm.LEA, asm.W64, mem{label: table}), index: g.open(g.lanes.loop.Var).counter,
		scale: 8, disp: int64(g.copy) * 8 * lanes}
	n.base[g.copy] = g.c.gload(asm.MOV, asm.W64, record.add(4*lanes))
	n.apart[g.copy] = g.c.vm(asm.VMOVUPS, g.size(loop.I32), record)
	if n.mask[g.copy] = g.maskOfNear(n); !n.fixed && g.c.target.AVX512 {
		n.mask[g.copy] = g.c.vm(asm.KMOVQ, 0, record.add(4*lanes+8))
	}
}

// varying is v without what is added to it that is the same in all lanes, other than constants.
func (g *gen) varying(v loop.Value) loop.Value {
	in := g.nest.Inst(v)
	if in.Op != loop.Add {
		return v
	}
	for k, a := range in.Operands() {
		if g.uniform(a) && g.nest.Inst(a).Op != loop.Const {
			return g.varying(in.Args[1-k])
		}
	}
	return v
}

// indexOf computes integers, and masks, which are 0 or 1, that are made of the number of a loop's iteration and
// constants, step by step: each value once, however often it is used.
type indexOf struct {
	nest    *loop.Nest
	loop    int // whose iterations are numbered
	most    int // steps
	steps   []indexStep
	numbers map[loop.Value]int // of the steps
}

// indexStep is one value: an operation on those of two steps before.
type indexStep struct {
	in   *loop.Inst
	a, b int
	x    int64 // the value in the iteration that was last computed
}

// follow appends the steps that make v and returns the number of the last; ok is false if there are too many, or v is
// made of anything but what steps do.
func (n *indexOf) follow(v loop.Value) (number int, ok bool) {
	if number, ok = n.numbers[v]; ok {
		return number, true
	}
	s := indexStep{in: n.nest.Inst(v)}
	if s.in.Kind != loop.I32 && s.in.Kind != loop.Mask {
		return 0, false
	}
	switch s.in.Op {
	case loop.Const:
	case loop.Index:
		if int(s.in.Imm) != n.loop {
			return 0, false
		}
	case loop.Add, loop.Sub, loop.Mul, loop.MulHiU, loop.Shr, loop.UDiv, loop.Cmp, loop.And, loop.Or:
		if s.a, ok = n.follow(s.in.Args[0]); !ok {
			return 0, false
		}
		if s.b, ok = n.follow(s.in.Args[1]); !ok {
			return 0, false
		}
	default:
		return 0, false
	}
	if number = len(n.steps); number >= n.most {
		return 0, false
	}
	n.steps, n.numbers[v] = append(n.steps, s), number
	return number, true
}

// distances sets at to how far the indices of the iterations from start on are from the first; false if that is out of
// a vector of them, or they do not ascend.
func (n *indexOf) distances(at []uint64, start int64) bool {
	lanes, first := int64(len(at)), int64(0)
	for k := range at {
		x, ok := n.compute(start + int64(k))
		if k == 0 {
			first = x
		}
		if !ok || x < first || x-first >= lanes || k > 0 && uint64(x-first) < at[k-1] {
			return false
		}
		at[k] = uint64(x - first)
	}
	return true
}

// compute returns the last step's value in iteration i, a signed integer, as 32 bits have it; ok is false if that takes
// an operation that has none.
func (n *indexOf) compute(i int64) (x int64, ok bool) {
	for k := range n.steps {
		s := &n.steps[k]
		a, b := int64(uint32(n.steps[s.a].x)), int64(uint32(n.steps[s.b].x))
		switch s.in.Op {
		case loop.Const:
			x = int64(s.in.Imm)
		case loop.Index:
			x = i
		case loop.Add:
			x = a + b
		case loop.Sub:
			x = a - b
		case loop.Mul:
			x = a * b
		case loop.MulHiU:
			x = int64(uint64(a) * uint64(b) >> 32)
		case loop.Shr:
			if b > 31 {
				return 0, false
			}
			x = a >> b
		case loop.UDiv:
			if b == 0 {
				return 0, false
			}
			x = a / b
		case loop.And:
			x = a & b
		case loop.Or:
			x = a | b
		case loop.Cmp:
			x = int64(bit(compares(s.in.Imm, uint32(a), uint32(b))))
		}
		x = int64(int32(x))
		s.x = x
	}
	return x, true
}

// compares reports whether a and b compare as p says.
func compares(p loop.Pred, a, b uint32) bool {
	x, y := int32(a), int32(b)
	switch p {
	case loop.EQ:
		return x == y
	case loop.NE:
		return x != y
	case loop.LT:
		return x < y
	case loop.LE:
		return x <= y
	case loop.GT:
		return x > y
	case loop.GE:
		return x >= y
	case loop.ULT:
		return a < b
	case loop.ULE:
		return a <= b
	case loop.UGT:
		return a > b
	}
	return a >= b
}

// defineNear notes that v, which addresses use and r holds, has lanes that are near: in vectors that begin where
// iterations are multiples of the lanes, so not behind a part of one.
func (g *gen) defineNear(v loop.Value, r reg) {
	s := g.lanes
	if s.tail != nil || s.across != nil || s.moves || s.toLines != nil || g.size(loop.I32) == asm.VL128 {
		delete(g.nears, v)
		return
	}
	if g.copy == 0 {
		delete(g.nears, v)
		if n := g.nearOf(v); n != nil {
			g.nears[v] = n
		}
	}
	n := g.nears[v]
	if n == nil {
		return
	}
	if n.table != nil {
		g.readRecord(n)
		return
	}
	n.base[g.copy] = g.toGeneral(r, loop.I32)
	switch {
	case n.last == 0:
	case n.same:
		n.apart[g.copy] = g.c.lanes32(func(lane int) uint32 { return uint32(n.at[lane%len(n.at)]) })
	default:
		first := g.c.v(asm.VPBROADCASTD, g.size(loop.I32), r)
		n.apart[g.copy] = g.c.v(asm.VPSUBD, g.size(loop.I32), r, first)
	}
	n.mask[g.copy] = g.maskOfNear(n)
}

// maskOfNear is the mask of what is read, 0 if that is a whole vector.
func (g *gen) maskOfNear(n *near) reg {
	lanes := g.lanes.lanes
	switch {
	case n.fixed && (n.last == 0 || n.last+1 >= lanes):
		return 0
	case n.fixed:
		return g.t.tailOf(lanes, n.last+1, 0).mask
	}
	pick := g.c.lanes32(func(int) uint32 { return uint32(lanes - 1) })
	last := g.c.v(asm.VPERMD, g.size(loop.I32), pick, n.apart[g.copy])
	return g.t.cmpInt(loop.I32, loop.LE, g.ramp(loop.I32, 1), last)
}

// loadNear is a load of all lanes by an index whose lanes are near; 0 if it takes another way.
func (g *gen) loadNear(a *loop.Access, at mem) reg {
	n := g.nears[a.Index]
	k := a.Mem.Kind()
	if n == nil || !g.permutes(k) {
		return 0
	}
	mask := n.mask[g.copy]
	if mask != 0 && a.Mem.Bytes() < 4 && !g.t.masksNarrow() {
		return 0
	}
	at = g.indexed(at, n.base[g.copy], a.Mem.Bytes())
	if r := g.loadWhole(a, at, n); r != 0 {
		return r
	}
	if n.last == 0 {
		return g.loadSame(a.Mem, at)
	}
	twice := !g.c.target.AVX512 && n.low && a.Mem.Bytes() == 4
	if !twice || !n.isFour() {
		if r := g.loadWordRecord(a); r != 0 {
			return r
		}
	}
	switch apart := n.apart[g.copy]; {
	case k.Bits() == 64:
		places := g.c.v(asm.VPMOVZXDQ, g.size(k), apart)
		return g.c.v(asm.VPERMQ, g.size(k), places, g.t.loadUnit(a.Mem, at, mask))
	case g.c.target.AVX512 && n.fixed && n.last == 7 && a.Mem.Bytes() == 4 && g.lanes.lanes == 16:
		return g.c.v(asm.VPERMD, g.size(k), apart, g.c.vm(asm.VMOVUPS, asm.VL256, at))
	case twice:
		return g.c.v(asm.VPERMILPS, g.size(k), g.loadTwice(at, n, mask), apart)
	case !g.c.target.AVX512 && n.within:
		return g.c.v(asm.VPERMILPS, g.size(k), g.t.loadUnit(a.Mem, at, mask), apart)
	default:
		return g.c.v(asm.VPERMD, g.size(k), apart, g.t.loadUnit(a.Mem, at, mask))
	}
}

// permutes reports whether an instruction permutes lanes of kind k, those of 64 bits by places of 32 that are widened.
func (g *gen) permutes(k loop.Kind) bool {
	return k.Bits() == 32 || k.Bits() == 64 && g.c.target.AVX512
}

// loadTwice reads up to four elements into either half of a vector: there they are shuffled faster than across halves.
func (g *gen) loadTwice(at mem, n *near, mask reg) reg {
	if n.isFour() {
		return g.c.vm(asm.VBROADCASTF32X4, asm.VL256, at)
	}
	x := g.c.vm(asm.VPMASKMOVD, asm.VL128, at, mask)
	return g.c.vi(asm.VINSERTF32X4, asm.VL256, 1, x, x)
}
