package xla_test

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/goxla/xla"
	"github.com/goxla/xla/shape"
)

// fusionHeader has the computations of the programs of BenchmarkFusions.
const fusionHeader = `HloModule fusion
add {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT r = f32[] add(x, y)
}
max {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT r = f32[] maximum(x, y)
}
ENTRY e {
`

// BenchmarkFusions is how fast programs that move memory move it, by one thread and by two, in arrays that fit the
// second cache and that do not, beside what a copy of as many bytes does in between. Arguments and results are there
// already.
func BenchmarkFusions(b *testing.B) {
	archive, err := txtar.ParseFile("testdata/bench/fusions.txtar")
	if err != nil {
		b.Fatal(err)
	}
	for _, threads := range []int{1, 2} {
		client := newClient(b, xla.Options{Backend: xla.CPU(), Threads: threads})
		for _, f := range archive.Files {
			for _, size := range [][2]int{{64, 1024}, {1024, 1024}, {4096, 4096}} {
				b.Run(fmt.Sprintf("%s/%dx%d/%d", f.Name, size[0], size[1], threads), func(b *testing.B) {
					benchFusion(b, client, threads, sized(string(f.Data), size[0], size[1]))
				})
			}
		}
	}
}

// sized is a program for arrays of rows and columns.
func sized(body string, rows, columns int) string {
	n := strconv.Itoa
	sizes := strings.NewReplacer("[R", "["+n(rows), ",R]", ","+n(rows)+"]",
		"[C", "["+n(columns), ",C]", ","+n(columns)+"]",
		",D]", ","+n(2*columns)+"]", ",E]", ","+n(columns+8)+"]")
	return fusionHeader + sizes.Replace(body) + "}\n"
}

func benchFusion(b *testing.B, client *xla.Client, threads int, text string) {
	exe, err := client.Compile(b.Context(), parse(b, text))
	if err != nil {
		b.Fatal(err)
	}
	bytes := 0
	buffers := func(shapes []shape.Shape) (list []*xla.Buffer) {
		for _, s := range shapes {
			x := make([]float32, s.Size())
			for k := range x {
				x[k] = float32(k%7) * 0.5
			}
			bytes += 4 * len(x)
			v, err := client.Buffer(x, shape.Strided{Sizes: s.Dims})
			if err != nil {
				b.Fatal(err)
			}
			list = append(list, v)
		}
		return list
	}
	args := buffers(exe.Signature().Params)
	results := []shape.Shape{exe.Signature().Result}
	if results[0].IsTuple() {
		results = results[0].Elems
	}
	outs := buffers(results)
	c := newCopier(bytes, threads)
	run, copied := time.Hour, time.Hour
	for b.Loop() {
		start := time.Now()
		if err := exe.RunInto(b.Context(), outs, args); err != nil {
			b.Fatal(err)
		}
		run = min(run, time.Since(start))
		copied = min(copied, c.copy())
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(bytes)/float64(run.Nanoseconds()), "GB/s")
	b.ReportMetric(float64(bytes)/float64(copied.Nanoseconds()), "copy-GB/s")
	b.ReportMetric(float64(copied)/float64(run), "of-copy")
}

// copier copies, by some threads, as many bytes as it reads and writes in all.
type copier struct {
	from, to []byte
	threads  int
}

func newCopier(bytes, threads int) *copier {
	c := &copier{make([]byte, bytes/2), make([]byte, bytes/2), threads}
	for k := range c.from {
		c.from[k], c.to[k] = byte(k), 1
	}
	return c
}

// copy returns how long a copy took.
func (c *copier) copy() time.Duration {
	start := time.Now()
	var wg sync.WaitGroup
	part := (len(c.from) + c.threads - 1) / c.threads
	for lo := part; lo < len(c.from); lo += part {
		hi := min(lo+part, len(c.from))
		wg.Go(func() { copy(c.to[lo:hi], c.from[lo:hi]) })
	}
	copy(c.to[:min(part, len(c.from))], c.from)
	wg.Wait()
	return time.Since(start)
}
