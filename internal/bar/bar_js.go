// Package bar shows how far long work is, on a terminal. Where there are none (js), it shows nothing.
package bar

import "io"

// Bar is a bar of steps that is not shown.
type Bar struct{ lines io.Writer }

// New returns a bar; lines are for w.
func New(w io.Writer, _ int, _ bool) *Bar { return &Bar{w} }

// Step counts one more step.
func (*Bar) Step() {}

// Lines is where lines go.
func (b *Bar) Lines() io.Writer { return b.lines }

// End takes the bar away.
func (*Bar) End() {}
