package main

import (
	"fmt"
	"math"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/pass"
)

// moduleCost is the arithmetic of one run. Of a conditional the dearest branch counts; bodies of while loops count as
// often as the loop turns, and once if that is not known.
type moduleCost struct {
	flops   int64
	unknown int // loops that turn as often as data says
}

func (c *moduleCost) note() string {
	if c.unknown == 0 {
		return ""
	}
	return fmt.Sprintf(" (bodies of %d while loops that turn as often as their data says counted once)", c.unknown)
}

// cost adds up the flops of every computation of a program that was verified, as often as it is called outside of
// operations that apply it to elements, whose own rule counts it.
func cost(m *hlo.Module) *moduleCost {
	total := &moduleCost{}
	perCall := map[*hlo.Computation]int64{}
	for _, c := range m.PostOrder() {
		var sum int64
		for _, i := range c.Instructions() {
			if rule := i.Code().Info().Flops; rule != nil {
				sum = add(sum, rule(i.Inputs(), i.Shape()), 1)
			} else {
				sum = add(sum, total.called(i, perCall), 1)
			}
		}
		perCall[c] = sum
	}
	if m.Entry() != nil {
		total.flops = perCall[m.Entry()]
	}
	return total
}

// constantBytes returns the bytes of the constants.
func constantBytes(m *hlo.Module) (sum int64) {
	for _, c := range m.Computations() {
		for _, i := range c.Instructions() {
			if a, ok := i.Attrs().(*op.ConstantAttrs); ok {
				sum += byteSize(a.Value.Shape())
			}
		}
	}
	return sum
}

// called returns the flops of what i calls.
func (c *moduleCost) called(i *hlo.Instruction, perCall map[*hlo.Computation]int64) (sum int64) {
	for _, k := range i.Called() {
		if i.Code() == op.Conditional {
			sum = max(sum, perCall[k])
		} else {
			sum = add(sum, perCall[k], 1)
		}
	}
	if i.Code() != op.While {
		return sum
	}
	trips, ok := pass.TripCount(i)
	if !ok {
		c.unknown++
		return sum
	}
	return add(0, sum, int64(trips))
}

// add returns a + b * times for numbers that are not negative, at most math.MaxInt64.
func add(a, b, times int64) int64 {
	if times > 0 && b > (math.MaxInt64-a)/times {
		return math.MaxInt64
	}
	return a + b*times
}
