package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/internal/peak"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// result holds, for one thread and for all, the share of the peak of f32 and the rate of one thread.
type result struct{ share, rate []float64 }

const (
	head = `# Products of matrices

Written by go run ./bench/gemm -out bench/GEMM.md, on %s, %d threads; caches of %d KiB, %d KiB and %d KiB.

Before each sample there is a burst of f32 multiply-adds in registers, in the vectors of the tier and on as many
threads, and a run that brings the operands to the caches: "of peak" is the ratio to the burst. `
	howBusy = `Of both it is the upper quartile, as what else the machine does only lowers rates, and time is
that of the processor, of all threads, waiting included.
`
	howQuiet = `The machine did
nothing else: time is that of the clock, the best sample counts, and the peak of all threads is that of one, so many
times.
`
	legend = `"Times" one thread is the number of threads times the ratio of the shares. Shares above 1 are of types of
which a vector has more elements. "Rows": B is row-major; "columns": it is transposed; "constant": it was packed before.
One row of A reads B once: its bound is the bandwidth of the cache that B is in, or of memory, which GB/s shows.
`
	columns = `
## %v

| m x n x k | G op/s | of peak | GB/s | G op/s, all threads | of peak | times |
|---|---|---|---|---|---|---|
`
)

func (r result) line(c kase) string {
	bytes := ""
	if c.m == 1 {
		bytes = fmt.Sprintf("%.0f", r.rate[0]/2*float64(c.b.ByteSize())/1e9)
	}
	threads := float64(exec.DefaultThreads())
	return fmt.Sprintf("| %s | %.0f | %.2f | %s | %.0f | %.2f | %.2f |\n", c.name(), r.rate[0]/1e9, r.share[0], bytes,
		threads*r.rate[1]/1e9, r.share[1], threads*r.share[1]/r.share[0])
}

// side is a product with a number of threads, ready to run.
type side struct {
	threads        int
	pool           *exec.Pool
	product        *gemm.Product
	args           gemm.Args
	job            gemm.Job
	peaks, rates   []float64
	arenas         []*exec.Arena
	runs           int
	flopsOfOneCall float64
}

// measure takes samples by turns with one thread and with all.
func measure(c kase, tier exec.Tier, o options) (result, error) {
	top, err := peak.NewFMA(tier)
	if err != nil {
		return result{}, err
	}
	var sides []*side
	for _, threads := range []int{1, exec.DefaultThreads()} {
		s, err := newSide(c, tier, threads)
		if err != nil {
			return result{}, err
		}
		defer s.close()
		sides = append(sides, s)
	}
	for start := time.Now(); time.Since(start).Seconds() < o.seconds || len(sides[0].rates) < 4; {
		for _, s := range sides {
			s.sample(top, o.now())
		}
	}
	var r result
	for _, s := range sides {
		rate, top := o.typical(s.rates), o.typical(s.peaks)
		if o.quiet { // threads together have the rate of one, as often as there are threads
			rate, top = rate/float64(s.threads), o.typical(sides[0].peaks)
		}
		r.share, r.rate = append(r.share, rate/top), append(r.rate, rate)
	}
	return r, nil
}

// now returns the clock of samples.
func (o *options) now() func() time.Duration {
	if o.quiet {
		started := time.Now()
		return func() time.Duration { return time.Since(started) }
	}
	return peak.CPUTime
}

// typical is what counts of many samples.
func (o *options) typical(v []float64) float64 {
	if o.quiet {
		return slices.Max(v)
	}
	v = slices.Sorted(slices.Values(v))
	return v[len(v)*3/4]
}

func newSide(c kase, tier exec.Tier, threads int) (*side, error) {
	config, err := gemm.HostConfig(tier.String(), threads)
	if err != nil {
		return nil, err
	}
	s := &side{threads: threads, pool: exec.NewPool(threads), flopsOfOneCall: c.flops()}
	if s.product, err = gemm.New(c.spec(), config); err != nil {
		return nil, err
	}
	if err := new(gemm.Library).Compile(s.product); err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(1, 1))
	s.args = gemm.Args{A: s.random(r, c.a, c.batch*c.m*c.k), B: s.random(r, c.b, c.batch*c.k*c.n),
		C: s.memory(c.batch * c.m * c.n * c.c.ByteSize()), Scratch: s.memory(s.product.ScratchBytes())}
	if s.product.PackedBytes() > 0 {
		s.args.Packed = s.memory(s.product.PackedBytes())
		s.product.PrepackTo(s.args.Packed, s.args.B)
	}
	s.runs = max(1, int(50e6*float64(threads)/s.flopsOfOneCall))
	s.job.Run(s.pool, s.product, s.args)
	return s, nil
}

func (s *side) close() {
	s.pool.Close()
	for _, a := range s.arenas {
		a.Close()
	}
}

// memory returns n bytes like those of a program; what the system refuses is taken from Go.
func (s *side) memory(n int) []byte {
	a, err := exec.NewArena(n)
	if err != nil {
		return make([]byte, n)
	}
	s.arenas = append(s.arenas, a)
	return a.Bytes()
}

// random returns n numbers: zeros would be multiplied faster than they are.
func (s *side) random(r *rand.Rand, t shape.ElementType, n int) []byte {
	l := literal.New(shape.Make(t, n))
	for i := range n {
		if t.IsInteger() {
			l.SetInt(i, int64(r.IntN(100)))
		} else {
			l.SetFloat(i, r.Float64()*2-1)
		}
	}
	mem := s.memory(len(l.Bytes()))
	copy(mem, l.Bytes())
	return mem
}

// sample measures a burst and some runs, after one that brings the operands to the caches of the threads: those of
// the other side share them.
func (s *side) sample(top *peak.FMA, now func() time.Duration) {
	s.peaks = append(s.peaks, top.Rate(s.pool, s.threads, now))
	s.job.Run(s.pool, s.product, s.args)
	start := now()
	for range s.runs {
		s.job.Run(s.pool, s.product, s.args)
	}
	s.rates = append(s.rates, s.flopsOfOneCall*float64(s.runs)/(now()-start).Seconds())
}
