package lapack

import (
	"errors"
	"sync"

	"github.com/goxla/xla/cpu/dense"
	"github.com/goxla/xla/cpu/exec"
)

// machine is what handlers run on.
type machine struct {
	steps *dense.Set // nil: plain Go, on one thread
	pool  *exec.Pool
	// memory holds what panels were made in.
	memory sync.Pool // of *[]float64
	work   workspaces
}

// kernels returns the steps, or nil.
func (m *machine) kernels() (*dense.Kernels[float64], error) {
	if m.steps == nil {
		return nil, nil
	}
	k, err := dense.Of[float64](m.steps)
	if errors.Is(err, exec.ErrNoExec) {
		return nil, nil
	}
	return k, err
}

// blockedFrom is the size from which on matrices are computed in blocks.
const blockedFrom = 16

// blocked returns p if it is to be computed in blocks: real, on machine code, and of so many rows and columns.
func blocked[T field](p *problem[T], rows, cols int) (*problem[float64], bool) {
	q, ok := any(p).(*problem[float64])
	return q, ok && q.steps != nil && min(rows, cols) >= blockedFrom
}

// panels returns m in panels, with zeros behind its rows and columns. Give them back with lend.
func (p *problem[T]) panels(m matrix[float64]) dense.Matrix[float64] {
	out := p.borrow(m.rows, m.cols)
	for q := range out.Panels() {
		at, cols := out.Panel(q)
		panel, from := out.At[at:][:out.Rows*cols], m.at[min(q*out.Width, len(m.at)):]
		n := min(cols, m.cols-q*out.Width)
		for i := range m.rows {
			row := panel[i*cols:][:cols]
			copy(row, from[i*m.cols:][:n])
			clear(row[n:])
		}
		clear(panel[m.rows*cols:])
	}
	return out
}

// noPanels returns a matrix of zeros in panels.
func (p *problem[T]) noPanels(rows, cols int) dense.Matrix[float64] {
	m := p.borrow(rows, cols)
	clear(m.At)
	return m
}

// borrow returns a matrix of unknown content in panels.
func (p *problem[T]) borrow(rows, cols int) dense.Matrix[float64] {
	l := p.steps.Layout(rows, cols)
	if s, _ := p.memory.Get().(*[]float64); s != nil && cap(*s) >= l.Size() {
		return dense.Matrix[float64]{Layout: l, At: (*s)[:l.Size()]}
	}
	return dense.Matrix[float64]{Layout: l, At: dense.Aligned(make([]float64, l.Size()+dense.Slack), l.Size())}
}

// lend gives the memory of a matrix back, all of it: it begins with a cache line.
func (p *problem[T]) lend(m dense.Matrix[float64]) {
	v := m.At[:0]
	p.memory.Put(&v)
}

// fromPanels sets m to what panels has, and gives these back.
func (p *problem[T]) fromPanels(m matrix[float64], from dense.Matrix[float64]) {
	for q := range from.Panels() {
		at, cols := from.Panel(q)
		panel, to := from.At[at:], m.at[min(q*from.Width, len(m.at)):]
		n := min(cols, m.cols-q*from.Width)
		for i := range m.rows {
			copy(to[i*m.cols:][:n], panel[i*cols:])
		}
	}
	p.lend(from)
}
