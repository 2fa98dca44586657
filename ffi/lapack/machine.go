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
	memory, memory32 sync.Pool // of *[]float64 and *[]float32
	work             workspaces
}

// kernels returns the steps for a type of numbers, or nil.
func kernels[F dense.Float](m *machine) (*dense.Kernels[F], error) {
	if m.steps == nil {
		return nil, nil
	}
	k, err := dense.Of[F](m.steps)
	if errors.Is(err, exec.ErrNoExec) {
		return nil, nil
	}
	return k, err
}

// panels returns m in panels, with zeros behind its rows and columns. Give them back with lend.
func panels[F dense.Float](p *problem[F], m matrix[F]) dense.Matrix[F] {
	out := borrow(p, m.rows, m.cols)
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
func noPanels[F dense.Float](p *problem[F], rows, cols int) dense.Matrix[F] {
	m := borrow(p, rows, cols)
	clear(m.At)
	return m
}

// borrow returns a matrix of unknown content in panels.
func borrow[F dense.Float](p *problem[F], rows, cols int) dense.Matrix[F] {
	l := stepsOf(p).Layout(rows, cols)
	if s, _ := p.memory.Get().(*[]F); s != nil && cap(*s) >= l.Size() {
		return dense.Matrix[F]{Layout: l, At: (*s)[:l.Size()]}
	}
	return dense.Matrix[F]{Layout: l, At: dense.Aligned(make([]F, l.Size()+dense.Slack), l.Size())}
}

// lend gives the memory of a matrix back, all of it: it begins with a cache line.
func lend[F dense.Float](p *problem[F], m dense.Matrix[F]) {
	v := m.At[:0]
	p.memory.Put(&v)
}

// fromPanels sets m to what panels has, and gives these back.
func fromPanels[F dense.Float](p *problem[F], m matrix[F], from dense.Matrix[F]) {
	for q := range from.Panels() {
		at, cols := from.Panel(q)
		panel, to := from.At[at:], m.at[min(q*from.Width, len(m.at)):]
		n := min(cols, m.cols-q*from.Width)
		for i := range m.rows {
			copy(to[i*m.cols:][:n], panel[i*cols:])
		}
	}
	lend(p, from)
}
