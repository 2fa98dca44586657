package interp

import (
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// scalarLoop is a while whose condition and body work on a few scalars: both run as
// scalar programs on one state, so that an iteration allocates nothing.
type scalarLoop struct {
	state           literal.Literal
	condition, body *scalarProgram
	params, results []literal.Literal // the leaves of the state, and of the body's result
	saved           []byte
}

// maxLoopElements is the size of the largest array that a scalar loop works on.
const maxLoopElements = 16

// scalarLoop returns the loop of the while instruction n, made at its first use; nil
// if it is not made of small arrays only.
func (in *Interp) scalarLoop(n *hlo.Instruction) (*scalarLoop, error) {
	if l, ok := in.loops[n]; ok {
		return l, nil
	}
	in.loops[n] = nil
	condition, body := n.Called()[0], n.Called()[1]
	if !isSmall(condition) || !isSmall(body) {
		return nil, nil
	}
	l := &scalarLoop{state: literal.New(dropLayout(n.Shape()))}
	var err error
	if l.condition, err = in.newScalarProgram(condition, []literal.Literal{l.state}); err != nil {
		return nil, err
	}
	if l.body, err = in.newScalarProgram(body, []literal.Literal{l.state}); err != nil {
		return nil, err
	}
	l.params = flatten(nil, l.state)
	for _, r := range l.body.results {
		l.results = flatten(l.results, r)
	}
	in.loops[n] = l
	return l, nil
}

// isSmall reports whether every value in c, and in what c calls, is a small array of
// static size, or made of such.
func isSmall(c *hlo.Computation) bool { return small(c, map[*hlo.Computation]bool{}) }

func small(c *hlo.Computation, seen map[*hlo.Computation]bool) bool {
	if seen[c] {
		return true
	}
	seen[c] = true
	for _, n := range c.Instructions() {
		if !smallShape(n.Shape()) {
			return false
		}
		for _, f := range n.Called() {
			if !small(f, seen) {
				return false
			}
		}
	}
	return true
}

func smallShape(s shape.Shape) bool {
	for _, e := range s.Elems {
		if !smallShape(e) {
			return false
		}
	}
	return s.IsTuple() || s.IsArray() && s.IsStatic() && s.Size() <= maxLoopElements
}

// flatten appends the arrays of l to list.
func flatten(list []literal.Literal, l literal.Literal) []literal.Literal {
	if !l.Shape().IsTuple() {
		return append(list, l)
	}
	for _, e := range l.Elems() {
		list = flatten(list, e)
	}
	return list
}

// run executes the loop from state on.
func (l *scalarLoop) run(in *Interp, state literal.Literal) (literal.Literal, error) {
	if err := literal.Copy(l.state, state); err != nil {
		return literal.Literal{}, err
	}
	for i := 0; ; i++ {
		if err := in.poll(i); err != nil {
			return literal.Literal{}, err
		}
		if err := l.condition.run(); err != nil {
			return literal.Literal{}, err
		}
		if !l.condition.results[0].BoolAt(0) {
			return l.state.Clone(), nil
		}
		if err := l.body.run(); err != nil {
			return literal.Literal{}, err
		}
		l.next()
	}
}

// next copies the results to the state. A result may be another element of the
// state, so all are saved first.
func (l *scalarLoop) next() {
	l.saved = l.saved[:0]
	for _, r := range l.results {
		l.saved = append(l.saved, r.Bytes()...)
	}
	saved := l.saved
	for _, p := range l.params {
		saved = saved[copy(p.Bytes(), saved):]
	}
}
