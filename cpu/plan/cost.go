package plan

import (
	"slices"

	"github.com/goxla/xla/cpu/fuse"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Costs of computing an element, in units of an addition. What is above dear is stored
// rather than computed twice.
const (
	costDivide         = 8
	costTranscendental = 20
	dear               = 4
	// maxInline is the most instructions that are computed inside of one that is stored.
	maxInline = 96
	// maxMembers is the most stored values that one kernel computes.
	maxMembers = 48
)

var opCost = [op.NumCodes]int{
	op.Broadcast: 0, op.Reshape: 0, op.Transpose: 0, op.Slice: 0, op.Copy: 0, op.Bitcast: 0, op.Reverse: 0,
	op.Divide: costDivide, op.Sqrt: costDivide, op.Rsqrt: costDivide, op.Remainder: costDivide,
	op.Exponential: costTranscendental, op.Log: costTranscendental, op.Power: costTranscendental,
	op.Tanh: costTranscendental, op.Logistic: costTranscendental, op.Sine: costTranscendental,
	op.Cosine: costTranscendental,
	op.Tan:    costTranscendental, op.Atan2: costTranscendental, op.Erf: costTranscendental, op.Cbrt: costTranscendental,
	op.ExponentialMinusOne: costTranscendental, op.LogPlusOne: costTranscendental,
	op.Asin: costTranscendental, op.Acos: costTranscendental, op.Asinh: costTranscendental, op.Acosh: costTranscendental,
	op.Atanh: costTranscendental, op.Sinh: costTranscendental, op.Cosh: costTranscendental,
	op.Gather: 4, op.DynamicSlice: 2, op.DynamicUpdateSlice: 4, op.Concatenate: dear + 1, op.Pad: 2,
}

var isFree = [op.NumCodes]bool{
	op.Broadcast: true, op.Reshape: true, op.Transpose: true, op.Slice: true, op.Copy: true, op.Bitcast: true,
	op.Reverse: true, op.Constant: true, op.GetTupleElement: true, op.Tuple: true, op.Iota: true,
}

func costOf(i *hlo.Instruction) int {
	c := i.Code()
	if isFree[c] {
		return 0
	}
	return max(opCost[c], 1)
}

// isHeavy: the value takes a loop for every element, so it is computed once and kept.
func isHeavy(i *hlo.Instruction) bool {
	switch i.Code() {
	case op.Reduce, op.Dot, op.Convolution, op.ReduceWindow:
		return true
	}
	return false
}

// repeats: the operation reads elements of its operands many times each.
func repeats(user, i *hlo.Instruction) bool {
	switch user.Code() {
	case op.Dot, op.Convolution, op.ReduceWindow:
		return true
	case op.Gather:
		return user.Operand(0) == i || !singles(user) && !joinsIndices(i)
	case op.Broadcast:
		return user.Size() > 4*i.Size()
	}
	return false
}

// slides reports whether i is a convolution, or only moves elements for one: what pads its input is a copy that is to
// be made once.
func slides(i *hlo.Instruction) bool {
	switch i.Code() {
	case op.Convolution:
		return true
	case op.Reshape, op.Transpose, op.Bitcast:
		return slices.ContainsFunc(i.Users(), slides)
	}
	return false
}

// manyShifts is how many readers of parts of a padded array, or of it by another shape, want it in memory: with masks
// each of them would pad it anew.
const manyShifts = 4

// shifts returns how many instructions read parts of i, which only moves elements, or i by other shapes; else 0.
func shifts(i *hlo.Instruction) int {
	n := 0
	switch i.Code() {
	case op.Slice, op.Reshape, op.Bitcast:
		for _, u := range i.Users() {
			n += max(1, shifts(u))
		}
	}
	return n
}

// placement decides which values of a computation are stored.
type placement struct {
	fusible []bool // by instruction id: computed in a nest
	stored  []bool // in memory, at least as a first thought; see cluster
	cost    []int
	count   []int
	nests   []bool // computed by the kernels of into
	// products are the dots that package gemm computes; feeds says whose values they read.
	products []*product
	feeds    []bool
	// renames are the instructions whose value is that of their operand by another shape.
	renames []bool
	// inside are products, and their values by other shapes, that the updates by them compute: updating tells, by update,
	// of which product.
	inside   []bool
	updating []*hlo.Instruction
	// kept are the values that a product reads where they are stored, though it could read what they are made from.
	kept    []bool
	strided map[*hlo.Instruction]Strided
	minWork int
	// small: it is the body of a loop of which smallDots is true.
	small bool
	apart bool // no instruction is a part of another's step
	// vector is the bytes of a vector of products.
	vector int
	// machine is what nests are for; farL3: on one whose last cache is far.
	machine fuse.Machine
	farL3   bool
	far     bool // what is read and not computed comes from memory
	// farParts is the same of parts of arrays at places that are computed.
	farParts bool
	// forced are values that are stored so that larger ones need not be; again: there are new ones.
	forced []bool
	again  bool
}

func place(c *hlo.Computation, o Options, small bool) *placement {
	n := c.NumIDs()
	p := &placement{fusible: make([]bool, n), stored: make([]bool, n), cost: make([]int, n), count: make([]int, n),
		nests: make([]bool, n), products: make([]*product, n), feeds: make([]bool, n),
		renames: make([]bool, n), kept: make([]bool, n), inside: make([]bool, n), forced: make([]bool, n),
		updating: make([]*hlo.Instruction, n), strided: o.Strided, minWork: o.MinProduct,
		apart: o.NoFusion, machine: machineOf(o), farL3: o.Machine.FarL3, vector: o.Machine.Tier.VectorBytes(),
		small: small && !o.NoFusion && o.MinProduct == 0}
	if from := o.Machine.AskFrom; from > 0 {
		p.far, p.farParts = readsFar(c, from, false), readsFar(c, from, true)
	}
	if p.minWork == 0 {
		p.minWork = minProductWork
	}
	order := c.PostOrder()
	for _, i := range order {
		p.fusible[i.ID()] = p.fits(i)
		if r := p.productOf(i); r != nil {
			p.fusible[i.ID()], p.products[i.ID()] = false, r
			for _, o := range r.reads() {
				p.feeds[o.ID()] = true
			}
		}
		if p.fusible[i.ID()] && p.renamesOperand(i) {
			p.fusible[i.ID()], p.renames[i.ID()] = false, true
		}
	}
	p.computeInside(order)
	for round := 0; round == 0 || p.again && round < maxPlacements; round++ {
		p.again = false
		p.decideAll(order)
	}
	return p
}

// maxPlacements bounds how often it is decided anew what is stored.
const maxPlacements = 4

func (p *placement) decideAll(order []*hlo.Instruction) {
	for _, i := range order {
		p.nests[i.ID()] = p.fusible[i.ID()] && updates(i) && !p.writtenOut(i) || scatters(i) && fuse.ScatterFits(i) ||
			i.Code() == op.RngBitGenerator && fuse.RngFits(i) || fuse.Cumulative(i)
		p.decide(i)
	}
	p.freeStates(order[0].Computation().Root())
}

// fits reports whether i is computed in a nest. Tuples are only names for their elements.
func (p *placement) fits(i *hlo.Instruction) bool {
	switch i.Code() {
	case op.Tuple, op.Parameter:
		return false
	case op.GetTupleElement:
		return p.fusible[i.Operand(0).ID()]
	}
	return len(i.ControlPredecessors()) == 0 && fuse.Emits(i) && !isEmpty(i.Shape())
}

// isEmpty reports whether an array, or the first of a tuple of arrays, has no elements.
func isEmpty(s shape.Shape) bool {
	if s.IsTuple() {
		return len(s.Elems) == 0 || isEmpty(s.Elems[0])
	}
	return s.Size() == 0
}

func (p *placement) decide(i *hlo.Instruction) {
	id := i.ID()
	if !p.fusible[id] {
		p.stored[id] = !p.inside[id]
		return
	}
	p.cost[id], p.count[id] = costOf(i), 1
	for _, o := range i.Operands() {
		if !p.stored[o.ID()] {
			p.cost[id] += p.cost[o.ID()]
			p.count[id] += p.count[o.ID()]
		}
	}
	p.stored[id] = p.mustStore(i)
	if !p.stored[id] && p.count[id] > maxInline {
		p.stored[id] = !isFree[i.Code()] || p.count[id] > 2*maxInline
	}
}

func (p *placement) mustStore(i *hlo.Instruction) bool {
	if i.Code() == op.GetTupleElement || i.Code() == op.Constant && !i.IsRoot() && !usedOutside(p, i) {
		return false
	}
	if i.IsRoot() || isHeavy(i) && !p.foldsAway(i) || i.Code() == op.DynamicUpdateSlice ||
		i.Code() == op.Concatenate && !p.picks(i) && !p.writtenOut(i) && !p.joins(i) && !p.stacks(i) {
		return true
	}
	if usedOutside(p, i) || p.forced[i.ID()] {
		return true
	}
	users := i.Users()
	for _, u := range users {
		if p.cost[i.ID()] > 0 && interleaves(u) || p.cost[i.ID()] > dear && repeats(u, i) ||
			p.cost[i.ID()] >= costTranscendental && isShortPart(u, i) ||
			i.Code() == op.Pad && (slides(u) || shifts(u) >= manyShifts) ||
			i.Code() == op.Transpose && u.Code() == op.Dot && isUnblocked(u) && u.Operand(1) == i || p.turnsPairs(u, i) {
			return true
		}
	}
	if p.oftenRead(i) {
		return true
	}
	if len(users) < 2 || p.cost[i.ID()] <= dear {
		return false
	}
	p.forceSources(i)
	return true
}

// singles reports whether gather i takes single elements: then it reads each start index once.
func singles(i *hlo.Instruction) bool {
	return !slices.ContainsFunc(i.Attrs().(*op.GatherAttrs).SliceSizes, func(n int) bool { return n > 1 })
}

// mostEach is how many elements of a slice read the place of it anew at most, as the channels of an image do.
const mostEach = 4

// fewEach reports whether gather i takes slices of few elements.
func fewEach(i *hlo.Instruction) bool {
	return sizeOf(i.Attrs().(*op.GatherAttrs).SliceSizes) <= mostEach
}

// sizeOf is how many elements an array of those dimensions has.
func sizeOf(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}

// joinsIndices reports whether i is a concatenation that joins the components of the places of elements that a gather
// takes, or of a few elements each: the gather computes each by itself.
func joinsIndices(i *hlo.Instruction) bool {
	users := i.Users()
	if i.Code() != op.Concatenate || len(users) != 1 || users[0].Code() != op.Gather || users[0].Operand(0) == i ||
		!fewEach(users[0]) {
		return false
	}
	return users[0].Attrs().(*op.GatherAttrs).IndexVectorDim == i.Attrs().(*op.ConcatenateAttrs).Dimensions[0]
}

// shortPart is how many elements of a row of a concatenation leave many lanes empty, leastParts how many rows there are
// at least.
const shortPart, leastParts = 6, 64

// isShortPart reports whether concatenation u has few elements of i in each of its rows: functions that take long are
// computed in all lanes before.
func isShortPart(u, i *hlo.Instruction) bool {
	if u.Code() != op.Concatenate || !i.IsArray() {
		return false
	}
	dim := u.Attrs().(*op.ConcatenateAttrs).Dimensions[0]
	row, whole := sizeOf(i.Dims()[dim:]), sizeOf(u.Dims()[dim:])
	return row <= shortPart && whole > 2*shortPart && i.Size() >= leastParts*row
}

// mostForEach is what the place of a slice costs at most that is computed for each of its elements.
const mostForEach = 24

// joins is joinsIndices where to compute places again costs little.
func (p *placement) joins(i *hlo.Instruction) bool {
	return joinsIndices(i) && (singles(i.Users()[0]) || p.cost[i.ID()] <= mostForEach)
}

const (
	// mostPicked is how many operands a concatenation has at most that is computed where it is read.
	mostPicked = 3
	// mostForAll is what an operand costs at most that is then computed in all places.
	mostForAll = 4
)

// picks reports whether the concatenation i only picks elements of a few arrays, as the halves of what is rolled: to
// read each element of all, and to drop what is not wanted, takes less than to store it first. So does a little that
// is computed of each, as the sign of a half of what is turned by an angle, if i is read in its own order.
func (p *placement) picks(i *hlo.Instruction) bool {
	if len(i.Operands()) > mostPicked || interleaves(i) && isJoined(i) ||
		slices.ContainsFunc(i.Users(), func(u *hlo.Instruction) bool { return movesShortRows(u, i) }) {
		return false
	}
	most := 0
	if !slices.ContainsFunc(i.Users(), func(u *hlo.Instruction) bool { return !u.Code().Info().Has(op.Elementwise) }) {
		most = mostForAll
	}
	return !slices.ContainsFunc(i.Operands(), func(o *hlo.Instruction) bool {
		return p.cost[o.ID()] > most && !p.stored[o.ID()]
	})
}

// stacks reports whether the elements of concatenation i are computed by the reduction that takes in a few of them
// each.
func (p *placement) stacks(i *hlo.Instruction) bool {
	return !p.apart && fuse.Stacks(i) && !slices.ContainsFunc(i.Users(), func(u *hlo.Instruction) bool {
		return !p.fusible[u.ID()]
	})
}

// spread is how many times as large as a value what is made from it is at least, for the value to be stored instead.
const spread = 16

// forceSources has the small values stored that i, dear and read more than once, is made from by broadcasts: that may
// be all that makes it dear.
func (p *placement) forceSources(i *hlo.Instruction) {
	if !i.IsArray() {
		return
	}
	seen := map[*hlo.Instruction]bool{}
	var visit func(x *hlo.Instruction, below bool)
	visit = func(x *hlo.Instruction, below bool) {
		id := x.ID()
		if seen[x] || p.stored[id] || p.cost[id] == 0 {
			return
		}
		seen[x] = true
		if below && !isFree[x.Code()] {
			if x.IsArray() && x.Size() <= i.Size()/spread {
				p.forced[id], p.again = true, true
			}
			return
		}
		for _, o := range x.Operands() {
			visit(o, below || x.Code() == op.Broadcast)
		}
	}
	visit(i, false)
}

// maxFolded is the most elements of a reduction that is computed inside of another.
const maxFolded = 64

// maxWritten is the most elements of a reduction that is written out where another takes in each of its values a few
// times, and the most such times: these are computed together.
const maxWritten = 4

// foldsAway reports whether i is a short reduction whose value one other reduction takes in, element by element, or
// the same for a few elements: then it is a loop inside of that one's, or no loop at all.
func (p *placement) foldsAway(i *hlo.Instruction) bool {
	if i.Code() != op.Reduce || !i.IsArray() || i.Operand(0).Size() > maxFolded*i.Size() {
		return false
	}
	times, most := 1, 1
	if i.Operand(0).Size() <= maxWritten*i.Size() {
		most = maxWritten
	}
	for u := i; ; {
		users := u.Users()
		if len(users) > 1 {
			return p.meet(u)
		}
		if len(users) == 0 || u.IsRoot() || !p.fusible[users[0].ID()] {
			return false
		}
		n := users[0].Size() / max(u.Size(), 1)
		u = users[0]
		if u.Code() == op.Reduce {
			return true
		}
		if u.Code() == op.Broadcast {
			times *= n
		} else if !u.Code().Info().Has(op.Elementwise) {
			return false
		}
		if times > most {
			return false
		}
	}
}

// mostMeeting is how many instructions there may be between a value and the reduction where its uses meet.
const mostMeeting = 16

// meet reports whether all uses of i come together in one reduction, element by element.
func (p *placement) meet(i *hlo.Instruction) bool {
	var end *hlo.Instruction
	list := []*hlo.Instruction{i}
	for k := 0; k < len(list); k++ {
		if len(list) > mostMeeting || list[k].IsRoot() {
			return false
		}
		for _, u := range list[k].Users() {
			switch {
			case !p.fusible[u.ID()]:
				return false
			case u.Code() == op.Reduce && (end == nil || end == u):
				end = u
			case !u.Code().Info().Has(op.Elementwise):
				return false
			case !slices.Contains(list, u):
				list = append(list, u)
			}
		}
	}
	return end != nil
}

// usedOutside reports whether what is not computed in a nest uses i, itself or by a tuple.
func usedOutside(p *placement, i *hlo.Instruction) bool {
	if p.feeds[i.ID()] {
		return true
	}
	for _, u := range i.Users() {
		if !p.fusible[u.ID()] && p.products[u.ID()] == nil && !p.scattersInline(u, i) {
			return true
		}
	}
	return false
}

// wideWindow is how many elements a window has that is combined in lanes: where it begins is then computed seldom.
const wideWindow = 16

// scattersInline reports whether the kernel of scatter u computes i where it reads it: a scalar that is repeated, what
// is only moved, and where windows are wide whatever is cheap.
func (p *placement) scattersInline(u, i *hlo.Instruction) bool {
	if u.Code() != op.Scatter || !fuse.ScatterFits(u) {
		return false
	}
	if i.Code() == op.Broadcast && i.Operand(0).Rank() == 0 {
		return true
	}
	window, updates := 1, u.Operand(len(u.Operands())-1).Dims()
	for _, d := range u.Attrs().(*op.ScatterAttrs).UpdateWindowDims {
		window *= updates[d]
	}
	return p.cost[i.ID()] == 0 || window >= wideWindow && p.cost[i.ID()] <= dear
}

func scatters(i *hlo.Instruction) bool {
	return i.Code() == op.Scatter || i.Code() == op.SelectAndScatter
}
