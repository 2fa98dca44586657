package hlo

import (
	"strconv"
	"strings"

	"github.com/goxla/xla/op"
)

// pairsAttribute is the frontend attribute with the device pairs of a send or receive, {{0,1},{1,2}}.
const pairsAttribute = "_xla_send_recv_source_target_pairs"

// deadlocks checks the order in which a scheduled module waits for other devices: a
// send (or receive) between devices is followed by the receive (or send) of the same pairs
// before anything else waits, and its pairs form no circle.
func (v *verifier) deadlocks() error {
	if !v.o.NoCollectiveDeadlocks || !v.m.IsScheduled {
		return nil
	}
	for _, c := range v.m.computations {
		var pending *Instruction
		for _, i := range c.Instructions() {
			var err error
			if pending, err = i.transferAfter(pending); err != nil {
				return err
			}
		}
		if pending != nil {
			return pending.errorf("", "", "expects the other half of the transfer behind it, got none")
		}
	}
	return nil
}

// transferAfter checks i behind the half of a transfer that is pending, or nil, and
// returns what is pending behind i.
func (i *Instruction) transferAfter(pending *Instruction) (*Instruction, error) {
	if i.code != op.Send && i.code != op.Recv {
		if pending != nil && i.code.Info().Has(op.Collective) {
			return nil, i.errorf("", "", "expects the other half of transfer %%%s in front of it", pending.name)
		}
		return pending, nil
	}
	text, ok := i.frontendAttribute(pairsAttribute)
	if !ok || i.attrs.(*op.ChannelAttrs).IsHostTransfer {
		return pending, nil
	}
	if err := i.checkPairs(parsePairs(text)); err != nil {
		return nil, err
	}
	if pending == nil {
		return i, nil
	}
	if other, _ := pending.frontendAttribute(pairsAttribute); pending.code == i.code || other != text {
		return nil, i.errorf("", "", "expects the other half of the %s %%%s, with its pairs",
			pending.code, pending.name)
	}
	return nil, nil
}

func (i *Instruction) frontendAttribute(key string) (value string, ok bool) {
	for _, kv := range i.FrontendAttributes {
		if kv.Key == key {
			return kv.Value, true
		}
	}
	return "", false
}

// parsePairs reads {{0,1},{1,2}}.
func parsePairs(text string) [][2]int {
	var numbers []int
	for _, f := range strings.FieldsFunc(text, func(r rune) bool { return !strings.ContainsRune("-0123456789", r) }) {
		n, err := strconv.Atoi(f)
		if err != nil {
			return nil
		}
		numbers = append(numbers, n)
	}
	var pairs [][2]int
	for k := 0; k+1 < len(numbers); k += 2 {
		pairs = append(pairs, [2]int{numbers[k], numbers[k+1]})
	}
	return pairs
}

// checkPairs checks that no device is twice the source or twice the target, and that
// the pairs form no circle, in which every device would wait for the one before it.
func (i *Instruction) checkPairs(pairs [][2]int) error {
	target, isTarget := map[int]int{}, map[int]bool{}
	for _, p := range pairs {
		if _, twice := target[p[0]]; twice || isTarget[p[1]] {
			return i.errorf(pairsAttribute, "", "expects every source and every target once, got %v", pairs)
		}
		target[p[0]], isTarget[p[1]] = p[1], true
	}
	for _, p := range pairs {
		at, steps := p[1], 1
		for ; steps <= len(pairs); steps++ {
			next, ok := target[at]
			if !ok || at == p[0] {
				break
			}
			at = next
		}
		if at == p[0] {
			return i.errorf(pairsAttribute, "", "expects pairs without a circle, got one through %d", at)
		}
	}
	return nil
}
