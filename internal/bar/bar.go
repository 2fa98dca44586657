// Package bar shows how far long work is, on a terminal.
package bar

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"
)

// Bar is a bar of steps. Its methods may be called from several goroutines at once.
type Bar struct {
	mu    sync.Mutex
	out   io.Writer // the terminal; nil: nothing is shown
	lines io.Writer
	done  int
	all   int
	drawn time.Time
}

// New returns a bar of n steps on standard error, if that is a terminal and show is true; it goes when it ends. Lines
// are for w.
func New(w io.Writer, n int, show bool) *Bar {
	b := &Bar{lines: w, all: n}
	if show && term.IsTerminal(int(os.Stderr.Fd())) {
		b.out = os.Stderr
	}
	return b
}

const (
	// between is the time from one drawing of a bar to the next, so that steps are not slower for it.
	between = 100 * time.Millisecond
	width   = 40 // of the bar, in characters
	// clear goes to the beginning of the line and clears it.
	clear = "\r\x1b[K"
)

// Step counts one more step.
func (b *Bar) Step() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done++
	if b.out != nil && time.Since(b.drawn) > between {
		b.draw()
	}
}

func (b *Bar) draw() {
	b.drawn = time.Now()
	full := width * min(b.done, b.all) / max(b.all, 1)
	line := strings.Repeat("=", full) + strings.Repeat(" ", width-full)
	fmt.Fprintf(b.out, "%s%d / %d [%s]", clear, b.done, b.all, line)
}

// Lines is where lines go while the bar is there: above it, if they and it are on terminals.
func (b *Bar) Lines() io.Writer { return above{b} }

// above writes lines above a bar.
type above struct{ *Bar }

// Write writes whole lines.
func (a above) Write(line []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.out == nil || a.lines != os.Stdout || !term.IsTerminal(int(os.Stdout.Fd())) {
		return a.lines.Write(line)
	}
	fmt.Fprint(a.out, clear)
	n, err := a.lines.Write(line)
	a.draw()
	return n, err
}

// End takes the bar away.
func (b *Bar) End() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.out != nil {
		fmt.Fprint(b.out, clear)
		b.out = nil
	}
}
