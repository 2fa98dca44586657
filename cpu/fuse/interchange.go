package fuse

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Interchange is a while loop over arrays of which each iteration computes elements from those at the same place. Two
// kernels take turns to do a number of its iterations, a round: one goes through the scalars of the state and records
// those that arrays are computed from (Scalars), the other one goes through the arrays, and does all iterations of the
// round for the elements that are in registers before it goes on to the next ones (Arrays).
//
// The condition may ask for more than scalars, for tests: whether something is true of any element. Then nobody knows
// how many iterations there are before they are done, and the arrays of a round are new ones. Arrays notes in which
// iterations each test holds, and Scalars goes through their conditions. If the loop ends in the round, the round is
// done again from the old arrays, with as many iterations as there are.
type Interchange struct {
	Inst *hlo.Instruction
	// state are the shapes of the elements of the state, parts what they are to the loop.
	state []shape.Shape
	parts []part
	dims  []int
	// feeds are the scalars that arrays are computed from and that are not the same in all iterations.
	feeds []*hlo.Instruction
	tests []test
	// rows: some value is not computed from elements at its own place alone, as numbers of rows, so indices matter.
	rows  bool
	class map[*hlo.Instruction]class
	work  int // instructions for an element
	// always: rounds may be slower than the loop as it stands.
	always bool
}

// part is what an element of the state is to the loop.
type part uint8

const (
	kept   part = iota // it stays the same
	scalar             // it changes, and is computed from scalars
	array              // it changes, element by element
)

// class says what an instruction of the body or the condition is.
type class uint8

const (
	other    class = iota // it has no form here
	fixed                 // it is the same in all iterations
	changing              // a scalar that is not
	decided               // a scalar that tests decide
	lanes                 // an array that is not
)

// Limits of what is worth it.
const (
	// mostState is the most arrays of the state, which are in registers, and mostRegisters the most of all that is.
	mostState, mostRegisters = 12, 20
	// mostBody is the most instructions of an iteration.
	mostBody = 400
	// leastBytes is how many bytes of arrays there are at least, new ones included. Fewer are fast where they are, in the
	// first cache.
	leastBytes = 1 << 17
	// leastRow is the least extent of the last dimension where indices matter.
	leastRow = 16
)

// InterchangeOf looks whether i is such a loop; else it returns nil. With always it may be one that is not worth it.
func InterchangeOf(i *hlo.Instruction, always bool) *Interchange {
	cond, body := i.Called()[0], i.Called()[1]
	root := body.Root()
	if !i.IsTuple() || root.Code() != op.Tuple || body.NumIDs() > mostBody {
		return nil
	}
	x := &Interchange{Inst: i, always: always, state: i.Shape().Elems, class: map[*hlo.Instruction]class{}}
	if !x.findParts(root) || !x.classify(cond) || !x.classify(body) {
		return nil
	}
	for k, o := range root.Operands() {
		c := x.class[o]
		if c == other || x.parts[k] == scalar && c == lanes {
			return nil
		}
	}
	if c := x.class[cond.Root()]; c == other || c == lanes || !x.worth() {
		return nil
	}
	x.findFeeds()
	return x
}

// findParts says what the elements of the state are. Those that are arrays and change have the same dimensions.
func (x *Interchange) findParts(root *hlo.Instruction) bool {
	arrays := 0
	for k, s := range x.state {
		o := root.Operand(k)
		switch {
		case !s.IsArray() || !s.IsStatic() || !s.HasDefaultLayout():
			return false
		case o.Code() == op.GetTupleElement && elementOf(o) == k:
			x.parts = append(x.parts, kept)
			continue
		case s.Rank() == 0:
			x.parts = append(x.parts, scalar)
			continue
		case x.dims == nil:
			x.dims = s.Dims
		case !slices.Equal(x.dims, s.Dims):
			return false
		}
		x.parts = append(x.parts, array)
		arrays++
	}
	return arrays > 0 && arrays <= mostState
}

