package cpu

import (
	"context"
	"math"
	"os"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/plan"
	"github.com/goxla/xla/hlo"
)

// PlanOn returns the plan of m for machines of a tier, which this one need not be of.
func PlanOn(ctx context.Context, m *hlo.Module, o Options, tier exec.Tier) (*plan.Plan, error) {
	on, err := machine(o.Pool)
	if err != nil {
		return nil, err
	}
	on.Tier, on.L3, on.Split = tier, 0, false
	return planFor(ctx, m.Clone(), o, on, &dumper{})
}

// CompileWith is Compile for a machine whose last cache is near and of a size, or far for 0.
func CompileWith(ctx context.Context, m *hlo.Module, o Options, cache int) (*Program, error) {
	tier, err := exec.HostTier(os.Getenv(exec.TierEnv))
	if err != nil {
		return nil, err
	}
	on, err := machine(o.Pool)
	if err != nil {
		return nil, err
	}
	on.L3 = cache
	return compileFor(ctx, m, o, tier, on)
}

// Followers returns the number of kernels that follow products.
func (p *Program) Followers() int { return len(p.followers) }

// Shared returns the number of kernels that several threads do.
func (p *Program) Shared() int {
	n := 0
	for st, k := range p.kernels {
		if p.pool.Threads() > 1 && !k.alone() && (k.extent > k.grain || p.bundled[st] != nil) {
			n++
		}
	}
	return n
}

// Bundles returns the numbers of kernels of each bundle that several threads do, in any order.
func (p *Program) Bundles() (list []int) {
	seen := map[*bundle]bool{}
	for _, b := range p.bundled {
		if !seen[b] {
			seen[b] = true
			list = append(list, len(b.steps))
		}
	}
	return list
}

// Laps returns how many jobs there are in each lap whose number of threads is chosen.
func (p *Program) Laps() (list []int) {
	for _, jobs := range p.laps {
		if jobs > 0 {
			list = append(list, jobs)
		}
	}
	return list
}

// Choose has later runs, of one goroutine at a time, do short steps on so many threads.
func (p *Program) Choose(threads int) error {
	r, err := p.take()
	if err != nil {
		return err
	}
	for n := range r.governors {
		g := &r.governors[n]
		g.phase, g.chosen, g.left = resting, threads, math.MaxInt
	}
	p.give(r)
	return nil
}
