package cpu_test

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/racetest"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// TestLaps: iterations of loops that are not short are laps, and how many threads they have does not show in the
// result, be it chosen by what runs take, of several goroutines at once.
func TestLaps(t *testing.T) {
	const rows, columns = 301, 203
	text := fmt.Sprintf(stencilText, rows, columns, rows-2, columns-2, columns-1, rows-1)
	short, long := lapsOf(t, text, 2), strings.ReplaceAll(text, "constant(5)", "constant(40)")
	code := exec.Host().Tier() > exec.Portable && os.Getenv(exec.TierEnv) == ""
	if got := lapsOf(t, long, 2); code && (len(short) != 1 || len(got) != 2) {
		t.Errorf("expected one lap with a loop of 5 iterations and two with 40, got %v and %v", short, got)
	}
	if got := lapsOf(t, long, 1); len(got) > 0 {
		t.Errorf("one thread: expected no laps, got %v", got)
	}
	m, err := hlotext.Parse(long, hlotext.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	numbers := make([]float32, rows*columns)
	for i := range numbers {
		numbers[i] = float32(i*i%1009) / 1009
	}
	x, err := literal.FromSlice(shape.Make(shape.F32, rows, columns), numbers)
	if err != nil {
		t.Fatal(err)
	}
	var first literal.Literal
	for _, threads := range racetest.Threads(1, 2, 5) {
		pool := exec.NewPool(threads)
		p, err := cpu.Compile(t.Context(), m, cpu.Options{Pool: pool})
		if err != nil {
			t.Fatal(err)
		}
		run := func(what string) {
			got, err := p.Run(t.Context(), []literal.Literal{x}, nil)
			if err != nil {
				t.Error(err)
				return
			}
			if !first.IsValid() {
				first = got
			}
			if err := literal.Compare(got, first, literal.ULP(0)); err != nil {
				t.Errorf("%d threads, %s: %v", threads, what, err)
			}
		}
		run("at first")
		for chosen := 1; chosen <= threads; chosen++ {
			if err := p.Choose(chosen); err != nil {
				t.Fatal(err)
			}
			run(fmt.Sprint(chosen, " chosen"))
		}
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				for range 10 {
					run("at once")
				}
			})
		}
		all.Wait()
		p.Close()
		pool.Close()
	}
}

// lapsOf returns the laps of a program for so many threads.
func lapsOf(t *testing.T, text string, threads int) []int {
	t.Helper()
	m, err := hlotext.Parse(text, hlotext.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	pool := exec.NewPool(threads)
	defer pool.Close()
	p, err := cpu.Compile(t.Context(), m, cpu.Options{Pool: pool})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	return p.Laps()
}