// elementOf is the number of the element of the state that i, a get-tuple-element of it, gives.
func elementOf(i *hlo.Instruction) int { return i.Attrs().(*op.GetTupleElementAttrs).Index }

// classify finds the class of each instruction of c, the condition or the body.
func (x *Interchange) classify(c *hlo.Computation) bool {
	for _, i := range c.DataOrder() {
		switch i.Code() {
		case op.Parameter, op.Tuple:
			if i.Code() == op.Tuple && !i.IsRoot() {
				return false
			}
		case op.GetTupleElement:
			if i.Operand(0).Code() != op.Parameter {
				return false
			}
			x.class[i] = [...]class{kept: fixed, scalar: changing, array: lanes}[x.parts[elementOf(i)]]
		default:
			if len(i.ControlPredecessors()) > 0 {
				return false
			}
			x.class[i] = x.classOf(i)
		}
	}
	return true
}

func (x *Interchange) classOf(i *hlo.Instruction) class {
	if t, ok := x.testOf(i); ok && i.Computation() == x.Inst.Called()[0] {
		x.tests = append(x.tests, t)
		return decided
	}
	most, same := fixed, true
	for _, o := range i.Operands() {
		c := x.class[o]
		if c == other || c == decided && i.Rank() > 0 {
			return other
		}
		most = max(most, c)
		same = same && (o.Rank() == 0 || slices.Equal(o.Dims(), i.Dims()))
	}
	switch code := i.Code(); {
	case !i.IsArray() || !Emits(i) && code != op.Constant:
		return other
	case i.Rank() == 0:
		if most == lanes || !inlinesOne(i) {
			return other
		}
		return most
	case code == op.Constant || code == op.Copy || code == op.Broadcast && i.Operand(0).Rank() == 0:
	case code == op.Reshape || code == op.Bitcast:
		if most != fixed && i.Size() != product(x.dims) {
			return other
		}
		x.rows = x.rows || most == fixed && i.Size() != product(x.dims)
	case code == op.Iota || indexMaps[code] != nil && most == fixed:
		x.rows = true
	case !same || !isElementwise(i) || code == op.Map:
		return other
	}
	x.work++
	if most == changing {
		return lanes
	}
	return most
}

// worth reports whether the kernel of arrays has enough to do and registers enough for it.
func (x *Interchange) worth() bool {
	n, registers, computes := product(x.dims), 0, false
	for k, p := range x.parts {
		if p == array || p == kept && x.state[k].Rank() > 0 {
			registers++
		}
	}
	for i, c := range x.class {
		computes = computes || c == lanes && i.Code() != op.GetTupleElement && i.Computation() == x.Inst.Called()[1]
	}
	if !computes || !x.always && x.bytes() < leastBytes || registers > mostRegisters || len(x.tests) > mostTests {
		return false
	}
	if x.rows && (x.dims[len(x.dims)-1] < leastRow || x.reshapes()) {
		return false
	}
	return len(x.tests) == 0 || x.work <= mostSpeculated && (!x.rows || n/x.dims[len(x.dims)-1] <= mostRows)
}

// reshapes reports whether elements of the state are looked at as an array of other dimensions.
func (x *Interchange) reshapes() bool {
	for i, c := range x.class {
		if c == lanes && !slices.Equal(i.Dims(), x.dims) {
			return true
		}
	}
	return false
}

// findFeeds finds the scalars that arrays and tests are computed from, in a fixed order.
func (x *Interchange) findFeeds() {
	var seen [2]set
	feed := func(k int, i *hlo.Instruction) {
		if i != nil && x.class[i] == changing && seen[k].add(i) {
			x.feeds = append(x.feeds, i)
		}
	}
	for k, c := range x.Inst.Called() {
		for _, i := range c.DataOrder() {
			if x.class[i] == lanes {
				for _, o := range i.Operands() {
					feed(k, o)
				}
			}
		}
	}
	for _, t := range x.tests {
		feed(0, t.bound)
	}
}

// Tested reports whether the condition asks for tests: whether the arrays of a round are new ones.
func (x *Interchange) Tested() bool { return len(x.tests) > 0 }
