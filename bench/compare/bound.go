package main

import (
	"strings"

	"github.com/goxla/xla/internal/workload"
)

// bound is the least time in which the machine could do a program, and what makes it so.
type bound struct {
	name string
	us   float64
}

// boundOf returns the bound of a program that was measured: its nominal operations at the rate of
// multiply-adds, its nominal bytes at the bandwidth of a copy of as many, the longest chain of operations that
// wait for one another, or a call; all measured in the run of the program. It is empty if the rates are not known.
func boundOf(p workload.Workload, m *measured) bound {
	r := m.OursHost.Rates
	if r == nil {
		return bound{}
	}
	least := bound{"call", m.OursHost.CallUS}
	consider := func(name string, us float64) {
		if us > least.us {
			least = bound{name, us}
		}
	}
	if r.GFlops > 0 {
		consider("FMA", p.Flops/(1e3*r.GFlops*perFlop(p)))
	}
	if gbs := r.At(p.Bytes); gbs > 0 {
		consider("copy", p.Bytes/(1e3*gbs))
	}
	consider("latency", m.Ours.Chain*r.LatencyNS/1e3)
	return least
}

// perFlop is the rate of multiply-adds of the type of the program's inputs beside f32's.
func perFlop(p workload.Workload) float64 {
	if len(p.Params) > 0 && (strings.HasPrefix(p.Params[0].Shape, "f64") || strings.HasPrefix(p.Params[0].Shape, "c128")) {
		return 0.5
	}
	return 1
}
