//go:build linux && (amd64 || arm64)

package mpi

import (
	"unsafe"

	"github.com/goxla/xla/collective"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// This file holds reductions in a fixed order: MPI moves the bytes, and whoever combines an element does it in the
// order of the group, so how elements are shared out does not show.

// combiner combines arrays of one type, element by element.
type combiner struct {
	t       shape.ElementType
	reducer collective.Reducer
	native  *reduction // if MPI may do it
	shape   shape.Shape
}

// combine sets each element of acc to the combination of it and that of x.
func (c *combiner) combine(acc, x []byte) error {
	if len(acc) == 0 {
		return nil
	}
	if c.native != nil && c.native.kernel != nil && len(acc) <= pipeLimit {
		c.native.kernel(acc, x)
		return nil
	}
	if n := len(acc) / c.t.ByteSize(); c.shape.Type != c.t || c.shape.Dims[0] != n {
		c.shape = shape.Make(c.t, n)
	}
	a, err := literal.FromBytes(c.shape, acc)
	if err != nil {
		return err
	}
	b, err := literal.FromBytes(c.shape, x)
	if err != nil {
		return err
	}
	if err := c.reducer.Combine(a, b); err != nil {
		return err
	}
	if bytes := a.Bytes(); unsafe.SliceData(bytes) != unsafe.SliceData(acc) { // predicates are checked, not shared
		copy(acc, bytes)
	}
	return nil
}

// combinerOf returns that of arrays of a type. It is used until the next one is asked for.
func (c *member) combinerOf(t shape.ElementType, r collective.Reducer) *combiner {
	c.combiner.t, c.combiner.reducer, c.combiner.native = t, r, nil
	c.combiner.native = c.session.transport.native[reductionKey{t, r.Kind}]
	return &c.combiner
}

// wholeLimit is how many bytes a member may receive for every one to combine all of an array, which takes one exchange
// instead of two.
const wholeLimit = 32 << 10

const (
	// windowSize is how many bytes a member combines at a time: longer pieces take longer to come than to be begun.
	windowSize = 2 << 20
	// wholePair is up to how many bytes two members combine all of an array where MPI does that: as many come
	// as otherwise, but they are combined twice.
	wholePair = 2 << 20
)

// allReduce combines an array and gives the result to all members. recv may be send.
func (l *lane) allReduce(w *waiter, recv, send []byte, c *combiner) error {
	window, reduce := l.window(c), l.reduceShares
	switch {
	case len(l.group) == 2 && c.native != nil && len(send) <= wholePair:
		reduce = l.reduceWhole
	case len(send)*len(l.group) <= wholeLimit:
		reduce = l.reduceWhole
	default:
		window *= min(len(l.group), 4)
	}
	for first := 0; first < len(send); first += window {
		end := min(len(send), first+window)
		if err := reduce(w, recv[first:end], send[first:end], c); err != nil {
			return err
		}
	}
	return nil
}

// window returns how many bytes of whole elements a member combines at a time.
func (l *lane) window(c *combiner) int { return l.engine.window / c.t.ByteSize() * c.t.ByteSize() }

// share returns the elements of b that member k combines.
func (l *lane) share(b []byte, k int, c *combiner) []byte {
	width := c.t.ByteSize()
	n := len(b) / width
	return b[n*k/len(l.group)*width : n*(k+1)/len(l.group)*width]
}

// reduceShares combines arrays: each member a share of the elements.
func (l *lane) reduceShares(w *waiter, recv, send []byte, c *combiner) error {
	mine := l.share(recv, l.self, c)
	if err := l.fold(w, mine, func(k int) []byte { return l.share(send, k, c) }, c); err != nil {
		return err
	}
	for k := range l.group {
		l.give(k, mine, c.t)
		l.take(k, l.share(recv, k, c), c.t)
	}
	return l.exchange(w)
}

// reduceWhole has every member combine all of an array.
func (l *lane) reduceWhole(w *waiter, recv, send []byte, c *combiner) error {
	return l.fold(w, recv, func(int) []byte { return send }, c)
}

// reduceScatter combines what the members send to this one.
func (l *lane) reduceScatter(w *waiter, recv []byte, send [][]byte, c *combiner) error {
	window := l.window(c)
	for first := 0; first < len(recv); first += window {
		end := min(len(recv), first+window)
		if err := l.fold(w, recv[first:end], func(k int) []byte { return send[k][first:end] }, c); err != nil {
			return err
		}
	}
	return nil
}

// fold gives each member what is for it, and sets result to what is for this one, combined in the order of the
// group. What comes from the first member goes where the result is to be, unless that is where this one's own is.
func (l *lane) fold(w *waiter, result []byte, given func(k int) []byte, c *combiner) error {
	if len(result) == 0 {
		return l.foldNothing(w, given, c)
	}
	mine := given(l.self)
	came, acc, err := l.arrays(len(result))
	if err != nil {
		return err
	}
	apart := unsafe.SliceData(result) != unsafe.SliceData(mine)
	if apart {
		acc = result
	}
	came[0] = acc
	for k := range l.group {
		l.give(k, given(k), c.t)
		l.take(k, came[k], c.t)
	}
	if l.self == 0 {
		copy(acc, mine)
	} else {
		came[l.self] = mine
	}
	if err := l.combine(w, acc, came[1:], c); err != nil {
		return err
	}
	if !apart {
		copy(result, acc)
	}
	return nil
}

// foldNothing gives the others what is for them.
func (l *lane) foldNothing(w *waiter, given func(k int) []byte, c *combiner) error {
	for k := range l.group {
		l.give(k, given(k), c.t)
	}
	return l.exchange(w)
}

// combine exchanges the parts, and combines those in list with acc.
func (l *lane) combine(w *waiter, acc []byte, list [][]byte, c *combiner) error {
	inMPI := c.native != nil && l.near && !l.pipes.carry(len(acc))
	if inMPI {
		for _, x := range list {
			l.folds = append(l.folds, folding{acc, x, c.native})
		}
	}
	if err := l.exchange(w); err != nil || inMPI {
		return err
	}
	for _, x := range list {
		if err := c.combine(acc, x); err != nil {
			return err
		}
	}
	return nil
}

// arrays returns room for an array of each member and for a result, in memory outside of Go's heap.
func (l *lane) arrays(n int) (came [][]byte, acc []byte, err error) {
	each := roundUp(n)
	memory, err := l.engine.arena.enlarge(&l.scratch, each*(len(l.group)+1))
	if err != nil {
		return nil, nil, err
	}
	l.came = l.came[:0]
	for k := range len(l.group) + 1 {
		l.came = append(l.came, memory[k*each:k*each+n])
	}
	return l.came[:len(l.group)], l.came[len(l.group)], nil
}

// size returns the bytes of arrays.
func size(list []literal.Literal) int {
	n := 0
	for _, x := range list {
		n += len(x.Bytes())
	}
	return n
}
