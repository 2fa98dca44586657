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
	exe          *xla.Executable
	args, outs   []*xla.Buffer
	flops, bytes float64
	best         float64 // seconds
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
	p.flops = float64(root.Code().Info().Flops(root.Inputs(), root.Shape()))
	if root.Code() == op.Convolution {
		p.bytes = float64(root.Shape().Size() * root.Shape().Type.ByteSize())
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
		p.bytes += float64(len(l.Bytes()))
	}
	out, err := m.client.NewBuffer(root.Shape())
	if err != nil {
		return nil, err
	}
	p.outs = []*xla.Buffer{out}
	p.exe, err = m.client.Compile(ctx, prog)
	return p, err
}

// run runs the program once, into memory that is there, and keeps the best time.
func (p *program) run(ctx context.Context) error {
	start := time.Now()
	err := p.exe.RunInto(ctx, p.outs, p.args)
	p.best = min(p.best, time.Since(start).Seconds())
	return err
}

// line measures a row and writes it.
func (m *meter) line(ctx context.Context, c kase) (string, error) {
	p, err := m.load(ctx, c.text())
	if err != nil {
		return "", err
	}
	share, of := 0.0, "product"
	if c.bound == "copy" {
		share, of, err = m.besideBound(ctx, p, c.ty)
	} else {
		share, err = m.besideProduct(ctx, p, c.ty)
	}
	return fmt.Sprintf("| %s | %s | %v | %v | %.1f | %s | %.2f |\n", c.name, c.ty, c.x, c.k, p.flops/p.best/1e9, of,
		share), err
}

// besideProduct alternates between the convolution and the product of its type.
func (m *meter) besideProduct(ctx context.Context, p *program, ty string) (float64, error) {
	q := m.products[ty]
	if q == nil {
		var err error
		if q, err = m.load(ctx, fmt.Sprintf(product, ty)); err != nil {
			return 0, err
		}
		m.products[ty] = q
	}
	q.best = math.Inf(1)
	for start := time.Now(); time.Since(start).Seconds() < m.options.seconds; {
		for _, x := range []*program{p, q} {
			if err := x.run(ctx); err != nil {
				return 0, err
			}
		}
	}
	return p.flops / p.best / (q.flops / q.best), nil
}

// besideBound runs the convolution beside what is known of copies and of multiplying, the longer of the two.
func (m *meter) besideBound(ctx context.Context, p *program, ty string) (share float64, of string, err error) {
	if m.rates == nil {
		r, err := rates.Measure(m.tier, m.options.threads)
		if err != nil {
			return 0, "", err
		}
		m.rates = &r
	}
	for start := time.Now(); time.Since(start).Seconds() < m.options.seconds; {
		if err := p.run(ctx); err != nil {
			return 0, "", err
		}
	}
	copying, of, flops := p.bytes/m.rates.At(p.bytes)/1e9, "copy", m.rates.GFlops
	if ty == "f64" {
		flops /= 2
	}
	if multiplying := p.flops / (flops * 1e9); flops > 0 && multiplying > copying {
		copying, of = multiplying, "FMA"
	}
	return copying / p.best, of, nil
}
