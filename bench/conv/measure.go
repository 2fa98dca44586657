package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/goxla/xla"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/internal/rates"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// meter measures rows.
type meter struct {
	client   *xla.Client
	tier     exec.Tier
	options  options
	products map[string]*program // by type
	rates    *rates.Rates
}

// program is compiled and has its arguments.
type program struct {
	exe           *xla.Executable
	args, outs    []*xla.Buffer
	flops         float64
	read, written int     // bytes
	best          float64 // seconds
}

// product is the product of matrices that convolutions are beside.
const product = `HloModule p
ENTRY e {
  a = %[1]s[512,512] parameter(0)
  b = %[1]s[512,512] parameter(1)
  ROOT c = %[1]s[512,512] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
`

// load compiles a program and makes its arguments.
func (m *meter) load(ctx context.Context, text string) (*program, error) {
	prog, err := xla.Parse("program", []byte(text))
	if err != nil {
		return nil, err
	}
	p := &program{best: math.Inf(1)}
	root := prog.Module().Entry().Root()
	if root.Code() == op.Convolution || root.Code() == op.Dot {
		p.flops = float64(root.Code().Info().Flops(root.Inputs(), root.Shape()))
	}
	r := rand.New(rand.NewPCG(1, 1))
	for _, s := range prog.EntrySignature().Params {
		l := literal.New(shape.Make(s.Type, s.Dims...))
		for i := range l.Len() {
			l.SetFloat(i, r.Float64()*2-1)
		}
		buffer, err := m.client.BufferOf(l)
		if err != nil {
			return nil, err
		}
		p.args = append(p.args, buffer)
		p.read += len(l.Bytes())
	}
	results := []shape.Shape{root.Shape()}
	if root.IsTuple() {
		results = root.Shape().Elems
	}
	for _, s := range results {
		out, err := m.client.NewBuffer(s)
		if err != nil {
			return nil, err
		}
		p.outs = append(p.outs, out)
		p.written += s.Size() * s.Type.ByteSize()
	}
	p.exe, err = m.client.Compile(ctx, prog)
	return p, err
}

// run runs the program once, into memory that is there, and keeps the best time of those that count.
func (p *program) run(ctx context.Context, counts bool) error {
	start := time.Now()
	err := p.exe.RunInto(ctx, p.outs, p.args)
	if counts {
		p.best = min(p.best, time.Since(start).Seconds())
	}
	return err
}

// line measures a row and writes it.
func (m *meter) line(ctx context.Context, c kase) (string, error) {
	p, err := m.load(ctx, c.text())
	if err != nil {
		return "", err
	}
	moves, err := m.load(ctx, moving(p.read, p.written))
	if err != nil {
		return "", err
	}
	of, multiplying := "FMA", 0.0
	if c.bound == "copy" {
		multiplying, err = m.besideMoves(ctx, p, moves, c.ty)
	} else {
		of = "product"
		multiplying, err = m.besideProduct(ctx, p, moves, c.ty)
	}
	bound := multiplying
	if moves.best > bound {
		of, bound = "copy", moves.best
	}
	return fmt.Sprintf("| %s | %s | %v | %v | %.1f | %s | %.2f |\n", c.name, c.ty, c.x, c.k, p.flops/p.best/1e9, of,
		bound/p.best), err
}

// moving is a program that reads and writes so many bytes, and hardly computes: what is left of either is added, or
// set.
func moving(read, written int) string {
	const ty = 4
	in, out := max(1, read/ty), max(1, written/ty)
	both := min(in, out)
	return fmt.Sprintf(`HloModule m
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}
ENTRY e {
  x = f32[%[1]d] parameter(0)
  zero = f32[] constant(0)
  first = f32[%[2]d] slice(x), slice={[0:%[2]d]}
  y = f32[%[2]d] negate(first)
  rest = f32[%[3]d] slice(x), slice={[%[2]d:%[1]d]}
  sum = f32[] reduce(rest, zero), dimensions={0}, to_apply=add
  set = f32[%[4]d] broadcast(zero), dimensions={}
  ROOT t = (f32[%[2]d], f32[], f32[%[4]d]) tuple(y, sum, set)
}
`, in, both, in-both, out-both)
}

// besideProduct takes turns: the convolution, and what moves as many bytes, each behind a product of its type, so that
// what they read comes from where that leaves it. It returns the seconds in which the product has as many operations.
func (m *meter) besideProduct(ctx context.Context, p, moves *program, ty string) (float64, error) {
	q := m.products[ty]
	if q == nil {
		var err error
		if q, err = m.load(ctx, fmt.Sprintf(product, ty)); err != nil {
			return 0, err
		}
		m.products[ty] = q
	}
	err := m.turns(ctx, p, q, moves, q)
	return p.flops / (q.flops / q.best), err
}

// besideMoves takes turns, too, but what each reads and writes is where it left it itself. It returns the seconds of as
// many multiply-adds of full vectors.
func (m *meter) besideMoves(ctx context.Context, p, moves *program, ty string) (float64, error) {
	if m.rates == nil {
		r, err := rates.Measure(m.tier, m.options.threads)
		if err != nil {
			return 0, err
		}
		m.rates = &r
	}
	flops := m.rates.GFlops * 1e9
	if ty == "f64" {
		flops /= 2
	}
	if err := m.turns(ctx, p, p, p, moves, moves, moves); err != nil || flops == 0 {
		return 0, err
	}
	return p.flops / flops, nil
}

// turns runs the programs in that order, again and again. The first time, when memory may be new, does not count.
func (m *meter) turns(ctx context.Context, list ...*program) error {
	start, fewest := time.Now(), 2
	for n := 0; n < fewest || time.Since(start).Seconds() < m.options.seconds; n++ {
		for _, p := range list {
			if n == 0 {
				p.best = math.Inf(1)
			}
			if err := p.run(ctx, n > 0); err != nil {
				return err
			}
		}
	}
	return nil
}
