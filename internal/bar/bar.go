//go:build !js

// Package bar shows how far long work is, on a terminal. Where there are none (js), it shows nothing.
package bar

import (
	"io"
	"os"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"
)

// Bar is a bar of steps.
type Bar struct {
	bars  *mpb.Progress
	bar   *mpb.Bar
	lines io.Writer
}

// New returns a bar of n steps on standard error, if that is a terminal and show is true; it goes when it ends. Lines
// are for w.
func New(w io.Writer, n int, show bool) *Bar {
	b := &Bar{lines: w}
	var out io.Writer // nil: nothing is shown
	if show && term.IsTerminal(int(os.Stderr.Fd())) {
		out = os.Stderr
	}
	b.bars = mpb.New(mpb.WithOutput(out))
	b.bar = b.bars.AddBar(int64(n), mpb.BarRemoveOnComplete(), mpb.PrependDecorators(decor.CountersNoUnit("%d / %d")))
	if out != nil && w == os.Stdout && term.IsTerminal(int(os.Stdout.Fd())) {
		b.lines = b.bars
	}
	return b
}

// Step counts one more step.
func (b *Bar) Step() { b.bar.Increment() }

// Lines is where lines go while the bar is there: above it, if they and it are on terminals.
func (b *Bar) Lines() io.Writer { return b.lines }

// End takes the bar away.
func (b *Bar) End() {
	b.bar.Abort(true)
	b.bars.Wait()
}
